//! In: a line that is one JSON object: a log event, or a shipper's envelope around a line. Out: the lines
//! that a console would have shown for it.

use super::clock::Clock;
use super::layout::{LAYOUTS, level_of};
use super::record::{Head, Level};
use crate::text::{Moment, Symbol};
use serde_json::{Map, Value};

type Object = Map<String, Value>;

/// What a JSON line is.
#[derive(Debug, PartialEq)]
pub(super) enum Event {
    /// An event of a logger: its head and its lines, the first being the message's.
    Logged(Head, Vec<String>),
    /// A shipper's envelope: the text in it, and whose output it is.
    Shipped {
        /// What was shipped: usually one line.
        text: String,
        /// The pod or container, empty where not said.
        stream: String,
        /// Which of its outputs: `stdout`, `stderr` or empty.
        output: String,
    },
}

/// Names under which a message is found, the envelope's first.
const ENVELOPES: [&str; 7] = [
    "log",
    "textPayload",
    "@message",
    "MESSAGE",
    "line",
    "body",
    "logs",
];
const MESSAGES: [&str; 4] = ["msg", "message", "event", "error"];
const TIMES: [&str; 7] = [
    "ts",
    "timestamp",
    "@timestamp",
    "time",
    "Timestamp",
    "eventTime",
    "instant",
];
const LEVELS: [&str; 5] = ["level", "severity", "log.level", "levelname", "loglevel"];
const LOGGERS: [&str; 6] = [
    "logger",
    "logger_name",
    "loggerName",
    "log.logger",
    "name",
    "category",
];
const THREADS: [&str; 4] = ["thread", "thread_name", "threadName", "process.thread.name"];
const TRACES: [&str; 9] = [
    "exception",
    "thrown",
    "throwable",
    "stack_trace",
    "stackTrace",
    "stacktrace",
    "error.stack_trace",
    "exc_info",
    "traceback",
];
/// Loggers that pass on what a program printed: those of Airflow 3.
const CARRIERS: [&str; 5] = [
    "SparkSubmitHook",
    "subprocess",
    "pod_manager",
    "task.stdout",
    "task.stderr",
];
/// How deep causes of causes are followed.
const DEEPEST: usize = 32;

/// Reads a line; `None` where it is no JSON object or says nothing a log would.
pub(super) fn read(line: &str) -> Option<Event> {
    let line = line.trim();
    if line.starts_with('"') {
        return member(line);
    }
    // Events in an array: one a line.
    let line = line.strip_prefix("[{").map_or(line, |_| &line[1..]);
    let line = line.trim_end_matches([',', ']']);
    if !line.starts_with('{') || !line.ends_with('}') {
        return None;
    }
    let object: Object = serde_json::from_str(line).ok()?;
    if let Some(event) = glue(&object) {
        return Some(event);
    }
    let (payload, object) = match object.get("jsonPayload") {
        Some(Value::Object(payload)) => (payload, &object),
        _ => (&object, &object),
    };
    let logger = LOGGERS.iter().find_map(|k| string(payload, k));
    let level = [payload, object]
        .iter()
        .find_map(|o| LEVELS.iter().find_map(|k| string(o, k)))
        .and_then(level_of);
    if let Some(text) = ENVELOPES.iter().find_map(|k| string(payload, k)) {
        return Some(shipped(object, text));
    }
    let message = MESSAGES.iter().find_map(|k| string(payload, k));
    let trace = TRACES.iter().find_map(|k| payload.get(*k));
    let timed = TIMES.iter().any(|k| object.contains_key(*k));
    if level.is_none() && !(timed && logger.is_some()) {
        // An object with a message and nothing else of a log is more often data than an event.
        return message.filter(|_| timed).map(|text| shipped(object, text));
    }
    let carries = logger.is_none_or(|name| CARRIERS.iter().any(|c| name.contains(c)));
    if let Some(text) = message.filter(|m| carries && (logger.is_some() || is_of_log(m))) {
        return Some(shipped(object, text));
    }
    let mut lines = Vec::new();
    push_lines(&mut lines, message.unwrap_or_default());
    if let Some(trace) = trace {
        print_trace(&mut lines, trace, "", 0);
    }
    if lines.iter().all(String::is_empty) {
        return None;
    }
    let head = Head {
        time: TIMES
            .iter()
            .find_map(|k| moment(object.get(*k).or_else(|| payload.get(*k))?)),
        level,
        thread: THREADS
            .iter()
            .find_map(|k| string(payload, k))
            .map(Symbol::new),
        logger: logger.map(Symbol::new),
        layout: "json",
    };
    Some(Event::Logged(head, lines))
}

