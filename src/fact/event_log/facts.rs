//! In: an [`EventLog`]. Out: the [`Fact`]s that the driver's log of the same run would have told.
//!
//! Where only the event log was opened, what went wrong is linked and judged in the same way as from a log.

use super::event_log::{Ending, EventLog, Job, LastFailure, StageRun, TaskEnding, says_cancelled};
use crate::fact::read::read;
use crate::fact::{
    ExecutorLine, Fact, FactKind, JobLine, JobWhat, Language, LineKind, Relation, RunLine,
    StageLine, StageWhat, TaskId, TaskLine, Throwable, Trace, TraceLine, attempt as attempt_in,
};
use crate::record::{Head, Level, Line, Record, Stack};
use crate::text::{Moment, Place, Symbol};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// What a log tells of failures, each part in the order of time.
#[derive(Debug, Default)]
pub struct Failures {
    /// Of the last job or SQL execution, where it failed and nothing that succeeded came after it.
    pub last: Vec<Fact>,
    /// Of all others: the run went on after them.
    pub before: Vec<Fact>,
}

/// What the log tells of failures.
pub fn failures(log: &EventLog) -> Failures {
    let last = log.last_failure();
    let jobs = last.into_iter().flat_map(|last| jobs_of(log, last));
    let stages: HashSet<u32> = jobs.flat_map(|(_, job)| &job.stages).copied().collect();
    let is_last = |stage: u32| stages.contains(&stage);
    let mut told = Failures::default();
    let mut known = HashSet::new();
    for ending in &log.endings {
        let part = told.part(is_last(ending.stage));
        part.extend(task_end(ending, &mut known));
    }
    let given_up = given_up(log);
    for (key, stage) in &log.stages {
        let given_up = given_up.get(key).map(|ending| task_of(ending));
        stage_moves(*key, stage, given_up, told.part(is_last(key.0)));
    }
    executors(log, told.part(last.is_some()));
    jobs_moves(log, last, &mut told);
    sql_errors(log, last, &mut told);
    for (text, place) in &log.broken_queries {
        let by = Writer {
            logger: "MicroBatchExecution",
            level: Level::Error,
            time: log.last,
            place: *place,
        };
        // It ends behind its own last job; a later failure is another one.
        let ended_last = last.is_some_and(|last| {
            let job_of_query = jobs_of(log, last).any(|(_, job)| job.streaming);
            job_of_query || log.place_of(last).is_none_or(|failed| failed < *place)
        });
        told.part(ended_last).extend(by.thrown(text));
    }
    if let Some(end) = log.end {
        let by = Writer::scheduler(end.time, end.place);
        let stopping = by.fact("", FactKind::Run(RunLine::Stopping));
        told.before.push(stopping.clone());
        told.last.push(stopping);
    }
    for part in [&mut told.last, &mut told.before] {
        part.sort_by_key(|fact| (fact.time, fact.place));
    }
    told
}

/// The jobs that a failure is about.
fn jobs_of(log: &EventLog, failure: LastFailure) -> impl Iterator<Item = (&u32, &Job)> {
    log.jobs.iter().filter(move |(id, job)| match failure {
        LastFailure::Job(failed) => **id == failed,
        LastFailure::Sql(failed) => job.sql == Some(failed),
    })
}

impl Failures {
    fn part(&mut self, last: bool) -> &mut Vec<Fact> {
        if last {
            &mut self.last
        } else {
            &mut self.before
        }
    }
}

fn executors(log: &EventLog, facts: &mut Vec<Fact>) {
    for executor in &log.executors {
        let Some(reason) = executor.reason.as_deref() else {
            continue;
        };
        let by = Writer {
            logger: "TaskSchedulerImpl",
            level: Level::Error,
            time: executor.removed,
            place: executor.place,
        };
        let line = ExecutorLine {
            id: executor.id.clone(),
            host: executor.host.clone(),
            reason: first_line(reason).to_owned(),
            exit_code: executor.exit_code,
        };
        facts.push(by.fact(reason, FactKind::ExecutorLost(line)));
        let said = by.read(reason).into_iter();
        facts.extend(said.filter(|fact| matches!(fact.kind, FactKind::Said(_))));
    }
}

