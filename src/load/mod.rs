//! Load: the floors below, run over the input: threads, progress, cancel. In: [`Sources`](crate::source::Sources). Out: a [`Case`].

mod case;
mod pipeline;

pub use case::Case;
pub use pipeline::load;
