//! In: a terminal as the shell left it. Out: a screen to draw on, keys and mouse, and the terminal as it
//! was on every way out: return, error, panic, a signal that ends the program or stops it.

mod background;
mod guard;
mod hold;
mod keyboard;
mod pace;
mod signals;
mod size;

pub use background::Background;
pub(super) use background::may_be_asked;
pub use guard::{CannotOpen, Happened, Terminal, tell_later};
pub use keyboard::{Keyboard, Read};
