//! Every rule has its case and every kind of failure its rule; every condition of Spark has a bucket and a step.

use super::rules::{cause, incident, place, said_of, story, user_frame};
use super::{rules_families::KINDS, rules_table as table};
use causedby::diagnosis::{Diagnosis, Opened, Rulebook};
use causedby::fact::{Frame, Owner};
use causedby::incident::{
    Evidence, Executor, Finding, FindingKind, Incident, Relation, Severity, Stage, StageFigures,
    StageStatus, Story, TaskCounts,
};
use causedby::text::Symbol;
use std::collections::BTreeSet;
use std::fmt::Write as _;

pub(crate) fn frame(class: &str, function: &str, owner: Owner) -> Frame {
    Frame {
        class: Symbol::new(class),
        function: Symbol::new(function),
        file: Symbol::new("x.scala"),
        line: Some(7),
        code: None,
        owner,
        place: place(8),
    }
}

pub(crate) fn diagnosed(story: &Story, opened: &[Opened]) -> Diagnosis {
    Rulebook::built_in().diagnose(story, opened).remove(0)
}

pub(crate) fn with_root(class: &str, message: &str, side: &str, phase: &str) -> Incident {
    incident(vec![cause(Relation::Top, class, message)], side, phase)
}

pub(crate) fn lost(id: &str, reason: &str, exit_code: Option<i32>) -> Executor {
    Executor {
        id: Symbol::new(id),
        host: Some(Symbol::new("node-a")),
        added: None,
        removed: None,
        reason: Some(reason.into()),
        exit_code,
        place: Some(place(3)),
    }
}

pub(crate) fn stage(kinds: &[(FindingKind, &str)]) -> Stage {
    let findings = kinds.iter().map(|(kind, text)| Finding {
        kind: *kind,
        severity: Severity::default(),
        text: (*text).to_owned(),
        ratio: None,
        task: Some(4),
        evidence: vec![place(5)],
    });
    Stage {
        id: 2,
        attempt: 0,
        name: "count at job.py:3".into(),
        status: StageStatus::Succeeded,
        tasks: TaskCounts::default(),
        submitted: None,
        duration_ms: None,
        failure: None,
        place: Some(place(4)),
        figures: Some(Box::new(StageFigures::default())),
        findings: findings.collect(),
        jobs: Vec::new(),
        sql: None,
    }
}

