//! In: everything that was linked. Out: the [`Judgement`]: which failure ended the run, what is only its effect, how the run ended.
//!
//! `last_word` tells which failure the run's last words are about. An effect gives way to what happened before it and says
//! more.

use super::builder::Builder;
use super::effect;
use super::ending::{after_failures, interrupted_by_hand, left_at_work, stopped_from_outside};
use super::failure::Failure;
use super::fingerprint::Fingerprint;
use super::incident::Evidence;
use super::last_word::{OUTPUT, harmless, is_excerpt, last_word, stands};
use super::story::Outcome;
use crate::fact::{Language, Stand, Weight};
use crate::record::{LastBar, Level};
use std::collections::HashSet;

/// Which failure ended the run, and how it ended.
#[derive(Debug)]
pub(super) struct Judgement {
    /// The failure that ended it.
    pub(super) fatal: Option<usize>,
    /// The failure in which the fatal one showed in the end.
    pub(super) last: Option<usize>,
    /// Failures that the fatal one set off, in ascending order.
    pub(super) effects: Vec<usize>,
    /// How well the fatal one is supported.
    pub(super) evidence: Evidence,
    /// How the run ended.
    pub(super) outcome: Outcome,
}

impl Judgement {
    /// Whether the fatal failure set that one off.
    pub(super) fn set_off(&self, failure: usize) -> bool {
        self.effects.binary_search(&failure).is_ok()
    }

    fn without_failure(outcome: Outcome) -> Self {
        Self {
            fatal: None,
            last: None,
            effects: Vec::new(),
            evidence: Evidence::Root,
            outcome,
        }
    }
}

/// Judges a run.
pub(super) fn judge(builder: &Builder) -> Judgement {
    let end = builder.ledger.end.and_then(|end| end.succeeded);
    if end == Some(true) {
        return Judgement::without_failure(after_failures(builder, Outcome::Succeeded));
    }
    if stopped_from_outside(builder) {
        return ended_by_somebody(builder, None)
            .unwrap_or_else(|| Judgement::without_failure(Outcome::Killed));
    }
    if let Some(last) = last_word(builder) {
        let ended = || {
            ended_by_somebody(builder, Some(last)).filter(|_| builder.failures[last].is_effect())
        };
        return ended().unwrap_or_else(|| failed(builder, last));
    }
    let waits = builder.life.waiting
        > builder
            .life
            .task
            .max(builder.life.output)
            .max(builder.life.work);
    let waiting = builder
        .failures
        .iter()
        .rposition(|f| f.said.is_some_and(|s| s.weight == Weight::Waiting));
    if let Some(waiting) = waiting.filter(|_| waits) {
        let stuck = Judgement::without_failure(Outcome::Stuck);
        return Judgement {
            fatal: Some(waiting),
            evidence: Evidence::SymptomOnly,
            ..stuck
        };
    }
    let at_work = left_at_work(builder);
    let stopping = builder.life.stopping.is_some();
    let killed = builder
        .ledger
        .end
        .is_some_and(|end| end.succeeded.is_none())
        || at_work && stopping;
    let went_well = match builder.last_bar {
        // Words alone, of a source in which no record has a time, may be anybody's.
        LastBar::None => builder.life.output > 0 && builder.ledger.first.is_some(),
        LastBar::AtWork => false,
        LastBar::Cleared => true,
    };
    let ended = stopping && !is_excerpt(builder)
        || builder.opened.driver && went_well && !at_work && !is_excerpt(builder);
    Judgement::without_failure(if killed {
        Outcome::Killed
    } else if end == Some(false) {
        Outcome::Failed
    } else {
        after_failures(
            builder,
            if ended {
                Outcome::Succeeded
            } else {
                Outcome::Unknown
            },
        )
    })
}

/// The judgement on a run that a person ended, where a log names who did it: that is the cause, wherever it stands.
fn ended_by_somebody(builder: &Builder, last: Option<usize>) -> Option<Judgement> {
    let failures = || builder.failures.iter();
    let fatal = failures().position(|f| effect::names_who_ended_it(f.root()))?;
    let effects = failures().enumerate();
    let effects = effects.filter(|(at, f)| *at != fatal && f.is_effect());
    Some(Judgement {
        fatal: Some(fatal),
        last: last.or(Some(fatal)),
        effects: effects.map(|(at, _)| at).collect(),
        evidence: Evidence::Root,
        outcome: Outcome::Killed,
    })
}

/// The judgement on a run that failed: `last` is what it said in the end.
fn failed(builder: &Builder, last: usize) -> Judgement {
    let (fatal, evidence) = cause_of(builder, last);
    let cause = &builder.failures[fatal];
    let below = below_the_root(cause);
    let effects = builder
        .failures
        .iter()
        .enumerate()
        .filter(|(i, f)| {
            *i != fatal
                && (*i == last
                    || f.said.is_none() && below.contains(&Fingerprint::of(f.root()))
                    || f.first_order > cause.first_order
                        && (f.is_effect() || effect::says_effect(&f.root().message)))
        })
        .map(|(i, _)| i)
        .collect();
    let by_hand = |f: &Failure| {
        interrupted_by_hand(f)
            || f.last_word.is_some() && f.root().short_class() == "KeyboardInterrupt"
    };
    let outcome = if builder.failures.iter().any(by_hand) || effect::names_a_kill(cause.root()) {
        Outcome::Killed
    } else {
        Outcome::Failed
    };
    Judgement {
        fatal: Some(fatal),
        last: Some(last),
        effects,
        evidence,
        outcome,
    }
}

