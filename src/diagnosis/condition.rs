//! In: a cause, or the name of an error condition. Out: the condition's name, its SQLSTATE, and the [`Bucket`] and
//! meaning of that SQLSTATE's class.

use super::fix::Bucket;
use super::wording;
use crate::incident::Cause;
use crate::text::pattern;
use regex::Regex;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Names and SQLSTATEs of the conditions of all Spark versions looked at: `name<TAB>state` a line.
static TABLE: &str = include_str!("../../assets/conditions.tsv");

static STATES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    TABLE
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .collect()
});

static BRACKETED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^\s*\[([A-Z][A-Z0-9_]*(?:\.[A-Z][A-Z0-9_]*)*)\]")
        .expect("a constant pattern compiles")
});

/// The condition that a cause carries or that its message begins with. Many words stand in brackets at
/// the head of a message: only names that Spark has count.
pub(super) fn of(cause: &Cause) -> Option<String> {
    if let Some(condition) = &cause.condition {
        return Some(condition.to_string());
    }
    let found = BRACKETED.captures(&cause.message)?;
    // Delta prints its conditions in the same form and keeps a list of its own.
    (is_known(&found[1]) || found[1].starts_with("DELTA_")).then(|| found[1].to_owned())
}

/// The condition that a cause carries, or the one by which later versions of Spark name its words.
pub(super) fn named_or_said(cause: &Cause) -> Option<String> {
    of(cause).or_else(|| wording::condition(cause).map(str::to_owned))
}

/// Whether Spark has a condition of that name; sub-conditions count with their parent.
pub(super) fn is_known(condition: &str) -> bool {
    STATES.contains_key(parent(condition))
}

/// The SQLSTATE of a condition; `None` where it is unknown or has none.
pub(super) fn sqlstate(condition: &str) -> Option<&'static str> {
    STATES
        .get(parent(condition))
        .copied()
        .filter(|state| !state.is_empty())
}

/// The names of all conditions, without those below another.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    STATES.keys().copied()
}

/// The conditions that have an SQLSTATE, by name.
pub(super) fn with_state(state: &str) -> Vec<&'static str> {
    let of_it = STATES.iter().filter(|(_, its)| **its == state);
    let mut names: Vec<_> = of_it.map(|(name, _)| *name).collect();
    names.sort_unstable();
    names
}

/// Words of the names of conditions that PySpark raises in Python, and what those are about: the first that fits.
const IN_PYTHON: [(&[&str], &str); 9] = [
    (
        &[
            "PACKAGE",
            "LIBRARY",
            "PYTHON_VERSION",
            "ARROW_LEGACY",
            "JAVA_GATEWAY",
        ],
        "Python, a package or Java is missing beside it, or not in the version that it needs.",
    ),
    (
        &[
            "RESULT_",
            "RETURN",
            "SCHEMA_MISMATCH",
            "UDTF",
            "UDF",
            "OUTPUT_EXCEEDS",
            "STOP_ITERATION",
            "INPUT_NOT_FULLY",
            "DATA_SOURCE",
        ],
        "A function of yours is not, or does not return, what was declared for it.",
    ),
    (
        &["DIFFERENT_"],
        "A test of pyspark.testing found a difference between two frames or values.",
    ),
    (
        &[
            "SESSION",
            "CONTEXT",
            "CONNECT",
            "MASTER",
            "RETRIES",
            "RESPONSE",
            "SERVER",
            "APPLICATION_NAME",
            "ONLY_VALID_ON_DRIVER",
            "PROTOCOL",
        ],
        "The session, its connection or its address is not what the call needs there.",
    ),
    (
        &["PIPELINE", "GRAPH_ELEMENT"],
        "The specification of a declarative pipeline is not as it must be.",
    ),
    (
        &["UNSUPPORTED", "PANDAS_API_ON_SPARK"],
        "The call asks for something that PySpark does not support there.",
    ),
    (
        &[
            "FIELD_",
            "CANNOT_ACCEPT",
            "CANNOT_DETERMINE",
            "CANNOT_INFER",
            "CANNOT_CONVERT",
            "LENGTH",
            "AXIS",
        ],
        "Values do not fit the types of the schema that they were given for.",
    ),
    (
        &[
            "COLUMN_IN_LIST",
            "CANNOT_APPLY_IN",
            "HIGHER_ORDER",
            "INVALID_WHEN",
            "INVALID_WINDOW",
        ],
        "An expression of columns is put together in a way that has no meaning.",
    ),
    (
        &[
            "NOT_",
            "VALUE_",
            "INVALID_",
            "ARGUMENT",
            "CANNOT_BE",
            "WRONG_NUM",
            "ONLY_ALLOW",
            "INDEX",
            "KEY_",
            "NEGATIVE",
            "ZERO",
            "TOO_MANY",
            "UNKNOWN",
            "MISSING",
        ],
        "An argument is of another type, or has another value, than the call takes.",
    ),
];

