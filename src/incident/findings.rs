//! In: the stage attempts of an event log. Out: what is remarkable about them, each in one sentence with its figures.
//!
//! A remark that a healthy run would get is worse than none, so every limit asks for a ratio and for a size that
//! matters: a task of two seconds beside tasks of 50 ms is nobody's trouble.

use super::spread::float;
use super::stage::{Finding, FindingKind, Spread, Stage, StageStatus};
use crate::fact::event_log::{Column, EventLog, StageRun, TaskEnding};
use crate::text::{Bytes, Millis, Place, Symbol};
use std::collections::BTreeMap;

/// A task this much slower than the middle one stands out.
const SLOW_RATIO: f64 = 5.0;
/// And takes at least this long, in milliseconds.
const SLOW_MS: f64 = 5_000.0;
/// A task with so many more rows that nobody could call it chance counts from here on.
const SLOW_WITH_MANY_ROWS_MS: f64 = 1_000.0;
/// Among fewer tasks there is no ordinary one to compare with.
const FEWEST_TASKS: usize = 10;
/// Of the task time of the whole run; a stage of less is not worth looking at.
const LEAST_SHARE: f64 = 0.2;
/// A task with this many times the data of the middle one has more data; below [`SAME_DATA`] it has not.
const MORE_DATA: f64 = 5.0;
const SAME_DATA: f64 = 2.0;
/// By how many rows the largest task has, from how many times the middle one on it is skewed.
const ROWS_RATIOS: &[(u64, f64)] = &[
    (50_000_000, 2.0),
    (40_000_000, 2.25),
    (30_000_000, 3.0),
    (20_000_000, 3.5),
    (5_000_000, 5.0),
    (1_000_000, 10.0),
    (100_000, 50.0),
    (50_000, 100.0),
];
/// Spilled to disk, of all data of the stage, and at least so many bytes.
const SPILL_SHARE: f64 = 0.01;
const SPILL_BYTES: f64 = 16.0 * 1024.0 * 1024.0;
/// Garbage collection, of the time of the tasks, in stages with so many milliseconds of it.
const GC_SHARE: f64 = 0.1;
const GC_STAGE_MS: f64 = 60_000.0;
/// A host whose middle task is this much slower than that of the others, over so many tasks of each.
const SLOW_HOST_RATIO: f64 = 3.0;
const SLOW_HOST_MS: f64 = 2_000.0;
const SLOW_HOST_TASKS: usize = 5;
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
        let of_time = look
            .skew()
            .or_else(|| look.slow_host())
            .or_else(|| look.stragglers());
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

