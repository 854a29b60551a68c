//! In: a block of bytes and what follows it. Out: [`Scan`]: which of its lines hold a needle, how many lines end
//! in it, and how many of its bytes are text. What a block yields does not depend on any other block.

use super::needle;
use super::sieve::{Candidate, sift};
use memchr::memchr_iter;

/// Bytes behind a block that must be handed over with it, as far as the source has them.
pub(super) const OVERHANG: usize = needle::LONGEST;

/// The needle of a JVM's frame, at the beginning of a line.
const FRAME: &[u8; 5] = b"\n\tat ";
/// Where its sign is in it, see `needle`.
const SIGN_OF_FRAME: usize = 2;

/// What a block holds.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// One or more for each line that is of interest, in order.
    pub(super) hits: Vec<Hit>,
    /// Lines that end in the block.
    pub(super) line_ends: u64,
    /// Bytes of the characters that begin in the block and are valid UTF-8: the last may reach beyond it.
    pub(super) understood: u64,
    /// Room for what may be a hit.
    candidates: Vec<Candidate>,
}

/// A place of interest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    /// Its offset in the block.
    pub(super) at: usize,
    /// That of the last line that it stands for: the same but for frames, of which those that follow one another make
    /// one hit, from the beginning of the first to that of the last.
    pub(super) last: usize,
    /// Lines that end in the block before it.
    pub(super) line_ends_before: u64,
}

impl Scan {
    /// Counts lines and text in the block `bytes[..length]`.
    pub(super) fn count(&mut self, bytes: &[u8], length: usize) {
        self.is_counted(bytes, length, count(&bytes[..length]));
    }

    /// The same where somebody has counted its lines.
    pub(super) fn is_counted(&mut self, bytes: &[u8], length: usize, line_ends: u64) {
        self.hits.clear();
        self.line_ends = line_ends;
        self.understood = understood(bytes, length, bytes[..length].is_ascii());
    }

    /// Searches the block `bytes[..length]`. `also` is an offset in it that is of interest in any case.
    pub(super) fn search(&mut self, bytes: &[u8], length: usize, also: Option<usize>) {
        self.hits.clear();
        self.candidates.clear();
        if let Some(seen) = sift(bytes, length, &mut self.candidates) {
            self.line_ends = seen.line_ends;
            self.understood = understood(bytes, length, seen.ascii);
            self.judge(bytes, length);
        } else {
            self.understood = understood(bytes, length, bytes[..length].is_ascii());
            self.search_unsifted(bytes, length);
        }
        if let Some(at) = also.filter(|at| *at < length) {
            let behind = self.hits.partition_point(|hit| hit.at < at);
            let line_ends_before = count(&bytes[..at]);
            self.hits.insert(
                behind,
                Hit {
                    at,
                    last: at,
                    line_ends_before,
                },
            );
        }
    }

    /// Makes hits of the candidates at which there is a needle.
    fn judge(&mut self, bytes: &[u8], length: usize) {
        // The first needle that is known of a line, that line, and whether it is a frame.
        let (mut first, mut line, mut below) = (0, None, false);
        let mut in_order = true;
        for candidate in &self.candidates {
            let number = candidate.line_ends_before();
            let within = line == Some(number);
            // One needle of a line is enough, unless another begins before it.
            if within && candidate.at() >= first + needle::LONGEST {
                continue;
            }
            // Frame follows frame: to see that is cheaper than to tell needles apart.
            let begins = candidate.at().checked_sub(SIGN_OF_FRAME);
            let begins = begins.filter(|at| bytes[*at..].first_chunk() == Some(FRAME));
            let at = begins
                .map(|at| at + 1)
                .or_else(|| candidate.needle(bytes))
                .filter(|at| *at < length && !(within && *at >= first));
            let Some(at) = at else {
                continue;
            };
            in_order &= !within;
            first = at;
            let frame = begins.is_some();
            let follows = frame && below && number.checked_sub(1) == line;
            (line, below) = (Some(number), frame);
            match self.hits.last_mut() {
                Some(run) if follows => run.last = at,
                _ => self.hits.push(Hit {
                    at,
                    last: at,
                    line_ends_before: number,
                }),
            }
        }
        if !in_order {
            self.hits.sort_unstable_by_key(|hit| hit.at);
        }
    }

    /// The same on a machine that cannot sift.
    fn search_unsifted(&mut self, bytes: &[u8], length: usize) {
        self.line_ends = 0;
        let (mut from, mut counted) = (0, 0);
        while let Some(at) = needle::find(bytes, from, length) {
            self.line_ends += count(&bytes[counted..at]);
            counted = at;
            self.hits.push(Hit {
                at,
                last: at,
                line_ends_before: self.line_ends,
            });
            from = needle::line_end(bytes, at, length);
            // Frame follows frame: to see that is cheaper than to search for it.
            while bytes[from..].starts_with(FRAME) && from + 1 < length {
                self.line_ends += count(&bytes[counted..from]) + 1;
                counted = from + 1;
                self.hits.push(Hit {
                    at: counted,
                    last: counted,
                    line_ends_before: self.line_ends,
                });
                from = needle::line_end(bytes, counted, length);
            }
        }
        self.line_ends += count(&bytes[counted..length]);
    }
}

