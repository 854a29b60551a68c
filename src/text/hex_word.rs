//! In: a text. Out: where in it a number stands that is written in the digits and letters of base sixteen: a hash, a part of
//! a UUID. It differs from one line to the next as other numbers do, and nobody is called so.

use std::ops::Range;

/// A shorter one may be a word: `cafe1`, `e17`.
const SHORTEST: usize = 8;

/// What a byte is in a word: a decimal digit, one of the letters of base sixteen, another letter. Any other ends the word.
const DIGIT: u8 = 1;
const LETTER: u8 = 2;
const OTHER: u8 = 4;
const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut b = 0_u8;
    while b < 128 {
        kinds[b as usize] = match b {
            b'0'..=b'9' => DIGIT,
            b'a'..=b'f' => LETTER,
            b'g'..=b'z' | b'A'..=b'Z' => OTHER,
            _ => 0,
        };
        b += 1;
    }
    kinds
};

/// Where they are, in order: UUIDs, and words of digits and of the letters `a` to `f`, with one of each at least.
pub fn hex_words(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut from = 0;
    std::iter::from_fn(move || {
        let first = from;
        let (mut start, mut kinds) = (first, 0);
        for at in first..=text.len() {
            let kind = kind(text.get(at));
            if kind != 0 {
                kinds |= kind;
                continue;
            }
            if at - start >= SHORTEST && kinds & OTHER == 0 {
                if let Some(end) = end_of_uuid(text, start, at) {
                    from = end;
                    return Some(start..end);
                }
                if kinds == DIGIT | LETTER {
                    from = at;
                    return Some(start..at);
                }
            }
            (start, kinds) = (at + 1, 0);
        }
        from = text.len() + 1;
        None
    })
}

fn kind(byte: Option<&u8>) -> u8 {
    byte.map_or(0, |byte| KINDS[usize::from(*byte)])
}

/// Where a UUID ends whose first group is the word `start..end`.
fn end_of_uuid(text: &[u8], start: usize, end: usize) -> Option<usize> {
    const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];
    if end - start != GROUPS[0] || text.get(end) != Some(&b'-') {
        return None;
    }
    let (mut at, mut kinds) = (start, 0);
    for group in GROUPS {
        let word = text.get(at..at + group)?;
        let is_hex = word.iter().all(|b| matches!(kind(Some(b)), DIGIT | LETTER));
        at += group;
        let last = at - start == 36;
        let ends = if last {
            kind(text.get(at)) == 0
        } else {
            text.get(at) == Some(&b'-')
        };
        if !is_hex || !ends {
            return None;
        }
        kinds |= word.iter().fold(0, |kinds, b| kinds | kind(Some(b)));
        at += usize::from(!last);
    }
    (kinds == DIGIT | LETTER).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_told_from_words_and_numbers() {
        let found = |text: &'static str| -> Vec<&str> {
            hex_words(text.as_bytes()).map(|word| &text[word]).collect()
        };
        assert_eq!(
            found("part-00000-5f2d9c1a-0b1c-4e5f-8a9b-0123456789ab-c000.parquet"),
            ["5f2d9c1a-0b1c-4e5f-8a9b-0123456789ab"]
        );
        assert_eq!(
            found("d41d8cd98f00b204e9800998ecf8427e"),
            ["d41d8cd98f00b204e9800998ecf8427e"]
        );
        assert_eq!(
            found("5f2d9c1a-0b1c-4e5f-8a9b-0123456789abc"),
            ["5f2d9c1a", "0123456789abc"]
        );
        assert_eq!(
            found("12345678-1234-1234-1234-123456789abc"),
            ["12345678-1234-1234-1234-123456789abc"]
        );
        for text in [
            "20240102 deadbeef facade",
            "cafe123",
            "0x7f3b2c001000",
            "12345678g",
            "ABCDEF01",
            "",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
