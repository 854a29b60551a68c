//! In: the [`Sieves`] and a block of bytes. Out: what passes them, as far as there are whole vectors of the widest kind that
//! the processor has.
//!
//! A table of halves is looked up by the low four bits of a byte; where its highest bit is set, which it is in no sign, that
//! finds nothing. Vectors in which something passed are put by for a stretch of the block: a call among the vectors would
//! make each of them go through memory.

#![expect(
    clippy::inline_always,
    reason = "what is not inlined into the vectorized function is called without its instructions"
)]

use super::sieve::{Candidate, SIGN, Seen, Sieves, candidate};
use pulp::x86::{V3, V4};
use std::arch::x86_64::{__m256i, __m512i};

/// Vectors of a stretch.
const STRETCH: usize = 64;

/// A vector in which something passed.
#[derive(Clone, Copy)]
struct Passed<const WIDE: usize> {
    /// Where it begins.
    at: usize,
    /// Lines that end before it, and where in it lines end, a bit for each byte.
    line_ends: u64,
    ends: u64,
    /// Where in it something passed, and what: a bit for each sieve.
    places: u64,
    sieves: [u8; WIDE],
}

/// The vectors of a stretch in which something passed.
struct PutBy<const WIDE: usize> {
    all: [Passed<WIDE>; STRETCH],
    count: usize,
}

impl<const WIDE: usize> PutBy<WIDE> {
    fn new() -> Self {
        let none = Passed {
            at: 0,
            line_ends: 0,
            ends: 0,
            places: 0,
            sieves: [0; WIDE],
        };
        Self {
            all: [none; STRETCH],
            count: 0,
        }
    }

    /// Without a branch: whether something passed in a vector is what no processor foresees.
    #[inline(always)]
    fn add(&mut self, passed: Passed<WIDE>) {
        if let Some(room) = self.all.get_mut(self.count) {
            *room = passed;
            self.count += usize::from(passed.places != 0);
        }
    }

    #[inline(never)]
    fn hand_over(&mut self, out: &mut Vec<Candidate>) {
        for passed in &self.all[..self.count] {
            let mut places = passed.places;
            while places != 0 {
                let place = places.trailing_zeros();
                places &= places - 1;
                let before = (passed.ends & ((1 << place) - 1)).count_ones();
                let line_ends = passed.line_ends + u64::from(before);
                let place = place as usize;
                out.push(candidate(
                    passed.at + place,
                    line_ends,
                    passed.sieves[place],
                ));
            }
        }
        self.count = 0;
    }
}

/// How many of the bytes are in whole vectors of which the signs are there as well.
fn whole(bytes: &[u8], length: usize, wide: usize) -> usize {
    length.min(bytes.len().saturating_sub(SIGN - 1)) / wide * wide
}

/// The vector of bytes that begins so many behind the first of `bytes`.
#[inline(always)]
fn part<const WIDE: usize>(bytes: &[u8], behind: usize) -> [u8; WIDE] {
    let wide: Option<&[u8; WIDE]> = bytes[behind..].first_chunk();
    wide.copied().unwrap_or([0; WIDE])
}

