//! In: everything that was linked. Out: the failure that a run's last words are about.
//!
//! They are asked for in this order: what an interpreter printed last; what the cluster manager said; what the scheduler
//! gave up; what a container or a JVM died of and what was logged loudest; what else was told of a bad end; what a task
//! died of.

use super::builder::Builder;
use super::failure::Failure;
use crate::fact::{Language, Stand, Weight};
use crate::record::Level;

/// Lines of output, which are the answer only where nothing follows them.
pub(super) const OUTPUT: &[Stand] = &[Stand::Program, Stand::Statement];

/// Whether a failure is a line of one of these stands.
pub(super) fn stands(failure: &Failure, any: &[Stand]) -> bool {
    failure.said.is_some_and(|said| any.contains(&said.stand))
}

/// The failure that the run's last words are about.
pub(super) fn last_word(builder: &Builder) -> Option<usize> {
    let words = LastWords::of(builder);
    words
        .died()
        .or_else(|| named_by_the_manager(builder))
        .or_else(|| words.gave_up())
        .or_else(|| words.told())
        .or_else(|| words.of_a_bad_end())
        .or_else(|| words.of_a_task())
}

/// The failures of a run, to be asked for its last words.
struct LastWords<'b> {
    builder: &'b Builder,
    failures: &'b [Failure],
    /// Whether somebody said that the run ended badly.
    bad_end: bool,
}

impl<'b> LastWords<'b> {
    fn of(builder: &'b Builder) -> Self {
        let end = builder.ledger.end;
        Self {
            builder,
            failures: &builder.failures,
            bad_end: end.is_some_and(|end| end.succeeded == Some(false)),
        }
    }

    /// Whether work, or output that nobody called bad in the end, came after.
    fn went_on(&self, order: u64) -> bool {
        let life = &self.builder.life;
        life.work > order || life.output > order && !self.bad_end
    }

    /// The one that was told last of those that count and fit.
    fn latest(&self, fits: impl Fn(&Failure) -> bool) -> Option<(usize, &'b Failure)> {
        let fitting = self
            .failures
            .iter()
            .enumerate()
            .filter(|(_, f)| self.builder.counts(f) && fits(f));
        fitting.max_by_key(|(_, f)| f.last_order)
    }

    /// The same, unless the run went on after it.
    fn last(&self, fits: impl Fn(&Failure) -> bool) -> Option<usize> {
        let found = self.latest(fits);
        found
            .filter(|(_, f)| !self.went_on(f.last_order))
            .map(|(i, _)| i)
    }

    /// What an interpreter printed last is its end, whatever a wrapper printed behind it. But a traceback in which Spark
    /// has no part may be a program's own data, where more output follows. Where a streaming query ended it, others go
    /// on until the context is stopped; below what somebody cut out stands what they ask.
    fn died(&self) -> Option<usize> {
        let life = &self.builder.life;
        let survived = |word: u64, f: &Failure| {
            if f.streaming {
                return life.output > word && !is_excerpt(self.builder);
            }
            life.work > word || !f.speaks_spark && self.went_on(word)
        };
        let words = self
            .failures
            .iter()
            .enumerate()
            .filter(|(_, f)| self.builder.counts(f))
            .filter_map(|(i, f)| f.last_word.map(|word| (word, i)));
        words
            .max()
            .filter(|(word, i)| !survived(*word, &self.failures[*i]))
            .map(|(_, i)| i)
    }

    /// That of the last attempt of the task that the scheduler gave up.
    fn gave_up(&self) -> Option<usize> {
        let mut given_up = self.builder.gave_up.iter().rev();
        let given_up = given_up.find(|given_up| !self.went_on(given_up.order))?;
        let last = self.builder.attempts.failures_of(given_up.task).last();
        // Its last attempt may have gone with its executor: what took that away was said.
        let taken = |f: &Failure| stands(f, &[Stand::Cluster]) && f.level >= Some(Level::Warn);
        let any = |fits: &dyn Fn(&Failure) -> bool| {
            let counts = |f: &Failure| self.builder.counts(f) && fits(f);
            self.failures.iter().rposition(counts)
        };
        last.or_else(|| any(&|f| f.in_task)).or_else(|| any(&taken))
    }

    /// What was told as a cause, or loudly.
    fn told(&self) -> Option<usize> {
        const BELOW: &[Stand] = &[Stand::Cluster, Stand::Program, Stand::Statement];
        let life = &self.builder.life;
        let unless_after = |found: Option<(usize, &Failure)>, order: u64| {
            found.filter(|(_, f)| f.last_order > order).map(|(i, _)| i)
        };
        self.last(|f| is_said(f, Weight::Cause) && !stands(f, BELOW))
            .or_else(|| self.last(|f| f.killed_thread && !f.is_effect()))
            .or_else(|| self.last(|f| is_thrown(f, Level::Error) && !harmless(f)))
            // What a container or a JVM died of stands, whatever was printed after it, unless work went on.
            .or_else(|| {
                let found = self.latest(|f| is_said(f, Weight::Cause) && !stands(f, OUTPUT));
                unless_after(found, life.work)
            })
            .or_else(|| {
                let complains =
                    |f: &Failure| stands(f, OUTPUT) && (self.bad_end || is_said(f, Weight::Cause));
                unless_after(self.latest(complains), life.work.max(life.output))
            })
    }

