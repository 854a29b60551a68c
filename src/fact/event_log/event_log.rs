//! [`EventLog`]: what the event log of one application tells, in Spark's own terms.

use super::measure::Measure;
use super::tasks::StageTasks;
use crate::fact::LeftOut;
use crate::text::{Moment, Place, SourceId, Symbol};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Most bytes of one text (a stack trace, a failure reason) that are kept.
pub const TEXT_CAP: usize = 64 << 10;

/// Most bytes of a plan that are kept: the tree comes first, what its operators work on after it.
pub const PLAN_CAP: usize = 128 << 10;

/// What the event log of one application tells.
#[derive(Debug, Clone, Default)]
pub struct EventLog {
    /// Spark's version: `3.5.1`.
    pub spark: Option<String>,
    /// Scala's version: `2.12.18`.
    pub scala: Option<String>,
    /// Java's version.
    pub java: Option<String>,
    /// The application's id.
    pub app_id: Option<String>,
    /// Its name.
    pub app_name: Option<String>,
    /// When it began.
    pub started: Option<Moment>,
    /// Its end; `None` where the log stops before.
    pub end: Option<AppEnd>,
    /// Spark properties that were set; what is missing has its default.
    pub settings: BTreeMap<String, String>,
    /// Settings of Spark SQL that the session was given later, each with the execution that last told of it (3.3 and later).
    pub changed: BTreeMap<String, (String, Place)>,
    /// Where those of the start are told.
    pub environment: Option<Place>,
    /// Stage attempts by id and attempt.
    pub stages: BTreeMap<(u32, u32), StageRun>,
    /// Jobs by id.
    pub jobs: BTreeMap<u32, Job>,
    /// Executors in the order in which they came.
    pub executors: Vec<ExecutorRun>,
    /// Attempts that did not finish, in the order of their ends; at most [`ENDINGS_CAP`].
    pub endings: Vec<TaskEnding>,
    /// Attempts that started and of whose end nothing tells.
    pub never_ended: Vec<TaskEnding>,
    /// SQL executions by id.
    pub sql: BTreeMap<u64, SqlExecution>,
    /// What the counters of SQL executions came to, by their ids; only those that a [`Measure`] names.
    pub counters: BTreeMap<u64, u64>,
    /// Streaming queries that ended with an exception, and the lines that tell it.
    pub broken_queries: Vec<(Arc<str>, Place)>,
    /// Of what there was more than is kept.
    pub left_out: LeftOut,
    /// The first moment that an event names.
    pub first: Option<Moment>,
    /// The last moment that an event names.
    pub last: Option<Moment>,
    /// For each part that was read: its lines, and its bytes that were not understood.
    pub parts: Vec<PartRead>,
    /// Whether the History Server dropped the events of finished jobs: counts are then not complete.
    pub compacted: bool,
}

/// What failed last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastFailure {
    /// A job of that id.
    Job(u32),
    /// A SQL execution of that id.
    Sql(u64),
}

impl EventLog {
    /// The last job or SQL execution, where it failed: nothing that succeeded came after it.
    pub fn last_failure(&self) -> Option<LastFailure> {
        let jobs = self.jobs.iter().filter_map(|(id, job)| {
            let failed = (job.succeeded == Some(false)).then_some(LastFailure::Job(*id));
            Some((job.completed?, job.place?, failed))
        });
        let sql = self.sql.iter().filter_map(|(id, sql)| {
            let failed = (!sql.succeeded?).then_some(LastFailure::Sql(*id));
            Some((sql.ended?, sql.place?, failed))
        });
        let last_failed = jobs
            .chain(sql)
            .max_by_key(|(time, place, _)| (*time, *place));
        last_failed?.2
    }

    /// The line that tells of a failure's end.
    pub fn place_of(&self, failure: LastFailure) -> Option<Place> {
        match failure {
            LastFailure::Job(id) => self.jobs.get(&id)?.place,
            LastFailure::Sql(id) => self.sql.get(&id)?.place,
        }
    }
}

/// Most attempts that did not finish that are kept one by one; all are counted.
pub const ENDINGS_CAP: usize = 100_000;

/// What was read of one part of a log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PartRead {
    /// The part.
    pub source: SourceId,
    /// Its lines.
    pub lines: u64,
    /// Bytes of lines that hold no event.
    pub unread: u64,
}

/// The end of the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AppEnd {
    /// When.
    pub time: Option<Moment>,
    /// The exit code, from Spark 4.0 on.
    pub exit_code: Option<i32>,
    /// The line that tells it.
    pub place: Place,
}

/// A stage attempt.
#[derive(Debug, Clone, Default)]
pub struct StageRun {
    /// Its name.
    pub name: Box<str>,
    /// How many tasks it has.
    pub total: Option<u64>,
    /// When it was submitted; `None` where it never was.
    pub submitted: Option<Moment>,
    /// When it ended.
    pub completed: Option<Moment>,
    /// Why it failed; `None` where it did not.
    pub failure: Option<Arc<str>>,
    /// The line that tells of it last.
    pub place: Option<Place>,
    /// Jobs it was listed for.
    pub jobs: Vec<u32>,
    /// Names of the operators that made its data, as far as they are told: `WholeStageCodegen (1)`, `ArrowEvalPython`.
    pub operators: Vec<Symbol>,
    /// Attempts that were asked for because others were slow.
    pub speculated: u64,
    /// Its tasks.
    pub tasks: StageTasks,
}

