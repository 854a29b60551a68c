//! In: the stage attempts of an event log. Out: what is remarkable about them, each in one sentence with its figures.
//!
//! A remark that a healthy run would get is worse than none, so every limit asks for a ratio and for a size that
//! matters: a task of two seconds beside tasks of 50 ms is nobody's trouble.

use super::spread::{float, sum};
use super::stage::{Finding, FindingKind, Severity, Spread, Stage, StageStatus};
use super::{sql_findings, stuck};
use crate::fact::event_log::{Column, EventLog, StageRun};
use crate::text::{Bytes, Millis, Place, Symbol, counted};
use std::collections::HashMap;

/// Spilled to disk, of all data of the stage, and at least so many bytes.
const SPILL_SHARE: f64 = 0.01;
const SPILL_BYTES: f64 = 1024.0 * 1024.0;
/// Garbage collection, of the time of the tasks, from which on it is told, is severe and is critical; and how many
/// milliseconds it must cost: a tenth of a minute.
const GC_SHARES: [f64; 3] = [0.1, 0.2, 0.4];
const GC_MS: f64 = 6_000.0;
/// Attempts that failed, of all that ended, in stages of so many tasks.
const FAILED_SHARES: [f64; 3] = [0.1, 0.3, 0.5];
const FAILED_TASKS: u64 = 10;
const TINY_TASKS: u64 = 5_000;
const TINY_MS: f64 = 500.0;
const HUGE_PARTITION: u64 = 5 << 30;
/// Rows out for each row in, and how many there must be.
const EXPLOSION_RATIO: f64 = 100.0;
const EXPLOSION_ROWS_IN: f64 = 1_000.0;
const EXPLOSION_ROWS_OUT: f64 = 1_000_000.0;
/// No executor needs as long as this to start up, in milliseconds.
const START_UP_MS: f64 = 60_000.0;

/// Puts to each stage what is remarkable about it.
pub(super) fn find(log: &EventLog, stages: &mut [Stage]) {
    let all_ms: f64 = log.stages.values().map(|run| sum(&run.tasks.task_ms)).sum();
    let first_ends = first_ends(log);
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
        let look = Look::new(run, all_ms, &first_ends);
        let of_time = look.slow_tasks();
        let others = [
            look.spill(),
            look.gc(),
            look.speculation(),
            look.tiny_tasks(),
            look.huge_partition(),
            look.failures(stage),
            look.row_explosion(),
        ];
        stage.findings.extend(of_time);
        stage.findings.extend(others.into_iter().flatten());
        stage
            .findings
            .extend(stuck::of(log, run, stage, look.task_ms.median));
    }
    sql_findings::find(log, stages);
}

/// When the first task of each executor ended, in milliseconds since 1970.
fn first_ends(log: &EventLog) -> HashMap<&Symbol, u64> {
    let mut ends: HashMap<&Symbol, u64> = HashMap::new();
    for tasks in log.stages.values().map(|run| &run.tasks) {
        let mut of_stage = vec![u64::MAX; tasks.executors.len()];
        for (row, executor) in tasks.executor.iter().enumerate() {
            let end = tasks
                .launched
                .get(row)
                .saturating_add(tasks.task_ms.get(row));
            if let Some(first) = of_stage.get_mut(usize::from(*executor)) {
                *first = end.min(*first);
            }
        }
        for ((executor, _), end) in tasks.executors.iter().zip(of_stage) {
            let first = ends.entry(executor).or_insert(end);
            *first = end.min(*first);
        }
    }
    ends
}

pub(super) fn finding(kind: FindingKind, text: String) -> Finding {
    Finding {
        kind,
        severity: Severity::default(),
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
    let again = stage
        .tasks
        .total
        .map_or_else(String::new, |n| format!(" for {}", counted(n, "task")));
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
    pub(super) run: &'l StageRun,
    pub(super) rows: Vec<usize>,
    pub(super) task_ms: Spread,
    /// Of the task time of the whole run.
    pub(super) share: f64,
    first_ends: &'l HashMap<&'l Symbol, u64>,
}

impl<'l> Look<'l> {
    fn new(run: &'l StageRun, all_ms: f64, first_ends: &'l HashMap<&'l Symbol, u64>) -> Self {
        let tasks = &run.tasks;
        let rows: Vec<_> = (0..tasks.index.len())
            .filter(|row| tasks.ok[*row])
            .collect();
        let task_ms = Spread::of(rows.iter().map(|row| tasks.task_ms.get(*row)));
        Self {
            run,
            rows,
            task_ms,
            share: sum(&tasks.task_ms) / all_ms.max(1.0),
            first_ends,
        }
    }

    /// Whether a row's task was slow because its executor was new: it started before any had ended there, and loads classes
    /// and starts Python for those that follow.
    pub(super) fn starts_up(&self, row: usize) -> bool {
        let tasks = &self.run.tasks;
        let first = tasks
            .ran_on(row)
            .and_then(|(executor, _)| self.first_ends.get(executor));
        float(tasks.task_ms.get(row)) < START_UP_MS
            && first.is_some_and(|first| tasks.launched.get(row) < *first)
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
        let [limit, severe, critical] = GC_SHARES;
        if gc < GC_MS || share < limit {
            return None;
        }
        let (row, place) = tasks.gc_ms.largest()?;
        Some(Finding {
            severity: Severity::of(share, severe, critical),
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

    /// What is told of a stage that went on: one that failed says why itself.
    fn failures(&self, stage: &Stage) -> Option<Finding> {
        let tasks = &self.run.tasks;
        let ended = tasks.succeeded + tasks.failed;
        let share = float(tasks.failed) / float(ended.max(1));
        let [limit, severe, critical] = FAILED_SHARES;
        let went_on = stage.status != StageStatus::Failed;
        let many = self.run.total.unwrap_or(0) >= FAILED_TASKS && share >= limit;
        (went_on && many).then(|| Finding {
            severity: Severity::of(share, severe, critical),
            ratio: Some(share),
            ..finding(
                FindingKind::Failures,
                format!(
                    "{} of {ended} attempts failed, {:.0} %, before their tasks went well",
                    tasks.failed,
                    share * 100.0
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
