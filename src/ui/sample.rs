//! Cases for the tests of this floor, made by hand: a Python UDF that met a word where a number should be, and a
//! run that went well.
#![expect(clippy::unwrap_used, reason = "tests")]

use crate::diagnosis::{Bucket, Diagnosis, Fix, Step, StepKind};
use crate::fact::{Frame, Owner};
use crate::incident::{
    Attempt, AttemptOutcome, Cause, Evidence, Finding, FindingKind, Incident, LineKind, Outcome,
    Phase, Relation, Role, Severity, Side, SparkInfo, Spread, Stage, StageFigures, StageStatus,
    Story, TaskCounts, TaskId, TraceLine, Verdict,
};
use crate::load::Case;
use crate::source::Sources;
use crate::text::{Place, SourceId, Symbol};
use std::sync::Arc;

/// Lines of the log: kind (`L`og, `C`onnector, `H`eader, `M`essage, `F`rame, `S`ource line, `E`lided), whose
/// (`u`ser, `s`park, `p`y4j, `j`vm, `l`ibrary), the cause it belongs to, and the text.
const LOG: &[(&str, Option<u32>, &str)] = &[
    (
        "L",
        None,
        "26/11/30 05:08:38 ERROR Executor: Exception in task 37.3 in stage 12.0 (TID 4714)",
    ),
    ("C", Some(0), "Traceback (most recent call last):"),
    (
        "Fu",
        Some(0),
        "  File \"/app/enrich_orders.py\", line 142, in <module>",
    ),
    ("Su", Some(0), "    main()"),
    (
        "Fs",
        Some(0),
        "  File \"/opt/spark/python/pyspark/sql/readwriter.py\", line 1721, in parquet",
    ),
    (
        "Fp",
        Some(0),
        "  File \"/opt/spark/python/lib/py4j/java_gateway.py\", line 1322, in __call__",
    ),
    (
        "Fs",
        Some(0),
        "  File \"/opt/spark/python/pyspark/errors/exceptions/captured.py\", line 179, in deco",
    ),
    (
        "H",
        Some(0),
        "py4j.protocol.Py4JJavaError: An error occurred while calling o412.parquet.",
    ),
    (
        "H",
        Some(1),
        ": org.apache.spark.SparkException: Job aborted due to stage failure: Task 37 in stage 12.0 failed 4 times",
    ),
    (
        "Fs",
        Some(1),
        "\tat org.apache.spark.scheduler.DAGScheduler.failJobAndIndependentStages(DAGScheduler.scala:2844)",
    ),
    (
        "Fs",
        Some(1),
        "\tat org.apache.spark.scheduler.DAGScheduler.$anonfun$abortStage$2(DAGScheduler.scala:2780)",
    ),
    (
        "Fj",
        Some(1),
        "\tat java.base/java.lang.Thread.run(Thread.java:833)",
    ),
    (
        "H",
        Some(2),
        "Caused by: org.apache.spark.api.python.PythonException: Traceback (most recent call last):",
    ),
    (
        "Fu",
        Some(3),
        "  File \"/app/enrich_orders.py\", line 88, in parse_age",
    ),
    ("Su", Some(3), "    return int(value)"),
    (
        "H",
        Some(3),
        "ValueError: invalid literal for int() with base 10: 'unknown'",
    ),
    ("M", Some(3), "数据 für naïve Zeilen"),
    (
        "Fs",
        Some(2),
        "\tat org.apache.spark.api.python.BasePythonRunner$ReaderIterator.handlePythonException(PythonRunner.scala:572)",
    ),
    ("Fl", Some(2), "\tat com.acme.Loader.load(Loader.java:10)"),
    (
        "Fs",
        Some(2),
        "\tat org.apache.spark.scheduler.Task.run(Task.scala:141)",
    ),
    ("E", Some(2), "\t... 40 more"),
    (
        "L",
        None,
        "26/11/30 05:08:40 WARN BlockManager: Connection refused: host-b/10.0.0.2:7337",
    ),
];

/// Text before the trace, so that numbers of lines and offsets are not those of the trace.
const BEFORE: &str = "26/11/30 05:08:01 INFO SparkContext: Running Spark version 3.5.1\n";