/// How many lines end in `bytes`.
fn count(bytes: &[u8]) -> u64 {
    memchr_iter(b'\n', bytes).count() as u64
}

/// UTF-8 can be told at any point from the few bytes around it, so the sum over all blocks is the same
/// wherever they are cut.
fn understood(bytes: &[u8], length: usize, ascii: bool) -> u64 {
    if ascii {
        return length as u64;
    }
    let limit = bytes.len().min(length + 3);
    let mut understood = 0;
    let mut at = 0;
    while at < length {
        let (valid, skip) = match std::str::from_utf8(&bytes[at..limit]) {
            Ok(_) => (limit, 0),
            Err(error) => (
                at + error.valid_up_to(),
                error
                    .error_len()
                    .unwrap_or(limit - at - error.valid_up_to()),
            ),
        };
        // The last character that begins in the block belongs to it.
        let mut end = valid;
        if end > length {
            end = length;
            while end < valid && bytes[end] & 0xc0 == 0x80 {
                end += 1;
            }
        }
        understood += (end - at) as u64;
        at = valid + skip;
    }
    understood
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn search(bytes: &[u8], length: usize, also: Option<usize>) -> Scan {
        let mut scan = Scan::default();
        scan.search(bytes, length, also);
        scan
    }

    #[test]
    fn a_line_is_hit_once() {
        let text = b"fine\nERROR: Exception\nfine\n  Error\nx";
        let found = search(text, text.len(), Some(1));
        let hits: Vec<_> = found
            .hits
            .iter()
            .map(|h| (h.at, h.line_ends_before))
            .collect();
        assert_eq!(hits, [(1, 0), (5, 1), (29, 3)]);
        assert_eq!(found.line_ends, 4);
    }

    /// The first hit of each line, by how many lines end before it.
    fn firsts(scan: &Scan, text: &str) -> BTreeMap<u64, usize> {
        let mut firsts = BTreeMap::new();
        for hit in &scan.hits {
            let begun = text[hit.at..hit.last].match_indices('\n');
            let further = begun.map(|(n, _)| hit.at + n + 1);
            for (number, at) in (hit.line_ends_before..).zip([hit.at].into_iter().chain(further)) {
                let first = firsts.entry(number).or_insert(at);
                *first = at.min(*first);
            }
        }
        firsts
    }

    proptest! {
        #[test]
        fn a_machine_that_cannot_sift_finds_the_same(
            pieces in prop::collection::vec(prop_oneof![
                3 => "[ -~]{0,30}", 3 => Just("\n".to_owned()), 3 => Just("\n\tat a.B.c(D.java:1)".to_owned()),
                3 => prop::sample::select(needle::needles().map(|n| n.text.to_owned()).collect::<Vec<_>>()),
                1 => Just("not found Exception".to_owned()), 1 => Just("größe".to_owned()),
            ], 0..30),
            behind in 0_usize..40,
        ) {
            let text = pieces.concat();
            let length = text.len().saturating_sub(behind);
            let mut plain = Scan::default();
            plain.search_unsifted(text.as_bytes(), length);
            let found = search(text.as_bytes(), length, None);
            prop_assert_eq!(firsts(&found, &text), firsts(&plain, &text));
            prop_assert_eq!(found.line_ends, plain.line_ends);
            prop_assert!(found.hits.is_sorted_by_key(|hit| hit.at));
        }

        #[test]
        fn text_is_counted_the_same_however_it_is_cut(
            pieces in prop::collection::vec(prop_oneof![
                Just(b"a\n".to_vec()), Just("ä€🚨".as_bytes().to_vec()), Just(vec![0xe2, 0x82]),
                Just(vec![0x80]), Just(vec![0xff]), Just(vec![0xf0, 0x9f]),
            ], 0..20),
            size in 1_usize..9,
        ) {
            let bytes = pieces.concat();
            let lossy: u64 = bytes.utf8_chunks().map(|chunk| chunk.valid().len() as u64).sum();
            let (mut sum, mut ends) = (0, 0);
            let mut counted = Scan::default();
            for start in (0..bytes.len()).step_by(size) {
                let length = size.min(bytes.len() - start);
                let block = &bytes[start..bytes.len().min(start + length + OVERHANG)];
                let scan = search(block, length, None);
                counted.count(block, length);
                prop_assert_eq!((scan.understood, scan.line_ends), (counted.understood, counted.line_ends));
                sum += scan.understood;
                ends += scan.line_ends;
            }
            prop_assert_eq!(sum, lossy);
            prop_assert_eq!(ends, bytes.split(|b| *b == b'\n').count() as u64 - 1);
        }
    }
}
