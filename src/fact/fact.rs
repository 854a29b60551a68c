//! [`Fact`]: what a record says.

use super::executor::ExecutorLine;
use super::profile::Profile;
use super::run_line::RunLine;
use super::said::Said;
use super::stage::{JobLine, StageLine};
use super::task::{TaskId, TaskLine};
use super::throwable::Trace;
use crate::record::Level;
use crate::text::{Moment, Place, Symbol};
use std::ops::Range;

/// What one record says, and where.
#[derive(Debug, Clone)]
pub struct Fact {
    /// The line that says it.
    pub place: Place,
    /// That line; at most a few thousand bytes.
    pub text: Box<str>,
    /// When it was written.
    pub time: Option<Moment>,
    /// How loud it is.
    pub level: Option<Level>,
    /// Who wrote it.
    pub logger: Option<Symbol>,
    /// On which thread.
    pub thread: Option<Symbol>,
    /// Where the message begins in `text`.
    pub message_at: usize,
    /// What it says.
    pub kind: FactKind,
}

impl Fact {
    /// Where the user's line is this time that led to what was thrown again.
    pub fn action_again(&self) -> Option<Place> {
        match &self.kind {
            FactKind::ThrewAgain { action, .. } => *action,
            _ => None,
        }
    }

    /// The message, without the record's head.
    pub fn message(&self) -> &str {
        self.text.get(self.message_at..).unwrap_or("")
    }
}

/// What a record can say.
#[derive(Debug, Clone)]
pub enum FactKind {
    /// Something was thrown: `task` where an attempt of a task ended with it.
    Threw {
        /// The chain.
        trace: Box<Trace>,
        /// The number by which the trace will be known again, where it will.
        number: Option<usize>,
        /// The attempt that it ended.
        task: Option<Box<TaskLine>>,
    },
    /// The same was thrown as before.
    ThrewAgain {
        /// The number of the trace that told it.
        number: usize,
        /// Where the user's line is this time that led to it, if the trace names one.
        action: Option<Place>,
        /// The lines of its record that tell it, by their numbers from 0.
        part: Range<usize>,
        /// The attempt that it ended.
        task: Option<Box<TaskLine>>,
    },
    /// An attempt ended without a trace of its own.
    TaskEnded {
        /// The attempt.
        task: Box<TaskLine>,
    },
    /// The scheduler gave a task up after so many failures.
    GaveUp {
        /// Which task.
        task: TaskId,
    },
    /// A stage attempt moved on.
    Stage(StageLine),
    /// A job moved on.
    Job(JobLine),
    /// An executor went away.
    ExecutorLost(ExecutorLine),
    /// A line that says what happened without an exception.
    Said(Said),
    /// Something about the run.
    Run(RunLine),
    /// A profile was printed, or goes on.
    Profile(Box<Profile>),
    /// An error or a warning that is none of these.
    Complaint,
    /// A line of somebody's own: the program's output, or a message at INFO.
    Plain,
}
