//! In: a cause that names no error condition. Out: the condition by which later versions of Spark name what it says, so that
//! one rule answers all of them.

use super::pattern::{PatternId, Patterns};
use super::scene::said;
use crate::incident::Cause;
use std::sync::LazyLock;

/// `condition<TAB>pattern` a line.
static TABLE: &str = include_str!("../../assets/wordings.tsv");

/// The classes under which Spark says these words; elsewhere they are somebody else's.
const CLASSES: &[&str] = &[
    "AnalysisException",
    "ClassNotFoundException",
    "ExtendedAnalysisException",
    "IllegalArgumentException",
    "IllegalStateException",
    "InvalidUDFClassException",
    "ParseException",
    "RuntimeException",
    "SparkException",
    "SparkUnsupportedOperationException",
    "UnsupportedOperationException",
];

#[derive(Debug)]
struct Wordings {
    patterns: Patterns,
    rows: Vec<(&'static str, PatternId)>,
}

static WORDINGS: LazyLock<Wordings> = LazyLock::new(|| {
    let mut patterns = Patterns::default();
    let rows = rows().filter_map(|(condition, source)| {
        let (pattern, _) = patterns.add(source).ok()?;
        Some((condition, pattern))
    });
    let rows = rows.collect();
    Wordings { patterns, rows }
});

fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLE
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
}

/// The condition whose older words a cause's message is.
pub(super) fn condition(cause: &Cause) -> Option<&'static str> {
    if !CLASSES.contains(&cause.short_class()) {
        return None;
    }
    let said = said(cause);
    let can = WORDINGS.patterns.candidates(said);
    let is_it = |pattern| {
        let regex = WORDINGS.patterns.regex(pattern);
        can[pattern] && regex.is_some_and(|regex| regex.is_match(said))
    };
    let row = WORDINGS.rows.iter().find(|(_, pattern)| is_it(*pattern));
    row.map(|(condition, _)| *condition)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::condition::is_known;

    #[test]
    fn rows_name_known_conditions_and_patterns_that_compile() {
        assert_eq!(rows().count(), WORDINGS.rows.len());
        assert!(WORDINGS.patterns.compile_all().is_ok());
        for (condition, source) in rows() {
            assert!(is_known(condition), "{condition}");
            assert!(source.len() > 16, "{condition}: {source}");
        }
    }
}
