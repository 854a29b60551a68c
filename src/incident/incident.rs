//! An [`Incident`]: one failure, once, however often it was logged.

use super::attempt::{Attempt, Verdict};
use super::cause::{Cause, Side};
use crate::fact::{Frame, TaskId, TraceLine};
use crate::text::{Moment, Place};

/// What part a failure played in the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// It ended the run.
    Fatal,
    /// The run went on after it.
    Recovered,
    /// It says nothing about the run: shutdown noise, known harmless errors, effects of a fatal one.
    Noise,
}

impl Role {
    /// The word of the report.
    pub fn word(self) -> &'static str {
        match self {
            Self::Fatal => "fatal",
            Self::Recovered => "recovered",
            Self::Noise => "noise",
        }
    }
}

/// How well the root is supported by what was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Evidence {
    /// The root's own line is there.
    Root,
    /// Only a symptom is there; the true cause is in something that was not opened.
    SymptomOnly,
    /// The root was concluded from several lines, none of which says it alone.
    Inferred,
}

impl Evidence {
    /// The word of the report.
    pub fn word(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::SymptomOnly => "symptom_only",
            Self::Inferred => "inferred",
        }
    }
}

/// When in the life of the run it happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Session or context not up yet.
    Startup,
    /// Parsing, resolving, planning: no task ran for it.
    Analysis,
    /// Tasks; also plain driver code between actions.
    Execution,
    /// Commit and output.
    Write,
    /// A streaming query's micro-batches.
    Streaming,
    /// After the end.
    Shutdown,
}

impl Phase {
    /// The word of the report.
    pub fn word(self) -> &'static str {
        match self {
            Self::Startup => "startup",
            Self::Analysis => "analysis",
            Self::Execution => "execution",
            Self::Write => "write",
            Self::Streaming => "streaming",
            Self::Shutdown => "shutdown",
        }
    }
}

/// One failure.
#[derive(Debug, Clone)]
pub struct Incident {
    /// What part it played.
    pub role: Role,
    /// From the outermost wrapper to the deepest cause; never empty.
    pub chain: Vec<Cause>,
    /// The index in `chain` of the root: the deepest cause that says something.
    pub root: usize,
    /// How well the root is supported.
    pub evidence: Evidence,
    /// What else to collect, most telling first; one sentence each, with the command that gets it.
    pub next: Vec<String>,
    /// Who raised the root.
    pub side: Option<Side>,
    /// When it happened.
    pub phase: Option<Phase>,
    /// The user's own line that the root points at.
    pub user_frame: Option<Frame>,
    /// The user's driver line that started the job, where it differs.
    pub action_frame: Option<Frame>,
    /// The task that failed.
    pub task: Option<TaskId>,
    /// That task's attempts, first to last.
    pub attempts: Vec<Attempt>,
    /// Attempts of other tasks of the same stage attempt that did not end well; at most [`OTHERS_CAP`].
    pub others: Vec<Attempt>,
    /// What the attempts say together.
    pub verdict: Option<Verdict>,
    /// The exemplar's printed lines, in the order of the log; at most [`TRACE_CAP`](crate::fact::TRACE_CAP).
    pub trace: Vec<TraceLine>,
    /// Where the failure was logged, first to last; at most [`OCCURRENCES_CAP`] places are kept.
    pub occurrences: Vec<Place>,
    /// How often it was logged.
    pub count: u64,
    /// When it was first logged.
    pub first: Option<Moment>,
    /// When it was last logged.
    pub last: Option<Moment>,
    /// The incident that set this one off: an index in [`Story::incidents`](super::Story::incidents).
    pub effect_of: Option<usize>,
}

/// Attempts of other tasks that are kept with an incident.
pub const OTHERS_CAP: usize = 100;

/// Most places of an incident that are kept.
pub const OCCURRENCES_CAP: usize = 1_000;

impl Incident {
    /// Whether it is `other`, as a log tells it that has grown meanwhile.
    pub fn is_same_as(&self, other: &Self) -> bool {
        let (a, b) = (self.root(), other.root());
        a.place == b.place
            || self
                .occurrences
                .first()
                .is_some_and(|place| other.occurrences.first() == Some(place))
                && (&a.class, &a.message) == (&b.class, &b.message)
    }

    /// Whether it is told of in that line.
    pub fn is_told_at(&self, place: &Place) -> bool {
        let lines = |other: &Place| other.same_line(place);
        lines(&self.root().place) || self.occurrences.iter().any(lines)
    }

    /// The root cause.
    pub fn root(&self) -> &Cause {
        &self.chain[self.root]
    }

    /// One line a person would put on a ticket: `ValueError: invalid literal …`.
    pub fn title(&self) -> String {
        let root = self.root();
        // A line that only announces says nothing without the one that it announces.
        let mut lines = root
            .message
            .lines()
            .map(str::trim)
            .filter(|l| !l.is_empty());
        let first = lines.next().unwrap_or("");
        let next = lines.next().filter(|_| first.ends_with(':'));
        // An engine below Spark says so what it met.
        let reason = || {
            lines
                .clone()
                .take(4)
                .find_map(|l| l.strip_prefix("Reason: "))
        };
        let message = match next {
            Some(next) => format!("{first} {next}"),
            None => reason().unwrap_or(first).to_owned(),
        };
        match (root.short_class(), &*message) {
            ("", _) => message,
            (class, "") => class.to_owned(),
            (class, _) => format!("{class}: {message}"),
        }
    }
}
