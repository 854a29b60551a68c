//! In: a stream of decoded bytes. Out: a [`Content`] that can be read at any offset: memory where it is small, a private room
//! where not.

use super::content::Content;
use super::room::Room;
use std::io::{self, Read};
use std::sync::Arc;

/// Decoded bytes that are kept in memory, for each input: 1 MiB.
const MOST_IN_MEMORY: usize = 1 << 20;
/// And of all inputs together.
const MOST_IN_MEMORY_OF_ALL: usize = 64 << 20;
/// Decoded bytes by which it is told whether the rest is worth unpacking.
const LOOKED_AT: u64 = 256 << 10;
/// Decoded bytes of one input that are kept at all: 16 GiB.
pub(super) const MOST_DECODED: u64 = 16 << 30;
/// From here on, an input may not be this many times larger than its packed form: logs shrink to a fiftieth,
/// event logs to a two-hundredth, bombs to a thousandth.
const RATIO_COUNTS_FROM: u64 = 256 << 20;
const HIGHEST_RATIO: u64 = 300;

/// Decoded bytes, and what is to be told of them.
#[derive(Debug)]
pub(super) struct Kept {
    /// The bytes.
    pub(super) content: Content,
    /// Why it is not all: a cap that was reached, a stream that is damaged.
    pub(super) cut_short_by: Option<String>,
}

/// Where decoded bytes are kept: in memory, and one room for all that is larger, an unnamed temporary file (mode 0600).
/// One, because a bundle of thousands of logs may not take thousands of descriptors.
#[derive(Debug, Default)]
pub(super) struct Attic {
    room: Option<Arc<Room>>,
    end: u64,
    in_memory: usize,
}

impl Clone for Attic {
    /// An attic of its own: two that write to one file would write over each other.
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// How many bytes may be made of that many packed ones.
pub(super) fn most_decoded(packed: u64) -> u64 {
    packed
        .saturating_mul(HIGHEST_RATIO)
        .clamp(RATIO_COUNTS_FROM, MOST_DECODED)
}

impl Attic {
    /// Keeps what `stream` gives, at most `most` bytes; no more than its beginning where that is `hopeless`, so that
    /// a bomb of nothing costs nothing.
    ///
    /// # Errors
    /// Where the stream gives nothing but an error.
    pub(super) fn keep(
        &mut self,
        mut stream: impl Read,
        most: u64,
        hopeless: impl Fn(&[u8]) -> bool,
    ) -> io::Result<Kept> {
        let mut memory = Vec::new();
        let mut room: Option<Arc<Room>> = None;
        let mut length = 0_u64;
        let mut buffer = vec![0; 128 << 10];
        let mut looked_at = false;
        let in_memory = MOST_IN_MEMORY.min(MOST_IN_MEMORY_OF_ALL.saturating_sub(self.in_memory));
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
            // What was kept before the room ran out is read.
            if let Some(room) = &room {
                if let Err(error) = room.write_all_at(&buffer[..n], self.end + length) {
                    break Some(no_room(length, &error));
                }
            } else {
                memory.extend_from_slice(&buffer[..n]);
                if memory.len() > in_memory {
                    let spilled = self.room();
                    if let Err(error) = spilled.write_all_at(&memory, self.end) {
                        memory.truncate(in_memory);
                        break Some(no_room(memory.len() as u64, &error));
                    }
                    memory = Vec::new();
                    room = Some(spilled);
                }
            }
            length += n as u64;
            if !looked_at && length >= LOOKED_AT {
                looked_at = true;
                if hopeless(&memory) {
                    break None;
                }
            }
        };
        let content = if let Some(room) = room {
            let start = self.end;
            self.end += length;
            Content::Stretch {
                room,
                start,
                length,
            }
        } else {
            self.in_memory += memory.len();
            Content::Memory(memory.into())
        };
        Ok(Kept {
            content,
            cut_short_by,
        })
    }

    /// How many bytes it holds by now.
    pub(super) fn kept(&self) -> u64 {
        self.end + self.in_memory as u64
    }

    fn room(&mut self) -> Arc<Room> {
        Arc::clone(self.room.get_or_insert_with(|| Arc::new(Room::new())))
    }
}

/// What is told, and what to do, where there is no room for more.
fn no_room(length: u64, error: &io::Error) -> String {
    format!(
        "only its first {length} decoded bytes are read, because what it unpacks to cannot be kept: {error}; set TMPDIR to a \
         roomier folder"
    )
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn small_stays_in_memory_and_large_goes_to_a_file() {
        let mut attic = Attic::default();
        let small = attic
            .keep(io::repeat(b'a').take(10), 1 << 30, |_| false)
            .unwrap();
        assert!(matches!(&small.content, Content::Memory(bytes) if bytes.len() == 10));
        for letter in [b'a', b'b'] {
            let large = attic
                .keep(io::repeat(letter).take(2 << 20), 1 << 30, |_| false)
                .unwrap();
            assert!(matches!(&large.content, Content::Stretch { .. }));
            assert_eq!(large.content.len().unwrap(), 2 << 20);
            let mut all = Vec::new();
            large.content.reader().read_to_end(&mut all).unwrap();
            assert!(all.len() == 2 << 20 && all.iter().all(|b| *b == letter));
        }
        let large = attic
            .keep(io::repeat(b'c').take(2 << 20), 1 << 21, |_| false)
            .unwrap();
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
        let kept = Attic::default().keep(Breaks(false), 9, |_| false).unwrap();
        assert_eq!(kept.content.head(9).unwrap(), b"good");
        assert!(kept.cut_short_by.unwrap().contains("after 4"));
        assert!(Attic::default().keep(Breaks(true), 9, |_| false).is_err());
        let capped = Attic::default().keep(&b"much"[..], 3, |_| false).unwrap();
        assert!(capped.cut_short_by.unwrap().contains("more than 3"));
    }

    #[test]
    fn what_is_hopeless_is_not_unpacked() {
        struct Counts(u64);
        impl Read for Counts {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.0 += buffer.len() as u64;
                buffer.fill(0);
                Ok(buffer.len())
            }
        }
        let mut zeros = Counts(0);
        let kept = Attic::default()
            .keep(&mut zeros, 1 << 40, |head| head.iter().all(|b| *b == 0))
            .unwrap();
        assert!(zeros.0 < 1 << 20, "{}", zeros.0);
        assert_eq!(kept.content.len().unwrap(), zeros.0);
    }
}
