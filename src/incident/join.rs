//! In: a [`Story`] that the logs told, and an [`EventLog`] of the same run. Out: the story with what the event log adds.

use super::attempt::{Attempt, AttemptOutcome};
use super::attempts::verdict;
use super::builder::Builder;
use super::event_log::{attempts, executors, of_other_tasks, spark, stages};
use super::incident::{Incident, OTHERS_CAP, Phase, Role};
use super::sql::executions;
use super::stage::{Executor, FindingKind, Stage, StageStatus};
use super::story::{Outcome, SparkInfo, Story};
use crate::fact::event_log::{Ending, EventLog, LastFailure, TaskEnding, failures};
use crate::fact::{Fact, FactKind, TaskId};
use crate::text::{Place, Symbol};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Puts into the story what the event log tells: stages with their figures and findings, executors, settings, and
/// the attempts of the tasks that failed. Attempts and stages that the logs know keep their places there.
pub fn join_event_log(story: &mut Story, log: &EventLog) {
    join_spark(&mut story.spark, spark(log));
    let ended = story.ended;
    story.ended |= log.end.is_some();
    story.left_out.add(&log.left_out);
    join_settings(story, log);
    join_stages(&mut story.stages, stages(log));
    join_executors(&mut story.executors, executors(log));
    if story.outcome == Outcome::Unknown && !story.incidents.iter().any(|i| i.role == Role::Fatal) {
        tell(story, log);
    }
    if matches!(story.outcome, Outcome::Succeeded | Outcome::Recovered)
        && let Some((outcome, place)) = contradiction(&story.stages, log, ended)
    {
        story.outcome = outcome;
        story.outcome_evidence = vec![place];
    }
    // Neither log tells of an end: the driver may as well have been killed between two jobs.
    if story.outcome == Outcome::Succeeded && !story.ended {
        story.outcome = Outcome::Unknown;
    }
    for incident in &mut story.incidents {
        join_attempts(incident, log);
    }
    story.sql = executions(log, &mut story.stages, &story.incidents);
    if story.first.is_none() && story.last.is_none() {
        (story.first, story.last) = (log.first, log.last);
    }
    super::next::fill(story);
}

/// What the run was really given stands in the event log; another log keeps the place where it says the same.
fn join_settings(story: &mut Story, log: &EventLog) {
    let at_start = log
        .settings
        .iter()
        .map(|(key, value)| (key, value, log.environment));
    let later = log
        .changed
        .iter()
        .map(|(key, (value, place))| (key, value, Some(*place)));
    for (key, value, place) in at_start.chain(later) {
        let before = story.settings.insert(key.clone(), value.clone());
        let Some(place) = place else { continue };
        if before.as_ref() == Some(value) {
            story.setting_places.entry(key.clone()).or_insert(place);
        } else {
            story.setting_places.insert(key.clone(), place);
        }
    }
}

/// Tells what went wrong and how the run ended from the event log, because no other log does.
fn tell(story: &mut Story, log: &EventLog) {
    (story.outcome, story.outcome_evidence) = outcome(log, &story.stages);
    let failures = failures(log);
    let given_up = failures.last.iter().rev().find_map(|fact| match fact.kind {
        FactKind::GaveUp { task } => Some(task),
        _ => None,
    });
    let mut told = built(failures.last);
    if let Some(last) = told.first_mut() {
        last.task = last.task.or(given_up);
    }
    // Which failure ended the run can only be asked of one that failed.
    let fatal = usize::from(story.outcome == Outcome::Failed);
    for incident in told.iter_mut().skip(fatal) {
        incident.role = incident.role.max(Role::Recovered);
    }
    let before = told.len();
    told.extend(built(failures.before).into_iter().map(|incident| Incident {
        role: incident.role.max(Role::Recovered),
        effect_of: incident.effect_of.map(|of| of + before),
        ..incident
    }));
    // An error of SQL that started no job came while the query was planned.
    let ran: HashSet<u64> = log.jobs.values().filter_map(|job| job.sql).collect();
    let planned: Vec<_> = log
        .sql
        .iter()
        .filter(|(id, _)| !ran.contains(id))
        .filter_map(|(_, sql)| sql.place)
        .collect();
    for incident in &mut told {
        let place = incident.chain[0].place;
        if planned.iter().any(|planned| planned.same_line(&place)) {
            incident.phase = Some(Phase::Analysis);
        }
    }
    if story.incidents.is_empty() {
        story.incidents = told;
        return;
    }
    for incident in told {
        let same = story.incidents.iter_mut().find(|known| {
            let (known, told) = (known.root(), incident.root());
            known.class == told.class && known.headline() == told.headline()
        });
        if let Some(known) = same {
            known.role = known.role.min(incident.role);
            known.task = known.task.or(incident.task);
        } else {
            story.incidents.push(incident);
        }
    }
    // Their order changes, and what set what off was told by it.
    for incident in &mut story.incidents {
        incident.effect_of = None;
    }
    story.incidents.sort_by_key(|incident| incident.role);
}