/// A member of an object that was printed over several lines: `"message": "…",`.
fn member(line: &str) -> Option<Event> {
    let mut names = ENVELOPES.iter().chain(&MESSAGES).chain(&["value"]);
    let value = names.find_map(|name| {
        let rest = line
            .strip_prefix('"')?
            .strip_prefix(name)?
            .strip_prefix('"')?;
        rest.trim_start().strip_prefix(':')
    })?;
    let text: String = serde_json::from_str(value.trim().trim_end_matches(',')).ok()?;
    let is_log = text.contains('\n') || is_of_log(&text);
    is_log.then(|| shipped(&Object::new(), &text))
}

/// Glue's job insights: the failure's reason and its stack under names of their own.
fn glue(object: &Object) -> Option<Event> {
    let reason = string(object, "Failure Reason")?;
    let failed = reason
        .strip_prefix("JobFailed(")
        .and_then(|r| r.strip_suffix(')'));
    let mut lines = Vec::new();
    push_lines(&mut lines, failed.unwrap_or(reason));
    if let Some(frames) = object.get("Stack Trace").and_then(Value::as_array) {
        lines.extend(frames.iter().filter_map(|f| jvm_frame(f.as_object()?)));
    }
    let head = Head {
        time: object.get("Timestamp").and_then(moment),
        level: Some(Level::Error),
        thread: None,
        logger: string(object, "Event").map(Symbol::new),
        layout: "json",
    };
    Some(Event::Logged(head, lines))
}

fn shipped(object: &Object, text: &str) -> Event {
    let pod = ["kubernetes", "resource", "labels"]
        .iter()
        .filter_map(|k| object.get(*k)?.as_object())
        .flat_map(|o| [Some(o), o.get("labels").and_then(Value::as_object)])
        .flatten()
        .find_map(|o| string(o, "pod_name"));
    let plain = ["pod", "container_name", "service"];
    let stream = pod.or_else(|| plain.iter().find_map(|k| string(object, k)));
    Event::Shipped {
        text: text.strip_suffix('\n').unwrap_or(text).to_owned(),
        stream: stream.unwrap_or_default().to_owned(),
        output: string(object, "stream").unwrap_or_default().to_owned(),
    }
}

/// Whether a message is a line of a log itself, with a head or from the middle of a trace.
fn is_of_log(message: &str) -> bool {
    message.starts_with([' ', '\t'])
        || message.starts_with("at ")
        || message.starts_with("Caused by: ")
        || message.starts_with("... ")
        || LAYOUTS.fits(message)
}

/// Prints an exception as its language does: text as it is, an object as class, message and frames.
fn print_trace(lines: &mut Vec<String>, trace: &Value, label: &str, depth: usize) {
    match trace {
        Value::String(text) => push_lines(lines, text),
        Value::Array(rows) => {
            lines.extend(rows.iter().filter_map(|row| match row {
                Value::String(text) => Some(text.trim_end().to_owned()),
                other => jvm_frame(other.as_object()?),
            }));
        }
        Value::Object(object) if depth < DEEPEST => {
            let class = ["class", "name", "type", "exception_class"]
                .iter()
                .find_map(|k| string(object, k))
                .unwrap_or_default();
            let message = ["msg", "message", "localizedMessage", "exception_message"]
                .iter()
                .find_map(|k| string(object, k));
            let header = match message {
                Some(message) if !class.is_empty() => format!("{label}{class}: {message}"),
                Some(message) => format!("{label}{message}"),
                None => format!("{label}{class}"),
            };
            let frames = ["stacktrace", "extendedStackTrace", "stackTrace", "frames"]
                .iter()
                .find_map(|k| object.get(*k));
            let python = frames
                .and_then(Value::as_array)
                .filter(|f| !f.is_empty() && f.iter().all(is_python));
            if let Some(frames) = python {
                lines.push("Traceback (most recent call last):".to_owned());
                let frames = frames.iter().filter_map(Value::as_object);
                lines.extend(frames.map(python_frame));
                push_lines(lines, &header);
            } else {
                push_lines(lines, &header);
                if let Some(frames) = frames {
                    print_trace(lines, frames, "", depth + 1);
                }
            }
            if let Some(cause) = object.get("cause").filter(|c| !c.is_null()) {
                print_trace(lines, cause, "Caused by: ", depth + 1);
            }
        }
        _ => {}
    }
}

