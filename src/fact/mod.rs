//! Facts: what a record says: threw, task lost, stage failed, executor lost, container killed.
//!
//! In: [`Record`](crate::record::Record)s. Out: [`Fact`]s.

mod frame;

pub use frame::{Frame, Owner};
