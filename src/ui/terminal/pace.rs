//! In: how much was sent to the terminal, and when it says that it has come that far. Out: whether it takes another frame.
//!
//! Over a slow line what was sent waits in buffers on the way, and a person sees the past. So behind a frame the terminal is
//! asked how it does, which it answers when it has drawn it; until then a little more is sent, and then nothing: the next
//! frame shows all that happened meanwhile.

use std::time::{Duration, Instant};

/// Asks the terminal how it does; and what it says, which is always the same.
pub(super) const QUESTION: &[u8] = b"\x1b[5n";
pub(super) const ANSWER: &[u8] = b"\x1b[0n";

/// Bytes that may be on the way before an answer is waited for: some moves of a cursor.
const MOST: usize = 2 << 10;
/// How long an answer is waited for. One that is later is lost.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is on the way to a terminal.
#[derive(Debug)]
pub(super) struct Pace {
    /// Whether the terminal is one that can be asked.
    asks: bool,
    /// Whether it has ever answered: one that does not is never waited for.
    answers: bool,
    asked: Option<Instant>,
    /// Bytes that may be on the way, and of them those behind the question.
    on_the_way: usize,
    behind: usize,
}

impl Pace {
    pub(super) fn new(asks: bool) -> Self {
        Self {
            asks,
            answers: false,
            asked: None,
            on_the_way: 0,
            behind: 0,
        }
    }

    /// A frame was sent; whether the terminal is to be asked behind it.
    pub(super) fn sent(&mut self, bytes: usize, now: Instant) -> bool {
        if !self.asks || bytes == 0 {
            return false;
        }
        self.on_the_way += bytes;
        if self.asked.is_some() {
            self.behind += bytes;
            return false;
        }
        self.asked = Some(now);
        self.behind = 0;
        true
    }

    /// The terminal has answered.
    pub(super) fn answered(&mut self) {
        self.answers = true;
        self.asked = None;
        self.on_the_way = self.behind;
    }

    /// The answer will not come: somebody else has read it.
    pub(super) fn forget(&mut self) {
        self.answers = false;
        self.asked = None;
        self.on_the_way = 0;
    }

    /// Whether another frame may be sent.
    pub(super) fn has_room(&mut self, now: Instant) -> bool {
        let lost = self.asked.is_some_and(|asked| now - asked > PATIENCE);
        if lost && self.answers {
            self.forget();
        }
        !self.is_awaited() || self.on_the_way < MOST
    }

    /// Whether an answer is still to come.
    pub(super) fn is_awaited(&self) -> bool {
        self.answers && self.asked.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_frame_is_sent_while_much_is_on_the_way() {
        let now = Instant::now();
        let mut pace = Pace::new(true);
        assert!(pace.sent(20_000, now), "it is asked behind the first frame");
        assert!(pace.has_room(now), "it may be one that never answers");
        pace.answered();
        // Moves of a cursor go on while one is on the way; a screenful is waited for.
        assert!(pace.sent(500, now) && pace.has_room(now));
        assert!(!pace.sent(500, now) && pace.has_room(now));
        assert!(!pace.sent(5_000, now) && !pace.has_room(now));
        pace.answered();
        assert!(pace.has_room(now), "nobody was asked behind the rest");
        assert!(pace.sent(10, now) && !pace.has_room(now));
        pace.answered();
        assert!(pace.has_room(now));
    }

    #[test]
    fn a_terminal_without_an_answer_is_not_waited_for() {
        let now = Instant::now();
        let mut silent = Pace::new(true);
        assert!(silent.sent(9_000, now));
        for _ in 0..3 {
            assert!(!silent.sent(9_000, now), "once is enough");
            assert!(silent.has_room(now));
        }
        let mut falls_silent = Pace::new(true);
        falls_silent.sent(9_000, now);
        falls_silent.answered();
        falls_silent.sent(9_000, now);
        assert!(!falls_silent.has_room(now));
        let later = now + PATIENCE + Duration::from_millis(1);
        assert!(falls_silent.has_room(later));
        let mut unasked = Pace::new(false);
        assert!(!unasked.sent(9_000, now) && unasked.has_room(now));
    }
}
