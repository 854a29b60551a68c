//! Incidents: facts linked to one another: chains, attempts, stages, executors; what is root and what is effect.
//!
//! In: facts in the order of the logs. Out: a [`Story`].

mod attempt;
mod cause;
mod fold;

mod incident;
mod stage;
mod story;

pub use crate::fact::{LineKind, MESSAGE_CAP, Relation, TRACE_CAP, TaskId, TraceLine};
pub use attempt::{Attempt, AttemptOutcome, Verdict};
pub use cause::{Cause, Side};
pub use fold::{Fold, Row, fold};
pub use incident::{Evidence, Incident, OCCURRENCES_CAP, Phase, Role};
pub use stage::{
    Executor, Finding, FindingKind, Spread, Stage, StageFigures, StageStatus, TaskCounts,
};
pub use story::{Outcome, SparkInfo, Story};
