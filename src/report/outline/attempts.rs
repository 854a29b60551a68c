//! In: a failing task's attempts. Out: [`Attempts`]: one line each, and what they say together.

use crate::incident::{Attempt, AttemptOutcome, Incident, Verdict};
use crate::load::Case;
use crate::report::safe::Safe;
use crate::report::spot::Spot;

/// Longest message of an attempt, in characters.
const MESSAGE: usize = 160;

/// The attempts of the task that failed.
#[derive(Debug)]
pub(in crate::report) struct Attempts {
    /// `task 37 in stage 12.0`; empty where the task is unknown.
    pub(in crate::report) task: String,
    /// What they say together: one sentence.
    pub(in crate::report) verdict: String,
    /// First to last.
    pub(in crate::report) rows: Vec<Row>,
}

/// One attempt.
#[derive(Debug)]
pub(in crate::report) struct Row {
    /// `37.0`.
    pub(in crate::report) number: String,
    /// `failed`.
    pub(in crate::report) outcome: &'static str,
    /// `TID 17, executor 3 on host-a`; empty where unknown.
    pub(in crate::report) where_: Safe,
    /// Its own cause, where it differs from the root's or is not known to be the same; empty otherwise.
    pub(in crate::report) cause: Safe,
    /// Where its failure is printed.
    pub(in crate::report) spot: Option<Spot>,
}

impl Attempts {
    /// `None` where no attempt is known.
    pub(super) fn of(case: &Case, incident: &Incident) -> Option<Self> {
        if incident.attempts.is_empty() {
            return None;
        }
        let task = incident.task.or(incident.attempts.first().map(|a| a.task));
        Some(Self {
            task: task.map(|task| task.to_string()).unwrap_or_default(),
            verdict: verdict(incident),
            rows: incident
                .attempts
                .iter()
                .map(|attempt| Row::of(case, attempt))
                .collect(),
        })
    }
}

impl Row {
    fn of(case: &Case, attempt: &Attempt) -> Self {
        let machine = match (attempt.executor_told(), &attempt.host) {
            (Some(executor), Some(host)) => Some(format!("{executor} on {host}")),
            (Some(executor), None) => Some(executor),
            (None, host) => host.as_ref().map(ToString::to_string),
        };
        let told: Vec<String> = attempt.tid_told().into_iter().chain(machine).collect();
        let class = attempt.class.rsplit(['.', '$']).next().unwrap_or("");
        let cause = match (attempt.same_cause, class, &*attempt.message) {
            (Some(true), ..) => String::new(),
            (_, "", message) => message.to_owned(),
            (_, class, "") => class.to_owned(),
            (_, class, message) => format!("{class}: {message}"),
        };
        Self {
            number: attempt.number(),
            outcome: attempt.outcome.word(),
            where_: Safe::line(&told.join(", ")),
            cause: Safe::short(&cause, MESSAGE),
            spot: attempt
                .place
                .as_ref()
                .and_then(|place| Spot::of(case, place)),
        }
    }
}

/// What the attempts say together, with the numbers that show it.
pub(super) fn verdict(incident: &Incident) -> String {
    let attempts = &incident.attempts;
    let all = attempts.len();
    let same = attempts
        .iter()
        .filter(|a| a.same_cause == Some(true))
        .count();
    // Their numbers tell of those between that the log does not.
    let made = attempts.iter().map(|a| a.number as usize + 1).max();
    let made = made.unwrap_or(all);
    let lost = attempts
        .iter()
        .filter(|a| a.outcome == AttemptOutcome::Lost)
        .count();
    match incident.verdict {
        Some(Verdict::Deterministic) if made > all => format!(
            "deterministic: {same} of the {all} attempts that are known failed with the same cause, of {made} in all"
        ),
        Some(Verdict::Deterministic) => {
            format!("deterministic: {same} of {all} attempts failed with the same cause")
        }
        Some(Verdict::Flaky) => format!("flaky: {same} of {all} attempts failed with this cause"),
        Some(Verdict::Infrastructure) if (lost, all) == (1, 1) => {
            "infrastructure: the executor was lost in the one attempt that is known".to_owned()
        }
        Some(Verdict::Infrastructure) if lost > 0 => {
            format!("infrastructure: the executor was lost in {lost} of {all} attempts")
        }
        Some(Verdict::Infrastructure) => "infrastructure: executors or nodes went away".to_owned(),
        None if all == 1 => "one attempt is known".to_owned(),
        None => format!("{all} attempts are known"),
    }
}