fn finding(kind: FindingKind, text: String) -> Finding {
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
struct Look<'l> {
    log: &'l EventLog,
    run: &'l StageRun,
    rows: Vec<usize>,
    task_ms: Spread,
    /// Of the task time of the whole run.
    share: f64,
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
    fn spread(&self, column: &Column) -> Spread {
        Spread::of(self.rows.iter().map(|row| column.get(*row)))
    }

    /// The row with the largest number of those that finished.
    fn largest(&self, column: &Column) -> Option<usize> {
        // The first of equals, whatever the order of comparing.
        let rows = self.rows.iter().copied();
        rows.rev().max_by_key(|row| column.get(*row))
    }

    /// The line that tells of a row, where it is the column's largest.
    fn evidence(column: &Column, row: usize) -> Vec<Place> {
        let largest = column.largest().filter(|(largest, _)| *largest == row);
        largest.map(|(_, place)| place).into_iter().collect()
    }

    /// The slowest task and how much slower it is, where that stands out.
    fn slowest(&self) -> Option<(usize, f64)> {
        let row = self.largest(&self.run.tasks.task_ms)?;
        let ratio = self.task_ms.ratio().filter(|ratio| *ratio > SLOW_RATIO)?;
        (self.rows.len() >= FEWEST_TASKS && self.share >= LEAST_SHARE).then_some((row, ratio))
    }

    /// How many times the middle task's data a row has, the column that says so, and its spread.
    fn data_ratio(&self, row: usize) -> Option<(f64, &Column, Spread)> {
        let tasks = &self.run.tasks;
        let sides = [&tasks.shuffle_read, &tasks.input].into_iter();
        let sides = sides.filter(|column| !column.is_zero()).map(|column| {
            let spread = self.spread(column);
            // Where most tasks read nothing, the mean stands for the middle.
            let middle = if spread.median > 0.0 {
                spread.median
            } else {
                spread.sum / float(spread.n.max(1))
            };
            (float(column.get(row)) / middle.max(1.0), column, spread)
        });
        sides.max_by(|a, b| a.0.total_cmp(&b.0))
    }

    fn skew(&self) -> Option<Finding> {
        let tasks = &self.run.tasks;
        let (row, slower) = self.slowest()?;
        let (ratio, column, spread) = self.data_ratio(row)?;
        if ratio <= MORE_DATA {
            return None;
        }
        let records = tasks.records_in.get(row);
        let more_records = float(records) / self.spread(&tasks.records_in).median.max(1.0);
        let many_rows = ROWS_RATIOS
            .iter()
            .find(|(rows, _)| records >= *rows)
            .is_some_and(|(_, limit)| more_records >= *limit);
        let least = if many_rows {
            SLOW_WITH_MANY_ROWS_MS
        } else {
            SLOW_MS
        };
        if self.task_ms.max < least {
            return None;
        }
        let index = tasks.index[row];
        let (read, took) = (float(column.get(row)), self.task_ms.max);
        Some(Finding {
            ratio: Some(ratio),
            task: Some(index),
            evidence: Self::evidence(column, row),
            ..finding(
                FindingKind::Skew,
                format!(
                    "task {index} read {}, {} × the {} of {}, and took {}, {} × the median of {}",
                    Bytes(read),
                    times(ratio),
                    if spread.median > 0.0 {
                        "median"
                    } else {
                        "mean"
                    },
                    Bytes(read / ratio),
                    Millis(took),
                    times(slower),
                    Millis(self.task_ms.median),
                ),
            )
        })
    }

    fn stragglers(&self) -> Option<Finding> {
        let tasks = &self.run.tasks;
        let (row, ratio) = self.slowest()?;
        let has_more_data = self
            .data_ratio(row)
            .is_some_and(|(ratio, ..)| ratio > SAME_DATA);
        if self.task_ms.max < SLOW_MS || has_more_data {
            return None;
        }
        let limit = self.task_ms.median * SLOW_RATIO;
        let slow = self.rows.iter().filter(|row| {
            let ms = float(tasks.task_ms.get(**row));
            ms > limit && ms >= SLOW_MS
        });
        let index = tasks.index[row];
        let on = tasks
            .ran_on(row)
            .map_or_else(String::new, |(executor, host)| {
                format!(" on executor {executor} ({host})")
            });
        let slow = slow.count();
        Some(Finding {
            ratio: Some(ratio),
            task: Some(index),
            evidence: Self::evidence(&tasks.task_ms, row),
            ..finding(
                FindingKind::Stragglers,
                format!(
                    "{slow} of {} tasks took more than {SLOW_RATIO} × the median of {} without more data; the slowest, task {index}{on}, took {}",
                    self.rows.len(),
                    Millis(self.task_ms.median),
                    Millis(self.task_ms.max),
                ),
            )
        })
    }

    fn slow_host(&self) -> Option<Finding> {
        let tasks = &self.run.tasks;
        if self.share < LEAST_SHARE {
            return None;
        }
        let mut hosts: BTreeMap<&Symbol, Vec<usize>> = BTreeMap::new();
        for row in &self.rows {
            if let Some((_, host)) = tasks.ran_on(*row) {
                hosts.entry(host).or_default().push(*row);
            }
        }
        let middle = |rows: &[usize], column: &Column| {
            Spread::of(rows.iter().map(|row| column.get(*row))).median
        };
        let slowest = hosts
            .iter()
            .max_by(|a, b| middle(a.1, &tasks.task_ms).total_cmp(&middle(b.1, &tasks.task_ms)));
        let (host, on_host) = slowest?;
        let others = hosts.iter().filter(|(other, _)| other != &host);
        let elsewhere: Vec<_> = others.flat_map(|(_, rows)| rows).copied().collect();
        if on_host.len() < SLOW_HOST_TASKS || elsewhere.len() < SLOW_HOST_TASKS {
            return None;
        }
        let (here, there) = (
            middle(on_host, &tasks.task_ms),
            middle(&elsewhere, &tasks.task_ms),
        );
        let more_data = [&tasks.shuffle_read, &tasks.input].iter().any(|column| {
            middle(on_host, column) > middle(&elsewhere, column).max(1.0) * SAME_DATA
        });
        if here < SLOW_HOST_MS || here < there * SLOW_HOST_RATIO || more_data {
            return None;
        }
        let ratio = here / there.max(1.0);
        Some(Finding {
            ratio: Some(ratio),
            ..finding(
                FindingKind::SlowHost,
                format!(
                    "{} tasks on {host} took {} in the middle, {} × the {} on other hosts, without more data",
                    on_host.len(),
                    Millis(here),
                    times(ratio),
                    Millis(there),
                ),
            )
        })
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
fn times(ratio: f64) -> String {
    if ratio < 9.95 {
        format!("{ratio:.1}")
    } else {
        format!("{ratio:.0}")
    }
}

fn sum(column: &Column) -> f64 {
    column.iter().map(float).sum()
}
