//! Stage attempts, their figures and what is remarkable about them.

use crate::text::{Moment, Place, Symbol};

/// How a stage attempt stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StageStatus {
    /// Its last task finished.
    Succeeded,
    /// It has a failure reason.
    Failed,
    /// It started and nothing tells of its end.
    Running,
    /// Its results existed already.
    Skipped,
    /// Nothing tells.
    Unknown,
}

impl StageStatus {
    /// The word of the report.
    pub fn word(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Running => "running",
            Self::Skipped => "skipped",
            Self::Unknown => "unknown",
        }
    }
}

/// How many tasks, of which kind; `None` where the log does not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TaskCounts {
    /// Tasks of the stage attempt.
    pub total: Option<u64>,
    /// Attempts that finished.
    pub succeeded: Option<u64>,
    /// Attempts that failed or were lost.
    pub failed: Option<u64>,
    /// Attempts that were killed.
    pub killed: Option<u64>,
}

/// The spread of one figure over the tasks of a stage attempt that carry it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spread {
    /// Smallest.
    pub min: f64,
    /// Middle; the mean of the middle two where `n` is even.
    pub median: f64,
    /// Three quarters are below.
    pub p75: f64,
    /// 95 of 100 are below.
    pub p95: f64,
    /// Largest.
    pub max: f64,
    /// All together.
    pub sum: f64,
    /// How many tasks carry it.
    pub n: u64,
}

/// One stage attempt.
#[derive(Debug, Clone)]
pub struct Stage {
    /// Stage id.
    pub id: u32,
    /// Attempt, from 0.
    pub attempt: u32,
    /// Its name: `parquet at NativeMethodAccessorImpl.java:0`.
    pub name: Box<str>,
    /// How it stands.
    pub status: StageStatus,
    /// Its tasks.
    pub tasks: TaskCounts,
    /// When it was submitted.
    pub submitted: Option<Moment>,
    /// From submission to completion, in milliseconds.
    pub duration_ms: Option<u64>,
    /// Why it failed; first line.
    pub failure: Option<Box<str>>,
    /// Where the log tells of it last.
    pub place: Option<Place>,
    /// Figures over its tasks; `None` without an event log.
    pub figures: Option<Box<StageFigures>>,
    /// What is remarkable.
    pub findings: Vec<Finding>,
    /// Ids of the jobs it belongs to.
    pub jobs: Vec<u32>,
    /// The SQL execution it belongs to.
    pub sql: Option<u64>,
}

impl Stage {
    /// One that runs, and of which nothing else is known yet.
    pub(super) fn running(id: u32, attempt: u32) -> Self {
        Self {
            id,
            attempt,
            name: "".into(),
            status: StageStatus::Running,
            tasks: TaskCounts::default(),
            submitted: None,
            duration_ms: None,
            failure: None,
            place: None,
            figures: None,
            findings: Vec::new(),
            jobs: Vec::new(),
            sql: None,
        }
    }

    /// `stage 12.0`, as Spark's log names it.
    pub fn title(&self) -> String {
        format!("stage {}.{}", self.id, self.attempt)
    }
}

impl Stage {
    /// Whether there is something to look into: it failed, it has no end, or something about it is remarkable.
    pub fn stands_out(&self) -> bool {
        matches!(self.status, StageStatus::Failed | StageStatus::Running)
            || !self.findings.is_empty()
    }
}

/// Figures of a stage attempt from its `TaskEnd` events.
#[derive(Debug, Clone, Default)]
pub struct StageFigures {
    /// Finish minus launch of each task, milliseconds.
    pub task_ms: Spread,
    /// Bytes read from shuffles.
    pub shuffle_read_bytes: Spread,
    /// Bytes written to shuffles.
    pub shuffle_write_bytes: Spread,
    /// Bytes spilled to disk.
    pub spill_disk_bytes: Spread,
    /// Bytes spilled, as they were in memory.
    pub spill_memory_bytes: Spread,
    /// Milliseconds of garbage collection.
    pub gc_ms: Spread,
    /// Of the time that the tasks ran, how much that is; `None` where they did not run.
    pub gc_share: Option<f64>,
    /// Bytes read from storage.
    pub input_bytes: Spread,
    /// How many tasks fell into each of equal parts of the range of `task_ms`; for drawing.
    pub histogram: Vec<u32>,
}

