//! Sources: where bytes come from: file, folder, standard input, archive, codec; and what each file is.
//!
//! In: paths, and addresses of History Servers. Out: [`Sources`], each of which can be read again at any offset. Only this
//! floor opens files and connections.
//!
//! `open` finds the files a path names and `spool` keeps standard input. `admit` takes each in: `archive`, `codec` and
//! `utf16` unpack it, `keep` puts what was unpacked where it can be read at any offset, a `room`, `kind` tells what it is, and
//! `rotation` which of them are pieces of one log.
//! `again` tells what became of them while they are followed, `history` fetches what a History Server keeps. A `source`
//! is read whole by the floors above, and around a place by the screen (`around`, with the help of `index`). `own_file` reads
//! the files that a person writes for the program.

mod admit;
mod again;
mod archive;
mod around;
mod binary;
mod codec;
mod content;
pub mod history;
mod index;
mod keep;
mod kind;
mod open;
mod own_file;
mod room;
mod rotation;
mod source;
mod spool;
mod utf16;

pub use around::{LONGEST_SHOWN, NumberedLine};
pub use index::LineIndex;
pub use kind::{Kind, Labels};
pub use open::{DEEPEST_FOLDER, MOST_FILES};
pub use own_file::{LARGEST_OWN, is_there, own_text};
pub use rotation::log_of_piece;
pub use source::{Refusal, Source, Sources};
pub use spool::{MOST_SPOOLED, Origin, Spool, Start};