/// Stories that a row of class and message cannot tell, each for the rule that has to be the best.
#[allow(clippy::too_many_lines, reason = "it is data")]
fn scenes() -> Vec<(&'static str, Story)> {
    let mut driver_code = with_root(
        "java.lang.IllegalStateException",
        "no rates",
        "jvm-driver",
        "execution",
    );
    driver_code.chain[0].frames = vec![frame("com.acme.Job", "main", Owner::User)];
    let mut python_driver = with_root("ValueError", "no rates", "python-driver", "execution");
    python_driver.chain[0].frames = vec![user_frame()];
    let mut refused = with_root(
        "IllegalArgumentException",
        "requirement failed: only one or two classes",
        "jvm-driver",
        "execution",
    );
    refused.user_frame = Some(user_frame());
    let mut own_in_task = with_root(
        "com.acme.RateMissing",
        "no rate",
        "jvm-executor",
        "execution",
    );
    own_in_task.chain[0].frames = vec![frame("com.acme.Rates", "apply", Owner::User)];
    let mut null = with_root(
        "java.lang.NullPointerException",
        "",
        "jvm-executor",
        "execution",
    );
    null.chain[0].frames = vec![frame("com.acme.Rates", "apply", Owner::User)];
    let mut no_option = with_root("java.lang.NullPointerException", "", "jvm-driver", "write");
    no_option.chain[0].frames = vec![
        frame(
            "java.util.concurrent.ConcurrentHashMap",
            "putVal",
            Owner::Jvm,
        ),
        frame("java.util.Properties", "setProperty", Owner::Jvm),
    ];
    let mut none_for_the_jvm = with_root(
        "java.lang.NullPointerException",
        "Cannot invoke \"java.net.URI.normalize()\" because \"aUri\" is null",
        "jvm-driver",
        "execution",
    );
    none_for_the_jvm.user_frame = Some(Frame {
        code: Some("path = spark._jvm.org.apache.hadoop.fs.Path(None)".into()),
        ..user_frame()
    });
    let mut arrow = with_root(
        "java.lang.IllegalArgumentException",
        "",
        "jvm-executor",
        "execution",
    );
    let reader = "org.apache.arrow.vector.ipc.message.MessageSerializer";
    arrow.chain[0].frames = vec![frame(reader, "readMessage", Owner::Library)];
    let of_library = |side| {
        let mut falls = with_root("java.lang.NullPointerException", "", side, "execution");
        let reader = "org.apache.hudi.io.HoodieMergeHandle";
        falls.chain[0].frames = vec![frame(reader, "init", Owner::Library)];
        story(falls, "3.5.1")
    };
    let message = "'JavaPackage' object is not callable";
    let mut no_jar = with_root("TypeError", message, "python-driver", "execution");
    no_jar.chain[0].frames = vec![frame("", "_java_api", Owner::Library)];
    let name = "name 'tides' is not defined";
    let mut unset = with_root("NameError", name, "python-worker", "execution");
    unset.chain[0].frames = vec![frame("", "_add_metadata", Owner::Library)];
    let mut rdd = with_root("RuntimeError", "no rates", "python-worker", "execution");
    rdd.chain[0].frames = vec![user_frame()];
    let mut heap = story(
        with_root(
            "java.lang.OutOfMemoryError",
            "Java heap space",
            "jvm-executor",
            "execution",
        ),
        "3.5.1",
    );
    heap.stages = vec![stage(&[(
        FindingKind::Skew,
        "task 4 read 4.1 GB, 45 × the median",
    )])];
    let mut dying = story(
        with_root(
            "",
            "Initial job has not accepted any resources; check your cluster UI",
            "cluster",
            "startup",
        ),
        "3.5.1",
    );
    dying.executors = vec![lost("0", "Command exited with code 1", Some(1))];
    let mut stuck = story(
        with_root("", "no progress for 40 min", "cluster", "execution"),
        "3.5.1",
    );
    stuck.stages = vec![stage(&[(FindingKind::NeverEnded, "task 4 had not ended")])];
    let mut gave_up = with_root("", "only 3 rows, giving up", "python-driver", "execution");
    gave_up.evidence = causedby::incident::Evidence::Inferred;
    vec![
        ("jvm-driver-code-raises", story(driver_code, "3.5.1")),
        ("driver-code-raises", story(python_driver, "3.5.1")),
        ("refused-argument", story(refused, "3.5.1")),
        ("own-exception", story(own_in_task, "3.5.1")),
        ("udf-raises", story(rdd, "3.5.1")),
        ("python-library-without-jar", story(no_jar, "3.5.1")),
        ("python-packages-disagree", story(unset, "3.5.1")),
        ("null-pointer", story(null, "3.5.1")),
        ("option-is-null", story(no_option, "3.5.1")),
        ("jvm-call-refused", story(none_for_the_jvm, "3.5.1")),
        ("arrow-formats-differ", story(arrow, "2.4.4")),
        ("library-falls-over", of_library("jvm-driver")),
        ("library-falls-over-rows", of_library("jvm-executor")),
        ("skewed-data", heap),
        ("executors-die-at-start", dying),
        ("stuck-query", stuck),
        ("program-gave-up", story(gave_up, "3.5.1")),
    ]
}

#[test]
fn every_rule_has_its_case() {
    let mut shown: BTreeSet<String> = BTreeSet::new();
    for [class, message, side, phase, ..] in table::rows() {
        let said = said_of(class, message, side, phase);
        shown.extend(said.fixes.first().map(|fix| fix.rule.clone()));
    }
    for (class, message, side, _) in KINDS {
        let said = said_of(class, message, side, "execution");
        shown.extend(said.fixes.first().map(|fix| fix.rule.clone()));
    }
    let mut wrong = String::new();
    for (rule, story) in scenes() {
        let said = diagnosed(&story, &[]);
        let best = said.fixes.first().map_or("-", |fix| &fix.rule);
        if best != rule {
            let _ = writeln!(wrong, "{rule}: {best} comes first");
        }
        shown.insert(best.to_owned());
    }
    shown.extend(advised().into_iter().map(|(_, rule)| rule));
    let missing: Vec<&str> = Rulebook::built_in()
        .rules()
        .map(|rule| rule.id)
        .filter(|id| !shown.contains(*id))
        .collect();
    assert!(
        wrong.is_empty() && missing.is_empty(),
        "{wrong}without a case: {missing:?}"
    );
    // Nothing is advised about three of them: what was not granted, what failed, what is only an offer.
    assert_eq!(advised().len(), FindingKind::WORDS.len() - 3);
}