/// The failed run.
#[allow(clippy::too_many_lines, reason = "it is data")]
pub(super) fn udf() -> Case {
    let mut log = BEFORE.to_owned();
    let mut places = Vec::new();
    for (number, (_, _, text)) in LOG.iter().enumerate() {
        places.push(Place {
            source: SourceId(0),
            start: log.len() as u64,
            bytes: u32::try_from(text.len()).unwrap(),
            line: 2 + number as u64,
            part: 0,
        });
        log.push_str(text);
        log.push('\n');
    }
    let mut sources = Sources::default();
    sources.add_memory("driver.log", log.into_bytes());
    sources.add_memory("executor-9/stderr", b"nothing of interest\n".to_vec());

    let trace: Vec<TraceLine> = LOG[..LOG.len() - 1]
        .iter()
        .zip(&places)
        .map(|((kind, cause, _), place)| TraceLine {
            place: *place,
            kind: kind_of(kind),
            cause: *cause,
        })
        .collect();
    let frames = |cause: u32, reversed: bool| {
        let mut frames: Vec<Frame> = trace
            .iter()
            .zip(LOG)
            .filter(|(line, _)| line.cause == Some(cause))
            .filter_map(|(line, (_, _, text))| match line.kind {
                LineKind::Frame(owner) => Some(frame(text, owner, line.place)),
                _ => None,
            })
            .collect();
        if reversed {
            frames.reverse();
        }
        frames
    };
    let chain = vec![
        cause(
            Relation::Top,
            Side::PythonDriver,
            "py4j.protocol.Py4JJavaError",
            "An error occurred while calling o412.parquet.",
            places[7],
            frames(0, true),
        ),
        cause(
            Relation::Wrapped,
            Side::JvmDriver,
            "org.apache.spark.SparkException",
            "Job aborted due to stage failure: Task 37 in stage 12.0 failed 4 times",
            places[8],
            frames(1, false),
        ),
        cause(
            Relation::CausedBy,
            Side::JvmExecutor,
            "org.apache.spark.api.python.PythonException",
            "Traceback (most recent call last):",
            places[12],
            frames(2, false),
        ),
        cause(
            Relation::Worker,
            Side::PythonWorker,
            "ValueError",
            "invalid literal for int() with base 10: 'unknown'",
            places[15],
            frames(3, true),
        ),
    ];
    let task = TaskId {
        stage: 12,
        stage_attempt: 0,
        partition: 37,
    };
    let mut user_frame = chain[3].frames[0].clone();
    user_frame.code = Some("return int(value)".into());
    let incident = Incident {
        role: Role::Fatal,
        root: 3,
        evidence: Evidence::Root,
        next: Vec::new(),
        side: Some(Side::PythonWorker),
        phase: Some(Phase::Execution),
        user_frame: Some(user_frame),
        action_frame: chain[0].frames.last().cloned(),
        task: Some(task),
        attempts: (0..4).map(|n| attempt(task, n, places[0])).collect(),
        others: Vec::new(),
        verdict: Some(Verdict::Deterministic),
        trace,
        occurrences: vec![places[15]],
        count: 4,
        first: None,
        last: None,
        effect_of: None,
        chain,
    };
    let refused = Incident {
        role: Role::Recovered,
        root: 0,
        evidence: Evidence::SymptomOnly,
        next: vec![
            "host-b's NodeManager log: yarn logs -applicationId application_1710000000000_0042"
                .into(),
        ],
        side: Some(Side::Cluster),
        user_frame: None,
        action_frame: None,
        task: None,
        attempts: Vec::new(),
        others: Vec::new(),
        verdict: None,
        trace: vec![TraceLine {
            place: places[LOG.len() - 1],
            kind: LineKind::Log,
            cause: Some(0),
        }],
        occurrences: vec![places[LOG.len() - 1]],
        count: 31,
        chain: vec![cause(
            Relation::Top,
            Side::Cluster,
            "",
            "Connection refused: host-b/10.0.0.2:7337",
            places[LOG.len() - 1],
            Vec::new(),
        )],
        ..incident.clone()
    };
    let story = Story {
        outcome: Outcome::Failed,
        outcome_evidence: vec![places[0]],
        spark: SparkInfo {
            version: Some("3.5.1".into()),
            app_id: Some("application_1710000000000_0042".into()),
            ..SparkInfo::default()
        },
        incidents: vec![incident, refused],
        stages: vec![
            stage(11, StageStatus::Succeeded),
            stage(12, StageStatus::Failed),
        ],
        ..Story::default()
    };
    Case {
        lines: vec![1 + LOG.len() as u64, 1],
        unread: vec![0; 2],
        dresses: vec![crate::record::Dress::default(); 2],
        sources: Arc::new(sources),
        story,
        diagnoses: vec![diagnosis(places[15]), Diagnosis::default()],
        advice: Vec::new(),
        work: crate::load::Work::default(),
        provisional: false,
        long_line: crate::load::LongLine::default(),
    }
}

/// A run without a failure.
pub(super) fn succeeded() -> Case {
    let case = udf();
    Case {
        story: Story {
            outcome: Outcome::Succeeded,
            incidents: Vec::new(),
            stages: vec![stage(11, StageStatus::Succeeded)],
            ..case.story
        },
        diagnoses: Vec::new(),
        ..case
    }
}

