//! In: an incident. Out: why its root is its root, in sentences that follow from what was read.

use super::attempts;
use crate::diagnosis::{self, Bucket};
use crate::fact;
use crate::incident::{Evidence, Incident, Relation, Role, Side, Verdict};
use crate::load::Case;
use crate::report::safe::Safe;
use crate::report::spot::Spot;

/// One sentence a reason, most telling first.
pub(super) fn sentences(case: &Case, index: usize, incident: &Incident) -> Vec<Safe> {
    let mut told = vec![depth(incident)];
    told.extend(carried(incident));
    told.extend(support(incident));
    told.extend(exit_code(incident));
    told.extend(retries(case, index, incident));
    told.extend(role(case, incident));
    told.extend(often(case, incident));
    told.extend(effects(case, index));
    told.iter().map(|text| Safe::line(text)).collect()
}

fn depth(incident: &Incident) -> String {
    let links = incident.chain.len();
    let below = links.saturating_sub(incident.root + 1);
    match (links, below) {
        (1, _) => "It is the only cause that the log prints for this failure.".to_owned(),
        (_, 0) => format!("It is the deepest of {links} causes in the chain."),
        (_, 1) => format!(
            "It is the deepest of {links} causes that says something: the one below it adds nothing."
        ),
        _ => format!(
            "It is the deepest of {links} causes that says something: the {below} below it add nothing."
        ),
    }
}

fn carried(incident: &Incident) -> Option<String> {
    let wrapper = incident.chain.get(incident.root.checked_sub(1)?)?;
    let class = wrapper.short_class();
    if class.is_empty() {
        return None;
    }
    match incident.root().relation {
        Relation::Worker if incident.side == Some(Side::PythonDriver) => Some(format!(
            "Python called back by the JVM raised it; {class} carried its traceback."
        )),
        Relation::Worker => Some(format!(
            "A Python worker raised it; {class} carried its traceback to the driver."
        )),
        Relation::Wrapped => Some(format!("{class} names it in its message.")),
        Relation::Context => Some(format!(
            "Python printed {class} after it, raised while it was handled or cleaned up."
        )),
        Relation::EffectOf => Some(format!("{class} followed from it in another record.")),
        Relation::Top | Relation::CausedBy | Relation::Suppressed => None,
    }
}

fn support(incident: &Incident) -> Option<String> {
    match incident.evidence {
        Evidence::Root => None,
        Evidence::SymptomOnly => {
            let next = if incident.next.is_empty() {
                "the first fix says where to look"
            } else {
                "see what to collect"
            };
            Some(format!(
                "But it is only a symptom: what caused it is not in what was opened; {next}."
            ))
        }
        Evidence::Inferred => {
            Some("It was concluded from several lines; none of them says it alone.".to_owned())
        }
    }
}

/// What the exit code or the container status means that the root names, where nothing else explains it.
fn exit_code(incident: &Incident) -> Option<String> {
    let code = fact::exit_code(&incident.root().message)?;
    let meaning = diagnosis::explain(&code.to_string())?;
    Some(format!("Exit code {code}: {meaning}"))
}

fn retries(case: &Case, index: usize, incident: &Incident) -> Option<String> {
    let bucket = case.diagnoses.get(index).and_then(|told| told.bucket);
    let speak = match incident.verdict? {
        Verdict::Deterministic if bucket.is_none_or(Bucket::is_of_the_job) => {
            "Its retries speak of data or code"
        }
        Verdict::Deterministic => "No retry helped",
        Verdict::Flaky => "Its retries speak of chance",
        Verdict::Infrastructure => "Its retries speak of machines, not of the job",
    };
    let told = attempts::verdict(incident);
    let (_, counted) = told.split_once(": ")?;
    Some(format!("{speak}: {counted}."))
}

fn role(case: &Case, incident: &Incident) -> Option<String> {
    match incident.role {
        Role::Fatal => None,
        Role::Recovered => Some(match case.story.later_failure(incident) {
            Some(later) => format!(
                "An earlier attempt of the task ended with it; the last one, and with it the run, with {}.",
                case.story.incidents[later].title()
            ),
            None => "The run went on after it: it did not end the run.".to_owned(),
        }),
        Role::Noise => Some(
            match incident
                .effect_of
                .and_then(|by| case.story.incidents.get(by))
            {
                Some(by) => format!("It is an effect of another failure: {}", by.title()),
                None => "It says nothing about how the run ended.".to_owned(),
            },
        ),
    }
}

fn often(case: &Case, incident: &Incident) -> Option<String> {
    if incident.count < 2 {
        return None;
    }
    let first = incident
        .occurrences
        .first()
        .and_then(|place| Spot::of(case, place));
    Some(match (first, incident.first) {
        (Some(spot), Some(moment)) => format!(
            "It was logged {} times, first at {spot} ({moment}).",
            incident.count
        ),
        (Some(spot), None) => format!("It was logged {} times, first at {spot}.", incident.count),
        (None, _) => format!("It was logged {} times.", incident.count),
    })
}

fn effects(case: &Case, index: usize) -> Option<String> {
    let effects = case
        .story
        .incidents
        .iter()
        .filter(|other| other.effect_of == Some(index))
        .count();
    match effects {
        0 => None,
        1 => Some("One other failure in the logs is an effect of it.".to_owned()),
        n => Some(format!("{n} other failures in the logs are effects of it.")),
    }
}
