//! In: an input's name and its first and last bytes. Out: its [`Kind`] and [`Labels`]: whose log it is.

use crate::text::{Symbol, bytes_pattern};
use memchr::memmem;
use regex::bytes::Regex as BytesRegex;
use std::sync::LazyLock;

/// What an input is, told by its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A driver's log: the scheduler speaks in it, or a `spark-submit` started it.
    DriverLog,
    /// An executor's log.
    ExecutorLog,
    /// An event log.
    EventLog,
    /// A bare stack trace.
    Trace,
    /// Settings: `spark-defaults.conf` and the like.
    Settings,
    /// A schema.
    Schema,
    /// The job's own source code.
    JobSource,
    /// A query plan.
    Plan,
    /// Anything else.
    Other,
}

impl Kind {
    /// The word of the report.
    pub fn word(self) -> &'static str {
        match self {
            Self::DriverLog => "driver_log",
            Self::ExecutorLog => "executor_log",
            Self::EventLog => "event_log",
            Self::Trace => "trace",
            Self::Settings => "settings",
            Self::Schema => "schema",
            Self::JobSource => "source",
            Self::Plan => "plan",
            Self::Other => "other",
        }
    }

    /// Whether its lines are what processes printed while they ran.
    pub fn is_log(self) -> bool {
        matches!(
            self,
            Self::DriverLog | Self::ExecutorLog | Self::Trace | Self::Other
        )
    }

    /// Tells what an input is. `head` and `tail` are its first and last bytes; they may overlap.
    pub(super) fn told_by(name: &str, head: &[u8], tail: &[u8]) -> Self {
        let has = |needle: &str| {
            memmem::find(head, needle.as_bytes()).is_some()
                || memmem::find(tail, needle.as_bytes()).is_some()
        };
        let any = |needles: &[&str]| needles.iter().any(|n| has(n));
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        let name = name.replace('\\', "/").to_lowercase();
        let file = name.rsplit(['/', '!']).next().unwrap_or(&name);

        if EVENT.is_match(head.trim_ascii_start()) {
            return Self::EventLog;
        }
        // A notebook in which a cell failed tells what it printed.
        let failed_cell = has("\"ename\"") && has("\"traceback\"");
        if let Some(kind) = told_by_extension(file).filter(|_| !failed_cell) {
            return kind;
        }
        let has_heads = HEAD.is_match(head) || HEAD.is_match(tail);
        if !has_heads {
            if is_settings(head) {
                return Self::Settings;
            }
            if SCHEMA.is_match(head) {
                return Self::Schema;
            }
            if PLAN.is_match(head) {
                return Self::Plan;
            }
        }
        if file.contains("driver") {
            return Self::DriverLog;
        }
        let driver_speaks = any(DRIVER);
        if EXECUTOR_PATH.is_match(name.as_bytes()) && !driver_speaks {
            return Self::ExecutorLog;
        }
        if driver_speaks {
            return Self::DriverLog;
        }
        if any(EXECUTOR) {
            return Self::ExecutorLog;
        }
        if any(DAEMON) {
            return Self::Other;
        }
        let throws = any(&[
            "Traceback (most recent call last)",
            "Caused by: ",
            "\n\tat ",
        ]);
        match (has_heads, throws) {
            (true, _) => Self::DriverLog,
            (false, true) => Self::Trace,
            (false, false) => Self::Other,
        }
    }
}

