//! In: a place. Out: the physical lines around it, read again from its source, for a view of the raw text.

use super::source::{Source, Sources};
use crate::text::{Place, SourceId};
use std::io;

/// Bytes of one line that are given at most; the rest of a longer line is left out.
pub const LONGEST_SHOWN: usize = 16 << 10;
/// Bytes that are read in each direction at most, so that one view of huge lines stays cheap.
const MOST_READ: u64 = 2 << 20;
const STEP: usize = 64 << 10;

/// A physical line: its 1-based number, and its bytes without the line's end, at most [`LONGEST_SHOWN`].
pub type NumberedLine = (u64, Vec<u8>);

impl Sources {
    /// The line of `place` with up to `before` lines ahead of it and `after` behind it.
    ///
    /// Numbers count from `place.line`. Fewer lines come where the source begins or ends, where a
    /// line is longer than can be passed over cheaply, or where the source cannot be read.
    pub fn lines_around(&self, place: &Place, before: usize, after: usize) -> Vec<NumberedLine> {
        let Some(source) = self.get(place.source) else {
            return Vec::new();
        };
        let mut lines = source.lines_before(place.start, place.line, before);
        lines.extend(source.lines_from(place.start, place.line, after.saturating_add(1)));
        lines
    }

    /// Where line `line` (1-based) of a source is; `None` while its lines have not been counted, and
    /// where it has no such line.
    pub fn place_of_line(&self, id: SourceId, line: u64) -> Option<Place> {
        let source = self.get(id)?;
        let (mut offset, mut ended) = source.line_index()?.before_line(line);
        if line == 0 {
            return None;
        }
        let mut buffer = vec![0; STEP];
        while ended + 1 < line {
            let n = source
                .fill_at(offset, &mut buffer)
                .ok()
                .filter(|n| *n > 0)?;
            let mut passed = n;
            for end in memchr::memchr_iter(b'\n', &buffer[..n]) {
                ended += 1;
                if ended + 1 == line {
                    passed = end + 1;
                    break;
                }
            }
            offset += passed as u64;
        }
        let first = source.lines_from(offset, line, 1).into_iter().next()?;
        Some(Place {
            source: id,
            start: offset,
            bytes: u32::try_from(first.1.len()).unwrap_or(u32::MAX),
            line,
            part: 0,
        })
    }

    /// The number of the line that `offset` lies in (1-based); `None` while lines have not been counted.
    pub fn line_of_offset(&self, id: SourceId, offset: u64) -> Option<u64> {
        let source = self.get(id)?;
        let (mut at, mut ended) = source.line_index()?.before_offset(offset);
        let mut buffer = vec![0; STEP];
        while at < offset {
            let wanted = usize::try_from(offset - at).map_or(STEP, |n| n.min(STEP));
            let n = source.fill_at(at, &mut buffer[..wanted]).ok()?;
            if n == 0 {
                return None;
            }
            ended += memchr::memchr_iter(b'\n', &buffer[..n]).count() as u64;
            at += n as u64;
        }
        Some(ended + 1)
    }
}

