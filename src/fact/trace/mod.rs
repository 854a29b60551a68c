//! Traces: JVM throwables and Python tracebacks, each inside the other, as one chain.
//!
//! In: a [`Record`](crate::record::Record). Out: its [`Trace`](super::Trace)s, part by part, by [`Parts`].

mod begin;
mod block;
mod connector;
mod cut;
mod finish;
mod open;
mod parts;
mod quoted;
mod reader;
mod words;

pub(super) use parts::{End, Outline, Part, Parts};
pub(super) use words::looks_dated;
