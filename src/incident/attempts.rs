//! [`Attempts`]: every attempt of a failed task that the logs tell of.

use super::attempt::{Attempt, AttemptOutcome, Verdict};
use super::incident::OTHERS_CAP;
use crate::fact::{TaskId, TaskLine};
use crate::text::{Moment, Place, Symbol};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Attempts that are kept; a run with more failed attempts than this has long told its story.
const ATTEMPTS_CAP: usize = 200_000;
/// Failures of one stage attempt by which a repeated failure is recognised.
const FAILURES_OF_STAGE_CAP: usize = 64;

/// A place in an executor's own log, and its time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Own {
    pub(super) place: Place,
    pub(super) time: Option<Moment>,
}

/// One telling of how an attempt ended; an attempt is often told of twice, by its executor and by the scheduler.
#[derive(Debug, Clone)]
pub(super) struct AttemptSeen {
    pub(super) line: TaskLine,
    pub(super) failure: Option<usize>,
    pub(super) class: Symbol,
    pub(super) message: Arc<str>,
    pub(super) outcome: AttemptOutcome,
    pub(super) place: Option<Place>,
    pub(super) time: Option<Moment>,
    /// Where the executor's own log tells it, and when.
    pub(super) own: Option<Box<Own>>,
}

impl AttemptSeen {
    /// Takes over where the executor's own log tells it: the telling nearest in time, where several logs tell of one.
    fn told_by_executor(&mut self, other: &Self) {
        let Some(own) = &other.own else {
            return;
        };
        let far = |time: Option<Moment>| match (time, self.time) {
            (Some(a), Some(b)) => a.since(b).unsigned_abs(),
            _ => u64::MAX,
        };
        let nearer = |known: &Own| far(own.time) < far(known.time);
        if self.own.as_deref().is_none_or(nearer) {
            self.own = Some(own.clone());
        }
    }

    /// Whether both are said to have run, and not on the same executor or not as the same task: they are of two runs.
    fn is_of_other_run(&self, other: &Self) -> bool {
        let executors = self
            .line
            .executor
            .as_ref()
            .zip(other.line.executor.as_ref());
        let tids = self.line.tid.zip(other.line.tid);
        other.own.is_some()
            && (executors.is_some_and(|(a, b)| a != b) || tids.is_some_and(|(a, b)| a != b))
    }
}

/// The attempts of failed tasks, by task and number.
#[derive(Debug, Default, Clone)]
pub(super) struct Attempts {
    by_task: BTreeMap<(TaskId, u32), Box<AttemptSeen>>,
    /// What was said last of each failure: nearly always what is said of it the next time.
    said: HashMap<usize, Arc<str>>,
    /// The failures of the attempts of a stage attempt, in the order in which they were told.
    by_stage: HashMap<(u32, u32), Vec<usize>>,
}

impl Attempts {
    /// The message of an attempt that ended with that failure; kept once for all that have the same.
    pub(super) fn message(&mut self, failure: usize, text: &str) -> Arc<str> {
        let said = self.said.entry(failure).or_insert_with(|| text.into());
        if **said != *text {
            *said = text.into();
        }
        Arc::clone(said)
    }

    /// One more telling: what it adds is kept, but for its reason, which the failure tells.
    pub(super) fn add(&mut self, mut seen: AttemptSeen) {
        seen.line.reason = String::new();
        let key = (seen.line.task, seen.line.number);
        if let Some(failure) = seen.failure {
            let stage = (seen.line.task.stage, seen.line.task.stage_attempt);
            let stage = self.by_stage.entry(stage).or_default();
            if stage.len() < FAILURES_OF_STAGE_CAP && !stage.contains(&failure) {
                stage.push(failure);
            }
        }
        if self.by_task.len() >= ATTEMPTS_CAP && !self.by_task.contains_key(&key) {
            return;
        }
        match self.by_task.get_mut(&key) {
            None => {
                self.by_task.insert(key, Box::new(seen));
            }
            Some(known) if known.is_of_other_run(&seen) => {}
            Some(known) => {
                known.told_by_executor(&seen);
                known.line.tid = known.line.tid.or(seen.line.tid);
                if known.line.host.is_none() {
                    known.line.host = seen.line.host;
                }
                if known.line.executor.is_none() {
                    known.line.executor = seen.line.executor;
                }
                if known.failure.is_none() {
                    known.failure = seen.failure;
                    known.class = seen.class;
                    known.message = seen.message;
                }
            }
        }
    }

