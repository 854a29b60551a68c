//! In: an incident and what the rules say of it. Out: [`Told`]: it in sentences.

use super::attempts::Attempts;
use super::beside::Beside;
use super::why;
use crate::diagnosis::{Diagnosis, Fix, Step, StepKind};
use crate::fact::Frame;
use crate::incident::{Cause, Incident, Side};
use crate::load::Case;
use crate::report::safe::Safe;
use crate::report::spot::Spot;

/// Longest line of a log that is told, in characters.
const LINE: usize = 600;
/// Longest message of a link of the chain, in characters.
const LINK: usize = 300;
/// Longest title, in characters.
const TITLE: usize = 160;

/// One incident, told.
#[derive(Debug)]
pub(in crate::report) struct Told {
    /// One line for a ticket's subject.
    pub(in crate::report) title: Safe,
    /// `fatal`, `recovered`, `noise`; `attempt` for what an earlier attempt of the task failed of.
    pub(in crate::report) role: &'static str,
    /// What the root says: its class and message, or the log's line where it has no class.
    pub(in crate::report) root: Safe,
    /// The further lines of its message, as printed; empty where there are none.
    pub(in crate::report) root_more: Safe,
    /// Where that is.
    pub(in crate::report) spot: Option<Spot>,
    /// The user's own line that the root points at.
    pub(in crate::report) yours: Option<Mine>,
    /// The user's line that started the job.
    pub(in crate::report) started: Option<Mine>,
    /// Which kind of fault, raised where, when, how sure.
    pub(in crate::report) kind: String,
    /// Why this is the root, in sentences.
    pub(in crate::report) why: Vec<Safe>,
    /// What the failure means; empty where no rule knows.
    pub(in crate::report) meaning: Safe,
    /// What else to collect.
    pub(in crate::report) next: Vec<Safe>,
    /// From the outermost wrapper to the deepest cause.
    pub(in crate::report) chain: Vec<Link>,
    /// The failing task's attempts.
    pub(in crate::report) attempts: Option<Attempts>,
    /// Best first.
    pub(in crate::report) fixes: Vec<FixTold>,
    /// What stands beside them.
    pub(in crate::report) beside: Beside,
}

/// A line of the user's own code.
#[derive(Debug)]
pub(in crate::report) struct Mine {
    /// `enrich_orders.py:88 in parse_age`.
    pub(in crate::report) at: Safe,
    /// The code, where the log prints it.
    pub(in crate::report) code: Option<Safe>,
}

/// A link of the chain.
#[derive(Debug)]
pub(in crate::report) struct Link {
    /// `SparkException: Job aborted due to stage failure: …`.
    pub(in crate::report) text: Safe,
    /// How it is tied to the link before, in a word or two.
    pub(in crate::report) tie: &'static str,
    /// Where it is printed.
    pub(in crate::report) spot: Option<Spot>,
    /// Whether it is the root.
    pub(in crate::report) root: bool,
}

/// A suggested fix.
#[derive(Debug)]
pub(in crate::report) struct FixTold {
    /// One line.
    pub(in crate::report) title: Safe,
    /// The rule that suggests it.
    pub(in crate::report) rule: Safe,
    /// Why it applies here.
    pub(in crate::report) why: Safe,
    /// What to do, in order.
    pub(in crate::report) steps: Vec<StepTold>,
    /// The lines that made its rule hold.
    pub(in crate::report) spots: Vec<Spot>,
}

/// A step of a fix.
#[derive(Debug)]
pub(in crate::report) struct StepTold {
    pub(in crate::report) kind: StepKind,
    pub(in crate::report) text: Safe,
    /// The language's name, empty where none is given.
    pub(in crate::report) lang: Safe,
    /// Code to paste; empty where there is none.
    pub(in crate::report) code: Safe,
}

impl Told {
    pub(super) fn of(case: &Case, index: usize, incident: &Incident) -> Self {
        let nothing = Diagnosis::default();
        let diagnosis = case.diagnoses.get(index).unwrap_or(&nothing);
        let root = incident.root();
        Self {
            title: Safe::short(&incident.title(), TITLE),
            role: case.story.word_of(incident),
            root: Safe::short(&headline(root), LINE),
            root_more: Safe::block(further(root)),
            spot: Spot::of(case, &root.place),
            yours: incident.user_frame.as_ref().map(Mine::of),
            started: incident.action_frame.as_ref().map(Mine::of),
            kind: kind(incident, diagnosis),
            why: why::sentences(case, index, incident),
            meaning: Safe::block(diagnosis.explanation.trim()),
            next: incident.next.iter().map(|s| Safe::line(s.trim())).collect(),
            chain: chain(case, incident),
            attempts: Attempts::of(case, incident),
            fixes: diagnosis
                .fixes
                .iter()
                .map(|fix| FixTold::of(case, fix))
                .collect(),
            beside: Beside::of(case, diagnosis),
        }
    }
}

