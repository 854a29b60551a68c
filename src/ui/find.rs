//! In: a log, a line of it, what to look for. Out: the next line behind it, or before it, that matches; and which lines
//! of the whole log do, bit by bit.

use super::query::Query;
use crate::source::{Source, Sources};
use crate::text::Place;
use memchr::{memchr, memchr_iter, memrchr};
use regex::bytes::Regex;
use std::time::{Duration, Instant};

/// Bytes that are searched at a time; a longer line is searched in pieces.
const BLOCK: usize = 1 << 20;

/// Lines that match whose place is kept; further ones are only counted.
const MOST_HITS: usize = 1 << 16;
/// How often what was found so far is told.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// The lines of a log that match, as far as it was searched.
#[derive(Debug, Clone, Default)]
pub struct Hits {
    /// Where they begin, in ascending order; at most 65,536 are kept.
    pub starts: Vec<u64>,
    /// How many there are.
    pub total: u64,
    /// Whether the whole log was searched.
    pub complete: bool,
}

/// Searches a whole log and tells what was found, now and then and at the end; ends early where `wanted` says no more.
pub(super) fn hits(
    source: &Source,
    query: &Query,
    wanted: impl Fn() -> bool,
    mut tell: impl FnMut(&Hits),
) {
    let Some(pattern) = query.over_lines() else {
        return;
    };
    let mut block = vec![0; BLOCK];
    let (mut hits, mut at, mut told) = (Hits::default(), 0, Instant::now());
    while wanted() {
        let whole = fill_whole(source, at, &mut block);
        if whole == 0 {
            hits.complete = true;
            return tell(&hits);
        }
        let bytes = &block[..whole];
        let mut from = 0;
        while let Some(found) = pattern.find_at(bytes, from) {
            let line = memrchr(b'\n', &bytes[..found.start()]).map_or(0, |end| end + 1);
            hits.total += 1;
            if hits.starts.len() < MOST_HITS {
                hits.starts.push(at + line as u64);
            }
            // A line counts once.
            let Some(end) = memchr(b'\n', &bytes[found.start()..]) else {
                break;
            };
            from = found.start() + end + 1;
            if from == whole {
                break;
            }
        }
        at += whole as u64;
        if told.elapsed() >= TELL_EVERY {
            told = Instant::now();
            tell(&hits);
        }
    }
}

/// The next match, around the end of the log where there is none before it; `None` where there is none, or where
/// `wanted` says no more. `lines` is how many lines the log has, 0 where that is not known.
pub(super) fn find(
    sources: &Sources,
    from: &Place,
    lines: u64,
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
            find_from(source, first, from.start, &pattern, &wanted)
        })
    } else {
        find_before(source, from, 0, &pattern, &wanted).or_else(|| {
            let start = source.arrived();
            let mut last = [b'\n'];
            let _ = source.fill_at(start.saturating_sub(1), &mut last);
            let end = Place {
                start,
                // Behind a line's end another begins.
                line: match lines {
                    0 => UNCOUNTED,
                    n => n + u64::from(last == *b"\n"),
                },
                ..*from
            };
            find_before(source, &end, from.start, &pattern, &wanted)
        })
    }
}

/// Where lines are not counted their numbers only tell them apart: those from the end count down from here.
const UNCOUNTED: u64 = 1 << 40;

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
            return find_from(source, next, u64::MAX, pattern, wanted);
        }
        at += filled as u64;
    }
    None
}

/// From the beginning of a line on, up to the one that begins at `last`, and hardly further.
fn find_from(
    source: &Source,
    from: Place,
    last: u64,
    pattern: &Regex,
    wanted: impl Fn() -> bool,
) -> Option<Place> {
    let mut block = vec![0; BLOCK];
    let (mut at, mut line) = (from.start, from.line);
    while at <= last && wanted() {
        let whole = fill_whole(source, at, &mut block);
        if whole == 0 {
            return None;
        }
        let bytes = &block[..whole];
        if let Some(found) = pattern.find(bytes) {
            let start = memrchr(b'\n', &bytes[..found.start()]).map_or(0, |end| end + 1);
            let passed = memchr_iter(b'\n', &bytes[..start]).count() as u64;
            return Some(place(
                &from,
                at + start as u64,
                line + passed,
                &bytes[start..],
            ));
        }
        line += memchr_iter(b'\n', bytes).count() as u64;
        at += whole as u64;
    }
    None
}

/// Before the line one stands on, but not before the one that begins at `floor`.
fn find_before(
    source: &Source,
    from: &Place,
    floor: u64,
    pattern: &Regex,
    wanted: impl Fn() -> bool,
) -> Option<Place> {
    let mut block = vec![0; BLOCK];
    // Everything from `end` on, which is the beginning of line `line`, was searched.
    let (mut end, mut line) = (from.start, from.line);
    while end > floor && wanted() {
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

/// As [`fill`], whole lines only, unless one fills the buffer or the log ends.
fn fill_whole(source: &Source, at: u64, buffer: &mut [u8]) -> usize {
    let filled = fill(source, at, buffer);
    if filled < buffer.len() {
        return filled;
    }
    memrchr(b'\n', &buffer[..filled]).map_or(filled, |end| end + 1)
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
        let find = |from: &Place, forward| find(&sources, from, 400_003, forward, &query, || true);

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
        // Around the beginning.
        assert_eq!(find(&back, false), Some(third));
        let mut told = Hits::default();
        hits(
            &sources.list[0],
            &query,
            || true,
            |hits| told = hits.clone(),
        );
        assert_eq!(told.starts, [first.start, second.start, third.start]);
        assert!((told.total, told.complete) == (3, true));
    }

    #[test]
    fn nobody_waits_for_an_answer_that_is_not_wanted() {
        let mut sources = Sources::default();
        sources.add_memory("log", b"a\nneedle\n".to_vec());
        let query = Query::new("needle").unwrap();
        assert_eq!(
            super::find(&sources, &place_of(1, 0), 0, true, &query, || false),
            None
        );
        let negated = Query::filter("!needle").unwrap();
        assert_eq!(
            super::find(&sources, &place_of(1, 0), 0, true, &negated, || true),
            None
        );
    }
}
