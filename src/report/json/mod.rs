//! The JSON report: the program's public machine interface, schema 1, described in the README.
//!
//! In: a [`Case`](crate::load::Case). Out: one JSON document; what is unknown is `null` or an empty list.

mod beside;
mod document;
mod incident;
mod profiles;
mod run;
mod sql;

pub(super) use document::render;
