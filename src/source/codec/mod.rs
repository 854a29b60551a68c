//! Codecs: what compressed logs and event logs arrive in, told by magic bytes and never by a file's name.
//!
//! In: a packed stream. Out: its plain bytes; of a damaged or unfinished one, what comes before the damage.
//!
//! `codec` knows gzip and hands the codecs of `spark.io.compression.codec` to `spark_codec`. Those write blocks:
//! `blocks` reads them one after another, and `lz4block`, `lzf`, `snappy_java` and `zstd` say what a block is.

mod blocks;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
mod codec;
mod lz4block;
mod lzf;
mod snappy_java;
mod spark_codec;
mod zstd;

pub(super) use codec::Codec;
