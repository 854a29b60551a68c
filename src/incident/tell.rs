//! In: everything that was linked, and the judgement on it. Out: the [`Story`].

use super::attempts::verdict;
use super::builder::Builder;
use super::cause::{Cause, Side};
use super::failure::Failure;
use super::incident::{Evidence, Incident, Phase, Role};
use super::judge::{Judgement, judge};
use super::story::Story;
use super::{effect, losses, next, placing};
use crate::fact::{Frame, Language, Owner, Relation, Stand, TaskId, Throwable, Weight};
use crate::record::Level;
use crate::text::Symbol;
use std::collections::HashMap;

/// Incidents that are told; the least important of more are left out.
const INCIDENTS_CAP: usize = 500;

/// Makes the story.
pub(super) fn story(mut builder: Builder) -> Story {
    let judgement = judge(&builder);
    let roles: Vec<Role> = (0..builder.failures.len())
        .map(|i| role(i, &judgement, &builder))
        .collect();
    let mut order: Vec<usize> = (0..builder.failures.len())
        .filter(|i| {
            worth_telling(
                &builder.failures[*i],
                judgement.fatal == Some(*i),
                judgement.fatal.is_none(),
            )
        })
        .collect();
    order.sort_by_key(|i| {
        let failure = &builder.failures[*i];
        (
            roles[*i],
            judgement.fatal != Some(*i),
            quiet(failure),
            failure.first_order,
        )
    });
    losses::join(&mut builder.failures, &mut order, judgement.fatal);
    order.truncate(INCIDENTS_CAP);
    let tasks = tasks(&builder);
    let names_loss = names_loss(&builder);
    let position = |failure: usize| order.iter().position(|i| *i == failure);
    let incidents: Vec<Incident> = order
        .iter()
        .map(|i| {
            let mut incident = incident(&builder, &tasks, *i, roles[*i]);
            if !names_loss {
                incident.chain.iter_mut().for_each(without_loss);
            }
            if judgement.set_off(*i) {
                incident.effect_of = judgement.fatal.and_then(position);
            } else if judgement.fatal != Some(*i) {
                incident.effect_of = losses::behind_fetch(&builder, *i, &order).and_then(position);
            }
            if judgement.fatal == Some(*i) {
                incident.evidence = judgement.evidence;
                if let Some(last) = judgement.last.filter(|last| last != i) {
                    complete(&mut incident, &builder, &tasks, last);
                }
            }
            incident
        })
        .collect();
    let ledger = builder.ledger;
    let (settings, setting_places) = ledger
        .settings
        .into_iter()
        .map(|(key, (value, place))| ((key.clone(), value), (key, place)))
        .unzip();
    let ended = ledger.end.is_some() || ledger.signal.is_some() || builder.life.stopping.is_some();
    let mut story = Story {
        outcome: judgement.outcome,
        outcome_evidence: ledger
            .end
            .map(|end| end.place)
            .into_iter()
            .chain(ledger.signal.map(|(_, _, place)| place))
            .collect(),
        ended,
        spark: ledger.spark,
        incidents,
        stages: ledger.stages.into_values().collect(),
        executors: ledger.executors.into_values().collect(),
        executor_logs: builder.executor_logs,
        profiles: builder.profiles.told(),
        settings,
        setting_places,
        left_out: ledger.left_out,
        first: ledger.first,
        last: ledger.last,
        ..Story::default()
    };
    next::fill(&mut story);
    story
}

fn role(index: usize, judgement: &Judgement, builder: &Builder) -> Role {
    let failure = &builder.failures[index];
    if judgement.fatal == Some(index) {
        Role::Fatal
    } else if judgement.set_off(index)
        || failure.while_stopping
        || judgement
            .fatal
            .is_some_and(|fatal| builder.failures[fatal].first_order < failure.first_order)
            && failure.is_effect()
    {
        Role::Noise
    } else {
        Role::Recovered
    }
}

/// Whether a failure is worth an incident of its own: a bare complaint is told only where it is the answer, and what a shell
/// prints of a statement that failed also where `nothing` ended its session.
fn worth_telling(failure: &Failure, fatal: bool, nothing: bool) -> bool {
    fatal
        || failure.said.is_none_or(|said| {
            said.weight == Weight::Cause
                && match said.stand {
                    Stand::Program => false,
                    Stand::Statement => nothing,
                    _ => true,
                }
        })
}

fn quiet(failure: &Failure) -> bool {
    failure.level.is_some_and(|level| level < Level::Warn)
}

/// Takes from the failure in which a cause showed in the end what the cause itself does not tell: the
/// user's lines and the task.
fn complete(
    incident: &mut Incident,
    builder: &Builder,
    tasks: &HashMap<usize, TaskId>,
    last: usize,
) {
    let shown = &builder.failures[last];
    if placing::phase(shown, placing::side(shown)) == Phase::Startup {
        incident.phase = Some(Phase::Startup);
    }
    if incident.user_frame.is_none() {
        incident.user_frame = user_frame(shown);
        incident.action_frame = None;
    }
    if incident.task.is_none() {
        incident.task = tasks.get(&last).copied();
        incident.attempts = incident
            .task
            .map(|task| builder.attempts.told(task, last))
            .unwrap_or_default();
        incident.others = (incident.task)
            .map(|task| builder.attempts.of_others(task, last))
            .unwrap_or_default();
        incident.verdict = verdict(&incident.attempts);
    }
}

