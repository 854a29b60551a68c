//! What stands beside the fixes is told by the evidence: suspects, what to look at, settings in the way, recipes.

use super::rules::{place, said_of, story, user_frame};
use super::rules_all::{diagnosed, frame, lost, stage, with_root};
use causedby::diagnosis::{Bucket, Diagnosis, Opened, StepKind};
use causedby::fact::{Owner, TaskId};
use causedby::incident::{Attempt, AttemptOutcome, FindingKind, Story};
use causedby::source::Kind;
use causedby::text::Symbol;

fn suspects(said: &Diagnosis) -> Vec<&str> {
    let question = said.question.as_ref().expect("a question");
    question
        .suspects
        .iter()
        .map(|suspect| suspect.title.as_str())
        .collect()
}

const OVER_LIMIT: &str = "Container killed by YARN for exceeding physical memory limits. 8.2 GB of 8 GB physical memory used.";

#[test]
fn a_heap_is_never_the_first_suspect_where_the_limit_was_hit_outside_it() {
    for message in [
        OVER_LIMIT,
        "reason: OOMKilled",
        "Command exited with code 137 from container_1_2_01_000003",
    ] {
        let said = diagnosed(
            &story(with_root("", message, "cluster", "execution"), "3.5.1"),
            &[],
        );
        let titles = suspects(&said);
        assert!(
            titles[0].contains("outside the heap"),
            "{message}: {titles:?}"
        );
        assert_eq!(
            titles.last(),
            Some(&"The heap is too small for its share of the data"),
            "{message}"
        );
        for fix in &said.fixes {
            let first = fix.steps.iter().find(|step| step.kind == StepKind::Fix);
            let code = first
                .and_then(|step| step.code.as_deref())
                .unwrap_or_default();
            assert!(
                !code.contains("spark.executor.memory="),
                "{message}: {code}"
            );
        }
    }
}

#[test]
fn suspects_are_ranked_by_the_evidence_at_hand() {
    // Python beside the heap.
    let mut python = with_root("", OVER_LIMIT, "cluster", "execution");
    python.chain[0].frames = vec![frame(
        "org.apache.spark.api.python.PythonRunner",
        "read",
        Owner::Spark,
    )];
    let said = diagnosed(&story(python, "3.5.1"), &[]);
    let question = said.question.as_ref().expect("a question");
    assert_eq!(question.suspects[1].title, "Python workers beside the heap");
    assert_eq!(question.suspects[1].speaks_for.len(), 1, "{question:?}");
    // The heap itself.
    let heap = with_root(
        "java.lang.OutOfMemoryError",
        "Java heap space",
        "jvm-executor",
        "execution",
    );
    let mut run = story(heap, "3.5.1");
    let said = diagnosed(&run, &[]);
    assert_eq!(
        suspects(&said)[0],
        "The heap is too small for its share of the data"
    );
    // Skew, where the stage shows it.
    run.incidents[0].task = Some(TaskId {
        stage: 2,
        stage_attempt: 0,
        partition: 4,
    });
    run.stages = vec![stage(&[(
        FindingKind::Skew,
        "task 4 read 4.1 GB, 45 × the median",
    )])];
    let said = diagnosed(&run, &[]);
    assert_eq!(
        suspects(&said)[0],
        "One task has far more data than the others"
    );
    // And not where it shows that there is none.
    run.stages = vec![stage(&[])];
    let said = diagnosed(&run, &[]);
    let skew = said.question.expect("a question");
    let skew = skew
        .suspects
        .iter()
        .find(|s| s.title.starts_with("One task"))
        .expect("skew");
    assert!(
        skew.speaks_for.is_empty() && skew.speaks_against.len() == 1,
        "{skew:?}"
    );
}

#[test]
fn a_fetch_that_failed_is_told_by_what_ended_the_executor() {
    let fetch = || {
        with_root(
            "org.apache.spark.shuffle.FetchFailedException",
            "Connection reset by peer",
            "jvm-executor",
            "execution",
        )
    };
    let mut run = story(fetch(), "3.5.1");
    run.executors = vec![lost(
        "7",
        "Container killed by YARN for exceeding memory limits",
        Some(-104),
    )];
    let said = diagnosed(&run, &[]);
    let question = said.question.as_ref().expect("a question");
    assert_eq!(
        question.suspects[0].title,
        "The executor that held the blocks died"
    );
    assert!(
        question.suspects[0].speaks_for[0]
            .text
            .contains("executor 7"),
        "{question:?}"
    );
    assert_eq!(question.suspects[0].speaks_for[0].place, Some(place(3)));
    // An event log that tells of no executor's end speaks for the network.
    let opened = [Opened {
        kind: Kind::EventLog,
        name: "app".into(),
        executor: None,
        path: None,
    }];
    let said = diagnosed(&story(fetch(), "3.5.1"), &opened);
    assert!(
        suspects(&said)[0].starts_with("The executor was alive"),
        "{said:?}"
    );
}

