//! In: an incident and its diagnosis. Out: its JSON twin.

use super::beside::{Question, SideEvidence, Sign};
use super::document::At;
use crate::diagnosis::Diagnosis;
use crate::fact;
use crate::incident;
use crate::load::Case;
use crate::report::{Safe, Spot};
use crate::text::{Place, Symbol};
use serde::Serialize;

/// Longest title in characters: a ticket's subject line; the root's message has the rest.
const TITLE: usize = 200;

#[derive(Serialize)]
pub(super) struct Incident {
    role: &'static str,
    title: Safe,
    root: Root,
    evidence: &'static str,
    next: Vec<Safe>,
    chain: Vec<Link>,
    side: Option<&'static str>,
    phase: Option<&'static str>,
    bucket: Option<&'static str>,
    confidence: Option<f64>,
    explanation: Option<Safe>,
    user_frame: Option<Frame>,
    action_frame: Option<Frame>,
    task: Option<Task>,
    attempts: Vec<Attempt>,
    other_attempts: Vec<OtherAttempt>,
    retry_verdict: Option<&'static str>,
    fixes: Vec<Fix>,
    question: Option<Question>,
    side_evidence: Vec<SideEvidence>,
    recipes: Vec<Fix>,
    notices: Vec<Sign>,
    occurrences: u64,
    /// Index in `incidents` of the one that set this one off.
    effect_of: Option<usize>,
}

#[derive(Serialize)]
struct Root {
    input: Option<Safe>,
    line: Option<u64>,
    text: Safe,
    class: Option<Safe>,
    message: Safe,
}

#[derive(Serialize)]
struct Link {
    relation: &'static str,
    side: Option<&'static str>,
    class: Option<Safe>,
    message: Safe,
    condition: Option<Safe>,
    sqlstate: Option<Safe>,
    input: Option<Safe>,
    line: Option<u64>,
}

#[derive(Serialize)]
struct Frame {
    file: Option<Safe>,
    line: Option<u32>,
    function: Option<Safe>,
    code: Option<Safe>,
    input: Option<Safe>,
    log_line: Option<u64>,
}

#[derive(Serialize)]
struct Task {
    stage: u32,
    stage_attempt: u32,
    partition: u32,
}

#[derive(Serialize)]
struct Attempt {
    number: u32,
    tid: Option<u64>,
    executor: Option<Safe>,
    host: Option<Safe>,
    outcome: &'static str,
    class: Option<Safe>,
    message: Option<Safe>,
    input: Option<Safe>,
    line: Option<u64>,
    same_cause: Option<bool>,
    duration_ms: Option<u64>,
    peak_memory_bytes: Option<u64>,
    /// Where the log of its executor tells of its end.
    own_log: Option<At>,
}

#[derive(Serialize)]
pub(super) struct Fix {
    rule: Safe,
    family: Safe,
    title: Safe,
    why: Safe,
    steps: Vec<Step>,
    evidence: Vec<At>,
}

#[derive(Serialize)]
pub(super) struct Step {
    kind: &'static str,
    text: Safe,
    lang: Option<Safe>,
    code: Option<Safe>,
    /// The person's own line in whose place the code stands.
    replaces: Option<Replaces>,
}

#[derive(Serialize)]
struct Replaces {
    file: Safe,
    line: u32,
}

impl Incident {
    /// The twin of the incident at `index` of the case's story, which must have one there.
    pub(super) fn of(case: &Case, index: usize) -> Self {
        let incident = &case.story.incidents[index];
        let nothing = Diagnosis::default();
        let diagnosis = case.diagnoses.get(index).unwrap_or(&nothing);
        Self {
            role: incident.role.word(),
            title: Safe::short(&incident.title(), TITLE),
            root: root(case, incident.root()),
            evidence: incident.evidence.word(),
            next: incident.next.iter().map(|s| Safe::block(s)).collect(),
            chain: incident.chain.iter().map(|c| link(case, c)).collect(),
            side: incident.side.map(incident::Side::word),
            phase: incident.phase.map(incident::Phase::word),
            bucket: diagnosis.bucket.map(crate::diagnosis::Bucket::word),
            confidence: diagnosis
                .bucket
                .map(|_| (f64::from(diagnosis.confidence) * 100.0).round() / 100.0),
            explanation: given_block(&diagnosis.explanation),
            user_frame: incident.user_frame.as_ref().map(|f| frame(case, f)),
            action_frame: incident.action_frame.as_ref().map(|f| frame(case, f)),
            task: incident.task.map(|task| Task {
                stage: task.stage,
                stage_attempt: task.stage_attempt,
                partition: task.partition,
            }),
            attempts: incident.attempts.iter().map(|a| attempt(case, a)).collect(),
            other_attempts: incident
                .others
                .iter()
                .map(|other| OtherAttempt {
                    partition: other.task.partition,
                    attempt: attempt(case, other),
                })
                .collect(),
            retry_verdict: incident.verdict.map(incident::Verdict::word),
            fixes: diagnosis.fixes.iter().map(|f| fix(case, f)).collect(),
            question: diagnosis.question.as_ref().map(|q| Question::of(case, q)),
            side_evidence: diagnosis
                .evidence
                .iter()
                .map(|e| SideEvidence::of(case, e))
                .collect(),
            recipes: diagnosis.recipes.iter().map(|f| fix(case, f)).collect(),
            notices: Sign::all(case, &diagnosis.notices),
            occurrences: incident.count,
            effect_of: incident.effect_of,
        }
    }
}

