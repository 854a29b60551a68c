//! In: one line of an event log. Out: the [`Event`] it holds, with only the fields that are used.
//!
//! `Event` is always a line's first key, so its name tells the type before any JSON is parsed. Spark writes some
//! events under their short class name and some under the full one; the part after the last dot or dollar counts.
//! Unknown events and unknown keys are passed over: Spark adds some with every version.

use super::measure::{Counter, DriverCounters};
use super::sql::{SqlEnd, SqlStart, SqlUpdate};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// An event that is of use.
#[derive(Debug)]
pub(super) enum Event<'l> {
    LogStart(LogStart<'l>),
    ApplicationStart(ApplicationStart<'l>),
    ApplicationEnd(ApplicationEnd),
    Environment(Box<Environment<'l>>),
    ExecutorAdded(ExecutorAdded<'l>),
    ExecutorRemoved(ExecutorRemoved<'l>),
    JobStart(Box<JobStart<'l>>),
    JobEnd(JobEnd<'l>),
    StageSubmitted(Box<StageEvent<'l>>),
    StageCompleted(Box<StageEvent<'l>>),
    TaskStart(Box<TaskStart<'l>>),
    TaskEnd(Box<TaskEnd<'l>>),
    SpeculativeTaskSubmitted(SpeculativeTaskSubmitted),
    SqlStart(SqlStart<'l>),
    SqlUpdate(SqlUpdate<'l>),
    SqlEnd(SqlEnd<'l>),
    DriverCounters(DriverCounters),
    QueryTerminated(QueryTerminated<'l>),
}

/// What came of a line.
#[derive(Debug)]
pub(super) enum Line<'l> {
    /// An event that is of use.
    Event(Event<'l>),
    /// An event that is not.
    PassedOver,
    /// No event: damaged, cut, or something else.
    NotUnderstood,
}

impl<'l> Line<'l> {
    /// Parses a line without its end.
    pub(super) fn parse(line: &'l [u8]) -> Self {
        let Some(name) = name(line) else {
            return Self::NotUnderstood;
        };
        let event = match name {
            "SparkListenerLogStart" => from(line).map(Event::LogStart),
            "SparkListenerApplicationStart" => from(line).map(Event::ApplicationStart),
            "SparkListenerApplicationEnd" => from(line).map(Event::ApplicationEnd),
            "SparkListenerEnvironmentUpdate" => from(line).map(Event::Environment),
            "SparkListenerExecutorAdded" => from(line).map(Event::ExecutorAdded),
            "SparkListenerExecutorRemoved" => from(line).map(Event::ExecutorRemoved),
            "SparkListenerJobStart" => from(line).map(Event::JobStart),
            "SparkListenerJobEnd" => from(line).map(Event::JobEnd),
            "SparkListenerStageSubmitted" => from(line).map(Event::StageSubmitted),
            "SparkListenerStageCompleted" => from(line).map(Event::StageCompleted),
            "SparkListenerTaskStart" => from(line).map(Event::TaskStart),
            "SparkListenerTaskEnd" => from(line).map(Event::TaskEnd),
            "SparkListenerSpeculativeTaskSubmitted" => {
                from(line).map(Event::SpeculativeTaskSubmitted)
            }
            "SparkListenerSQLExecutionStart" => from(line).map(Event::SqlStart),
            "SparkListenerSQLAdaptiveExecutionUpdate" => from(line).map(Event::SqlUpdate),
            "SparkListenerSQLExecutionEnd" => from(line).map(Event::SqlEnd),
            "SparkListenerDriverAccumUpdates" => from(line).map(Event::DriverCounters),
            "QueryTerminatedEvent" => from(line).map(Event::QueryTerminated),
            // A cut line of an event that is not of use is no loss.
            _ => return Self::PassedOver,
        };
        event.map_or(Self::NotUnderstood, Self::Event)
    }
}

/// The event's class without its package; `None` where the line does not begin as an event does.
fn name(line: &[u8]) -> Option<&str> {
    let rest = line.trim_ascii_start().strip_prefix(b"{")?;
    let rest = rest.trim_ascii_start().strip_prefix(b"\"Event\"")?;
    let rest = rest.trim_ascii_start().strip_prefix(b":")?;
    let rest = rest.trim_ascii_start().strip_prefix(b"\"")?;
    let end = memchr::memchr(b'"', rest)?;
    let name = std::str::from_utf8(&rest[..end]).ok()?;
    name.rsplit(['.', '$']).next()
}

fn from<'l, T: Deserialize<'l>>(line: &'l [u8]) -> Option<T> {
    serde_json::from_slice(line).ok()
}

pub(super) type Text<'l> = Option<Cow<'l, str>>;

/// A text, borrowed where it holds no escapes. Deriving through `Option<Cow>` would always copy.
pub(super) fn text<'de: 'l, 'l, D: serde::Deserializer<'de>>(
    from: D,
) -> Result<Text<'l>, D::Error> {
    #[derive(Deserialize)]
    struct Borrowed<'l>(#[serde(borrow)] Cow<'l, str>);
    Ok(Option::<Borrowed<'l>>::deserialize(from)?.map(|b| b.0))
}

#[derive(Debug, Deserialize)]
pub(super) struct LogStart<'l> {
    #[serde(rename = "Spark Version", borrow, default, deserialize_with = "text")]
    pub(super) version: Text<'l>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ApplicationStart<'l> {
    #[serde(rename = "App Name", borrow, default, deserialize_with = "text")]
    pub(super) name: Text<'l>,
    #[serde(rename = "App ID", borrow, default, deserialize_with = "text")]
    pub(super) id: Text<'l>,
    #[serde(rename = "Timestamp", default)]
    pub(super) time: Option<i64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ApplicationEnd {
    #[serde(rename = "Timestamp", default)]
    pub(super) time: Option<i64>,
    /// From Spark 4.0 on.
    #[serde(rename = "ExitCode", default)]
    pub(super) exit_code: Option<i32>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Environment<'l> {
    #[serde(rename = "JVM Information", borrow, default)]
    pub(super) jvm: BTreeMap<Cow<'l, str>, serde_json::Value>,
    #[serde(rename = "Spark Properties", default)]
    pub(super) settings: BTreeMap<String, serde_json::Value>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ExecutorAdded<'l> {
    #[serde(rename = "Timestamp", default)]
    pub(super) time: Option<i64>,
    #[serde(rename = "Executor ID", borrow)]
    pub(super) id: Cow<'l, str>,
    #[serde(rename = "Executor Info", borrow, default)]
    pub(super) info: ExecutorInfo<'l>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct ExecutorInfo<'l> {
    #[serde(rename = "Host", borrow, default, deserialize_with = "text")]
    pub(super) host: Text<'l>,
    #[serde(rename = "Total Cores", default)]
    pub(super) cores: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ExecutorRemoved<'l> {
    #[serde(rename = "Timestamp", default)]
    pub(super) time: Option<i64>,
    #[serde(rename = "Executor ID", borrow)]
    pub(super) id: Cow<'l, str>,
    #[serde(rename = "Removed Reason", borrow, default, deserialize_with = "text")]
    pub(super) reason: Text<'l>,
}

#[derive(Debug, Deserialize)]
pub(super) struct JobStart<'l> {
    #[serde(rename = "Job ID")]
    pub(super) id: u32,
    #[serde(rename = "Submission Time", default)]
    pub(super) time: Option<i64>,
    #[serde(rename = "Stage Infos", borrow, default)]
    pub(super) stages: Vec<StageInfo<'l>>,
    #[serde(rename = "Properties", borrow, default)]
    pub(super) properties: JobProperties<'l>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct JobProperties<'l> {
    #[serde(
        rename = "spark.sql.execution.id",
        borrow,
        default,
        deserialize_with = "text"
    )]
    pub(super) sql: Text<'l>,
    #[serde(
        rename = "spark.job.description",
        borrow,
        default,
        deserialize_with = "text"
    )]
    pub(super) description: Text<'l>,
    #[serde(rename = "callSite.short", borrow, default, deserialize_with = "text")]
    pub(super) call_site: Text<'l>,
    #[serde(
        rename = "sql.streaming.queryId",
        borrow,
        default,
        deserialize_with = "text"
    )]
    pub(super) streaming_query: Text<'l>,
}

#[derive(Debug, Deserialize)]
pub(super) struct JobEnd<'l> {
    #[serde(rename = "Job ID")]
    pub(super) id: u32,
    #[serde(rename = "Completion Time", default)]
    pub(super) time: Option<i64>,
    #[serde(rename = "Job Result", borrow)]
    pub(super) result: JobResult<'l>,
}

#[derive(Debug, Deserialize)]
pub(super) struct JobResult<'l> {
    #[serde(rename = "Result", borrow)]
    pub(super) result: Cow<'l, str>,
    #[serde(rename = "Exception", borrow, default)]
    pub(super) exception: Option<JobException<'l>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct JobException<'l> {
    #[serde(rename = "Message", borrow, default, deserialize_with = "text")]
    pub(super) message: Text<'l>,
}

#[derive(Debug, Deserialize)]
pub(super) struct StageEvent<'l> {
    #[serde(rename = "Stage Info", borrow)]
    pub(super) stage: StageInfo<'l>,
}

#[derive(Debug, Deserialize)]
pub(super) struct StageInfo<'l> {
    #[serde(rename = "Stage ID")]
    pub(super) id: u32,
    #[serde(rename = "Stage Attempt ID", default)]
    pub(super) attempt: u32,
    #[serde(rename = "Stage Name", borrow, default, deserialize_with = "text")]
    pub(super) name: Text<'l>,
    #[serde(rename = "Number of Tasks", default)]
    pub(super) tasks: Option<u64>,
    #[serde(rename = "Submission Time", default)]
    pub(super) submitted: Option<i64>,
    #[serde(rename = "Completion Time", default)]
    pub(super) completed: Option<i64>,
    #[serde(rename = "Failure Reason", borrow, default, deserialize_with = "text")]
    pub(super) failure: Text<'l>,
    #[serde(rename = "RDD Info", borrow, default)]
    pub(super) rdds: Vec<RddInfo<'l>>,
    /// What its tasks counted together, told when it ends.
    #[serde(rename = "Accumulables", default)]
    pub(super) counters: Vec<Counter>,
}

#[derive(Debug, Deserialize)]
pub(super) struct RddInfo<'l> {
    /// JSON within JSON: `{"id":"4","name":"WholeStageCodegen (1)"}`. Which operator made it.
    #[serde(rename = "Scope", borrow, default, deserialize_with = "text")]
    pub(super) scope: Text<'l>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Scope<'l> {
    #[serde(borrow)]
    pub(super) name: Cow<'l, str>,
}

#[derive(Debug, Deserialize)]
pub(super) struct TaskStart<'l> {
    #[serde(rename = "Stage ID")]
    pub(super) stage: u32,
    #[serde(rename = "Stage Attempt ID", default)]
    pub(super) stage_attempt: u32,
    #[serde(rename = "Task Info", borrow)]
    pub(super) task: TaskInfo<'l>,
}

#[derive(Debug, Deserialize)]
pub(super) struct TaskInfo<'l> {
    #[serde(rename = "Task ID")]
    pub(super) tid: u64,
    #[serde(rename = "Index", default)]
    pub(super) index: u32,
    #[serde(rename = "Attempt", default)]
    pub(super) attempt: u32,
    #[serde(rename = "Launch Time", default)]
    pub(super) launched: i64,
    #[serde(rename = "Finish Time", default)]
    pub(super) finished: i64,
    #[serde(rename = "Executor ID", borrow, default)]
    pub(super) executor: Cow<'l, str>,
    #[serde(rename = "Host", borrow, default)]
    pub(super) host: Cow<'l, str>,
    #[serde(rename = "Speculative", default)]
    pub(super) speculative: bool,
}

#[derive(Debug, Deserialize)]
pub(super) struct TaskEnd<'l> {
    #[serde(rename = "Stage ID")]
    pub(super) stage: u32,
    #[serde(rename = "Stage Attempt ID", default)]
    pub(super) stage_attempt: u32,
    #[serde(rename = "Task End Reason", borrow)]
    pub(super) reason: EndReason<'l>,
    #[serde(rename = "Task Info", borrow)]
    pub(super) task: TaskInfo<'l>,
    /// Absent where the executor was lost or the task never ran.
    #[serde(rename = "Task Metrics", default)]
    pub(super) metrics: Option<TaskMetrics>,
}

/// Keys of all the reasons; which of them are there depends on `reason`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct EndReason<'l> {
    #[serde(borrow)]
    pub(super) reason: Cow<'l, str>,
    #[serde(rename = "Class Name", borrow, default, deserialize_with = "text")]
    pub(super) class: Text<'l>,
    #[serde(borrow, default, deserialize_with = "text")]
    pub(super) description: Text<'l>,
    #[serde(
        rename = "Full Stack Trace",
        borrow,
        default,
        deserialize_with = "text"
    )]
    pub(super) trace: Text<'l>,
    #[serde(rename = "Block Manager Address", borrow, default)]
    pub(super) block_manager: Option<BlockManager<'l>>,
    #[serde(rename = "Shuffle ID", default)]
    pub(super) shuffle: Option<i64>,
    #[serde(rename = "Map Index", default)]
    pub(super) map_index: Option<i64>,
    #[serde(rename = "Map ID", default)]
    pub(super) map: Option<i64>,
    #[serde(rename = "Reduce ID", default)]
    pub(super) reduce: Option<i64>,
    #[serde(borrow, default, deserialize_with = "text")]
    pub(super) message: Text<'l>,
    #[serde(rename = "Executor ID", borrow, default, deserialize_with = "text")]
    pub(super) executor: Text<'l>,
    #[serde(rename = "Exit Caused By App", default)]
    pub(super) caused_by_app: Option<bool>,
    #[serde(rename = "Loss Reason", borrow, default, deserialize_with = "text")]
    pub(super) loss_reason: Text<'l>,
    #[serde(rename = "Kill Reason", borrow, default, deserialize_with = "text")]
    pub(super) kill_reason: Text<'l>,
}

