//! In: event logs made for the purpose. Out: what a run without any error waits for, and what its plans count.

use causedby::fact::event_log;
use causedby::incident::{FindingKind, Outcome, Severity, Story, join_event_log};
use causedby::text::SourceId;

const START: &str = r#"{"Event":"SparkListenerLogStart","Spark Version":"3.5.1"}
{"Event":"SparkListenerEnvironmentUpdate","Spark Properties":{"spark.master":"yarn","spark.executor.memory":"2g"}}
"#;
const JOB: &str = r#"{"Event":"SparkListenerJobStart","Job ID":0,"Submission Time":1700000000000,"Stage Infos":[{"Stage ID":0,"Number of Tasks":4}],"Properties":{"spark.sql.execution.id":"5","spark.job.description":"broadcast exchange (runId 1)"}}
{"Event":"SparkListenerStageSubmitted","Stage Info":{"Stage ID":0,"Stage Attempt ID":0,"Number of Tasks":4,"Submission Time":1700000000000}}
"#;

/// An event that only shows that the log went on.
fn clock(seconds: u64) -> String {
    let time = 1_700_000_000_000 + seconds * 1_000;
    format!(
        "{{\"Event\":\"SparkListenerApplicationStart\",\"App Name\":\"x\",\"Timestamp\":{time}}}\n"
    )
}

fn added(id: &str, seconds: u64) -> String {
    let time = 1_700_000_000_000 + seconds * 1_000;
    format!(
        "{{\"Event\":\"SparkListenerExecutorAdded\",\"Timestamp\":{time},\"Executor ID\":\"{id}\",\"Executor Info\":{{\"Host\":\"h{id}\"}}}}\n"
    )
}

fn removed(id: &str, seconds: u64, reason: &str) -> String {
    let time = 1_700_000_000_000 + seconds * 1_000;
    format!(
        "{{\"Event\":\"SparkListenerExecutorRemoved\",\"Timestamp\":{time},\"Executor ID\":\"{id}\",\"Removed Reason\":\"{reason}\"}}\n"
    )
}

fn task(tid: u64, executor: &str, from: u64, ms: u64) -> String {
    let launch = 1_700_000_000_000 + from * 1_000;
    let finish = launch + ms;
    format!(
        "{{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":0,\"Stage Attempt ID\":0,\"Task End Reason\":{{\"Reason\":\"Success\"}},\"Task Info\":{{\"Task ID\":{tid},\"Index\":{tid},\"Launch Time\":{launch},\"Finish Time\":{finish},\"Executor ID\":\"{executor}\",\"Host\":\"h\"}},\"Task Metrics\":{{\"Executor Run Time\":{ms}}}}}\n"
    )
}

fn told(pieces: &[&str]) -> Story {
    let (log, _) = event_log::read([(SourceId(0), pieces.concat().as_bytes())]);
    let mut story = Story::default();
    join_event_log(&mut story, &log);
    story
}

fn said(pieces: &[&str]) -> (Outcome, Vec<(FindingKind, String)>) {
    let story = told(pieces);
    let findings = story.stages.into_iter().flat_map(|stage| stage.findings);
    (
        story.outcome,
        findings
            .map(|finding| (finding.kind, finding.text))
            .collect(),
    )
}

#[test]
fn a_stage_that_no_executor_came_for_says_so() {
    // Executors came for another stage and were given back; then nobody came.
    let gone = [
        added("1", 0),
        removed("1", 1, "Executor idle for 60 s"),
        added("2", 0),
        removed("2", 2, "Executor idle for 60 s"),
        clock(300),
    ]
    .concat();
    let job = JOB.replace("1700000000000", "1700000010000");
    assert_eq!(
        said(&[START, &gone, &job]),
        (
            Outcome::Stuck,
            vec![(
                FindingKind::NothingGranted,
                "none of its 4 tasks was started in 4.8 min: all 2 executors had gone".to_owned()
            )]
        )
    );
}

#[test]
fn a_stage_with_executors_or_without_a_long_wait_waits_for_nothing() {
    let there = [added("1", 0), added("2", 300)].concat();
    assert_eq!(said(&[START, JOB, &there]), (Outcome::Unknown, Vec::new()));
    let soon = clock(20);
    assert_eq!(said(&[START, JOB, &soon]), (Outcome::Unknown, Vec::new()));
    // In the driver's own process there is nobody to wait for.
    let local = START.replace("yarn", "local[4]");
    let late = clock(300);
    assert_eq!(said(&[&local, JOB, &late]).1, []);
}

#[test]
fn a_broadcast_whose_executor_was_lost_is_waited_for() {
    let lost = [
        added("1", 0),
        added("2", 0),
        task(0, "1", 0, 2_000),
        removed("2", 10, "Command exited with code 137"),
        added("3", 200),
    ]
    .concat();
    let waits = "execution 5 waits for the broadcast that stage 0 makes; executor 2 was lost and no task of it went well since";
    assert_eq!(
        said(&[START, JOB, &lost]),
        (
            Outcome::Stuck,
            vec![(FindingKind::BroadcastWait, waits.to_owned())]
        )
    );
    // Where a task went well after that, or the executor was only let go, or it is no broadcast, it is not.
    let on = task(1, "1", 20, 1_000);
    assert_eq!(said(&[START, JOB, &lost, &on]).1, []);
    let idle = lost.replace("Command exited with code 137", "Executor killed by driver.");
    assert_eq!(said(&[START, JOB, &idle]).1, []);
    let other = JOB.replace("broadcast exchange (runId 1)", "count at a.py:1");
    assert_eq!(said(&[START, &other, &lost]).1, []);
}

