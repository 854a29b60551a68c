//! Lines that are JSON objects: `event` reads a logger's event or a shipper's envelope out of one, `carrier` finds the
//! member in which a shipper without a name of ours carries the lines, and `trace` prints exceptions as a console does.

mod carrier;
mod event;
mod trace;

pub(super) use carrier::Carrier;
pub(super) use event::{Event, read};
