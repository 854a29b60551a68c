//! In: the first bytes of an input. Out: the [`Codec`] that wrote it, told by its magic and never by its name.

use super::spark_codec::SparkCodec;
use flate2::read::MultiGzDecoder;
use std::io::Read;

/// How one stream is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::source) enum Codec {
    /// RFC 1952, members one after another.
    Gzip,
    /// One that Spark writes event logs with.
    Spark(SparkCodec),
}

impl Codec {
    /// The codec of a stream that begins like this.
    pub(in crate::source) fn told_by(head: &[u8]) -> Option<Self> {
        if head.starts_with(b"\x1f\x8b\x08") {
            return Some(Self::Gzip);
        }
        SparkCodec::of(head).map(Self::Spark)
    }

    /// The word for people.
    pub(in crate::source) fn word(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Spark(codec) => codec.name(),
        }
    }

    /// The plain bytes of `packed`. A damaged stream gives what is whole of it before its error.
    pub(in crate::source) fn decoder<'r>(
        self,
        packed: impl Read + Send + 'r,
    ) -> Box<dyn Read + Send + 'r> {
        match self {
            Self::Gzip => Box::new(MultiGzDecoder::new(packed)),
            Self::Spark(codec) => codec.reader(packed),
        }
    }
}
