//! Text: places in it, names from it, moments in it, and the one way it becomes safe to show.
//!
//! In: bytes and strings. Out: [`Place`]s, [`Symbol`]s, [`Moment`]s and sanitised text.
//! This floor knows nothing of Spark.

mod measure;
mod moment;
mod place;
mod sanitise;
mod symbol;

pub use measure::{Bytes, Millis};
pub use moment::Moment;
pub use place::{Place, SourceId};
pub use sanitise::{sanitise, sanitise_line};
pub use symbol::Symbol;
