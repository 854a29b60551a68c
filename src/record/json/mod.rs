//! Lines that are JSON objects, or of one: `event` reads a logger's event or a shipper's envelope out of one, `member` one
//! that has a line of its own, `carrier` finds the member in which a shipper without a name of ours carries the lines, `notebook` reads the
//! cells of one, and `trace` prints exceptions as a console does.

mod carrier;
mod event;
mod member;
mod notebook;
mod trace;

pub(super) use carrier::Carrier;
pub(super) use event::{Event, read};