#[test]
fn driver_and_executor_are_asked_about_differently() {
    let mut driver = with_root(
        "java.lang.OutOfMemoryError",
        "Java heap space",
        "jvm-driver",
        "execution",
    );
    driver.chain[0].frames = vec![frame(
        "org.apache.spark.sql.execution.exchange.BroadcastExchangeExec",
        "doExecute",
        Owner::Spark,
    )];
    let said = diagnosed(&story(driver, "3.5.1"), &[]);
    let question = said.question.as_ref().expect("a question");
    assert_eq!(question.asks, "What filled the driver?");
    assert!(
        question.suspects[0]
            .title
            .starts_with("A table that is broadcast"),
        "{question:?}"
    );
    let executor = with_root(
        "java.lang.OutOfMemoryError",
        "Java heap space",
        "jvm-executor",
        "execution",
    );
    let said = diagnosed(&story(executor, "3.5.1"), &[]);
    assert_eq!(
        said.question.expect("a question").asks,
        "What took the executor's memory?"
    );
}

#[test]
fn evidence_is_ticked_where_it_is_at_hand() {
    let mut incident = with_root("", OVER_LIMIT, "cluster", "execution");
    incident.task = Some(TaskId {
        stage: 2,
        stage_attempt: 0,
        partition: 4,
    });
    incident.attempts = vec![Attempt {
        task: TaskId {
            stage: 2,
            stage_attempt: 0,
            partition: 4,
        },
        number: 0,
        tid: None,
        executor: Some(Symbol::new("7")),
        host: None,
        outcome: AttemptOutcome::Lost,
        class: Symbol::new(""),
        message: "".into(),
        place: None,
        own_log: None,
        same_cause: None,
        launched: None,
        ended: None,
        peak_memory: None,
        speculative: false,
    }];
    let mut run = story(incident, "3.5.1");
    let ticked = |run: &Story, opened: &[Opened]| -> Vec<String> {
        let said = diagnosed(run, opened);
        let held = said
            .evidence
            .iter()
            .filter(|evidence| evidence.held.is_some());
        held.map(|evidence| evidence.step.text.clone()).collect()
    };
    assert_eq!(ticked(&run, &[]), Vec::<String>::new());
    let log = |executor: &str| {
        [Opened {
            kind: Kind::ExecutorLog,
            name: format!("executors/{executor}/stderr"),
            executor: Some(executor.to_owned()),
            path: None,
        }]
    };
    // The log of another executor shows nothing of this one.
    assert_eq!(ticked(&run, &log("8")), Vec::<String>::new());
    assert_eq!(ticked(&run, &log("7")), ["The executor's own log."]);
    run.executors = vec![lost("7", OVER_LIMIT, Some(-104))];
    run.stages = vec![stage(&[])];
    assert_eq!(ticked(&run, &[]).len(), 2);
    // What failed was no task: all stages' figures stand in the event log.
    run.incidents[0].task = None;
    let figures = |run: &Story, opened: &[Opened]| {
        let ticked = ticked(run, opened);
        ticked.iter().any(|text| text.starts_with("The figures"))
    };
    assert!(!figures(&run, &[]));
    assert!(figures(&run, &EVENT_LOG.map(opened)));
}

const EVENT_LOG: [Kind; 1] = [Kind::EventLog];

fn opened(kind: Kind) -> Opened {
    Opened {
        kind,
        name: "application_1_2".to_owned(),
        executor: None,
        path: None,
    }
}

#[test]
fn a_shell_is_pointed_at_the_drivers_log_itself() {
    let run = story(
        with_root("KeyboardInterrupt", "", "python-driver", "execution"),
        "3.5.1",
    );
    let code = |path: Option<&str>| {
        let log = Opened {
            path: path.map(str::to_owned),
            ..opened(Kind::DriverLog)
        };
        let said = diagnosed(&run, &[log]);
        let steps = said.fixes.into_iter().flat_map(|fix| fix.steps);
        steps.filter_map(|step| step.code).collect::<String>()
    };
    assert!(code(Some("/logs/driver.log")).contains("\"/logs/driver.log\""));
    for unsafe_or_none in [Some("/a b/$(x)"), None] {
        assert!(code(unsafe_or_none).contains("<driver log>"));
    }
}

