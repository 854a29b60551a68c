//! The Markdown report: a ticket that a colleague can act on.
//!
//! In: a [`Case`](crate::load::Case). Out: Markdown, in which nothing of a log can become markup.

mod beside;
mod profiles;
mod ticket;

pub(super) use ticket::render;
