//! Facts: what a record says: threw, task lost, stage failed, executor lost, container killed.
//!
//! In: [`Record`](crate::record::Record)s. Out: [`Fact`]s, by [`read()`].
//!
//! `read` has `telling` ask each in turn: `stage`, `task` and `executor` for what Spark says of them, `run_line` for the run as a
//! whole, `trace` for what was thrown (with `frame`, `owner` and `class_name`), `said` for lines that name no exception, `output` for a
//! program's own lines. The profiles that a program prints are taken out before, by `profile`.
//! A [`Memory`] of the records before spares reading a trace that repeats itself: `told` asks it first.
//! `event_log` is the other way in: the application's own record of events.

mod class_name;
pub mod event_log;
mod executor;
mod fact;
mod frame;
mod jvm_frame;
mod left_out;
mod memory;
mod order;
mod output;
mod owner;
mod profile;
mod python_frame;
mod read;
mod run_line;
mod said;
mod stage;
mod task;
mod telling;
mod throwable;
mod told;
mod trace;

pub use executor::ExecutorLine;
pub(crate) use executor::exit_code;
pub use fact::{Fact, FactKind};
pub use frame::{Frame, Owner};
pub use left_out::LeftOut;
pub use memory::Memory;
pub use owner::of_class as owner_of_class;
pub use profile::{Measure, PROFILE_ROWS_CAP, Profile, ProfileRow, Profiled};
pub use read::{read, read_by};
pub use run_line::RunLine;
pub use said::{Said, Stand, Weight};
pub(crate) use said::{failed_test, said, sentence_of_member};
pub use stage::{JobLine, JobWhat, StageLine, StageWhat};
pub(crate) use task::attempt;
pub use task::{TaskId, TaskLine};
pub use throwable::{
    FRAMES_CAP, Language, LineKind, MESSAGE_CAP, Relation, TRACE_CAP, Throwable, Trace, TraceLine,
};