/// One sentence on a condition that PySpark raises in Python and that has no SQLSTATE, by the words of its name.
pub(super) fn in_python(condition: &str) -> &'static str {
    let name = parent(condition);
    let fits = |words: &[&str]| words.iter().any(|word| name.contains(word));
    IN_PYTHON
        .iter()
        .find(|(words, _)| fits(words))
        .map_or("Its message says what the call was given.", |(_, text)| {
            *text
        })
}

fn parent(condition: &str) -> &str {
    condition.split('.').next().unwrap_or(condition)
}

/// What an SQLSTATE's class says about a fault: its bucket and one sentence.
///
/// Class 42 holds both the text of a query and the names in it, so its subclasses are told apart.
pub(super) fn class(state: &str) -> Option<(Bucket, &'static str)> {
    const MISSING_NAMES: &str =
        "A name in the query or plan does not fit what is there: a column, a table, a type.";
    const QUERY_TEXT: &str =
        "The query itself is at fault: its syntax, or a construct used where it may not be.";
    let class = state.get(..2)?;
    Some(match class {
        "42" => match state {
            "42501" => (Bucket::Io, "Access was refused."),
            "42703" | "42P01" | "42704" | "42702" | "42710" | "42711" | "42803" | "42826"
            | "42K09" | "42K0G" | "42KD9" | "42P07" => (Bucket::Schema, MISSING_NAMES),
            "42616" | "42K06" => (
                Bucket::Config,
                "An option or a setting is not one that is taken there.",
            ),
            "42K02" => (
                Bucket::Packaging,
                "A data source or class is not on the class path.",
            ),
            "42K03" | "42K04" => (Bucket::Io, "A path is missing or already taken."),
            "42K0B" => (
                Bucket::Data,
                "Newer Spark reads these values in another way than older Spark did.",
            ),
            _ => (Bucket::Sql, QUERY_TEXT),
        },
        "0A" | "07" | "02" | "24" | "2B" | "P0" => (
            Bucket::Sql,
            "The query asks for something that Spark does not support there.",
        ),
        "21" => (
            Bucket::Schema,
            "The number of columns or rows is not the one that is needed.",
        ),
        "3F" => (Bucket::Schema, MISSING_NAMES),
        "22" => match state {
            "22023" | "22546" => (
                Bucket::Sql,
                "An argument, an option or a literal is not one that is taken there.",
            ),
            "2200N" | "22032" | "2203G" | "22KD1" => (Bucket::Schema, MISSING_NAMES),
            _ => (
                Bucket::Data,
                "A value cannot be what the query takes it for.",
            ),
        },
        "HY" => (Bucket::Sql, "The call is not possible in this state."),
        "23" => (Bucket::Data, "The data breaks a constraint."),
        "38" | "39" => (Bucket::UserCode, "A user-defined function failed."),
        "40" => (Bucket::Io, "Another writer was at work at the same time."),
        "53" | "54" | "82" => (Bucket::Resource, "Memory or another limit ran out."),
        "56" | "F0" | "46" | "51" => (
            Bucket::Config,
            "The environment, a setting or a library is not what the query needs.",
        ),
        "55" | "58" | "KD" | "08" => (
            Bucket::Io,
            "A file, a table or the storage below it is not as it should be.",
        ),
        "XX" => (
            Bucket::Sql,
            "Spark itself met a state that it holds to be impossible.",
        ),
        "HV" => (Bucket::Io, "The outer database refused or failed."),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_have_their_states() {
        assert_eq!(sqlstate("UNRESOLVED_COLUMN.WITH_SUGGESTION"), Some("42703"));
        assert_eq!(sqlstate("GC"), None);
        assert!(!is_known("INFO"));
        assert!(STATES.len() > 900);
    }

    #[test]
    fn conditions_without_a_state_are_told_by_their_words() {
        assert!(in_python("SCHEMA_MISMATCH_FOR_PANDAS_UDF").contains("declared"));
        assert!(in_python("NOT_COLUMN_OR_STR").contains("argument"));
        assert!(in_python("PACKAGE_NOT_INSTALLED").contains("missing"));
        assert!(in_python("DIFFERENT_SCHEMA").contains("test"));
        assert!(in_python("SESSION_OR_CONTEXT_EXISTS").contains("session"));
    }

    #[test]
    fn classes_give_a_bucket() {
        assert_eq!(class("22012").map(|c| c.0), Some(Bucket::Data));
        assert_eq!(class("42703").map(|c| c.0), Some(Bucket::Schema));
        assert_eq!(class("XX000").map(|c| c.0), Some(Bucket::Sql));
        assert_eq!(class(""), None);
    }
}
