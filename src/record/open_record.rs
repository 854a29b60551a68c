//! In: the lines of one lane, head or none. Out: the [`Record`] they belong to, once it is clear that it ended.

use super::aggregate;
use super::cutter::RawLine;
use super::escapes::TRACEBACK;
use super::frames::{Frames, Stretch};
use super::limit;
use super::record::{Head, Line, Record};
use super::room::Room;
use super::stack::{FrameText, Stack};
use crate::text::{Moment, Place, SourceId};

/// So many records may be written between an exception's class and its message.
const MOST_BETWEEN: usize = 16;
/// The prompts of Spark's shells; that of SQL names the catalog and database behind it.
const SHELL_PROMPTS: [&str; 3] = ["scala>", "spark-sql>", "spark-sql ("];
/// A head that is so much older than the log around it, in microseconds, may be quoted.
const LONG_AGO: i64 = 3_600_000_000;

/// A record that may go on.
#[derive(Debug, Clone)]
pub(super) struct OpenRecord {
    /// The lane of the source whose lines it takes.
    lane: String,
    record: Record,
    /// Its lines, frames included, and their bytes.
    taken: limit::Extent,
    /// A heading between logs: only what belongs to it goes on in it.
    heading: bool,
    /// The record before, where it ended within a trace that may go on below this one.
    torn: Option<Record>,
    /// The records since that one, where its exception's message is still to come.
    between: Vec<Record>,
    /// The latest time in the lane.
    latest: Option<Moment>,
    /// Whether the text of a Python exception goes on: what looks like a head may be part of its message.
    speaks: bool,
    /// The number of lines before the last one that was taken for such a part.
    quoted: Option<usize>,
}

impl OpenRecord {
    /// Begins with the first line of `record`, which holds none yet.
    pub(super) fn new(
        lane: &str,
        record: Record,
        line: Line,
        speech: Speech,
        heading: bool,
    ) -> Self {
        let latest = record.head.as_ref().and_then(|head| head.time);
        let mut open = Self {
            lane: lane.to_owned(),
            taken: limit::Extent::default(),
            record,
            heading,
            torn: None,
            between: Vec::new(),
            latest,
            speaks: false,
            quoted: None,
        };
        open.push(line, speech);
        open
    }

    /// Whether it takes the lines of `lane`.
    pub(super) fn is_of(&self, lane: &str) -> bool {
        // Nearly all sources have the one without a name, and to compare nothing with nothing is not free.
        self.lane.len() == lane.len() && (lane.is_empty() || self.lane == lane)
    }

    /// Adds a line that [`takes`](Self::takes) let in.
    pub(super) fn push(&mut self, line: Line, speech: Speech) {
        self.taken.add(&line.text);
        match speech {
            Speech::Begins => self.speaks = true,
            Speech::Ends => self.speaks = false,
            Speech::GoesOn => {}
        }
        self.record.lines.push(line);
    }

    /// Adds the lines that `lines` begins with, as far as they are bare frames and go on in this record.
    pub(super) fn take_frames(
        &mut self,
        lines: RawLine<'_>,
        source: SourceId,
        room: &mut Room,
        out: &mut Vec<Record>,
    ) -> Stretch {
        let mut taken = Stretch::default();
        let mut frames = Frames::begin();
        let Some((frame, bytes)) = frames.next(lines.bytes) else {
            return taken;
        };
        if !self.takes(frame.text(), false) {
            return taken;
        }
        self.settle(frame.text(), out);
        self.taken.add_frames(1, frame.text().len());
        self.speaks = false;
        taken.take(bytes);
        let first = (lines.start, lines.line);
        let Some(above) = push_frame(&mut self.record.lines, frame, first, source, room) else {
            return taken;
        };
        // Those that follow it in the file follow it in the record.
        loop {
            let rest = &lines.bytes[taken.bytes..];
            let record = &mut self.taken;
            let wanted = |frames, bytes| record.take_frames(frames, bytes);
            if let Some((run, bytes)) = frames.run(rest, wanted) {
                taken.take_all(run, bytes);
                above.extend(run, lines.start + taken.bytes as u64);
                continue;
            }
            let Some((frame, bytes)) = frames.next(rest) else {
                break;
            };
            let length = frame.text().len();
            if !self.taken.take_frames(1, length) {
                break;
            }
            let (start, line) = (lines.start + taken.bytes as u64, lines.line + taken.lines);
            above.push(frame, start, line);
            taken.take(bytes);
        }
        taken
    }

    /// Whether a line without a head goes on in this record.
    pub(super) fn takes(&self, text: &str, heading: bool) -> bool {
        let belongs = if self.heading {
            heading || aggregate::goes_on(text)
        } else {
            !heading
        };
        // What a shell prints below its prompt is an answer of its own.
        belongs
            && !SHELL_PROMPTS.iter().any(|prompt| text.starts_with(prompt))
            && self.taken.has_room(text.len(), self.is_between(text))
    }

    /// Counts a line of the record that says nothing anew; whether it is one.
    pub(super) fn counts(&mut self, line: &[u8]) -> bool {
        self.torn.is_none() && self.taken.counts(line)
    }