/// `\tat class.method(file:line)`, from the names of Spark, log4j and Glue.
fn jvm_frame(frame: &Object) -> Option<String> {
    let class = string(frame, "class").or_else(|| string(frame, "Declaring Class"))?;
    let method = string(frame, "method").or_else(|| string(frame, "Method Name"))?;
    let file = string(frame, "file").or_else(|| string(frame, "File Name"));
    let line = number(frame, "line").or_else(|| number(frame, "Line Number"));
    let place = match (file, line) {
        (_, Some(-2)) => "Native Method".to_owned(),
        (Some(file), Some(line)) if line >= 0 => format!("{file}:{line}"),
        (Some(file), _) => file.to_owned(),
        (None, _) => "Unknown Source".to_owned(),
    };
    Some(format!("\tat {class}.{method}({place})"))
}

fn python_frame(frame: &Object) -> String {
    let file = string(frame, "file").unwrap_or("<unknown>");
    let method = string(frame, "method").unwrap_or("<module>");
    match number(frame, "line") {
        Some(line) => format!("  File \"{file}\", line {line}, in {method}"),
        None => format!("  File \"{file}\", in {method}"),
    }
}

fn is_python(frame: &Value) -> bool {
    frame
        .as_object()
        .is_some_and(|f| f.get("class").is_none_or(Value::is_null) && string(f, "file").is_some())
}

fn push_lines(lines: &mut Vec<String>, text: &str) {
    lines.extend(
        text.split('\n')
            .map(|line| line.trim_end_matches('\r').to_owned()),
    );
}

fn string<'o>(object: &'o Object, key: &str) -> Option<&'o str> {
    object.get(key)?.as_str()
}

/// A number, or one in quotes: `PySpark` writes line numbers as text.
fn number(object: &Object, key: &str) -> Option<i64> {
    match object.get(key)? {
        Value::Number(n) => n.as_i64(),
        Value::String(s) => s.parse().ok(),
        _ => None,
    }
}

