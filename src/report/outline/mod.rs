//! The outline: what is told of a case, in which order. Text and Markdown differ only in how they set it.
//!
//! In: a [`Case`](crate::load::Case). Out: an [`Outline`] of sanitised sentences, each with the line that shows it.

mod aside;
mod attempts;
mod beside;
mod outline;
mod profiles;
mod query;
mod told;
mod why;

pub(super) use aside::StageTold;
pub(super) use attempts::Attempts;
pub(super) use beside::{Beside, EvidenceTold, SignTold, SuspectTold};
pub(super) use outline::Outline;
pub(super) use profiles::ProfileTold;
pub(super) use query::{OperatorTold, Query};
pub(super) use told::{FixTold, Link, Mine, StepTold, Told};
