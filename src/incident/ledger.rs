//! [`Ledger`]: what the log tells of the run itself: versions, stages, jobs, executors, how it ended.

use super::stage::{Executor, Stage, StageStatus};
use super::story::SparkInfo;
use crate::fact::{ExecutorLine, JobLine, JobWhat, LeftOut, RunLine, StageLine, StageWhat};
use crate::text::{Moment, Place, Symbol, beginning};
use std::collections::{BTreeMap, HashMap};

/// Stage attempts that are kept from log lines.
const STAGES_CAP: usize = 50_000;
/// Executors that are kept.
const EXECUTORS_CAP: usize = 20_000;
/// Settings that are kept.
const SETTINGS_CAP: usize = 10_000;
/// Bytes of a name or a reason.
const TEXT_CAP: usize = 1 << 10;

/// How the run ended, as something around it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    /// Whether it went well; `None` where it was killed.
    pub(super) succeeded: Option<bool>,
    pub(super) order: u64,
    pub(super) place: Place,
}

/// What is known of the run.
#[derive(Debug, Default, Clone)]
pub(super) struct Ledger {
    pub(super) spark: SparkInfo,
    pub(super) stages: BTreeMap<(u32, u32), Stage>,
    /// Those that began since the last time no job was left.
    at_work: Vec<(u32, u32)>,
    pub(super) executors: BTreeMap<Symbol, Executor>,
    /// When the loss of each was told, in the order of reading.
    pub(super) lost: HashMap<Symbol, u64>,
    pub(super) first: Option<Moment>,
    pub(super) last: Option<Moment>,
    pub(super) end: Option<End>,
    /// The reason in the cluster manager's last word.
    pub(super) end_reason: String,
    pub(super) signal: Option<(String, u64, Place)>,
    pub(super) jobs_started: u32,
    pub(super) jobs_finished: u32,
    /// What the submit command set, and where.
    pub(super) settings: BTreeMap<String, (String, Place)>,
    /// Of what there was more than is kept.
    pub(super) left_out: LeftOut,
    /// The order of the last job that failed.
    pub(super) job_failed: Option<u64>,
}

impl Ledger {
    /// The moment of a record.
    pub(super) fn clock(&mut self, time: Option<Moment>) {
        if let Some(time) = time {
            self.first = Some(self.first.map_or(time, |first| first.min(time)));
            self.last = Some(self.last.map_or(time, |last| last.max(time)));
        }
    }

    /// A line about a stage. Returns whether it shows that work went on.
    pub(super) fn stage(&mut self, line: &StageLine, place: Place, time: Option<Moment>) -> bool {
        let latest = self
            .stages
            .range((line.id, 0)..=(line.id, u32::MAX))
            .next_back()
            .map_or(0, |(key, _)| key.1);
        let key = (line.id, line.attempt.unwrap_or(latest));
        if self.stages.len() >= STAGES_CAP && !self.stages.contains_key(&key) {
            self.left_out.note("stage attempts", STAGES_CAP);
            return true;
        }
        let at_work = &mut self.at_work;
        let stage = self.stages.entry(key).or_insert_with(|| {
            at_work.push(key);
            Stage::running(key.0, key.1)
        });
        if stage.name.is_empty() && !line.name.is_empty() {
            stage.name = beginning(&line.name, TEXT_CAP).into();
        }
        stage.place = Some(place);
        match &line.what {
            StageWhat::Submitted(tasks) => {
                stage.tasks.total = tasks.or(stage.tasks.total);
                stage.submitted = stage.submitted.or(time);
                true
            }
            StageWhat::Finished(ms) => {
                stage.status = StageStatus::Succeeded;
                stage.duration_ms = *ms;
                true
            }
            StageWhat::Failed(ms, reason) => {
                stage.status = StageStatus::Failed;
                stage.duration_ms = *ms;
                stage.failure = Some(beginning(reason, TEXT_CAP).into());
                false
            }
            StageWhat::Resubmitted => true,
        }
    }

