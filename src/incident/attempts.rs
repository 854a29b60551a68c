//! [`Attempts`]: every attempt of a failed task that the logs tell of.

use super::attempt::{Attempt, AttemptOutcome, Verdict};
use super::effect;
use super::incident::OTHERS_CAP;
use crate::fact::{LeftOut, TaskId, TaskLine};
use crate::text::{Moment, Place, Symbol, beginning};
use foldhash::fast::RandomState;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// Attempts that are kept; a run with more failed attempts than this has long told its story.
const ATTEMPTS_CAP: usize = 200_000;
/// Failures of one stage attempt by which a repeated failure is recognised.
const FAILURES_OF_STAGE_CAP: usize = 64;
/// Stage attempts of which they are kept.
const STAGES_CAP: usize = 50_000;
/// Bytes of what an attempt's end says.
const MESSAGE_CAP: usize = 1 << 10;
/// Ways to end that are kept for further attempts.
const ENDS_CAP: usize = 4_096;

/// A place in an executor's own log, and its time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Own {
    pub(super) place: Place,
    pub(super) time: Option<Moment>,
}

/// One telling of how an attempt ended; an attempt is often told of twice, by its executor and by the scheduler.
#[derive(Debug)]
pub(super) struct AttemptSeen {
    pub(super) line: TaskLine,
    pub(super) failure: Option<usize>,
    pub(super) class: Symbol,
    pub(super) message: Arc<str>,
    pub(super) outcome: AttemptOutcome,
    pub(super) place: Place,
    pub(super) time: Option<Moment>,
    /// Where the executor's own log tells it, and when.
    pub(super) own: Option<Box<Own>>,
}

/// What is kept of an attempt: there may be hundreds of thousands.
#[derive(Debug, Clone)]
struct Kept {
    task: TaskId,
    number: u32,
    tid: Option<u64>,
    place: Place,
    time: Option<Moment>,
    own: Option<Box<Own>>,
    end: Arc<End>,
}

/// How attempts ended, and where: kept once for all that ended alike.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct End {
    executor: Option<Symbol>,
    host: Option<Symbol>,
    failure: Option<usize>,
    class: Symbol,
    message: Arc<str>,
    outcome: AttemptOutcome,
}

impl Kept {
    /// Takes over where the executor's own log tells it: the telling nearest in time, where several logs tell of one.
    fn told_by_executor(&mut self, other: &AttemptSeen) {
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
    fn is_of_other_run(&self, other: &AttemptSeen) -> bool {
        let executors = self.end.executor.as_ref().zip(other.line.executor.as_ref());
        let tids = self.tid.zip(other.line.tid);
        other.own.is_some()
            && (executors.is_some_and(|(a, b)| a != b) || tids.is_some_and(|(a, b)| a != b))
    }
}

/// The attempts of failed tasks, by task and number.
#[derive(Debug, Default, Clone)]
pub(super) struct Attempts {
    /// Indexes of `kept`.
    by_task: BTreeMap<(TaskId, u32), u32>,
    kept: Vec<Kept>,
    /// Those that were told last.
    ends: HashSet<Arc<End>, RandomState>,
    /// What was said last of each failure: nearly always what is said of it the next time.
    said: HashMap<usize, Arc<str>>,
    /// The failures of the attempts of a stage attempt, in the order in which they were told.
    by_stage: HashMap<(u32, u32), Vec<usize>>,
    /// Whether the scheduler named an attempt's end by the loss of its executor.
    pub(super) names_loss: bool,
}

impl Attempts {
    /// The message of an attempt that ended with that failure; kept once for all that have the same.
    pub(super) fn message(&mut self, failure: usize, text: &str) -> Arc<str> {
        let text = beginning(text, MESSAGE_CAP);
        let said = self.said.entry(failure).or_insert_with(|| text.into());
        if **said != *text {
            *said = text.into();
        }
        Arc::clone(said)
    }

    /// One more telling: what it adds is kept, but for its reason, which the failure tells. What is `left_out` is noted.
    pub(super) fn add(&mut self, seen: AttemptSeen, left_out: &mut LeftOut) {
        self.names_loss |= seen.line.reason.contains(effect::LOST_EXECUTOR);
        let key = (seen.line.task, seen.line.number);
        if let Some(failure) = seen.failure {
            let stage = (seen.line.task.stage, seen.line.task.stage_attempt);
            if self.by_stage.len() < STAGES_CAP || self.by_stage.contains_key(&stage) {
                let stage = self.by_stage.entry(stage).or_default();
                if stage.len() < FAILURES_OF_STAGE_CAP && !stage.contains(&failure) {
                    stage.push(failure);
                }
            }
        }
        match self.by_task.get(&key).map(|at| *at as usize) {
            None if self.kept.len() >= ATTEMPTS_CAP => {
                left_out.note("attempts of failed tasks", ATTEMPTS_CAP);
            }
            None => self.keep(seen),
            Some(at) if self.kept[at].is_of_other_run(&seen) => {}
            Some(at) => {
                let known = &mut self.kept[at];
                known.told_by_executor(&seen);
                known.tid = known.tid.or(seen.line.tid);
                let mut end = End::clone(&known.end);
                end.host = end.host.or(seen.line.host);
                end.executor = end.executor.or(seen.line.executor);
                if end.failure.is_none() {
                    end.failure = seen.failure;
                    end.class = seen.class;
                    end.message = seen.message;
                }
                if end != *known.end {
                    self.kept[at].end = self.end(end);
                }
            }
        }
    }

