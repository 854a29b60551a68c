//! Load: the floors below, run over the input: threads, progress, cancel.
//!
//! In: [`Sources`](crate::source::Sources). Out: a [`Case`].
//!
//! `pipeline` takes source after source: `pass` reads its blocks on several threads and `scan` finds `needle`s in them with a `sieve` of `vectors`,
//! `selector` chooses the lines around the hits in a `window` of bytes, `digest` cuts and links those, an `open_log` keeps how far that has come;
//! `event_logs` adds theirs, and `standstill` what a progress bar shows that no longer moves. `runs` tells the logs of several runs apart, `copies` what only says the same
//! as another one. `background` does that beside the screen, with a `first_look` before it, and goes on while
//! a `stream` arrives or what was opened grows.

mod background;
mod case;
mod copies;
mod demo;
mod digest;
mod event_logs;
mod fault;
mod first_look;
mod hooks;
mod long_line;
mod needle;
mod open_log;
mod options;
mod pass;
mod pipeline;
mod record_at;
mod runs;
#[cfg(test)]
mod same_case;
mod scan;
mod selector;
mod sieve;
mod standstill;
mod stream;
#[cfg(target_arch = "x86_64")]
mod vectors;
mod window;
mod work;

pub use background::{Bulletin, Loading, spawn};
pub use case::Case;
pub use demo::demo;
pub use hooks::Progress;
pub use long_line::LongLine;
pub use options::Options;
pub use pipeline::load;
pub use work::Work;
