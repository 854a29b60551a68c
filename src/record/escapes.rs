//! In: one line that holds a whole trace: with its line ends written as `\n`, as a list of its lines, or with its frames
//! glued together. Out: the lines it was made of. A line that only quotes something stays as it is.

use super::pattern::compile;
use super::quoted;
use super::speaks::{speaks, speaks_somehow};
use memchr::memmem::Finder;
use regex::Regex;
use std::sync::LazyLock;

/// A line end in writing, followed by what only stands at the beginning of a trace's line.
static WRITTEN_END: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r#"\\{1,8}n(?:\\{1,8}[tr]|\s)*(?:at [\w.$<>/@-]+\(|Caused by: |File \\*"|Traceback \(most|\.{3} \d+ more)"#,
    )
    .expect("a valid pattern")
});

/// A frame of the JVM with its place.
static FRAME: LazyLock<Regex> = LazyLock::new(|| {
    compile(concat!(
        r"\bat (?:[\w.-]*//?)?(?:[\w$<>-]+\.)+[\w$<>-]+\((?:[\w$-]+\.(?:java|scala|kt|groovy|clj)(?::\d+)?",
        r"|Native Method|Unknown Source|<[\w-]+>(?::\d+)?)\)(?: ?~?\[[^\]\s]*\])?"
    ))
    .expect("a valid pattern")
});

/// What begins a line of a trace besides its frames, when it follows one.
static TURN: LazyLock<Regex> = LazyLock::new(|| {
    compile(r"\.{3} \d+ (?:more|elided|common frames omitted)|Caused by: |Suppressed: ")
        .expect("a valid pattern")
});

/// A place of Python's traceback with its indentation, up to that of the code below it.
static PLACE: LazyLock<Regex> = LazyLock::new(|| {
    compile(r#" {1,2}File "[^"]*", line \d+(?:, in (?:<\w+>|[\w.]+))?"#).expect("a valid pattern")
});

/// The class of an exception of Python, wherever a name may begin.
static THROWN: LazyLock<Regex> = LazyLock::new(|| {
    compile(r"(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt)(?:: |$)")
        .expect("a valid pattern")
});

static LINE_END: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\\n"));
static AT: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("at "));
/// How Python begins a traceback.
pub(super) static TRACEBACK: LazyLock<Finder<'static>> =
    LazyLock::new(|| Finder::new("Traceback (most recent call last):"));

/// The lines of a trace that was written in one; `None` where `text` is an ordinary line.
pub(super) fn split(text: &str) -> Option<Vec<String>> {
    unlist(text)
        .or_else(|| unescape(text))
        .or_else(|| unglue(text))
        .or_else(|| unjoin(text))
        .or_else(|| unfold(text))
}

/// The lines of a log that are the texts of a list; or the one that is written as bytes.
pub(super) fn unlist(text: &str) -> Option<Vec<String>> {
    if let Some(bytes) = quoted::bytes_of(text) {
        let line = bytes.strip_suffix('\n').unwrap_or(&bytes);
        return Some(line.split('\n').map(str::to_owned).collect());
    }
    let (before, texts) = quoted::list_of(text)?;
    let lines = texts
        .iter()
        .flat_map(|text| text.trim_end_matches('\n').split('\n'));
    let lines: Vec<_> = lines.map(str::to_owned).collect();
    let told = lines.iter().any(|line| speaks_somehow(line));
    let name = before
        .trim_end()
        .trim_end_matches(['=', ':', '(', '{'])
        .trim_end();
    let named = (!name.is_empty()).then(|| before.to_owned());
    told.then(|| named.into_iter().chain(lines).collect())
}

fn unescape(text: &str) -> Option<Vec<String>> {
    let mut ends = LINE_END.find_iter(text.as_bytes());
    let first_end = ends.next()?;
    ends.next()?;
    let mut shapes = WRITTEN_END.find_iter(text);
    let shape = shapes.next().filter(|_| shapes.next().is_some());
    let at = shape.map_or(first_end, |shape| shape.start());
    let (before, inner, after) = quoted::around(text, at);
    let mut lines: Vec<String> = quoted::plain(inner)
        .split('\n')
        .map(str::to_owned)
        .collect();
    if shape.is_none() && !tells(&lines, before.trim().is_empty() && inner.len() < text.len()) {
        return None;
    }
    if lines.last().is_some_and(|l| l.trim().is_empty()) {
        lines.pop();
    }
    // A message goes on in the literal; a name, as of JSON, has it for its value.
    if before.trim_end().ends_with(['=', '(', '[', '{', ',']) || before.trim_end().ends_with("\":")
    {
        lines.insert(0, before.to_owned());
    } else if let Some(line) = lines.first_mut() {
        line.insert_str(0, before);
    }
    // What closes the brackets around the literal says nothing.
    if after.contains(|c: char| c.is_alphanumeric()) {
        lines.push(after.to_owned());
    }
    Some(lines)
}

