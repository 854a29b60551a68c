//! In: a [`Record`]. Out: the [`Fact`]s it tells.

use super::fact::{Fact, FactKind};
use super::memory::Memory;
use super::order::Order;
use super::output::{complaint, is_output, is_prompt, names_a_call, spokesman};
use super::run_line::RunLine;
use super::said::said;
use super::told::{Thrown, Told};
use super::{executor, profile, run_line, stage, task};
use crate::record::{LastBar, Level, Line, Record};
use crate::text::Symbol;
use memchr::memmem::Finder;
use std::sync::LazyLock;

/// Most bytes of a line that a fact keeps.
const TEXT_CAP: usize = 4 * 1024;

/// How the scheduler ends the line of a failure that it told before.
static DUPLICATE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("[duplicate "));

/// How Spark's handler begins the line of a thread's last exception.
static UNCAUGHT: LazyLock<Finder<'static>> =
    LazyLock::new(|| Finder::new("Uncaught exception in thread Thread["));

/// What a streaming query's exception goes on with behind its causes.
const QUERY: &str = "=== Streaming Query ===";

/// Reads what a record says; the facts come in the order of its lines, but for profiles, which come last.
pub fn read(record: &Record, out: &mut Vec<Fact>) {
    read_by(&mut Memory::default(), record, out);
}

/// The same of the next record of a log: a trace that is known by `memory` is not read again.
pub fn read_by(memory: &mut Memory, record: &Record, out: &mut Vec<Fact>) {
    let Some((profiles, mut rest)) = profile::take(record) else {
        return read_lines(memory, record, out);
    };
    // What is left of it is not the record that would be read in full.
    for line in &mut rest.lines {
        line.shape = None;
    }
    read_lines(memory, &rest, out);
    out.extend(profiles.into_iter().map(|profile| Fact {
        place: profile.place,
        text: "".into(),
        time: None,
        level: None,
        logger: None,
        thread: None,
        message_at: 0,
        kind: FactKind::Profile(Box::new(profile)),
    }));
}