fn built(facts: Vec<Fact>) -> Vec<Incident> {
    let mut builder = Builder::default();
    for fact in facts {
        builder.absorb(&fact);
    }
    builder.build().incidents
}

fn join_spark(known: &mut SparkInfo, told: SparkInfo) {
    for (slot, value) in [
        (&mut known.version, told.version),
        (&mut known.scala, told.scala),
        (&mut known.app_id, told.app_id),
        (&mut known.app_name, told.app_name),
        (&mut known.master, told.master),
    ] {
        if slot.is_none() {
            *slot = value;
        }
    }
    known.in_driver |= told.in_driver;
}

fn join_stages(known: &mut Vec<Stage>, told: Vec<Stage>) {
    let mut all: BTreeMap<_, _> = known
        .drain(..)
        .map(|stage| ((stage.id, stage.attempt), stage))
        .collect();
    for mut stage in told {
        let key = (stage.id, stage.attempt);
        if let Some(known) = all.remove(&key) {
            stage.place = known.place.or(stage.place);
            stage.failure = stage.failure.or(known.failure);
            stage.submitted = stage.submitted.or(known.submitted);
            stage.duration_ms = stage.duration_ms.or(known.duration_ms);
            stage.tasks.total = stage.tasks.total.or(known.tasks.total);
            // The event log may stop before the driver's log does.
            if matches!(stage.status, StageStatus::Running | StageStatus::Unknown) {
                stage.status = known.status;
            }
        }
        all.insert(key, stage);
    }
    known.extend(all.into_values());
}

fn join_executors(known: &mut Vec<Executor>, told: Vec<Executor>) {
    let mut at: HashMap<Symbol, usize> = HashMap::new();
    for (index, executor) in known.iter().enumerate() {
        at.entry(executor.id.clone()).or_insert(index);
    }
    for executor in told {
        let index = *at.entry(executor.id.clone()).or_insert(known.len());
        let Some(same) = known.get_mut(index) else {
            known.push(executor);
            continue;
        };
        same.host = same.host.take().or(executor.host);
        same.added = executor.added.or(same.added);
        same.removed = executor.removed.or(same.removed);
        // The reason with a code says more than the one without.
        let says_more = same.exit_code.is_none() && executor.exit_code.is_some();
        if executor.reason.is_some() && (same.reason.is_none() || says_more) {
            same.reason = executor.reason;
            same.exit_code = executor.exit_code;
            same.place = same.place.or(executor.place);
        }
    }
    known.sort_by(|a, b| order_of(&a.id).cmp(&order_of(&b.id)));
}

/// Numbers by value, names such as `driver` behind them.
fn order_of(id: &Symbol) -> (u64, &Symbol) {
    (id.parse().unwrap_or(u64::MAX), id)
}

