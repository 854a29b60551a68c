//! In: stages made for the purpose. Out: which of them deserve a remark, and which must not get one.

use causedby::fact::event_log;
use causedby::incident::{FindingKind, Story, join_event_log};
use causedby::text::SourceId;
use std::fmt::Write as _;

const MIB: u64 = 1 << 20;

/// A task that finished.
#[derive(Debug, Clone, Copy)]
struct Task {
    ms: u64,
    read: u64,
    rows: u64,
    rows_out: u64,
    spilled: u64,
    gc_ms: u64,
    host: &'static str,
    speculative: bool,
}

/// One that nobody would look at twice.
const ORDINARY: Task = Task {
    ms: 4_000,
    read: 40 * MIB,
    rows: 20_000,
    rows_out: 20_000,
    spilled: 0,
    gc_ms: 40,
    host: "host-a",
    speculative: false,
};

/// What is said of a stage of these tasks, in a run of this stage and another one that takes `beside_ms`.
fn said(tasks: &[Task], beside_ms: u64) -> Vec<(FindingKind, String)> {
    let mut log =
        String::from("{\"Event\":\"SparkListenerLogStart\",\"Spark Version\":\"4.0.5\"}\n");
    let beside = Task {
        ms: beside_ms,
        ..ORDINARY
    };
    let all = tasks.iter().map(|task| (0, task)).chain([(1, &beside)]);
    for ((stage, task), tid) in all.zip(0_u64..) {
        let Task {
            ms,
            read,
            rows,
            rows_out,
            spilled,
            gc_ms,
            host,
            speculative,
        } = task;
        let finish = 1_700_000_000_000 + ms;
        writeln!(
            log,
            r#"{{"Event":"SparkListenerTaskEnd","Stage ID":{stage},"Stage Attempt ID":0,"Task End Reason":{{"Reason":"Success"}},"Task Info":{{"Task ID":{tid},"Index":{tid},"Attempt":0,"Launch Time":1700000000000,"Finish Time":{finish},"Executor ID":"{host}","Host":"{host}","Speculative":{speculative}}},"Task Metrics":{{"Executor Run Time":{ms},"JVM GC Time":{gc_ms},"Disk Bytes Spilled":{spilled},"Shuffle Read Metrics":{{"Remote Bytes Read":{read},"Total Records Read":{rows}}},"Shuffle Write Metrics":{{"Shuffle Bytes Written":{read},"Shuffle Records Written":{rows_out}}}}}}}"#
        )
        .expect("memory takes it");
    }
    said_of(&log)
}

/// What is said of stage 0 of a log.
fn said_of(log: &str) -> Vec<(FindingKind, String)> {
    let (log, _) = event_log::read([(SourceId(0), log.as_bytes())]);
    let mut story = Story::default();
    join_event_log(&mut story, &log);
    let findings = story.stages.into_iter().filter(|stage| stage.id == 0);
    let findings = findings.flat_map(|stage| stage.findings);
    findings
        .map(|finding| (finding.kind, finding.text))
        .collect()
}

fn kinds(tasks: &[Task], beside_ms: u64) -> Vec<FindingKind> {
    let said = said(tasks, beside_ms);
    said.into_iter().map(|(kind, _)| kind).collect()
}

/// Twenty tasks of which the last differs.
fn with(odd: Task) -> Vec<Task> {
    let mut tasks = vec![ORDINARY; 19];
    tasks.push(odd);
    tasks
}

#[test]
fn an_ordinary_stage_gets_no_remark() {
    assert_eq!(said(&with(ORDINARY), 0), []);
    // A little slower, with a little more data, a little garbage.
    let odd = Task {
        ms: 12_000,
        read: 120 * MIB,
        gc_ms: 900,
        spilled: MIB,
        ..ORDINARY
    };
    assert_eq!(said(&with(odd), 0), []);
}

#[test]
fn a_slow_task_with_far_more_data_is_skewed() {
    let odd = Task {
        ms: 90_000,
        read: 900 * MIB,
        ..ORDINARY
    };
    assert_eq!(
        said(&with(odd), 0),
        [(
            FindingKind::Skew,
            "task 19 read 900 MiB, 22 × the median of 40 MiB, and took 1.5 min, 22 × the median of 4 s".to_owned()
        )]
    );
    // Not where the stage hardly matters, among few tasks, or where all is over in a blink.
    assert_eq!(kinds(&with(odd), 10_000_000), []);
    assert_eq!(kinds(&with(odd)[15..], 0), []);
    let blink = |task: Task| Task {
        ms: task.ms / 50,
        ..task
    };
    let blinks: Vec<_> = with(odd).into_iter().map(blink).collect();
    assert_eq!(kinds(&blinks, 0), []);
}

#[test]
fn a_skewed_task_on_a_busy_machine_is_found_too() {
    let odd = |ms: u64, read: u64| Task {
        ms,
        read: read * MIB,
        ..ORDINARY
    };
    // The others are slow because the machine is: four times the median with thirty times the data.
    assert_eq!(kinds(&with(odd(16_000, 1_200)), 0), [FindingKind::Skew]);
    assert_eq!(kinds(&with(odd(16_000, 300)), 0), []);
    assert_eq!(kinds(&with(odd(11_000, 1_200)), 0), []);
}

#[test]
fn a_slow_task_without_more_data_is_a_straggler() {
    let odd = Task {
        ms: 90_000,
        ..ORDINARY
    };
    assert_eq!(
        said(&with(odd), 0),
        [(
            FindingKind::Stragglers,
            "1 of 20 tasks took more than 5 × the median of 4 s without more data; the slowest, task 19 on executor host-a (host-a), took 1.5 min".to_owned()
        )]
    );
}

