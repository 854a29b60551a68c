//! In: a stream of decoded bytes. Out: a [`Content`] that can be read at any offset: memory where it is small, a private file where not.

use super::content::Content;
use std::io::{self, Read, Write};
use std::sync::Arc;

/// Decoded bytes that are kept in memory, for each input: 1 MiB.
const MOST_IN_MEMORY: usize = 1 << 20;
/// Decoded bytes of one input that are kept at all: 16 GiB.
pub(super) const MOST_DECODED: u64 = 16 << 30;
/// From here on, an input may not be this many times larger than its packed form: logs shrink to a fiftieth,
/// event logs to a two-hundredth, bombs to a thousandth and less.
const RATIO_COUNTS_FROM: u64 = 1 << 30;
const HIGHEST_RATIO: u64 = 1_000;

/// Decoded bytes, and what is to be told of them.
#[derive(Debug)]
pub(super) struct Kept {
    /// The bytes.
    pub(super) content: Content,
    /// Why it is not all: a cap that was reached, a stream that is damaged.
    pub(super) cut_short_by: Option<String>,
}

/// Keeps what `stream` gives; `packed` is how many bytes it is made from.
///
/// # Errors
/// Where the stream gives nothing but an error, or the bytes cannot be kept.
pub(super) fn keep(mut stream: impl Read, packed: u64) -> io::Result<Kept> {
    let most = if packed.saturating_mul(HIGHEST_RATIO) < MOST_DECODED {
        RATIO_COUNTS_FROM.max(packed * HIGHEST_RATIO)
    } else {
        MOST_DECODED
    };
    let mut memory = Vec::new();
    let mut file = None;
    let mut length = 0_u64;
    let mut buffer = vec![0; 128 << 10];
    let cut_short_by = loop {
        let n = match stream.read(&mut buffer) {
            Ok(0) => break None,
            Ok(n) => n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) if length == 0 => return Err(error),
            Err(error) => {
                break Some(format!(
                    "it is damaged after {length} decoded bytes: {error}"
                ));
            }
        };
        if length + n as u64 > most {
            break Some(format!(
                "only its first {length} decoded bytes are read: it would unpack to more than {most}; unpack it yourself and open that"
            ));
        }
        length += n as u64;
        if let Some(file) = &mut file {
            io::Write::write_all(file, &buffer[..n])?;
        } else {
            memory.extend_from_slice(&buffer[..n]);
            if memory.len() > MOST_IN_MEMORY {
                let mut spilled = tempfile::tempfile()?;
                spilled.write_all(&memory)?;
                memory = Vec::new();
                file = Some(spilled);
            }
        }
    };
    Ok(Kept {
        content: match file {
            Some(file) => Content::File(Arc::new(file)),
            None => Content::Memory(memory.into()),
        },
        cut_short_by,
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn small_stays_in_memory_and_large_goes_to_a_file() {
        let small = keep(io::repeat(b'a').take(10), 1).unwrap();
        assert!(matches!(&small.content, Content::Memory(bytes) if bytes.len() == 10));
        let large = keep(io::repeat(b'a').take(2 << 20), 1 << 20).unwrap();
        assert!(matches!(&large.content, Content::File(_)));
        assert_eq!(large.content.len().unwrap(), 2 << 20);
        assert_eq!(large.cut_short_by, None);
    }

    #[test]
    fn a_damaged_stream_keeps_what_came_before() {
        struct Breaks(bool);
        impl Read for Breaks {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                if std::mem::replace(&mut self.0, true) {
                    return Err(io::ErrorKind::InvalidData.into());
                }
                buffer[..4].copy_from_slice(b"good");
                Ok(4)
            }
        }
        let kept = keep(Breaks(false), 1).unwrap();
        assert_eq!(kept.content.head(9).unwrap(), b"good");
        assert!(kept.cut_short_by.unwrap().contains("after 4"));
        assert!(keep(Breaks(true), 1).is_err());
    }
}
