//! Words and shapes by which the lines of a trace are told apart.

use crate::fact::class_name::{self, Named};
use crate::fact::frame::Frame;
use crate::fact::throwable::{Language, MESSAGE_CAP, Throwable, Trace};
use crate::text::beginning;
use memchr::memmem::Finder;
use std::sync::LazyLock;

/// What a Python traceback begins with.
pub(super) const TRACEBACK: &str = "Traceback (most recent call last)";

static FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(TRACEBACK));

/// Where in a line a traceback begins.
pub(super) fn find_traceback(text: &str) -> Option<usize> {
    FINDER.find(text.as_bytes())
}

pub(super) const DIRECT_CAUSE: &str =
    "The above exception was the direct cause of the following exception";
pub(super) const DURING_HANDLING: &str =
    "During handling of the above exception, another exception occurred";

/// What Python prints above a traceback that ends nothing: of a finaliser, of what is called at the exit.
pub(super) const IGNORED: &[&str] = &["Exception ignored in", "Error in atexit._run_exitfuncs"];

/// The scheduler's own name for what ended an attempt whose executor went away; no class of exceptions.
pub(super) const LOST_CLASS: &str = "ExecutorLostFailure";

/// Whether a line is only a number at its start: a page that numbers a file's lines was copied with them.
pub(super) fn is_line_number(text: &str) -> bool {
    !text.is_empty() && text.len() < 7 && text.bytes().all(|b| b.is_ascii_digit())
}

/// What is told without the class of who threw it: a lost executor, or the answer of a store.
pub(super) fn without_class(text: &str) -> Option<Named<'_>> {
    lost_executor(text).or_else(|| answer_of_store(text))
}

/// What Azure's store answered, as its client puts it into a message: the call, and below or behind it the status.
fn answer_of_store(text: &str) -> Option<Named<'_>> {
    const CALLS: [&str; 6] = ["GET ", "PUT ", "HEAD ", "POST ", "PATCH ", "DELETE "];
    let message = text.strip_prefix(": ").unwrap_or(text);
    let address = CALLS.iter().find_map(|call| message.strip_prefix(call));
    let called = address.is_some_and(|a| a.starts_with("https://") && a.contains(".windows.net"));
    let operation = || message.starts_with("Operation failed: \"") && message.contains("https://");
    (called || operation()).then_some(Named { class: "", message })
}

/// What a job's end says of the executor that its last attempt was lost with.
fn lost_executor(text: &str) -> Option<Named<'_>> {
    let rest = text.get(text.find("Job aborted due to stage failure: ")?..)?;
    let at = rest.find(LOST_CLASS)?;
    let message = rest[at + LOST_CLASS.len()..].strip_prefix(' ')?;
    let class = LOST_CLASS;
    Some(Named { class, message })
}

/// Whether a line begins with a date and a time, as log lines of any layout do.
pub(in crate::fact) fn looks_dated(text: &str) -> bool {
    let shape = |pattern: &str| {
        text.len() >= pattern.len()
            && text.bytes().zip(pattern.bytes()).all(|(b, p)| {
                if p == b'0' {
                    b.is_ascii_digit()
                } else {
                    b == p || p == b' ' && b == b'T'
                }
            })
    };
    shape("0000-00-00 00:00") || shape("00/00/00 00:00")
}

/// Whether Spark's SQL shell printed a trace: it does so when a statement fails, and mostly ends then.
pub(super) fn of_sql_shell(trace: &Trace) -> bool {
    let mut frames = trace.chain.iter().flat_map(|throwable| &throwable.frames);
    frames.any(Frame::is_of_sql_shell)
}

/// What stands before the bracket that was opened in front of `text`, where it is closed.
pub(super) fn within_brackets(text: &str) -> &str {
    let mut open = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' if open == 0 => return &text[..at],
            ')' | ']' | '}' => open -= 1,
            _ => {}
        }
    }
    text
}

/// How many blanks and tabs a line begins with.
pub(super) fn indent(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t']).len()
}