/// Whether lines that were written in one are those of a log: more than one of them speaks, or the literal that they are
/// in stands alone.
fn tells(lines: &[String], alone: bool) -> bool {
    alone || lines.iter().filter(|line| speaks(line)).nth(1).is_some()
}

/// Cuts a line before each of its frames, where at least two follow one another.
fn unglue(text: &str) -> Option<Vec<String>> {
    AT.find_iter(text.as_bytes()).nth(1)?;
    let frames: Vec<_> = FRAME.find_iter(text).map(|m| m.range()).collect();
    let neighbours = frames
        .windows(2)
        .any(|pair| is_gap(&text[pair[0].end..pair[1].start]));
    if !neighbours {
        return None;
    }
    let mut lines = Vec::new();
    let mut from = 0;
    for frame in frames {
        push_turns(&mut lines, &text[from..frame.start], from == 0);
        lines.push(format!("\t{}", &text[frame.clone()]));
        from = frame.end;
    }
    push_turns(&mut lines, &text[from..], false);
    Some(lines)
}

/// The text between two frames: causes and counts of frames left out begin lines of their own.
fn push_turns(lines: &mut Vec<String>, text: &str, first: bool) {
    let mut from = 0;
    for turn in TURN
        .find_iter(text)
        .filter(|turn| !first || turn.start() > 0)
    {
        push_line(lines, &text[from..turn.start()], first && from == 0);
        from = turn.start();
    }
    push_line(lines, &text[from..], first && from == 0);
}

fn push_line(lines: &mut Vec<String>, text: &str, keep_indent: bool) {
    let text = text.trim_end_matches(is_joint);
    let line = if keep_indent {
        text
    } else {
        text.trim_start_matches(is_joint)
    };
    if line.starts_with("... ") {
        lines.push(format!("\t{line}"));
    } else if !line.trim().is_empty() {
        lines.push(line.to_owned());
    }
}

fn is_gap(text: &str) -> bool {
    text.chars().all(is_joint)
}

/// What stands where a line end was.
fn is_joint(c: char) -> bool {
    c.is_whitespace() || matches!(c, ';' | ',' | '|')
}

/// Python's traceback with `;` for its line ends.
fn unjoin(text: &str) -> Option<Vec<String>> {
    let at = TRACEBACK.find(text.as_bytes())?;
    let (before, trace) = text.split_at(at);
    let head = trace
        .find(" ;")
        .filter(|_| trace.contains("; ") && trace.contains("File \""))?;
    if !trace[head..]
        .trim_start_matches(is_joint)
        .starts_with("File \"")
    {
        return None;
    }
    let mut lines = Vec::new();
    for part in trace.split(" ;") {
        let line = part.strip_prefix(' ').unwrap_or(part);
        if line.starts_with("File \"") {
            lines.push(format!("  {line}"));
        } else {
            lines.push(line.to_owned());
        }
    }
    if let Some(first) = lines.first_mut() {
        first.insert_str(0, before);
    }
    Some(lines)
}

