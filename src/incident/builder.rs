//! In: [`Fact`]s in the order of the logs. Out: by [`Builder::build`], the [`Story`] they tell.
//!
//! Grows with the number of distinct failures, tasks that failed, stages and executors, never with bytes.

use super::attempt::AttemptOutcome;
use super::attempts::{AttemptSeen, Attempts, Own};
use super::effect;
use super::failure::Failure;
use super::fingerprint::Fingerprint;
use super::known::Known;
use super::ledger::Ledger;
use super::life::Life;
use super::of_task::{
    effect_of_loss, first_line, is_of_scheduler, is_told_whole, speaks_of_attempt, task_of_trace,
    trace_of_words,
};
use super::profiles::Profiles;
use super::remnant::Remnant;
use super::story::Story;
use super::streams::Streams;
use super::tell;
use super::telling::Telling;
use crate::fact::{
    Fact, FactKind, Language, LineKind, Relation, RunLine, Said, StageWhat, Stand, TaskId,
    TaskLine, Throwable, Trace, TraceLine, Weight, failed_test, sentence_of_member,
};
use crate::record::{LastBar, Level};
use crate::text::Symbol;
use std::collections::HashMap;
use std::sync::Arc;

/// Distinct failures that are kept apart; beyond this many, a log is made of nothing but differences.
const FAILURES_CAP: usize = 20_000;

/// A task that the scheduler gave up.
#[derive(Debug, Clone, Copy)]
pub(super) struct GaveUp {
    pub(super) task: TaskId,
    pub(super) order: u64,
}

/// What a driver says before anything else, at the level of warnings.
const BEGINNINGS: &[&str] = &["Your hostname, ", "Set SPARK_LOCAL_IP "];

/// What was opened.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Opened {
    /// Any log that is no executor's.
    main: bool,
    /// A driver's.
    pub(super) driver: bool,
    /// What is still being written.
    pub(super) goes_on: bool,
}

/// Links facts to one another.
#[derive(Debug, Default, Clone)]
pub struct Builder {
    pub(super) order: u64,
    pub(super) failures: Vec<Failure>,
    known: Known,
    /// What traces tell that will be known again, by their numbers.
    tellings: HashMap<usize, Arc<Telling>>,
    pub(super) attempts: Attempts,
    pub(super) gave_up: Vec<GaveUp>,
    pub(super) ledger: Ledger,
    pub(super) profiles: Profiles,
    pub(super) life: Life,
    /// Whether the present source is an executor's log.
    aside: bool,
    /// Whose it is.
    executor: Option<Symbol>,
    /// The streams of the present source.
    streams: Streams,
    pub(super) opened: Opened,
    /// Executors whose own logs were opened.
    pub(super) executor_logs: Vec<Symbol>,
    /// Whether the executor of the present source is being stopped.
    executor_stops: bool,
    /// The progress bar where the log ends.
    pub(super) last_bar: LastBar,
    /// The failure last made of a line without an exception, and that line: another fact of the same line adds nothing.
    said_last: Option<(usize, crate::text::Place)>,
    pub(super) remnant: Option<Remnant>,
}

impl Builder {
    /// The facts of another source follow. An executor's log stands `aside`: it tells causes, not how the run ended.
    /// Only the log of a `driver` ends well by going on: other text may be anybody's.
    /// `executor` is whose log it is, as far as its path or its beginning tells.
    pub fn begin_source(&mut self, aside: bool, driver: bool, executor: Option<&Symbol>) {
        self.executor = executor.filter(|_| aside).cloned();
        self.executor_logs.extend(self.executor.clone());
        self.opened.driver |= driver;
        self.aside = aside;
        self.opened.main |= !aside;
        self.executor_stops = false;
        self.streams = Streams::default();
    }

    /// Whether a failure may be what ended the run: one that only executors' logs hold may not, where a driver's log was opened.
    pub(super) fn counts(&self, failure: &Failure) -> bool {
        !failure.aside || !self.opened.main
    }

    /// The next facts are told in this stream of the present source.
    pub fn in_stream(&mut self, stream: &Symbol) {
        self.streams.enter(stream);
    }

