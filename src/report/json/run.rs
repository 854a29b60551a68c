//! In: stage attempts and executors. Out: their JSON twins.

use super::document::At;
use crate::incident;
use crate::load::Case;
use crate::report::Safe;
use serde::{Serialize, Serializer};

#[derive(Serialize)]
pub(super) struct Stage {
    id: u32,
    attempt: u32,
    name: Safe,
    status: &'static str,
    tasks: Tasks,
    duration_ms: Option<u64>,
    failure: Option<Safe>,
    task_ms: Option<Spread>,
    shuffle_read_bytes: Option<Spread>,
    shuffle_write_bytes: Option<Spread>,
    spill_disk_bytes: Option<Spread>,
    spill_memory_bytes: Option<Spread>,
    gc_ms: Option<Spread>,
    gc_share: Option<f64>,
    input_bytes: Option<Spread>,
    findings: Vec<Finding>,
}

#[derive(Serialize)]
struct Tasks {
    total: Option<u64>,
    succeeded: Option<u64>,
    failed: Option<u64>,
    killed: Option<u64>,
}

#[derive(Serialize)]
struct Spread {
    min: Figure,
    median: Figure,
    p75: Figure,
    p95: Figure,
    max: Figure,
    sum: Figure,
    n: u64,
}

/// A number that is printed as `510` rather than `510.0` where it is whole.
struct Figure(f64);

impl Serialize for Figure {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "whole and below 2^53 in size, so exact"
    )]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if self.0.fract() == 0.0 && self.0.abs() < EXACT {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

#[derive(Serialize)]
struct Finding {
    kind: &'static str,
    severity: &'static str,
    text: Safe,
    ratio: Option<f64>,
    task: Option<u32>,
    evidence: Vec<At>,
}

#[derive(Serialize)]
pub(super) struct Executor {
    id: Safe,
    host: Option<Safe>,
    added: Option<Safe>,
    removed: Option<Safe>,
    reason: Option<Safe>,
    exit_code: Option<i32>,
}

impl Stage {
    pub(super) fn of(case: &Case, stage: &incident::Stage) -> Self {
        let figure = |pick: fn(&incident::StageFigures) -> &incident::Spread| {
            stage
                .figures
                .as_deref()
                .and_then(|figures| spread(pick(figures)))
        };
        Self {
            id: stage.id,
            attempt: stage.attempt,
            name: Safe::line(&stage.name),
            status: stage.status.word(),
            tasks: Tasks {
                total: stage.tasks.total,
                succeeded: stage.tasks.succeeded,
                failed: stage.tasks.failed,
                killed: stage.tasks.killed,
            },
            duration_ms: stage.duration_ms,
            failure: stage.failure.as_deref().map(Safe::line),
            task_ms: figure(|f| &f.task_ms),
            shuffle_read_bytes: figure(|f| &f.shuffle_read_bytes),
            shuffle_write_bytes: figure(|f| &f.shuffle_write_bytes),
            spill_disk_bytes: figure(|f| &f.spill_disk_bytes),
            spill_memory_bytes: figure(|f| &f.spill_memory_bytes),
            gc_ms: figure(|f| &f.gc_ms),
            gc_share: stage.figures.as_deref().and_then(|f| f.gc_share),
            input_bytes: figure(|f| &f.input_bytes),
            findings: stage
                .findings
                .iter()
                .map(|finding| Finding {
                    kind: finding.kind.word(),
                    severity: finding.severity.word(),
                    text: Safe::line(&finding.text),
                    ratio: finding.ratio,
                    task: finding.task,
                    evidence: At::all(case, &finding.evidence),
                })
                .collect(),
        }
    }
}

/// `None` where no task carries the figure.
fn spread(spread: &incident::Spread) -> Option<Spread> {
    (spread.n > 0).then_some(Spread {
        min: Figure(spread.min),
        median: Figure(spread.median),
        p75: Figure(spread.p75),
        p95: Figure(spread.p95),
        max: Figure(spread.max),
        sum: Figure(spread.sum),
        n: spread.n,
    })
}

impl Executor {
    pub(super) fn of(executor: &incident::Executor) -> Self {
        Self {
            id: Safe::line(&executor.id),
            host: executor.host.as_deref().map(Safe::line),
            added: executor.added.map(|at| Safe::line(&at.to_string())),
            removed: executor.removed.map(|at| Safe::line(&at.to_string())),
            reason: executor.reason.as_deref().map(Safe::line),
            exit_code: executor.exit_code,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_figures_have_no_fraction_and_others_keep_theirs() {
        let print = |value| serde_json::to_string(&Figure(value)).unwrap_or_default();
        assert_eq!(print(510.0), "510");
        assert_eq!(print(2.5), "2.5");
        assert_eq!(print(-1.0), "-1");
    }

    #[test]
    fn a_figure_no_task_carries_is_left_out() {
        assert!(spread(&incident::Spread::default()).is_none());
    }
}