/// A line with a level word beside a time, or behind a number and a thread, or in a field of its own.
static HEAD: LazyLock<BytesRegex> = LazyLock::new(|| {
    let level = r"\b(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL)\b";
    let time = r"\d\d:\d\d:\d\d";
    let pattern = format!(
        r#"(?m-u)^[^\n]{{0,80}}(?:{time}[^\n]{{0,80}}{level}|{level}[^\n]{{0,8}}\d{{4}}-[^\n]{{0,8}}{time})|^\d+ \[[^\]\n]{{1,80}}\] +{level}|"level" *: *"{level}""#
    );
    bytes_pattern(&pattern).expect("a valid pattern")
});
static EVENT: LazyLock<BytesRegex> = LazyLock::new(|| {
    bytes_pattern(r#"^\{\s*"Event"\s*:\s*"(?:Spark|\w+\.)"#).expect("a valid pattern")
});
static SCHEMA: LazyLock<BytesRegex> = LazyLock::new(|| {
    bytes_pattern(r#"^\s*(?:root\s*\n \|--|\{\s*"type"\s*:\s*"(?:struct|record)")"#)
        .expect("a valid pattern")
});
static PLAN: LazyLock<BytesRegex> = LazyLock::new(|| {
    bytes_pattern(r"^\s*== (?:Physical|Parsed Logical|Analyzed Logical|Optimized Logical) Plan ==")
        .expect("a valid pattern")
});
static EXECUTOR_PATH: LazyLock<BytesRegex> = LazyLock::new(|| {
    bytes_pattern(r"(?:^|/)(?:executors?/[^/]+/|app-\d+-\d+/\d+/|container_(?:e\d+_)?\d+_\d+_\d+_0*(?:[2-9]|[1-9]\d+)/)(?:stderr|stdout|syslog)|-exec-\d+\b")
        .expect("a valid pattern")
});

/// What only a driver's process prints.
const DRIVER: &[&str] = &[
    "DAGScheduler",
    "TaskSetManager",
    "TaskSchedulerImpl",
    "YarnScheduler",
    "SparkContext: Running Spark",
    "SparkSubmit",
    "ApplicationMaster",
    "BlockManagerMasterEndpoint",
    "StandaloneSchedulerBackend",
    "ExecutorPodsAllocator",
    "pyspark/sql/session.py",
    "py4j.protocol",
    "MicroBatchExecution",
];
/// What an executor's process prints, and a driver's does not.
const EXECUTOR: &[&str] = &[
    "CoarseGrainedExecutorBackend",
    "Executor: Running task",
    "Executor: Exception in task",
    "Executor: Starting executor ID",
    "YarnCoarseGrainedExecutorBackend",
];
/// What the machines' own services print.
const DAEMON: &[&str] = &[
    "org.apache.spark.deploy.worker.Worker",
    "org.apache.spark.deploy.master.Master",
    " INFO Worker: ",
    " INFO Master: ",
    " WARN Master: ",
    " WARN Worker: ",
];

fn told_by_extension(file: &str) -> Option<Kind> {
    match file.rsplit_once('.')?.1 {
        "py" | "scala" | "java" | "kt" | "sql" | "hql" | "r" | "ipynb" | "sh" => {
            Some(Kind::JobSource)
        }
        "avsc" => Some(Kind::Schema),
        _ => None,
    }
}

/// Most lines that are neither empty nor comments set a `spark.` or `hadoop.` key.
fn is_settings(head: &[u8]) -> bool {
    let (mut set, mut all) = (0_u32, 0_u32);
    for line in head.split(|b| *b == b'\n').take(400) {
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        all += 1;
        let line = line.strip_prefix(b"--conf ").unwrap_or(line);
        set += u32::from(
            line.starts_with(b"spark.") && line.iter().any(|b| matches!(b, b' ' | b'\t' | b'=')),
        );
    }
    set > 0 && set * 2 > all
}

/// Whose log an input is, as far as its path and its first lines tell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Labels {
    /// The executor's id: `12`.
    pub executor: Option<Symbol>,
    /// The container: `container_1700000000000_0042_01_000003`.
    pub container: Option<Symbol>,
    /// The host.
    pub host: Option<Symbol>,
}

static EXECUTOR_ID: LazyLock<BytesRegex> = LazyLock::new(|| {
    bytes_pattern(r"(?:^|/)(?:executors?/|app-\d+-\d+/)([0-9]{1,9})/|-exec-([0-9]{1,9})\b")
        .expect("a valid pattern")
});
static CONTAINER: LazyLock<BytesRegex> = LazyLock::new(|| {
    bytes_pattern(r"container_(?:e\d+_)?\d+_\d+_\d+_\d+").expect("a valid pattern")
});
static STARTED_AS: LazyLock<BytesRegex> = LazyLock::new(|| {
    bytes_pattern(r#"--executor-id"?\s+"?([\w-]+)|Starting executor ID ([\w-]+) on host"#)
        .expect("a valid pattern")
});
static STARTED_ON: LazyLock<BytesRegex> = LazyLock::new(|| {
    bytes_pattern(r#"--hostname"?\s+"?([\w.:-]+)|Starting executor ID [\w-]+ on host ([\w.:-]+)"#)
        .expect("a valid pattern")
});

impl Labels {
    /// From an input's name and, for an executor's log, its first bytes.
    pub(super) fn told_by(name: &str, kind: Kind, head: &[u8]) -> Self {
        let name = name.as_bytes();
        let head = if kind == Kind::ExecutorLog { head } else { b"" };
        Self {
            executor: group(&EXECUTOR_ID, name).or_else(|| group(&STARTED_AS, head)),
            container: CONTAINER.find(name).and_then(|m| symbol(m.as_bytes())),
            host: group(&STARTED_ON, head),
        }
    }
}

/// The first group that took part in the first match.
fn group(pattern: &BytesRegex, text: &[u8]) -> Option<Symbol> {
    let found = pattern.captures(text)?;
    let group = found.iter().skip(1).flatten().next()?;
    symbol(group.as_bytes())
}

fn symbol(bytes: &[u8]) -> Option<Symbol> {
    std::str::from_utf8(bytes).ok().map(Symbol::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str, text: &str) -> Kind {
        Kind::told_by(name, text.as_bytes(), text.as_bytes())
    }

    #[test]
    fn content_tells_the_kind() {
        let driver = "24/01/02 03:04:05 INFO DAGScheduler: Got job 0\n";
        let executor = "24/01/02 03:04:05 ERROR Executor: Exception in task 3.0 in stage 3.0\n";
        assert_eq!(kind("x", driver), Kind::DriverLog);
        assert_eq!(kind("x", executor), Kind::ExecutorLog);
        assert_eq!(kind("x", &format!("{driver}{executor}")), Kind::DriverLog);
        assert_eq!(
            kind("x", "{\"Event\":\"SparkListenerLogStart\""),
            Kind::EventLog
        );
        assert_eq!(
            kind("a/executors/3/stderr", "24/01/02 03:04:05 WARN X: y\n"),
            Kind::ExecutorLog
        );
        assert_eq!(
            kind("x", "java.io.IOException: no\n\tat a.b.C(D.java:1)\n"),
            Kind::Trace
        );
        assert_eq!(
            kind(
                "spark-defaults.conf",
                "# all\nspark.master yarn\nspark.executor.memory=4g\n"
            ),
            Kind::Settings
        );
        assert_eq!(kind("x", "root\n |-- id: long\n"), Kind::Schema);
        assert_eq!(kind("x", "== Physical Plan ==\n*(1) Range\n"), Kind::Plan);
        assert_eq!(
            kind("job.py", "# Caused by: a typo\nimport os\n"),
            Kind::JobSource
        );
        assert_eq!(kind("notes", "hello\n"), Kind::Other);
        for line in [
            "INFO  [2017-09-06T02:48:34.399Z] org.x.Cls: java.io.IOException: no\n\tat a.B\n",
            "22083 [task-result-getter-2] INFO  org.x.Cls  - java.io.IOException: no\n\tat a.B\n",
            "{\"ts\":\"x\",\"level\":\"ERROR\",\"msg\":\"Caused by: x\"}\n",
        ] {
            assert_eq!(kind("x", line), Kind::DriverLog, "{line}");
        }
    }

    #[test]
    fn a_path_tells_executor_and_container() {
        let labels = Labels::told_by("logs/executors/12/stderr", Kind::ExecutorLog, b"");
        assert_eq!(labels.executor.as_deref(), Some("12"));
        let path = "app/container_e17_1700000000000_0042_01_000003/stderr.gz";
        let labels = Labels::told_by(path, Kind::ExecutorLog, b"");
        assert_eq!(
            labels.container.as_deref(),
            Some("container_e17_1700000000000_0042_01_000003")
        );
        let head = br#"Backend" "--executor-id" "3" "--hostname" "192.0.2.2" "--cores""#.as_slice();
        let labels = Labels::told_by("stderr", Kind::ExecutorLog, head);
        assert_eq!(
            (labels.executor.as_deref(), labels.host.as_deref()),
            (Some("3"), Some("192.0.2.2"))
        );
    }
}