pub(super) fn same_failure(a: &Throwable, b: &Throwable) -> bool {
    a.language == b.language
        && a.short_class() == b.short_class()
        && first_line(&a.message) == first_line(&b.message)
        && !b.message.is_empty()
        || a.language == b.language
            && a.class == b.class
            && a.message.is_empty()
            && b.message.is_empty()
            && a.language == Language::Jvm
}

/// Whether what a line names below a throwable without a frame is one more of the same: but for their digits they are alike,
/// or the class stands there for the third time.
pub(super) fn lists(last: &Throwable, before: Option<&Throwable>, named: &Named<'_>) -> bool {
    let words = |b: &u8| !b.is_ascii_digit();
    let alike = |a: &str, b: &str| Iterator::eq(a.bytes().filter(words), b.bytes().filter(words));
    last.frames.is_empty()
        && &*last.class == named.class
        && (before.is_some_and(|before| before.class == last.class)
            || alike(&last.message, named.message))
}

fn first_line(text: &str) -> &str {
    text.lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or("")
}

/// Classes of PySpark and of Python packages that look like JVM classes.
pub(super) fn is_python_class(class: &str) -> bool {
    class.starts_with("pyspark.")
        || class.starts_with("py4j.protocol.")
        || class.split('.').next().is_some_and(|first| {
            matches!(
                first,
                "pandas"
                    | "numpy"
                    | "pyarrow"
                    | "requests"
                    | "urllib3"
                    | "botocore"
                    | "google"
                    | "airflow"
                    | "grpc"
                    | "_pickle"
                    | "pickle"
                    | "json"
                    | "socket"
                    | "sqlalchemy"
                    | "builtins"
                    | "cloudpickle"
                    | "dagster"
                    | "dbt"
                    | "feast"
                    | "great_expectations"
                    | "hail"
                    | "mlflow"
                    | "petastorm"
                    | "prefect"
                    | "sklearn"
                    | "snowflake"
                    | "soda"
                    | "tensorflow"
                    | "torch"
            )
        })
}

/// Derby's codes stand where a class should: `ERROR XSDB6: Another instance …`.
pub(super) fn derby(rest: &str) -> Option<Named<'_>> {
    let code = rest.strip_prefix("ERROR ")?.split(':').next()?;
    let class = &rest[..6 + code.len()];
    (code.len() == 5
        && code
            .bytes()
            .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit()))
    .then(|| Named {
        class,
        message: rest[class.len()..].trim_start_matches([':', ' ']),
    })
}

/// A name and nothing else, as IPython prints at the top of a traceback.
pub(super) fn class_token_only(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty()
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_'))
}

/// Whether a line is the exception line of the class that IPython named at the top.
pub(super) fn class_name_is(trimmed: &str, name: &str) -> bool {
    let class = trimmed.split(':').next().unwrap_or("").trim();
    class == name || class.rsplit('.').next() == Some(name)
}

/// Whether a line looks like an exception line on its own.
pub(super) fn python_exception(trimmed: &str, strict: bool) -> bool {
    let class = trimmed.split(':').next().unwrap_or("");
    let last = class.rsplit('.').next().unwrap_or("");
    let one_name = class
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'<' | b'>') || b >= 0x80);
    one_name
        && if strict {
            class_name::says_exception(last)
        } else {
            // `socket.gaierror: …`, `struct.error: …`
            last.starts_with(|c: char| c.is_ascii_uppercase())
                || class.len() > last.len() && trimmed.len() > class.len()
        }
}

/// Whether a line begins with the class of an exception of Python's, and not of a JVM's.
pub(super) fn raised_by_python(trimmed: &str) -> bool {
    let class = trimmed.split(':').next().unwrap_or("");
    python_exception(trimmed, true) && (!class.contains('.') || is_python_class(class))
}

pub(super) fn cap(text: &str) -> &str {
    beginning(text, MESSAGE_CAP)
}
