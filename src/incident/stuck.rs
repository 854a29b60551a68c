//! In: a stage attempt without an end. Out: what it waits for, as far as the event log tells.

use super::event_log::in_driver;
use super::findings::finding;
use super::spread::float;
use super::stage::{Finding, FindingKind, Stage, lost_for};
use crate::fact::event_log::{EventLog, ExecutorRun, StageRun, TaskEnding};
use crate::text::{Millis, Moment, Place};

/// A task without an end is stuck after so many times the middle one, and so many milliseconds.
const STUCK_RATIO: f64 = 10.0;
/// Nobody waits this long for nothing, in milliseconds.
const STUCK_MS: f64 = 60_000.0;
/// Attempts that are named one by one in evidence.
const EVIDENCE_CAP: usize = 20;

/// What a stage attempt waits for; `median` is how long its tasks take that finished.
pub(super) fn of(log: &EventLog, run: &StageRun, stage: &Stage, median: f64) -> Option<Finding> {
    let open: Vec<_> = log
        .never_ended
        .iter()
        .filter(|task| (task.stage, task.stage_attempt) == (stage.id, stage.attempt))
        .collect();
    never_ended(log, &open, median)
        .or_else(|| nothing_granted(log, run, stage, &open))
        .or_else(|| broadcast_wait(log, run, stage))
}

fn never_ended(log: &EventLog, open: &[&TaskEnding], median: f64) -> Option<Finding> {
    let last = log.last?;
    let limit = (median * STUCK_RATIO).max(STUCK_MS);
    let stuck: Vec<_> = open
        .iter()
        .filter_map(|task| {
            Some((
                task,
                millis(task.launched?, last).filter(|ms| *ms >= limit)?,
            ))
        })
        .collect();
    let (task, ms) = stuck.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let also = match stuck.len() {
        1 => String::new(),
        n => format!("; {} more are like it", n - 1),
    };
    let lost = log
        .executors
        .iter()
        .find(|executor| executor.id == task.executor && went_away(executor));
    let lost = lost.map_or("", |_| "; that executor was lost");
    Some(Finding {
        ratio: (median > 0.0).then(|| ms / median),
        task: Some(task.index),
        evidence: stuck
            .iter()
            .take(EVIDENCE_CAP)
            .map(|(task, _)| task.place)
            .collect(),
        ..finding(
            FindingKind::NeverEnded,
            format!(
                "task {} (TID {}) on executor {} ({}) had not ended {} after its start, when the log ends{lost}{also}",
                task.index,
                task.tid,
                task.executor,
                task.host,
                Millis(*ms),
            ),
        )
    })
}

/// A stage of which no task was ever started, because no executor was there to run it.
fn nothing_granted(
    log: &EventLog,
    run: &StageRun,
    stage: &Stage,
    open: &[&TaskEnding],
) -> Option<Finding> {
    let submitted = run.submitted?;
    let tasks = &run.tasks;
    let started = !open.is_empty() || tasks.succeeded + tasks.failed + tasks.killed > 0;
    let well = run.completed.is_some() && run.failure.is_none();
    if started || well || in_driver(log) {
        return None;
    }
    let until = run.completed.or(log.last)?;
    let there = |executor: &&ExecutorRun| {
        &*executor.id != "driver"
            && executor.added.is_none_or(|added| added <= until)
            && executor.removed.is_none_or(|removed| removed > submitted)
    };
    if log.executors.iter().any(|executor| there(&executor)) {
        return None;
    }
    let ms = millis(submitted, until).filter(|ms| *ms >= STUCK_MS)?;
    let before = match log.executors.len() {
        0 => "no executor was granted".to_owned(),
        1 => "the only executor had gone".to_owned(),
        n => format!("all {n} executors had gone"),
    };
    let tasks = run.total.map_or_else(
        || "no task".to_owned(),
        |n| format!("none of its {n} tasks"),
    );
    Some(Finding {
        evidence: stage.place.into_iter().collect(),
        ..finding(
            FindingKind::NothingGranted,
            format!("{tasks} was started in {}: {before}", Millis(ms)),
        )
    })
}

/// A stage that makes the data of a broadcast and has no end: an executor was lost, and nothing went well after that.
fn broadcast_wait(log: &EventLog, run: &StageRun, stage: &Stage) -> Option<Finding> {
    let submitted = run.submitted.filter(|_| run.completed.is_none())?;
    let mut jobs = run.jobs.iter().filter_map(|job| log.jobs.get(job));
    let job = jobs.find(|job| job.is_broadcast() && job.completed.is_none())?;
    let lost = log.executors.iter().rev().find(|executor| {
        went_away(executor) && executor.removed.is_some_and(|removed| removed >= submitted)
    })?;
    let removed = lost.removed?;
    let tasks = &run.tasks;
    let well_since = (0..tasks.index.len()).any(|row| {
        let ended = tasks
            .launched
            .get(row)
            .saturating_add(tasks.task_ms.get(row));
        let ended = i64::try_from(ended).ok().map(Moment::from_millis);
        tasks.ok[row] && ended.is_some_and(|ended| ended > removed)
    });
    let waited = millis(removed, log.last?)?;
    let others = log
        .executors
        .iter()
        .any(|executor| executor.removed.is_none() && &*executor.id != "driver");
    if well_since || others && waited < STUCK_MS {
        return None;
    }
    let waits = job
        .sql
        .map_or_else(|| "the query".to_owned(), |sql| format!("execution {sql}"));
    let evidence: Vec<Place> = std::iter::once(lost.place).chain(stage.place).collect();
    Some(Finding {
        evidence,
        ..finding(
            FindingKind::BroadcastWait,
            format!(
                "{waits} waits for the broadcast that stage {} makes; executor {} was lost and no task of it went well since",
                stage.id, lost.id
            ),
        )
    })
}

fn went_away(executor: &ExecutorRun) -> bool {
    let reason = executor.reason.as_deref().unwrap_or("");
    executor.removed.is_some() && lost_for(reason, executor.exit_code)
}

fn millis(from: Moment, to: Moment) -> Option<f64> {
    u64::try_from(to.since(from) / 1_000).ok().map(float)
}
