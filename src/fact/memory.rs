//! In: the records of a log. Out: whether one tells of the same trace as a record before it, so that its own need not be
//! read.
//!
//! A failure that repeats itself prints the same lines but for their digits, and its frames may differ where the same
//! methods are called another way. So a record's fingerprint is the shapes of its lines and, of the frames below each,
//! what tells of a failure: the user's innermost line, and on whose behalf they run. Records with the same fingerprint have
//! the same chain of classes, at the same lines.

use super::class_name;
use super::jvm_frame;
use super::read::Told;
use super::task;
use super::throwable::{FRAMES_CAP, Language, TRACE_CAP, Trace};
use crate::record::{LastBar, Record};
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Fingerprints that are kept; a log with more of them is read in full from there on.
const MOST: usize = 1_024;
/// Longer records repeat themselves too seldom. Frames do not count.
const MOST_LINES: usize = 16;

/// What is remembered of the records of a log.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    known: HashMap<Box<[u32]>, Known, RandomState>,
    /// The fingerprint of the record that is being read; empty where it has none.
    print: Vec<u32>,
}

/// A trace that was read.
#[derive(Debug, Clone, Copy)]
struct Known {
    /// Traces are counted from 0.
    number: usize,
    start: usize,
    header: usize,
    covered: usize,
    bare: bool,
}

impl Memory {
    /// What is known of the trace in a record like this one.
    pub(super) fn recall(&mut self, record: &Record) -> Option<Told> {
        self.take_print(record);
        let known = self.known.get(self.print.as_slice())?;
        Some(Told {
            trace: None,
            number: Some(known.number),
            start: known.start,
            header: known.header,
            covered: known.covered,
            bare: known.bare,
        })
    }

    /// Remembers the only trace of the record that was asked about last, where that depends on nothing but its fingerprint.
    pub(super) fn keep(&mut self, told: &mut Told) {
        let Some(trace) = &told.trace else { return };
        if self.print.is_empty() || self.known.len() >= MOST || !is_told_by_print(trace) {
            return;
        }
        let known = Known {
            number: self.known.len(),
            start: told.start,
            header: told.header,
            covered: told.covered,
            bare: told.bare,
        };
        told.number = Some(known.number);
        self.known.insert(self.print.as_slice().into(), known);
    }

    /// Takes the fingerprint of a record.
    fn take_print(&mut self, record: &Record) {
        self.print.clear();
        if record.head.is_none() || record.lines.len() > MOST_LINES {
            return;
        }
        let mut frames = 0;
        for line in &record.lines {
            frames += line.below.len();
            let shape = line
                .shape
                .filter(|_| !line.prose && line.behind == LastBar::None && !line.event);
            // The number of a frame's line is no digit like others.
            let shape = shape.filter(|_| !line.text.trim_start().starts_with("at "));
            let signs = jvm_frame::signs(&line.below);
            let (Some(shape), Some(signs)) = (shape, signs.filter(|_| frames < FRAMES_CAP)) else {
                return self.print.clear();
            };
            self.print.extend([shape.get(), signs.own, signs.marks]);
        }
    }
}

/// Whether all that is told by a trace is told by a fingerprint. Digits are no part of that, so they must not name a class or
/// a task, and no two throwables may be alike but for them.
fn is_told_by_print(trace: &Trace) -> bool {
    let whole = trace.lines.len() < TRACE_CAP;
    let mut before: Vec<&str> = Vec::new();
    whole
        && trace.chain.iter().all(|throwable| {
            let class = class_name::last_segment(&throwable.class).0;
            let alone = !before.contains(&class);
            before.push(class);
            alone
                && throwable.language == Language::Jvm
                && throwable.frames.len() < FRAMES_CAP
                && !throwable.class.bytes().any(|b| b.is_ascii_digit())
                && task::attempt(&throwable.message).is_none()
                && !throwable.text.starts_with("Lost task ")
                && !throwable.text.contains("most recent failure: Lost task ")
        })
}