/// `None` for an empty text: the model says "unknown" so, the document says `null`.
fn given(text: &str) -> Option<Safe> {
    (!text.is_empty()).then(|| Safe::line(text))
}

fn given_block(text: &str) -> Option<Safe> {
    (!text.is_empty()).then(|| Safe::block(text))
}

fn spot(case: &Case, place: Option<&Place>) -> (Option<Safe>, Option<u64>) {
    place
        .and_then(|place| Spot::of(case, place))
        .map(|spot| (spot.input, spot.line))
        .unzip()
}

fn root(case: &Case, cause: &incident::Cause) -> Root {
    let (input, line) = spot(case, Some(&cause.place));
    Root {
        input,
        line,
        text: Safe::line(&cause.text),
        class: given(&cause.class),
        message: Safe::block(&cause.message),
    }
}

fn link(case: &Case, cause: &incident::Cause) -> Link {
    let (input, line) = spot(case, Some(&cause.place));
    Link {
        relation: cause.relation.word(),
        side: cause.side.map(incident::Side::word),
        class: given(&cause.class),
        message: Safe::block(&cause.message),
        condition: cause.condition.as_deref().and_then(given),
        sqlstate: cause.sqlstate.as_deref().and_then(given),
        input,
        line,
    }
}

fn frame(case: &Case, frame: &fact::Frame) -> Frame {
    let (input, log_line) = spot(case, Some(&frame.place));
    Frame {
        file: given(&frame.file),
        line: frame.line,
        function: given(&frame.function),
        code: frame.code.as_deref().and_then(given),
        input,
        log_line,
    }
}

/// An attempt of another task of the same stage attempt.
#[derive(Serialize)]
struct OtherAttempt {
    partition: u32,
    #[serde(flatten)]
    attempt: Attempt,
}

fn attempt(case: &Case, attempt: &incident::Attempt) -> Attempt {
    let (input, line) = spot(case, attempt.place.as_ref());
    let name = |symbol: &Option<Symbol>| symbol.as_deref().and_then(given);
    Attempt {
        number: attempt.number,
        tid: attempt.tid,
        executor: name(&attempt.executor),
        host: name(&attempt.host),
        outcome: attempt.outcome.word(),
        class: given(&attempt.class),
        message: given_block(&attempt.message),
        input,
        line,
        same_cause: attempt.same_cause,
        duration_ms: attempt.duration_ms(),
        peak_memory_bytes: attempt.peak_memory,
        own_log: attempt
            .own_log
            .and_then(|place| At::all(case, &[place]).pop()),
    }
}

pub(super) fn fix(case: &Case, fix: &crate::diagnosis::Fix) -> Fix {
    Fix {
        rule: Safe::line(&fix.rule),
        family: Safe::line(&fix.family),
        title: Safe::line(&fix.title),
        why: Safe::block(&fix.why),
        steps: fix.steps.iter().map(step).collect(),
        evidence: At::all(case, &fix.evidence),
    }
}

pub(super) fn step(step: &crate::diagnosis::Step) -> Step {
    Step {
        kind: step.kind.word(),
        text: Safe::block(&step.text),
        lang: step.lang.as_deref().and_then(given),
        code: step.code.as_deref().and_then(given_block),
        replaces: step.replaces.as_ref().map(|line| Replaces {
            file: Safe::line(&line.file),
            line: line.line,
        }),
    }
}