impl Mine {
    fn of(frame: &Frame) -> Self {
        let file = if frame.file.is_empty() {
            &frame.class
        } else {
            &frame.file
        };
        let mut at = file.to_string();
        if let Some(line) = frame.line {
            at = format!("{at}:{line}");
        }
        if !frame.function.is_empty() && &*frame.function != "<module>" {
            at = format!("{at} in {}", frame.function);
        }
        Self {
            at: Safe::short(&at, LINK),
            code: frame
                .code
                .as_deref()
                .map(str::trim)
                .filter(|code| !code.is_empty())
                .map(|code| Safe::short(code, LINK)),
        }
    }
}

impl FixTold {
    pub(super) fn of(case: &Case, fix: &Fix) -> Self {
        let places = fix.evidence.iter();
        Self {
            spots: places.filter_map(|place| Spot::of(case, place)).collect(),
            title: Safe::line(fix.title.trim()),
            rule: Safe::line(&fix.rule),
            why: Safe::block(fix.why.trim()),
            steps: fix.steps.iter().map(StepTold::of).collect(),
        }
    }
}

impl StepTold {
    pub(super) fn of(step: &Step) -> Self {
        Self {
            kind: step.kind,
            text: Safe::block(step.text.trim()),
            lang: Safe::line(step.lang.as_deref().unwrap_or_default()),
            code: Safe::block(step.code.as_deref().unwrap_or_default().trim_end()),
        }
    }
}

/// `user-code, raised in a Python worker during execution (95 % sure)`; empty where nothing is known.
fn kind(incident: &Incident, diagnosis: &Diagnosis) -> String {
    let mut told = String::new();
    if let Some(side) = incident.side {
        told.push_str(raised(side));
    }
    if let Some(phase) = incident.phase {
        told.push_str(if told.is_empty() {
            "during "
        } else {
            " during "
        });
        told.push_str(phase.word());
    }
    if let Some(bucket) = diagnosis.bucket {
        let sure = (diagnosis.confidence * 100.0).round();
        let rest = if told.is_empty() {
            told
        } else {
            format!(", {told}")
        };
        told = format!("{}{rest} ({sure} % sure)", bucket.word());
    }
    told
}

/// Where a side is, for people.
fn raised(side: Side) -> &'static str {
    match side {
        Side::PythonDriver => "raised in the driver's Python",
        Side::JvmDriver => "raised in the driver's JVM",
        Side::PythonWorker => "raised in a Python worker",
        Side::JvmExecutor => "raised in an executor's JVM",
        Side::Cluster => "raised by the cluster",
    }
}

/// The class in full, so that it can be searched for, and the message's first line.
fn headline(root: &Cause) -> String {
    match (&*root.class, root.headline()) {
        ("", _) => root.text.trim().to_owned(),
        (class, "") => class.to_owned(),
        (class, message) => format!("{class}: {message}"),
    }
}

/// The message behind its headline, without empty lines around it.
fn further(root: &Cause) -> &str {
    let message = root.message.trim_start();
    let rest = message.split_once('\n').map_or("", |(_, rest)| rest);
    let ahead = rest.len() - rest.trim_start_matches(['\n', '\r']).len();
    rest[ahead..].trim_end()
}

fn chain(case: &Case, incident: &Incident) -> Vec<Link> {
    use crate::incident::Relation;
    incident
        .chain
        .iter()
        .enumerate()
        .map(|(index, cause)| {
            let text = match (cause.short_class(), cause.headline()) {
                ("", "") => cause.text.trim().to_owned(),
                ("", message) => message.to_owned(),
                (class, "") => class.to_owned(),
                (class, message) => format!("{class}: {message}"),
            };
            Link {
                text: Safe::short(&text, LINK),
                tie: match cause.relation {
                    Relation::Top => "top",
                    Relation::CausedBy => "caused by",
                    Relation::Suppressed => "suppressed",
                    Relation::Wrapped => "wrapping",
                    Relation::Worker => "in worker",
                    Relation::Context => "handling",
                    Relation::EffectOf => "set off by",
                },
                spot: Spot::of(case, &cause.place),
                root: index == incident.root,
            }
        })
        .collect()
}
