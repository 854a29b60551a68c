//! In: an incident. Out: the person's own lines that its traceback prints, and changes of them.
//!
//! Two lines count: the one that the root points at, and that of the function Spark itself called for each row, which is
//! further out where the function calls others. Only there does a `None` go to the column and not to a caller.

use super::fix::LineOfCode;
use super::statement;
use super::template::Values;
use crate::fact::{Frame, Owner};
use crate::incident::{Incident, Side};
use crate::text::{own_pattern, sanitise_line};
use serde::Deserialize;

/// Which of the person's lines a piece of code stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Replaced {
    /// The line that the root points at.
    Frame,
    /// The line of the function that Spark calls.
    Udf,
}

/// A line as the traceback prints it.
#[derive(Debug, Clone)]
pub(super) struct OwnLine {
    pub(super) at: LineOfCode,
    pub(super) code: String,
}

/// The person's lines of an incident.
#[derive(Debug, Default)]
pub(super) struct OwnCode {
    frame: Option<OwnLine>,
    udf: Option<OwnLine>,
    udf_function: String,
}

/// A changed line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) lang: &'static str,
    pub(super) code: String,
    /// Whether the code is the line itself; else it is a command that changes it.
    pub(super) whole_line: bool,
}

impl OwnCode {
    pub(super) fn of(incident: &Incident) -> Self {
        let udf = udf_frame(incident);
        Self {
            frame: incident.user_frame.as_ref().and_then(OwnLine::of),
            udf: udf.and_then(OwnLine::of),
            udf_function: udf.map(|f| f.function.to_string()).unwrap_or_default(),
        }
    }

    pub(super) fn line(&self, which: Replaced) -> Option<&OwnLine> {
        match which {
            Replaced::Frame => self.frame.as_ref(),
            Replaced::Udf => self.udf.as_ref(),
        }
    }

    /// Adds `statement`, `udf_statement`, `udf_function` and `udf_line` where they are known.
    pub(super) fn put(&self, values: &mut Values) {
        let mut put = |name: &str, value: &str| {
            if !value.is_empty() {
                values.insert(name.to_owned(), value.to_owned());
            }
        };
        if let Some(whole) = self.frame.as_ref().and_then(|l| statement::whole(&l.code)) {
            put("statement", whole);
        }
        put("udf_function", &self.udf_function);
        if let Some(line) = &self.udf
            && let Some(whole) = statement::whole(&line.code)
        {
            put("udf_statement", whole);
            put("udf_line", &line.at.to_string());
        }
    }
}

impl OwnLine {
    fn of(frame: &Frame) -> Option<Self> {
        let code = sanitise_line(frame.code.as_deref()?.trim()).into_owned();
        let file = frame.file.rsplit(['/', '\\']).next().unwrap_or_default();
        (!code.is_empty() && !file.is_empty()).then_some(())?;
        Some(Self {
            at: LineOfCode {
                file: file.to_owned(),
                line: frame.line?,
            },
            code,
        })
    }
}

/// The frame of the function that Spark called for a row. `None` where rows do not go through it one by one: below
/// pandas a `None` for all of them is no answer, and an RDD hands it on to the next function.
fn udf_frame(incident: &Incident) -> Option<&Frame> {
    if incident.side != Some(Side::PythonWorker) {
        return None;
    }
    let frames = &incident.root().frames;
    let by_rows = |f: &&Frame| {
        let file = f.file.replace('\\', "/");
        file.contains("/pandas/")
            || file.ends_with("pyspark/rdd.py")
            || file.contains("site-packages/pyarrow")
    };
    if frames.iter().any(|f| by_rows(&f)) {
        return None;
    }
    let outermost = frames.iter().rev().find(|f| f.owner == Owner::User)?;
    let named = outermost
        .function
        .chars()
        .all(|c| c.is_alphanumeric() || c == '_');
    named.then_some(outermost)
}

/// The line with what `find` matches replaced. A line that is part of a longer statement is changed by a command, which
/// parses whatever it is part of.
pub(super) fn rewrite(line: &OwnLine, find: &str, put: &str) -> Option<Change> {
    let find = own_pattern(find).ok()?;
    let found = find.captures(&line.code)?;
    let changed = find.replace_all(&line.code, put).into_owned();
    if changed == line.code {
        return None;
    }
    // A line that is taken out leaves `pass` behind, so that the block around it stays whole.
    let taken_out = changed.starts_with("pass");
    if let Some(whole) = statement::whole(&changed).or(taken_out.then_some(changed.as_str())) {
        return Some(Change {
            lang: "python",
            code: whole.to_owned(),
            whole_line: true,
        });
    }
    let old = &found[0];
    let new = find.replace(old, put).into_owned();
    let quoted = |text: &str| text.contains(['\'', '\n', '|']);
    if quoted(old)
        || quoted(&new)
        || line
            .at
            .file
            .contains(|c: char| !c.is_ascii_alphanumeric() && !"._-".contains(c))
    {
        return None;
    }
    Some(Change {
        lang: "shell",
        code: format!(
            "sed -i '{}s|{}|{}|g' {}",
            line.at.line,
            escaped(old, r"\.*[]^$"),
            escaped(&new, r"\&"),
            line.at.file
        ),
        whole_line: false,
    })
}

fn escaped(text: &str, signs: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if signs.contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn line(code: &str) -> OwnLine {
        OwnLine {
            at: LineOfCode {
                file: "orders.py".to_owned(),
                line: 13,
            },
            code: code.to_owned(),
        }
    }

    #[test]
    fn a_whole_line_is_written_anew_and_a_part_is_changed_in_place() {
        let find = r"\bcustmer_id\b";
        let change = rewrite(&line("x = df.select(\"custmer_id\")"), find, "customer_id").unwrap();
        assert_eq!(change.code, "x = df.select(\"customer_id\")");
        assert!(change.whole_line);
        let change = rewrite(&line(".select(\"custmer_id\")"), find, "customer_id").unwrap();
        assert_eq!(change.lang, "shell");
        assert_eq!(
            change.code,
            "sed -i '13s|custmer_id|customer_id|g' orders.py"
        );
        assert_eq!(
            rewrite(&line("x = spark.sql(text)"), find, "customer_id"),
            None
        );
    }
}
