//! In: a block of bytes. Out: the few places in it where a needle may be, how many lines end in it, and whether it is
//! ASCII: all of it in one pass, 32 bytes at a time, or 64 where the processor has vectors so wide.
//!
//! Each needle is known by its sign, three of its bytes that are rare in chatter, and belongs to one of eight sieves. A
//! place passes a sieve where each of its three bytes has the lower half and the upper half of such bytes in the sieve's
//! signs. What passes is compared with the needles; of chatter that is one place in four hundred.

use super::needle::{Needle, needles};
#[cfg(target_arch = "x86_64")]
use super::vectors;
use std::sync::LazyLock;

/// Bytes of a sign.
pub(super) const SIGN: usize = 3;

/// A place that passed a sieve.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    /// Where the sign is.
    at: u32,
    /// Lines that end in the block before it.
    line_ends_before: u32,
    /// The sieves it passed, a bit each.
    sieves: u8,
}

impl Candidate {
    /// Where the sign is.
    pub(super) fn at(&self) -> usize {
        self.at as usize
    }

    /// Lines that end in the block before it.
    pub(super) fn line_ends_before(&self) -> u64 {
        u64::from(self.line_ends_before)
    }

    /// Where the needle begins that is there, if one is; of several the first.
    pub(super) fn needle(&self, bytes: &[u8]) -> Option<usize> {
        let at = self.at();
        let sign = packed(bytes.get(at..at + SIGN)?);
        let mut first = None;
        let mut passed = self.sieves;
        while passed != 0 {
            let sieve = passed.trailing_zeros() as usize;
            passed &= passed - 1;
            for known in SIEVES.needles[sieve].iter().filter(|n| n.sign == sign) {
                let start = at.checked_sub(known.before);
                let start = start.filter(|start| bytes[*start..].starts_with(known.text));
                first = start.into_iter().chain(first).min();
            }
        }
        first
    }
}

/// The bytes of a sign as one number: quick to compare.
fn packed(sign: &[u8]) -> u32 {
    let bytes = sign.iter().rev();
    bytes.fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// What was seen of a block beside its candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    /// Lines that end in it.
    pub(super) line_ends: u64,
    /// Whether all of it is ASCII.
    pub(super) ascii: bool,
}

/// A needle by its sign.
#[derive(Debug)]
struct Known {
    sign: u32,
    /// Bytes of it before its sign.
    before: usize,
    text: &'static [u8],
}

/// The sieves: for each byte of a sign, and each half of that byte, which of them have it; and the needles of each.
pub(super) struct Sieves {
    pub(super) low: [[u8; 16]; SIGN],
    pub(super) high: [[u8; 16]; SIGN],
    needles: [Vec<Known>; 8],
}

static SIEVES: LazyLock<Sieves> = LazyLock::new(|| Sieves::of(needles()));

impl Sieves {
    fn of<'n>(all: impl Iterator<Item = &'n Needle>) -> Self {
        let mut sieves = Self {
            low: [[0; 16]; SIGN],
            high: [[0; 16]; SIGN],
            needles: Default::default(),
        };
        for needle in all {
            let text = needle.text.as_bytes();
            let sign = &text[needle.sign..needle.sign + SIGN];
            for (i, byte) in sign.iter().enumerate() {
                sieves.low[i][usize::from(byte & 15)] |= 1 << needle.sieve;
                sieves.high[i][usize::from(byte >> 4)] |= 1 << needle.sieve;
            }
            sieves.needles[needle.sieve].push(Known {
                sign: packed(sign),
                before: needle.sign,
                text,
            });
        }
        sieves
    }

    /// The sieves that three bytes pass.
    fn passed(&self, bytes: &[u8]) -> u8 {
        let halves = bytes.iter().zip(self.low.iter().zip(&self.high));
        halves.fold(u8::MAX, |passed, (byte, (low, high))| {
            passed & low[usize::from(byte & 15)] & high[usize::from(byte >> 4)]
        })
    }

    /// The places in `bytes[from..]` that pass, and what is seen of `bytes[from..length]`: byte by byte.
    fn slowly(
        &self,
        bytes: &[u8],
        from: usize,
        length: usize,
        seen: &mut Seen,
        out: &mut Vec<Candidate>,
    ) {
        for at in from..bytes.len() {
            let sign = bytes.get(at..at + SIGN);
            let sieves = sign.map_or(0, |sign| self.passed(sign));
            if sieves != 0 {
                out.push(candidate(at, seen.line_ends, sieves));
            }
            if at < length {
                seen.line_ends += u64::from(bytes[at] == b'\n');
                seen.ascii &= bytes[at].is_ascii();
            }
        }
    }
}

/// Blocks are far smaller than 4 GiB.
pub(super) fn candidate(at: usize, line_ends: u64, sieves: u8) -> Candidate {
    Candidate {
        at: u32::try_from(at).unwrap_or(u32::MAX),
        line_ends_before: u32::try_from(line_ends).unwrap_or(u32::MAX),
        sieves,
    }
}

/// Adds the candidates in `bytes` to `out`, in order, and tells what is seen of the block `bytes[..length]`; `None` on a
/// machine that cannot sift.
#[cfg(target_arch = "x86_64")]
pub(super) fn sift(bytes: &[u8], length: usize, out: &mut Vec<Candidate>) -> Option<Seen> {
    let (from, mut seen) = if let Some(simd) = pulp::x86::V4::try_new() {
        vectors::by_64(simd, &SIEVES, bytes, length, out)
    } else {
        vectors::by_32(pulp::x86::V3::try_new()?, &SIEVES, bytes, length, out)
    };
    SIEVES.slowly(bytes, from, length, &mut seen, out);
    Some(seen)
}

/// Adds nothing: this machine cannot sift.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn sift(_: &[u8], _: usize, _: &mut Vec<Candidate>) -> Option<Seen> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn fast_and_slowly_sift_alike(
            pieces in prop::collection::vec(prop_oneof![
                4 => "[ -~\n\t]{0,40}", 1 => Just("ä".to_owned()), 2 => Just("Exception".to_owned()),
                1 => Just("\n\tat a.b".to_owned()), 1 => Just("WARN".to_owned()),
            ], 0..20),
            behind in 0_usize..40,
        ) {
            let text = pieces.concat();
            let length = text.len().saturating_sub(behind);
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            let mut seen = Seen { line_ends: 0, ascii: true };
            SIEVES.slowly(text.as_bytes(), 0, length, &mut seen, &mut slow);
            if let Some(sifted) = sift(text.as_bytes(), length, &mut fast) {
                prop_assert_eq!(sifted, seen);
                prop_assert_eq!(format!("{fast:?}"), format!("{slow:?}"));
            }
        }
    }

    #[test]
    fn every_needle_passes_and_is_known_again() {
        for needle in needles() {
            let text = format!("..{}", needle.text);
            let mut out = Vec::new();
            let mut seen = Seen {
                line_ends: 0,
                ascii: true,
            };
            SIEVES.slowly(text.as_bytes(), 0, text.len(), &mut seen, &mut out);
            let found = out.iter().filter_map(|c| c.needle(text.as_bytes())).min();
            assert_eq!(found, Some(2), "{}", needle.text);
        }
    }
}
