//! In: a case. Out: its [`Outline`].

use super::aside::{self, ExecutorTold, Other, StageTold};
use super::beside;
use super::profiles::{ProfileTold, profiles};
use super::query::{self, Query};
use super::told::{FixTold, Told};
use crate::incident::{Outcome, Stage, StageStatus};
use crate::load::Case;
use crate::report::safe::Safe;
use crate::report::spot::Spot;

/// Characters of a line that shows how a run ended.
const LONGEST_LINE: usize = 200;

/// Everything a report tells, most important first.
#[derive(Debug)]
pub(in crate::report) struct Outline {
    /// How the run ended.
    pub(in crate::report) outcome: Outcome,
    /// What that means where no incident explains it; one sentence.
    pub(in crate::report) verdict: &'static str,
    /// The line that shows it, where the run did not fail.
    pub(in crate::report) shown_by: Option<(Spot, Safe)>,
    /// Which run: application, name, Spark, master; what is known of them.
    pub(in crate::report) run: Vec<Safe>,
    /// The incident the report is about.
    pub(in crate::report) told: Option<Told>,
    /// Stage attempts worth a line.
    pub(in crate::report) stages: Vec<StageTold>,
    /// Executors that were lost.
    pub(in crate::report) executors: Vec<ExecutorTold>,
    /// The SQL execution of the incident.
    pub(in crate::report) query: Option<Query>,
    /// What was measured of Python code.
    pub(in crate::report) profiles: Vec<ProfileTold>,
    /// Advice for stages and profiles, each with what it is about.
    pub(in crate::report) advice: Vec<(String, FixTold)>,
    /// What was not known.
    pub(in crate::report) not_known: Vec<Safe>,
    /// The other incidents.
    pub(in crate::report) others: Vec<Other>,
    /// Settings that are something else than Spark's own.
    pub(in crate::report) settings: Vec<Safe>,
    /// What was read: one entry an input.
    pub(in crate::report) inputs: Vec<Safe>,
    /// What was not read, and why.
    pub(in crate::report) unread: Vec<Safe>,
}

impl Outline {
    /// Of a case, about the incident with this index; `all` adds the stages that have nothing remarkable.
    pub(in crate::report) fn of(case: &Case, about: usize, all: bool) -> Self {
        let story = &case.story;
        Self {
            outcome: story.outcome,
            verdict: verdict(case),
            shown_by: shown_by(case),
            run: run(case),
            told: story
                .incidents
                .get(about)
                .map(|incident| Told::of(case, about, incident)),
            stages: aside::stages(case, about, all),
            executors: aside::executors(case),
            query: query::query(case, about, all),
            profiles: profiles(case),
            advice: beside::advice(case, about),
            not_known: beside::not_known(case, story.incidents.get(about)),
            others: aside::others(case, about),
            settings: aside::settings(case, all),
            inputs: aside::inputs(case),
            unread: aside::unread(case),
        }
    }
}

fn verdict(case: &Case) -> &'static str {
    let story = &case.story;
    let went_well =
        |stage: &Stage| matches!(stage.status, StageStatus::Succeeded | StageStatus::Skipped);
    match story.outcome {
        Outcome::Unknown if !story.stages.is_empty() && story.stages.iter().all(went_well) => {
            "Every stage succeeded. Whether the program itself ended well is told by its own output only: open the driver's \
             log, too."
        }
        Outcome::Succeeded if case.has_only_events() => {
            "Every job succeeded and the application ended. Whether the program itself ended well is told by its own output only."
        }
        Outcome::Failed => "A failure ended the run.",
        Outcome::Recovered => {
            "Errors were logged and the run went on: nothing fatal followed them."
        }
        Outcome::Succeeded => "The run ended well.",
        Outcome::Stuck => "The run neither failed nor moved on.",
        Outcome::Killed => "The run was stopped from outside.",
        Outcome::Unknown => "What was opened does not tell how the run ended.",
    }
}

/// A failure is shown by its own lines.
fn shown_by(case: &Case) -> Option<(Spot, Safe)> {
    let story = &case.story;
    let place = story.outcome_evidence.first();
    let place = place.filter(|_| !matches!(story.outcome, Outcome::Failed | Outcome::Unknown))?;
    let line = Safe::short(case.text(place).trim(), LONGEST_LINE);
    Some((Spot::of(case, place)?, line))
}

fn run(case: &Case) -> Vec<Safe> {
    let spark = &case.story.spark;
    let version = spark.version.as_ref().map(|v| match &spark.scala {
        Some(scala) => format!("Spark {v} (Scala {scala})"),
        None => format!("Spark {v}"),
    });
    [
        spark.app_id.clone(),
        spark.app_name.clone(),
        version,
        spark.master.as_ref().map(|m| format!("master {m}")),
    ]
    .into_iter()
    .flatten()
    .map(|text| Safe::short(&text, 120))
    .collect()
}
