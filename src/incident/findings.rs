//! In: the stage attempts of an event log. Out: what is remarkable about them, each in one sentence with its figures.
//!
//! A remark that a healthy run would get is worse than none, so every limit asks for a ratio and for a size that
//! matters: a task of two seconds beside tasks of 50 ms is nobody's trouble.

use super::spread::float;
use super::stage::{Finding, FindingKind, Spread, Stage, StageStatus};
use crate::fact::event_log::{Column, EventLog, StageRun, TaskEnding};
use crate::text::{Bytes, Millis, Place};

/// Spilled to disk, of all data of the stage, and at least so many bytes.
const SPILL_SHARE: f64 = 0.01;
const SPILL_BYTES: f64 = 16.0 * 1024.0 * 1024.0;
/// Garbage collection, of the time of the tasks, in stages with so many milliseconds of it.
const GC_SHARE: f64 = 0.1;
const GC_STAGE_MS: f64 = 60_000.0;
const TINY_TASKS: u64 = 5_000;
const TINY_MS: f64 = 500.0;
const HUGE_PARTITION: u64 = 5 << 30;
/// A task without an end is stuck after so many times the middle one, and so many milliseconds.
const STUCK_RATIO: f64 = 10.0;
const STUCK_MS: f64 = 60_000.0;
/// Rows out for each row in, and how many there must be.
const EXPLOSION_RATIO: f64 = 100.0;
const EXPLOSION_ROWS_IN: f64 = 1_000.0;
const EXPLOSION_ROWS_OUT: f64 = 1_000_000.0;
/// Attempts that are named one by one in evidence.
const EVIDENCE_CAP: usize = 20;

/// Puts to each stage what is remarkable about it.
pub(super) fn find(log: &EventLog, stages: &mut [Stage]) {
    let all_ms: f64 = log.stages.values().map(|run| sum(&run.tasks.task_ms)).sum();
    let before: Vec<_> = stages
        .iter()
        .map(|stage| attempt_before(stages, stage))
        .collect();
    for (stage, before) in stages.iter_mut().zip(before) {
        let Some(run) = log.stages.get(&(stage.id, stage.attempt)) else {
            continue;
        };
        stage
            .findings
            .extend(before.map(|before| stage_retry(stage, &before)));
        let look = Look::new(log, run, all_ms);
        let of_time = look.slow_tasks();
        let others = [
            look.spill(),
            look.gc(),
            look.speculation(),
            look.tiny_tasks(),
            look.huge_partition(),
            look.never_ended(stage),
            look.row_explosion(),
        ];
        stage.findings.extend(of_time);
        stage.findings.extend(others.into_iter().flatten());
    }
}

pub(super) fn finding(kind: FindingKind, text: String) -> Finding {
    Finding {
        kind,
        text,
        ratio: None,
        task: None,
        evidence: Vec::new(),
    }
}

/// The last attempt of a stage before one.
struct AttemptBefore {
    attempt: u32,
    failed: bool,
    failure: Option<Box<str>>,
    place: Option<Place>,
}

fn attempt_before(stages: &[Stage], stage: &Stage) -> Option<AttemptBefore> {
    // Stages stand in order of id and attempt.
    let before =
        stages.partition_point(|other| (other.id, other.attempt) < (stage.id, stage.attempt));
    let before = stages.get(before.checked_sub(1)?)?;
    (before.id == stage.id).then(|| AttemptBefore {
        attempt: before.attempt,
        failed: before.status == StageStatus::Failed,
        failure: before.failure.clone(),
        place: before.place,
    })
}

fn stage_retry(stage: &Stage, before: &AttemptBefore) -> Finding {
    let again = stage.tasks.total.map_or_else(String::new, |n| {
        format!(" for {n} {}", if n == 1 { "task" } else { "tasks" })
    });
    let why = before.failure.as_deref().unwrap_or("");
    let why = why.split(['\n', '(', ':']).next().unwrap_or("").trim();
    let why = why.rsplit('.').next().unwrap_or(why);
    let because = match why {
        _ if !before.failed => format!("output of its attempt {} was lost", before.attempt),
        "" => format!("its attempt {} failed", before.attempt),
        why => format!("its attempt {} failed ({why})", before.attempt),
    };
    Finding {
        evidence: before.place.into_iter().chain(stage.place).collect(),
        ..finding(
            FindingKind::StageRetry,
            format!("stage {} ran again{again}, because {because}", stage.id),
        )
    }
}

