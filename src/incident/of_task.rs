//! In: facts and traces. Out: what they tell of tasks: which attempt they speak of, whether only a task raises such a thing.

use crate::fact::{Fact, Language, LineKind, Relation, TaskLine, Throwable, Trace, TraceLine};
use crate::text::Symbol;

/// Whether a line says all there is of how an attempt ended: a trace below it is somebody else's, who printed it without a head.
pub(super) fn is_told_whole(line: &TaskLine) -> bool {
    line.reason.starts_with("TaskKilled")
}

/// The exception that the scheduler tells of in short, `class (message) [duplicate n]`, as a trace.
pub(super) fn trace_of_words(fact: &Fact, line: &TaskLine, class: &str) -> Trace {
    let place = fact.place;
    Trace {
        chain: vec![throwable_of_words(fact, line, class)],
        lines: vec![TraceLine {
            place,
            kind: LineKind::Header,
            cause: Some(0),
        }],
        ..Trace::default()
    }
}

fn throwable_of_words(fact: &Fact, line: &TaskLine, class: &str) -> Throwable {
    let message = line.reason[class.len()..].trim_start();
    let message = message.split(" [duplicate ").next().unwrap_or(message);
    let message = message
        .strip_prefix('(')
        .map_or(message, |m| m.strip_suffix(')').unwrap_or(m));
    let message = if message == "null" { "" } else { message };
    Throwable {
        relation: Relation::Top,
        language: Language::Jvm,
        class: Symbol::new(class),
        message: message.to_owned(),
        own: message.len(),
        place: fact.place,
        text: fact.text.clone(),
        frames: Vec::new(),
    }
}

/// The attempt that a trace's own message speaks of: `… most recent failure: Lost task 3.0 in stage 1.0 …`.
pub(super) fn task_of_trace(trace: &Trace) -> Option<TaskLine> {
    trace
        .chain
        .iter()
        .find_map(|t| crate::fact::attempt(&t.message))
        // A label or a link may stand between the class and the words, so that the message begins behind them.
        .or_else(|| {
            let text = trace.chain.first()?.text.trim_start_matches('`');
            let at = text
                .find("most recent failure: Lost task")
                .or_else(|| text.starts_with("Lost task ").then_some(0))?;
            crate::fact::attempt(&text[at..])
        })
}

/// Whether a trace says that an attempt was lost by it, though not which: whoever pasted it made its numbers unknown.
pub(super) fn speaks_of_attempt(trace: &Trace) -> bool {
    trace.chain.first().is_some_and(|t| {
        let lost = t.text.find("Lost task ");
        lost.is_some_and(|at| t.text[at..].contains(" in stage "))
    })
}

/// Whether a trace tells why a stage failed, where it is the scheduler who tells it: what its tasks died of.
pub(super) fn tells_of_stage(trace: &Trace) -> bool {
    trace
        .chain
        .first()
        .is_some_and(|t| t.text.contains("Stage ") && t.text.contains(" failed in "))
}

/// Whether it is the scheduler who tells something.
pub(super) fn is_of_scheduler(fact: &Fact) -> bool {
    let logger = fact.logger.as_deref();
    logger.is_some_and(|logger| logger.ends_with("DAGScheduler"))
}

/// Whether an attempt ended because its executor went away.
pub(super) fn effect_of_loss(reason: &str) -> bool {
    reason.contains("ExecutorLostFailure")
}

/// The first line of a text that is not empty.
pub(super) fn first_line(text: &str) -> &str {
    text.lines()
        .map(str::trim)
        .find(|l| !l.is_empty())
        .unwrap_or("")
}
