//! The text report: for a terminal, a pager, a mail.
//!
//! In: a [`Case`](crate::load::Case). Out: a screen or two of eighty columns, the root cause in the first lines.

mod beside;
mod page;
mod profiles;
mod telling;

pub(super) use telling::render;
