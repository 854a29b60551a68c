//! Records: bytes cut into log records by a detected layout, shippers' prefixes taken off.
//!
//! In: lines of a [`Source`](crate::source::Source). Out: [`Record`]s of [`Line`]s.

mod cutter;

mod record;

pub use cutter::{Cutter, RawLine, logical_text};
pub use record::{Head, Level, Line, Record};
