//! In: everything that was linked. Out: what tells how a run ended where nothing in it says that it failed: work that was left,
//! signals, a person at the keyboard.

use super::builder::Builder;
use super::failure::Failure;
use super::last_word::stands;
use super::stage::{Stage, StageStatus};
use super::story::Outcome;
use crate::fact::Stand;

/// Whether a stage was begun that has no end in the logs, or ended because the context did: who has finished does not
/// stop in the middle of one. A streaming query is always in the middle.
pub(super) fn left_at_work(builder: &Builder) -> bool {
    let mut stages = builder.ledger.stages.values();
    let shut_down = |why: &str| why.contains("because SparkContext was shut down");
    let left = |stage: &Stage| match stage.status {
        StageStatus::Running => stage.submitted.is_some(),
        StageStatus::Failed => stage.failure.as_deref().is_some_and(shut_down),
        _ => false,
    };
    stages.any(left) && !builder.failures.iter().any(|f| f.streaming)
}

/// What a run without a fatal failure is: recovered, where anything was thrown.
pub(super) fn after_failures(builder: &Builder, otherwise: Outcome) -> Outcome {
    let told = |f: &Failure| f.said.is_none() || stands(f, &[Stand::Statement]);
    let thrown = builder
        .failures
        .iter()
        .any(|f| told(f) && builder.counts(f));
    if thrown {
        Outcome::Recovered
    } else {
        otherwise
    }
}

/// Whether something from outside stopped the run before anything in it had failed: a signal, or a
/// shutdown hook that tore tasks down.
pub(super) fn stopped_from_outside(builder: &Builder) -> bool {
    let nothing_before = |order: u64| {
        builder.gave_up.iter().all(|g| g.order > order)
            && builder
                .failures
                .iter()
                .filter(|f| builder.counts(f))
                .all(|f| f.last_word.is_none_or(|word| word > order))
    };
    if builder
        .ledger
        .signal
        .as_ref()
        .is_some_and(|(_, order, _)| nothing_before(*order))
    {
        return true;
    }
    let thrown = || {
        builder
            .failures
            .iter()
            .filter(|f| builder.counts(f) && f.said.is_none())
    };
    builder.gave_up.is_empty()
        && builder.life.stopping.is_some_and(|stopping| {
            thrown().any(|f| f.in_task && f.while_stopping)
                && thrown().all(|f| f.first_order > stopping && f.last_word.is_none())
        })
}

/// Whether PySpark's handler of Ctrl-C stands in the traceback.
pub(super) fn interrupted_by_hand(failure: &Failure) -> bool {
    let mut frames = failure.chain.iter().flat_map(|t| &t.frames);
    frames.any(|f| &*f.function == "signal_handler" && f.file.contains("pyspark/"))
}