#[test]
fn nobody_is_asked_to_write_the_event_log_that_is_there() {
    let message = "ExecutorLostFailure (executor 3 exited caused by one of the running tasks) Reason: Command exited with code 137";
    let mut run = story(with_root("", message, "cluster", "execution"), "3.5.1");
    let guards = |run: &Story, at_hand: &[Opened]| {
        let said = diagnosed(run, at_hand);
        let steps = said.fixes.into_iter().flat_map(|fix| fix.steps);
        let guards = steps.filter(|step| step.kind == StepKind::Guard);
        guards.filter_map(|step| step.code).collect::<String>()
    };
    assert!(guards(&run, &[]).contains("spark.eventLog.enabled=true"));
    let with_log = guards(&run, &EVENT_LOG.map(opened));
    assert!(!with_log.contains("spark.eventLog.enabled") && !with_log.is_empty());
    let on = ("spark.eventLog.enabled".to_owned(), "true".to_owned());
    run.settings.extend([on]);
    assert!(!guards(&run, &[]).contains("spark.eventLog.enabled"));
}

#[test]
fn a_setting_that_is_in_the_way_is_taken_back_first() {
    let message = "Could not execute broadcast in 1 secs. You can increase the timeout for broadcasts via spark.sql.broadcastTimeout";
    let mut run = story(
        with_root("SparkException", message, "jvm-driver", "execution"),
        "4.1.0",
    );
    let first = |run: &Story| {
        let said = diagnosed(run, &[]);
        let fix = said.fixes[0].clone();
        let steps = fix.steps.into_iter();
        steps
            .filter(|step| step.kind == StepKind::Fix)
            .collect::<Vec<_>>()
    };
    let before = first(&run);
    run.settings
        .insert("spark.sql.broadcastTimeout".into(), "1".into());
    run.setting_places
        .insert("spark.sql.broadcastTimeout".into(), place(12));
    let after = first(&run);
    assert_eq!(after.len(), before.len() + 1);
    assert_eq!(
        after[0].code.as_deref(),
        Some("spark.sql.broadcastTimeout=300")
    );
    assert!(
        after[0].text.contains("line 12") && after[0].text.contains("set to 1"),
        "{}",
        after[0].text
    );
    // A larger one than Spark's own is not in the way.
    run.settings
        .insert("spark.sql.broadcastTimeout".into(), "900".into());
    assert_eq!(first(&run).len(), before.len());
}

#[test]
fn recipes_are_offered_where_they_help_and_the_traces_mode_is_noticed() {
    let mut udf = with_root("KeyError", "'EU-3'", "python-worker", "execution");
    udf.chain[0].frames = vec![user_frame()];
    let said = diagnosed(&story(udf.clone(), "4.1.0"), &[]);
    let recipes: Vec<&str> = said
        .recipes
        .iter()
        .map(|recipe| recipe.rule.as_str())
        .collect();
    assert!(
        recipes.contains(&"debug-worker") && recipes.contains(&"full-worker-trace"),
        "{recipes:?}"
    );
    let code: Vec<&str> = said
        .recipes
        .iter()
        .flat_map(|r| &r.steps)
        .filter_map(|s| s.code.as_deref())
        .collect();
    assert!(
        code.iter().any(|code| code.contains("orders.py")),
        "{code:?}"
    );
    assert!(
        said.notices[0].text.contains("simplifiedTraceback"),
        "{:?}",
        said.notices
    );
    // Before 3.1 there was no short form, and a trace with the worker's own frames is not short.
    assert!(
        diagnosed(&story(udf.clone(), "3.0.3"), &[])
            .notices
            .is_empty()
    );
    let mut whole = udf;
    let mut of_spark = user_frame();
    of_spark.file = Symbol::new("/opt/spark/python/pyspark/worker.py");
    of_spark.owner = Owner::Spark;
    whole.chain[0].frames.push(of_spark);
    assert!(diagnosed(&story(whole, "4.1.0"), &[]).notices.is_empty());
    let missing = said_of(
        "AnalysisException",
        "[TABLE_OR_VIEW_NOT_FOUND] The table `a` cannot be found.",
        "jvm-driver",
        "analysis",
    );
    assert!(missing.recipes.is_empty(), "{:?}", missing.recipes);
    assert_eq!(missing.bucket, Some(Bucket::Schema));
}
