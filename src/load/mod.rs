//! Load: the floors below, run over the input: threads, progress, cancel. In: [`Sources`](crate::source::Sources). Out: a [`Case`].

mod background;
mod case;
mod demo;
mod digest;
mod event_logs;
mod first_look;
mod hooks;
mod needle;
mod options;
mod pass;
mod pipeline;
mod scan;
mod selector;
mod stream;

pub use background::{Bulletin, Loading, spawn};
pub use case::Case;
pub use demo::demo;
pub use hooks::Progress;
pub use options::Options;
pub use pipeline::load;
