//! [`Failure`]: one failure while the log is still being read: its best exemplar and where it was seen.

use super::fingerprint::Fingerprint;
use super::incident::OCCURRENCES_CAP;
use super::telling::{LastWord, Telling};
use super::{effect, wrapper};
use crate::fact::{Fact, Frame, Said, Throwable, Trace, TraceLine};
use crate::record::Level;
use crate::text::{Moment, Place, Symbol};

/// A failure, however often it was logged.
#[derive(Debug, Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one thing that was seen of the failure, in any combination"
)]
pub(super) struct Failure {
    pub(super) print: Fingerprint,
    /// The chain that tells most.
    pub(super) chain: Vec<Throwable>,
    /// The root in `chain`.
    pub(super) root: usize,
    /// The lines that print `chain`.
    pub(super) lines: Vec<TraceLine>,
    /// How much the exemplar tells: a later one that tells more takes its place.
    tells: u32,
    /// For a line without an exception: what it is worth.
    pub(super) said: Option<Said>,
    pub(super) count: u64,
    pub(super) occurrences: Vec<Place>,
    pub(super) first: Option<Moment>,
    pub(super) last: Option<Moment>,
    /// Places in the order of reading.
    pub(super) first_order: u64,
    pub(super) last_order: u64,
    /// When an interpreter's main thread, or a JVM's, last printed it as its last word.
    pub(super) last_word: Option<u64>,
    /// Whether Spark or the bridge to it has a part in it.
    pub(super) speaks_spark: bool,
    /// Whether another thread died of it.
    pub(super) killed_thread: bool,
    pub(super) level: Option<Level>,
    pub(super) logger: Option<Symbol>,
    /// Whether an attempt of a task ended with it.
    pub(super) in_task: bool,
    /// Whether a streaming query's thread logged it.
    pub(super) streaming: bool,
    /// The user's innermost frame of the root.
    pub(super) user: Option<Frame>,
    /// The user's innermost frame of what wrapped the root, in whichever trace of it holds one.
    pub(super) around: Option<Frame>,
    /// The user's line on the driver.
    pub(super) action: Option<Frame>,
    /// Whether it was first seen while the context was stopping.
    pub(super) while_stopping: bool,
    /// Whether only executors' logs hold it.
    pub(super) aside: bool,
}

impl Failure {
    /// A failure seen for the first time.
    pub(super) fn new(
        print: Fingerprint,
        chain: Vec<Throwable>,
        lines: Vec<TraceLine>,
        order: u64,
    ) -> Self {
        let root = wrapper::root(&chain);
        Self {
            print,
            root,
            chain,
            lines,
            tells: 0,
            said: None,
            count: 0,
            occurrences: Vec::new(),
            first: None,
            last: None,
            first_order: order,
            last_order: order,
            last_word: None,
            speaks_spark: false,
            killed_thread: false,
            level: None,
            logger: None,
            in_task: false,
            streaming: false,
            user: None,
            around: None,
            action: None,
            while_stopping: false,
            aside: false,
        }
    }

    /// The root cause.
    pub(super) fn root(&self) -> &Throwable {
        &self.chain[self.root]
    }

    /// Whether it can only be an effect of something else.
    pub(super) fn is_effect(&self) -> bool {
        effect::is_effect(self.root()) || effect::fetch_of_lost(&self.chain)
    }

    /// One more place where it was logged; `aside` where that is no driver's log, by whose order and
    /// loudness nothing is judged that a driver's log knows too.
    pub(super) fn seen(&mut self, fact: &Fact, order: u64, aside: bool) {
        if self.aside && !aside && self.count > 0 {
            self.first_order = order;
            self.level = None;
            self.last = None;
        }
        self.aside = aside && (self.aside || self.count == 0);
        self.count += 1;
        if self.occurrences.len() < OCCURRENCES_CAP {
            self.occurrences.push(fact.place);
        }
        self.first = self.first.into_iter().chain(fact.time).min();
        if self.aside == aside {
            self.last_order = order;
            self.last = fact.time.or(self.last);
            self.level = self.level.max(fact.level);
        }
        if self.logger.is_none() {
            self.logger.clone_from(&fact.logger);
        }
    }

    /// Another telling of the same, in other words.
    pub(super) fn take_in(&mut self, other: &Self) {
        self.count += other.count;
        self.occurrences.extend_from_slice(&other.occurrences);
        self.occurrences.sort_unstable();
        self.occurrences.dedup();
        self.occurrences.truncate(OCCURRENCES_CAP);
        self.first = self.first.into_iter().chain(other.first).min();
        self.last = self.last.max(other.last);
    }

    /// Whether the telling of a trace is all that is wanted of it: another like it was added before.
    pub(super) fn knows(&self, telling: &Telling) -> bool {
        self.count > 0
            && telling.tells <= self.tells
            && (telling.own.is_none() || self.user.is_some())
            && (telling.around.is_none() || self.around.is_some())
    }

    /// A trace of it: its frames are kept, and the whole where it tells more than what is kept. The user's line that led to
    /// it is at `action`, where the trace was told before.
    pub(super) fn add_trace(
        &mut self,
        telling: &Telling,
        trace: Option<&Trace>,
        action: Option<Place>,
        order: u64,
    ) {
        match telling.last_word {
            LastWord::Main => self.last_word = Some(order),
            LastWord::Thread => self.killed_thread = true,
            LastWord::None => {}
        }
        self.speaks_spark |= telling.speaks_spark;
        self.streaming |= telling.streaming;
        if self.user.is_none() {
            self.user.clone_from(&telling.own);
        }
        if self.around.is_none() {
            self.around.clone_from(&telling.around);
        }
        if let Some(frame) = &telling.action {
            let place = action.unwrap_or(frame.place);
            match &mut self.action {
                Some(known) if known.is_like(frame) => known.place = place,
                known => {
                    *known = Some(Frame {
                        place,
                        ..frame.clone()
                    });
                }
            }
        }
        if let Some(trace) = trace
            && (telling.tells > self.tells || self.count == 0)
        {
            self.tells = telling.tells;
            self.chain.clone_from(&trace.chain);
            self.root = wrapper::root(&trace.chain);
            self.lines.clone_from(&trace.lines);
        }
    }
}
