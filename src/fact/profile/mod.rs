//! Profiles that a program prints: Spark's `Profile of UDF<id=2>`, tables of cProfile and of `memory_profiler`.
//!
//! In: a [`Record`](crate::record::Record). Out: by `take`, its [`Profile`]s, whose rows `time_table` and `memory_table` read, and
//! the record without their lines.

mod memory_table;
mod profile;
mod take;
mod time_table;

pub use profile::{Measure, PROFILE_ROWS_CAP, Profile, ProfileRow, Profiled};
pub(super) use take::take;