    /// Keeps an attempt that was not told before.
    fn keep(&mut self, seen: AttemptSeen) {
        let (task, number) = (seen.line.task, seen.line.number);
        let at = u32::try_from(self.kept.len()).unwrap_or(u32::MAX);
        let end = self.end(End {
            executor: seen.line.executor,
            host: seen.line.host,
            failure: seen.failure,
            class: seen.class,
            message: seen.message,
            outcome: seen.outcome,
        });
        self.by_task.insert((task, number), at);
        self.kept.push(Kept {
            task,
            number,
            tid: seen.line.tid,
            place: seen.place,
            time: seen.time,
            own: seen.own,
            end,
        });
    }

    /// The one that is kept for all that ended so.
    fn end(&mut self, end: End) -> Arc<End> {
        if let Some(known) = self.ends.get(&end) {
            return Arc::clone(known);
        }
        if self.ends.len() >= ENDS_CAP {
            self.ends.clear();
        }
        let end = Arc::new(end);
        self.ends.insert(Arc::clone(&end));
        end
    }

    /// The failures with which the attempts of a task ended, first to last, as far as they are known.
    pub(super) fn failures_of(&self, task: TaskId) -> impl Iterator<Item = usize> {
        self.of(task).filter_map(|kept| kept.end.failure)
    }

    /// A failure that `fits` of an attempt of the same stage attempt: the task's own first.
    pub(super) fn failure_in_stage(
        &self,
        task: TaskId,
        fits: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let own = self.failures_of(task).find(|index| fits(*index));
        own.or_else(|| {
            let stage = self.by_stage.get(&(task.stage, task.stage_attempt))?;
            stage.iter().copied().find(|index| fits(*index))
        })
    }

    /// The attempts of a task, first to last.
    fn of(&self, task: TaskId) -> impl Iterator<Item = &Kept> {
        self.between(task, task)
    }

    /// Those of all tasks from `first` to `last`.
    fn between(&self, first: TaskId, last: TaskId) -> impl Iterator<Item = &Kept> {
        let found = self.by_task.range((first, 0)..=(last, u32::MAX));
        found.map(|(_, at)| &self.kept[*at as usize])
    }

    /// For each failure, the last task of which an attempt ended with it: the one with most attempts, then the latest.
    pub(super) fn tasks(&self) -> HashMap<usize, TaskId> {
        let mut last = HashMap::new();
        for at in self.by_task.values() {
            let kept = &self.kept[*at as usize];
            let Some(failure) = kept.end.failure else {
                continue;
            };
            let rank = (kept.number, kept.place);
            let known = last.entry(failure).or_insert((rank, kept.task));
            if known.0 <= rank {
                *known = (rank, kept.task);
            }
        }
        let tasks = last.into_iter();
        tasks.map(|(failure, (_, task))| (failure, task)).collect()
    }

    /// The attempts of a task as they are told, against the failure of its incident.
    pub(super) fn told(&self, task: TaskId, failure: usize) -> Vec<Attempt> {
        self.of(task).map(|kept| kept.told(failure)).collect()
    }

    /// Those of other tasks of the same stage attempt that did not end well, by task and number; at most
    /// [`OTHERS_CAP`].
    pub(super) fn of_others(&self, task: TaskId, failure: usize) -> Vec<Attempt> {
        let of_stage = |partition| TaskId { partition, ..task };
        self.between(of_stage(0), of_stage(u32::MAX))
            .filter(|kept| kept.task != task)
            .filter(|kept| {
                let outcome = kept.end.outcome;
                matches!(outcome, AttemptOutcome::Failed | AttemptOutcome::Lost)
            })
            .take(OTHERS_CAP)
            .map(|kept| kept.told(failure))
            .collect()
    }
}

impl Kept {
    /// The attempt as it is told, against the failure of an incident.
    fn told(&self, failure: usize) -> Attempt {
        Attempt {
            task: self.task,
            number: self.number,
            tid: self.tid,
            executor: self.end.executor.clone(),
            host: self.end.host.clone(),
            outcome: self.end.outcome,
            class: self.end.class.clone(),
            message: (*self.end.message).into(),
            place: Some(self.place),
            own_log: self.own.as_ref().map(|own| own.place),
            same_cause: self.end.failure.map(|own| own == failure),
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