    /// Takes one fact in.
    pub fn absorb(&mut self, fact: &Fact) {
        self.order += 1;
        self.ledger.clock(fact.time);
        let order = self.order;
        self.life.begun |= fact
            .logger
            .as_deref()
            .is_some_and(|l| l.ends_with("NativeCodeLoader"))
            || BEGINNINGS
                .iter()
                .any(|begins| fact.message().starts_with(begins));
        match &fact.kind {
            FactKind::Threw { trace, .. } if trace.cut => self.remember(fact),
            FactKind::Threw {
                trace,
                number,
                task,
            } => {
                let telling = Telling::of(trace);
                self.threw(fact, &telling, Some(trace), task.as_deref());
                if let Some(number) = number {
                    self.tellings.insert(*number, Arc::new(telling));
                }
            }
            FactKind::ThrewAgain { number, task, .. } => {
                if let Some(telling) = self.tellings.get(number).cloned() {
                    self.threw(fact, &telling, None, task.as_deref());
                }
            }
            FactKind::TaskEnded { task } => self.task_ended(fact, task),
            FactKind::GaveUp { task } => {
                self.remember(fact);
                if self.gave_up.len() < FAILURES_CAP {
                    self.gave_up.push(GaveUp { task: *task, order });
                }
            }
            FactKind::Stage(line) => {
                if self.ledger.stage(line, fact.place, fact.time) {
                    self.life.work = order;
                } else if matches!(&line.what, StageWhat::Failed(_, why) if why.starts_with("Job aborted"))
                {
                    self.ledger.job_failed = Some(order);
                }
            }
            FactKind::Job(line) => {
                if self.ledger.job(line, order) {
                    self.life.work = order;
                }
            }
            FactKind::ExecutorLost(line) => {
                self.ledger
                    .executor_lost(line, order, fact.place, fact.time);
                let silent = line.reason.contains("killed by driver") || line.exit_code == Some(0);
                if !silent {
                    let said = Said {
                        weight: Weight::Symptom,
                        stand: Stand::Cluster,
                        class: effect::LOST_EXECUTOR,
                    };
                    self.say(fact, said);
                }
            }
            FactKind::Said(said) => {
                if said.stand == Stand::Service && !self.aside {
                    self.ledger.failed(order, fact.place);
                }
                self.say(fact, *said);
            }
            FactKind::Run(RunLine::Stopping | RunLine::Signal(_)) if self.aside => {
                self.executor_stops = true;
            }
            FactKind::Run(RunLine::Ended { .. } | RunLine::Exit(_)) if self.aside => {}
            // An executor's end is not the run's.
            FactKind::Run(line) if self.streams.of_executor() && line.ends() => {}
            FactKind::Run(line) => self.run(fact, line),
            FactKind::Complaint => {
                if fact.level >= Some(Level::Error) {
                    self.say(fact, Said::symptom(Stand::Launch));
                }
            }
            // It is printed when a program ends, however it ended: no sign that it went on.
            FactKind::Profile(profile) => self.profiles.add(profile),
            FactKind::Plain => {
                if fact.level.is_none()
                    && !self.aside
                    && self.streams.goes_on(fact.place)
                    && !fact.message().trim().is_empty()
                {
                    self.life.output = order;
                }
            }
        }
    }

    /// A line tells of the run as a whole.
    fn run(&mut self, fact: &Fact, line: &RunLine) {
        let order = self.order;
        if matches!(line, RunLine::Running) {
            self.life.work = order;
        }
        if matches!(line, RunLine::Stopping) {
            self.life.stopping.get_or_insert(order);
        }
        self.ledger.run(line, order, fact.place);
        let failed = match line {
            RunLine::Exit(code) => *code != 0,
            RunLine::Ended { succeeded, .. } => *succeeded == Some(false),
            _ => false,
        };
        if failed {
            // The answer where nothing else is.
            self.say(fact, Said::symptom(Stand::Cluster));
        }
    }

    /// The end of a log, and what its last progress bar shows there.
    pub fn end_of_log(&mut self, bar: LastBar) {
        self.last_bar = bar;
        if bar == LastBar::Cleared {
            self.order += 1;
            self.life.work = self.order;
        }
    }

    /// What was opened is still being written: that nothing follows its last line says nothing.
    pub fn goes_on(&mut self) {
        self.opened.goes_on = true;
    }

    /// The whole story.
    pub fn build(mut self) -> Story {
        self.tell_remnant();
        tell::story(self)
    }

