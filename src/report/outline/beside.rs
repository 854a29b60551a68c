//! In: a case and its main incident. Out: what stands beside the fixes: suspects, evidence, advice for stages, ways to see
//! more, and what was not known.

use super::told::{FixTold, StepTold};
use crate::diagnosis::{About, Diagnosis, Question, SideEvidence, Sign, Suspect};
use crate::incident::{Evidence, Incident, Outcome, Role};
use crate::load::Case;
use crate::report::safe::Safe;
use crate::report::spot::Spot;
use crate::source::Kind;

/// What speaks for or against a suspect, what an opened input shows.
#[derive(Debug)]
pub(in crate::report) struct SignTold {
    pub(in crate::report) text: Safe,
    pub(in crate::report) spot: Option<Spot>,
}

/// What may have caused a failure.
#[derive(Debug)]
pub(in crate::report) struct SuspectTold {
    pub(in crate::report) title: Safe,
    pub(in crate::report) speaks_for: Vec<SignTold>,
    pub(in crate::report) speaks_against: Vec<SignTold>,
    pub(in crate::report) step: StepTold,
}

/// A question with its suspects, the most likely first.
#[derive(Debug)]
pub(in crate::report) struct QuestionTold {
    pub(in crate::report) asks: Safe,
    pub(in crate::report) suspects: Vec<SuspectTold>,
}

/// Evidence to look at.
#[derive(Debug)]
pub(in crate::report) struct EvidenceTold {
    /// What the opened inputs show of it.
    pub(in crate::report) held: Option<SignTold>,
    pub(in crate::report) step: StepTold,
}

/// What stands beside the fixes.
#[derive(Debug, Default)]
pub(in crate::report) struct Beside {
    pub(in crate::report) question: Option<QuestionTold>,
    pub(in crate::report) evidence: Vec<EvidenceTold>,
    pub(in crate::report) recipes: Vec<FixTold>,
    /// In which form the trace was printed, where that hides something.
    pub(in crate::report) notices: Vec<SignTold>,
}

impl Beside {
    pub(super) fn of(case: &Case, diagnosis: &Diagnosis) -> Self {
        let evidence = diagnosis.evidence.iter();
        let recipes = diagnosis.recipes.iter();
        Self {
            question: diagnosis.question.as_ref().map(|q| question(case, q)),
            evidence: evidence.map(|e| self::evidence(case, e)).collect(),
            recipes: recipes.map(|fix| FixTold::of(case, fix)).collect(),
            notices: signs(case, &diagnosis.notices),
        }
    }
}

fn question(case: &Case, question: &Question) -> QuestionTold {
    let suspects = question.suspects.iter();
    QuestionTold {
        asks: Safe::line(&question.asks),
        suspects: suspects.map(|s| suspect(case, s)).collect(),
    }
}

fn suspect(case: &Case, suspect: &Suspect) -> SuspectTold {
    SuspectTold {
        title: Safe::line(&suspect.title),
        speaks_for: signs(case, &suspect.speaks_for),
        speaks_against: signs(case, &suspect.speaks_against),
        step: StepTold::of(&suspect.step),
    }
}

fn evidence(case: &Case, evidence: &SideEvidence) -> EvidenceTold {
    EvidenceTold {
        held: evidence.held.as_ref().map(|held| sign(case, held)),
        step: StepTold::of(&evidence.step),
    }
}

fn signs(case: &Case, signs: &[Sign]) -> Vec<SignTold> {
    signs.iter().map(|s| sign(case, s)).collect()
}

fn sign(case: &Case, sign: &Sign) -> SignTold {
    SignTold {
        text: Safe::line(sign.text.trim()),
        spot: sign.place.as_ref().and_then(|place| Spot::of(case, place)),
    }
}

/// Advice that no fix of the incident gives already, each with what it is about: `stage 12.0`, `UDF 2`.
pub(super) fn advice(case: &Case, about: usize) -> Vec<(String, FixTold)> {
    let remedies = case.remedies((about < case.story.incidents.len()).then_some(about));
    let told = case.advice.iter().filter_map(|advice| {
        let story = &case.story;
        let about = match advice.about {
            About::Stage(at) => {
                let stage = story.stages.get(at)?;
                format!("stage {}.{}", stage.id, stage.attempt)
            }
            About::Profile(at) => story.profiles.get(at)?.whose(),
        };
        // Those that a person would see beside the incident.
        let shown = remedies
            .iter()
            .any(|fix| std::ptr::eq(*fix, &raw const advice.fix));
        shown.then(|| (about, FixTold::of(case, &advice.fix)))
    });
    told.collect()
}

/// What a colleague would ask and what was opened does not answer.
pub(super) fn not_known(case: &Case, incident: Option<&Incident>) -> Vec<Safe> {
    let story = &case.story;
    let opened = |kind| case.sources.list.iter().any(|source| source.kind == kind);
    let mut told: Vec<&str> = Vec::new();
    if story.outcome == Outcome::Unknown {
        told.push("How the run ended: nothing that was opened tells it.");
    }
    if let Some(incident) = incident.filter(|incident| incident.role == Role::Fatal) {
        match incident.evidence {
            Evidence::Root => {}
            Evidence::SymptomOnly => {
                told.push("The cause itself: only a symptom of it is in what was opened.");
            }
            Evidence::Inferred => {
                told.push("The cause in one line: it was concluded from several.");
            }
        }
        if incident.task.is_some() && incident.attempts.is_empty() {
            told.push("The attempts of the task: none is logged.");
        }
        let ran = incident.task.is_some() || !story.stages.is_empty();
        if ran && !opened(Kind::EventLog) {
            told.push("The figures of the stages and what was set: no event log was opened.");
        }
        let on_executor = incident.attempts.iter().any(|a| a.executor.is_some());
        if on_executor && !opened(Kind::ExecutorLog) {
            told.push("What the executors themselves logged: no log of one was opened.");
        }
    }
    if story.spark.version.is_none() && incident.is_some() {
        told.push("Spark's version: steps that need a certain one say so.");
    }
    told.into_iter().map(Safe::line).collect()
}
