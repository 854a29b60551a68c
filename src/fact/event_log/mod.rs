//! Event logs: what the application's own record of events tells.
//!
//! In: the decoded parts of an event log. Out: an [`EventLog`]: stages with the figures of their tasks, jobs,
//! executors, attempts that did not finish, settings, SQL executions, and how the application ended.

mod column;
mod event;
mod event_log;
mod facts;
mod lines;
mod measure;
mod parts;
mod plan;
mod reading;
mod said;
mod skim;
mod slim;
mod sql;
mod tasks;

pub use column::Column;
pub use event_log::{
    AppEnd, ENDINGS_CAP, Ending, EventLog, ExecutorRun, Job, LastFailure, PLAN_CAP, PartRead,
    SqlExecution, StageRun, TEXT_CAP, TaskEnding,
};
pub use facts::{Failures, failures};
pub use measure::Measure;
pub use parts::{EventLogParts, event_logs};
pub use plan::{OPERATORS_CAP, Operator, operators};
pub use reading::{Reading, read};
pub use said::{logical_text, logical_texts};
pub use skim::Skim;
pub use tasks::StageTasks;