fn incident(
    builder: &Builder,
    tasks: &HashMap<usize, TaskId>,
    index: usize,
    role: Role,
) -> Incident {
    let failure = &builder.failures[index];
    let side = placing::side(failure);
    let task = tasks.get(&index).copied();
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
        phase: Some(if fails_at_its_head(builder, failure) {
            Phase::Startup
        } else {
            placing::phase(failure, side)
        }),
        action_frame: failure.action.clone().filter(|action| {
            user.as_ref()
                .is_none_or(|user| (&user.file, user.line) != (&action.file, action.line))
        }),
        user_frame: user,
        task,
        verdict: verdict(&attempts),
        others: task.map_or_else(Vec::new, |task| builder.attempts.of_others(task, index)),
        attempts,
        trace: failure.lines.clone(),
        occurrences: failure.occurrences.clone(),
        count: failure.count,
        first: failure.first,
        last: failure.last,
        effect_of: None,
    }
}

/// Whether the script ended before it had made a session: at an import, in a log without a word of Spark's that has a
/// time, or without one of its version where a launcher's words on its end are there.
fn fails_at_its_head(builder: &Builder, failure: &Failure) -> bool {
    let ledger = &builder.ledger;
    let silent = ledger.first.is_none() || builder.life.stopping.is_some();
    silent && ledger.spark.version.is_none() && placing::fails_to_import(failure)
}

/// The task that failed of each failure: the one that was given up, before any other.
fn tasks(builder: &Builder) -> HashMap<usize, TaskId> {
    let mut tasks = builder.attempts.tasks();
    for given_up in &builder.gave_up {
        let failures = builder.attempts.failures_of(given_up.task);
        tasks.extend(failures.map(|failure| (failure, given_up.task)));
    }
    tasks
}

/// The user's own line that the root points at: of the root, else of what wraps it, from the inside out.
/// Where there is Python, it is the user's language, and a jar of theirs is a library to it.
fn user_frame(failure: &Failure) -> Option<Frame> {
    // A Python frame names its file where a JVM's names its class.
    let is_python = |f: &Frame| f.class == f.file;
    let own = |any_language: bool| {
        let of = |t: &Throwable| {
            t.frames
                .iter()
                .find(|f| {
                    f.owner == Owner::User && f.line.is_some() && (any_language || is_python(f))
                })
                .cloned()
        };
        of(failure.root()).or_else(|| failure.chain[..failure.root].iter().rev().find_map(of))
    };
    let python = failure.user.clone().filter(is_python);
    own(false)
        .or(python)
        .or_else(|| failure.action.clone())
        .or_else(|| own(true))
        .or_else(|| failure.user.clone())
        // The exemplar may be a task's own report, and the driver's trace of the same failure another one.
        .or_else(|| failure.around.clone())
}

/// Who raised one link of a chain, where its frames tell.
fn side(throwable: &Throwable) -> Option<Side> {
    let runs = |f: &Frame| {
        &*f.class == "org.apache.spark.scheduler.Task"
            || f.class
                .starts_with("org.apache.spark.executor.Executor$TaskRunner")
    };
    match throwable.language {
        Language::Python if throwable.relation == Relation::Worker => Some(Side::PythonWorker),
        Language::Python
            if throwable
                .frames
                .iter()
                .any(|f| f.file.ends_with("pyspark/worker.py")) =>
        {
            Some(Side::PythonWorker)
        }
        Language::Python => Some(Side::PythonDriver),
        Language::Jvm if throwable.frames.iter().any(runs) => Some(Side::JvmExecutor),
        Language::Jvm if throwable.frames.is_empty() => None,
        Language::Jvm => Some(Side::JvmDriver),
    }
}

/// Whether the log itself names the loss of an executor by the scheduler's class, wherever it does.
fn names_loss(builder: &Builder) -> bool {
    builder.attempts.names_loss
        || builder.failures.iter().any(|failure| {
            failure.chain.iter().any(|link| {
                link.text.contains(effect::LOST_EXECUTOR)
                    || link.message.contains(effect::LOST_EXECUTOR)
            })
        })
}

/// A lost executor is known by its class while it is judged; what is told is only the class that stands in the log.
fn without_loss(cause: &mut Cause) {
    if &*cause.class == effect::LOST_EXECUTOR {
        cause.class = Symbol::new("");
    }
}

fn cause(throwable: &Throwable) -> Cause {
    let (condition, sqlstate) = super::condition::of(&throwable.message);
    Cause {
        relation: throwable.relation,
        side: side(throwable),
        class: throwable.class.clone(),
        message: throwable.message.as_str().into(),
        condition,
        sqlstate,
        place: throwable.place,
        text: throwable.text.clone(),
        frames: throwable.frames.clone(),
    }
}
