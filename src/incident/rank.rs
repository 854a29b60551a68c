//! In: everything that was linked. Out: the [`Story`]: which failure ended the run, what is only its effect, how the run ended.
//!
//! The order in which things are asked: what the driver's interpreter said last; what the cluster manager
//! said; what the scheduler gave up; what a container or a JVM died of; what was logged loudest. An effect gives
//! way to what happened before it and says more.

use super::attempts::verdict;
use super::builder::Builder;
use super::cause::Cause;
use super::effect;
use super::failure::Failure;
use super::incident::{Evidence, Incident, Role};
use super::placing;
use super::story::{Outcome, Story};
use crate::fact::{Frame, Language, Owner, Stand, TaskId, Throwable, Weight};
use crate::record::Level;

/// Incidents that are told; the least important of more are left out.
const INCIDENTS_CAP: usize = 500;

/// Makes the story.
pub(super) fn story(builder: Builder) -> Story {
    let verdict = judge(&builder);
    let mut order: Vec<usize> = (0..builder.failures.len())
        .filter(|i| worth_telling(&builder, *i, &verdict))
        .collect();
    order.sort_by_key(|i| {
        (
            verdict.role(*i, &builder),
            verdict.fatal != Some(*i),
            quiet(&builder.failures[*i]),
            builder.failures[*i].first_order,
        )
    });
    order.truncate(INCIDENTS_CAP);
    let position = |failure: usize| order.iter().position(|i| *i == failure);
    let incidents: Vec<Incident> = order
        .iter()
        .map(|i| {
            let mut incident = incident(&builder, *i, verdict.role(*i, &builder));
            if verdict.effects.contains(i) {
                incident.effect_of = verdict.fatal.and_then(position);
            }
            if verdict.fatal == Some(*i) {
                incident.evidence = verdict.evidence;
                if let Some(last) = verdict.last.filter(|last| last != i) {
                    complete(&mut incident, &builder, last);
                }
            }
            incident
        })
        .collect();
    let ledger = builder.ledger;
    Story {
        outcome: verdict.outcome,
        outcome_evidence: ledger.end.map(|end| end.place).into_iter().collect(),
        spark: ledger.spark,
        incidents,
        stages: ledger.stages.into_values().collect(),
        executors: ledger.executors.into_values().collect(),
        first: ledger.first,
        last: ledger.last,
        ..Story::default()
    }
}

/// Which failure ended the run, and how it ended.
struct Judgement {
    fatal: Option<usize>,
    /// The failure in which the fatal one showed in the end.
    last: Option<usize>,
    /// Failures that the fatal one set off.
    effects: Vec<usize>,
    evidence: Evidence,
    outcome: Outcome,
}

impl Judgement {
    fn role(&self, failure: usize, builder: &Builder) -> Role {
        let f = &builder.failures[failure];
        if self.fatal == Some(failure) {
            Role::Fatal
        } else if self.effects.contains(&failure)
            || f.while_stopping
            || effect::is_effect(f.root()) && self.fatal.is_some()
        {
            Role::Noise
        } else {
            Role::Recovered
        }
    }
}

