//! In: a record. Out: its [`Part`]s, one behind the other: lines that tell what they tell whatever stands before them, and the
//! traces in them.
//!
//! An interpreter prints one traceback below another without a head between them, so that thousands may stand in one
//! record. Each is a part, and whoever knows a part again need not read it.

use super::reader::Reader;
use crate::fact::throwable::Trace;
use crate::record::Record;
use std::ops::Range;

/// Lines of a record that were read on their own, and the traces in them: mostly one, or none.
pub(in crate::fact) struct Part {
    pub(in crate::fact) outline: Outline,
    pub(in crate::fact) traces: Vec<Trace>,
}

/// Which lines of a record are a part.
#[derive(Debug, Clone)]
pub(in crate::fact) struct Outline {
    /// Their numbers, from 0.
    pub(in crate::fact) lines: Range<usize>,
    pub(in crate::fact) end: End,
    /// Whether lines of the same shapes may be read otherwise.
    pub(in crate::fact) by_words: bool,
}

/// Where a part ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::fact) enum End {
    /// Behind its last line, whatever follows.
    Behind,
    /// Before the line that follows, because of what that one is.
    Before,
    /// Where its record does.
    Record,
}

/// Reads the parts of a record.
pub(in crate::fact) struct Parts<'r> {
    record: &'r Record,
    reader: Reader,
    /// Where the next part begins.
    start: usize,
    /// Whether its first line was read.
    begun: bool,
    /// Whether that is told by more than its shape.
    by_words: bool,
}

impl<'r> Parts<'r> {
    /// All of them.
    pub(in crate::fact) fn of(record: &'r Record) -> Self {
        Self {
            record,
            reader: Reader::new(record.head.is_some()),
            start: 0,
            begun: false,
            by_words: false,
        }
    }

    /// Where the next part begins; `None` where the record has ended.
    pub(in crate::fact) fn at(&self) -> Option<usize> {
        (self.start < self.record.lines.len()).then_some(self.start)
    }

    /// Goes on at the line `start`, which begins a part: somebody knows what is told before it.
    pub(in crate::fact) fn skip_to(&mut self, start: usize) {
        *self = Self {
            start,
            ..Self::of(self.record)
        };
    }

    /// Reads the next part.
    pub(in crate::fact) fn read(&mut self) -> Part {
        let mut at = self.start + usize::from(self.begun);
        let mut by_words = self.by_words;
        (self.begun, self.by_words) = (false, false);
        let end = loop {
            if at > self.start && self.reader.is_blank() {
                break End::Behind;
            }
            if at == self.record.lines.len() {
                self.reader.close();
                break End::Record;
            }
            let read = self.reader.read(self.record, at);
            if at > self.start && read.anew {
                self.begun = true;
                self.by_words = read.compared || read.looked_back;
                break End::Before;
            }
            by_words |= read.compared || read.looked_back && self.start > 0;
            at += 1;
        };
        let lines = std::mem::replace(&mut self.start, at)..at;
        Part {
            outline: Outline {
                lines,
                end,
                by_words,
            },
            traces: std::mem::take(&mut self.reader.done),
        }
    }
}
