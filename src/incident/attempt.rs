//! Tasks and their attempts.

use crate::fact::TaskId;
use crate::text::{Moment, Place, Symbol};

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttemptOutcome {
    /// It finished.
    Succeeded,
    /// It threw.
    Failed,
    /// Its executor went away.
    Lost,
    /// It was killed: another attempt succeeded, or its stage was cancelled.
    Killed,
    /// It started; nothing tells how it ended.
    Unknown,
}

impl AttemptOutcome {
    /// The word of the report.
    pub fn word(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Lost => "lost",
            Self::Killed => "killed",
            Self::Unknown => "unknown",
        }
    }
}

/// One attempt of a task.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// Which task.
    pub task: TaskId,
    /// From 0: the `3` of `task 37.3`.
    pub number: u32,
    /// Task id, unique in the application.
    pub tid: Option<u64>,
    /// The executor's id, `driver` in local mode.
    pub executor: Option<Symbol>,
    /// Its host.
    pub host: Option<Symbol>,
    /// How it ended.
    pub outcome: AttemptOutcome,
    /// The class of its own root cause; empty where unknown.
    pub class: Symbol,
    /// The message of its own root cause; first line.
    pub message: Box<str>,
    /// Where its failure is printed; `None` where only "failed 4 times" or an event log tells of it.
    pub place: Option<Place>,
    /// Where the log of the executor that ran it tells of its end, where that was opened, too.
    pub own_log: Option<Place>,
    /// Whether its root cause is that of the incident; `None` where unknown.
    pub same_cause: Option<bool>,
    /// When it was launched.
    pub launched: Option<Moment>,
    /// When it ended.
    pub ended: Option<Moment>,
    /// Peak execution memory in bytes, from an event log.
    pub peak_memory: Option<u64>,
    /// Started beside another attempt that was slow.
    pub speculative: bool,
}

impl Attempt {
    /// `37.3`: the task and which of its attempts, as Spark numbers them.
    pub fn number(&self) -> String {
        format!("{}.{}", self.task.partition, self.number)
    }

    /// `task 37.3 in stage 12.0, TID 17, executor 3`: Spark's name of it, and where it ran, as far as that is known.
    pub fn name(&self) -> String {
        let (stage, again) = (self.task.stage, self.task.stage_attempt);
        let mut name = format!("task {} in stage {stage}.{again}", self.number());
        for told in [self.tid_told(), self.executor_told()]
            .into_iter()
            .flatten()
        {
            name = format!("{name}, {told}");
        }
        name
    }

    /// `TID 17`.
    pub fn tid_told(&self) -> Option<String> {
        Some(format!("TID {}", self.tid?))
    }

    /// `executor 3`; in local mode the driver runs the tasks.
    pub fn executor_told(&self) -> Option<String> {
        Some(match &**self.executor.as_ref()? {
            "driver" => "driver".to_owned(),
            executor => format!("executor {executor}"),
        })
    }

    /// How long it ran, in milliseconds.
    pub fn duration_ms(&self) -> Option<u64> {
        let (launched, ended) = (self.launched?, self.ended?);
        u64::try_from(ended.since(launched) / 1_000).ok()
    }
}

/// What the attempts of a task say together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The same cause every time: the data or the code.
    Deterministic,
    /// Different causes, or some attempts succeeded.
    Flaky,
    /// Executors or nodes went away.
    Infrastructure,
}

impl Verdict {
    /// The word of the report.
    pub fn word(self) -> &'static str {
        match self {
            Self::Deterministic => "deterministic",
            Self::Flaky => "flaky",
            Self::Infrastructure => "infrastructure",
        }
    }
}
