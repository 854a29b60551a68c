//! In: a regular expression as people write it. Out: the compiled one, whose classes cost next to nothing to compile.
//!
//! The tables of Unicode behind `\w` and `\d` are what compiling most patterns is spent on, and the program starts
//! many times a day. Logs are read as well by classes that know ASCII and take the rest for letters.

use regex::{Regex, RegexBuilder, bytes};
use std::borrow::Cow;

/// Bytes that a pattern from a file of rules or layouts may take when compiled: its time grows with that and with the text, so
/// one that is blown up by counts within counts is refused.
const LARGEST_PATTERN: usize = 256 << 10;

/// Compiles `source`. Digits are those of ASCII, blanks those of ASCII and the non-breaking one; a letter is what is
/// one in ASCII, `_`, and anything beyond ASCII.
///
/// # Errors
/// What is wrong with the pattern.
pub fn pattern(source: &str) -> Result<Regex, regex::Error> {
    Regex::new(&cheap(source))
}

/// As [`pattern`], for what a person wrote.
///
/// # Errors
/// What is wrong with the pattern; where it is too large, too.
pub fn own_pattern(source: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(&cheap(source))
        .size_limit(LARGEST_PATTERN)
        .build()
}

/// The same over bytes that may be no text.
///
/// # Errors
/// What is wrong with the pattern.
pub fn bytes_pattern(source: &str) -> Result<bytes::Regex, regex::Error> {
    bytes::Regex::new(&cheap(source))
}

/// The pattern with its classes replaced. A class within brackets may hold another in brackets.
fn cheap(source: &str) -> Cow<'_, str> {
    if !source.contains('\\') || source.contains("-u") {
        return Cow::Borrowed(source);
    }
    // Where case does not count, all characters of a class are looked up in the tables of cases one by one.
    let regardless_of_case = source.contains("(?i");
    let mut out = String::with_capacity(source.len() * 2);
    let mut characters = source.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        let Some(escaped) = characters.next() else {
            out.push('\\');
            break;
        };
        match escaped {
            'd' => out.push_str("[0-9]"),
            'D' => out.push_str("[^0-9]"),
            's' => out.push_str(r"[\t-\r\x20\u{a0}]"),
            'S' => out.push_str(r"[^\t-\r\x20\u{a0}]"),
            'w' if !regardless_of_case => out.push_str(r"[0-9A-Za-z_\u{80}-\u{10ffff}]"),
            'W' if !regardless_of_case => out.push_str(r"[^0-9A-Za-z_\u{80}-\u{10ffff}]"),
            other => out.extend(['\\', other]),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn classes_mean_what_they_say_for_ascii_and_take_the_rest_for_letters() {
        for source in [
            r"\w+",
            r"[\w.]+",
            r"[^\w]+",
            r"\W+",
            r"\d+",
            r"[\d,]+",
            r"\D",
            r"\s+",
            r"[^\s:]+",
            r"\S+",
            r"(?i)a\w\d+",
            r"\\w",
            r"\b\w",
            r"(?x) [\w \d] \s # two",
        ] {
            let (ours, plain) = (pattern(source).unwrap(), Regex::new(source).unwrap());
            for text in [
                "ab_1 2,3.4",
                "a7 \t\r\n:",
                r"\w \\d",
                "größe_2 ä",
                "",
                "é: 1 2",
            ] {
                let found =
                    |regex: &Regex| regex.find_iter(text).map(|m| m.range()).collect::<Vec<_>>();
                assert_eq!(found(&ours), found(&plain), "{source} in {text:?}");
            }
        }
        assert!(pattern(r"^\d$").unwrap().is_match("7"));
        assert!(!pattern(r"^\d$").unwrap().is_match("٧"));
        assert!(pattern(r"^\w+$").unwrap().is_match("größe–2"));
        assert!(pattern("(").is_err());
        assert!(own_pattern("(a{100}){100}").is_err());
    }
}
