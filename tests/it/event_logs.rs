//! In: event logs of real runs, plain, packed, rolled and zipped. Out: the stages, figures, findings and incidents they must give.

use causedby::fact::event_log::{self, EventLog};
use causedby::incident::{
    AttemptOutcome, Evidence, FindingKind, Outcome, Role, StageStatus, Story, Verdict,
    join_event_log,
};
use causedby::load::{self, Case, Options};
use causedby::source::Sources;
use causedby::text::SourceId;
use std::fmt::Write as _;
use std::io::{Cursor, Read as _, Write as _};
use std::path::{Path, PathBuf};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/it/data/event_logs")
        .join(name)
}

fn opened(name: &str) -> Case {
    load::load(Sources::open(&[data(name)]), &Options::default())
}

/// Stage attempt, tasks, median and largest of `task_ms`, largest shuffle read, sums of disk spill and GC time.
type Figures = (&'static str, u64, f64, f64, f64, f64, f64);

/// Read from the logs by another program.
const SKEW: &[Figures] = &[
    ("0.0", 2, 250.5, 258.0, 0.0, 0.0, 0.0),
    ("1.0", 4, 678.5, 854.0, 0.0, 0.0, 167.0),
    ("2.0", 24, 54.5, 2538.0, 75_561_555.0, 59_557_116.0, 545.0),
    ("3.0", 24, 76.5, 675.0, 838.0, 0.0, 52.0),
    ("4.0", 1, 59.0, 59.0, 0.0, 0.0, 0.0),
    ("5.0", 2, 151.5, 152.0, 0.0, 0.0, 0.0),
    ("6.0", 1, 24.0, 24.0, 118.0, 0.0, 0.0),
];

#[test]
fn figures_are_those_of_the_log() {
    let case = opened("skew.zstd");
    let mut off = String::new();
    let stages: Vec<_> = case
        .story
        .stages
        .iter()
        .filter(|s| s.figures.is_some())
        .collect();
    assert_eq!(stages.len(), SKEW.len());
    for (stage, expected) in stages.iter().zip(SKEW) {
        let figures = stage.figures.as_ref().expect("filtered for it");
        let name = format!("{}.{}", stage.id, stage.attempt);
        let found = [
            figures.task_ms.median,
            figures.task_ms.max,
            figures.shuffle_read_bytes.max,
            figures.spill_disk_bytes.sum,
            figures.gc_ms.sum,
        ];
        let (stage_name, tasks, median, max, read, spill, gc) = *expected;
        let same = found
            .iter()
            .zip([median, max, read, spill, gc])
            .all(|(found, expected)| (found - expected).abs() < f64::EPSILON);
        if name != stage_name || stage.tasks.total != Some(tasks) || !same {
            let _ = writeln!(off, "{name}: {found:?} for {expected:?}");
        }
    }
    assert!(off.is_empty(), "{off}");
}

#[test]
fn a_hot_key_is_found_and_nothing_else_is() {
    let case = opened("skew.zstd");
    let findings: Vec<_> = case
        .story
        .stages
        .iter()
        .flat_map(|stage| {
            stage
                .findings
                .iter()
                .map(move |f| (stage.id, f.kind, f.task, f.text.as_str()))
        })
        .collect();
    assert_eq!(
        findings,
        [
            (
                2,
                FindingKind::Skew,
                Some(3),
                "task 3 read 72 MiB, 938 × the median of 79 KiB, and took 2.5 s, 47 × the median of 55 ms"
            ),
            (
                2,
                FindingKind::Spill,
                Some(3),
                "1 of 24 tasks spilled 57 MiB to disk (160 MiB in memory), task 3 most of all with 57 MiB"
            ),
        ]
    );
    // The evidence is the line of the task's end.
    let place = case.story.stages[2].findings[0].evidence[0];
    assert!(
        case.text(&place).contains("\"SparkListenerTaskEnd\""),
        "{place:?}"
    );
}

#[test]
fn stages_that_ran_again_say_why() {
    let case = opened("fetch-failed.zstd");
    let stages: Vec<_> = case
        .story
        .stages
        .iter()
        .filter(|stage| (6..=7).contains(&stage.id))
        .map(|stage| {
            let findings: Vec<_> = stage.findings.iter().map(|f| f.text.as_str()).collect();
            (
                stage.id,
                stage.attempt,
                stage.status,
                stage.tasks.failed,
                findings,
            )
        })
        .collect();
    assert_eq!(
        stages,
        [
            (6, 0, StageStatus::Succeeded, Some(0), vec![]),
            (
                6,
                1,
                StageStatus::Succeeded,
                Some(0),
                vec!["stage 6 ran again for 1 task, because output of its attempt 0 was lost"]
            ),
            (7, 0, StageStatus::Failed, Some(2), vec![]),
            (
                7,
                1,
                StageStatus::Succeeded,
                Some(0),
                vec![
                    "stage 7 ran again for 1 task, because its attempt 0 failed (FetchFailedException)"
                ]
            ),
        ]
    );
    let lost: Vec<_> = case
        .story
        .executors
        .iter()
        .filter(|e| e.removed.is_some())
        .map(|e| (e.id.as_str(), e.exit_code))
        .collect();
    assert_eq!(lost, [("0", Some(137))]);
    assert!(
        case.story
            .incidents
            .iter()
            .all(|incident| incident.role != Role::Fatal)
    );
}

#[test]
fn what_failed_last_is_told_from_the_event_log_alone() {
    for name in ["rolling.zip", "plain.zip"] {
        let case = opened(name);
        let story = &case.story;
        assert_eq!(story.outcome, Outcome::Failed, "{name}");
        let fatal = &story.incidents[0];
        assert_eq!(
            (fatal.role, fatal.evidence),
            (Role::Fatal, Evidence::SymptomOnly),
            "{name}"
        );
        assert!(
            fatal.root().text.contains("Command exited with code 137"),
            "{name}: {}",
            fatal.root().text
        );
        assert_eq!(fatal.verdict, Some(Verdict::Infrastructure), "{name}");
        let outcomes: Vec<_> = fatal
            .attempts
            .iter()
            .map(|a| (a.number, a.outcome))
            .collect();
        assert_eq!(
            outcomes,
            [0, 1, 2, 3].map(|n| (n, AttemptOutcome::Lost)),
            "{name}"
        );
        // The UDF's error came before; it is told to its last frame, and each line can be read again.
        let udf = story
            .incidents
            .iter()
            .find(|i| i.title().starts_with("ValueError: boom"))
            .expect("the UDF's error");
        assert_eq!(udf.role, Role::Recovered, "{name}");
        assert_eq!(udf.verdict, Some(Verdict::Deterministic), "{name}");
        assert_eq!(
            udf.user_frame.as_ref().and_then(|frame| frame.line),
            Some(21),
            "{name}"
        );
        assert_eq!(
            case.text(&udf.root().place),
            udf.root().text.as_ref(),
            "{name}"
        );
    }
}

#[test]
fn every_codec_gives_the_same_kind_of_log() {
    for (file, format) in [
        ("app.lz4", "lz4 (Spark)"),
        ("app.snappy", "snappy (Spark)"),
        ("app.lzf", "lzf (Spark)"),
        ("app.zstd", "zstd"),
    ] {
        let case = opened(&format!("codecs/{file}"));
        let source = &case.sources.list[0];
        assert_eq!(
            (source.kind.word(), source.format.as_str()),
            ("event_log", format)
        );
        assert_eq!(case.unread, [0], "{file}");
        assert_eq!(case.story.spark.version.as_deref(), Some("3.5.9"), "{file}");
        assert!(!case.story.stages.is_empty(), "{file}");
    }
}

/// The decoded text of the log in a zip with one member.
fn plain() -> Vec<u8> {
    let sources = Sources::open(&[data("plain.zip")]);
    let mut text = Vec::new();
    sources.list[0]
        .reader()
        .read_to_end(&mut text)
        .expect("it is in memory");
    text
}

fn read(text: &[u8]) -> EventLog {
    event_log::read([(SourceId(0), text)]).0
}

#[test]
fn a_log_that_is_cut_anywhere_gives_what_comes_before() {
    let text = plain();
    let whole = read(&text);
    let mut stages = 0;
    for at in (0..text.len()).step_by(text.len() / 100) {
        let log = read(&text[..at]);
        assert!(log.stages.len() >= stages && log.stages.len() <= whole.stages.len());
        stages = log.stages.len();
        assert_eq!(
            log.parts[0].lines,
            memchr::memchr_iter(b'\n', &text[..at]).count() as u64
                + u64::from(at > 0 && text[at - 1] != b'\n')
        );
        assert!(log.parts[0].unread <= at as u64);
        // The same through every floor: the last line is damaged, nothing panics.
        if at % 5 == 0 {
            let mut sources = Sources::default();
            sources.add_memory("eventlog", text[..at].to_vec());
            load::load(sources, &Options::default());
        }
    }
}

#[test]
fn strange_lines_are_counted_and_hurt_nobody() {
    let mut text = plain();
    let before = read(&text).stages.len();
    text.extend_from_slice(b"{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":\"one\"}\n\xff\xfe\n{\"Event\":\"later\",\"x\":1}\n");
    let log = read(&text);
    assert_eq!(log.stages.len(), before);
    assert_eq!(log.parts[0].unread, 53);
}

#[test]
fn many_tasks_become_columns() {
    let mut text = Cursor::new(Vec::new());
    let (line_start, tasks) = (
        r#"{"Event":"SparkListenerTaskEnd","Stage ID":1,"Stage Attempt ID":0,"Task Type":"ShuffleMapTask","Task End Reason":{"Reason":"Success"},"Task Info":"#,
        30_000_u64,
    );
    for tid in 0..tasks {
        let finish = 1_000 + 10 + tid % 5;
        writeln!(text, r#"{line_start}{{"Task ID":{tid},"Index":{tid},"Attempt":0,"Launch Time":1000,"Executor ID":"{}","Host":"h","Finish Time":{finish}}},"Task Metrics":{{"Executor Run Time":5,"Shuffle Read Metrics":{{"Remote Bytes Read":{tid},"Local Bytes Read":1}}}}}}"#, tid % 64).expect("memory takes it");
    }
    let log = read(text.get_ref());
    let run = &log.stages[&(1, 0)].tasks;
    assert_eq!(
        (run.succeeded, run.index.len(), run.executors.len()),
        (tasks, 30_000, 64)
    );
    assert_eq!(run.shuffle_read.get(29_999), 30_000);
    assert!(run.spill_disk.is_zero());
    assert!(log.never_ended.is_empty() && log.endings.is_empty());
}

#[test]
fn an_event_log_that_stops_while_a_job_runs_is_no_good_end() {
    // The driver's log goes on and looks calm; the event log was cut while the last job ran.
    let text = plain();
    let last_job =
        memchr::memmem::rfind(&text, b"\"SparkListenerJobStart\"").expect("there are jobs");
    let end = memchr::memchr(b'\n', &text[last_job..]).expect("lines end") + last_job + 1;
    let outcome = |event_log: &[u8]| {
        let mut sources = Sources::default();
        let driver = "24/01/02 03:04:05 INFO DAGScheduler: Job 9 finished: collect at x.py:12, took 1.0 s\nall done\n";
        sources.add_memory("driver.log", driver.into());
        sources.add_memory("eventlog", event_log.to_vec());
        load::load(sources, &Options::default()).story.outcome
    };
    assert_eq!(outcome(b""), Outcome::Succeeded);
    assert_eq!(outcome(&text[..end]), Outcome::Unknown);
}

/// The story of a job of a Python program; `more` comes before the application's end.
fn python_job(more: &str) -> Story {
    let text = r#"{"Event":"SparkListenerLogStart","Spark Version":"3.5.9"}
{"Event":"SparkListenerEnvironmentUpdate","JVM Information":{},"Spark Properties":{"spark.submit.pyFiles":"","spark.sql.adaptive.enabled":"true"}}
{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart","executionId":0,"time":1000,"modifiedConfigs":{"spark.sql.adaptive.enabled":"false"}}
{"Event":"SparkListenerJobStart","Job ID":0,"Submission Time":1000,"Stage Infos":[{"Stage ID":0,"Stage Name":"count at a.py:1","Number of Tasks":1}],"Properties":{"spark.sql.execution.id":"0"}}
"#;
    let end = r#"{"Event":"SparkListenerApplicationEnd","Timestamp":1300}"#;
    let mut story = Story::default();
    join_event_log(&mut story, &read(format!("{text}{more}{end}").as_bytes()));
    story
}

const TASK_FAILED: &str = r#"{"Event":"SparkListenerTaskEnd","Stage ID":0,"Task End Reason":{"Reason":"ExceptionFailure","Class Name":"java.lang.RuntimeException","Description":"once"},"Task Info":{"Task ID":0,"Index":0}}
"#;
const ALL_ENDED: &str = r#"{"Event":"SparkListenerJobEnd","Job ID":0,"Completion Time":1100,"Job Result":{"Result":"JobSucceeded"}}
{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd","executionId":0,"time":1100}
"#;

#[test]
fn an_application_that_ended_after_all_its_jobs_went_well_succeeded() {
    let outcome = |more: &str| python_job(more).outcome;
    assert_eq!(outcome(ALL_ENDED), Outcome::Succeeded);
    assert_eq!(
        outcome(&format!("{TASK_FAILED}{ALL_ENDED}")),
        Outcome::Recovered
    );
    // A job or an execution without an end, with the application over.
    let job_alone = ALL_ENDED.lines().next().expect("a line");
    assert_eq!(outcome(&format!("{job_alone}\n")), Outcome::Unknown);
    assert_eq!(outcome(""), Outcome::Unknown);
}

#[test]
fn what_the_session_changed_is_what_holds() {
    let story = python_job(ALL_ENDED);
    let key = "spark.sql.adaptive.enabled";
    assert_eq!(story.settings[key], "false");
    assert_eq!(story.setting_places[key].line, 3);
}

/// A nested loop over two stages; `end` closes job and execution.
fn nested_loop(end: &str) -> Vec<FindingKind> {
    let text = r#"{"Event":"SparkListenerLogStart","Spark Version":"4.1.4"}
{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart","executionId":0,"physicalPlanDescription":"== Physical Plan ==\n* BroadcastNestedLoopJoin Inner BuildRight (3)\n:- * Range (1)\n+- BroadcastExchange (2)\n\n(3) BroadcastNestedLoopJoin [codegen id : 1]\n","time":1000}
{"Event":"SparkListenerJobStart","Job ID":0,"Submission Time":1000,"Stage Infos":[{"Stage ID":1,"Number of Tasks":1,"RDD Info":[{"Scope":"{\"id\":\"1\",\"name\":\"WholeStageCodegen (1)\"}"}]}],"Properties":{"spark.sql.execution.id":"0"}}
{"Event":"SparkListenerStageSubmitted","Stage Info":{"Stage ID":1,"Number of Tasks":1,"Submission Time":1000}}
"#;
    let mut story = Story::default();
    join_event_log(&mut story, &read(format!("{text}{end}").as_bytes()));
    let stages = story.stages.iter();
    stages
        .flat_map(|stage| &stage.findings)
        .map(|finding| finding.kind)
        .collect()
}

#[test]
fn a_nested_loop_without_end_is_told_and_one_that_ended_is_not() {
    assert_eq!(nested_loop(""), [FindingKind::Cartesian]);
    let ended = r#"{"Event":"SparkListenerStageCompleted","Stage Info":{"Stage ID":1,"Number of Tasks":1,"Submission Time":1000,"Completion Time":1100}}
{"Event":"SparkListenerJobEnd","Job ID":0,"Completion Time":1100,"Job Result":{"Result":"JobSucceeded"}}
{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd","executionId":0,"time":1100,"errorMessage":""}
"#;
    assert_eq!(nested_loop(ended), []);
    let next_job = ended.lines().next().expect("a line");
    assert_eq!(nested_loop(next_job), []);
}

#[test]
fn plans_are_kept_where_they_may_be_asked_for() {
    let mut text = String::new();
    for id in 0..40 {
        let start = format!(
            r#"{{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart","executionId":{id},"physicalPlanDescription":"== Physical Plan ==\nScan {id} (1)","time":1000}}"#
        );
        // The first fails, the last has no end, the others take the longer the later they come.
        let error = if id == 0 { "boom" } else { "" };
        let time = 1_000 + id * 10;
        let end = format!(
            r#"{{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd","executionId":{id},"time":{time},"errorMessage":"{error}"}}"#
        );
        text += &start;
        text.push('\n');
        if id < 39 {
            text += &end;
            text.push('\n');
        }
    }
    let log = read(text.as_bytes());
    let kept: Vec<u64> = log
        .sql
        .iter()
        .filter(|(_, sql)| sql.plan.is_some())
        .map(|(id, _)| *id)
        .collect();
    let expected: Vec<u64> = std::iter::once(0).chain(23..=39).collect();
    assert_eq!(kept, expected);
    assert_eq!(log.sql.len(), 40);
}
