//! Reports: a case told without a screen, for a terminal, a ticket, a script.
//!
//! In: a [`Case`](crate::load::Case). Out: text, Markdown or JSON; everything in it sanitised.

mod format;
mod json;
mod listing;
mod markdown;
mod outline;
mod safe;
#[cfg(test)]
mod sample;
mod spot;
mod text;
mod trace;

pub use format::{Format, Manner, render};
pub use listing::listing;
pub use safe::Safe;
pub use spot::Spot;