fn jobs_moves(log: &EventLog, last: Option<LastFailure>, told: &mut Failures) {
    for (id, job) in &log.jobs {
        let (Some(succeeded), Some(place)) = (job.succeeded, job.place) else {
            continue;
        };
        let what = if succeeded {
            JobWhat::Finished
        } else {
            JobWhat::Failed
        };
        let line = JobLine {
            id: *id,
            name: job.name.to_string(),
            what,
        };
        let text = job.failure.as_deref().unwrap_or("");
        let fact = Writer::scheduler(job.completed, place).fact(text, FactKind::Job(line));
        let is_last = match last {
            Some(LastFailure::Job(last)) => *id == last,
            Some(LastFailure::Sql(last)) => job.sql == Some(last),
            None => false,
        };
        told.part(is_last).push(fact);
    }
}

/// The end of an attempt; `known` are the texts that were told before.
fn task_end(ending: &TaskEnding, known: &mut HashSet<Arc<str>>) -> Option<Fact> {
    let by = Writer {
        logger: "TaskSetManager",
        level: Level::Warn,
        time: ending.ended,
        place: ending.place,
    };
    let mut line = TaskLine {
        task: task_of(ending),
        number: ending.attempt,
        tid: Some(ending.tid),
        host: Some(ending.host.clone()),
        executor: Some(ending.executor.clone()),
        reason: first_line(&ending.text).to_owned(),
        duplicate: false,
    };
    match ending.ending {
        // It had finished: what was lost is its output, and the executor's end tells that.
        Ending::Resubmitted => return None,
        Ending::Threw { .. } | Ending::FetchFailed { .. } => {
            if known.contains(&ending.text) {
                line.duplicate = true;
            } else {
                known.insert(Arc::clone(&ending.text));
                let threw = by.read(&ending.text).into_iter().find_map(|mut fact| {
                    let FactKind::Threw { task, .. } = &mut fact.kind else {
                        return None;
                    };
                    *task = Some(Box::new(line.clone()));
                    Some(fact)
                });
                if threw.is_some() {
                    return threw;
                }
            }
        }
        _ => {}
    }
    let task = Box::new(line);
    Some(by.fact(&ending.text, FactKind::TaskEnded { task }))
}

/// The task for which each stage attempt was given up, if it was: the first of those that failed as often as a task may.
fn given_up(log: &EventLog) -> HashMap<(u32, u32), &TaskEnding> {
    // A fetch that fails sends the stage back; it is not what a task is given up for.
    let counts = |ending: &&TaskEnding| {
        !matches!(
            ending.ending,
            Ending::Killed | Ending::Resubmitted | Ending::FetchFailed { .. }
        )
    };
    let rank = |ending: &TaskEnding| (Reverse(ending.attempt), ending.ended);
    let mut first: HashMap<_, &TaskEnding> = HashMap::new();
    for ending in log.endings.iter().filter(counts) {
        let known = first
            .entry((ending.stage, ending.stage_attempt))
            .or_insert(ending);
        if rank(ending) < rank(known) {
            *known = ending;
        }
    }
    first
}

/// That a stage attempt was submitted, and that it ended; where it failed, the task that was given up.
fn stage_moves(
    (id, attempt): (u32, u32),
    stage: &StageRun,
    given_up: Option<TaskId>,
    facts: &mut Vec<Fact>,
) {
    let Some(place) = stage.place else { return };
    let line = |what| {
        FactKind::Stage(StageLine {
            id,
            attempt: Some(attempt),
            name: stage.name.to_string(),
            what,
        })
    };
    if stage.submitted.is_some() {
        let submitted = line(StageWhat::Submitted(stage.total));
        facts.push(Writer::scheduler(stage.submitted, place).fact("", submitted));
    }
    let by = Writer::scheduler(stage.completed, place);
    let Some(failure) = stage.failure.as_deref() else {
        if stage.completed.is_some() {
            facts.push(by.fact("", line(StageWhat::Finished(None))));
        }
        return;
    };
    let reason = first_line(failure).to_owned();
    facts.push(by.fact(failure, line(StageWhat::Failed(None, reason))));
    // Until Spark 4.1 the reason names it.
    let of_stage = |line: &TaskLine| (line.task.stage, line.task.stage_attempt) == (id, attempt);
    let named = attempt_in(first_line(failure)).filter(of_stage);
    let named = named.map(|line| line.task);
    if let Some(task) = named.or(given_up) {
        let gave_up = FactKind::GaveUp { task };
        facts.push(by.fact(failure, gave_up));
    }
}

