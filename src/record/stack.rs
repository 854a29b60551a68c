//! In: lines that are bare frames of a JVM's stack trace. Out: the [`Stack`] below the line that they follow.
//!
//! A log of failures is frames for nine tenths, and the same ones again and again. The text of each is kept once, as long
//! as the program runs. Which of them followed which is remembered as well: most frames are known by one comparison,
//! without a look for where their line ends.

use super::bare_frame;
use crate::text::Place;
use foldhash::fast::RandomState;
use memchr::memchr;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// Frames whose text is kept once: however long a log of failures is, it names few places.
const MOST_KNOWN: usize = 8_192;
/// Room for so many frames is made at once: few stacks are of fewer than half of them.
const USUAL: usize = 32;
/// Longer lines are not kept so, and still longer ones are no frames that anybody would print.
const LONGEST_KNOWN: usize = 256;
const LONGEST: usize = 1_024;

/// A frame as it is printed.
#[derive(Debug, Clone)]
pub enum FrameText {
    /// One whose text is kept once.
    Known(&'static KnownFrame),
    /// One of too many.
    Own(Box<str>),
}

/// The text of a frame that is kept once.
#[derive(Debug)]
pub struct KnownFrame {
    number: usize,
    text: Box<str>,
}

impl KnownFrame {
    /// Its number: they are counted from 0.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Whether `lines` begin with it, and with no longer line.
    fn begins(&self, lines: &[u8]) -> bool {
        matches!(lines.get(self.text.len()), Some(b'\n') | None)
            && lines.starts_with(self.text.as_bytes())
    }
}

impl FrameText {
    /// The line.
    pub fn text(&self) -> &str {
        match self {
            Self::Known(known) => &known.text,
            Self::Own(text) => text,
        }
    }
}

impl PartialEq for FrameText {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Eq for FrameText {}

/// The bare frames that were printed below a line, one behind the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stack {
    /// Where the first one is, and its line's number.
    start: u64,
    line: u64,
    /// Where the next one would be.
    end: u64,
    frames: Vec<FrameText>,
}

impl Stack {
    /// How many they are.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Bytes of their texts.
    pub(super) fn bytes(&self) -> usize {
        self.frames.iter().map(|frame| frame.text().len()).sum()
    }

    /// Their texts.
    pub fn texts(&self) -> impl Iterator<Item = &FrameText> {
        self.frames.iter()
    }

    /// They, and where each is: below the line at `above`.
    pub fn frames(&self, above: Place) -> impl Iterator<Item = (Place, &FrameText)> {
        let mut start = self.start;
        (self.line..).zip(&self.frames).map(move |(line, frame)| {
            let bytes = frame.text().len();
            let place = Place {
                start,
                line,
                bytes: u32::try_from(bytes).unwrap_or(u32::MAX),
                part: 0,
                ..above
            };
            start += bytes as u64 + 1;
            (place, frame)
        })
    }

    /// Whether a line that begins at `start` follows directly, where these frames are below the line at `above`.
    pub(super) fn goes_on_at(&self, start: u64, above: Place) -> bool {
        let end = if self.is_empty() {
            above.start + u64::from(above.bytes) + 1
        } else {
            self.end
        };
        end == start
    }

    /// An empty one that has room for some.
    pub(super) fn with_room(frames: Vec<FrameText>) -> Self {
        Self {
            frames,
            ..Self::default()
        }
    }

    /// What holds the frames.
    pub(super) fn into_frames(self) -> Vec<FrameText> {
        self.frames
    }

    /// Adds one that goes on here.
    pub(super) fn push(&mut self, frame: FrameText, start: u64, line: u64) {
        if self.is_empty() {
            (self.start, self.line) = (start, line);
            self.frames.reserve(USUAL);
        }
        self.end = start + frame.text().len() as u64 + 1;
        self.frames.push(frame);
    }
}

/// How many of the lines that were offered were taken.
#[derive(Debug, Clone, Copy, Default)]
pub struct Taken {
    /// How many.
    pub lines: u64,
    /// Their bytes, line ends included.
    pub bytes: usize,
    /// Where the last one begins in them.
    pub last: usize,
}

impl Taken {
    /// One more is taken, of so many bytes.
    pub(super) fn take(&mut self, bytes: usize) {
        self.last = self.bytes;
        self.bytes += bytes;
        self.lines += 1;
    }
}

/// The frames that were seen so far.
#[derive(Default)]
struct Seen {
    /// The frame that followed each of them last.
    after: Vec<Option<&'static KnownFrame>>,
    by_text: HashMap<&'static str, &'static KnownFrame, RandomState>,
}

impl Seen {
    /// The frame that a line is, known or new.
    fn find(&mut self, line: &[u8]) -> Option<FrameText> {
        let known = std::str::from_utf8(line).ok();
        if let Some(known) = known.and_then(|text| self.by_text.get(text)) {
            return Some(FrameText::Known(known));
        }
        let text = bare_frame::text(line)?;
        if text.len() > LONGEST_KNOWN || self.after.len() >= MOST_KNOWN {
            return Some(FrameText::Own(text.into()));
        }
        let known: &'static KnownFrame = Box::leak(Box::new(KnownFrame {
            number: self.after.len(),
            text: text.into(),
        }));
        self.after.push(None);
        self.by_text.insert(&known.text, known);
        Some(FrameText::Known(known))
    }
}

static SEEN: LazyLock<Mutex<Seen>> = LazyLock::new(Mutex::default);

/// Reads frame after frame of one stack.
pub(super) struct Frames {
    seen: MutexGuard<'static, Seen>,
    /// The number of the one before.
    before: Option<usize>,
}

impl Frames {
    /// Begins.
    pub(super) fn begin() -> Self {
        Self {
            seen: SEEN.lock().unwrap_or_else(PoisonError::into_inner),
            before: None,
        }
    }

    /// The frame that `lines` begin with, and its bytes with the end of its line; `None` where they begin with
    /// something else.
    pub(super) fn next(&mut self, lines: &[u8]) -> Option<(FrameText, usize)> {
        let seen = &mut *self.seen;
        let guess = self.before.and_then(|before| seen.after[before]);
        let frame = match guess {
            Some(known) if known.begins(lines) => FrameText::Known(known),
            _ => seen.find(line(lines)?)?,
        };
        let now = match &frame {
            FrameText::Known(known) => Some(*known),
            FrameText::Own(_) => None,
        };
        if let Some(before) = self.before {
            seen.after[before] = now;
        }
        self.before = now.map(|known| known.number);
        let whole = frame.text().len() + 1;
        Some((frame, whole.min(lines.len())))
    }
}

/// The first of `lines`, where it may be a bare frame.
fn line(lines: &[u8]) -> Option<&[u8]> {
    if !lines.starts_with(bare_frame::BEGINS) {
        return None;
    }
    let most = lines.len().min(LONGEST + 1);
    let end = memchr(b'\n', &lines[..most]).unwrap_or(most);
    (end <= LONGEST).then(|| &lines[..end])
}
