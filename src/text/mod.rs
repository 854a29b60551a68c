//! Text: places in it, names from it, moments in it, and the one way it becomes safe to show.
//!
//! In: bytes and strings. Out: [`Place`]s, [`Symbol`]s, [`Moment`]s, sanitised text and compiled [`pattern()`]s.
//! This floor knows nothing of Spark.

mod bare;
mod beginning;
mod hex_word;
mod lines;
mod masking;
mod measure;
mod moment;
mod pattern;
mod place;
mod sanitise;
mod secrets;
mod symbol;
mod tabs;

pub use beginning::beginning;
pub use hex_word::hex_words;
pub use lines::Lines;
pub use masking::{Masked, Masking, held, masked_so_far, masking};
pub use measure::{Bytes, Millis, counted, mebibytes};
pub use moment::Moment;
pub use pattern::{bytes_pattern, own_pattern, pattern};
pub use place::{Place, SourceId};
pub use sanitise::{raw, sanitise, sanitise_line, visible_line};
pub use secrets::MARK;
pub use symbol::Symbol;
pub use tabs::expand_tabs;
