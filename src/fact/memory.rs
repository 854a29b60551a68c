//! In: the records of a log. Out: whether a part of one tells of the same trace as one before it, so that it need not be read.
//!
//! A failure that repeats itself prints the same lines but for their digits, and its frames may differ where the same
//! methods are called another way. So a line is known by its shape and, of the JVM's frames below it, by what tells of a
//! failure: the user's innermost line, and on whose behalf they run. Parts whose lines are known by the same have the same
//! chain of classes, at the same lines.
//!
//! What was read is remembered line by line, as the steps of an automaton: a part that was read before costs one look into a
//! table for each of its lines, whatever its length, and ends where it ended before.

use super::class_name;
use super::jvm_frame::{self, Signs};
use super::task;
use super::throwable::{FRAMES_CAP, LineKind, TRACE_CAP, Trace, TraceLine};
use super::told::{Spot, Thrown, Told};
use super::trace::{End, Outline};
use crate::record::{LastBar, Line, Record, keeps_digits};
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::ops::Range;

/// Steps that are kept, and traces; beyond so many, all are forgotten and others kept.
const MOST_STEPS: usize = 16_384;
const MOST_TRACES: usize = 1_024;
/// Longer parts repeat themselves too seldom. Frames do not count.
const MOST_LINES: usize = 256;

/// What is remembered of the records of a log.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    steps: HashMap<Step, Next, RandomState>,
    /// States that were numbered.
    states: u32,
    traces: Vec<Known>,
    /// Lines that were not known.
    read: u64,
}

/// A trace that was read. Lines are counted from the first one of its part.
#[derive(Debug, Clone, Copy)]
struct Known {
    spot: Spot,
    bare: bool,
}

/// A line, behind those that led to a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Step {
    state: u32,
    line: Sight,
}

/// What is known of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Sight {
    /// The number of its shape; 0 stands for the end of the record.
    shape: u32,
    /// What the frames below it tell.
    signs: Signs,
    /// Whether a frame follows that is a line of its own.
    above_frame: bool,
}

/// Where a step leads.
#[derive(Debug, Clone, Copy)]
enum Next {
    /// To another state.
    On(u32),
    /// To the end of the part, behind the line or before it, and to the trace that it told.
    Behind(Option<u32>),
    Before(Option<u32>),
}

/// States to begin with: before a record's line with its head, a later line of such a record, a line of one without a head.
const HEAD: u32 = 0;
const BELOW_HEAD: u32 = 1;
const HEADLESS: u32 = 2;
const FIRST_FREE: u32 = 3;

/// The state before the line `start` of a record, which begins a part.
fn begin(record: &Record, start: usize) -> u32 {
    match (&record.head, start) {
        (None, _) => HEADLESS,
        (Some(_), 0) => HEAD,
        (Some(_), _) => BELOW_HEAD,
    }
}

impl Memory {
    /// Lines of traces that were read because they were not known.
    pub fn read(&self) -> u64 {
        self.read
    }

    /// Where the part of a record ends that begins with the line `start`, and what it tells, where that is known.
    pub(super) fn recall(&self, record: &Record, start: usize) -> Option<(usize, Option<Told>)> {
        let mut state = begin(record, start);
        let mut frames = 0;
        let mut at = start;
        let (end, trace) = loop {
            let line = Sight::of(record, at, &mut frames)?;
            match *self.steps.get(&Step { state, line })? {
                Next::On(next) => state = next,
                Next::Behind(trace) => break (at + 1, trace),
                Next::Before(trace) => break (at, trace),
            }
            at += 1;
        };
        let told = trace.map(|number| self.told(number as usize, start..end, record));
        Some((end, told))
    }

    fn told(&self, number: usize, part: Range<usize>, record: &Record) -> Told {
        let Known { spot, bare } = self.traces[number];
        let spot = spot.map(|line| part.start + line);
        let action = spot.action.map(|line| record.lines[line].place);
        Told {
            thrown: Thrown::Again { number, action },
            part,
            spot,
            bare,
        }
    }