fn kind_of(code: &str) -> LineKind {
    let owner = match code.get(1..) {
        Some("u") => Owner::User,
        Some("s") => Owner::Spark,
        Some("p") => Owner::Py4j,
        Some("l") => Owner::Library,
        _ => Owner::Jvm,
    };
    match &code[..1] {
        "L" => LineKind::Log,
        "C" => LineKind::Connector,
        "H" => LineKind::Header,
        "M" => LineKind::Message,
        "F" => LineKind::Frame(owner),
        "S" => LineKind::Code(owner),
        _ => LineKind::Elided,
    }
}

fn frame(text: &str, owner: Owner, place: Place) -> Frame {
    let python = text.contains("File \"");
    let file = text.split(['"', '(']).nth(1).unwrap_or("");
    let digits: String = text
        .rsplit([':', ' '])
        .find_map(|part| part.trim_end_matches([')', ',']).parse::<u32>().ok())
        .map(|n| n.to_string())
        .unwrap_or_default();
    Frame {
        class: Symbol::new(if python { file } else { "" }),
        function: Symbol::new(text.rsplit(' ').next().unwrap_or("")),
        file: Symbol::new(file),
        line: digits.parse().ok(),
        code: None,
        owner,
        place,
    }
}

fn cause(
    relation: Relation,
    side: Side,
    class: &str,
    message: &str,
    place: Place,
    frames: Vec<Frame>,
) -> Cause {
    Cause {
        relation,
        side: Some(side),
        class: Symbol::new(class),
        message: message.into(),
        condition: None,
        sqlstate: None,
        place,
        text: if class.is_empty() {
            message.into()
        } else {
            format!("{class}: {message}").into()
        },
        frames,
    }
}

fn attempt(task: TaskId, number: u32, place: Place) -> Attempt {
    let lost = number == 2;
    Attempt {
        task,
        number,
        tid: Some(4_711 + u64::from(number)),
        executor: Some(Symbol::new(["3", "5", "7", "9"][number as usize % 4])),
        host: Some(Symbol::new("host-a")),
        outcome: if lost {
            AttemptOutcome::Lost
        } else {
            AttemptOutcome::Failed
        },
        class: Symbol::new(if lost {
            "ExecutorLostFailure"
        } else {
            "ValueError"
        }),
        message: if lost {
            "Container killed by YARN".into()
        } else {
            "invalid literal for int() with base 10: 'unknown'".into()
        },
        place: Some(place),
        own_log: None,
        same_cause: Some(!lost),
        launched: None,
        ended: None,
        peak_memory: None,
        speculative: false,
    }
}

fn stage(id: u32, status: StageStatus) -> Stage {
    let failed = status == StageStatus::Failed;
    Stage {
        id,
        attempt: 0,
        name: "parquet at NativeMethodAccessorImpl.java:0".into(),
        status,
        tasks: TaskCounts {
            total: Some(200),
            failed: Some(if failed { 37 } else { 0 }),
            ..TaskCounts::default()
        },
        submitted: None,
        duration_ms: Some(83_000),
        failure: failed.then(|| "Job aborted".into()),
        place: None,
        figures: failed.then(|| {
            Box::new(StageFigures {
                task_ms: Spread {
                    min: 300.0,
                    median: 1_200.0,
                    p75: 1_500.0,
                    p95: 4_000.0,
                    max: 61_000.0,
                    sum: 400_000.0,
                    n: 200,
                },
                histogram: vec![120, 60, 10, 4, 0, 0, 1],
                ..StageFigures::default()
            })
        }),
        findings: if failed {
            vec![Finding {
                kind: FindingKind::Skew,
                severity: Severity::Severe,
                text: "task 142 read 4.1 GB, 45 × the median".into(),
                ratio: Some(45.0),
                task: Some(142),
                evidence: Vec::new(),
            }]
        } else {
            Vec::new()
        },
        jobs: vec![1],
        sql: None,
    }
}

fn diagnosis(place: Place) -> Diagnosis {
    let fix = |title: &str| Fix {
        rule: "python-value-error".into(),
        family: "guard-input".into(),
        title: title.into(),
        why: "int() met the word 'unknown' in the column age.".into(),
        steps: vec![
            Step {
                replaces: None,
                kind: StepKind::Check,
                text: "Count the rows that are not numbers.".into(),
                lang: Some("python".into()),
                code: Some("df.filter(col(\"age\").cast(\"int\").isNull()).show()".into()),
            },
            Step {
                replaces: None,
                kind: StepKind::Fix,
                text: "Return None where the value is not a number.".into(),
                lang: Some("python".into()),
                code: Some(
                    "try:\n    return int(value)\nexcept ValueError:\n    return None".into(),
                ),
            },
        ],
        evidence: vec![place],
    };
    Diagnosis {
        bucket: Some(Bucket::Data),
        confidence: 0.9,
        explanation: "A value of the input is not what the function takes it for.".into(),
        fixes: vec![
            fix("Guard the UDF's input"),
            fix("Cast in Spark instead of Python"),
        ],
        ..Diagnosis::default()
    }
}
