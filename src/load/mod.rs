//! Load: the floors below, run over the input: threads, progress, cancel. In: [`Sources`](crate::source::Sources). Out: a [`Case`].

mod case;
mod needle;
mod options;
mod pipeline;
mod scan;
mod selector;

pub use case::Case;
pub use options::Options;
pub use pipeline::load;
