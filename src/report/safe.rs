//! In: any text of a case. Out: [`Safe`] text: the only kind a report can hold, so that none is forgotten.

use crate::text::{Lines, sanitise, sanitise_line};
use serde::Serialize;
use std::fmt;

/// A line of which so many characters are told is looked at for secrets in so many times as many.
const MASKED_BY: usize = 8;

/// Text that went through the sanitiser.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Safe(String);

impl Safe {
    /// Of one line; line ends in it become visible.
    pub fn line(text: &str) -> Self {
        Self(sanitise_line(text).into_owned())
    }

    /// Of one line that is told in at most `most` characters; what is left out is marked with `…`.
    pub fn short(text: &str, most: usize) -> Self {
        Self::next(&mut Lines::default(), text, most)
    }

    /// The same of the next of several lines.
    pub fn next(lines: &mut Lines, text: &str, most: usize) -> Self {
        // It is cut behind the masking: half a secret is not known as one.
        let safe = lines.safe(start(text, most.saturating_mul(MASKED_BY)));
        let told = start(&safe, most.saturating_sub(1));
        if safe.chars().nth(most).is_none() {
            return Self(safe.into_owned());
        }
        Self(format!("{}…", told.trim_end()))
    }

    /// Of several lines.
    pub fn block(text: &str) -> Self {
        Self(sanitise(text).into_owned())
    }

    /// Of the value behind a name: the name may be what tells that it is a secret.
    pub fn value(name: &str, value: &str) -> Self {
        let told = Self::line(&format!("{name}={value}"));
        let value = told.0.split_once('=').map(|(_, value)| value.to_owned());
        value.map_or(told, Self)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// At most so many characters of a text.
fn start(text: &str, most: usize) -> &str {
    text.char_indices()
        .nth(most)
        .map_or(text, |(at, _)| &text[..at])
}

impl fmt::Display for Safe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_counts_characters_and_marks_what_it_left_out() {
        assert_eq!(Safe::short("grün", 4).as_str(), "grün");
        assert_eq!(Safe::short("grünes", 4).as_str(), "grü…");
        assert_eq!(Safe::short("ab cdef", 4).as_str(), "ab…");
        let cut = Safe::short("s3a://etl:hunter2hunter2@orders", 20);
        assert_eq!(cut.as_str(), "s3a://etl:‹masked›@…");
    }

    #[test]
    fn a_name_tells_that_its_value_is_a_secret() {
        let value = |name| Safe::value(name, "hunter2").to_string();
        assert_eq!(value("spark.db.password"), "‹masked›");
        assert_eq!(value("spark.db.user"), "hunter2");
    }

    #[test]
    fn a_line_cannot_smuggle_an_escape_or_a_second_line() {
        assert_eq!(Safe::line("a\x1b[2J\nb").as_str(), "a␛[2J␊b");
    }
}
