//! In: a [`Scene`]. Out: what the evidence at hand already shows, in a few words with the line that says it: a rule may ask
//! for it, and what a person is asked to gather is ticked by it.

use super::fix::Opened;
use super::platform::Platform;
use super::scene::Scene;
use super::settings;
use crate::fact::Owner;
use crate::incident::{AttemptOutcome, Executor, Side, Stage};
use crate::source::Kind;
use crate::text::{Bytes, Millis, Place, counted};
use serde::Deserialize;
use std::collections::BTreeSet;

/// Something that a log, an event log or another file can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Shown {
    /// The figures of the stage's tasks.
    Figures,
    /// What was set.
    Settings,
    /// The plan of the query.
    Plan,
    /// The log of the executor that the failure names.
    ExecutorLog,
    /// Why an executor ended, as the cluster manager or the scheduler tells it.
    ExecutorEnd,
    /// That no executor's end is told of, although the event log would have it.
    NoExecutorEnd,
    /// A schema.
    Schema,
    /// The person's own code.
    JobSource,
    /// Which Spark.
    Versions,
    /// That Python workers ran.
    Python,
    /// That the function got the elements of an RDD, not the columns of a row.
    Rdd,
    /// That the function got whole frames or series of pandas.
    Frames,
    /// That tasks run within the driver.
    Local,
    /// That the same task brought down more than one executor.
    SameTaskLost,
    /// That a Python worker's traceback came without Spark's own frames.
    ShortTraceback,
    /// That Spark's Python printed an error of the JVM without the JVM's frames.
    HiddenJvm,
}

impl Shown {
    /// What it shows and where; `None` where it does not.
    pub(super) fn told(self, scene: &Scene<'_>) -> Option<(String, Option<Place>)> {
        match self {
            Self::Figures => figures(scene),
            Self::Settings => settings(scene),
            Self::Plan => plan(scene),
            Self::ExecutorLog => executor_log(scene),
            Self::ExecutorEnd => executor_end(scene),
            Self::NoExecutorEnd => {
                let log = opened(scene, Kind::EventLog)?;
                let lost = scene.story.executors.iter().any(|e| e.reason.is_some());
                (!lost).then(|| (format!("{} tells of no executor's end", log.name), None))
            }
            Self::Schema => Some((opened(scene, Kind::Schema)?.name.clone(), None)),
            Self::JobSource => job_source(scene),
            Self::Versions => versions(scene),
            Self::Python => python(scene),
            Self::Rdd => rdd(scene),
            Self::Frames => frames(scene),
            Self::Local => (scene.platform == Some(Platform::Local))
                .then(|| ("in local mode tasks run within the driver".to_owned(), None)),
            Self::SameTaskLost => same_task_lost(scene),
            Self::ShortTraceback => short_traceback(scene),
            Self::HiddenJvm => hidden_jvm(scene),
        }
    }
}

fn opened<'a>(scene: &Scene<'a>, kind: Kind) -> Option<&'a Opened> {
    scene.opened.iter().find(|opened| opened.kind == kind)
}

/// The stage that the incident is about.
pub(super) fn stage<'a>(scene: &Scene<'a>) -> Option<&'a Stage> {
    let task = scene.incident.task?;
    let stages = &scene.story.stages;
    stages
        .iter()
        .find(|s| (s.id, s.attempt) == (task.stage, task.stage_attempt))
}

/// The event log that was opened, or where the run writes one.
pub(super) fn event_log(scene: &Scene<'_>) -> Option<String> {
    let written = || {
        let setting = |key: &str| scene.settings.get(key).cloned();
        let on = setting("spark.eventLog.enabled").is_some_and(|on| on == "true");
        on.then(|| setting("spark.eventLog.dir").unwrap_or_else(|| "spark.eventLog.dir".to_owned()))
    };
    opened(scene, Kind::EventLog)
        .map(|log| log.name.clone())
        .or_else(written)
}

/// The driver's log where it lies as a plain file of its own, so that a shell can search it.
pub(super) fn driver_log<'a>(scene: &Scene<'a>) -> Option<&'a str> {
    opened(scene, Kind::DriverLog)?.path.as_deref()
}

fn figures(scene: &Scene<'_>) -> Option<(String, Option<Place>)> {
    let measured = stage(scene).and_then(|stage| Some((stage, stage.figures.as_deref()?)));
    let Some((stage, figures)) = measured else {
        // What failed was no task, or none of its stage has ended: the event log has what there is of all stages.
        let log = opened(scene, Kind::EventLog)?;
        let stages = scene.story.stages.iter().filter(|s| s.figures.is_some());
        let told = counted(stages.count() as u64, "stage");
        return Some((format!("{} has {told} with figures", log.name), None));
    };
    let mut told = format!(
        "stage {}.{}: {}, {} in the middle, {} the longest",
        stage.id,
        stage.attempt,
        counted(figures.task_ms.n, "task"),
        Millis(figures.task_ms.median),
        Millis(figures.task_ms.max),
    );
    for (what, sum) in [
        ("read", figures.input_bytes.sum),
        ("shuffled in", figures.shuffle_read_bytes.sum),
        ("spilled to disk", figures.spill_disk_bytes.sum),
    ] {
        if sum > 0.0 {
            told = format!("{told}, {} {what}", Bytes(sum));
        }
    }
    Some((told, stage.place))
}