    /// Whether a fact says all that is wanted: a failure that is known was thrown again.
    pub fn knows(&self, fact: &Fact) -> bool {
        let FactKind::ThrewAgain { number, .. } = &fact.kind else {
            return true;
        };
        self.tellings.get(number).is_some_and(|telling| {
            self.known
                .told_by(telling, &self.failures)
                .is_some_and(|index| self.failures[index].knows(telling))
        })
    }

    /// What was thrown, and its `trace` unless it was told before.
    pub(super) fn threw(
        &mut self,
        fact: &Fact,
        telling: &Telling,
        trace: Option<&Trace>,
        task: Option<&TaskLine>,
    ) {
        let order = self.order;
        let (aside, stopping) = (self.aside, self.stopping());
        let apart = task.filter(|line| is_told_whole(line));
        if let Some(line) = apart {
            self.task_ended(fact, line);
        }
        let task = task.filter(|_| apart.is_none()).cloned();
        let task = task.or_else(|| task_of_trace(trace?));
        // Its message may be told otherwise the second time.
        let top = trace.and_then(|trace| trace.chain.first());
        let repeated = task.as_ref().zip(top);
        let repeated = repeated.and_then(|(line, top)| self.repeated(line, &top.class));
        let Some(index) = repeated.or_else(|| self.failure(telling, trace, order)) else {
            return;
        };
        self.streams.fails(fact.place);
        let failure = &mut self.failures[index];
        if failure.count == 0 {
            failure.while_stopping = stopping || telling.of_the_end;
        }
        let thread = fact.thread.as_deref().unwrap_or_default();
        let logger = fact.logger.as_deref().unwrap_or_default();
        failure.in_task |= task.is_some()
            || trace.is_some_and(speaks_of_attempt)
            || telling.in_task
            || telling.of_stage && is_of_scheduler(fact)
            || thread.starts_with("Executor task launch worker");
        failure.streaming |= logger.ends_with("MicroBatchExecution")
            || logger.ends_with("StreamExecution")
            || thread.starts_with("stream execution thread");
        failure.add_trace(telling, trace, fact.action_again(), order);
        failure.seen(fact, order, aside);
        if let Some(mut line) = task {
            let (place, time) = (fact.place, fact.time);
            let own = (aside || self.streams.of_executor()).then(|| Box::new(Own { place, time }));
            if aside && line.executor.is_none() {
                line.executor.clone_from(&self.executor);
            }
            self.life.task = order;
            let root = self.failures[index].root();
            let class = root.class.clone();
            let message = self.attempts.message(index, first_line(&root.message));
            let outcome = if effect_of_loss(&line.reason) {
                AttemptOutcome::Lost
            } else {
                AttemptOutcome::Failed
            };
            let seen = AttemptSeen {
                line,
                failure: Some(index),
                class,
                message,
                outcome,
                place: fact.place,
                time: fact.time,
                own,
            };
            self.attempts.add(seen, &mut self.ledger.left_out);
        }
    }

    /// The failure of a trace, known or new; `None` past the cap.
    fn failure(&mut self, telling: &Telling, trace: Option<&Trace>, order: u64) -> Option<usize> {
        let known = self.known.told_by(telling, &self.failures);
        if known.is_some() || self.is_full() {
            return known;
        }
        let trace = trace?;
        let (chain, lines) = (trace.chain.clone(), trace.lines.clone());
        Some(self.add(Failure::new(telling.print, chain, lines, order)))
    }

    /// Whether there is no room for another failure, which is noted.
    fn is_full(&mut self) -> bool {
        let full = self.failures.len() >= FAILURES_CAP;
        if full {
            let left_out = &mut self.ledger.left_out;
            left_out.note("distinct failures", FAILURES_CAP);
        }
        full
    }

    fn add(&mut self, failure: Failure) -> usize {
        let index = self.failures.len();
        self.known.add(&failure, index);
        self.failures.push(failure);
        index
    }

    fn stopping(&self) -> bool {
        if self.aside {
            self.executor_stops
        } else {
            self.life.stopping.is_some()
        }
    }

