//! In: the frames of a JVM's stack trace, one behind the other. Out: the [`Stack`] below the line that they follow.
//!
//! A log of failures is frames for nine tenths, and the same ones again and again: the text of each is kept once, as long as
//! the program runs.

use crate::text::Place;

/// Room for so many frames is made at once: few stacks are of fewer than half of them.
const USUAL: usize = 32;

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
    pub(super) number: usize,
    pub(super) text: Box<str>,
}

impl KnownFrame {
    /// Its number: they are counted from 0.
    pub fn number(&self) -> usize {
        self.number
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

    /// Adds several that follow those there are, up to `end`.
    pub(super) fn extend(&mut self, frames: &[&'static KnownFrame], end: u64) {
        self.end = end;
        self.frames
            .extend(frames.iter().copied().map(FrameText::Known));
    }
}
