//! In: the bytes that a terminal sends, and when they came. Out: what they mean. It reads nothing itself.

use super::cut::{Cutter, Piece};
use super::meaning::event;
use crate::ui::terminal::pace::ANSWER;
use crossterm::event::Event;
use std::time::{Duration, Instant};

/// What was read.
#[derive(Debug)]
pub enum Read {
    /// A key, the mouse, a paste or a new size.
    Event(Event),
    /// What came of a paste that did not end, or was too long.
    CutPaste(String),
    /// The terminal's answer to how it does.
    Status,
}

/// Bytes become events, one by one.
#[derive(Debug)]
pub struct Keyboard(Cutter);

impl Keyboard {
    /// Nothing was sent yet.
    pub fn new(now: Instant) -> Self {
        Self(Cutter::new(now))
    }

    /// Takes what came in one read.
    pub fn take(&mut self, bytes: &[u8], now: Instant) {
        self.0.take(bytes, now);
    }

    /// The next event that is whole, or for whose rest was waited long enough.
    pub fn next(&mut self, now: Instant) -> Option<Read> {
        std::iter::from_fn(|| self.0.next(now)).find_map(meant)
    }

    /// How long it is until what is begun is not waited for any more; `None` where nothing is.
    pub fn patience(&self, now: Instant) -> Option<Duration> {
        self.0.patience(now)
    }
}

fn meant(piece: Piece) -> Option<Read> {
    match piece {
        Piece::Sequence(bytes) if bytes == ANSWER => Some(Read::Status),
        Piece::Sequence(bytes) => event(&bytes).map(Read::Event),
        Piece::Paste { text, whole } => {
            let text = String::from_utf8_lossy(&text).into_owned();
            Some(if whole {
                Read::Event(Event::Paste(text))
            } else {
                Read::CutPaste(text)
            })
        }
    }
}
