//! In: any text of a case. Out: [`Safe`] text: the only kind a report can hold, so that none is forgotten.

use crate::text::{sanitise, sanitise_line};
use serde::Serialize;
use std::fmt;

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
        if text.chars().nth(most).is_none() {
            return Self::line(text);
        }
        let kept: String = text.chars().take(most.saturating_sub(1)).collect();
        Self::line(&format!("{}…", kept.trim_end()))
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