impl Source {
    /// Up to `most` lines that end before `offset`, which is the start of line `line`.
    fn lines_before(&self, offset: u64, line: u64, most: usize) -> Vec<NumberedLine> {
        let most = most.min(usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX));
        let mut bytes = Vec::new();
        let mut start = offset;
        // One line end more than lines: the one before the first line shows where it begins.
        while memchr::memchr_iter(b'\n', &bytes).count() <= most
            && start > 0
            && offset - start < MOST_READ
            && most > 0
        {
            let step = start.min(STEP as u64);
            match self.exactly(start - step, step) {
                Ok(mut more) => {
                    more.append(&mut bytes);
                    bytes = more;
                    start -= step;
                }
                Err(_) => return Vec::new(),
            }
        }
        let Some(whole) = bytes.strip_suffix(b"\n") else {
            return Vec::new();
        };
        let mut pieces: Vec<&[u8]> = whole.split(|b| *b == b'\n').collect();
        if start > 0 {
            // Its beginning has not been read.
            pieces.remove(0);
        }
        let pieces = &pieces[pieces.len().saturating_sub(most)..];
        pieces
            .iter()
            .zip(line - pieces.len() as u64..)
            .map(|(piece, number)| (number, capped(piece)))
            .collect()
    }

    /// Up to `most` lines from `offset` on, which is the start of line `line`.
    fn lines_from(&self, offset: u64, line: u64, most: usize) -> Vec<NumberedLine> {
        let mut lines: Vec<NumberedLine> = Vec::new();
        let mut open: Option<Vec<u8>> = None;
        let mut at = offset;
        let mut buffer = vec![0; STEP];
        while lines.len() < most && at - offset < MOST_READ {
            let n = match self.fill_at(at, &mut buffer) {
                Ok(n) if n > 0 => n,
                _ => break,
            };
            at += n as u64;
            for piece in buffer[..n].split_inclusive(|b| *b == b'\n') {
                let text = piece.strip_suffix(b"\n").unwrap_or(piece);
                let kept = open.get_or_insert_default();
                let room = LONGEST_SHOWN.saturating_sub(kept.len()).min(text.len());
                kept.extend_from_slice(&text[..room]);
                if text.len() < piece.len() {
                    let number = line + lines.len() as u64;
                    lines.extend(open.take().map(|bytes| (number, bytes)));
                    if lines.len() == most {
                        return lines;
                    }
                }
            }
        }
        let number = line + lines.len() as u64;
        lines.extend(open.map(|bytes| (number, bytes)));
        lines
    }

    fn exactly(&self, offset: u64, length: u64) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(length).unwrap_or(STEP)];
        let n = self.fill_at(offset, &mut bytes)?;
        if n == bytes.len() {
            Ok(bytes)
        } else {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }
}

fn capped(line: &[u8]) -> Vec<u8> {
    line[..line.len().min(LONGEST_SHOWN)].to_vec()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::super::index::LineIndex;
    use super::*;

    fn place(start: u64, line: u64) -> Place {
        Place {
            source: SourceId(0),
            start,
            bytes: 0,
            line,
            part: 0,
        }
    }

    fn words(lines: &[NumberedLine]) -> Vec<(u64, &str)> {
        lines
            .iter()
            .map(|(n, bytes)| (*n, std::str::from_utf8(bytes).unwrap()))
            .collect()
    }

    #[test]
    fn lines_around_a_place_carry_their_numbers() {
        let mut sources = Sources::default();
        sources.add_memory("log", b"one\n\nthree\r\nfour\nfive".to_vec());
        let at_three = place(5, 3);
        assert_eq!(
            words(&sources.lines_around(&at_three, 9, 1)),
            [(1, "one"), (2, ""), (3, "three\r"), (4, "four")]
        );
        assert_eq!(
            words(&sources.lines_around(&at_three, 1, 0)),
            [(2, ""), (3, "three\r")]
        );
        assert_eq!(
            words(&sources.lines_around(&at_three, 0, 9)),
            [(3, "three\r"), (4, "four"), (5, "five")]
        );
    }

    #[test]
    fn huge_lines_are_capped() {
        let mut text = vec![b'a'; 3 << 20];
        text.extend_from_slice(b"\nb\n");
        text.extend(vec![b'c'; 300 << 10]);
        text.extend_from_slice(b"\nd");
        let mut sources = Sources::default();
        sources.add_memory("log", text);
        let around = sources.lines_around(&place((3 << 20) + 1, 2), 3, 9);
        let lengths: Vec<_> = around.iter().map(|(n, bytes)| (*n, bytes.len())).collect();
        assert_eq!(lengths, [(2, 1), (3, LONGEST_SHOWN), (4, 1)]);
    }

    #[test]
    fn lines_are_found_by_number_and_by_offset() {
        let text = (1..=9_000)
            .map(|n| format!("line {n}\n"))
            .collect::<Vec<_>>()
            .concat();
        let mut sources = Sources::default();
        let mut index = LineIndex::default();
        for at in (0..text.len()).step_by(1_000) {
            index.mark(at as u64, text[..at].matches('\n').count() as u64);
        }
        sources.add_memory("log", text.into_bytes());
        assert_eq!(sources.place_of_line(SourceId(0), 3), None);
        sources.list[0].set_line_index(index);
        for line in [1, 2, 112, 5_555, 9_000] {
            let place = sources.place_of_line(SourceId(0), line).unwrap();
            assert_eq!(sources.bytes(&place), format!("line {line}").as_bytes());
            assert_eq!(
                sources.line_of_offset(SourceId(0), place.start + 3),
                Some(line)
            );
        }
        assert_eq!(sources.place_of_line(SourceId(0), 9_002), None);
    }
}
