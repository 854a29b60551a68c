//! The [`Story`] of a run: everything that was linked together.

use super::incident::{Incident, Role};
use super::sql::Sql;
use super::stage::{Executor, Finding, Stage};
use crate::fact::{LeftOut, Profile};
use crate::text::{Moment, Place, Symbol};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// How the run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Outcome {
    /// A failure ended it.
    Failed,
    /// Errors were logged and the run went on to succeed, or nothing fatal followed them.
    Recovered,
    /// It ended well.
    Succeeded,
    /// It neither failed nor moved on.
    Stuck,
    /// Somebody or something stopped it.
    Killed,
    /// Nothing tells.
    #[default]
    Unknown,
}

impl Outcome {
    /// The word of the report.
    pub fn word(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Recovered => "recovered",
            Self::Succeeded => "succeeded",
            Self::Stuck => "stuck",
            Self::Killed => "killed",
            Self::Unknown => "unknown",
        }
    }
}

/// Which Spark, which application.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SparkInfo {
    /// Spark's version: `3.5.1`.
    pub version: Option<String>,
    /// Scala's version: `2.12`.
    pub scala: Option<String>,
    /// The application's id.
    pub app_id: Option<String>,
    /// Its name.
    pub app_name: Option<String>,
    /// The master: `yarn`, `local[4]`.
    pub master: Option<String>,
    /// Whether the driver itself ran the tasks: local mode.
    pub in_driver: bool,
}

/// A run, as far as its logs tell.
#[derive(Debug, Clone, Default)]
pub struct Story {
    /// How it ended.
    pub outcome: Outcome,
    /// What shows how it ended.
    pub outcome_evidence: Vec<Place>,
    /// Whether something shows that the run is over: a log that is still being written may go on otherwise.
    pub ended: bool,
    /// Which Spark.
    pub spark: SparkInfo,
    /// Most important first.
    pub incidents: Vec<Incident>,
    /// Stage attempts in order of id and attempt.
    pub stages: Vec<Stage>,
    /// SQL executions that failed, have no end, or took longest, by id.
    pub sql: Vec<Sql>,
    /// Profiles that were printed: those of time first, of each kind the largest.
    pub profiles: Vec<Profile>,
    /// Executors in order of id.
    pub executors: Vec<Executor>,
    /// Ids of those whose own logs were opened.
    pub executor_logs: Vec<Symbol>,
    /// Settings that were given, from the event log, submit lines or logs.
    pub settings: BTreeMap<String, String>,
    /// Where each of them was given.
    pub setting_places: BTreeMap<String, Place>,
    /// Of what there was more than is told.
    pub left_out: LeftOut,
    /// The first moment of the logs.
    pub first: Option<Moment>,
    /// The last moment of the logs.
    pub last: Option<Moment>,
}

impl Story {
    /// What is remarkable about the stages, each with its stage: an index in `stages`; most severe first.
    pub fn remarks(&self) -> Vec<(usize, &Finding)> {
        let stages = self.stages.iter().enumerate();
        let mut remarks: Vec<(usize, &Finding)> = stages
            .flat_map(|(i, stage)| stage.findings.iter().map(move |finding| (i, finding)))
            .collect();
        remarks.sort_by_key(|(_, finding)| Reverse(finding.severity));
        remarks
    }

    /// The fatal incident whose task an earlier attempt of failed for this reason: the run did go on after it, and failed
    /// all the same.
    pub fn later_failure(&self, incident: &Incident) -> Option<usize> {
        let task = incident.task.filter(|_| incident.role == Role::Recovered)?;
        self.incidents
            .iter()
            .position(|other| other.role == Role::Fatal && other.task == Some(task))
    }

    /// What an incident was to the run, in a word: that of its role, but for an earlier attempt of the task that failed.
    pub fn word_of(&self, incident: &Incident) -> &'static str {
        match self.later_failure(incident) {
            Some(_) => "attempt",
            None => incident.role.word(),
        }
    }
}
