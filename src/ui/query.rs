//! In: what a person typed after `/` or `&`. Out: [`Query`], which texts match, and which lines of a trace do.

use super::texts::safe_text;
use crate::load::Case;
use regex::{Regex, RegexBuilder};

/// Bytes a typed pattern may take when compiled.
const LARGEST: usize = 1 << 20;

/// Something to look for.
#[derive(Debug, Clone)]
pub struct Query {
    typed: String,
    pattern: Regex,
    negated: bool,
}

impl Query {
    /// A regular expression, or the text itself where it is none; capitals count only where some are typed.
    /// `None` where nothing was typed.
    pub fn new(typed: &str) -> Option<Self> {
        if typed.is_empty() {
            return None;
        }
        let build = |pattern: &str| {
            RegexBuilder::new(pattern)
                .case_insensitive(!typed.chars().any(char::is_uppercase))
                .size_limit(LARGEST)
                .build()
        };
        let pattern = build(typed)
            .or_else(|_| build(&regex::escape(typed)))
            .ok()?;
        Some(Self {
            typed: typed.to_owned(),
            pattern,
            negated: false,
        })
    }

    /// For a filter: a `!` in front asks for what does not match.
    pub fn filter(typed: &str) -> Option<Self> {
        match typed.strip_prefix('!') {
            Some(rest) => Some(Self {
                typed: typed.to_owned(),
                negated: true,
                ..Self::new(rest)?
            }),
            None => Self::new(typed),
        }
    }

    /// As it was typed.
    pub fn typed(&self) -> &str {
        &self.typed
    }

    /// For marking what matched; `None` where what does not match is asked for.
    pub fn pattern(&self) -> Option<&Regex> {
        (!self.negated).then_some(&self.pattern)
    }

    /// For searching many lines at once, as bytes; `None` where what does not match is asked for.
    pub(super) fn over_lines(&self) -> Option<regex::bytes::Regex> {
        regex::bytes::RegexBuilder::new(self.pattern()?.as_str())
            .case_insensitive(!self.typed.chars().any(char::is_uppercase))
            .multi_line(true)
            .crlf(true)
            .size_limit(LARGEST)
            .build()
            .ok()
    }

    /// Whether a text is what was asked for.
    pub fn matches(&self, text: &str) -> bool {
        self.pattern.is_match(text) != self.negated
    }

    /// Whether what does not match is asked for.
    pub(super) fn is_negated(&self) -> bool {
        self.negated
    }

    /// Whether a text holds the pattern, whichever of both is asked for.
    pub(super) fn finds(&self, text: &str) -> bool {
        self.pattern.is_match(text)
    }

    /// The lines of an incident's trace that are; reads all of them.
    pub fn scan(&self, case: &Case, incident: usize) -> Vec<usize> {
        let Some(incident) = case.story.incidents.get(incident) else {
            return Vec::new();
        };
        incident
            .trace
            .iter()
            .enumerate()
            .filter(|(_, line)| self.matches(&safe_text(case, &line.place)))
            .map(|(i, _)| i)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use crate::ui::sample;

    #[test]
    fn capitals_count_where_some_are_typed() {
        let matches = |typed, text| Query::new(typed).unwrap().matches(text);
        assert!(matches("valueerror", "ValueError: x"));
        assert!(!matches("Valueerror", "ValueError: x"));
        assert!(matches("val.*x$", "ValueError: x"));
        assert!(matches("int(", "invalid literal for int()"));
        assert!(Query::new("").is_none());
        assert!(Query::filter("!").is_none());
        assert!(!Query::filter("!value").unwrap().matches("ValueError"));
    }

    #[test]
    fn a_trace_is_searched_as_it_is_shown() {
        let case = sample::udf();
        let lines = Query::new("parse_age|naïve").unwrap().scan(&case, 0);
        assert_eq!(lines, [13, 16]);
        assert_eq!(Query::new("x").unwrap().scan(&case, 9), Vec::<usize>::new());
    }
}