fn join_attempts(incident: &mut Incident, log: &EventLog) {
    if incident.task.is_none() {
        incident.task = task_that_ended_with(incident, log);
    }
    let Some(task) = incident.task else { return };
    for told in attempts(log, task) {
        if let Some(known) = same_attempt(&mut incident.attempts, &told) {
            extend_attempt(known, told);
        } else {
            let ending = log.endings.iter().find(|e| Some(e.tid) == told.tid);
            let same_cause = ending.and_then(|ending| same_cause(incident, ending));
            let mut told = Attempt { same_cause, ..told };
            if same_cause == Some(true) {
                told.class = incident.root().class.clone();
                told.message = incident.root().headline().into();
            }
            incident.attempts.push(told);
        }
    }
    incident
        .attempts
        .sort_by_key(|attempt| (attempt.number, attempt.tid));
    incident.verdict = verdict(&incident.attempts).or(incident.verdict);
    // Where a driver's log prints the trace, it leads there, and not to a line of the event log.
    for told in of_other_tasks(log, task) {
        match same_attempt(&mut incident.others, &told) {
            Some(known) => extend_attempt(known, told),
            None => incident.others.push(told),
        }
    }
    let place_in_order = |other: &Attempt| (other.task.partition, other.number, other.tid);
    incident.others.sort_by_key(place_in_order);
    incident.others.truncate(OTHERS_CAP);
}

fn same_attempt<'a>(known: &'a mut [Attempt], told: &Attempt) -> Option<&'a mut Attempt> {
    known.iter_mut().find(|known| {
        (known.task, known.number) == (told.task, told.number)
            || known.tid.is_some() && known.tid == told.tid
    })
}

fn extend_attempt(known: &mut Attempt, told: Attempt) {
    known.tid = told.tid.or(known.tid);
    known.executor = told.executor.or(known.executor.take());
    known.host = told.host.or(known.host.take());
    known.launched = told.launched.or(known.launched);
    known.ended = told.ended.or(known.ended);
    known.peak_memory = told.peak_memory.or(known.peak_memory);
    known.speculative |= told.speculative;
    if told.outcome != AttemptOutcome::Unknown {
        known.outcome = told.outcome;
    }
    if known.class.is_empty() && known.message.is_empty() {
        known.class = told.class;
        known.message = told.message;
    }
    known.place = known.place.or(told.place);
    known.own_log = known.own_log.or(told.own_log);
}

/// The task whose last attempt ended with what the incident's root says, where only the event log names it.
fn task_that_ended_with(incident: &Incident, log: &EventLog) -> Option<TaskId> {
    let fits = |ending: &&TaskEnding| {
        matches!(ending.ending, Ending::Threw { .. }) && same_cause(incident, ending) == Some(true)
    };
    let ending = log
        .endings
        .iter()
        .filter(fits)
        .max_by_key(|ending| ending.attempt)?;
    Some(TaskId {
        stage: ending.stage,
        stage_attempt: ending.stage_attempt,
        partition: ending.index,
    })
}

/// Whether an attempt ended with the incident's root; `None` where that cannot be told.
fn same_cause(incident: &Incident, ending: &TaskEnding) -> Option<bool> {
    let root = incident.root();
    let (class, headline) = (root.short_class(), root.headline());
    if class.is_empty() || !matches!(ending.ending, Ending::Threw { .. }) {
        return None;
    }
    if !ending.text.contains(class) {
        return Some(false);
    }
    let says = without_numbers(headline);
    let same = ending
        .text
        .lines()
        .any(|line| line.contains(class) && without_numbers(line).contains(&says));
    same.then_some(true)
}

