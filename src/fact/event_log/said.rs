//! In: an event. Out: what it says to a person: the text that Spark's own log and screen print for it.

use super::event::{EndReason, Event, Line};
use std::borrow::Cow;

/// The text of the line of an event log that [`Place::part`](crate::text::Place::part) `part` names: lines of
/// what the event says are counted from 0. The line itself where it says nothing, or not as much.
pub fn logical_text(line: &[u8], part: u32) -> String {
    let said = match Line::parse(line) {
        Line::Event(event) => said(&event).map(Cow::into_owned),
        _ => None,
    };
    said.as_deref()
        .and_then(|text| text.lines().nth(part as usize))
        .map_or_else(|| String::from_utf8_lossy(line).into_owned(), str::to_owned)
}

/// The texts of all parts of such a line; none where it says nothing.
pub fn logical_texts(line: &[u8]) -> Vec<String> {
    match Line::parse(line) {
        Line::Event(event) => said(&event)
            .map(|text| text.lines().map(str::to_owned).collect())
            .unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// What an event says; `None` where it only counts.
pub(super) fn said<'e>(event: &'e Event<'_>) -> Option<Cow<'e, str>> {
    let text = match event {
        Event::TaskEnd(end) if end.reason.reason == "Success" => return None,
        Event::TaskEnd(end) => return Some(end_reason(&end.reason)),
        Event::StageCompleted(completed) => &completed.stage.failure,
        Event::ExecutorRemoved(removed) => &removed.reason,
        Event::JobEnd(end) => &end.result.exception.as_ref()?.message,
        Event::SqlEnd(end) => &end.error_message,
        Event::QueryTerminated(query) => &query.exception,
        _ => return None,
    };
    text.as_deref()
        .filter(|text| !text.is_empty())
        .map(Cow::Borrowed)
}

/// Why a task ended, as the driver's log prints it.
fn end_reason<'e>(end: &'e EndReason<'_>) -> Cow<'e, str> {
    let or_empty = |text: &'e Option<Cow<'_, str>>| text.as_deref().unwrap_or("");
    let number = |n: Option<i64>| n.map_or_else(|| "?".to_owned(), |n| n.to_string());
    Cow::Owned(match &*end.reason {
        "ExceptionFailure" => {
            if let Some(trace) = end.trace.as_deref().filter(|trace| !trace.is_empty()) {
                return Cow::Borrowed(trace);
            }
            format!("{}: {}", or_empty(&end.class), or_empty(&end.description))
        }
        "FetchFailed" => {
            let from = end.block_manager.as_ref().map_or_else(
                || "null".to_owned(),
                |from| {
                    format!(
                        "BlockManagerId({}, {}, {}, None)",
                        from.executor.as_deref().unwrap_or("?"),
                        from.host.as_deref().unwrap_or("?"),
                        number(from.port)
                    )
                },
            );
            format!(
                "FetchFailed({from}, shuffleId={}, mapIndex={}, mapId={}, reduceId={}, message=\n{}\n)",
                number(end.shuffle),
                number(end.map_index),
                number(end.map),
                number(end.reduce),
                or_empty(&end.message)
            )
        }
        "ExecutorLostFailure" => format!(
            "ExecutorLostFailure (executor {} exited {}) Reason: {}",
            or_empty(&end.executor),
            if end.caused_by_app == Some(false) {
                "unrelated to the running tasks"
            } else {
                "caused by one of the running tasks"
            },
            or_empty(&end.loss_reason)
        ),
        "TaskKilled" => format!("TaskKilled ({})", or_empty(&end.kill_reason)),
        "Resubmitted" => "Resubmitted (resubmitted due to lost executor)".to_owned(),
        "TaskResultLost" => "TaskResultLost (result lost from block manager)".to_owned(),
        other => return Cow::Borrowed(other),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_lines_of_what_an_event_says() {
        let line = br#"{"Event":"SparkListenerTaskEnd","Stage ID":1,"Task End Reason":{"Reason":"ExceptionFailure","Class Name":"a.B","Description":"no","Full Stack Trace":"a.B: no\n\tat x.Y(Z.java:1)\nCaused by: c.D"},"Task Info":{"Task ID":4}}"#;
        assert_eq!(logical_text(line, 0), "a.B: no");
        assert_eq!(logical_text(line, 2), "Caused by: c.D");
        assert_eq!(logical_text(line, 3), String::from_utf8_lossy(line));
        assert_eq!(logical_text(b"cut", 0), "cut");
    }

    #[test]
    fn reasons_read_as_in_the_drivers_log() {
        let said_by = |reason: &str| {
            let line = format!(
                r#"{{"Event":"SparkListenerTaskEnd","Stage ID":1,"Task End Reason":{reason},"Task Info":{{"Task ID":4}}}}"#
            );
            logical_text(line.as_bytes(), 0)
        };
        assert_eq!(
            said_by(
                r#"{"Reason":"ExecutorLostFailure","Executor ID":"5","Exit Caused By App":true,"Loss Reason":"Command exited with code 137"}"#
            ),
            "ExecutorLostFailure (executor 5 exited caused by one of the running tasks) Reason: Command exited with code 137"
        );
        assert_eq!(
            said_by(r#"{"Reason":"TaskKilled","Kill Reason":"another attempt succeeded"}"#),
            "TaskKilled (another attempt succeeded)"
        );
        assert_eq!(
            said_by(
                r#"{"Reason":"FetchFailed","Block Manager Address":{"Executor ID":"2","Host":"h","Port":7337},"Shuffle ID":0,"Map ID":7,"Map Index":3,"Reduce ID":1,"Message":"boom"}"#
            ),
            "FetchFailed(BlockManagerId(2, h, 7337, None), shuffleId=0, mapIndex=3, mapId=7, reduceId=1, message="
        );
    }
}