/// Python's traceback with nothing for its line ends: its indentation and the shapes of its lines are left.
fn unfold(text: &str) -> Option<Vec<String>> {
    let at = TRACEBACK.find(text.as_bytes())? + TRACEBACK.needle().len();
    let (before, trace) = text.split_at(at);
    let places: Vec<_> = PLACE.find_iter(trace).map(|m| m.range()).collect();
    if places.first()?.start > 0 {
        return None;
    }
    let mut lines = Vec::new();
    match before.split_once("terminated with error") {
        // Spark ends the line here before it prints what was thrown.
        Some((said, thrown)) if thrown.starts_with(|c: char| c.is_alphabetic()) => {
            lines.push(format!("{said}terminated with error"));
            lines.push(thrown.to_owned());
        }
        _ => lines.push(before.to_owned()),
    }
    for (i, place) in places.iter().enumerate() {
        let end = places.get(i + 1).map_or(trace.len(), |next| next.start);
        lines.push(trace[place.clone()].to_owned());
        let code = &trace[place.end..end];
        let thrown = THROWN.find_iter(code).find(|_| end == trace.len());
        let Some(thrown) = thrown else {
            lines.push(code.to_owned());
            continue;
        };
        if thrown.start() > 0 {
            lines.push(code[..thrown.start()].to_owned());
        }
        // Py4J's message ends with a dot, and the JVM's throwable begins its own line with a colon.
        let (python, jvm) = match code[thrown.start()..].split_once(".: ") {
            Some((python, jvm)) => (format!("{python}."), Some(format!(": {jvm}"))),
            None => (code[thrown.start()..].to_owned(), None),
        };
        lines.push(python);
        lines.extend(jvm);
    }
    lines.retain(|line| !line.trim().is_empty());
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_line_ends_become_lines() {
        let line = r"24/01/02 ERROR X: failed: 'a.B: it\'s\n\tat a.B.c(B.java:1)\n\tat a.B.d(B.java:2)\n'}";
        let lines = split(line).expect("a trace");
        assert_eq!(
            lines,
            [
                "24/01/02 ERROR X: failed: a.B: it's",
                "\tat a.B.c(B.java:1)",
                "\tat a.B.d(B.java:2)",
            ]
        );
    }

    #[test]
    fn text_around_a_literal_stays() {
        let line = r#"can't run b"Traceback (most recent call last):\n  File \"x.py\", line 1\n    y\nCaused by: z\u00e9", exit 1"#;
        let lines = split(line).expect("a trace");
        assert_eq!(lines[0], "can't run Traceback (most recent call last):");
        assert_eq!(lines[1], "  File \"x.py\", line 1");
        assert_eq!(lines[3..], ["Caused by: zé", ", exit 1"]);
    }

    #[test]
    fn a_value_begins_its_own_line() {
        let line = r#"failed: {"error": "a.B: m\n\tat a.B.c(B.java:1)\n\tat a.B.d(B.java:2)"}"#;
        let lines = split(line).expect("a trace");
        assert_eq!(lines[..2], ["failed: {\"error\": ", "a.B: m"]);
    }

    #[test]
    fn double_escapes_lose_one_level_at_a_time() {
        let line = r#"{"x":"{\"y\":\"a.B: m\\n\\tat a.B.c(B.java:1)\\n\\tat a.B.d(B.java:2)\"}"}"#;
        let once = split(line).expect("a trace");
        assert_eq!(once.len(), 2);
        let twice = split(&once[1]).expect("a trace");
        assert_eq!(twice[1..3], ["a.B: m", "\tat a.B.c(B.java:1)"]);
    }

    #[test]
    fn glued_frames_come_apart() {
        let line = "java.io.IOException: No space left at a.B.c(B.java:1) at a.B$.<init>(B.scala:2) ... 3 more Caused by: x.Y: z at a.B.d(Native Method)";
        assert_eq!(
            split(line).expect("a trace"),
            [
                "java.io.IOException: No space left",
                "\tat a.B.c(B.java:1)",
                "\tat a.B$.<init>(B.scala:2)",
                "\t... 3 more",
                "Caused by: x.Y: z",
                "\tat a.B.d(Native Method)",
            ]
        );
        let line = "a.B: m ;\tat a.B.c(B.java:1) ;\tat java.base/a.B.d(B.java:2)";
        assert_eq!(split(line).expect("a trace").len(), 3);
    }

    #[test]
    fn joined_tracebacks_come_apart() {
        let line = "Traceback (most recent call last): ;   File \"x.py\", line 1, in f ;     y() ; ValueError: z";
        let lines = split(line).expect("a trace");
        assert_eq!(
            lines[1..],
            ["  File \"x.py\", line 1, in f", "    y()", "ValueError: z"]
        );
    }

    #[test]
    fn folded_tracebacks_come_apart() {
        let line = concat!(
            "Query q terminated with errorpy4j.Py4JException: Return Message: Traceback (most recent call last):",
            "  File \"/x/y.py\", line 7, in _call    z = f(x)  File \"/tmp/t.py\", line 9, in <module>",
            "    g(\".\", v)py4j.protocol.Py4JJavaError: An error occurred while calling o1.x.: a.b.C: denied"
        );
        assert_eq!(
            split(line).expect("a trace"),
            [
                "Query q terminated with error",
                "py4j.Py4JException: Return Message: Traceback (most recent call last):",
                "  File \"/x/y.py\", line 7, in _call",
                "    z = f(x)",
                "  File \"/tmp/t.py\", line 9, in <module>",
                "    g(\".\", v)",
                "py4j.protocol.Py4JJavaError: An error occurred while calling o1.x.",
                ": a.b.C: denied",
            ]
        );
    }

    #[test]
    fn tracebacks_with_blanks_for_line_ends_come_apart() {
        let line = concat!(
            "Traceback (most recent call last): File \"x.py\", line 1, in f y()",
            " File \"tides/api.pyx\", line 144, in tides.api.check tides.api.TideError: ebb"
        );
        let lines = split(line).expect("a trace");
        let trimmed: Vec<_> = lines[1..].iter().map(|line| line.trim()).collect();
        assert_eq!(
            trimmed,
            [
                "File \"x.py\", line 1, in f",
                "y()",
                "File \"tides/api.pyx\", line 144, in tides.api.check",
                "tides.api.TideError: ebb",
            ]
        );
    }

    #[test]
    fn ordinary_lines_stay() {
        for line in [
            "\tat a.B.c(B.java:1)",
            "\tat a.B.c(B.java:1) ~[x.jar:1.2]",
            r"split on '\n' and '\n\tat a.B.c(B.java:1)' only",
            r"C:\new\table",
            "called at a.B.c(B.java:1) and then at a.B.d(B.java:2)",
            "",
        ] {
            assert_eq!(split(line), None, "{line}");
        }
    }
}