/// 32 bytes at a time; returns how far that is.
pub(super) fn by_32(
    simd: V3,
    sieves: &Sieves,
    bytes: &[u8],
    length: usize,
    out: &mut Vec<Candidate>,
) -> (usize, Seen) {
    const WIDE: usize = 32;
    let whole = whole(bytes, length, WIDE);
    let mut put_by = PutBy::<WIDE>::new();
    let mut seen = Seen {
        line_ends: 0,
        ascii: true,
    };
    for start in (0..whole).step_by(STRETCH * WIDE) {
        let end = whole.min(start + STRETCH * WIDE);
        simd.vectorize(
            #[inline(always)]
            || {
                let (avx, avx2) = (simd.avx, simd.avx2);
                let table = |table: [u8; 16]| -> __m256i { pulp::cast([table; 2]) };
                let (low, high) = (sieves.low.map(table), sieves.high.map(table));
                let line_end = avx._mm256_set1_epi8(0x0a);
                let half = avx._mm256_set1_epi8(15);
                let zero = avx._mm256_setzero_si256();
                let (mut all, mut line_ends) = (zero, seen.line_ends);
                for at in (start..end).step_by(WIDE) {
                    let Some(window) = bytes.get(at..at + WIDE + SIGN - 1) else {
                        break;
                    };
                    let first: __m256i = pulp::cast(part::<WIDE>(window, 0));
                    all = avx2._mm256_or_si256(all, first);
                    let mut passed = avx._mm256_set1_epi8(-1);
                    for i in 0..SIGN {
                        let wide: __m256i = pulp::cast(part::<WIDE>(window, i));
                        let upper = avx2._mm256_srli_epi16::<4>(wide);
                        let upper = avx2._mm256_and_si256(upper, half);
                        let lower = avx2._mm256_shuffle_epi8(low[i], wide);
                        let upper = avx2._mm256_shuffle_epi8(high[i], upper);
                        let both = avx2._mm256_and_si256(lower, upper);
                        passed = avx2._mm256_and_si256(passed, both);
                    }
                    let ends = avx2._mm256_cmpeq_epi8(first, line_end);
                    let ends = u64::from(avx2._mm256_movemask_epi8(ends).cast_unsigned());
                    let none = avx2._mm256_cmpeq_epi8(passed, zero);
                    let places = !avx2._mm256_movemask_epi8(none).cast_unsigned();
                    put_by.add(Passed {
                        at,
                        line_ends,
                        ends,
                        places: places.into(),
                        sieves: pulp::cast(passed),
                    });
                    line_ends += u64::from(ends.count_ones());
                }
                seen.line_ends = line_ends;
                seen.ascii &= avx2._mm256_movemask_epi8(all) == 0;
            },
        );
        put_by.hand_over(out);
    }
    (whole, seen)
}

/// 64 bytes at a time; returns how far that is.
pub(super) fn by_64(
    simd: V4,
    sieves: &Sieves,
    bytes: &[u8],
    length: usize,
    out: &mut Vec<Candidate>,
) -> (usize, Seen) {
    /// All three.
    const AND: i32 = 0x80;
    const WIDE: usize = 64;
    let whole = whole(bytes, length, WIDE);
    let mut put_by = PutBy::<WIDE>::new();
    let mut seen = Seen {
        line_ends: 0,
        ascii: true,
    };
    for start in (0..whole).step_by(STRETCH * WIDE) {
        let end = whole.min(start + STRETCH * WIDE);
        simd.vectorize(
            #[inline(always)]
            || {
                let (avx, bytewise) = (simd.avx512f, simd.avx512bw);
                let table = |table: [u8; 16]| -> __m512i { pulp::cast([table; 4]) };
                let (low, high) = (sieves.low.map(table), sieves.high.map(table));
                let line_end = avx._mm512_set1_epi8(0x0a);
                let half = avx._mm512_set1_epi8(15);
                let (mut all, mut line_ends) = (avx._mm512_setzero_si512(), seen.line_ends);
                for at in (start..end).step_by(WIDE) {
                    let Some(window) = bytes.get(at..at + WIDE + SIGN - 1) else {
                        break;
                    };
                    let first: __m512i = pulp::cast(part::<WIDE>(window, 0));
                    all = avx._mm512_or_si512(all, first);
                    let mut passed = avx._mm512_set1_epi8(-1);
                    for i in 0..SIGN {
                        let wide: __m512i = pulp::cast(part::<WIDE>(window, i));
                        let upper = bytewise._mm512_srli_epi16::<4>(wide);
                        let upper = avx._mm512_and_si512(upper, half);
                        let lower = bytewise._mm512_shuffle_epi8(low[i], wide);
                        let upper = bytewise._mm512_shuffle_epi8(high[i], upper);
                        passed = avx._mm512_ternarylogic_epi64::<AND>(passed, lower, upper);
                    }
                    let ends = bytewise._mm512_cmpeq_epi8_mask(first, line_end);
                    let places = bytewise._mm512_test_epi8_mask(passed, passed);
                    put_by.add(Passed {
                        at,
                        line_ends,
                        ends,
                        places,
                        sieves: pulp::cast(passed),
                    });
                    line_ends += u64::from(ends.count_ones());
                }
                seen.line_ends = line_ends;
                seen.ascii &= bytewise._mm512_movepi8_mask(all) == 0;
            },
        );
        put_by.hand_over(out);
    }
    (whole, seen)
}
