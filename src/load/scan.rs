//! In: a block of bytes and what follows it. Out: [`Scan`]: which of its lines hold a needle, how many lines end
//! in it, and how many of its bytes are text. What a block yields does not depend on any other block.

use super::needle;
use memchr::memchr_iter;

/// Bytes behind a block that must be handed over with it, as far as the source has them.
pub(super) const OVERHANG: usize = needle::LONGEST;

/// The needle of a JVM's frame, at the beginning of a line.
const FRAME: &[u8] = b"\n\tat ";

/// What a block holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Scan {
    /// One for each line that is of interest, in order.
    pub(super) hits: Vec<Hit>,
    /// Lines that end in the block.
    pub(super) line_ends: u64,
    /// Bytes of the characters that begin in the block and are valid UTF-8: the last may reach beyond it.
    pub(super) understood: u64,
}

/// A place of interest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    /// Its offset in the block.
    pub(super) at: usize,
    /// Lines that end in the block before it.
    pub(super) line_ends_before: u64,
}

/// Counts lines and text in the block `bytes[..length]`.
pub(super) fn count(bytes: &[u8], length: usize) -> Scan {
    Scan {
        hits: Vec::new(),
        line_ends: memchr_iter(b'\n', &bytes[..length]).count() as u64,
        understood: understood(bytes, length),
    }
}

/// Searches the block `bytes[..length]`. `also` is an offset in it that is of interest in any case.
pub(super) fn scan(bytes: &[u8], length: usize, also: Option<usize>) -> Scan {
    let mut scan = Scan {
        understood: understood(bytes, length),
        ..Scan::default()
    };
    let mut also = also.filter(|at| *at < length);
    let mut from = 0;
    let mut counted = 0;
    loop {
        let found = needle::find(bytes, from, length);
        // A line that holds the needle and the other offset counts twice, which does no harm.
        let at = match (found, also) {
            (Some(found), Some(other)) if other < found => other,
            (Some(found), _) => found,
            (None, Some(other)) => other,
            (None, None) => break,
        };
        also = also.filter(|other| *other > at);
        scan.line_ends += memchr_iter(b'\n', &bytes[counted..at]).count() as u64;
        counted = at;
        scan.hits.push(Hit {
            at,
            line_ends_before: scan.line_ends,
        });
        from = needle::line_end(bytes, at, length);
        // Frame follows frame: to see that is cheaper than to search for it.
        while also.is_none() && bytes[from..].starts_with(FRAME) && from + 1 < length {
            scan.line_ends += memchr_iter(b'\n', &bytes[counted..from]).count() as u64 + 1;
            counted = from + 1;
            scan.hits.push(Hit {
                at: counted,
                line_ends_before: scan.line_ends,
            });
            from = needle::line_end(bytes, counted, length);
        }
        if from == length {
            break;
        }
    }
    scan.line_ends += memchr_iter(b'\n', &bytes[counted..length]).count() as u64;
    scan
}

/// UTF-8 can be told at any point from the few bytes around it, so the sum over all blocks is the same
/// wherever they are cut.
fn understood(bytes: &[u8], length: usize) -> u64 {
    if bytes[..length].is_ascii() {
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

    #[test]
    fn a_line_is_hit_once() {
        let text = b"fine\nERROR: Exception\nfine\n  Error\nx";
        let found = scan(text, text.len(), Some(1));
        let hits: Vec<_> = found
            .hits
            .iter()
            .map(|h| (h.at, h.line_ends_before))
            .collect();
        assert_eq!(hits, [(1, 0), (5, 1), (29, 3)]);
        assert_eq!(found.line_ends, 4);
    }

    proptest! {
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
            let mut sum = 0;
            let mut ends = 0;
            for start in (0..bytes.len()).step_by(size) {
                let length = size.min(bytes.len() - start);
                let block = &bytes[start..bytes.len().min(start + length + OVERHANG)];
                let scan = scan(block, length, None);
                prop_assert_eq!(&scan, &count(block, length));
                sum += scan.understood;
                ends += scan.line_ends;
            }
            prop_assert_eq!(sum, lossy);
            prop_assert_eq!(ends, bytes.split(|b| *b == b'\n').count() as u64 - 1);
        }
    }
}