/// For each kind of finding the rule that advises.
fn advised() -> Vec<(&'static str, String)> {
    use FindingKind as K;
    let kinds = [
        K::Skew,
        K::Spill,
        K::Gc,
        K::StageRetry,
        K::Speculation,
        K::Stragglers,
        K::SlowHost,
        K::TinyTasks,
        K::HugePartition,
        K::NeverEnded,
        K::RowExplosion,
        K::Cartesian,
        K::BroadcastWait,
        K::BroadcastSize,
        K::SmallFiles,
        K::NothingGranted,
        K::Failures,
        K::SmallSide,
        K::HotFunction,
        K::Waiting,
        K::HotLine,
    ];
    let advised = kinds.into_iter().filter_map(|kind| {
        let run = Story {
            stages: vec![stage(&[(kind, "task 4 was remarkable")])],
            ..Story::default()
        };
        let advice = Rulebook::built_in().advise(&run, &[]);
        Some((kind.word(), advice.first()?.fix.rule.clone()))
    });
    advised.collect()
}

#[test]
fn the_kinds_of_failure_get_the_families_that_are_right_for_them() {
    let mut wrong = String::new();
    for (class, message, side, families) in KINDS {
        let said = said_of(class, message, side, "execution");
        let first = said.fixes.first().map_or("-", |fix| fix.family.as_str());
        let right = if families.is_empty() {
            first == "-"
        } else {
            families.contains(&first) && said.bucket.is_some()
        };
        if !right {
            let rule = said.fixes.first().map_or("-", |fix| &fix.rule);
            let _ = writeln!(
                wrong,
                "{class}: {message:.80}\n    want {families:?}, got {first} by {rule}"
            );
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Names of Spark's conditions with their states, as they travel with the program.
const CONDITIONS: &str = include_str!("../../assets/conditions.tsv");

#[test]
fn every_condition_has_a_bucket_and_a_step() {
    let mut wrong = String::new();
    let mut with_state = 0;
    for row in CONDITIONS.lines().filter(|line| !line.starts_with('#')) {
        let (name, state) = row.split_once('\t').expect("two cells");
        if state.is_empty() {
            // Those are Python's own, or older than states are: what raised them is the class.
            continue;
        }
        with_state += 1;
        let message =
            format!("[{name}] Something that no other rule has words for. SQLSTATE: {state}");
        let said = said_of(
            "org.apache.spark.SparkException",
            &message,
            "jvm-driver",
            "execution",
        );
        if said.bucket.is_none() || said.fixes.is_empty() {
            let _ = writeln!(wrong, "{name} {state}: no rule");
        }
        // The same without the state, as Spark before 3.4 prints it.
        let message = format!("[{name}] Something that no other rule has words for.");
        let said = said_of(
            "org.apache.spark.SparkException",
            &message,
            "jvm-driver",
            "execution",
        );
        if said.fixes.is_empty() {
            let _ = writeln!(wrong, "{name} without its state: no rule");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(with_state > 800, "{with_state}");
}

#[test]
fn a_condition_of_python_is_the_callers() {
    let mut without = Vec::new();
    for row in CONDITIONS.lines().filter(|line| line.ends_with('\t')) {
        let name = row.trim_end();
        let message = format!("[{name}] Something that no other rule has words for.");
        let said = said_of(
            "pyspark.errors.exceptions.base.PySparkValueError",
            &message,
            "python-driver",
            "execution",
        );
        if said.bucket.is_none() {
            without.push(name);
        }
    }
    assert_eq!(without, Vec::<&str>::new());
}

#[test]
fn where_the_cause_stands_elsewhere_nobodys_line_is_mended() {
    let words =
        "Query [id = a, runId = b] terminated with exception: Task failed while writing rows.";
    let mut incident = with_root("StreamingQueryException", words, "jvm-driver", "streaming");
    incident.chain[0].frames = vec![frame("", "main", Owner::User)];
    incident.evidence = Evidence::SymptomOnly;
    let said = diagnosed(&story(incident, "3.5.1"), &[]);
    assert_eq!(said.bucket, None);
    let families: Vec<&str> = said.fixes.iter().map(|fix| fix.family.as_str()).collect();
    assert_eq!(families, ["read-other-log"]);
}
