//! In: a log, a line of it, what to look for. Out: the next line behind it, or before it, that matches.

use super::query::Query;
use crate::source::{Source, Sources};
use crate::text::Place;
use memchr::{memchr, memchr_iter, memrchr};
use regex::bytes::Regex;

/// Bytes that are searched at a time; a longer line is searched in pieces.
const BLOCK: usize = 1 << 20;

/// The next match, from the beginning again where there is none towards the end; `None` where there is none, or where
/// `wanted` says no more.
pub(super) fn find(
    sources: &Sources,
    from: &Place,
    forward: bool,
    query: &Query,
    wanted: impl Fn() -> bool,
) -> Option<Place> {
    let pattern = query.over_lines()?;
    let source = sources.get(from.source)?;
    if forward {
        find_behind(source, from, &pattern, &wanted).or_else(|| {
            let first = Place {
                start: 0,
                line: 1,
                ..*from
            };
            find_from(source, first, &pattern, &wanted)
        })
    } else {
        find_before(source, from, &pattern, wanted)
    }
}

/// Behind the line one stands on.
fn find_behind(
    source: &Source,
    from: &Place,
    pattern: &Regex,
    wanted: impl Fn() -> bool,
) -> Option<Place> {
    let mut block = vec![0; BLOCK];
    let mut at = from.start;
    while wanted() {
        let filled = fill(source, at, &mut block);
        if filled == 0 {
            return None;
        }
        if let Some(end) = memchr(b'\n', &block[..filled]) {
            let next = Place {
                start: at + end as u64 + 1,
                line: from.line + 1,
                ..*from
            };
            return find_from(source, next, pattern, wanted);
        }
        at += filled as u64;
    }
    None
}

/// From the beginning of a line on.
fn find_from(
    source: &Source,
    from: Place,
    pattern: &Regex,
    wanted: impl Fn() -> bool,
) -> Option<Place> {
    let mut block = vec![0; BLOCK];
    let (mut at, mut line) = (from.start, from.line);
    while wanted() {
        let filled = fill(source, at, &mut block);
        if filled == 0 {
            return None;
        }
        let bytes = &block[..filled];
        // Whole lines only, unless one fills the block.
        let whole = if filled < BLOCK {
            filled
        } else {
            memrchr(b'\n', bytes).map_or(filled, |end| end + 1)
        };
        if let Some(found) = pattern.find(&bytes[..whole]) {
            let start = memrchr(b'\n', &bytes[..found.start()]).map_or(0, |end| end + 1);
            let passed = memchr_iter(b'\n', &bytes[..start]).count() as u64;
            return Some(place(
                &from,
                at + start as u64,
                line + passed,
                &bytes[start..],
            ));
        }
        line += memchr_iter(b'\n', &bytes[..whole]).count() as u64;
        at += whole as u64;
    }
    None
}

fn find_before(
    source: &Source,
    from: &Place,
    pattern: &Regex,
    wanted: impl Fn() -> bool,
) -> Option<Place> {
    let mut block = vec![0; BLOCK];
    // Everything from `end` on, which is the beginning of line `line`, was searched.
    let (mut end, mut line) = (from.start, from.line);
    while end > 0 && wanted() {
        let begin = end.saturating_sub(BLOCK as u64);
        let length = usize::try_from(end - begin).ok()?;
        if fill(source, begin, &mut block[..length]) < length {
            return None;
        }
        let bytes = &block[..length];
        // A line that began earlier is left to the next block, unless it fills this one.
        let first = if begin == 0 {
            0
        } else {
            memchr(b'\n', bytes)
                .map(|e| e + 1)
                .filter(|first| *first < length)
                .unwrap_or(0)
        };
        if let Some(found) = pattern
            .find_iter(&bytes[first..])
            .filter(|m| !m.is_empty())
            .last()
        {
            let found = first + found.start();
            let start = memrchr(b'\n', &bytes[..found])
                .map_or(first, |e| e + 1)
                .max(first);
            let passed = memchr_iter(b'\n', &bytes[start..]).count() as u64;
            let line = line.saturating_sub(passed).max(1);
            return Some(place(from, begin + start as u64, line, &bytes[start..]));
        }
        line = line.saturating_sub(memchr_iter(b'\n', &bytes[first..]).count() as u64);
        end = begin + first as u64;
    }
    None
}

fn place(from: &Place, start: u64, line: u64, bytes: &[u8]) -> Place {
    let length = memchr(b'\n', bytes).unwrap_or(bytes.len());
    Place {
        source: from.source,
        start,
        bytes: u32::try_from(length).unwrap_or(u32::MAX),
        line,
        part: 0,
    }
}

fn fill(source: &Source, at: u64, buffer: &mut [u8]) -> usize {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read_at(at + filled as u64, &mut buffer[filled..]) {
            Ok(n) if n > 0 => filled += n,
            _ => break,
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use crate::text::SourceId;

    fn place_of(line: u64, start: u64) -> Place {
        Place {
            source: SourceId(0),
            start,
            bytes: 1,
            line,
            part: 0,
        }
    }

    #[test]
    fn matches_are_found_both_ways_across_blocks() {
        let filler = "nothing here\n".repeat(200_000);
        let text = format!("needle one\n{filler}a needle two\n{filler}last needle");
        let mut sources = Sources::default();
        sources.add_memory("log", text.clone().into_bytes());
        let query = Query::new("needle").unwrap();
        let find = |from: &Place, forward| find(&sources, from, forward, &query, || true);

        let first = place_of(1, 0);
        let second = find(&first, true).unwrap();
        assert_eq!((second.line, second.bytes), (200_002, 12));
        assert_eq!(second.start, text.find("a needle").unwrap() as u64);
        let third = find(&second, true).unwrap();
        assert_eq!((third.line, third.bytes), (400_003, 11));
        // Around the end.
        assert_eq!(find(&third, true).map(|p| p.line), Some(1));
        assert_eq!(find(&third, false), Some(second));
        let back = find(&second, false).unwrap();
        assert_eq!((back.line, back.start), (1, 0));
        assert_eq!(find(&back, false), None);
    }

    #[test]
    fn nobody_waits_for_an_answer_that_is_not_wanted() {
        let mut sources = Sources::default();
        sources.add_memory("log", b"a\nneedle\n".to_vec());
        let query = Query::new("needle").unwrap();
        assert_eq!(
            super::find(&sources, &place_of(1, 0), true, &query, || false),
            None
        );
        let negated = Query::filter("!needle").unwrap();
        assert_eq!(
            super::find(&sources, &place_of(1, 0), true, &negated, || true),
            None
        );
    }
}
