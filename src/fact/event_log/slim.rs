//! In: a line of an event log. Out: the same without what accumulators counted in a task: half of most logs, of which
//! nothing is used.

use memchr::memmem::Finder;
use std::sync::LazyLock;

/// How Spark begins the end of a task.
const TASK_END: &[u8] = b"{\"Event\":\"SparkListenerTaskEnd\",";
static BEGIN: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\"Accumulables\":["));
static END: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("]},\"Task "));

/// Writes the shorter line to `scratch`; `None` where the line is no task's end, or not written as Spark writes it.
///
/// Quotes within a text have a backslash in front, so neither mark can be part of one.
pub(super) fn without_accumulables<'s>(line: &[u8], scratch: &'s mut Vec<u8>) -> Option<&'s [u8]> {
    if !line.starts_with(TASK_END) {
        return None;
    }
    let from = BEGIN.find(line)? + BEGIN.needle().len();
    let to = from + END.find(&line[from..])?;
    scratch.clear();
    scratch.extend_from_slice(&line[..from]);
    scratch.extend_from_slice(&line[to..]);
    Some(scratch)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn what_accumulators_counted_is_left_out_and_nothing_else() {
        let line = r#"{"Event":"SparkListenerTaskEnd","Stage ID":1,"Task End Reason":{"Reason":"ExceptionFailure","Description":"\"Accumulables\":[1]},\"Task "},"Task Info":{"Task ID":7,"Host":"h","Accumulables":[{"ID":1,"Name":"]},\"Task Info","Value":[[1]]},{"ID":2}]},"Task Executor Metrics":{"x":1},"Task Metrics":{"JVM GC Time":5}}"#;
        let mut scratch = Vec::new();
        let short = without_accumulables(line.as_bytes(), &mut scratch).unwrap();
        let mut whole: serde_json::Value = serde_json::from_str(line).unwrap();
        whole["Task Info"]["Accumulables"] = serde_json::json!([]);
        let short: serde_json::Value = serde_json::from_slice(short).unwrap();
        assert_eq!(short, whole);
    }

    #[test]
    fn other_lines_stay_as_they_are() {
        for line in [
            r#"{"Event":"SparkListenerTaskStart","Task Info":{"Accumulables":[]},"Task x":1}"#,
            r#"{"Event":"SparkListenerTaskEnd","Task Info":{"Host":"h"}}"#,
            r#"{"Event":"SparkListenerTaskEnd","Task Info":{"Accumulables":[{"ID":1},"#,
        ] {
            assert_eq!(
                without_accumulables(line.as_bytes(), &mut Vec::new()),
                None,
                "{line}"
            );
        }
    }
}
