//! In: what stands beside the fixes of a diagnosis, and advice for stages. Out: their JSON twins.

use super::document::At;
use super::incident::{Fix, Step, fix, step};
use crate::diagnosis::{self, About};
use crate::load::Case;
use crate::report::Safe;
use serde::Serialize;

/// Something that speaks for or against a suspect, or shows that evidence is at hand.
#[derive(Serialize)]
pub(super) struct Sign {
    text: Safe,
    evidence: Vec<At>,
}

#[derive(Serialize)]
struct Suspect {
    title: Safe,
    family: Safe,
    #[serde(rename = "for")]
    speaks_for: Vec<Sign>,
    against: Vec<Sign>,
    step: Step,
}

/// What may have caused a failure whose words leave that open; the most likely suspect first.
#[derive(Serialize)]
pub(super) struct Question {
    asks: Safe,
    suspects: Vec<Suspect>,
}

/// Something to look at; `held` is what was opened shows of it, `null` where it is not at hand.
#[derive(Serialize)]
pub(super) struct SideEvidence {
    held: Option<Sign>,
    step: Step,
}

/// What can be done about a stage, or about what a profile shows; `finding` is one of its kinds.
#[derive(Serialize)]
pub(super) struct Advice {
    stage: Option<u32>,
    stage_attempt: Option<u32>,
    /// An index in `profiles`.
    profile: Option<usize>,
    finding: &'static str,
    fix: Fix,
}

impl Sign {
    fn of(case: &Case, sign: &diagnosis::Sign) -> Self {
        Self {
            text: Safe::line(&sign.text),
            evidence: At::all(case, sign.place.as_slice()),
        }
    }

    pub(super) fn all(case: &Case, signs: &[diagnosis::Sign]) -> Vec<Self> {
        signs.iter().map(|sign| Self::of(case, sign)).collect()
    }
}

impl Question {
    pub(super) fn of(case: &Case, question: &diagnosis::Question) -> Self {
        let suspects = question.suspects.iter().map(|suspect| Suspect {
            title: Safe::line(&suspect.title),
            family: Safe::line(&suspect.family),
            speaks_for: Sign::all(case, &suspect.speaks_for),
            against: Sign::all(case, &suspect.speaks_against),
            step: step(&suspect.step),
        });
        Self {
            asks: Safe::line(&question.asks),
            suspects: suspects.collect(),
        }
    }
}

impl SideEvidence {
    pub(super) fn of(case: &Case, evidence: &diagnosis::SideEvidence) -> Self {
        Self {
            held: evidence.held.as_ref().map(|held| Sign::of(case, held)),
            step: step(&evidence.step),
        }
    }
}

impl Advice {
    pub(super) fn of(case: &Case, advice: &diagnosis::Advice) -> Self {
        let (stage, profile) = match advice.about {
            About::Stage(at) => (case.story.stages.get(at), None),
            About::Profile(at) => (None, Some(at)),
        };
        Self {
            stage: stage.map(|stage| stage.id),
            stage_attempt: stage.map(|stage| stage.attempt),
            profile,
            finding: advice.finding.word(),
            fix: fix(case, &advice.fix),
        }
    }
}
