//! A real terminal for the program to run in, and the programs that may stand between them.

mod environment;
mod pty;

pub(crate) use environment::{Home, clipboard_writes, need, program, root_line, run};
pub(crate) use pty::{DEADLINE, Pty};