/// A job.
#[derive(Debug, Clone, Default)]
pub struct Job {
    /// Its description, or where the user's code started it.
    pub name: Box<str>,
    /// When it was submitted.
    pub submitted: Option<Moment>,
    /// When it ended.
    pub completed: Option<Moment>,
    /// How it ended; `None` where nothing tells.
    pub succeeded: Option<bool>,
    /// What its failure says; empty where it did not fail.
    pub failure: Option<Arc<str>>,
    /// The line that tells of its end, or else of its start.
    pub place: Option<Place>,
    /// The SQL execution it belongs to.
    pub sql: Option<u64>,
    /// Whether a streaming query started it.
    pub streaming: bool,
    /// Ids of its stages.
    pub stages: Vec<u32>,
}

impl Job {
    /// Whether it makes the data of a broadcast, for which the rest of its execution waits.
    pub fn is_broadcast(&self) -> bool {
        self.name.starts_with("broadcast exchange (runId ")
    }

    /// Whether it failed because it was cancelled: something else stopped it.
    pub fn was_cancelled(&self) -> bool {
        self.failure.as_deref().is_some_and(says_cancelled)
    }

    /// Whether it was cancelled because the whole application was stopped.
    pub fn was_stopped(&self) -> bool {
        self.failure
            .as_deref()
            .is_some_and(|text| text.contains("SparkContext was shut down"))
    }
}

/// Whether a failure only says that a job was cancelled.
pub(super) fn says_cancelled(text: &str) -> bool {
    let first = text.lines().next().unwrap_or("");
    first.contains("Job ") && first.contains(" cancelled")
}

/// An executor.
#[derive(Debug, Clone)]
pub struct ExecutorRun {
    /// Its id.
    pub id: Symbol,
    /// Its host.
    pub host: Option<Symbol>,
    /// Its cores.
    pub cores: Option<u32>,
    /// When it was added.
    pub added: Option<Moment>,
    /// When it was removed.
    pub removed: Option<Moment>,
    /// Why.
    pub reason: Option<Arc<str>>,
    /// The exit code that the reason names.
    pub exit_code: Option<i32>,
    /// The line that tells of its removal, or else of its coming.
    pub place: Place,
}

/// A SQL execution.
#[derive(Debug, Clone, Default)]
pub struct SqlExecution {
    /// What started it.
    pub description: Box<str>,
    /// Its last plan, as text; at most [`PLAN_CAP`] bytes, and kept only where it may be asked for: of executions that
    /// failed or have no end, and of those that took longest.
    pub plan: Option<Arc<str>>,
    /// When it started.
    pub started: Option<Moment>,
    /// When it ended.
    pub ended: Option<Moment>,
    /// Whether it succeeded; `None` where nothing tells, as before Spark 3.4.
    pub succeeded: Option<bool>,
    /// What its failure says.
    pub error: Option<Arc<str>>,
    /// What its plan counts.
    pub measures: Vec<Measure>,
    /// The line that tells of its end, or else of its start.
    pub place: Option<Place>,
}

/// How an attempt ended, or that it did not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// It threw.
    Threw {
        /// The class of the outermost throwable.
        class: Symbol,
    },
    /// It could not fetch shuffle data.
    FetchFailed {
        /// The executor that had written the data, where it is known.
        from: Option<Symbol>,
    },
    /// Its executor went away.
    ExecutorLost {
        /// Whether one of its tasks may have brought it down.
        caused_by_app: bool,
    },
    /// It was killed: another attempt succeeded, or its stage was cancelled.
    Killed,
    /// It had finished, and its output was lost with its executor.
    Resubmitted,
    /// Any other reason.
    Other,
    /// Nothing tells of its end.
    Never,
}

/// The end of an attempt that did not finish.
#[derive(Debug, Clone)]
pub struct TaskEnding {
    /// Stage id.
    pub stage: u32,
    /// Attempt of the stage.
    pub stage_attempt: u32,
    /// Index in the task set.
    pub index: u32,
    /// Attempt of the task, from 0.
    pub attempt: u32,
    /// TID.
    pub tid: u64,
    /// Where it ran.
    pub executor: Symbol,
    /// On which host.
    pub host: Symbol,
    /// When it was launched.
    pub launched: Option<Moment>,
    /// When it ended.
    pub ended: Option<Moment>,
    /// Started beside a slow one.
    pub speculative: bool,
    /// Peak execution memory in bytes.
    pub peak_memory: Option<u64>,
    /// How it ended.
    pub ending: Ending,
    /// What its end says: a stack trace, a reason; at most [`TEXT_CAP`] bytes, shared by attempts that say the same.
    pub text: Arc<str>,
    /// The line that tells of its end, or else of its start.
    pub place: Place,
}
