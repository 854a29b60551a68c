//! In: a message of Spark 3.4 or later. Out: the [`Origin`] that it names: the part of the query at fault, and the line of
//! the person's file that built it. A plan is run long after it was built, so the traceback shows another line.

use crate::diagnosis::scene::said;
use crate::diagnosis::template::Values;
use crate::incident::Incident;
use regex::Regex;
use std::sync::LazyLock;

static CALLED_FROM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?m)^== DataFrame ==\s*\n"(\w+)" was called from\s*\n\s*(\S+\.py):(\d+)"#)
        .expect("a constant pattern compiles")
});

static IN_SQL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^== SQL \(line \d+, position \d+\) ==\s*\n((?:.*\n)*?)([ .]*)(\^+)")
        .expect("a constant pattern compiles")
});

/// What a message says of where the query was written.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Origin<'a> {
    /// `cast`, and the file and line that called it.
    pub(super) call: Option<(&'a str, &'a str, &'a str)>,
    /// The part of the SQL text that the carets mark.
    pub(super) fragment: Option<&'a str>,
}

impl<'a> Origin<'a> {
    pub(super) fn of(message: &'a str) -> Self {
        let call = CALLED_FROM.captures(message).and_then(|found| {
            let part = |n| found.get(n).map(|group| group.as_str());
            Some((part(1)?, part(2)?, part(3)?))
        });
        Self {
            call,
            fragment: fragment(message),
        }
    }
}

/// Adds `origin`, `origin_call`, `origin_file`, `origin_line` and `fragment`, as far as a message of the chain tells.
pub(super) fn put(incident: &Incident, values: &mut Values) {
    for cause in incident.chain.iter().rev() {
        let origin = Origin::of(said(cause));
        let mut put = |name: &str, value: String| {
            values.entry(name.to_owned()).or_insert(value);
        };
        if let Some((call, file, line)) = origin.call {
            let file = file.rsplit(['/', '\\']).next().unwrap_or(file);
            put("origin", format!("{file}:{line}"));
            put("origin_call", call.to_owned());
            put("origin_file", file.to_owned());
            put("origin_line", line.to_owned());
        }
        if let Some(fragment) = origin.fragment {
            put("fragment", fragment.to_owned());
        }
    }
}

fn fragment(message: &str) -> Option<&str> {
    let found = IN_SQL.captures(message)?;
    let line = found.get(1)?.as_str().lines().last()?;
    let from = found.get(2)?.as_str().len();
    let to = (from + found.get(3)?.as_str().len()).min(line.len());
    line.get(from..to)
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_built_the_query_and_the_marked_part_are_found() {
        let origin = Origin::of(
            "[CAST_INVALID_INPUT] The value … SQLSTATE: 22018\n== DataFrame ==\n\"cast\" was called from\n/srv/jobs/typed.py:11\n",
        );
        assert_eq!(origin.call, Some(("cast", "/srv/jobs/typed.py", "11")));
        let origin = Origin::of(
            "[DIVIDE_BY_ZERO] Division by zero.\n== SQL (line 1, position 8) ==\nSELECT returned / sold AS share FROM days\n       ^^^^^^^^^^^^^^^\n",
        );
        assert_eq!(origin.fragment, Some("returned / sold"));
        assert_eq!(Origin::of("ValueError: x"), Origin::default());
    }
}
