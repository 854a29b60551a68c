//! Sources: where bytes come from: file, folder, standard input, archive, codec; and what each file is.
//!
//! In: paths. Out: [`Sources`], each of which can be read again at any offset. Only this floor opens files.

mod admit;
mod archive;
mod around;
mod blocks;
mod codec;
mod content;
mod index;
mod keep;
mod kind;
mod lz4block;
mod lzf;
mod open;
mod snappy_java;
mod source;
mod spark_codec;
mod spool;
mod utf16;
mod zstd;

pub use around::{LONGEST_SHOWN, NumberedLine};
pub use index::LineIndex;
pub use kind::{Kind, Labels};
pub use open::{DEEPEST_FOLDER, MOST_FILES};
pub use source::{Refusal, Source, Sources};
pub use spool::{MOST_SPOOLED, Spool};
