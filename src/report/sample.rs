//! A small case made by hand, so that the reports are tested without the floors that find such things in logs.

use crate::diagnosis::{Bucket, Diagnosis, Fix, Step, StepKind};
use crate::fact::{Frame, Owner};
use crate::incident::{
    Attempt, AttemptOutcome, Cause, Evidence, Executor, Finding, FindingKind, Incident, LineKind,
    Outcome, Phase, Relation, Role, Severity, Side, SparkInfo, Stage, StageStatus, Story,
    TaskCounts, TaskId, TraceLine, Verdict,
};
use crate::load::Case;
use crate::source::Sources;
use crate::text::{Place, SourceId, Symbol};
use std::sync::Arc;

const LOG: &str = "\
Traceback (most recent call last):
  File \"/srv/jobs/enrich_orders.py\", line 142, in main
    enriched.write.parquet(out)
py4j.protocol.Py4JJavaError: An error occurred while calling o412.parquet.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 37 failed 4 times
\tat org.apache.spark.scheduler.DAGScheduler.abortStage(DAGScheduler.scala:1)
\tat org.apache.spark.scheduler.DAGScheduler.run(DAGScheduler.scala:2)
Caused by: org.apache.spark.api.python.PythonException: Traceback (most recent call last):
  File \"/srv/jobs/enrich_orders.py\", line 88, in parse_age
    return int(value)
ValueError: invalid literal for int() with base 10: 'un\u{1b}[31mknown'
";

/// A failed run: a Python worker's `ValueError` behind three wrappers, four attempts, one recovered incident.
#[allow(clippy::too_many_lines, reason = "it is data")]
pub(super) fn failed() -> Case {
    let mut sources = Sources::default();
    sources.add_memory("driver.log", LOG.as_bytes().to_vec());
    let root = cause(
        11,
        Relation::Worker,
        Some(Side::PythonWorker),
        "ValueError",
        "invalid literal for int() with base 10: 'un\u{1b}[31mknown'",
    );
    let task = TaskId {
        stage: 12,
        stage_attempt: 0,
        partition: 37,
    };
    let fatal = Incident {
        role: Role::Fatal,
        chain: vec![
            cause(
                4,
                Relation::Top,
                Some(Side::PythonDriver),
                "py4j.protocol.Py4JJavaError",
                "An error occurred while calling o412.parquet.",
            ),
            cause(
                5,
                Relation::Wrapped,
                Some(Side::JvmDriver),
                "org.apache.spark.SparkException",
                "Job aborted due to stage failure: Task 37 failed 4 times",
            ),
            cause(
                8,
                Relation::CausedBy,
                Some(Side::JvmExecutor),
                "org.apache.spark.api.python.PythonException",
                "",
            ),
            root,
        ],
        root: 3,
        evidence: Evidence::Root,
        next: Vec::new(),
        side: Some(Side::PythonWorker),
        phase: Some(Phase::Write),
        user_frame: Some(frame(9, "parse_age", 88, Some("return int(value)"))),
        action_frame: Some(frame(2, "main", 142, Some("enriched.write.parquet(out)"))),
        task: Some(task),
        attempts: (0..4).map(|n| attempt(task, n)).collect(),
        others: Vec::new(),
        verdict: Some(Verdict::Deterministic),
        trace: trace(),
        occurrences: vec![place(5), place(11)],
        count: 9,
        first: None,
        last: None,
        effect_of: None,
    };
    let mut recovered = fatal.clone();
    recovered.role = Role::Recovered;
    recovered.chain = vec![cause(
        1,
        Relation::Top,
        None,
        "java.net.ConnectException",
        "Connection refused",
    )];
    recovered.root = 0;
    recovered.count = 31;
    recovered.attempts.clear();
    recovered.verdict = None;
    Case {
        sources: Arc::new(sources),
        dresses: Vec::new(),
        story: Story {
            outcome: Outcome::Failed,
            spark: SparkInfo {
                version: Some("3.5.1".into()),
                app_id: Some("application_1710000000000_0042".into()),
                ..SparkInfo::default()
            },
            incidents: vec![fatal, recovered],
            stages: vec![stage()],
            executors: vec![Executor {
                id: "3".into(),
                host: Some("node-a".into()),
                added: None,
                removed: None,
                reason: None,
                exit_code: None,
                place: None,
            }],
            ..Story::default()
        },
        diagnoses: vec![diagnosis(), Diagnosis::default()],
        advice: Vec::new(),
        lines: vec![11],
        unread: vec![3],
        work: crate::load::Work::default(),
        provisional: false,
        long_line: crate::load::LongLine::default(),
    }
}