fn read_lines(memory: &mut Memory, record: &Record, out: &mut Vec<Fact>) {
    let Some(first) = record.lines.first() else {
        return;
    };
    let head = record.head.as_ref();
    let message = record.message();
    let uncaught = uncaught_in(message);
    let fact = |line: &Line, message_at: usize, kind: FactKind| Fact {
        place: line.place,
        text: cap(line.text.trim_end()).into(),
        time: head.and_then(|h| h.time),
        level: head.and_then(|h| h.level),
        logger: head.and_then(|h| h.logger.clone()),
        thread: uncaught
            .clone()
            .or_else(|| head.and_then(|h| h.thread.clone())),
        message_at,
        kind,
    };
    let before = out.len();
    let mut run = Vec::new();
    if head.is_some() {
        run_line::read(message, &mut run);
        out.extend(
            run.drain(..)
                .map(|line| fact(first, record.message_at, FactKind::Run(line))),
        );
        if let Some(line) = stage::stage(message) {
            out.push(fact(first, record.message_at, FactKind::Stage(line)));
        } else if let Some(line) = stage::job(message) {
            out.push(fact(first, record.message_at, FactKind::Job(line)));
        } else if let Some(mut line) = executor::lost(message) {
            let further = record.lines.iter().skip(1);
            let at = line.go_on(further.map(|line| line.text.as_str()));
            let message_at = if at == 0 { record.message_at } else { 0 };
            let reason = &record.lines[at];
            out.push(fact(reason, message_at, FactKind::ExecutorLost(line)));
        } else if let Some(task) = task::gave_up(message)
            // A mail breaks the line behind it.
            .filter(|_| message.contains("aborting job") || message.ends_with(" times;"))
        {
            out.push(fact(first, record.message_at, FactKind::GaveUp { task }));
        }
    }
    let mut attempt = ["Lost task ", "Exception in task "]
        .iter()
        .any(|ended| message.starts_with(ended))
        .then(|| task::attempt(message))
        .flatten();
    // A last word on the application repeats its failure, often cut: the failure itself is elsewhere.
    let repeats = out[before..]
        .iter()
        .any(|f| matches!(f.kind, FactKind::Run(RunLine::Ended { .. })));
    let order = Order::of(&record.lines);
    let traces = if repeats {
        let mut traces = Told::all(record, &order);
        // Unless an interpreter's own traceback was printed behind it.
        traces.retain(|told| told.bare && told.is_python() && told.spot.start > 0);
        traces
    } else {
        Told::by_memory(memory, record, &order)
    };
    let mut traces = traces.into_iter().peekable();
    if let Some(line) = &mut attempt {
        // Kubernetes' reasons begin on a line of their own.
        if line.reason.ends_with("Reason:") {
            let mut further = record.lines.iter().skip(1).map(|line| line.text.trim());
            if let Some(reason) = further.find(|text| !text.is_empty()) {
                line.reason.push(' ');
                line.reason.push_str(reason);
            }
        }
        line.duplicate |= record
            .lines
            .iter()
            .take(60)
            .any(|l| DUPLICATE.find(l.text.as_bytes()).is_some());
        if traces
            .peek()
            .is_none_or(|told| told.bare && !told.names_head(record))
        {
            out.push(fact(
                first,
                record.message_at,
                FactKind::TaskEnded {
                    task: Box::new(line.clone()),
                },
            ));
            attempt = None;
        }
    }
    let mut covered = 0;
    let mut last_covered: Option<usize> = None;
    let mut said_by = Vec::new();
    for told in traces {
        // Lines before a trace and after the one before may say something without an exception.
        said_by.push(covered..told.spot.start.max(covered));
        covered = told.spot.covered;
        last_covered = Some(covered);
        let message_at = if told.spot.header == 0 {
            record.message_at
        } else {
            0
        };
        let foreign = attempt.is_none() && told.spot.start > 0 && is_quiet_chatter(record);
        let task = attempt.take().map(Box::new);
        let kind = match told.thrown {
            Thrown::Anew { trace, number } => FactKind::Threw {
                trace,
                number,
                task,
            },
            Thrown::Again { number, action } => FactKind::ThrewAgain {
                number,
                action,
                part: told.part,
                task,
            },
        };
        let threw = fact(&record.lines[told.spot.header], message_at, kind);
        out.push(Fact {
            level: threw.level.filter(|_| !foreign),
            logger: threw.logger.clone().filter(|_| !foreign),
            ..threw
        });
    }
    said_by.push(covered..record.lines.len());
    // The line that says below a heading, `failed with error:`, what the heading is about.
    let mut below_heading = None;
    for (range, i) in said_by
        .into_iter()
        .flat_map(|range| range.clone().map(move |i| (range.clone(), i)))
    {
        let line = &record.lines[i];
        let from = if i == 0 { record.message_at } else { 0 };
        let text = line.text.get(from..).unwrap_or("");
        if i > 0 || head.is_none() {
            run_line::read(text, &mut run);
            out.extend(
                run.drain(..)
                    .map(|l: RunLine| fact(line, from, FactKind::Run(l))),
            );
        }
        // What somebody wrote around a quoted log may use the log's words.
        let Some(said) = said(text).filter(|_| !line.prose) else {
            continue;
        };
        let below = range.contains(&(i + 1)).then(|| &record.lines[i + 1]);
        let below = below.filter(|below| said.is_heading(text) && says_something(below));
        below_heading = below.map(|below| below.place).or(below_heading);
        let (line, from) = below.map_or((line, from), |below| (below, 0));
        out.push(fact(line, from, FactKind::Said(said)));
    }
    let status = exit_status(&record.lines);
    if let Some((line, code)) = status {
        out.push(fact(line, 0, FactKind::Run(RunLine::Exit(code))));
    }
    if out.len() == before && (head.is_some() || is_output(first)) {
        let loud = head
            .and_then(|h| h.level)
            .is_some_and(|level| level >= Level::Warn);
        let kind = if loud {
            FactKind::Complaint
        } else {
            FactKind::Plain
        };
        out.push(fact(first, record.message_at, kind));
    }
    // The program's own output follows records without a head of its own.
    let own = last_covered.unwrap_or(usize::from(head.is_some()));
    let behind = &record.lines[own.min(record.lines.len())..];
    // What a failed query says of itself, its state and its plan, belongs to its message.
    // Behind a shell's prompt, or a block of code, stands what another program printed, or a person wrote.
    let own = behind.iter().position(|line| {
        [QUERY, "```"].iter().any(|end| line.text.starts_with(end)) || is_prompt(&line.text)
    });
    let last = behind[..own.unwrap_or(behind.len())].iter().rposition(|l| {
        let told = status
            .map(|(line, _)| line.place)
            .into_iter()
            .chain(below_heading);
        is_output(l) && !told.into_iter().any(|place| place == l.place)
    });
    if let Some(at) = last.map(|at| spokesman(behind, at)) {
        let last = &behind[at];
        // R prints the call that an error came of, and below it what it says.
        let said_in = behind
            .get(at + 1)
            .filter(|below| names_a_call(&last.text) && !below.text.trim().is_empty())
            .unwrap_or(last);
        let kinds = [
            Some((last, FactKind::Plain)),
            complaint(&last.text).map(|said| (said_in, FactKind::Said(said))),
        ];
        out.extend(kinds.into_iter().flatten().map(|(line, kind)| Fact {
            level: None,
            ..fact(line, 0, kind)
        }));
    }
    // A bar that was cleared tells, where nothing else does, that a job has finished in front of what the line says.
    let cleared = record.lines.iter().filter(|l| l.behind == LastBar::Cleared);
    let finished = cleared.map(|line| fact(line, 0, FactKind::Run(RunLine::Running)));
    let finished: Vec<_> = finished.collect();
    out.splice(before..before, finished);
    order.sort(&mut out[before..]);
}

