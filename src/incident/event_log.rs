//! In: an [`EventLog`]. Out: its stages, executors and the rest in the terms of a [`Story`](super::Story).

use super::attempt::{Attempt, AttemptOutcome};
use super::findings;
use super::incident::OTHERS_CAP;
use super::spread::{histogram, sum};
use super::stage::{Executor, Spread, Stage, StageFigures, StageStatus, TaskCounts};
use super::story::SparkInfo;
use crate::fact::TaskId;
use crate::fact::event_log::{Ending, EventLog, StageRun, StageTasks, TaskEnding};
use crate::text::{Moment, Symbol};

/// The stage attempts of a log, in order of id and attempt, with their findings.
pub(super) fn stages(log: &EventLog) -> Vec<Stage> {
    let mut stages: Vec<_> = log
        .stages
        .iter()
        .map(|((id, attempt), run)| stage(log, *id, *attempt, run))
        .collect();
    findings::find(log, &mut stages);
    stages
}

fn stage(log: &EventLog, id: u32, attempt: u32, run: &StageRun) -> Stage {
    let tasks = &run.tasks;
    let ran = run.submitted.is_some() || tasks.succeeded + tasks.failed + tasks.killed > 0;
    let millis = |(from, to): (Moment, Moment)| u64::try_from(to.since(from) / 1_000).ok();
    Stage {
        id,
        attempt,
        name: run.name.clone(),
        status: status(log, run, ran),
        tasks: TaskCounts {
            total: run.total,
            succeeded: ran.then_some(tasks.succeeded),
            failed: ran.then_some(tasks.failed),
            killed: ran.then_some(tasks.killed),
        },
        submitted: run.submitted,
        duration_ms: run.submitted.zip(run.completed).and_then(millis),
        failure: run
            .failure
            .as_deref()
            .map(|text| text.lines().next().unwrap_or("").into()),
        place: run.place,
        figures: (!tasks.is_empty()).then(|| Box::new(figures(tasks))),
        findings: Vec::new(),
        jobs: run.jobs.clone(),
        sql: run
            .jobs
            .iter()
            .find_map(|job| log.jobs.get(job).and_then(|job| job.sql)),
    }
}

fn status(log: &EventLog, run: &StageRun, ran: bool) -> StageStatus {
    if run.failure.is_some() {
        StageStatus::Failed
    } else if run.completed.is_some() {
        StageStatus::Succeeded
    } else if ran {
        StageStatus::Running
    } else {
        let jobs = run.jobs.iter().filter_map(|job| log.jobs.get(job));
        // A stage of a finished job that never ran had its results already.
        if jobs.clone().any(|job| job.succeeded == Some(true)) {
            StageStatus::Skipped
        } else {
            StageStatus::Unknown
        }
    }
}

fn figures(tasks: &StageTasks) -> StageFigures {
    StageFigures {
        task_ms: Spread::of(tasks.task_ms.iter()),
        shuffle_read_bytes: Spread::of(tasks.shuffle_read.iter()),
        shuffle_write_bytes: Spread::of(tasks.shuffle_write.iter()),
        spill_disk_bytes: Spread::of(tasks.spill_disk.iter()),
        spill_memory_bytes: Spread::of(tasks.spill_memory.iter()),
        gc_ms: Spread::of(tasks.gc_ms.iter()),
        gc_share: share(sum(&tasks.gc_ms), sum(&tasks.run_ms)),
        input_bytes: Spread::of(tasks.input.iter()),
        histogram: histogram(tasks.task_ms.iter()),
    }
}

fn share(part: f64, all: f64) -> Option<f64> {
    (all > 0.0).then(|| part / all)
}

/// The executors of a log, in the order in which they came.
pub(super) fn executors(log: &EventLog) -> Vec<Executor> {
    let executors = log.executors.iter().map(|run| Executor {
        id: run.id.clone(),
        host: run.host.clone(),
        added: run.added,
        removed: run.removed,
        reason: run.reason.as_deref().map(Into::into),
        exit_code: run.exit_code,
        place: Some(run.place),
    });
    executors.collect()
}

/// Which Spark, which application, as far as the log tells.
pub(super) fn spark(log: &EventLog) -> SparkInfo {
    let scala = log.scala.as_deref().map(|version| {
        let mut parts = version.split('.').take(2);
        let (major, minor) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        format!("{major}.{minor}")
    });
    SparkInfo {
        version: log.spark.clone(),
        scala,
        app_id: log.app_id.clone(),
        app_name: log.app_name.clone(),
        master: log.settings.get("spark.master").cloned(),
        in_driver: in_driver(log),
    }
}

