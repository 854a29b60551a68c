//! Records: bytes cut into log records by a detected layout, shippers' prefixes taken off.
//!
//! In: lines of a [`Source`](crate::source::Source). Out: [`Record`]s of [`Line`]s.

mod cutter;
mod dress;
mod record;

pub use cutter::{Cutter, RawLine, is_head, logical_text};
pub use dress::Dress;
pub use record::{Head, Level, Line, Record};
