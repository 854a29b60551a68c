//! [`Record`]: a log record: the line with its head, and the lines that continue it.

use super::stack::Stack;
use crate::text::{Moment, Place, Symbol};
use std::num::NonZeroU32;

/// What a console progress bar shows where a log ends, or in front of what was printed behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LastBar {
    /// There is none on the last line.
    #[default]
    None,
    /// Tasks are at work.
    AtWork,
    /// Spark overwrote it with blanks, as it does when a job has finished, and does not when one failed.
    Cleared,
}

/// How loud a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// TRACE and DEBUG.
    Debug,
    /// INFO.
    Info,
    /// WARN.
    Warn,
    /// ERROR.
    Error,
    /// FATAL, CRITICAL.
    Fatal,
}

/// What stands before a record's message.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Head {
    /// When it was written.
    pub time: Option<Moment>,
    /// How loud it is.
    pub level: Option<Level>,
    /// The thread that wrote it.
    pub thread: Option<Symbol>,
    /// The logger's name as printed: `TaskSetManager`, `scheduler.TaskSetManager`.
    pub logger: Option<Symbol>,
    /// The layout's name: `spark`, `json`, `python`. A record in a layout that hardly occurs in its source
    /// was perhaps printed as data.
    pub layout: &'static str,
}

/// A logical line: shippers' prefixes, escapes and colours taken off, indentation kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Where it is.
    pub place: Place,
    /// What it says.
    pub text: String,
    /// Whether it stands outside of the quotes, or the table, that its source's log is in, as do headings between
    /// logs: what somebody wrote around it.
    pub prose: bool,
    /// The progress bar that was drawn in front of it: it does not go on with what was printed before that, and where
    /// the bar was cleared, a job had finished.
    pub behind: LastBar,
    /// Whether it is a later line of an event that was written in one line: its logger wrote it, whatever it looks like.
    pub event: bool,
    /// The frames that follow it, where nothing had to be taken off from them.
    pub below: Stack,
    /// What it has in common with lines that differ from it in their digits only, where that is known: a number that no
    /// other lines have.
    pub shape: Option<NonZeroU32>,
}

impl Line {
    /// The lines of the frames below it.
    pub fn frames(&self) -> impl Iterator<Item = Self> {
        let frames = self.below.frames(self.place);
        frames.map(|(place, frame)| Self::bare(place, frame.text()))
    }

    /// A line that is what it looks like.
    pub fn bare(place: Place, text: &str) -> Self {
        Self {
            place,
            text: text.to_owned(),
            prose: false,
            behind: LastBar::None,
            event: false,
            below: Stack::default(),
            shape: None,
        }
    }
}

/// A record. One without a head holds lines before the first head: a pasted trace has only such.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// What stands before the message; `None` where the first line has no head.
    pub head: Option<Head>,
    /// Whose output it is where a shipper mixed several: a pod, a compose service, a container; else empty.
    pub stream: Symbol,
    /// The lines, at least one; the first with its head still in front.
    pub lines: Vec<Line>,
    /// Where in the first line's text the message begins, in bytes.
    pub message_at: usize,
}

impl Record {
    /// The message's first line.
    pub fn message(&self) -> &str {
        self.lines
            .first()
            .and_then(|l| l.text.get(self.message_at..))
            .unwrap_or("")
    }

    /// How many lines it has, frames included.
    pub(super) fn len(&self) -> usize {
        self.lines.iter().map(|line| 1 + line.below.len()).sum()
    }

    /// Bytes of their texts.
    pub(super) fn bytes(&self) -> usize {
        let lines = self.lines.iter();
        lines.map(|line| line.text.len() + line.below.bytes()).sum()
    }

    /// The same with each frame as a line of its own.
    #[cfg(test)]
    pub(super) fn unfolded(&self) -> Self {
        let lines = self.lines.iter().flat_map(|line| {
            let above = Line {
                below: Stack::default(),
                shape: None,
                ..line.clone()
            };
            std::iter::once(above).chain(line.frames())
        });
        Self {
            lines: lines.collect(),
            ..self.clone()
        }
    }
}