/// Whether a record tells of nothing bad, softly: a trace below it is another's, a shell's or a program's own.
fn is_quiet_chatter(record: &Record) -> bool {
    const TROUBLE: &[&str] = &[
        "fail",
        "error",
        "except",
        "retry",
        "unable",
        "cannot",
        "could not",
        "refused",
        "lost",
    ];
    let Some(head) = &record.head else {
        return false;
    };
    // Every run without native code begins with this warning, and it never carries a trace.
    let no_native_code = head
        .logger
        .as_deref()
        .is_some_and(|l| l.ends_with("NativeCodeLoader"));
    let message = record.message().to_ascii_lowercase();
    no_native_code
        || head.level.is_some_and(|level| level < Level::Warn)
            && !TROUBLE.iter().any(|word| message.contains(word))
}

/// The thread whose last exception Spark's handler logs, from a thread of its own or another's.
fn uncaught_in(message: &str) -> Option<Symbol> {
    let at = UNCAUGHT.find(message.as_bytes())? + UNCAUGHT.needle().len();
    Some(Symbol::new(message[at..].split(',').next()?))
}

/// Whether a line has words, and is no end of a block of code.
fn says_something(line: &Line) -> bool {
    !line.text.trim().is_empty() && !line.text.starts_with("```")
}

/// The exit status that somebody asked the shell for in a copied session, and its line.
fn exit_status(lines: &[Line]) -> Option<(&Line, i32)> {
    let asked = |line: &Line| line.text.trim_end().ends_with("echo $?") && line.below.is_empty();
    let (_, answer) = lines.iter().zip(lines.get(1..)?).find(|(l, _)| asked(l))?;
    Some((answer, answer.text.trim().parse().ok()?))
}

fn cap(text: &str) -> &str {
    let mut end = text.len().min(TEXT_CAP);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Cutter, Dress, RawLine};
    use crate::text::SourceId;

    fn facts(log: &str) -> Vec<Fact> {
        let mut cutter = Cutter::new(SourceId(0), Dress::default());
        let (mut records, mut out) = (Vec::new(), Vec::new());
        let mut start = 0;
        for (i, line) in log.lines().enumerate() {
            cutter.feed(
                RawLine {
                    start,
                    line: i as u64 + 1,
                    bytes: line.as_bytes(),
                },
                &mut records,
            );
            start += line.len() as u64 + 1;
        }
        cutter.finish(&mut records);
        for record in &records {
            read(record, &mut out);
        }
        out
    }

    #[test]
    fn the_state_of_a_failed_query_is_no_output() {
        let facts = facts(
            "24/01/02 03:04:05 ERROR MicroBatchExecution: Query [id = a] terminated with error\n\
             Traceback (most recent call last):\n  File \"/jobs/tides.py\", line 6, in <module>\n    q.awaitTermination()\n\
             pyspark.errors.exceptions.captured.StreamingQueryException: [STREAM_FAILED] Query terminated\n\
             === Streaming Query ===\nIdentifier: [id = a]\n\nCurrent State: ACTIVE\nThread State: RUNNABLE\n\n\
             Logical Plan:\nWriteToMicroBatchDataSource x",
        );
        let output = facts
            .iter()
            .find(|fact| matches!(fact.kind, FactKind::Plain));
        assert!(output.is_none(), "{output:?}");
    }

    #[test]
    fn a_status_that_was_asked_for_is_no_output() {
        let log = "24/01/02 03:04:05 WARN Tides: ebb\n$ echo $?\n143";
        let facts = facts(log);
        let has = |of: fn(&FactKind) -> bool| facts.iter().any(|fact| of(&fact.kind));
        assert!(
            has(|kind| matches!(kind, FactKind::Run(RunLine::Exit(143)))),
            "{facts:?}"
        );
        assert!(!has(|kind| matches!(kind, FactKind::Plain)), "{facts:?}");
    }

    #[test]
    fn a_messages_own_lines_are_no_output() {
        let facts = facts(
            "26/11/30 04:35:03 ERROR Executor: Exception in task 0.3 in stage 0.0 (TID 3)\n\
             org.apache.spark.SparkArithmeticException: [DIVIDE_BY_ZERO] Division by zero.\n\
             == DataFrame ==\n\
             \"__truediv__\" was called from\n\
             /home/etl/run/unit_price.py:9\n\n\
             \tat org.apache.spark.sql.errors.QueryExecutionErrors$.divideByZeroError(QueryExecutionErrors.scala:198)\n",
        );
        let kinds: Vec<_> = facts
            .iter()
            .map(|f| (f.place.line, std::mem::discriminant(&f.kind)))
            .collect();
        assert_eq!(kinds.len(), 1, "{facts:#?}");
    }
}
