//! Sources: where bytes come from: file, folder, standard input, archive, codec; and what each file is.
//!
//! In: paths. Out: [`Sources`], each of which can be read again at any offset. Only this floor opens files.

mod blocks;
mod lz4block;
mod lzf;
mod open;
mod snappy_java;
mod source;
mod spark_codec;
mod zstd;

pub use source::{Kind, Refusal, Source, Sources};
