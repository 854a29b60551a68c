//! Values: what templates are filled with, so that advice is written in the person's own words.
//!
//! In: a prepared incident. Out: [`Values`](crate::diagnosis::template::Values) by name. `values` gathers those that every
//! incident has and completes those that a rule's patterns caught; each of the others knows how to come by a few of them.

mod called;
mod java;
mod keys;
pub(super) mod memory;
mod origin;
mod package;
mod reader;
mod script;
mod skewed;
mod unresolved;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
mod values;

pub(super) use values::{ALWAYS_KNOWN, KNOWN, complete, of_incident};