    /// What else was told, where somebody said that the run ended badly. A loss alone ends nothing where no job failed
    /// and the context was stopped in order.
    fn of_a_bad_end(&self) -> Option<usize> {
        let symptom = |f: &Failure| is_said(f, Weight::Symptom);
        let of_bad_end = |fits: &dyn Fn(&Failure) -> bool| {
            let found = self.bad_end.then(|| self.latest(fits)).flatten();
            found.map(|(i, _)| i)
        };
        let lost = self.builder.life.stopping.is_none() || self.builder.ledger.job_failed.is_some();
        of_bad_end(&|f| is_thrown(f, Level::Warn))
            .or_else(|| of_bad_end(&|f| symptom(f) && f.level >= Some(Level::Warn)))
            .or_else(|| {
                let loud = |f: &Failure| f.level >= Some(Level::Error);
                self.last(|f| symptom(f) && lost && stands(f, &[Stand::Cluster]) && loud(f))
            })
            .or_else(|| of_bad_end(&|f| symptom(f) && f.level.is_none()))
            .or_else(|| of_bad_end(&symptom))
    }

    /// What a task died of last stands, however softly it was told, where its job failed or nothing else is known.
    fn of_a_task(&self) -> Option<usize> {
        let builder = self.builder;
        let excerpt = is_excerpt(builder);
        let ended = builder.ledger.job_failed.is_some() || excerpt;
        if builder.life.stopping.is_some() || !ended {
            return None;
        }
        let died = |f: &Failure| {
            f.in_task
                || f.killed_thread && f.root().language == Language::Jvm
                // Nobody cuts out of a log what was lived with, and stops at it.
                || excerpt && f.last_order >= builder.order && f.level >= Some(Level::Warn)
        };
        let found =
            self.latest(|f| f.said.is_none() && died(f) && !f.while_stopping && !harmless(f));
        // Below what somebody cut out may stand what they ask.
        let survived = |f: &Failure| {
            builder.life.work > f.last_order || !excerpt && self.went_on(f.last_order)
        };
        found.filter(|(_, f)| !survived(f)).map(|(i, _)| i)
    }
}

/// Whether an exception was thrown while the run went on, and told as loudly at least, or printed.
fn is_thrown(failure: &Failure, level: Level) -> bool {
    failure.said.is_none() && !failure.while_stopping && failure.level.is_none_or(|l| l >= level)
}

/// Whether no exception but a line says it, with that weight.
fn is_said(failure: &Failure, weight: Weight) -> bool {
    failure.said.is_some_and(|said| said.weight == weight)
}

/// Whether no more was opened than somebody cut out of a log: it tells neither which run this is nor of any work, and will
/// not go on.
pub(super) fn is_excerpt(builder: &Builder) -> bool {
    let ledger = &builder.ledger;
    !builder.opened.goes_on
        && builder.life.work == 0
        && !builder.life.begun
        && ledger.end.is_none()
        && ledger.spark.version.is_none()
        && ledger.spark.app_id.is_none()
}

/// The failure that the cluster manager gives as its reason.
fn named_by_the_manager(builder: &Builder) -> Option<usize> {
    let reason = &builder.ledger.end_reason;
    if reason.is_empty() {
        return None;
    }
    builder.failures.iter().rposition(|f| {
        f.said.is_none()
            && builder.counts(f)
            && f.chain.iter().any(|t| {
                !t.class.is_empty()
                    && reason.contains(&*t.class)
                    && reason.contains(first_words(&t.message))
            })
    })
}

/// Failures that Spark logs and lives with.
pub(super) fn harmless(failure: &Failure) -> bool {
    const LIVE_WITH: &[&str] = &[
        "AsyncEventQueue",
        "CodeGenerator",
        "ShutdownHookManager",
        "NativeCodeLoader",
        "HiveConf",
        "MetricsSystem",
        "ProcfsMetricsGetter",
        "ExecutionListenerManager",
        "LiveListenerBus",
        "AppStatusListener",
    ];
    failure
        .logger
        .as_deref()
        .is_some_and(|logger| LIVE_WITH.iter().any(|name| logger.ends_with(name)))
        || failure.killed_thread && failure.last_word.is_none() && failure.is_effect()
}

fn first_words(message: &str) -> &str {
    let line = message.lines().next().unwrap_or("");
    line.char_indices()
        .nth(24)
        .map_or(line, |(at, _)| &line[..at])
}
