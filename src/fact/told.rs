//! In: a record, and the [`Memory`] of those before it. Out: [`Told`]: the traces that it tells. Those that are known are not
//! read again.

use super::fact::{Fact, FactKind};
use super::memory::Memory;
use super::order::Order;
use super::throwable::{Language, Trace};
use super::trace::{Part, Parts};
use crate::record::Record;
use crate::text::Place;
use std::ops::Range;

/// A trace that a record tells.
pub(super) struct Told {
    pub(super) thrown: Thrown,
    /// The lines of the record that tell it, by their numbers from 0.
    pub(super) part: Range<usize>,
    pub(super) spot: Spot,
    /// [`Trace::bare`].
    pub(super) bare: bool,
}

/// What was thrown.
pub(super) enum Thrown {
    /// A trace that was read.
    Anew {
        trace: Box<Trace>,
        /// The number by which it is known again.
        number: Option<usize>,
    },
    /// One that was read before, and where the user's line is that led to it.
    Again {
        number: usize,
        action: Option<Place>,
    },
}

/// Where a trace is: the numbers of its lines, from 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    /// Its first line.
    pub(super) start: usize,
    /// That of its deepest cause.
    pub(super) header: usize,
    /// The one behind it.
    pub(super) covered: usize,
    /// The user's line that led to it.
    pub(super) action: Option<usize>,
}

impl Told {
    /// Whether a JVM's frames are told with it.
    pub(super) fn is_with_frames(&self) -> bool {
        let Thrown::Anew { trace, .. } = &self.thrown else {
            return false;
        };
        let mut chain = trace.chain.iter();
        chain.any(|t| t.language == Language::Jvm && !t.frames.is_empty())
    }

    /// The traces of a record.
    pub(super) fn all(record: &Record, order: &Order<'_>) -> Vec<Self> {
        let mut parts = Parts::of(record);
        let mut all = Vec::new();
        while parts.at().is_some() {
            all.append(&mut Self::read(parts.read(), record, order));
        }
        all
    }

    /// The same, where the parts that `memory` knows are not read; what it did not know it learns.
    pub(super) fn by_memory(memory: &mut Memory, record: &Record, order: &Order<'_>) -> Vec<Self> {
        let mut parts = Parts::of(record);
        let mut all = Vec::new();
        while let Some(start) = parts.at() {
            if let Some((end, told)) = memory.recall(record, start) {
                all.extend(told);
                parts.skip_to(end);
                continue;
            }
            let part = parts.read();
            let outline = part.outline.clone();
            let mut told = Self::read(part, record, order);
            memory.keep(record, &outline, &mut told);
            all.append(&mut told);
        }
        all
    }

    fn read(part: Part, record: &Record, order: &Order<'_>) -> Vec<Self> {
        let lines = part.outline.lines;
        let of = |trace: Trace| Self {
            part: lines.clone(),
            spot: Spot::of(&trace, record, order),
            bare: trace.bare,
            thrown: Thrown::Anew {
                trace: Box::new(trace),
                number: None,
            },
        };
        part.traces.into_iter().map(of).collect()
    }

    /// Whether it begins in the record's first two lines, and so belongs to its message.
    pub(super) fn names_head(&self, record: &Record) -> bool {
        let start = self.spot.start;
        start == 0 || start == 1 && record.lines[0].below.is_empty()
    }

    /// Whether it was read, and Python raised it.
    pub(super) fn is_python(&self) -> bool {
        matches!(&self.thrown, Thrown::Anew { trace, .. } if trace.python)
    }
}

impl Spot {
    fn of(trace: &Trace, record: &Record, order: &Order<'_>) -> Self {
        let first = record.lines[0].place;
        let start = trace.lines.first().map_or(first, |line| line.place);
        let end = trace.lines.last().map_or(start, |line| line.place);
        let header = trace.chain.last().map_or(start, |t| t.place);
        Self {
            start: order.of_place(start),
            header: order.of_place(header).min(record.lines.len() - 1),
            covered: order.behind(end),
            action: trace.action().map(|frame| order.of_place(frame.place)),
        }
    }

    /// The same with each number as `moved` makes it.
    pub(super) fn map(self, moved: impl Fn(usize) -> usize) -> Self {
        Self {
            start: moved(self.start),
            header: moved(self.header),
            covered: moved(self.covered),
            action: self.action.map(moved),
        }
    }
}

impl Fact {
    /// The same with the trace that `record` tells, where it was not read.
    #[must_use]
    pub fn in_full(self, record: &Record) -> Self {
        let FactKind::ThrewAgain {
            number, part, task, ..
        } = &self.kind
        else {
            return self;
        };
        let mut parts = Parts::of(record);
        parts.skip_to(part.start);
        let Some(trace) = parts.at().and_then(|_| parts.read().traces.pop()) else {
            return self;
        };
        let kind = FactKind::Threw {
            trace: Box::new(trace),
            number: Some(*number),
            task: task.clone(),
        };
        Self { kind, ..self }
    }
}