/// One stage attempt, looked at through the tasks that finished: those that failed say nothing of how long one takes.
pub(super) struct Look<'l> {
    log: &'l EventLog,
    pub(super) run: &'l StageRun,
    pub(super) rows: Vec<usize>,
    pub(super) task_ms: Spread,
    /// Of the task time of the whole run.
    pub(super) share: f64,
}

impl<'l> Look<'l> {
    fn new(log: &'l EventLog, run: &'l StageRun, all_ms: f64) -> Self {
        let tasks = &run.tasks;
        let rows: Vec<_> = (0..tasks.index.len())
            .filter(|row| tasks.ok[*row])
            .collect();
        let task_ms = Spread::of(rows.iter().map(|row| tasks.task_ms.get(*row)));
        Self {
            log,
            run,
            rows,
            task_ms,
            share: sum(&tasks.task_ms) / all_ms.max(1.0),
        }
    }

    /// The spread of a column over the tasks that finished.
    pub(super) fn spread(&self, column: &Column) -> Spread {
        Spread::of(self.rows.iter().map(|row| column.get(*row)))
    }

    /// The row with the largest number of those that finished.
    pub(super) fn largest(&self, column: &Column) -> Option<usize> {
        // The first of equals, whatever the order of comparing.
        let rows = self.rows.iter().copied();
        rows.rev().max_by_key(|row| column.get(*row))
    }

    /// The line that tells of a row, where it is the column's largest.
    pub(super) fn evidence(column: &Column, row: usize) -> Vec<Place> {
        let largest = column.largest().filter(|(largest, _)| *largest == row);
        largest.map(|(_, place)| place).into_iter().collect()
    }

    fn spill(&self) -> Option<Finding> {
        let tasks = &self.run.tasks;
        let to_disk = sum(&tasks.spill_disk);
        let data = (sum(&tasks.shuffle_read) + sum(&tasks.input))
            .max(sum(&tasks.shuffle_write) + sum(&tasks.output));
        if to_disk < SPILL_BYTES || to_disk < data * SPILL_SHARE {
            return None;
        }
        let spilled = tasks.spill_disk.iter().filter(|bytes| *bytes > 0).count();
        let (row, place) = tasks.spill_disk.largest()?;
        Some(Finding {
            ratio: (data > 0.0).then(|| to_disk / data),
            task: Some(tasks.index[row]),
            evidence: vec![place],
            ..finding(
                FindingKind::Spill,
                format!(
                    "{spilled} of {} tasks spilled {} to disk ({} in memory), task {} most of all with {}",
                    tasks.index.len(),
                    Bytes(to_disk),
                    Bytes(sum(&tasks.spill_memory)),
                    tasks.index[row],
                    Bytes(float(tasks.spill_disk.get(row))),
                ),
            )
        })
    }

    fn gc(&self) -> Option<Finding> {
        let tasks = &self.run.tasks;
        let (gc, run) = (sum(&tasks.gc_ms), sum(&tasks.run_ms));
        let share = gc / run.max(1.0);
        if run < GC_STAGE_MS || share < GC_SHARE {
            return None;
        }
        let (row, place) = tasks.gc_ms.largest()?;
        Some(Finding {
            ratio: Some(share),
            task: Some(tasks.index[row]),
            evidence: vec![place],
            ..finding(
                FindingKind::Gc,
                format!(
                    "garbage collection took {:.0} % of the tasks' time, {} of {}",
                    share * 100.0,
                    Millis(gc),
                    Millis(run),
                ),
            )
        })
    }

