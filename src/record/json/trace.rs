//! In: an exception as an event's encoder wrote it: text, an object or an array of frames. Out: the lines that a
//! console would have shown for it.

use super::event::{Object, number, push_lines, string};
use serde_json::Value;

/// How deep causes of causes are followed.
const DEEPEST: usize = 32;

/// Prints an exception as its language does: text as it is, an object as class, message and frames.
pub(super) fn print_trace(lines: &mut Vec<String>, trace: &Value, label: &str, depth: usize) {
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
pub(super) fn jvm_frame(frame: &Object) -> Option<String> {
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
