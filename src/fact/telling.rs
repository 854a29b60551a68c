//! In: a [`Record`], and the traces in it. Out: the [`Fact`]s it tells, one kind after another.

use super::fact::{Fact, FactKind};
use super::order::Order;
use super::output::{
    complaint, connects, error_of_r, is_output, is_prompt, names_a_call, spokesman,
};
use super::run_line::RunLine;
use super::said::{Said, Stand, said};
use super::task::TaskLine;
use super::told::{Thrown, Told};
use super::{executor, run_line, stage, task};
use crate::record::{LastBar, Level, Line, Record};
use crate::text::{Symbol, beginning};
use memchr::memmem::Finder;
use std::ops::Range;
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

/// A record as it is read, and the facts that it tells so far.
pub(super) struct Telling<'r, 'o> {
    record: &'r Record,
    first: &'r Line,
    /// The thread whose last exception it is.
    uncaught: Option<Symbol>,
    out: &'o mut Vec<Fact>,
    /// Facts in `out` that other records told.
    before: usize,
    /// Room for what a line says of the run.
    run: Vec<RunLine>,
}

impl<'r, 'o> Telling<'r, 'o> {
    pub(super) fn of(record: &'r Record, first: &'r Line, out: &'o mut Vec<Fact>) -> Self {
        Self {
            record,
            first,
            uncaught: uncaught_in(record.message()),
            before: out.len(),
            out,
            run: Vec::new(),
        }
    }

    /// A fact that a line tells, with what the record's head says of it.
    fn fact(&self, line: &Line, message_at: usize, kind: FactKind) -> Fact {
        let head = self.record.head.as_ref();
        let thread = || head.and_then(|h| h.thread.clone());
        Fact {
            place: line.place,
            text: beginning(line.text.trim_end(), TEXT_CAP).into(),
            time: head.and_then(|h| h.time),
            level: head.and_then(|h| h.level),
            logger: head.and_then(|h| h.logger.clone()),
            thread: self.uncaught.clone().or_else(thread),
            message_at,
            kind,
        }
    }

    fn add(&mut self, line: &Line, message_at: usize, kind: FactKind) {
        let fact = self.fact(line, message_at, kind);
        self.out.push(fact);
    }

    /// What a line says of the run as a whole, from `at` on.
    fn run(&mut self, line: &Line, at: usize) {
        let mut run = std::mem::take(&mut self.run);
        run_line::read(line.text.get(at..).unwrap_or(""), &mut run);
        for says in run.drain(..) {
            self.add(line, at, FactKind::Run(says));
        }
        self.run = run;
    }

    /// What the message behind a head says: of the run, a stage, a job, an executor, a task that was given up.
    pub(super) fn head(&mut self) {
        if self.record.head.is_none() {
            return;
        }
        let (record, at) = (self.record, self.record.message_at);
        let message = record.message();
        self.run(self.first, at);
        if let Some(line) = stage::stage(message) {
            self.add(self.first, at, FactKind::Stage(line));
        } else if let Some(line) = stage::job(message) {
            self.add(self.first, at, FactKind::Job(line));
        } else if let Some(mut line) = executor::lost(message) {
            let further = record.lines.iter().skip(1);
            let below = line.go_on(further.map(|line| line.text.as_str()));
            let at = if below == 0 { at } else { 0 };
            self.add(&record.lines[below], at, FactKind::ExecutorLost(line));
        } else if let Some(task) = task::gave_up(message)
            // A mail breaks the line behind it.
            .filter(|_| message.contains("aborting job") || message.ends_with(" times;"))
        {
            self.add(self.first, at, FactKind::GaveUp { task });
        }
    }

    /// Whether the message is a last word on the application. It repeats its failure, often cut: the failure itself is
    /// elsewhere.
    pub(super) fn is_last_word(&self) -> bool {
        let ended = |fact: &Fact| matches!(fact.kind, FactKind::Run(RunLine::Ended { .. }));
        self.out[self.before..].iter().any(ended)
    }

    /// The attempt of a task that the message says has ended, where the first trace is its reason; else it is told here.
    pub(super) fn attempt(&mut self, trace: Option<&Told>) -> Option<TaskLine> {
        let message = self.record.message();
        let ended = ["Lost task ", "Exception in task "];
        let mut line = ended
            .iter()
            .any(|ended| message.starts_with(ended))
            .then(|| task::attempt(message))??;
        let further = self.record.lines.iter().skip(1);
        // Kubernetes' reasons begin on a line of their own.
        if line.reason.ends_with("Reason:") {
            let mut further = further.map(|line| line.text.trim());
            if let Some(reason) = further.find(|text| !text.is_empty()) {
                line.reason.push(' ');
                line.reason.push_str(reason);
            }
        }
        let mut lines = self.record.lines.iter().take(60);
        line.duplicate |= lines.any(|l| DUPLICATE.find(l.text.as_bytes()).is_some());
        if trace.is_none_or(|told| told.bare && !told.names_head(self.record)) {
            let task = Box::new(line);
            self.add(
                self.first,
                self.record.message_at,
                FactKind::TaskEnded { task },
            );
            return None;
        }
        Some(line)
    }