/// Settings that decide most about memory and failing, in the order in which they are told.
const TELLING: &[&str] = &[
    "spark.executor.memory",
    "spark.executor.memoryOverhead",
    "spark.executor.cores",
    "spark.driver.memory",
    "spark.sql.shuffle.partitions",
    "spark.sql.autoBroadcastJoinThreshold",
];

fn settings(scene: &Scene<'_>) -> Option<(String, Option<Place>)> {
    if scene.settings.is_empty() {
        return None;
    }
    let given = TELLING.iter().filter_map(|key| {
        let value = scene.settings.get(*key)?;
        Some(format!("{key}={value}"))
    });
    let given: Vec<String> = given.take(3).collect();
    let all = scene.settings.len();
    let told = match (all, given.is_empty()) {
        (1, true) => "one setting".to_owned(),
        (_, true) => format!("{all} settings, and none about memory"),
        (_, false) => format!("{all} settings, {} among them", given.join(", ")),
    };
    let place = scene.story.setting_places.values().next().copied();
    Some((told, place))
}

fn plan(scene: &Scene<'_>) -> Option<(String, Option<Place>)> {
    if let Some(sql) = scene.sql().filter(|sql| !sql.plan.is_empty()) {
        let told = format!("execution {}, {} operators", sql.id, sql.plan.len());
        return Some((told, sql.place));
    }
    Some((opened(scene, Kind::Plan)?.name.clone(), None))
}

/// Executors that went away under the incident's task, or the one whose end it tells.
fn lost<'a>(scene: &Scene<'a>) -> impl Iterator<Item = &'a Executor> {
    let ids: BTreeSet<&str> = scene
        .incident
        .attempts
        .iter()
        .filter(|attempt| attempt.outcome == AttemptOutcome::Lost)
        .filter_map(|attempt| attempt.executor.as_deref())
        .collect();
    let executors = scene.story.executors.iter();
    executors.filter(move |executor| ids.contains(&*executor.id))
}

/// The log of the executor that the failure names, where it was opened.
pub(super) fn opened_executor_log(scene: &Scene<'_>) -> Option<String> {
    executor_log(scene).map(|(name, _)| name)
}

fn executor_log(scene: &Scene<'_>) -> Option<(String, Option<Place>)> {
    let of = |id: &str| {
        let mut logs = scene.opened.iter();
        logs.find(|log| log.kind == Kind::ExecutorLog && log.executor.as_deref() == Some(id))
    };
    let ids = lost(scene).map(|executor| &*executor.id);
    let last = scene.incident.attempts.last();
    let ids: Vec<&str> = ids
        .chain(last.and_then(|attempt| attempt.executor.as_deref()))
        .collect();
    let log = ids.into_iter().find_map(of)?;
    Some((log.name.clone(), None))
}

fn executor_end(scene: &Scene<'_>) -> Option<(String, Option<Place>)> {
    lost(scene).find_map(|executor| {
        let reason = executor.reason.as_deref()?;
        let reason = reason.lines().next().unwrap_or_default();
        Some((
            format!("executor {}: {reason}", executor.id),
            executor.place,
        ))
    })
}

fn job_source(scene: &Scene<'_>) -> Option<(String, Option<Place>)> {
    if let Some(file) = opened(scene, Kind::JobSource) {
        return Some((file.name.clone(), None));
    }
    let (code, place) = scene.own_lines().next()?;
    Some((code.trim().to_owned(), Some(place)))
}

fn versions(scene: &Scene<'_>) -> Option<(String, Option<Place>)> {
    let spark = &scene.story.spark;
    let version = spark.version.as_deref()?;
    let scala = spark.scala.as_deref();
    let scala = scala.map_or_else(String::new, |scala| format!(", Scala {scala}"));
    Some((format!("Spark {version}{scala}"), None))
}

/// Python workers ran where a worker spoke, a plan hands rows to them, or an executor's log has their trace.
fn python(scene: &Scene<'_>) -> Option<(String, Option<Place>)> {
    const MARKS: [&str; 3] = ["PythonRunner", "PythonRDD", "PythonUDF"];
    let incident = scene.incident;
    let frame = incident.chain.iter().flat_map(|cause| {
        let frames = cause.frames.iter();
        frames.filter(|frame| MARKS.iter().any(|mark| frame.class.contains(mark)))
    });
    if let Some(frame) = frame.into_iter().next() {
        return Some((
            format!("{} is in the trace", frame.class),
            Some(frame.place),
        ));
    }
    if incident.side == Some(Side::PythonWorker) {
        return Some((
            "a Python worker raised it".to_owned(),
            Some(incident.root().place),
        ));
    }
    let sql = scene.sql()?;
    let operator = sql.plan.iter().find(|row| row.operator.is_python())?;
    let name = &operator.operator.name;
    Some((
        format!("the plan has {name}, which hands rows to Python"),
        sql.place,
    ))
}

