//! In: a line that is one JSON object: a log event, or a shipper's envelope around a line. Out: the lines
//! that a console would have shown for it.

use super::carrier::{self, Carrier};
use super::member::Member;
use super::notebook;
use super::trace::{jvm_frame, print_trace};
use crate::record::clock::Clock;
use crate::record::layout::{LAYOUTS, level_of};
use crate::record::record::{Head, Level};
use crate::text::{Moment, Symbol};
use serde_json::{Map, Value};

pub(super) type Object = Map<String, Value>;

/// What a JSON line is.
#[derive(Debug, PartialEq)]
pub(in crate::record) enum Event {
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
pub(super) const ENVELOPES: [&str; 7] = [
    "log",
    "textPayload",
    "@message",
    "MESSAGE",
    "line",
    "body",
    "logs",
];
pub(super) const MESSAGES: [&str; 4] = ["msg", "message", "event", "error"];
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
pub(super) const TRACES: [&str; 9] = [
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
/// Reads a line; `None` where it is no JSON object or says nothing a log would. `carrier` is the member in which the
/// source's log lines were seen, where they were.
pub(in crate::record) fn read(line: &str, carrier: Option<Carrier>) -> Option<Event> {
    let line = line.trim();
    if let Some(printed) = Carrier::member_in(carrier, line) {
        return member(&printed, carrier);
    }
    let Some(object) = object_of(line) else {
        return array(line, carrier);
    };
    if let Some(text) = notebook::printed(line, &object) {
        return Some(shipped(&object, &text));
    }
    of_object(&object, carrier)
}

/// The lines that the objects of an array in one line carry, where each carries one.
fn array(line: &str, carrier: Option<Carrier>) -> Option<Event> {
    let objects = line.strip_prefix("[{").map(|_| line)?;
    let objects: Vec<Object> = serde_json::from_str(objects).ok()?;
    let texts = objects
        .iter()
        .map(|object| match of_object(object, carrier) {
            Some(Event::Shipped { text, .. }) => Some(text),
            _ => None,
        });
    let texts: Option<Vec<_>> = texts.collect();
    texts.map(|texts| shipped(&Object::new(), &texts.join("\n")))
}

fn of_object(object: &Object, carrier: Option<Carrier>) -> Option<Event> {
    if let Some(event) = glue(object) {
        return Some(event);
    }
    if let Some(text) = carrier.and_then(|carrier| carrier.text_in(object)) {
        return Some(shipped(object, text));
    }
    let (payload, object) = match object.get("jsonPayload") {
        Some(Value::Object(payload)) => (payload, object),
        _ => (object, object),
    };
    let logger = LOGGERS.iter().find_map(|k| string(payload, k));
    let level = [payload, object]
        .iter()
        .find_map(|o| LEVELS.iter().find_map(|k| string(o, k)))
        .and_then(level_of);
    if let Some(text) = ENVELOPES.iter().find_map(|k| string(payload, k)) {
        return Some(shipped(object, text));
    }
    // Livy answers with the last lines of a session's log.
    if let Some(text) = ENVELOPES.iter().find_map(|k| listed(payload.get(*k)?)) {
        let state = string(object, "state").map(|state| format!("\"state\": \"{state}\"\n"));
        return Some(shipped(object, &(state.unwrap_or_default() + &text)));
    }
    let message = MESSAGES.iter().find_map(|k| string(payload, k));
    let trace = TRACES.iter().find_map(|k| payload.get(*k));
    let timed = TIMES.iter().any(|k| object.contains_key(*k));
    if level.is_none() && !(timed && logger.is_some()) {
        // An object with a message and nothing else of a log is more often data than an event.
        let text = message
            .filter(|_| timed)
            .or_else(|| carrier::whole_log(object));
        return text.map(|text| shipped(object, text));
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

/// The object that a line is; of events in an array, one stands on each line.
pub(super) fn object_of(line: &str) -> Option<Object> {
    let line = line.trim();
    let line = line.strip_prefix("[{").map_or(line, |_| &line[1..]);
    let line = line.trim_end_matches([',', ']']);
    if !line.starts_with('{') || !line.ends_with('}') {
        return None;
    }
    serde_json::from_str(line).ok()
}

/// What a member with a line of its own carries: that of the source, or one of a known name that tells of a log.
fn member(printed: &Member, carrier: Option<Carrier>) -> Option<Event> {
    let carries = carrier.is_some_and(|carrier| carrier.is(printed));
    let known = || {
        let mut names = ENVELOPES.iter().chain(&MESSAGES).chain(&["value"]);
        let text = &printed.text;
        names.any(|name| **name == printed.name) && (text.contains('\n') || is_of_log(text))
    };
    (carries || known()).then(|| shipped(&Object::new(), &printed.text))
}

/// The lines of a log that are listed one by one.
fn listed(value: &Value) -> Option<String> {
    let lines = value.as_array()?.iter().map(Value::as_str);
    let lines: Option<Vec<_>> = lines.collect();
    lines
        .filter(|lines| lines.len() > 1)
        .map(|lines| lines.join("\n"))
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

pub(super) fn push_lines(lines: &mut Vec<String>, text: &str) {
    lines.extend(
        text.split('\n')
            .map(|line| line.trim_end_matches('\r').to_owned()),
    );
}

pub(super) fn string<'o>(object: &'o Object, key: &str) -> Option<&'o str> {
    object.get(key)?.as_str()
}

/// A number, or one in quotes: `PySpark` writes line numbers as text.
pub(super) fn number(object: &Object, key: &str) -> Option<i64> {
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
        match read(line, None) {
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
            read(docker, None),
            Some(Event::Shipped {
                text: "\tat a.B.c(B.java:1)".to_owned(),
                stream: String::new(),
                output: "stderr".to_owned(),
            })
        );
        let google = r#"{"textPayload":"x","severity":"ERROR","resource":{"labels":{"pod_name":"tide-driver"}}}"#;
        assert!(
            matches!(read(google, None), Some(Event::Shipped { stream, .. }) if stream == "tide-driver")
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
            assert!(
                matches!(read(line, None), Some(Event::Shipped { .. })),
                "{line}"
            );
        }
        assert_eq!(read(r#"  "message": "hello","#, None), None);
        assert_eq!(read(r#""message"#, None), None);
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
            assert_eq!(read(line, None), None, "{line}");
        }
    }
}
