//! In: what a person typed after `/` or `&`. Out: [`Query`], which texts match, and which lines of a trace do.

use super::texts::safe_text;
use crate::fact::LineKind;
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

    /// Whether what is made of several texts passes a filter: one of them matches, or none where what does not match is asked
    /// for.
    pub(super) fn passes<'t>(&self, mut texts: impl Iterator<Item = &'t str>) -> bool {
        texts.any(|text| self.finds(text)) != self.negated
    }

    /// Whether what does not match is asked for.
    pub(super) fn is_negated(&self) -> bool {
        self.negated
    }

    /// Whether a text holds the pattern, whichever of both is asked for.
    pub(super) fn finds(&self, text: &str) -> bool {
        self.pattern.is_match(text)
    }

    /// The lines of an incident's trace that match; reads all of them.
    pub fn scan(&self, case: &Case, incident: usize) -> Vec<usize> {
        let Some(incident) = case.story.incidents.get(incident) else {
            return Vec::new();
        };
        incident
            .trace
            .iter()
            .enumerate()
            .filter(|(_, line)| self.finds(&safe_text(case, &line.place)))
            .map(|(i, _)| i)
            .collect()
    }

    /// The lines of an incident's trace that pass a filter: whole records, each with all of its trace, of which a line
    /// matches, or none where what does not match is asked for.
    pub fn pass(&self, case: &Case, incident: usize) -> Vec<usize> {
        let found = self.scan(case, incident);
        let Some(incident) = case.story.incidents.get(incident) else {
            return Vec::new();
        };
        let starts = incident.trace.iter().enumerate().skip(1);
        let starts = starts.filter(|(_, line)| line.kind == LineKind::Log);
        let ends: Vec<usize> = starts
            .map(|(i, _)| i)
            .chain([incident.trace.len()])
            .collect();
        let (mut from, mut passing) = (0, Vec::new());
        for end in ends {
            let first = found.partition_point(|line| *line < from);
            let matched = found.get(first).is_some_and(|line| *line < end);
            if matched != self.negated {
                passing.extend(from..end);
            }
            from = end;
        }
        passing
    }

    /// What [`Effect::Scan`](super::event::Effect::Scan) asks for.
    pub fn answer(&self, case: &Case, incident: usize, filter: bool) -> Vec<usize> {
        if filter {
            self.pass(case, incident)
        } else {
            self.scan(case, incident)
        }
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

    #[test]
    fn a_filter_passes_whole_records_with_their_traces() {
        let mut case = sample::udf();
        let lines = case.story.incidents[0].trace.len();
        // A second record begins behind the first lines.
        case.story.incidents[0].trace[7].kind = LineKind::Log;
        let pass = |typed| Query::filter(typed).unwrap().pass(&case, 0);
        let (first, second): (Vec<usize>, Vec<usize>) = ((0..7).collect(), (7..lines).collect());
        assert_eq!(pass("parse_age"), second);
        assert_eq!(pass("main\\(\\)"), first);
        assert_eq!(pass("!main\\(\\)"), second);
        assert_eq!(pass("."), [first, second].concat());
        assert_eq!(pass("nowhere"), Vec::<usize>::new());
        assert_eq!(
            Query::filter("x").unwrap().pass(&case, 9),
            Vec::<usize>::new()
        );
    }
}
