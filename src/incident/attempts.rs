//! [`Attempts`]: every attempt of a failed task that the logs tell of.

use super::attempt::{Attempt, AttemptOutcome, Verdict};
use crate::fact::{TaskId, TaskLine};
use crate::text::{Moment, Place, Symbol};
use std::collections::BTreeMap;

/// Attempts that are kept; a run with more failed attempts than this has long told its story.
const ATTEMPTS_CAP: usize = 200_000;

/// One telling of how an attempt ended; an attempt is often told of twice, by its executor and by the scheduler.
#[derive(Debug, Clone)]
pub(super) struct AttemptSeen {
    pub(super) line: TaskLine,
    /// Whether the scheduler tells, who knows host and executor.
    pub(super) lost: bool,
    pub(super) failure: Option<usize>,
    pub(super) class: Symbol,
    pub(super) message: Box<str>,
    pub(super) outcome: AttemptOutcome,
    pub(super) place: Option<Place>,
    pub(super) time: Option<Moment>,
}

/// The attempts of failed tasks, by task and number.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    by_task: BTreeMap<(TaskId, u32), AttemptSeen>,
}

impl Attempts {
    /// One more telling: what it adds is kept.
    pub(super) fn add(&mut self, seen: AttemptSeen) {
        let key = (seen.line.task, seen.line.number);
        if self.by_task.len() >= ATTEMPTS_CAP && !self.by_task.contains_key(&key) {
            return;
        }
        match self.by_task.get_mut(&key) {
            None => {
                self.by_task.insert(key, seen);
            }
            Some(known) => {
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
                known.lost |= seen.lost;
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
            let (from, to) = (
                TaskId {
                    partition: 0,
                    ..task
                },
                TaskId {
                    partition: u32::MAX,
                    ..task
                },
            );
            self.by_task
                .range((from, 0)..=(to, u32::MAX))
                .filter_map(|(_, seen)| seen.failure)
                .find(|index| fits(*index))
        })
    }

    /// The attempts of a task, first to last.
    pub(super) fn of(&self, task: TaskId) -> impl Iterator<Item = &AttemptSeen> {
        self.by_task
            .range((task, 0)..=(task, u32::MAX))
            .map(|(_, seen)| seen)
    }

    /// The last task whose attempt ended with a failure: the one with most attempts, then the latest.
    pub(super) fn task_of_failure(&self, failure: usize) -> Option<TaskId> {
        self.by_task
            .values()
            .filter(|seen| seen.failure == Some(failure))
            .max_by_key(|seen| (seen.line.number, seen.place))
            .map(|seen| seen.line.task)
    }

    /// The attempts of a task as they are told, against the failure of its incident.
    pub(super) fn told(&self, task: TaskId, failure: usize) -> Vec<Attempt> {
        self.of(task)
            .map(|seen| Attempt {
                task,
                number: seen.line.number,
                tid: seen.line.tid,
                executor: seen.line.executor.clone(),
                host: seen.line.host.clone(),
                outcome: seen.outcome,
                class: seen.class.clone(),
                message: seen.message.clone(),
                place: seen.place,
                same_cause: seen.failure.map(|own| own == failure),
                launched: None,
                ended: seen.time,
                peak_memory: None,
                speculative: false,
            })
            .collect()
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
