//! In: the first bytes of a stream. Out: which of Spark's codecs packed it, and a reader of its plain bytes.

use super::blocks::Blocks;
use super::lz4block::{self, Lz4Block};
use super::lzf::{self, Lzf};
use super::snappy_java::{self, SnappyJava};
use super::zstd::{self, Zstd};
use std::io::Read;

/// A codec of `spark.io.compression.codec`, told by its magic bytes, never by a file's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::source) enum SparkCodec {
    Lz4,
    Snappy,
    Lzf,
    Zstd,
}

impl SparkCodec {
    /// The codec of a stream that begins with `first`.
    pub(super) fn of(first: &[u8]) -> Option<Self> {
        let lzf_types = [0, 1];
        if first.starts_with(lz4block::MAGIC) {
            Some(Self::Lz4)
        } else if first.starts_with(snappy_java::MAGIC) {
            Some(Self::Snappy)
        } else if first.starts_with(zstd::MAGIC) {
            Some(Self::Zstd)
        } else if first.starts_with(lzf::MAGIC)
            && first.get(2).is_some_and(|t| lzf_types.contains(t))
        {
            Some(Self::Lzf)
        } else {
            None
        }
    }

    /// For people.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Lz4 => "lz4 (Spark)",
            Self::Snappy => "snappy (Spark)",
            Self::Lzf => "lzf (Spark)",
            Self::Zstd => "zstd",
        }
    }

    /// The plain bytes of `input`, which stands at its beginning. A damaged stream gives what came
    /// before the damage, then one error that says what is wrong, then its end.
    pub(super) fn reader<'r>(self, input: impl Read + Send + 'r) -> Box<dyn Read + Send + 'r> {
        match self {
            Self::Lz4 => Box::new(Blocks::new(input, Lz4Block::default())),
            Self::Snappy => Box::new(Blocks::new(input, SnappyJava::default())),
            Self::Lzf => Box::new(Blocks::new(input, Lzf::default())),
            Self::Zstd => Box::new(Blocks::new(input, Zstd::default())),
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by it")]

    use super::*;
    use std::path::Path;

    #[test]
    fn an_event_log_in_every_codec_has_the_lines_that_spark_wrote() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/data/event_logs/codecs");
        let mut seen = Vec::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let packed = std::fs::read(entry.unwrap().path()).unwrap();
            let codec = SparkCodec::of(&packed).unwrap();
            let mut plain = String::new();
            codec
                .reader(&packed[..])
                .read_to_string(&mut plain)
                .unwrap();
            let last = plain.lines().last().unwrap();
            assert!(
                last.contains("SparkListenerApplicationEnd"),
                "{}",
                codec.name()
            );
            assert!(
                plain
                    .lines()
                    .all(|l| l.starts_with("{\"Event\":\"") && l.ends_with('}'))
            );
            seen.push(codec.name());
        }
        seen.sort_unstable();
        assert_eq!(
            seen,
            ["lz4 (Spark)", "lzf (Spark)", "snappy (Spark)", "zstd"]
        );
    }
}
