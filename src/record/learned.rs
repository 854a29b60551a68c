//! In: the lines of a source's sample. Out: the shape of what stands in front of each of them, where a shipper that no
//! rule knows put it there: a counter, a file's name, a tag, a clock of its own.

use std::cmp::Reverse;

/// The most signs of a shape.
const MOST: usize = 64;
/// So many shapes are tried, the most frequent first.
const TRIED: usize = 8;
/// A prefix is at most so many bytes long.
const LONGEST: usize = 200;

/// A number, a word, blanks; every other sign stands for itself.
const NUMBER: u8 = b'0';
const WORD: u8 = b'a';
const BLANKS: u8 = 1;

/// The shape of a prefix. What is behind it, blanks included, is the line as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Learned {
    signs: [u8; MOST],
    len: usize,
}

impl Learned {
    /// The shape that almost all lines begin with, when it stands in front of what `speaks` in most of those that do.
    /// Lines that speak by themselves need none, and where there are some, there is none.
    pub(super) fn of<'l>(
        lines: &(impl Iterator<Item = &'l str> + Clone),
        speaks: impl Fn(&str) -> bool,
    ) -> Option<Self> {
        let mut shapes: Vec<(Self, usize)> = Vec::new();
        let (mut all, mut plain, mut anchored) = (0_usize, 0_usize, 0_usize);
        for line in lines.clone() {
            all += 1;
            if speaks(line) {
                plain += 1;
                if plain > 8 && plain * 10 > all {
                    return None;
                }
                continue;
            }
            let Some(shape) = Self::before(line, &speaks) else {
                continue;
            };
            anchored += 1;
            match shapes.iter_mut().find(|(known, _)| *known == shape) {
                Some((_, count)) => *count += 1,
                None => shapes.push((shape, 1)),
            }
        }
        if plain * 10 > all {
            return None;
        }
        shapes.sort_by_key(|&(_, count)| Reverse(count));
        let mut shapes = shapes.into_iter().take(TRIED);
        let found = shapes.find(|(shape, count)| {
            let with = lines
                .clone()
                .filter(|line| shape.strip(line).is_some())
                .count();
            let most = *count >= 3 && count * 2 >= anchored && with * 100 >= all * 85;
            most || with >= 3 && with == all
        });
        found.map(|(shape, _)| shape)
    }

    /// The shape of the first so many signs of a text.
    pub(super) fn beginning(text: &str, most: usize) -> Option<Self> {
        let mut shape = Self {
            signs: [0; MOST],
            len: 0,
        };
        let mut rest = text;
        while shape.len < most.min(MOST) && !rest.is_empty() {
            let (sign, taken) = sign(rest);
            shape.signs[shape.len] = sign;
            shape.len += 1;
            rest = &rest[taken..];
        }
        (shape.len > 0).then_some(shape)
    }

    /// The shape of what stands in front of the first thing in a line that speaks.
    fn before(line: &str, speaks: &impl Fn(&str) -> bool) -> Option<Self> {
        let starts = line
            .char_indices()
            .skip(1)
            .take_while(|&(at, _)| at <= LONGEST);
        let mut previous = line.chars().next()?;
        for (at, c) in starts {
            let boundary = !previous.is_alphanumeric() && !c.is_whitespace();
            previous = c;
            // A frame has a margin of its own, which is not the shipper's.
            if boundary && !line[at..].starts_with("at ") && speaks(&line[at..]) {
                return Self::shape(&line[..at]);
            }
        }
        None
    }

    fn shape(prefix: &str) -> Option<Self> {
        let mut signs = [0; MOST];
        let mut len = 0;
        // The blanks at the end are told one by one: those behind them belong to the line.
        let end = prefix.trim_end_matches([' ', '\t']).len();
        // Those at the beginning align numbers of different length.
        let mut rest = prefix[..end].trim_start_matches([' ', '\t']);
        while !rest.is_empty() {
            let (sign, taken) = sign(rest);
            *signs.get_mut(len)? = sign;
            len += 1;
            rest = &rest[taken..];
        }
        if len == 0 {
            return None;
        }
        for blank in prefix[end..].bytes() {
            *signs.get_mut(len)? = blank;
            len += 1;
        }
        Some(Self { signs, len })
    }