    fn speculation(&self) -> Option<Finding> {
        let tasks = &self.run.tasks;
        let started = tasks.speculative.max(self.run.speculated);
        // One in a hundred is what speculation is for.
        if started == 0 || started.saturating_mul(100) < self.run.total.unwrap_or(0) {
            return None;
        }
        Some(finding(
            FindingKind::Speculation,
            format!(
                "{started} {} started beside slow ones; {} killed",
                if started == 1 {
                    "attempt was"
                } else {
                    "attempts were"
                },
                tasks.killed,
            ),
        ))
    }

    fn tiny_tasks(&self) -> Option<Finding> {
        let tasks = self.task_ms.n;
        (tasks > TINY_TASKS && self.task_ms.median < TINY_MS).then(|| {
            finding(
                FindingKind::TinyTasks,
                format!(
                    "{tasks} tasks took {} in the middle: starting them costs more than they do",
                    Millis(self.task_ms.median)
                ),
            )
        })
    }

    fn huge_partition(&self) -> Option<Finding> {
        let tasks = &self.run.tasks;
        let sides = [
            (&tasks.input, "read"),
            (&tasks.shuffle_read, "read"),
            (&tasks.shuffle_write, "wrote"),
            (&tasks.output, "wrote"),
        ];
        let largest = sides.into_iter().filter_map(|(column, verb)| {
            let (row, place) = column.largest()?;
            Some((column.get(row), row, place, verb))
        });
        let (bytes, row, place, verb) = largest.max_by_key(|side| side.0)?;
        (bytes > HUGE_PARTITION).then(|| Finding {
            task: Some(tasks.index[row]),
            evidence: vec![place],
            ..finding(
                FindingKind::HugePartition,
                format!(
                    "task {} {verb} {} alone",
                    tasks.index[row],
                    Bytes(float(bytes))
                ),
            )
        })
    }

    fn never_ended(&self, stage: &Stage) -> Option<Finding> {
        let last = self.log.last?;
        let runs_for = |task: &TaskEnding| {
            let launched = task.launched?;
            u64::try_from(last.since(launched) / 1_000).ok().map(float)
        };
        let limit = (self.task_ms.median * STUCK_RATIO).max(STUCK_MS);
        let stuck: Vec<_> = self
            .log
            .never_ended
            .iter()
            .filter(|task| (task.stage, task.stage_attempt) == (stage.id, stage.attempt))
            .filter_map(|task| Some((task, runs_for(task).filter(|ms| *ms >= limit)?)))
            .collect();
        let (task, ms) = stuck.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let also = match stuck.len() {
            1 => String::new(),
            n => format!("; {} more are like it", n - 1),
        };
        Some(Finding {
            ratio: (self.task_ms.median > 0.0).then(|| ms / self.task_ms.median),
            task: Some(task.index),
            evidence: stuck
                .iter()
                .take(EVIDENCE_CAP)
                .map(|(task, _)| task.place)
                .collect(),
            ..finding(
                FindingKind::NeverEnded,
                format!(
                    "task {} (TID {}) on executor {} ({}) had not ended {} after its start, when the log ends{also}",
                    task.index,
                    task.tid,
                    task.executor,
                    task.host,
                    Millis(*ms),
                ),
            )
        })
    }

    fn row_explosion(&self) -> Option<Finding> {
        let tasks = &self.run.tasks;
        let (rows_in, rows_out) = (sum(&tasks.records_in), sum(&tasks.records_out));
        let ratio = rows_out / rows_in.max(1.0);
        let remarkable =
            rows_in > EXPLOSION_ROWS_IN && rows_out > EXPLOSION_ROWS_OUT && ratio > EXPLOSION_RATIO;
        remarkable.then(|| Finding {
            ratio: Some(ratio),
            ..finding(
                FindingKind::RowExplosion,
                format!(
                    "{rows_in:.0} rows came in and {rows_out:.0} went out, {} for each",
                    times(ratio)
                ),
            )
        })
    }
}

/// A ratio: one digit after the point below ten.
pub(super) fn times(ratio: f64) -> String {
    if ratio < 9.95 {
        format!("{ratio:.1}")
    } else {
        format!("{ratio:.0}")
    }
}

fn sum(column: &Column) -> f64 {
    column.iter().map(float).sum()
}