/// SQL executions that failed without a job that says why: while they were planned, or after their tasks.
fn sql_errors(log: &EventLog, last: Option<LastFailure>, told: &mut Failures) {
    let of_jobs: HashSet<u64> = log
        .jobs
        .values()
        .filter(|job| job.succeeded == Some(false) && !job.was_cancelled())
        .filter_map(|job| job.sql)
        .collect();
    for (id, sql) in &log.sql {
        let (Some(error), Some(place)) = (sql.error.as_deref(), sql.place) else {
            continue;
        };
        if of_jobs.contains(id) || says_cancelled(error) {
            continue;
        }
        let by = Writer {
            logger: "SQLExecution",
            level: Level::Error,
            time: sql.ended,
            place,
        };
        let thrown = by.thrown(error).unwrap_or_else(|| by.threw(error));
        told.part(last == Some(LastFailure::Sql(*id))).push(thrown);
    }
}

/// Who would have written a line to the driver's log, and when; and the event that tells it.
#[derive(Clone, Copy)]
struct Writer {
    logger: &'static str,
    level: Level,
    time: Option<Moment>,
    place: Place,
}

impl Writer {
    fn scheduler(time: Option<Moment>, place: Place) -> Self {
        Self {
            logger: "DAGScheduler",
            level: Level::Info,
            time,
            place,
        }
    }

    fn fact(self, text: &str, kind: FactKind) -> Fact {
        Fact {
            place: self.place,
            text: first_line(text).into(),
            time: self.time,
            level: Some(self.level),
            logger: Some(Symbol::new(self.logger)),
            thread: None,
            message_at: 0,
            kind,
        }
    }

    /// What the text says, read as the message of a record.
    fn read(self, text: &str) -> Vec<Fact> {
        let lines = text.lines().zip(0..).map(|(text, part)| Line {
            place: Place { part, ..self.place },
            text: text.to_owned(),
            prose: false,
            behind: crate::record::LastBar::None,
            event: false,
            below: Stack::default(),
            shape: None,
        });
        let record = Record {
            stream: Symbol::new(""),
            head: Some(Head {
                time: self.time,
                level: Some(self.level),
                thread: None,
                logger: Some(Symbol::new(self.logger)),
                layout: "event log",
            }),
            lines: lines.collect(),
            message_at: 0,
        };
        let mut facts = Vec::new();
        read(&record, &mut facts);
        facts
    }

    /// The first exception in the text.
    fn thrown(self, text: &str) -> Option<Fact> {
        let mut facts = self.read(text).into_iter();
        facts.find(|fact| matches!(fact.kind, FactKind::Threw { .. }))
    }

    /// The text as the message of an exception whose class the log does not tell.
    fn threw(self, text: &str) -> Fact {
        let throwable = Throwable {
            relation: Relation::Top,
            language: Language::Jvm,
            class: Symbol::new(""),
            message: text.to_owned(),
            own: text.len(),
            place: self.place,
            text: first_line(text).into(),
            frames: Vec::new(),
        };
        let lines = text.lines().zip(0..).map(|(_, part)| TraceLine {
            place: Place { part, ..self.place },
            kind: if part == 0 {
                LineKind::Header
            } else {
                LineKind::Message
            },
            cause: Some(0),
        });
        let trace = Trace {
            chain: vec![throwable],
            lines: lines.take(crate::fact::TRACE_CAP).collect(),
            ..Trace::default()
        };
        self.fact(
            text,
            FactKind::Threw {
                trace: Box::new(trace),
                number: None,
                task: None,
            },
        )
    }
}

fn task_of(ending: &TaskEnding) -> TaskId {
    TaskId {
        stage: ending.stage,
        stage_attempt: ending.stage_attempt,
        partition: ending.index,
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("")
}