    /// The line behind the prefix. Of a line with nothing behind it, an editor may have taken the last blanks.
    pub(super) fn strip<'t>(&self, text: &'t str) -> Option<&'t str> {
        let mut rest = text.trim_start_matches([' ', '\t']);
        for (i, &expected) in self.signs[..self.len].iter().enumerate() {
            if rest.is_empty() && matches!(expected, b' ' | b'\t') && i > 0 {
                return Some(rest);
            }
            let taken = match expected {
                b' ' | b'\t' => usize::from(rest.as_bytes().first() == Some(&expected)),
                _ => match sign(rest) {
                    (NUMBER, taken) if expected == WORD => taken,
                    (found, taken) if found == expected => taken,
                    _ => 0,
                },
            };
            if taken == 0 {
                return None;
            }
            rest = &rest[taken..];
        }
        Some(rest)
    }
}

/// The sign for what `text` begins with, and its length in bytes.
fn sign(text: &str) -> (u8, usize) {
    let run = |of: fn(char) -> bool| text.find(|c| !of(c)).unwrap_or(text.len());
    match text.chars().next() {
        Some(' ' | '\t') => (BLANKS, run(|c| matches!(c, ' ' | '\t'))),
        Some(c) if c.is_alphanumeric() || c == '_' => {
            let word = run(|c| c.is_alphanumeric() || c == '_');
            let digits = text[..word].bytes().all(|b| b.is_ascii_digit());
            (if digits { NUMBER } else { WORD }, word)
        }
        Some(c) if c.is_ascii() => (c as u8, 1),
        // Bars and bullets: one sign for all that are no letters.
        Some(c) => (0xff, c.len_utf8()),
        None => (0, 0),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;

    const LOG: [&str; 6] = ["INFO a", "\tat a.b(C:1)", "INFO b", "", "  x", "INFO c: d"];

    fn learned(wrap: impl Fn(usize, &str) -> String) -> Option<Learned> {
        let lines: Vec<String> = (1..).zip(LOG).map(|(n, line)| wrap(n, line)).collect();
        let learned = Learned::of(&lines.iter().map(String::as_str), |text| {
            text.starts_with("INFO ")
        })?;
        for (wrapped, line) in lines.iter().zip(LOG) {
            assert_eq!(learned.strip(wrapped), Some(line), "{wrapped:?}");
        }
        Some(learned)
    }

    #[test]
    fn whatever_stands_in_front_of_all_lines_is_learned() {
        assert!(learned(|n, line| format!("{:6}\t{line}", n * 3)).is_some());
        assert!(learned(|n, line| format!("{n}:{line}")).is_some());
        assert!(learned(|n, line| format!("logs/driver.log:{n}:{line}")).is_some());
        assert!(learned(|_, line| format!("  * {line}")).is_some());
        assert!(
            learned(|n, line| format!("a/b/7 2024-01-02T03:04:{n:02}.678+00:00 {line}")).is_some()
        );
        assert!(learned(|n, line| format!("<{n}>1 [x@42 y=\"z\"] {line}")).is_some());
    }

    #[test]
    fn blanks_that_an_editor_took_are_not_missed() {
        let learned = learned(|n, line| format!("{n:4} {line}")).unwrap();
        assert_eq!(learned.strip("  12"), Some(""));
        assert_eq!(learned.strip("INFO a"), None);
    }

    #[test]
    fn a_plain_log_has_no_prefix() {
        assert_eq!(learned(|_, line| line.to_owned()), None);
        // Only its heads have something in front.
        let heads = |_, line: &str| {
            if line.starts_with("INFO") {
                format!("app {line}")
            } else {
                line.to_owned()
            }
        };
        assert_eq!(learned(heads), None);
    }
}
