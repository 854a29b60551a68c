//! In: the tasks of a stage attempt. Out: why some are far slower than the rest: more data, a slow host, or neither.

use super::findings::{Look, finding, times};
use super::spread::float;
use super::stage::{Finding, FindingKind, Severity, Spread};
use crate::fact::event_log::Column;
use crate::text::{Bytes, Millis, Symbol};
use std::collections::BTreeMap;

/// A task this much slower than the middle one stands out.
const SLOW_RATIO: f64 = 5.0;
/// So does one this much slower that has so many times the data: on a busy machine the others are slow, too.
const SLOW_RATIO_WITH_DATA: f64 = 3.0;
const FAR_MORE_DATA: f64 = 10.0;
/// And takes at least this long, in milliseconds.
const SLOW_MS: f64 = 5_000.0;
/// A task with so many more rows that nobody could call it chance counts from here on.
const SLOW_WITH_MANY_ROWS_MS: f64 = 500.0;
/// From here on it is severe.
const SEVERE_RATIO: f64 = 10.0;
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
/// A host whose middle task is this much slower than that of the others, over so many tasks of each.
const SLOW_HOST_RATIO: f64 = 3.0;
/// Less will do where its fastest task is slower than three quarters of the others: that is no chance.
const SLOW_HOST_RATIO_APART: f64 = 2.0;
const SLOW_HOST_MS: f64 = 2_000.0;
const SLOW_HOST_TASKS: usize = 5;

impl Look<'_> {
    /// What is remarkable about the time of its tasks; the first that holds explains it.
    pub(super) fn slow_tasks(&self) -> Option<Finding> {
        self.skew()
            .or_else(|| self.slow_host())
            .or_else(|| self.stragglers())
    }

    /// The slowest task and how much slower it is, where that is more than so many times the middle one.
    fn slowest(&self, limit: f64) -> Option<(usize, f64)> {
        let row = self.largest(&self.run.tasks.task_ms)?;
        let ratio = self.task_ms.ratio().filter(|ratio| *ratio > limit)?;
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
        let (row, slower) = self.slowest(SLOW_RATIO_WITH_DATA)?;
        let (ratio, column, spread) = self.data_ratio(row)?;
        if ratio
            <= if slower > SLOW_RATIO {
                MORE_DATA
            } else {
                FAR_MORE_DATA
            }
        {
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
            severity: Severity::of(slower, SEVERE_RATIO, f64::INFINITY),
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
        self.slowest(SLOW_RATIO)?;
        let limit = self.task_ms.median * SLOW_RATIO;
        let slow = self.rows.iter().copied().filter(|row| {
            let ms = float(tasks.task_ms.get(*row));
            ms > limit && ms >= SLOW_MS && !self.starts_up(*row)
        });
        let row = slow
            .clone()
            .rev()
            .max_by_key(|row| tasks.task_ms.get(*row))?;
        let has_more_data = self
            .data_ratio(row)
            .is_some_and(|(ratio, ..)| ratio > SAME_DATA);
        if has_more_data {
            return None;
        }
        let took = float(tasks.task_ms.get(row));
        let ratio = took / self.task_ms.median;
        let index = tasks.index[row];
        let on = tasks
            .ran_on(row)
            .map_or_else(String::new, |(executor, host)| {
                format!(" on executor {executor} ({host})")
            });
        let slow = slow.count();
        Some(Finding {
            severity: Severity::of(ratio, SEVERE_RATIO, f64::INFINITY),
            ratio: Some(ratio),
            task: Some(index),
            evidence: Self::evidence(&tasks.task_ms, row),
            ..finding(
                FindingKind::Stragglers,
                format!(
                    "{slow} of {} tasks took more than {SLOW_RATIO} × the median of {} without more data; the slowest, task {index}{on}, took {}",
                    self.rows.len(),
                    Millis(self.task_ms.median),
                    Millis(took),
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
        let of = |rows: &[usize]| Spread::of(rows.iter().map(|row| tasks.task_ms.get(*row)));
        let limit = if of(on_host).min > of(&elsewhere).p75 {
            SLOW_HOST_RATIO_APART
        } else {
            SLOW_HOST_RATIO
        };
        if here < SLOW_HOST_MS || here < there * limit || more_data {
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
}
