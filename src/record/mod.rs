//! Records: bytes cut into log records by a detected layout, shippers' prefixes taken off.
//!
//! In: lines of a [`Source`](crate::source::Source). Out: [`Record`]s of [`Line`]s.
//!
//! A physical line goes through `damage` (colours, progress bars), `shipper` (prefixes), `json` (events and
//! envelopes) and `escapes` (traces written in one line) until nothing is left to take off: that is `undress`,
//! a pure function of the bytes and the source's [`Dress`], which is told by a `sample`; a `bare_frame` of a trace has nothing to take off, and
//! joins the [`Stack`] below the line in front of it. What one line
//! alone cannot show, the dress knows of the whole source: a prefix that no rule has (`learned`), the column at which lines were
//! broken (`hard_wrap`), the columns of an export (`table`), the tags of a web page (`tags`), the order in which it tells. The [`Cutter`] then finds heads by the layouts of `assets/formats` and
//! tells streams apart; an `open_record` for each says which lines belong together. What a line is of which a `shape` is known
//! costs a look into a table, and the room of records that were read is used again: [`Room`].

mod aggregate;
mod bar;
mod bare_frame;
mod clock;
mod cutter;
mod damage;
mod dress;
mod escapes;
mod frames;
mod hard_wrap;
mod held;
mod json;
mod layout;
mod learned;
mod limit;
mod open_record;
mod order;
mod pattern;
mod quoted;
mod record;
mod reread;
mod room;
mod sample;
mod shape;
mod shipper;
mod spans;
mod speaks;
mod stack;
mod table;
mod tags;
mod undress;

pub use bar::{Bar, drawn, last_bars};
#[cfg(test)]
pub(crate) use cutter::records;
pub use cutter::{Cutter, RawLine};
pub use dress::Dress;
pub use frames::Stretch;
pub use layout::add_layout;
pub use record::{Head, LastBar, Level, Line, Record};
pub use reread::{is_head, logical_text, logical_texts, time_of};
pub use room::Room;
pub use shape::keeps_digits;
pub use shipper::add_shipper;
pub use stack::{FrameText, Stack};