/// A run in which nothing was found.
pub(super) fn empty() -> Case {
    let mut case = failed();
    case.story = Story::default();
    case.diagnoses.clear();
    case
}

fn place(line: usize) -> Place {
    let start = LOG
        .lines()
        .take(line - 1)
        .map(|l| l.len() + 1)
        .sum::<usize>();
    let bytes = LOG.lines().nth(line - 1).map_or(0, str::len);
    Place {
        source: SourceId(0),
        start: start as u64,
        bytes: u32::try_from(bytes).expect("a short log"),
        line: line as u64,
        part: 0,
    }
}

fn cause(line: usize, relation: Relation, side: Option<Side>, class: &str, message: &str) -> Cause {
    Cause {
        relation,
        side,
        class: class.into(),
        message: message.into(),
        condition: None,
        sqlstate: None,
        place: place(line),
        text: LOG.lines().nth(line - 1).unwrap_or_default().into(),
        frames: Vec::new(),
    }
}

fn frame(line: usize, function: &str, at: u32, code: Option<&str>) -> Frame {
    Frame {
        class: Symbol::new("/srv/jobs/enrich_orders.py"),
        function: function.into(),
        file: "/srv/jobs/enrich_orders.py".into(),
        line: Some(at),
        code: code.map(Into::into),
        owner: Owner::User,
        place: place(line),
    }
}

fn attempt(task: TaskId, number: u32) -> Attempt {
    Attempt {
        task,
        number,
        tid: Some(u64::from(number) + 700),
        executor: Some(Symbol::new(&(number + 3).to_string())),
        host: Some("node-a".into()),
        outcome: AttemptOutcome::Failed,
        class: "ValueError".into(),
        message: "invalid literal".into(),
        place: Some(place(11)),
        own_log: None,
        same_cause: Some(true),
        launched: None,
        ended: None,
        peak_memory: None,
        speculative: false,
    }
}

fn trace() -> Vec<TraceLine> {
    let kinds = [
        LineKind::Connector,
        LineKind::Frame(Owner::User),
        LineKind::Code(Owner::User),
        LineKind::Header,
        LineKind::Header,
        LineKind::Frame(Owner::Spark),
        LineKind::Frame(Owner::Spark),
        LineKind::Header,
        LineKind::Frame(Owner::User),
        LineKind::Code(Owner::User),
        LineKind::Header,
    ];
    let lines = kinds.into_iter().enumerate();
    lines
        .map(|(index, kind)| TraceLine {
            place: place(index + 1),
            kind,
            cause: None,
        })
        .collect()
}

fn stage() -> Stage {
    Stage {
        id: 12,
        attempt: 0,
        name: "parquet at NativeMethodAccessorImpl.java:0".into(),
        status: StageStatus::Failed,
        tasks: TaskCounts {
            total: Some(200),
            succeeded: Some(37),
            failed: Some(4),
            killed: Some(0),
        },
        submitted: None,
        duration_ms: None,
        failure: None,
        place: None,
        figures: None,
        findings: vec![Finding {
            kind: FindingKind::Skew,
            severity: Severity::Severe,
            text: "task 142 read 4.1 GB, 45 × the median".into(),
            ratio: Some(45.0),
            task: Some(142),
            evidence: Vec::new(),
        }],
        jobs: Vec::new(),
        sql: None,
    }
}

fn diagnosis() -> Diagnosis {
    Diagnosis {
        bucket: Some(Bucket::UserCode),
        confidence: 0.9,
        explanation: "A UDF met a value it does not expect.".into(),
        fixes: vec![Fix {
            rule: "udf-value-error".into(),
            family: "guard-udf-input".into(),
            title: "Guard the UDF's input".into(),
            why: "`parse_age` raised on one value.".into(),
            steps: vec![Step {
                kind: StepKind::Check,
                text: "Look at the values.".into(),
                lang: Some("python".into()),
                replaces: None,
                code: Some("df.filter(\"age is null\").show()".into()),
            }],
            evidence: vec![place(11)],
        }],
        ..Diagnosis::default()
    }
}
