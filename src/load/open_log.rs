//! In: a log and what was understood before it. Out: the same with what the log says; at any point on the way it can be
//! kept, and gone on from once the log has grown.

use super::digest::{Digest, SourceDigest};
use super::hooks::{Hooks, Progress};
use super::options::Options;
use super::pass::{Block, Look, each_block};
use super::selector::{Limits, Selector};
use crate::fact::event_log::Reading;
use crate::record::Dress;
use crate::source::{LineIndex, Refusal, Source, Sources};
use std::cell::Cell;
use std::ops::Range;

/// What is known of the bytes of a source that was read to its end.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Count {
    /// Its lines.
    pub(super) lines: u64,
    /// Its bytes that were not understood as text.
    pub(super) unread: u64,
    /// What it is wrapped in.
    pub(super) dress: Dress,
}

/// A log that was read up to some byte.
#[derive(Debug, Clone)]
pub(super) struct OpenLog {
    pub(super) dress: Dress,
    /// Whether it is read line by line from end to end.
    pub(super) whole: bool,
    selector: Selector,
    sink: SourceDigest,
    tally: Tally,
}

impl OpenLog {
    /// Nothing of `source` was read yet.
    pub(super) fn new(
        source: &Source,
        all: &Sources,
        dress: Dress,
        whole: bool,
        options: &Options,
        digest: Digest,
    ) -> Self {
        let head = if whole { u64::MAX } else { options.head };
        Self {
            dress,
            whole,
            selector: Selector::new(Limits::default(), head),
            sink: digest.source(source, all, dress),
            tally: Tally::default(),
        }
    }

    /// Reads on as far as later growth can change nothing: what will be its end is read differently.
    pub(super) fn read_settled(&mut self, source: &Source, pass: &mut Pass<'_>) {
        let settled = source.bytes.saturating_sub(pass.options.tail);
        self.read(source, settled, u64::MAX, pass);
    }

    /// Reads it to its end.
    pub(super) fn finish(mut self, source: &Source, pass: &mut Pass<'_>) -> (Count, Digest) {
        let whole_from = source.bytes.saturating_sub(pass.options.tail);
        self.selector.whole_from(whole_from);
        self.read(source, source.bytes, whole_from, pass);
        let selector = self.selector;
        let lines = self.sink.take_in(false, |sink| selector.finish(sink));
        let count = Count {
            lines,
            unread: self.tally.end_of(source, pass),
            dress: self.dress,
        };
        (count, self.sink.finish())
    }

    fn read(&mut self, source: &Source, end: u64, also: u64, pass: &mut Pass<'_>) {
        let (selector, tally) = (&mut self.selector, &mut self.tally);
        let options = pass.options;
        let many = end.saturating_sub(tally.end) > options.block as u64;
        let beside = pass.beside && options.threads > 1 && many;
        self.sink.take_in(beside, |sink| {
            pass.blocks(source, end, Look::Search { also }, tally, |block| {
                let (bytes, scan) = block.give();
                selector.push(bytes, &scan.hits, scan.line_ends, sink);
            });
        });
    }
}

/// Counts the lines of a source that is no log.
pub(super) fn count(source: &Source, pass: &mut Pass<'_>) -> Count {
    let mut tally = Tally::default();
    let mut last = b'\n';
    pass.blocks(source, source.bytes, Look::Count, &mut tally, |block| {
        last = block.own().last().copied().unwrap_or(last);
    });
    let lines = tally.line_ends + u64::from(last != b'\n');
    Count {
        lines,
        unread: tally.end_of(source, pass),
        dress: Dress::default(),
    }
}

/// Reads a part of an event log.
pub(super) fn read_events(source: &Source, reading: &mut Reading, pass: &mut Pass<'_>) -> Count {
    let mut tally = Tally::default();
    reading.begin(source.id);
    pass.blocks(source, source.bytes, Look::Events, &mut tally, |block| {
        reading.block(block.own(), &block.skim);
    });
    let part = reading.end();
    Count {
        lines: part.lines,
        unread: tally.end_of(source, pass).max(part.unread),
        dress: Dress::default(),
    }
}

/// What is counted of a source while it is read.
#[derive(Debug, Clone, Default)]
struct Tally {
    /// Where the first byte is that was not read.
    end: u64,
    line_ends: u64,
    /// Bytes that are text.
    understood: u64,
    index: LineIndex,
    /// Where its last mark is.
    marked: u64,
    error: Option<String>,
}

impl Tally {
    fn add(&mut self, block: &Block, options: &Options) {
        let length = block.length() as u64;
        self.end += length;
        self.line_ends += block.scan.line_ends;
        self.understood += block.scan.understood;
        // A log that grows line by line is not worth a mark each time.
        if self.end - self.marked >= options.block as u64 || self.marked == 0 {
            self.index.mark(self.end, self.line_ends);
            self.marked = self.end;
        }
        if self.error.is_none() {
            self.error.clone_from(&block.error);
        }
    }

    /// The source was read to its end: how many of its bytes are no text.
    fn end_of(self, source: &Source, pass: &mut Pass<'_>) -> u64 {
        if pass.hooks.cancelled() {
            return source.bytes.saturating_sub(self.understood);
        }
        source.set_line_index(self.index);
        let missing = source.bytes.saturating_sub(self.end);
        if missing > 0 {
            let why = self
                .error
                .unwrap_or_else(|| "it got shorter meanwhile; open it again".into());
            pass.broken.push(Refusal {
                name: source.name.clone(),
                reason: format!(
                    "{missing} of its {} bytes could not be read: {why}",
                    source.bytes
                ),
                fault: false,
            });
        }
        // What is missing is told as such, and not as bytes that are no text.
        source.bytes.saturating_sub(self.understood + missing)
    }
}

/// One pass over what has to be read.
pub(super) struct Pass<'p> {
    pub(super) options: &'p Options,
    pub(super) hooks: Hooks<'p>,
    pub(super) progress: Progress,
    /// Blocks that were read.
    pub(super) blocks: u64,
    /// Inputs that were not read to their end.
    pub(super) broken: Vec<Refusal>,
    /// Where the first byte of the input is that was not read.
    pub(super) reached: &'p Cell<u64>,
    /// Whether records are read beside cutting more of them.
    pub(super) beside: bool,
}

impl Pass<'_> {
    /// Hands over the blocks of a source from where the tally ends up to `end`.
    fn blocks(
        &mut self,
        source: &Source,
        end: u64,
        look: Look,
        tally: &mut Tally,
        mut take: impl FnMut(&mut Block),
    ) {
        let range = Range {
            start: tally.end,
            end,
        };
        let (options, hooks) = (self.options, self.hooks);
        each_block(source, range, look, options, hooks.cancel, |block| {
            take(block);
            tally.add(block, options);
            self.blocks += 1;
            self.reached.set(tally.end);
            self.progress.done += block.length() as u64;
            (hooks.progress)(self.progress);
        });
    }
}