/// A time as text, or as milliseconds or seconds since 1970.
fn moment(value: &Value) -> Option<Moment> {
    match value {
        Value::String(stamp) => Clock::iso().read(stamp),
        Value::Number(n) => {
            let millis = n.as_i64().filter(|n| n.unsigned_abs() > 100_000_000_000);
            millis.map(Moment::from_millis).or_else(|| {
                let micros = n.as_f64()? * 1e6;
                #[expect(clippy::cast_possible_truncation, reason = "bounded before")]
                (micros.abs() < 1e17).then_some(Moment(micros as i64))
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logged(line: &str) -> (Head, Vec<String>) {
        match read(line) {
            Some(Event::Logged(head, lines)) => (head, lines),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn spark_prints_as_on_a_console() {
        let (head, lines) = logged(concat!(
            r#"{"ts":"2024-01-02T03:04:05.678Z","level":"ERROR","msg":"Exception in task 0.0","#,
            r#""exception":{"class":"a.TideException","msg":"Traceback (most recent call last):\nValueError: x\n","#,
            r#""stacktrace":[{"class":"a.B$","method":"c","file":"B.scala","line":7},"#,
            r#"{"class":"a.D","method":"e","file":null,"line":-1}]},"logger":"Executor"}"#
        ));
        assert_eq!(head.level, Some(Level::Error));
        assert_eq!(head.logger.as_deref(), Some("Executor"));
        assert_eq!(
            head.time.map(|t| t.to_string()).as_deref(),
            Some("2024-01-02 03:04:05.678")
        );
        assert_eq!(
            lines,
            [
                "Exception in task 0.0",
                "a.TideException: Traceback (most recent call last):",
                "ValueError: x",
                "",
                "\tat a.B$.c(B.scala:7)",
                "\tat a.D.e(Unknown Source)",
            ]
        );
    }

    #[test]
    fn pyspark_prints_as_python_does() {
        let (head, lines) = logged(concat!(
            r#"{"ts": "2024-01-02 03:04:05.678", "level": "ERROR", "logger": "SQLQueryContextLogger", "msg": "[X] y", "#,
            r#""exception": {"class": "Py4JJavaError", "msg": "An error occurred\n: a.B: y", "#,
            r#""stacktrace": [{"class": null, "method": "deco", "file": "/x/captured.py", "line": "263"}]}}"#
        ));
        assert_eq!(head.logger.as_deref(), Some("SQLQueryContextLogger"));
        assert_eq!(
            lines,
            [
                "[X] y",
                "Traceback (most recent call last):",
                "  File \"/x/captured.py\", line 263, in deco",
                "Py4JJavaError: An error occurred",
                ": a.B: y",
            ]
        );
    }

    #[test]
    fn causes_follow_their_exception() {
        let (_, lines) = logged(concat!(
            r#"{"level":"WARN","loggerName":"a.B","message":"m","thrown":{"name":"a.X","message":"x","#,
            r#""cause":{"name":"a.Y","message":"y"}}}"#
        ));
        assert_eq!(lines, ["m", "a.X: x", "Caused by: a.Y: y"]);
    }

    #[test]
    fn envelopes_give_what_is_in_them() {
        let docker =
            r#"{"log":"\tat a.B.c(B.java:1)\n","stream":"stderr","time":"2024-01-02T03:04:05Z"}"#;
        assert_eq!(
            read(docker),
            Some(Event::Shipped {
                text: "\tat a.B.c(B.java:1)".to_owned(),
                stream: String::new(),
                output: "stderr".to_owned(),
            })
        );
        let google = r#"{"textPayload":"x","severity":"ERROR","resource":{"labels":{"pod_name":"tide-driver"}}}"#;
        assert!(
            matches!(read(google), Some(Event::Shipped { stream, .. }) if stream == "tide-driver")
        );
    }

    #[test]
    fn insights_of_glue() {
        let (head, lines) = logged(concat!(
            r#"{"Event":"GlueExceptionAnalysisJobFailed","Timestamp":1704164645678,"#,
            r#""Failure Reason":"JobFailed(a.B: m)","Stack Trace":[{"Declaring Class":"a.C","#,
            r#""Method Name":"d","File Name":"C.scala","Line Number":7}]}"#
        ));
        assert_eq!(
            head.time.map(|t| t.to_string()).as_deref(),
            Some("2024-01-02 03:04:05.678")
        );
        assert_eq!(lines, ["a.B: m", "\tat a.C.d(C.scala:7)"]);
    }

    #[test]
    fn programs_that_pass_on_lines_are_envelopes() {
        for line in [
            r#"{"timestamp":"2024-01-02T03:04:05Z","level":"info","event":"Caused by: x","logger":"task.stdout"},"#,
            r#"[{"severity":"INFO","message":"24/01/02 03:04:05 ERROR Tides: ebb"}]"#,
            r#"    "message": "24/01/02 03:04:05 ERROR Tides: \"ebb\"","#,
        ] {
            assert!(matches!(read(line), Some(Event::Shipped { .. })), "{line}");
        }
        assert_eq!(read(r#"  "message": "hello","#), None);
        assert_eq!(read(r#""message"#), None);
    }

    #[test]
    fn data_is_no_event() {
        for line in [
            r#"{"Event":"SparkListenerTaskEnd","Stage ID":0}"#,
            r#"{"country":"PT","name":"Ana"}"#,
            r#"{"message":"hello"}"#,
            "{not json}",
            "{}",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