    /// Remembers a part that was read, and what it told, where that depends on nothing but what is known of its lines.
    pub(super) fn keep(&mut self, record: &Record, part: &Outline, told: &mut [Told]) {
        self.read += part.lines.len() as u64;
        let Some(sights) = path(record, part) else {
            return;
        };
        let trace = match told {
            [] => None,
            [told] if told.is_told_by_sight(record) => Some(told),
            _ => return,
        };
        if self.steps.len() + sights.len() > MOST_STEPS || self.traces.len() == MOST_TRACES {
            self.steps.clear();
            self.traces.clear();
            self.states = 0;
        }
        let number = trace.map(|told| self.number(told));
        let mut state = begin(record, part.lines.start);
        let (last, before) = sights.split_last().unwrap_or((&Sight::END, &[]));
        for &line in before {
            let free = FIRST_FREE + self.states;
            let next = self.steps.entry(Step { state, line });
            state = match next.or_insert(Next::On(free)) {
                Next::On(next) => *next,
                Next::Behind(_) | Next::Before(_) => return,
            };
            self.states += u32::from(state == free);
        }
        let next = match part.end {
            End::Behind => Next::Behind(number),
            End::Before | End::Record => Next::Before(number),
        };
        self.steps.insert(Step { state, line: *last }, next);
    }

    /// Gives a trace the number by which it will be known.
    fn number(&mut self, told: &mut Told) -> u32 {
        let known = self.traces.len();
        self.traces.push(Known {
            spot: told.spot.map(|line| line - told.part.start),
            bare: told.bare,
        });
        if let Thrown::Anew { number, .. } = &mut told.thrown {
            *number = Some(known);
        }
        u32::try_from(known).unwrap_or(u32::MAX)
    }
}

/// What is known of the lines of a part, up to the one that ended it; `None` where that does not tell what they say.
fn path(record: &Record, part: &Outline) -> Option<Vec<Sight>> {
    let Range { start, end } = part.lines.clone();
    if part.by_words || end - start > MOST_LINES {
        return None;
    }
    let last = match part.end {
        End::Behind => end - 1,
        End::Before | End::Record => end,
    };
    let mut frames = 0;
    let sights = (start..=last).map(|at| Sight::of(record, at, &mut frames));
    sights.collect()
}

impl Sight {
    /// That there is no further line.
    const END: Self = Self {
        shape: 0,
        signs: Signs::NONE,
        above_frame: false,
    };

    /// Of the line `at` of a record, with which there are so many `frames`; `None` where more has to be known of it.
    fn of(record: &Record, at: usize, frames: &mut usize) -> Option<Self> {
        let Some(line) = record.lines.get(at) else {
            return Some(Self::END);
        };
        let plain = !line.prose && line.behind == LastBar::None && !line.event;
        let shape = line.shape.filter(|_| plain)?;
        *frames += line.below.len();
        let signs = jvm_frame::signs(&line.below).filter(|_| *frames < FRAMES_CAP)?;
        let next = record.lines.get(at + 1);
        Some(Self {
            shape: shape.get(),
            signs,
            above_frame: next.is_some_and(|next| next.text.trim_start().starts_with("at ")),
        })
    }
}

impl Told {
    /// Whether all that is told by its trace is told by what is known of its lines. Digits are no part of that, so they must
    /// not name a class or a task, no two throwables may be alike but for them, and a line of the user's must be written
    /// where all of it counts.
    fn is_told_by_sight(&self, record: &Record) -> bool {
        let Thrown::Anew { trace, .. } = &self.thrown else {
            return false;
        };
        let mut before: Vec<&str> = Vec::new();
        let whole = trace.lines.len() < TRACE_CAP && !trace.cut;
        whole
            && trace.chain.iter().all(|throwable| {
                let class = class_name::last_segment(&throwable.class).0;
                let alone = !before.contains(&class);
                before.push(class);
                alone
                    && throwable.frames.len() < FRAMES_CAP
                    && !throwable.class.bytes().any(|b| b.is_ascii_digit())
                    && task::attempt(&throwable.message).is_none()
                    && !throwable.text.starts_with("Lost task ")
                    && !throwable.text.contains("most recent failure: Lost task ")
            })
            && is_written_out(trace, &record.lines[self.part.clone()])
    }
}

/// Whether the frames of a trace, and the code below them, are told in full by the shapes of those of `lines` that print
/// them. The JVM's below one of those are no lines of their own.
fn is_written_out(trace: &Trace, lines: &[Line]) -> bool {
    let is_of_code =
        |line: &&TraceLine| matches!(line.kind, LineKind::Frame(_) | LineKind::Code(_));
    trace.lines.iter().filter(is_of_code).all(|told| {
        let at = lines.binary_search_by_key(&told.place, |line| line.place);
        let text = at.map_or("", |at| &lines[at].text);
        keeps_digits(text) || !text.bytes().any(|b| b.is_ascii_digit())
    })
}
