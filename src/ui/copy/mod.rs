//! In: a text to be copied. Out: the text in as good a clipboard as can be reached from where the program
//! runs, and one sentence that says what is known to have happened — and no more than that.
//!
//! | way | when | what is known afterwards |
//! |---|---|---|
//! | `tmux` | inside tmux | tmux has it in its buffer and has sent it on |
//! | `screen` | inside GNU screen | it was sent; nobody answers |
//! | `osc52` | over SSH, or without a display | it was sent; nobody answers |
//! | `native` | on a desktop | the desktop has taken it |
//! | `file` | always, beside the others | the file is written |
//!
//! A way that speaks to the terminal does not write to it itself: a copy must never fall into the middle of
//! a frame. [`Copied::for_terminal`] holds its bytes, and the loop that draws writes them between two frames.

mod clipboard;
mod file;
mod how;
mod native;
mod osc52;
mod screen;
mod surroundings;
mod tmux;
mod tmux_client;

pub use clipboard::{Clipboard, Copied};
pub(in crate::ui) use file::{place as kept_in, write as write_private};
pub use how::How;
pub use surroundings::{Named, Surroundings, Way};
pub use tmux_client::Client as TmuxClient;