    /// Whether a trace has ended before this line, or begins with it.
    fn is_between(&self, text: &str) -> bool {
        let last = self.record.lines.last();
        let framed = last.is_some_and(|last| !last.below.is_empty() || is_frame(&last.text));
        text.trim().is_empty()
            || text.starts_with("Traceback (most recent call last)")
            || framed && !text.starts_with([' ', '\t']) && !text.starts_with("Caused by: ")
    }

    /// Whether a line with a head is part of a Python exception's message: its time is long past, and the
    /// line before was not such a one already.
    pub(super) fn quotes(&mut self, head: &Head) -> bool {
        let past = match (head.time, self.latest) {
            (Some(time), Some(latest)) => latest.since(time) > LONG_AGO,
            _ => false,
        };
        let quotes = past
            && self.speaks
            && self
                .quoted
                .is_none_or(|before| before + 1 < self.taken.lines());
        if quotes {
            self.quoted = Some(self.taken.lines());
        }
        quotes
    }

    /// Comes after `done` in the lane. Where that ended within a trace, it is kept: another thread may have
    /// written this record's line into the middle of it.
    pub(super) fn follow(&mut self, done: Self, out: &mut Vec<Record>) {
        self.latest = self.latest.max(done.latest);
        let last = done.record.lines.last();
        let torn = last.is_some_and(|line| {
            !line.below.is_empty() || is_frame(&line.text) || waits(&line.text)
        });
        if self.record.head.is_some() && torn {
            out.extend(done.torn);
            out.extend(done.between);
            self.torn = Some(done.record);
            return;
        }
        // Others may write more than one record before an exception's message comes.
        if done.waits() && done.between.len() < MOST_BETWEEN {
            self.torn = done.torn;
            self.between = done.between;
            self.between.push(done.record);
        } else {
            out.extend(done.torn);
            out.extend(done.between);
            out.push(done.record);
        }
    }

    /// Whether the message of an exception is still to come of which only the class was printed.
    pub(super) fn waits(&self) -> bool {
        let torn = self.torn.as_ref().and_then(|torn| torn.lines.last());
        torn.is_some_and(|line| line.below.is_empty() && waits(&line.text))
    }

    /// Before the next line: a frame below a message that threw nothing goes on in the torn record, and so does
    /// the message of an exception of which only the class was printed; what was in between is complete.
    pub(super) fn settle(&mut self, text: &str, out: &mut Vec<Record>) {
        let told = self.waits() && text.starts_with(": ");
        let Some(torn) = self.torn.take() else {
            return;
        };
        let goes_on = self.taken.lines() == 1 && is_frame(text) && !throws(self.record.message());
        if told || goes_on {
            self.taken = limit::Extent::of(torn.len(), torn.bytes());
            self.speaks = told;
            out.append(&mut self.between);
            out.push(std::mem::replace(&mut self.record, torn));
        } else {
            out.push(torn);
            out.append(&mut self.between);
        }
    }

    /// Ends it: the lane, or the source, has nothing more for it.
    pub(super) fn close(self, out: &mut Vec<Record>) {
        out.extend(self.torn);
        out.extend(self.between);
        out.push(self.record);
    }
}

/// What a line is to the text of a Python exception, which may look like lines of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speech {
    /// The text may begin below it.
    Begins,
    /// It is over.
    Ends,
    /// Nothing changes.
    GoesOn,
}

impl Speech {
    /// Of a line.
    pub(super) fn of(text: &str) -> Self {
        if TRACEBACK.find(text.as_bytes()).is_some() {
            Self::Begins
        } else if is_frame(text) {
            Self::Ends
        } else {
            Self::GoesOn
        }
    }
}

/// Adds one frame, and where it and its number are, to the lines of a record; returns the stack to which those belong
/// that follow it.
fn push_frame<'l>(
    lines: &'l mut Vec<Line>,
    frame: FrameText,
    (start, line): (u64, u64),
    source: SourceId,
    room: &mut Room,
) -> Option<&'l mut Stack> {
    let above = lines.last_mut();
    if let Some(above) = above.filter(|above| above.below.goes_on_at(start, above.place)) {
        if above.below.is_empty() {
            above.below = Stack::with_room(room.stack());
        }
        above.below.push(frame, start, line);
    } else {
        let bytes = u32::try_from(frame.text().len()).unwrap_or(u32::MAX);
        let place = Place {
            source,
            start,
            bytes,
            line,
            part: 0,
        };
        lines.push(Line::bare(place, frame.text()));
    }
    lines.last_mut().map(|line| &mut line.below)
}

/// Whether a line stands in the middle of a trace of the JVM.
fn is_frame(text: &str) -> bool {
    let line = text.trim_start();
    line.len() < text.len() && (line.starts_with("at ") || line.starts_with("... "))
}

/// Whether a line is the class of a Python exception whose message has not come.
fn waits(text: &str) -> bool {
    ["Error", "Exception"].iter().any(|end| text.ends_with(end))
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_'))
}

/// Whether a message names what was thrown, so that the frames below are its own.
fn throws(message: &str) -> bool {
    ["Exception", "Error", "Throwable"]
        .iter()
        .any(|word| message.contains(word))
}
