//! The keyboard: from the bytes of a terminal to keys, the mouse and pastes.
//!
//! In: bytes as they arrive. Out: events. Whatever arrives, what is begun and not ended is waited for no longer than a moment:
//! half a sequence, or a paste whose end is lost, must not take the keyboard away.

mod cut;
mod keys;
mod meaning;
mod reader;

pub use keys::{Keyboard, Read};
pub(super) use reader::Reader;
