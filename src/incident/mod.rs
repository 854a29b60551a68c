//! Incidents: facts linked to one another: chains, attempts, stages, executors; what is root and what is effect.
//!
//! In: facts in the order of the logs. Out: a [`Story`].

mod attempt;
mod cause;
mod fold;

mod incident;
mod stage;
mod story;

pub use attempt::{Attempt, AttemptOutcome, TaskId, Verdict};
pub use cause::{Cause, LineKind, MESSAGE_CAP, Relation, Side, TraceLine};
pub use fold::{Fold, Row, fold};
pub use incident::{Evidence, Incident, OCCURRENCES_CAP, Phase, Role, TRACE_CAP};
pub use stage::{
    Executor, Finding, FindingKind, Spread, Stage, StageFigures, StageStatus, TaskCounts,
};
pub use story::{Outcome, SparkInfo, Story};