#[test]
fn many_attempts_that_failed_are_told_where_the_stage_went_on() {
    let job = JOB.replace("\"Number of Tasks\":4", "\"Number of Tasks\":12");
    let failed = |tid: u64| {
        task(tid, "1", 1, 10).replace("\"Success\"", "\"ExceptionFailure\",\"Class Name\":\"a.B\"")
    };
    let well: Vec<_> = (10..22).map(|tid| task(tid, "1", 2, 10)).collect();
    let some: Vec<_> = (0..6).map(failed).collect();
    let story = told(&[START, &job, &well.concat(), &some.concat()]);
    let finding = &story.stages[0].findings[0];
    assert_eq!(
        (finding.kind, finding.severity),
        (FindingKind::Failures, Severity::Severe)
    );
    assert_eq!(
        finding.text,
        "6 of 18 attempts failed, 33 %, before their tasks went well"
    );
    let one = failed(0);
    assert_eq!(said(&[START, &job, &well.concat(), &one]).1, []);
}

/// A query with a join of two shuffled sides, a broadcast, a scan and a write, and what each counted.
fn query(
    broadcast: u64,
    small: u64,
    large: u64,
    read: (u64, u64),
    written: (u64, u64),
    seconds: u64,
) -> Vec<(FindingKind, String)> {
    let exchange = |id: u64| {
        format!(
            r#"{{"nodeName":"Sort","children":[{{"nodeName":"Exchange","children":[],"metrics":[{{"name":"data size","accumulatorId":{id}}}]}}],"metrics":[]}}"#
        )
    };
    let (left, right) = (exchange(1), exchange(2));
    let plan = format!(
        r#"{{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart","executionId":5,"physicalPlanDescription":"== Physical Plan ==\nA (1)","sparkPlanInfo":{{"nodeName":"Execute InsertInto","children":[{{"nodeName":"SortMergeJoin","children":[{left},{right}],"metrics":[]}},{{"nodeName":"BroadcastExchange","children":[{{"nodeName":"Scan parquet","children":[],"metrics":[{{"name":"number of files read","accumulatorId":4}},{{"name":"size of files read","accumulatorId":5}}]}}],"metrics":[{{"name":"data size","accumulatorId":3}}]}}],"metrics":[{{"name":"number of written files","accumulatorId":6}},{{"name":"written output","accumulatorId":7}}]}},"time":1700000000000}}
"#
    );
    let driver = format!(
        "{{\"Event\":\"org.apache.spark.sql.execution.ui.SparkListenerDriverAccumUpdates\",\"executionId\":5,\"accumUpdates\":[[3,{broadcast}],[4,{}],[5,{}],[6,{}],[7,{}],[99,1]]}}\n",
        read.0, read.1, written.0, written.1
    );
    let end = format!(
        "{{\"Event\":\"SparkListenerStageCompleted\",\"Stage Info\":{{\"Stage ID\":0,\"Number of Tasks\":4,\"Submission Time\":1700000000000,\"Completion Time\":1700000000009,\"Accumulables\":[{{\"ID\":1,\"Name\":\"data size\",\"Value\":\"{small}\",\"Metadata\":\"sql\"}},{{\"ID\":2,\"Value\":{large}}},{{\"ID\":8,\"Value\":[[1]]}}]}}}}\n"
    );
    let work = task(1, "1", 0, seconds * 1_000);
    said(&[START, &plan, JOB, &driver, &work, &end]).1
}

#[test]
fn what_a_plan_counts_is_told_where_it_is_much() {
    const MIB: u64 = 1 << 20;
    const GIB: u64 = 1 << 30;
    assert_eq!(query(MIB, MIB, MIB, (9, MIB), (9, MIB), 600), []);
    assert_eq!(
        query(GIB, 5 * MIB, 4 * GIB, (900, 90 * MIB), (20, GIB), 600),
        [
            (
                FindingKind::BroadcastSize,
                "execution 5 sends 1 GiB to every executor, 50 % of a heap of 2 GiB".to_owned()
            ),
            (
                FindingKind::SmallSide,
                "execution 5 sorts and shuffles 4 GiB to join them with 5 MiB, 819 times less, which could be sent to every executor".to_owned()
            ),
            (
                FindingKind::SmallFiles,
                "execution 5 reads 900 files of 102 KiB in the mean".to_owned()
            ),
        ]
    );
    // Neither files nor joins matter in a stage of seconds, nor does a small join anywhere.
    assert_eq!(
        query(MIB, 5 * MIB, 4 * GIB, (900, 90 * MIB), (20, GIB), 5),
        []
    );
    assert_eq!(query(MIB, 5 * MIB, 40 * MIB, (9, MIB), (20, GIB), 600), []);
}
