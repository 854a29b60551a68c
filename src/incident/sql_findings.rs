//! In: what the plans of SQL executions counted. Out: remarks on the stages that do the work: broadcasts that are too
//! large, joins that need not sort, and very many small files.

use super::event_log::in_driver;
use super::findings::{finding, times};
use super::spread::{float, sum};
use super::stage::{Finding, FindingKind, Severity, Stage};
use crate::fact::event_log::{EventLog, Measure, SqlExecution};
use crate::text::{Bytes, mebibytes};

const MIB: f64 = 1024.0 * 1024.0;
const GIB: f64 = 1024.0 * MIB;
/// A broadcast is large from so many bytes on, or so much of an executor's heap.
const BROADCAST_BYTES: f64 = GIB;
const BROADCAST_SHARE: f64 = 0.4;
/// Files smaller than this in the mean, and more than so many of them.
const SMALL_FILE: f64 = 3.0 * MIB;
const MANY_FILES: u64 = 100;
/// Up to which size a side of a join is small beside which size of the other.
const JOIN_LADDER: &[(f64, f64)] = &[
    (10.0 * MIB, GIB),
    (100.0 * MIB, 10.0 * GIB),
    (GIB, 300.0 * GIB),
    (5.0 * GIB, 1024.0 * GIB),
];
/// Files and joins of stages of less task time, in milliseconds, are nobody's trouble.
const STAGE_MS: f64 = 60_000.0;

/// Puts what is remarkable about an execution to its stage that takes most of the time.
pub(super) fn find(log: &EventLog, stages: &mut [Stage]) {
    for (id, sql) in log.sql.iter().filter(|(_, sql)| !sql.measures.is_empty()) {
        let time = |stage: &Stage| {
            let run = log.stages.get(&(stage.id, stage.attempt));
            run.map_or(0.0, |run| sum(&run.tasks.task_ms))
        };
        let of_execution = stages.iter_mut().filter(|stage| stage.sql == Some(*id));
        let Some(stage) = of_execution.max_by(|a, b| time(a).total_cmp(&time(b))) else {
            continue;
        };
        let long = time(stage) >= STAGE_MS;
        let found = [
            broadcast(log, sql),
            small_side(log, sql).filter(|_| long),
            small_files(log, sql).filter(|_| long),
        ];
        stage
            .findings
            .extend(found.into_iter().flatten().map(|found| Finding {
                evidence: sql.place.into_iter().collect(),
                text: format!("execution {id} {}", found.text),
                ..found
            }));
    }
}

fn broadcast(log: &EventLog, sql: &SqlExecution) -> Option<Finding> {
    let sizes = sql.measures.iter().filter_map(|measure| match measure {
        Measure::Broadcast(bytes) => log.counters.get(bytes),
        _ => None,
    });
    let bytes = float(*sizes.max()?);
    let heap = heap(log);
    let share = heap.map_or(0.0, |heap| bytes / heap);
    if bytes <= BROADCAST_BYTES && share <= BROADCAST_SHARE {
        return None;
    }
    let of_heap = heap.map_or_else(String::new, |heap| {
        format!(", {:.0} % of a heap of {}", share * 100.0, Bytes(heap))
    });
    Some(Finding {
        severity: Severity::of(share, 2.0 * BROADCAST_SHARE, 1.0),
        ratio: heap.map(|_| share),
        ..finding(
            FindingKind::BroadcastSize,
            format!("sends {} to every executor{of_heap}", Bytes(bytes)),
        )
    })
}

/// The heap that has to hold a broadcast, in bytes; `None` where a setting cannot be read.
fn heap(log: &EventLog) -> Option<f64> {
    let key = if in_driver(log) {
        "spark.driver.memory"
    } else {
        "spark.executor.memory"
    };
    let size = log.settings.get(key).map_or("1g", String::as_str);
    mebibytes(size, 1.0).map(|size| size * MIB)
}

fn small_side(log: &EventLog, sql: &SqlExecution) -> Option<Finding> {
    let sides = sql.measures.iter().filter_map(|measure| match measure {
        Measure::MergeJoin(left, right) => {
            let size = |id| log.counters.get(id).map(|bytes| float(*bytes));
            let (left, right) = (size(left)?, size(right)?);
            Some((left.min(right), left.max(right)))
        }
        _ => None,
    });
    let fits = |(small, large): &(f64, f64)| {
        *small > 0.0
            && JOIN_LADDER
                .iter()
                .any(|(small_below, large_above)| small < small_below && large > large_above)
    };
    let (small, large) = sides.filter(fits).max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(Finding {
        ratio: Some(large / small),
        ..finding(
            FindingKind::SmallSide,
            format!(
                "sorts and shuffles {} to join them with {}, {} times less, which could be sent to every executor",
                Bytes(large),
                Bytes(small),
                times(large / small),
            ),
        )
    })
}

fn small_files(log: &EventLog, sql: &SqlExecution) -> Option<Finding> {
    let counted = sql.measures.iter().filter_map(|measure| {
        let (verb, files, bytes) = match measure {
            Measure::Read(files, bytes) => ("reads", files, bytes),
            Measure::Written(files, bytes) => ("writes", files, bytes),
            _ => return None,
        };
        let (files, bytes) = (*log.counters.get(files)?, *log.counters.get(bytes)?);
        Some((files, verb, float(bytes) / float(files.max(1))))
    });
    let small = |(files, _, mean): &(u64, &str, f64)| {
        *files > MANY_FILES && *mean > 0.0 && *mean < SMALL_FILE
    };
    let (files, verb, mean) = counted.filter(small).max_by_key(|counted| counted.0)?;
    Some(finding(
        FindingKind::SmallFiles,
        format!("{verb} {files} files of {} in the mean", Bytes(mean)),
    ))
}
