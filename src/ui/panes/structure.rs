//! In: a message. Out: what it lists or nests, as lines of its own: names that were meant, JSON.

use crate::text::pattern;
use crate::ui::theme::Role;
use crate::ui::widgets::one_line;
use regex::Regex;
use serde_json::Value;
use std::sync::LazyLock;

/// Names that are listed at most, and lines of JSON.
const MOST_NAMES: usize = 8;
const MOST_LINES: usize = 40;
/// Shorter JSON reads well as it is.
const SHORTEST: usize = 60;

/// What the analyser suggests, and in versions before 3.3 all it had to choose from.
static NAMES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(Did you mean one of the following\?|given input columns:) \[([^\]\n]+)\]")
        .expect("a valid pattern")
});

/// The lines, each with what it is to look like; none where a message is plain.
pub(super) fn lines(message: &str) -> Vec<(Role, String)> {
    let mut lines = names(message);
    lines.extend(json(message));
    lines
}

fn names(message: &str) -> Vec<(Role, String)> {
    let Some(found) = NAMES.captures(message) else {
        return Vec::new();
    };
    let piece = |i: usize| found.get(i).map_or("", |m| m.as_str());
    let names: Vec<&str> = piece(2)
        .split(',')
        .map(str::trim)
        .filter(|n| !n.is_empty())
        .collect();
    if names.len() < 2 {
        return Vec::new();
    }
    let heading = if piece(1).starts_with("Did") {
        "did you mean"
    } else {
        "there are"
    };
    let mut lines = vec![(Role::Dim, format!("{heading}:"))];
    let shown = names.iter().take(MOST_NAMES);
    lines.extend(shown.map(|name| (Role::Code, format!("  {}", one_line(name)))));
    if names.len() > MOST_NAMES {
        lines.push((
            Role::Dim,
            format!("  and {} more", names.len() - MOST_NAMES),
        ));
    }
    lines
}

fn json(message: &str) -> Vec<(Role, String)> {
    let Some(at) = message.find("{\"") else {
        return Vec::new();
    };
    let mut values = serde_json::Deserializer::from_str(&message[at..]).into_iter::<Value>();
    let Some(Ok(value)) = values.next() else {
        return Vec::new();
    };
    let nests = value.as_object().is_some_and(|object| object.len() > 1);
    if values.byte_offset() < SHORTEST || !nests {
        return Vec::new();
    }
    let pretty = serde_json::to_string_pretty(&value).unwrap_or_default();
    let mut lines: Vec<_> = pretty
        .lines()
        .take(MOST_LINES)
        .map(|line| (Role::Code, one_line_kept(line)))
        .collect();
    let more = pretty.lines().count() - lines.len();
    if more > 0 {
        lines.push((Role::Dim, format!("and {more} more lines")));
    }
    lines
}

/// A line made safe to show, with its indentation.
fn one_line_kept(line: &str) -> String {
    let text = line.trim_start();
    format!("{}{}", " ".repeat(line.len() - text.len()), one_line(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(message: &str) -> Vec<String> {
        lines(message).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn names_that_were_meant_are_listed() {
        let new = "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column with name `tide` cannot be resolved. Did you mean one of the following? [`tides`, `time`]. SQLSTATE: 42703";
        assert_eq!(texts(new), ["did you mean:", "  `tides`", "  `time`"]);
        let old = format!(
            "cannot resolve '`tide`' given input columns: [{}];",
            (0..11)
                .map(|n| format!("c{n}"))
                .collect::<Vec<_>>()
                .join(", ")
        );
        let told = texts(&old);
        assert_eq!((told[0].as_str(), told.len()), ("there are:", 10));
        assert_eq!(told[9], "  and 3 more");
        assert!(texts("Did you mean one of the following? [`tides`].").is_empty());
    }

    #[test]
    fn json_is_laid_out() {
        let message = r#"the service said {"error":{"code":429,"reason":"too many requests in this minute"},"retry":true} twice"#;
        assert_eq!(
            texts(message),
            [
                "{",
                "  \"error\": {",
                "    \"code\": 429,",
                "    \"reason\": \"too many requests in this minute\"",
                "  },",
                "  \"retry\": true",
                "}"
            ]
        );
        assert!(texts(r#"{"a":1}"#).is_empty() && texts(r#"not {"json": at all"#).is_empty());
    }
}