fn judge(builder: &Builder) -> Judgement {
    let ended = builder.ledger.end;
    let killed = builder.ledger.signal.as_ref().filter(|(_, order, _)| {
        builder
            .failures
            .iter()
            .all(|f| f.last_word.is_none_or(|w| w > *order))
            && builder.gave_up.iter().all(|g| g.order > *order)
    });
    if ended.is_some_and(|end| end.succeeded == Some(true)) && !ended_badly(builder) {
        let outcome = if builder.failures.iter().any(|f| f.said.is_none()) {
            Outcome::Recovered
        } else {
            Outcome::Succeeded
        };
        return Judgement {
            fatal: None,
            last: None,
            effects: Vec::new(),
            evidence: Evidence::Root,
            outcome,
        };
    }
    // A shutdown hook that runs before anything failed, and tears tasks down, was called from outside.
    let torn_down = builder.life.stopping.is_some_and(|stopping| {
        builder
            .failures
            .iter()
            .any(|f| f.in_task && f.while_stopping)
            && builder
                .failures
                .iter()
                .all(|f| f.said.is_some() || f.first_order > stopping)
    }) && builder.gave_up.is_empty();
    if killed.is_some() || torn_down {
        return Judgement {
            fatal: None,
            last: None,
            effects: Vec::new(),
            evidence: Evidence::Root,
            outcome: Outcome::Killed,
        };
    }
    let Some(last) = last_word(builder) else {
        let waiting = builder.life.waiting > builder.life.task.max(builder.life.output);
        let stuck = waiting
            .then(|| {
                builder
                    .failures
                    .iter()
                    .rposition(|f| f.said.is_some_and(|s| s.weight == Weight::Waiting))
            })
            .flatten();
        let outcome = if stuck.is_some() {
            Outcome::Stuck
        } else if ended.is_some_and(|end| end.succeeded.is_none()) {
            Outcome::Killed
        } else if builder.failures.iter().any(|f| f.said.is_none()) {
            Outcome::Recovered
        } else if builder.life.stopping.is_some()
            || builder.life.output > 0 && !builder.ended_at_work
        {
            Outcome::Succeeded
        } else {
            Outcome::Unknown
        };
        let evidence = if stuck.is_some() {
            Evidence::SymptomOnly
        } else {
            Evidence::Root
        };
        return Judgement {
            fatal: stuck,
            last: None,
            effects: Vec::new(),
            evidence,
            outcome,
        };
    };
    let interrupted = builder
        .failures
        .iter()
        .any(|f| f.last_word.is_some() && f.root().short_class() == "KeyboardInterrupt")
        || builder.failures.iter().any(interrupted_by_hand);
    let (fatal, evidence) = cause_of(builder, last);
    let mut effects: Vec<usize> = if fatal == last {
        Vec::new()
    } else {
        vec![last]
    };
    effects.extend((0..builder.failures.len()).filter(|i| {
        let f = &builder.failures[*i];
        *i != fatal
            && *i != last
            && f.first_order > builder.failures[fatal].first_order
            && (effect::is_effect(f.root()) || effect::says_effect(&f.root().message))
    }));
    let outcome = if interrupted {
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

/// Whether PySpark's handler of Ctrl-C stands in the traceback.
fn interrupted_by_hand(failure: &Failure) -> bool {
    failure
        .chain
        .iter()
        .flat_map(|t| &t.frames)
        .any(|f| &*f.function == "signal_handler" && f.file.contains("pyspark/"))
}

/// Whether the last word on the run is bad: the wrappers' false alarms are not asked.
fn ended_badly(builder: &Builder) -> bool {
    builder
        .ledger
        .end
        .is_some_and(|end| end.succeeded == Some(false))
}

/// The failure that the run's last words are about.
fn last_word(builder: &Builder) -> Option<usize> {
    let failures = &builder.failures;
    let bad_end = ended_badly(builder);
    let went_on = |order: u64| builder.life.work > order || builder.life.output > order && !bad_end;
    let latest = |fits: &dyn Fn(&Failure) -> Option<u64>| {
        failures
            .iter()
            .enumerate()
            .filter_map(|(i, f)| fits(f).map(|order| (order, i)))
            .max()
            .filter(|(order, _)| !went_on(*order))
            .map(|(_, i)| i)
    };
    let driver_died = latest(&|f| f.last_word.filter(|_| f.said.is_none()));
    if driver_died.is_some() {
        return driver_died;
    }
    if !builder.ledger.end_reason.is_empty() {
        let reason = &builder.ledger.end_reason;
        let named = failures.iter().rposition(|f| {
            f.said.is_none()
                && f.chain.iter().any(|t| {
                    !t.class.is_empty()
                        && reason.contains(&*t.class)
                        && reason.contains(first_words(&t.message))
                })
        });
        if named.is_some() {
            return named;
        }
    }
    if let Some(given_up) = builder.gave_up.iter().rev().find(|g| !went_on(g.order)) {
        let last = builder
            .attempts
            .of(given_up.task)
            .filter_map(|seen| seen.failure)
            .last();
        let last = last.or_else(|| failures.iter().rposition(|f| f.in_task));
        if last.is_some() {
            return last;
        }
    }
    let thrown = |f: &Failure, level: Level| {
        (f.said.is_none() && f.level.is_none_or(|l| l >= level) && !f.while_stopping)
            .then_some(f.last_order)
    };
    latest(&|f| {
        f.said
            .filter(|s| s.weight == Weight::Cause && s.stand != Stand::Cluster)
            .map(|_| f.last_order)
    })
    .or_else(|| latest(&|f| thrown(f, Level::Error).filter(|_| !harmless(f))))
    .or_else(|| {
        latest(&|f| {
            f.said
                .filter(|s| s.weight == Weight::Cause)
                .map(|_| f.last_order)
        })
    })
    .or_else(|| {
        bad_end
            .then(|| latest(&|f| thrown(f, Level::Warn)))
            .flatten()
    })
    .or_else(|| {
        bad_end
            .then(|| {
                latest(&|f| {
                    f.said
                        .filter(|s| s.weight == Weight::Symptom && f.level >= Some(Level::Warn))
                        .map(|_| f.last_order)
                })
            })
            .flatten()
    })
    .or_else(|| {
        latest(&|f| {
            f.said
                .filter(|s| {
                    s.weight == Weight::Symptom
                        && s.stand == Stand::Cluster
                        && f.level >= Some(Level::Error)
                })
                .map(|_| f.last_order)
        })
    })
}

/// What set `last` off, and whether the log holds it.
fn cause_of(builder: &Builder, last: usize) -> (usize, Evidence) {
    let failures = &builder.failures;
    let only_effect = |f: &Failure| {
        f.said.map_or_else(
            || effect::is_effect(f.root()),
            |s| s.weight != Weight::Cause,
        )
    };
    if !only_effect(&failures[last]) && !names_what_was_lost(builder, last) {
        return (last, Evidence::Root);
    }
    let before = failures[last].last_order;
    let cluster = failures
        .iter()
        .enumerate()
        .filter(|(i, f)| {
            *i != last
                && f.first_order < before
                && f.said.is_some_and(|s| s.weight == Weight::Cause)
        })
        .map(|(i, _)| i)
        .next();
    let thrown = failures
        .iter()
        .enumerate()
        .filter(|(i, f)| {
            *i != last
                && f.first_order < before
                && f.said.is_none()
                && !only_effect(f)
                && !harmless(f)
                && f.level.is_none_or(|l| l >= Level::Warn)
        })
        .map(|(i, _)| i)
        .next();
    // An executor's own error beats what the cluster says of it; a container's death beats everything it set off.
    if let Some(found) = match (cluster, thrown) {
        (Some(c), Some(t)) if failures[t].first_order < failures[c].first_order => Some(t),
        (Some(c), _) => Some(c),
        (None, t) => t,
    } {
        return (found, Evidence::Root);
    }
    let symptom = failures.iter().position(|f| {
        f.first_order < before
            && f.said
                .is_some_and(|s| s.weight == Weight::Symptom && s.stand == Stand::Cluster)
            && !f.while_stopping
    });
    (symptom.unwrap_or(last), Evidence::SymptomOnly)
}

/// Whether a failure speaks of an executor that had gone away before: it is that loss's effect.
fn names_what_was_lost(builder: &Builder, index: usize) -> bool {
    let root = builder.failures[index].root();
    builder.ledger.executors.values().any(|e| {
        e.exit_code != Some(0)
            && e.place.is_some_and(|p| p < root.place)
            && names_executor(&root.message, &e.id)
    })
}

fn names_executor(message: &str, id: &str) -> bool {
    message.match_indices("executor ").any(|(at, word)| {
        let rest = &message[at + word.len()..];
        rest.strip_prefix(id)
            .is_some_and(|after| !after.starts_with(|c: char| c.is_ascii_alphanumeric()))
    })
}

/// Failures that Spark logs and lives with.
fn harmless(failure: &Failure) -> bool {
    const LIVE_WITH: &[&str] = &[
        "AsyncEventQueue",
        "CodeGenerator",
        "ShutdownHookManager",
        "NativeCodeLoader",
        "HiveConf",
        "MetricsSystem",
        "ProcfsMetricsGetter",
        "LiveListenerBus",
        "AppStatusListener",
    ];
    failure
        .logger
        .as_deref()
        .is_some_and(|l| LIVE_WITH.iter().any(|name| l.ends_with(name)))
        || failure.killed_thread && failure.last_word.is_none() && effect::is_effect(failure.root())
}

/// Whether a failure is worth an incident of its own: bare complaints are told only where they are the answer.
fn worth_telling(builder: &Builder, index: usize, verdict: &Judgement) -> bool {
    let failure = &builder.failures[index];
    verdict.fatal == Some(index)
        || failure.said.is_none()
        || failure.said.is_some_and(|s| s.weight == Weight::Cause)
}

fn quiet(failure: &Failure) -> bool {
    failure.level.is_some_and(|l| l < Level::Warn)
}

fn incident(builder: &Builder, index: usize, role: Role) -> Incident {
    let failure = &builder.failures[index];
    let side = placing::side(failure);
    let task = task(builder, index);
    let attempts = task
        .map(|task| builder.attempts.told(task, index))
        .unwrap_or_default();
    let user = user_frame(failure);
    Incident {
        role,
        root: failure.root,
        chain: failure.chain.iter().map(cause).collect(),
        evidence: Evidence::Root,
        next: Vec::new(),
        side: Some(side),
        phase: Some(placing::phase(failure, side)),
        action_frame: failure.action.clone().filter(|action| {
            user.as_ref()
                .is_none_or(|user| (&user.file, user.line) != (&action.file, action.line))
        }),
        user_frame: user,
        task,
        verdict: verdict(&attempts),
        attempts,
        trace: failure.lines.clone(),
        occurrences: failure.occurrences.clone(),
        count: failure.count,
        first: failure.first,
        last: failure.last,
        effect_of: None,
    }
}

/// Takes from the failure in which a cause showed in the end what the cause itself does not tell: the
/// user's lines and the task.
fn complete(incident: &mut Incident, builder: &Builder, last: usize) {
    let shown = &builder.failures[last];
    if incident.user_frame.is_none() {
        incident.user_frame = user_frame(shown);
        incident.action_frame = None;
    }
    if incident.task.is_none() {
        incident.task = task(builder, last);
        incident.attempts = incident
            .task
            .map(|task| builder.attempts.told(task, last))
            .unwrap_or_default();
        incident.verdict = verdict(&incident.attempts);
    }
}

/// The task that failed of it: the one that was given up, before any other.
fn task(builder: &Builder, index: usize) -> Option<TaskId> {
    let given_up = builder.gave_up.iter().rev().map(|g| g.task).find(|task| {
        builder
            .attempts
            .of(*task)
            .any(|seen| seen.failure == Some(index))
    });
    given_up.or_else(|| builder.attempts.task_of_failure(index))
}

/// The user's own line that the root points at: of the root, else of what wraps it, from the inside out.
/// Where there is Python, it is the user's language, and a jar of theirs is a library to it.
fn user_frame(failure: &Failure) -> Option<Frame> {
    let own = |language: Option<Language>| {
        let of = |t: &Throwable| {
            let speaks = language.is_none_or(|l| t.language == l);
            t.frames
                .iter()
                .find(|f| speaks && f.owner == Owner::User && f.line.is_some())
                .cloned()
        };
        of(failure.root()).or_else(|| failure.chain[..failure.root].iter().rev().find_map(of))
    };
    let python = failure
        .user
        .clone()
        .filter(|f| f.file.ends_with(".py") || !f.file.contains('.'));
    own(Some(Language::Python))
        .or(python)
        .or_else(|| failure.action.clone())
        .or_else(|| own(None))
        .or_else(|| failure.user.clone())
}

fn cause(throwable: &Throwable) -> Cause {
    let (condition, sqlstate) = super::condition::of(&throwable.message);
    Cause {
        relation: throwable.relation,
        side: None,
        class: throwable.class.clone(),
        message: throwable.message.as_str().into(),
        condition,
        sqlstate,
        place: throwable.place,
        text: throwable.text.clone(),
        frames: throwable.frames.clone(),
    }
}

fn first_words(message: &str) -> &str {
    let line = message.lines().next().unwrap_or("");
    line.char_indices()
        .nth(24)
        .map_or(line, |(at, _)| &line[..at])
}
