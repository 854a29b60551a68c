//! A Spark History Server: the runs it knows, and their event logs, fetched as the archive that it packs them into.
//!
//! In: an [`Address`] as a person has it. Out: the [`Listing`] of what ran, or a stream that [`Sources`](super::Sources) takes in.
//!
//! Nothing here runs unless an address was named. What a server answers is as little to be trusted as a file: sizes are
//! capped, waiting ends, and the archive goes the way of every other. Only this folder knows the network.

mod address;
mod error;
mod listing;
mod paced;
mod proxy;
mod redirect;
mod server;

pub use address::{Address, RunId};
pub use error::HistoryError;
pub use listing::{Application, Jobs, Listing};
pub use server::{Server, Trust};
