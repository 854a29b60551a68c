//! Traces: JVM throwables and Python tracebacks, each inside the other, as one chain.
//!
//! In: a [`Record`](crate::record::Record). Out: its [`Trace`](super::Trace)s, by [`read()`].

mod cut;
mod open;
mod reader;
mod words;

pub(super) use reader::read;
pub(super) use words::looks_dated;