/// Which kind of remark: of a stage, and of a profile the last three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FindingKind {
    /// A task has far more data than the rest.
    Skew,
    /// Data went to disk for want of memory.
    Spill,
    /// Much of the time went to garbage collection.
    Gc,
    /// The stage ran again after a fetch failure.
    StageRetry,
    /// Attempts were started beside slow ones.
    Speculation,
    /// Some tasks were far slower than the rest without more data.
    Stragglers,
    /// One host is slower than the others.
    SlowHost,
    /// Very many tiny tasks.
    TinyTasks,
    /// A task handled a huge partition.
    HugePartition,
    /// A task started and never ended.
    NeverEnded,
    /// Far more rows out than in.
    RowExplosion,
    /// It has no end, and joins every row with every row.
    Cartesian,
    /// Many of its attempts failed, and it went on.
    Failures,
    /// It waits, and no executor was there.
    NothingGranted,
    /// Others wait for its data, and an executor that made it was lost.
    BroadcastWait,
    /// What it sends to every executor is large.
    BroadcastSize,
    /// It reads or writes very many small files.
    SmallFiles,
    /// It sorts both sides of a join of which one is small enough to be sent to every executor.
    SmallSide,
    /// Most of a profile's time went to one function of the user's.
    HotFunction,
    /// Most of it went to waiting for somebody else.
    Waiting,
    /// Most of the memory of a profile was added by one line.
    HotLine,
}

impl FindingKind {
    /// The words of all.
    pub const WORDS: [&str; 21] = [
        "skew",
        "spill",
        "gc",
        "stage_retry",
        "speculation",
        "stragglers",
        "slow_host",
        "tiny_tasks",
        "huge_partition",
        "never_ended",
        "row_explosion",
        "cartesian",
        "failures",
        "nothing_granted",
        "broadcast_wait",
        "broadcast_size",
        "small_files",
        "small_side",
        "hot_function",
        "waiting",
        "hot_line",
    ];

    /// The word of the report.
    pub fn word(self) -> &'static str {
        match self {
            Self::Skew => "skew",
            Self::Spill => "spill",
            Self::Gc => "gc",
            Self::StageRetry => "stage_retry",
            Self::Speculation => "speculation",
            Self::Stragglers => "stragglers",
            Self::SlowHost => "slow_host",
            Self::TinyTasks => "tiny_tasks",
            Self::HugePartition => "huge_partition",
            Self::NeverEnded => "never_ended",
            Self::RowExplosion => "row_explosion",
            Self::Cartesian => "cartesian",
            Self::Failures => "failures",
            Self::NothingGranted => "nothing_granted",
            Self::BroadcastWait => "broadcast_wait",
            Self::BroadcastSize => "broadcast_size",
            Self::SmallFiles => "small_files",
            Self::SmallSide => "small_side",
            Self::HotFunction => "hot_function",
            Self::Waiting => "waiting",
            Self::HotLine => "hot_line",
        }
    }
}

/// How far past its limit a remark is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Severity {
    /// Past the limit.
    #[default]
    Notable,
    /// Far past it.
    Severe,
    /// It is what the stage does most of all.
    Critical,
}

impl Severity {
    /// The word of the report.
    pub fn word(self) -> &'static str {
        match self {
            Self::Notable => "notable",
            Self::Severe => "severe",
            Self::Critical => "critical",
        }
    }

    /// Of a figure, by the limits from which on it is severe and critical.
    pub(super) fn of(figure: f64, severe: f64, critical: f64) -> Self {
        if figure >= critical {
            Self::Critical
        } else if figure >= severe {
            Self::Severe
        } else {
            Self::Notable
        }
    }
}

/// A remark about a stage attempt, with the figure that shows it.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Which kind.
    pub kind: FindingKind,
    /// How far past its limit it is.
    pub severity: Severity,
    /// One sentence with its figures: `task 142 read 4.1 GB, 45 × the median`.
    pub text: String,
    /// How far from ordinary, where a ratio says it.
    pub ratio: Option<f64>,
    /// The task it is about.
    pub task: Option<u32>,
    /// The lines that show it.
    pub evidence: Vec<Place>,
}

/// An executor of the run.
#[derive(Debug, Clone)]
pub struct Executor {
    /// Its id: `3`, `driver`.
    pub id: Symbol,
    /// Its host.
    pub host: Option<Symbol>,
    /// When it was added.
    pub added: Option<Moment>,
    /// When it was removed or lost.
    pub removed: Option<Moment>,
    /// Why, as printed.
    pub reason: Option<Box<str>>,
    /// Its process's or container's exit code or status.
    pub exit_code: Option<i32>,
    /// Where the log tells of its loss.
    pub place: Option<Place>,
}

impl Executor {
    /// Whether it went away, and not because it was idle or the run was over.
    pub fn was_lost(&self) -> bool {
        let reason = self.reason.as_deref().unwrap_or("");
        self.removed.is_some() && lost_for(reason, self.exit_code)
    }
}

/// Whether that reason tells of a loss.
pub(super) fn lost_for(reason: &str, exit_code: Option<i32>) -> bool {
    let reason = reason.to_lowercase();
    let let_go = [
        "killed by driver",
        "idle",
        "decommission",
        "shutdown",
        "shut down",
    ];
    exit_code != Some(0) && !let_go.iter().any(|words| reason.contains(words))
}