/// Whether the run was in local mode.
pub(super) fn in_driver(log: &EventLog) -> bool {
    let master = log.settings.get("spark.master").map_or("", String::as_str);
    master == "local" || master.starts_with("local[")
}

/// All attempts of a task that the log tells of, by attempt.
pub(super) fn attempts(log: &EventLog, task: TaskId) -> Vec<Attempt> {
    let of_task = |ending: &&TaskEnding| {
        ending.stage == task.stage
            && ending.stage_attempt == task.stage_attempt
            && ending.index == task.partition
    };
    let mut attempts: Vec<_> = log
        .endings
        .iter()
        .chain(&log.never_ended)
        .filter(of_task)
        // It finished before, and is told of as such.
        .filter(|ending| ending.ending != Ending::Resubmitted)
        .map(unfinished)
        .collect();
    if let Some(run) = log.stages.get(&(task.stage, task.stage_attempt)) {
        let tasks = &run.tasks;
        let finished = tasks.rows_of(task.partition).filter(|row| tasks.ok[*row]);
        attempts.extend(finished.map(|row| finished_row(tasks, task, row)));
    }
    attempts.sort_by_key(|attempt| (attempt.number, attempt.tid));
    attempts
}

/// Attempts of the other tasks of the same stage attempt that did not end well, by task and attempt.
pub(super) fn of_other_tasks(log: &EventLog, task: TaskId) -> Vec<Attempt> {
    let fits = |ending: &&TaskEnding| {
        (ending.stage, ending.stage_attempt) == (task.stage, task.stage_attempt)
            && ending.index != task.partition
            && !matches!(ending.ending, Ending::Killed | Ending::Resubmitted)
    };
    let endings = log.endings.iter().filter(fits).take(OTHERS_CAP);
    let mut attempts: Vec<_> = endings.map(unfinished).collect();
    attempts.sort_by_key(|attempt| (attempt.task.partition, attempt.number, attempt.tid));
    attempts
}

fn unfinished(ending: &TaskEnding) -> Attempt {
    let outcome = match ending.ending {
        Ending::ExecutorLost { .. } => AttemptOutcome::Lost,
        Ending::Killed => AttemptOutcome::Killed,
        Ending::Never => AttemptOutcome::Unknown,
        _ => AttemptOutcome::Failed,
    };
    let message = ending.text.lines().next().unwrap_or("");
    let class = match &ending.ending {
        Ending::Threw { class } => class.clone(),
        _ => Symbol::new(""),
    };
    let message = message
        .strip_prefix(class.as_str())
        .filter(|_| !class.is_empty())
        .map_or(message, |rest| rest.trim_start_matches(':').trim_start());
    Attempt {
        task: TaskId {
            stage: ending.stage,
            stage_attempt: ending.stage_attempt,
            partition: ending.index,
        },
        number: ending.attempt,
        tid: Some(ending.tid),
        executor: Some(ending.executor.clone()),
        host: Some(ending.host.clone()),
        outcome,
        class,
        message: message.into(),
        place: Some(ending.place),
        own_log: None,
        same_cause: None,
        launched: ending.launched,
        ended: ending.ended,
        peak_memory: ending.peak_memory,
        speculative: ending.speculative,
    }
}

fn finished_row(tasks: &StageTasks, task: TaskId, row: usize) -> Attempt {
    let ran_on = tasks.ran_on(row);
    let millis = |millis: u64| i64::try_from(millis).ok().map(Moment::from_millis);
    let launched = tasks.launched.get(row);
    Attempt {
        task,
        number: u32::from(tasks.attempt[row]),
        tid: tasks.tid.get(row).copied(),
        executor: ran_on.map(|(executor, _)| executor.clone()),
        host: ran_on.map(|(_, host)| host.clone()),
        outcome: AttemptOutcome::Succeeded,
        class: Symbol::new(""),
        message: "".into(),
        place: None,
        own_log: None,
        same_cause: None,
        launched: millis(launched),
        ended: millis(launched.saturating_add(tasks.task_ms.get(row))),
        peak_memory: None,
        speculative: false,
    }
}