    /// The traces, the first of which may be the reason of an `attempt`. Returns the lines before, between and behind them,
    /// which may say something without an exception, and how many lines there are up to the end of the last one.
    pub(super) fn traces(
        &mut self,
        traces: Vec<Told>,
        mut attempt: Option<TaskLine>,
    ) -> (Vec<Range<usize>>, Option<usize>) {
        let mut beside = Vec::with_capacity(traces.len() + 1);
        let mut covered = None;
        for told in traces {
            let from = covered.unwrap_or(0);
            beside.push(from..told.spot.start.max(from));
            covered = Some(told.spot.covered);
            let at = if told.spot.header == 0 {
                self.record.message_at
            } else {
                0
            };
            let foreign = attempt.is_none() && told.spot.start > 0 && is_quiet_chatter(self.record);
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
            let mut threw = self.fact(&self.record.lines[told.spot.header], at, kind);
            if foreign {
                (threw.level, threw.logger) = (None, None);
            }
            self.out.push(threw);
        }
        beside.push(covered.unwrap_or(0)..self.record.lines.len());
        (beside, covered)
    }

    /// What the lines `beside` the traces say. Returns the last one that says what a heading above it, `failed with
    /// error:`, is about.
    pub(super) fn lines(&mut self, beside: Vec<Range<usize>>) -> Option<&'r Line> {
        let record = self.record;
        let mut below_heading = None;
        for range in beside {
            for i in range.clone() {
                let line = &record.lines[i];
                let from = if i == 0 { record.message_at } else { 0 };
                if i > 0 || record.head.is_none() {
                    self.run(line, from);
                }
                let text = line.text.get(from..).unwrap_or("");
                // What somebody wrote around a quoted log may use the log's words.
                let Some(said) = said(text).filter(|_| !line.prose) else {
                    continue;
                };
                let below = range.contains(&(i + 1)).then(|| &record.lines[i + 1]);
                let below = below.filter(|below| said.is_heading(text) && says_something(below));
                below_heading = below.or(below_heading);
                let (line, from) = below.map_or((line, from), |below| (below, 0));
                self.add(line, from, FactKind::Said(said));
            }
        }
        below_heading
    }

    /// The exit status that somebody asked for; returns its line.
    pub(super) fn exit(&mut self) -> Option<&'r Line> {
        let (line, code) = exit_status(&self.record.lines)?;
        self.add(line, 0, FactKind::Run(RunLine::Exit(code)));
        Some(line)
    }

    /// That the record is there, where it tells nothing else.
    pub(super) fn first_line(&mut self) {
        let head = self.record.head.as_ref();
        if self.out.len() > self.before || head.is_none() && !is_output(self.first) {
            return;
        }
        let level = head.and_then(|h| h.level);
        let kind = if level.is_some_and(|level| level >= Level::Warn) {
            FactKind::Complaint
        } else {
            FactKind::Plain
        };
        self.add(self.first, self.record.message_at, kind);
    }

    /// The program's own output, which follows records without a head of its own, behind the lines that traces covered.
    /// Those that were `told` already are none.
    pub(super) fn output(&mut self, covered: Option<usize>, told: [Option<&Line>; 2]) {
        let lines = &self.record.lines;
        let from = covered.unwrap_or(usize::from(self.record.head.is_some()));
        let behind = &lines[from.min(lines.len())..];
        // What a failed query says of itself, its state and its plan, belongs to its message.
        // Behind a shell's prompt, or a block of code, stands what another program printed, or a person wrote.
        let own = behind.iter().position(|line| {
            [QUERY, "```"].iter().any(|end| line.text.starts_with(end)) || is_prompt(&line.text)
        });
        let told = told.map(|line| line.map(|line| line.place));
        let open = &behind[..own.unwrap_or(behind.len())];
        let untold = |line: &Line| !told.contains(&Some(line.place));
        let last = open
            .iter()
            .rposition(|line| is_output(line) && untold(line));
        let of_r = error_of_r(open).filter(|&at| untold(&open[at]));
        let Some(at) = of_r.or_else(|| last.map(|at| spokesman(behind, at))) else {
            return;
        };
        let last = &behind[at];
        // R prints the call that an error came of, and below it what it says.
        let said_in = behind
            .get(at + 1)
            .filter(|below| names_a_call(&last.text) && !below.text.trim().is_empty())
            .unwrap_or(last);
        let complaint = complaint(last.text.trim_start()).map(|said| match of_r {
            Some(_) if connects(lines) => Said {
                stand: Stand::Launch,
                ..said
            },
            _ => said,
        });
        let complaint = complaint.map(FactKind::Said);
        for (line, kind) in [(last, Some(FactKind::Plain)), (said_in, complaint)] {
            let fact = kind.map(|kind| self.fact(line, 0, kind));
            self.out.extend(fact.map(|fact| Fact {
                level: None,
                ..fact
            }));
        }
    }

    /// A bar that was cleared tells, where nothing else does, that a job has finished in front of what its line says.
    pub(super) fn cleared_bars(&mut self) {
        let lines = self.record.lines.iter();
        let cleared = lines.filter(|line| line.behind == LastBar::Cleared);
        let finished = |line| self.fact(line, 0, FactKind::Run(RunLine::Running));
        let finished: Vec<_> = cleared.map(finished).collect();
        self.out.splice(self.before..self.before, finished);
    }

    /// Puts the facts into the order of the lines that tell them.
    pub(super) fn end(self, order: &Order<'_>) {
        order.sort(&mut self.out[self.before..]);
    }
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