#[test]
fn the_first_tasks_of_an_executor_may_be_slow() {
    // Of a real run with Python: two tasks start up, and the last one waits for something.
    let log = |last: u64| -> String {
        let mut text = String::new();
        for tid in 0..20_u64 {
            let (launch, ms) = match tid {
                0 | 1 => (0, 12_000),
                19 => (40_000, last),
                _ => (12_000 + tid * 1_000, 1_400),
            };
            let (launch, finish) = (1_700_000_000_000 + launch, 1_700_000_000_000 + launch + ms);
            writeln!(
                text,
                r#"{{"Event":"SparkListenerTaskEnd","Stage ID":0,"Task End Reason":{{"Reason":"Success"}},"Task Info":{{"Task ID":{tid},"Index":{tid},"Launch Time":{launch},"Finish Time":{finish},"Executor ID":"1","Host":"h"}},"Task Metrics":{{"Executor Run Time":{ms}}}}}"#
            )
            .expect("memory takes it");
        }
        text
    };
    assert_eq!(said_of(&log(1_400)), []);
    let told = said_of(&log(9_000));
    assert_eq!(told.len(), 1);
    assert!(
        told[0].1.starts_with("1 of 20 tasks took") && told[0].1.contains("task 19"),
        "{told:?}"
    );
}

#[test]
fn a_host_whose_tasks_are_all_slow_is_named() {
    let slow = Task {
        ms: 24_000,
        host: "host-b",
        ..ORDINARY
    };
    let mut tasks = vec![ORDINARY; 20];
    tasks.extend([slow; 8]);
    assert_eq!(
        said(&tasks, 0),
        [(
            FindingKind::SlowHost,
            "8 tasks on host-b took 24 s in the middle, 6.0 × the 4 s on other hosts, without more data".to_owned()
        )]
    );
    // Less slow is enough where even its fastest task is slower than most others; where some are not, it may be chance.
    for task in &mut tasks[20..] {
        task.ms = 10_000;
    }
    assert_eq!(kinds(&tasks, 0), [FindingKind::SlowHost]);
    tasks[20].ms = 4_000;
    assert_eq!(kinds(&tasks, 0), []);
    // With more data it is no wonder.
    for task in &mut tasks[20..] {
        task.ms = 24_000;
        task.read *= 4;
    }
    assert_eq!(kinds(&tasks, 0), []);
}

#[test]
fn spill_counts_where_it_is_much() {
    let odd = Task {
        spilled: 200 * MIB,
        ..ORDINARY
    };
    assert_eq!(kinds(&with(odd), 0), [FindingKind::Spill]);
    // 20 MiB beside 20 GiB are nothing.
    let tasks: Vec<_> = with(Task {
        spilled: 20 * MIB,
        ..ORDINARY
    })
    .into_iter()
    .map(|task| Task {
        read: 1024 * MIB,
        ..task
    })
    .collect();
    assert_eq!(kinds(&tasks, 0), []);
}

#[test]
fn garbage_collection_counts_where_it_takes_a_tenth() {
    let busy = |gc_ms| vec![Task { gc_ms, ..ORDINARY }; 20];
    assert_eq!(
        said(&busy(800), 0),
        [(
            FindingKind::Gc,
            "garbage collection took 20 % of the tasks' time, 16 s of 1.3 min".to_owned()
        )]
    );
    assert_eq!(kinds(&busy(300), 0), []);
    // Nor where it costs less than a tenth of a minute.
    assert_eq!(kinds(&busy(800)[..7], 0), []);
}

#[test]
fn other_remarks_ask_for_sizes_that_matter() {
    let speculative = Task {
        speculative: true,
        ..ORDINARY
    };
    assert_eq!(kinds(&with(speculative), 0), [FindingKind::Speculation]);
    let huge = Task {
        read: 6 << 30,
        ..ORDINARY
    };
    assert_eq!(kinds(&with(huge), 0), [FindingKind::HugePartition]);
    let tiny = Task {
        ms: 20,
        gc_ms: 0,
        ..ORDINARY
    };
    assert_eq!(kinds(&vec![tiny; 5_001], 0), [FindingKind::TinyTasks]);
    assert_eq!(kinds(&vec![tiny; 5_000], 0), []);
    let exploding = Task {
        rows_out: 4_000_000,
        ..ORDINARY
    };
    assert_eq!(kinds(&[exploding; 5], 0), [FindingKind::RowExplosion]);
}

#[test]
fn a_task_without_an_end_is_told_once_it_is_long_overdue() {
    let log = |last: u64| {
        format!(
            r#"{{"Event":"SparkListenerTaskStart","Stage ID":0,"Stage Attempt ID":0,"Task Info":{{"Task ID":7,"Index":3,"Attempt":0,"Launch Time":1700000000000,"Executor ID":"2","Host":"host-b"}}}}
{{"Event":"SparkListenerStageSubmitted","Stage Info":{{"Stage ID":0,"Stage Attempt ID":0,"Number of Tasks":4,"Submission Time":1700000000000}}}}
{{"Event":"SparkListenerExecutorAdded","Timestamp":{last},"Executor ID":"3"}}
"#
        )
    };
    assert_eq!(
        said_of(&log(1_700_000_600_000)),
        [(
            FindingKind::NeverEnded,
            "task 3 (TID 7) on executor 2 (host-b) had not ended 10 min after its start, when the log ends".to_owned()
        )]
    );
    assert_eq!(said_of(&log(1_700_000_030_000)), []);
}