    /// The failure of an attempt of the same stage attempt that `fits`: the task's own first.
    pub(super) fn failure_in_stage(
        &self,
        task: TaskId,
        fits: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let own = self
            .of(task)
            .filter_map(|seen| seen.failure)
            .find(|index| fits(*index));
        own.or_else(|| {
            let stage = self.by_stage.get(&(task.stage, task.stage_attempt))?;
            stage.iter().copied().find(|index| fits(*index))
        })
    }

    /// The attempts of a task, first to last.
    pub(super) fn of(&self, task: TaskId) -> impl Iterator<Item = &AttemptSeen> {
        self.by_task
            .range((task, 0)..=(task, u32::MAX))
            .map(|(_, seen)| &**seen)
    }

    /// For each failure, the last task of which an attempt ended with it: the one with most attempts, then the latest.
    pub(super) fn tasks(&self) -> HashMap<usize, TaskId> {
        let mut last = HashMap::new();
        for seen in self.by_task.values() {
            let Some(failure) = seen.failure else {
                continue;
            };
            let rank = (seen.line.number, seen.place);
            let known = last.entry(failure).or_insert((rank, seen.line.task));
            if known.0 <= rank {
                *known = (rank, seen.line.task);
            }
        }
        let tasks = last.into_iter();
        tasks.map(|(failure, (_, task))| (failure, task)).collect()
    }

    /// The attempts of a task as they are told, against the failure of its incident.
    pub(super) fn told(&self, task: TaskId, failure: usize) -> Vec<Attempt> {
        self.of(task).map(|seen| seen.told(failure)).collect()
    }

    /// Those of other tasks of the same stage attempt that did not end well, by task and number; at most
    /// [`OTHERS_CAP`].
    pub(super) fn of_others(&self, task: TaskId, failure: usize) -> Vec<Attempt> {
        let of_stage = |partition| TaskId { partition, ..task };
        self.by_task
            .range((of_stage(0), 0)..=(of_stage(u32::MAX), u32::MAX))
            .map(|(_, seen)| seen)
            .filter(|seen| seen.line.task != task)
            .filter(|seen| matches!(seen.outcome, AttemptOutcome::Failed | AttemptOutcome::Lost))
            .take(OTHERS_CAP)
            .map(|seen| seen.told(failure))
            .collect()
    }
}

impl AttemptSeen {
    /// As it is told, against the failure of an incident.
    fn told(&self, failure: usize) -> Attempt {
        Attempt {
            task: self.line.task,
            number: self.line.number,
            tid: self.line.tid,
            executor: self.line.executor.clone(),
            host: self.line.host.clone(),
            outcome: self.outcome,
            class: self.class.clone(),
            message: (*self.message).into(),
            place: self.place,
            own_log: self.own.as_ref().map(|own| own.place),
            same_cause: self.failure.map(|own| own == failure),
            launched: None,
            ended: self.time,
            peak_memory: None,
            speculative: false,
        }
    }
}

/// What the attempts of a task say together.
pub(super) fn verdict(attempts: &[Attempt]) -> Option<Verdict> {
    let ended: Vec<_> = attempts
        .iter()
        .filter(|a| a.outcome != AttemptOutcome::Killed)
        .collect();
    if ended.is_empty() {
        return None;
    }
    if ended.iter().all(|a| a.outcome == AttemptOutcome::Lost) {
        return Some(Verdict::Infrastructure);
    }
    if ended
        .iter()
        .any(|a| a.same_cause == Some(false) || a.outcome == AttemptOutcome::Succeeded)
    {
        return Some(Verdict::Flaky);
    }
    (ended.len() > 1 && ended.iter().all(|a| a.same_cause == Some(true)))
        .then_some(Verdict::Deterministic)
}
