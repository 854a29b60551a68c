//! In: a stream of bytes. Out: its lines, each with its number and offset; holds one line at a time.

use std::io::{ErrorKind, Read};

/// Longer lines are passed over: a plan that large is of no use, and a line that never ends is no event log.
const LONGEST_LINE: usize = 64 << 20;
const BLOCK: usize = 256 << 10;

/// One line.
#[derive(Debug, Clone, Copy)]
pub(super) struct RawLine<'b> {
    /// Its bytes, without the line's end; empty where it is longer than [`LONGEST_LINE`].
    pub(super) bytes: &'b [u8],
    /// Offset of its first byte.
    pub(super) start: u64,
    /// 1-based number.
    pub(super) number: u64,
    /// How many bytes it takes, with its end.
    pub(super) length: u64,
}

/// Gives `visit` each line of `input`. Ends where the stream ends or breaks off; returns what broke it off.
pub(super) fn each_line(
    mut input: impl Read,
    mut visit: impl FnMut(RawLine<'_>),
) -> Option<std::io::Error> {
    let mut block = vec![0; BLOCK];
    // The beginning of a line whose end lies in a later block.
    let mut open: Vec<u8> = Vec::new();
    let mut open_length = 0_u64;
    let (mut start, mut number) = (0_u64, 1_u64);
    let broken = loop {
        let n = match input.read(&mut block) {
            Ok(0) => break None,
            Ok(n) => n,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => break Some(error),
        };
        let mut rest = &block[..n];
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let length = open_length + end as u64 + 1;
            let bytes = if open_length == 0 {
                &rest[..end]
            } else {
                extend(&mut open, open_length, &rest[..end]);
                &open
            };
            visit(RawLine {
                bytes,
                start,
                number,
                length,
            });
            start += length;
            number += 1;
            open.clear();
            open_length = 0;
            rest = &rest[end + 1..];
        }
        if !rest.is_empty() {
            extend(&mut open, open_length, rest);
            open_length += rest.len() as u64;
        }
    };
    if open_length > 0 {
        visit(RawLine {
            bytes: &open,
            start,
            number,
            length: open_length,
        });
    }
    broken
}

/// Adds to an open line; one that grows too long is dropped and stays dropped until its end.
fn extend(open: &mut Vec<u8>, length: u64, bytes: &[u8]) {
    if length + bytes.len() as u64 <= LONGEST_LINE as u64 {
        open.extend_from_slice(bytes);
    } else {
        *open = Vec::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_do_not_depend_on_blocks() {
        struct Drip<'b>(&'b [u8], usize);
        impl Read for Drip<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                let n = self.0.len().min(self.1).min(buffer.len());
                buffer[..n].copy_from_slice(&self.0[..n]);
                self.0 = &self.0[n..];
                Ok(n)
            }
        }
        let text = b"one\n\nthree three\nlast";
        let expected = [
            ("one", 0, 1, 4),
            ("", 4, 2, 1),
            ("three three", 5, 3, 12),
            ("last", 17, 4, 4),
        ];
        for step in 1..=text.len() {
            let mut seen = Vec::new();
            each_line(Drip(text, step), |line| {
                let text = String::from_utf8_lossy(line.bytes).into_owned();
                seen.push((text, line.start, line.number, line.length));
            });
            let seen: Vec<_> = seen
                .iter()
                .map(|(t, a, b, c)| (t.as_str(), *a, *b, *c))
                .collect();
            assert_eq!(seen, expected, "{step} bytes at a time");
        }
    }

    #[test]
    fn a_line_that_never_ends_takes_no_memory_and_hides_no_other() {
        let endless = std::io::repeat(b'x').take(LONGEST_LINE as u64 * 2);
        let mut seen = Vec::new();
        each_line(endless.chain(&b"\nnext\n"[..]), |line| {
            seen.push((line.bytes.len(), line.number));
        });
        assert_eq!(seen, [(0, 1), (4, 2)]);
    }
}