    /// A line about a job. Returns whether it shows that work went on.
    pub(super) fn job(&mut self, line: &JobLine, order: u64) -> bool {
        match line.what {
            JobWhat::Started => self.jobs_started += 1,
            JobWhat::Finished => self.jobs_finished += 1,
            JobWhat::Failed => self.job_failed = Some(order),
        }
        // No job is left, so no stage is at work, though the line of its end may be missing from what was opened.
        if line.what == JobWhat::Finished && self.jobs_finished >= self.jobs_started {
            for key in self.at_work.drain(..) {
                let stage = self.stages.get_mut(&key);
                if let Some(stage) = stage.filter(|stage| stage.status == StageStatus::Running) {
                    stage.status = StageStatus::Succeeded;
                }
            }
        }
        line.what != JobWhat::Failed
    }

    /// An executor's end; the first reason that carries a code stays.
    pub(super) fn executor_lost(
        &mut self,
        line: &ExecutorLine,
        order: u64,
        place: Place,
        time: Option<Moment>,
    ) {
        if self.executors.len() >= EXECUTORS_CAP && !self.executors.contains_key(&line.id) {
            self.left_out.note("executors", EXECUTORS_CAP);
            return;
        }
        let executor = self
            .executors
            .entry(line.id.clone())
            .or_insert_with(|| Executor {
                id: line.id.clone(),
                host: None,
                added: None,
                removed: None,
                reason: None,
                exit_code: None,
                place: None,
            });
        executor.host = executor.host.take().or_else(|| line.host.clone());
        executor.removed = executor.removed.or(time);
        if executor.reason.is_none() || executor.exit_code.is_none() && line.exit_code.is_some() {
            executor.reason = Some(beginning(&line.reason, TEXT_CAP).into());
            executor.exit_code = line.exit_code;
            executor.place = Some(place);
            self.lost.insert(line.id.clone(), order);
        }
    }

    /// Something around the run says that it failed.
    pub(super) fn failed(&mut self, order: u64, place: Place) {
        self.end = Some(End {
            succeeded: Some(false),
            order,
            place,
        });
    }

    /// A line about the run.
    pub(super) fn run(&mut self, line: &RunLine, order: u64, place: Place) {
        let keep = |slot: &mut Option<String>, value: &str| {
            slot.get_or_insert_with(|| value.to_owned());
        };
        match line {
            RunLine::Version(v) => keep(&mut self.spark.version, v),
            RunLine::Scala(v) => keep(&mut self.spark.scala, v),
            RunLine::AppId(v) => keep(&mut self.spark.app_id, v),
            RunLine::AppName(v) => keep(&mut self.spark.app_name, v),
            RunLine::Master(v) => keep(&mut self.spark.master, v),
            RunLine::InDriver => self.spark.in_driver = true,
            RunLine::Stopping | RunLine::Running => {}
            RunLine::Setting(..) if self.settings.len() >= SETTINGS_CAP => {
                self.left_out.note("settings", SETTINGS_CAP);
            }
            RunLine::Setting(key, value) => {
                self.settings
                    .entry(key.clone())
                    .or_insert_with(|| (value.clone(), place));
            }
            RunLine::Signal(name) => {
                self.signal = self
                    .signal
                    .take()
                    .or_else(|| Some((name.clone(), order, place)));
            }
            RunLine::Ended { succeeded, reason } => {
                self.end = Some(End {
                    succeeded: *succeeded,
                    order,
                    place,
                });
                if !reason.is_empty() {
                    self.end_reason.clone_from(reason);
                }
            }
            RunLine::Exit(code) => {
                let settled = self.end.is_some_and(|end| end.succeeded == Some(false));
                if !settled {
                    self.end = Some(End {
                        succeeded: Some(*code == 0),
                        order,
                        place,
                    });
                }
            }
        }
    }
}