    /// A line that says something without an exception.
    pub(super) fn say(&mut self, fact: &Fact, said: Said) {
        let order = self.order;
        self.streams.fails(fact.place);
        if said.weight == Weight::Waiting {
            self.life.waiting = order;
        }
        if let Some((index, place)) = self.said_last
            && place == fact.place
        {
            let known = self.failures[index].said;
            if known.is_some_and(|known| known.weight < said.weight) {
                self.failures[index].said = Some(said);
            }
            self.failures[index].last_order = order;
            return;
        }
        let message = fact.message().trim();
        if message.is_empty() {
            return;
        }
        let message = sentence_of_member(message).unwrap_or(message);
        let print = Fingerprint::of_words(message);
        let index = match self.known.first(print) {
            Some(index) => index,
            None if self.is_full() => return,
            None => {
                // A test's summary names what ended it.
                let (class, message) = failed_test(message).unwrap_or((said.class, message));
                let throwable = Throwable {
                    relation: Relation::Top,
                    language: Language::Jvm,
                    class: Symbol::new(class),
                    message: message.to_owned(),
                    own: message.len(),
                    place: fact.place,
                    text: fact.text.clone(),
                    frames: Vec::new(),
                };
                let line = TraceLine {
                    place: fact.place,
                    kind: LineKind::Header,
                    cause: Some(0),
                };
                let mut failure = Failure::new(print, vec![throwable], vec![line], order);
                failure.said = Some(said);
                failure.while_stopping = self.stopping();
                self.add(failure)
            }
        };
        self.failures[index].seen(fact, order, self.aside);
        self.said_last = Some((index, fact.place));
    }

    /// The failure that a repeated attempt's line names: one of that class, known of that task set.
    fn repeated(&self, line: &TaskLine, class: &str) -> Option<usize> {
        let named = |index: usize| {
            self.failures[index]
                .chain
                .iter()
                .any(|t| &*t.class == class)
        };
        (line.duplicate && !class.is_empty())
            .then(|| self.attempts.failure_in_stage(line.task, named))
            .flatten()
    }

    /// The failure that a repeated attempt's line names, where the log does not hold the line that told it in full.
    fn failure_of_words(&mut self, fact: &Fact, line: &TaskLine, class: &str) -> Option<usize> {
        if !line.duplicate
            || !class.contains('.')
            || !class.ends_with("Exception") && !class.ends_with("Error")
        {
            return None;
        }
        let trace = trace_of_words(fact, line, class);
        let (order, aside) = (self.order, self.aside);
        let stopping = self.stopping();
        let telling = Telling::of(&trace);
        let index = self.failure(&telling, Some(&trace), order)?;
        let failure = &mut self.failures[index];
        failure.while_stopping = failure.while_stopping || failure.count == 0 && stopping;
        failure.in_task = true;
        failure.add_trace(&telling, Some(&trace), None, order);
        failure.seen(fact, order, aside);
        Some(index)
    }

    /// An attempt that ended without a trace of its own.
    fn task_ended(&mut self, fact: &Fact, line: &TaskLine) {
        self.life.task = self.order;
        let outcome =
            if line.reason.starts_with("TaskKilled") || line.reason.contains("TaskKilled (") {
                AttemptOutcome::Killed
            } else if effect_of_loss(&line.reason) {
                AttemptOutcome::Lost
            } else {
                AttemptOutcome::Failed
            };
        // A repeated failure is logged as `class (message) [duplicate n]`.
        let class = line.reason.split([' ', ':', '(']).next().unwrap_or("");
        let failure = self.repeated(line, class);
        let failure = failure.or_else(|| self.failure_of_words(fact, line, class));
        let (class, message) = match failure {
            Some(index) => {
                let root = self.failures[index].root();
                let message = self.attempts.message(index, first_line(&root.message));
                (root.class.clone(), message)
            }
            None => (
                Symbol::new(if class.contains('.') { class } else { "" }),
                first_line(&line.reason).into(),
            ),
        };
        let seen = AttemptSeen {
            line: line.clone(),
            failure,
            class,
            message,
            outcome,
            place: fact.place,
            time: fact.time,
            own: None,
        };
        self.attempts.add(seen, &mut self.ledger.left_out);
        if outcome != AttemptOutcome::Killed
            && failure.is_none()
            && !line.reason.is_empty()
            && effect::says_effect(&line.reason)
        {
            self.say(fact, Said::symptom(Stand::Cluster));
        }
    }
}
