//! In: a message. Out: the error condition and the SQLSTATE it carries, as Spark 3.4 and later print them.

use crate::text::{Symbol, pattern};
use regex::Regex;
use std::sync::LazyLock;

static CONDITION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\[([A-Z][A-Z0-9_]*(?:\.[A-Z][A-Z0-9_]*)*)\] ").expect("a valid pattern")
});
static SQLSTATE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"SQLSTATE: ([0-9A-Z]{5})\b").expect("a valid pattern"));
/// Words in brackets that are no conditions.
const NO_CONDITIONS: &[&str] = &[
    "INFO", "WARN", "ERROR", "DEBUG", "TRACE", "FATAL", "GC", "PATH", "TERM", "HUP",
];

/// The condition and the SQLSTATE of a message.
pub(super) fn of(message: &str) -> (Option<Symbol>, Option<Symbol>) {
    let head: &str = message
        .char_indices()
        .nth(4_000)
        .map_or(message, |(at, _)| &message[..at]);
    let condition = if head.contains('[') {
        CONDITION
            .captures_iter(head)
            .map(|f| f.get(1).map_or("", |m| m.as_str()))
            .filter(|name| name.len() > 3 && !NO_CONDITIONS.contains(name))
            // A query that ended says behind this which condition ended it.
            .reduce(|first, next| {
                if first == "STREAM_FAILED" {
                    next
                } else {
                    first
                }
            })
            .map(Symbol::new)
    } else {
        None
    };
    let sqlstate = if message.contains("SQLSTATE: ") {
        SQLSTATE.captures(message).map(|f| Symbol::new(&f[1]))
    } else {
        None
    };
    (condition, sqlstate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_and_states() {
        let (condition, state) = of(
            "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column `x` cannot be resolved. SQLSTATE: 42703; line 1 pos 7",
        );
        assert_eq!(
            (condition.as_deref(), state.as_deref()),
            (Some("UNRESOLVED_COLUMN.WITH_SUGGESTION"), Some("42703"))
        );
        let (condition, _) = of(
            "[STREAM_FAILED] Query [id = 1] terminated with exception: [CONCURRENT_QUERY] x [Y_Z] z",
        );
        assert_eq!(condition.as_deref(), Some("CONCURRENT_QUERY"));
        assert_eq!(of("[INFO] nothing"), (None, None));
    }
}
