//! Coming back to a spot: in: where the screen stands. Out: the same as words for a command line, and as a small file by
//! which the next time begins where this one ended.

mod at;
mod kept;
mod memory;
mod share;
mod wished;

pub use at::At;
pub(super) use memory::Memory;
pub(super) use share::command_line;
pub(super) use wished::Wished;