/// PySpark's own `rdd.py` stands around the function, or the JVM ran RDDs and no SQL.
fn rdd(scene: &Scene<'_>) -> Option<(String, Option<Place>)> {
    let frames = || scene.incident.chain.iter().flat_map(|cause| &cause.frames);
    let around = scene.incident.root().frames.iter();
    let mut around =
        around.filter(|frame| frame.file.replace('\\', "/").ends_with("pyspark/rdd.py"));
    let sql = frames().any(|frame| frame.class.starts_with("org.apache.spark.sql."));
    let of_rdd = |class: &str| {
        class.starts_with("org.apache.spark.rdd.") || class.ends_with("api.python.PythonRDD")
    };
    let frame = around
        .next()
        .or_else(|| frames().find(|frame| !sql && of_rdd(&frame.class)))?;
    Some((
        "the trace goes through an RDD".to_owned(),
        Some(frame.place),
    ))
}

/// Pandas stands around the function, or the line that started it hands it frames.
fn frames(scene: &Scene<'_>) -> Option<(String, Option<Place>)> {
    const TAKES: [&str; 7] = [
        "applyInPandas",
        "mapInPandas",
        "applyInArrow",
        "mapInArrow",
        "pandas_udf",
        ").apply(",
        ".transform_batch(",
    ];
    const RUNS: [&str; 4] = ["InPandas", "InArrow", "ArrowEvalPython", "PandasUDF"];
    if scene.incident.side != Some(Side::PythonWorker) {
        return None;
    }
    let told = "the function gets whole frames or series of pandas".to_owned();
    let own = scene.own_lines();
    let mut own = own.filter(|(line, _)| TAKES.iter().any(|takes| line.contains(takes)));
    if let Some((_, place)) = own.next() {
        return Some((told, Some(place)));
    }
    let frames = scene.incident.chain.iter().flat_map(|cause| &cause.frames);
    let frames = frames.filter(|frame| RUNS.iter().any(|runs| frame.class.contains(runs)));
    if let Some(frame) = frames.into_iter().next() {
        return Some((told, Some(frame.place)));
    }
    let plan = scene.plan();
    let mut rows = plan
        .iter()
        .filter(|row| RUNS.iter().any(|runs| row.contains(runs)));
    rows.next().map(|_| (told, None))
}

/// Of a stage that has but one task this shows nothing.
fn same_task_lost(scene: &Scene<'_>) -> Option<(String, Option<Place>)> {
    if stage(scene).is_some_and(|stage| stage.tasks.total == Some(1)) {
        return None;
    }
    let attempts = &scene.incident.attempts;
    let mut lost = attempts
        .iter()
        .filter(|attempt| attempt.outcome == AttemptOutcome::Lost);
    let executors: BTreeSet<&str> = lost
        .clone()
        .filter_map(|attempt| attempt.executor.as_deref())
        .collect();
    let last = lost.next_back()?;
    (executors.len() > 1).then(|| {
        let told = format!(
            "task {} brought down {} executors, one after another",
            last.task.partition,
            executors.len()
        );
        (told, last.place)
    })
}

/// Frames of Spark's own worker stand around the person's unless they are hidden, which is Spark's way since 3.1.
fn short_traceback(scene: &Scene<'_>) -> Option<(String, Option<Place>)> {
    let root = scene.incident.root();
    let of_worker = scene.incident.side == Some(Side::PythonWorker);
    let hides = scene
        .version
        .is_none_or(|version| settings::known(SIMPLIFIED).is_some_and(|s| s.exists_in(version)));
    let shows = |file: &str| file.ends_with("worker.py") || file.contains("pyspark/");
    let shown = root.frames.iter().any(|frame| shows(&frame.file));
    if !of_worker || !hides || root.frames.is_empty() || shown {
        return None;
    }
    let told = format!(
        "The worker's traceback is the short one: Spark left its own frames out ({SIMPLIFIED})."
    );
    Some((told, Some(root.place)))
}

const SIMPLIFIED: &str = "spark.sql.execution.pyspark.udf.simplifiedTraceback.enabled";

fn hidden_jvm(scene: &Scene<'_>) -> Option<(String, Option<Place>)> {
    let chain = &scene.incident.chain;
    let captured = chain.iter().find(|cause| {
        let class = &*cause.class;
        class.starts_with("pyspark.sql.utils.")
            || class.starts_with("pyspark.errors.exceptions.captured.")
    })?;
    let jvm = |owner| {
        matches!(
            owner,
            Owner::Spark | Owner::Jvm | Owner::Scala | Owner::Hadoop
        )
    };
    let frames = chain.iter().flat_map(|cause| &cause.frames);
    let shown = frames
        .filter(|frame| !frame.file.ends_with(".py"))
        .any(|frame| jvm(frame.owner));
    (!shown).then(|| {
        let told = "Spark's Python printed this error of the JVM without the JVM's frames (spark.sql.pyspark.jvmStacktrace.enabled).";
        (told.to_owned(), Some(captured.place))
    })
}
