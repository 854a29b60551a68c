//! In: a text. Out: whether it is a line of a log: with nothing, an envelope, or a prefix in front. That is how a wrapping is
//! told: without it the lines speak.

use super::dress::Dress;
use super::json;
use super::layout::LAYOUTS;
use super::pattern::compile;
use super::quoted;
use super::shipper::SHIPPERS;
use regex::Regex;
use std::sync::LazyLock;

/// What shows that a line was taken out of its wrapping: beginnings of traces, causes, frames.
static TRACE: LazyLock<Regex> = LazyLock::new(|| {
    compile(concat!(
        r"^(?:\s*at [\w.$<>/]+\(|Traceback \(most recent call last\):|Caused by: |\s+File .*, line \d+",
        r#"|Exception in thread "|(?:[\w$]+\.)*[A-Z][\w$]*(?:Exception|Error)(?:: |$| +Traceback \()|\{"ts": ?""#,
        r"|\(<class '|Error: |`?Job aborted due to stage failure: |Unrecognized VM option |[\w./-]+: line \d+: +\d+ )"
    ))
    .expect("a valid pattern")
});

/// An object of a log in JSON lines.
static OBJECT: LazyLock<Regex> =
    LazyLock::new(|| compile(r#"^\{"[@\w.]+": ?["{\d].*\}\s*$"#).expect("a valid pattern"));

/// Whether a text is a line of a log with nothing in front.
pub(super) fn speaks(text: &str) -> bool {
    TRACE.is_match(text) || LAYOUTS.fits(text)
}

/// Whether a text is a line of a log, or the envelope of one.
pub(super) fn speaks_or_carries(text: &str) -> bool {
    speaks(text)
        || OBJECT.is_match(text) && json::read(text, None).is_some()
        || quoted::bytes_of(text).is_some_and(|line| speaks_shipped(&line))
}

/// Whether there is a prefix, of those that depend on the whole source, behind which the text speaks.
pub(super) fn speaks_behind_any(text: &str) -> bool {
    SHIPPERS
        .of_sources()
        .filter_map(|(rule, _)| SHIPPERS.strip_by(rule, text))
        .any(|stripped| speaks(&stripped.rest))
}

/// Whether a text is a line of a log, whatever is in front of it.
pub(super) fn speaks_somehow(text: &str) -> bool {
    speaks_or_carries(text) || speaks_shipped(text)
}

/// The same behind prefixes alone.
fn speaks_shipped(text: &str) -> bool {
    speaks(&Dress::default().strip(text)) || speaks_behind_any(text)
}