/// Values differ from partition to partition where the fault is the same.
fn without_numbers(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// What the event log tells of a run that cannot have ended well, however calm the last lines of other logs are:
/// its last job was stopped with it, or has no end.
/// An event log that has no end says nothing where another log saw the run's end (`ended`): it was copied before.
fn contradiction(stages: &[Stage], log: &EventLog, ended: bool) -> Option<(Outcome, Place)> {
    if let Some(last) = log.last_failure()
        && was_stopped(log, last)
    {
        return Some((Outcome::Killed, log.place_of(last)?));
    }
    let open = log.jobs.values().rfind(|job| job.succeeded.is_none());
    let open = open.and_then(|job| job.place);
    if log.end.is_some() {
        return Some((Outcome::Killed, open?));
    }
    if ended {
        return None;
    }
    // The event log of a driver that was killed ends before its other log does.
    let running = stages
        .iter()
        .rfind(|stage| stage.status == StageStatus::Running);
    let place = open.or_else(|| running?.place)?;
    let outcome = if waits(stages).is_some() {
        Outcome::Stuck
    } else {
        Outcome::Unknown
    };
    Some((outcome, place))
}

/// Where it is told that a stage waits for something that does not come.
fn waits(stages: &[Stage]) -> Option<Place> {
    let kinds = [
        FindingKind::NeverEnded,
        FindingKind::NothingGranted,
        FindingKind::BroadcastWait,
    ];
    let mut findings = stages.iter().flat_map(|stage| &stage.findings);
    let waits = findings.find(|finding| kinds.contains(&finding.kind))?;
    waits.evidence.first().copied()
}

/// How the run ended, as far as the event log alone can tell.
fn outcome(log: &EventLog, stages: &[Stage]) -> (Outcome, Vec<Place>) {
    let last = log.last_failure();
    let failed = last.and_then(|last| log.place_of(last));
    if let (Some(place), Some(last)) = (failed, last)
        && was_stopped(log, last)
    {
        // A job that waits for executors that never come is stopped by somebody in the end.
        let outcome = if log.executors.is_empty() {
            Outcome::Stuck
        } else {
            Outcome::Killed
        };
        return (outcome, vec![place]);
    }
    let Some(end) = log.end else {
        return match (failed, waits(stages)) {
            (Some(place), _) => (Outcome::Failed, vec![place]),
            (None, Some(place)) => (Outcome::Stuck, vec![place]),
            (None, None) => (Outcome::Unknown, Vec::new()),
        };
    };
    match (failed, end.exit_code) {
        (Some(place), _) => (Outcome::Failed, vec![place, end.place]),
        (None, Some(code)) if code != 0 => (Outcome::Failed, vec![end.place]),
        // A driver's own exception after its last job may leave no trace here; what Spark did of the run went well.
        (None, code) if ran_well(log) || code.is_some() && !is_python_client(log) => {
            let outcome = if failed_before(log) {
                Outcome::Recovered
            } else {
                Outcome::Succeeded
            };
            (outcome, vec![end.place])
        }
        _ => (Outcome::Unknown, Vec::new()),
    }
}

/// Whether something ran, and everything that ran has an end.
fn ran_well(log: &EventLog) -> bool {
    let ended = log.jobs.values().all(|job| job.succeeded.is_some())
        && log.sql.values().all(|sql| sql.ended.is_some());
    ended && !(log.jobs.is_empty() && log.sql.is_empty())
}

/// Whether anything failed on the way.
fn failed_before(log: &EventLog) -> bool {
    let failed = |ending: &TaskEnding| {
        !matches!(
            ending.ending,
            Ending::Killed | Ending::Resubmitted | Ending::Never
        )
    };
    log.jobs.values().any(|job| job.succeeded == Some(false))
        || log.sql.values().any(|sql| sql.succeeded == Some(false))
        || log.endings.iter().any(failed)
}

/// Whether what failed last did so only because the application was stopped.
fn was_stopped(log: &EventLog, last: LastFailure) -> bool {
    let mut jobs = log.jobs.iter().filter(|(id, job)| match last {
        LastFailure::Job(last) => **id == last,
        LastFailure::Sql(last) => job.sql == Some(last),
    });
    jobs.any(|(_, job)| job.was_stopped())
}

fn is_python_client(log: &EventLog) -> bool {
    let in_cluster = log
        .settings
        .get("spark.submit.deployMode")
        .is_some_and(|mode| mode == "cluster");
    let through_py4j =
        |name: &str| name.contains("NativeMethodAccessorImpl") || name.contains(".py:");
    let python = log.settings.contains_key("spark.submit.pyFiles")
        || log.jobs.values().any(|job| through_py4j(&job.name))
        || log.stages.values().any(|stage| through_py4j(&stage.name));
    python && !in_cluster
}