#[derive(Debug, Deserialize)]
pub(super) struct BlockManager<'l> {
    #[serde(rename = "Executor ID", borrow, default, deserialize_with = "text")]
    pub(super) executor: Text<'l>,
    #[serde(rename = "Host", borrow, default, deserialize_with = "text")]
    pub(super) host: Text<'l>,
    #[serde(rename = "Port", default)]
    pub(super) port: Option<i64>,
}

/// Milliseconds and bytes. Spark writes -1 for some that it does not know.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(super) struct TaskMetrics {
    #[serde(rename = "Executor Run Time", default)]
    pub(super) run_ms: i64,
    #[serde(rename = "JVM GC Time", default)]
    pub(super) gc_ms: i64,
    #[serde(rename = "Peak Execution Memory", default)]
    pub(super) peak_memory: i64,
    #[serde(rename = "Memory Bytes Spilled", default)]
    pub(super) spill_memory: i64,
    #[serde(rename = "Disk Bytes Spilled", default)]
    pub(super) spill_disk: i64,
    #[serde(rename = "Shuffle Read Metrics", default)]
    pub(super) shuffle_read: ShuffleRead,
    #[serde(rename = "Shuffle Write Metrics", default)]
    pub(super) shuffle_write: ShuffleWrite,
    #[serde(rename = "Input Metrics", default)]
    pub(super) input: Input,
    #[serde(rename = "Output Metrics", default)]
    pub(super) output: Output,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(super) struct ShuffleRead {
    #[serde(rename = "Remote Bytes Read", default)]
    pub(super) remote: i64,
    #[serde(rename = "Local Bytes Read", default)]
    pub(super) local: i64,
    #[serde(rename = "Total Records Read", default)]
    pub(super) records: i64,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(super) struct ShuffleWrite {
    #[serde(rename = "Shuffle Bytes Written", default)]
    pub(super) bytes: i64,
    #[serde(rename = "Shuffle Records Written", default)]
    pub(super) records: i64,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(super) struct Input {
    #[serde(rename = "Bytes Read", default)]
    pub(super) bytes: i64,
    #[serde(rename = "Records Read", default)]
    pub(super) records: i64,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(super) struct Output {
    #[serde(rename = "Bytes Written", default)]
    pub(super) bytes: i64,
    #[serde(rename = "Records Written", default)]
    pub(super) records: i64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SpeculativeTaskSubmitted {
    #[serde(alias = "Stage ID")]
    pub(super) stage_id: u32,
    #[serde(alias = "Stage Attempt ID", default)]
    pub(super) stage_attempt_id: u32,
}

#[derive(Debug, Deserialize)]
pub(super) struct QueryTerminated<'l> {
    #[serde(borrow, default, deserialize_with = "text")]
    pub(super) exception: Text<'l>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_after_the_last_dot_or_dollar_names_an_event() {
        let line = br#"{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd","executionId":7,"time":9,"errorMessage":null,"later":[1,{"x":2}]}"#;
        let Line::Event(Event::SqlEnd(end)) = Line::parse(line) else {
            panic!("no end")
        };
        assert_eq!((end.execution_id, end.error_message), (7, None));
        let line =
            br#"{ "Event" : "a.StreamingQueryListener$QueryTerminatedEvent", "exception":"boom"}"#;
        assert!(matches!(
            Line::parse(line),
            Line::Event(Event::QueryTerminated(q)) if q.exception.as_deref() == Some("boom")
        ));
    }

    #[test]
    fn unknown_events_are_passed_over_and_cut_ones_are_not_understood() {
        assert!(matches!(
            Line::parse(br#"{"Event":"SparkListenerBlockUpdated","#),
            Line::PassedOver
        ));
        for line in [
            &br#"{"Event":"SparkListenerTaskEnd","Stage ID":1,"Sta"#[..],
            br#"{"Event":"SparkListenerTa"#,
            b"24/01/01 00:00:00 INFO X: y",
            b"",
            b"\xff\xfe",
        ] {
            assert!(matches!(Line::parse(line), Line::NotUnderstood), "{line:?}");
        }
    }

    #[test]
    fn texts_without_escapes_are_borrowed() {
        let line = br#"{"Event":"SparkListenerExecutorRemoved","Executor ID":"3","Removed Reason":"Command exited with code 137"}"#;
        let Line::Event(Event::ExecutorRemoved(removed)) = Line::parse(line) else {
            panic!("not removed")
        };
        assert!(matches!(removed.reason, Some(Cow::Borrowed(_))));
        assert!(matches!(removed.id, Cow::Borrowed(_)));
    }
}
