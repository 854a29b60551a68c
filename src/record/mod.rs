//! Records: bytes cut into log records by a detected layout, shippers' prefixes taken off.
//!
//! In: lines of a [`Source`](crate::source::Source). Out: [`Record`]s of [`Line`]s.

mod aggregate;
mod clock;
mod cutter;
mod damage;
mod dress;
mod escapes;
mod json;
mod layout;
mod record;
mod shipper;
mod undress;

pub use cutter::{Cutter, RawLine, is_head, logical_text};
pub use dress::Dress;
pub use record::{Head, Level, Line, Record};
