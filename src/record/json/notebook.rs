//! In: a notebook, or what Livy answers to a statement, as one object in JSON. Out: what its cells printed, up to the errors.

use super::event::{Object, string};
use memchr::memmem::Finder;
use serde_json::Value;
use std::sync::LazyLock;

/// What every error of a cell has: the exception's name.
static NAMED: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\"ename\""));

/// Members of members are looked at to this depth: an output is the fourth.
const DEEPEST: usize = 8;

/// What was printed, where `line`, which is `object`, tells an error of a cell.
pub(super) fn printed(line: &str, object: &Object) -> Option<String> {
    NAMED.find(line.as_bytes())?;
    let mut texts = Vec::new();
    outputs(object, 0, &mut texts);
    (!texts.is_empty()).then(|| texts.join("\n"))
}

fn outputs(object: &Object, depth: usize, texts: &mut Vec<String>) {
    if let Some(text) = error(object).or_else(|| stream(object)) {
        texts.push(text);
    } else if depth < DEEPEST {
        let inner = object.values().flat_map(|value| match value {
            Value::Array(values) => values.as_slice(),
            value => std::slice::from_ref(value),
        });
        for object in inner.filter_map(Value::as_object) {
            outputs(object, depth + 1, texts);
        }
    }
}

/// The traceback of an error. One of Scala's is the frames alone: its first lines are in the error's value.
fn error(object: &Object) -> Option<String> {
    string(object, "ename")?;
    let value = string(object, "evalue").unwrap_or_default();
    let traceback = lines(object.get("traceback")?);
    let told = value
        .lines()
        .next()
        .is_some_and(|first| traceback.contains(first));
    Some(if told {
        traceback
    } else {
        format!("{value}\n{traceback}")
    })
}

/// What a cell wrote.
fn stream(object: &Object) -> Option<String> {
    let kind = string(object, "output_type")?;
    (kind == "stream").then(|| lines(object.get("text").unwrap_or(&Value::Null)))
}

/// A text, or the lines of a list of them, each of which may end with its own break.
fn lines(value: &Value) -> String {
    let lines = value
        .as_array()
        .map_or(std::slice::from_ref(value), Vec::as_slice);
    let lines = lines.iter().filter_map(Value::as_str);
    let lines: Vec<_> = lines
        .map(|line| line.strip_suffix('\n').unwrap_or(line))
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Option<String> {
        printed(line, &serde_json::from_str(line).expect("an object"))
    }

    #[test]
    fn a_notebook_tells_what_its_cells_printed() {
        let notebook = r#"{"cells":[{"outputs":[{"output_type":"stream","text":["a\n","b\n"]},
            {"output_type":"error","ename":"E","evalue":"m","traceback":["F  Traceback","E: m"]}],"source":["x"]}]}"#;
        assert_eq!(of(notebook).as_deref(), Some("a\nb\nF  Traceback\nE: m"));
        assert_eq!(
            of(r#"{"cells":[{"outputs":[{"output_type":"stream","text":"a"}]}]}"#),
            None
        );
    }

    #[test]
    fn frames_alone_follow_what_was_thrown() {
        let answer = r#"{"output":{"status":"error","ename":"Error","evalue":"a.B: m","traceback":["  at c\n"]}}"#;
        assert_eq!(of(answer).as_deref(), Some("a.B: m\n  at c"));
    }
}
