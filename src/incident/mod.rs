//! Incidents: facts linked to one another: chains, attempts, stages, executors; what is root and what is effect.
//!
//! In: facts in the order of the logs. Out: a [`Story`].
//!
//! ```text
//! story ─ incident ─ cause, attempt        what is told
//!       └ stage ─ spread
//! builder                                  takes in fact after fact
//!  ├ failure ─ fingerprint, wrapper        the same failure once; its root
//!  ├ attempts                              tries of tasks
//!  ├ streams                               whose record it is, where a shipper mixed several
//!  ├ remnant                               the last sign of a failure that nothing names
//!  └ ledger                                versions, stages, executors, the end
//! judge ─ last_word, effect, ending     which failure ended the run, what is only its effect, how a run ended without one
//! tell ─ placing, condition, losses        all of it as a story
//! join ─ event_log, sql                 what an event log adds to it
//! standstill                              what a progress bar adds that no longer moves
//!  └ findings ─ slow_tasks, stuck, sql_findings   what is remarkable about its stages
//! profiles                                 what was measured of Python's code, and of which operator
//! fold                                     a printed trace, short
//! ```

mod attempt;
mod attempts;
mod builder;
mod cause;
mod condition;
mod effect;
mod ending;
mod event_log;
mod failure;
mod findings;
mod fingerprint;
mod fold;
mod incident;
mod join;
mod judge;
mod known;
mod last_word;
mod ledger;
mod life;
mod losses;
mod next;
mod of_task;
mod phase_names;
mod placing;
mod profiles;
mod remnant;
mod slow_tasks;
mod spread;
mod sql;
mod sql_findings;
mod stage;
mod standstill;
mod story;
mod streams;
mod stuck;
mod tell;
mod telling;
mod wrapper;

pub use crate::fact::{LineKind, MESSAGE_CAP, Relation, TRACE_CAP, TaskId, TraceLine};
pub use attempt::{Attempt, AttemptOutcome, Verdict};
pub use builder::Builder;
pub use cause::{Cause, Side};
pub use fold::{Fold, Row, fold};
pub use incident::{Evidence, Incident, OCCURRENCES_CAP, OTHERS_CAP, Phase, Role};
pub use join::join_event_log;
pub use sql::{PlanRow, Sql};
pub use stage::{
    Executor, Finding, FindingKind, Severity, Spread, Stage, StageFigures, StageStatus, TaskCounts,
};
pub use standstill::Standstill;
pub use story::{Outcome, SparkInfo, Story};