/// What a chain holds below its root, where it says nothing: somebody may have logged that alone, too.
fn below_the_root(failure: &Failure) -> HashSet<Fingerprint> {
    let below = failure.chain.iter().skip(failure.root + 1);
    below.map(Fingerprint::of).collect()
}

/// What set `last` off, and whether what was opened holds it.
fn cause_of(builder: &Builder, last: usize) -> (usize, Evidence) {
    let failures = &builder.failures;
    let shown = &failures[last];
    if stands(shown, OUTPUT) {
        return behind_words(builder, last);
    }
    let only_effect = |f: &Failure| {
        f.said
            .map_or_else(|| f.is_effect(), |s| s.weight != Weight::Cause)
    };
    if shown.said.is_none() && effect::only_waited(shown.root()) {
        let died = died_meanwhile(builder, shown);
        return (died.unwrap_or(last), Evidence::Root);
    }
    if !only_effect(shown) && !names_what_was_lost(builder, shown) {
        return (last, Evidence::Root);
    }
    // An executor's log has an order of its own: only its clock can tell what came before.
    // A thread of the JVM may have died of what its bridge tells, and two processes print as they please.
    let bridge = |f: &Failure| {
        f.killed_thread
            && f.root().language == Language::Jvm
            && shown.root().language == Language::Python
    };
    let before = |f: &Failure| {
        if bridge(f) {
            true
        } else if f.aside {
            f.first <= shown.last
        } else {
            f.first_order < shown.last_order
        }
    };
    let causes = || {
        failures
            .iter()
            .enumerate()
            .filter(|(i, f)| *i != last && before(f) && !f.while_stopping)
    };
    let died = causes()
        .find(|(_, f)| f.said.is_some_and(|s| s.weight == Weight::Cause) && !stands(f, OUTPUT));
    let thrown = causes().find(|(_, f)| {
        f.said.is_none()
            && !only_effect(f)
            && !harmless(f)
            && f.level.is_none_or(|level| level >= Level::Warn)
    });
    // A container's death beats everything it set off, but not what came before it.
    let found = match (died, thrown) {
        (Some((_, d)), Some((t, thrown))) if thrown.first_order < d.first_order => Some(t),
        (Some((d, _)), _) => Some(d),
        (None, thrown) => thrown.map(|(t, _)| t),
    };
    if let Some(found) = found {
        return (found, Evidence::Root);
    }
    let symptom = causes().find(|(_, f)| {
        f.said.is_some_and(|s| s.weight == Weight::Symptom)
            && !effect::names_a_state(f.root())
            && stands(f, &[Stand::Cluster, Stand::Service])
    });
    // The reason may stand further down in the words of the failure itself.
    let evidence = if effect::names_a_cause(&shown.root().message) {
        Evidence::Root
    } else {
        Evidence::SymptomOnly
    };
    (symptom.map_or(last, |(i, _)| i), evidence)
}

/// What stands behind the program's own last words: an exception that it had caught since the last work, or
/// nothing but these words.
fn behind_words(builder: &Builder, last: usize) -> (usize, Evidence) {
    let words = builder.failures[last].last_order;
    let caught = builder.failures.iter().rposition(|f| {
        f.said.is_none()
            && !f.while_stopping
            && !harmless(f)
            && builder.counts(f)
            && (builder.life.work..words).contains(&f.last_order)
    });
    match caught {
        Some(caught) => (caught, Evidence::Root),
        None if stands(&builder.failures[last], &[Stand::Statement]) => (last, Evidence::Root),
        None => (last, Evidence::Inferred),
    }
}

/// The thread that died before somebody had waited in vain, or the memory that had run out.
fn died_meanwhile(builder: &Builder, waited: &Failure) -> Option<usize> {
    let died = |f: &Failure| {
        f.said.is_none()
            && (f.killed_thread || f.root().short_class() == "OutOfMemoryError")
            && !f.is_effect()
            && !harmless(f)
            && !f.while_stopping
            && f.first_order < waited.first_order
    };
    builder.failures.iter().position(died)
}

/// Whether a failure speaks of an executor that had gone away before: it is that loss's effect.
fn names_what_was_lost(builder: &Builder, failure: &Failure) -> bool {
    let root = failure.root();
    let ledger = &builder.ledger;
    let mut lost = ledger.executors.values().filter(|executor| {
        let order = ledger.lost.get(&executor.id);
        executor.exit_code != Some(0) && order.is_some_and(|&order| order < failure.last_order)
    });
    lost.any(|executor| effect::names_executor(&root.message, &executor.id))
}
