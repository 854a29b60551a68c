//! In: bytes of a terminal, and when they came. Out: [`Piece`]s: each what one key, the mouse or a paste sent.

use memchr::memmem;
use std::time::{Duration, Instant};

/// How long an Esc may be the first byte of more: a person's next key comes later, the rest of a key's bytes sooner.
const ESC_GAP: Duration = Duration::from_millis(30);
/// How long the rest of what is more than that may take.
const GAP: Duration = Duration::from_millis(500);
/// How long a paste may pause. What comes later is typed.
const PASTE_GAP: Duration = Duration::from_secs(2);
/// Bytes of a paste, at most; as many as of standard input where it is kept in memory.
const MOST_PASTED: usize = 64 << 20;
/// Bytes of a sequence, at most.
const LONGEST: usize = 64;

const PASTE: &[u8] = b"\x1b[200~";
const PASTED: &[u8] = b"\x1b[201~";
/// Ctrl-C, which leaves a paste, too; a person's comes in a read as short as this, what is pasted in longer ones.
const LEAVE: u8 = 3;
const TYPED: usize = 16;

/// What was sent at once.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// The bytes of a key or of the mouse.
    Sequence(Vec<u8>),
    /// A paste.
    Paste {
        /// What was pasted.
        text: Vec<u8>,
        /// Whether all of it is there: its end came, and it was not too long.
        whole: bool,
    },
}

/// Cuts bytes into pieces.
#[derive(Debug)]
pub(super) struct Cutter {
    bytes: Vec<u8>,
    pasting: Option<Pasting>,
    /// When the last bytes came.
    last: Instant,
}

#[derive(Debug, Default)]
struct Pasting {
    text: Vec<u8>,
    too_long: bool,
}

/// How many bytes the first piece takes.
#[derive(Debug, PartialEq, Eq)]
enum Length {
    /// It is a sequence.
    Whole(usize),
    /// It is none, and is passed over.
    Junk(usize),
    /// More has to come; where nothing does, it is a sequence of so many bytes, or none.
    Part(Option<usize>),
}

impl Cutter {
    pub(super) fn new(now: Instant) -> Self {
        Self {
            bytes: Vec::new(),
            pasting: None,
            last: now,
        }
    }

    /// Takes what came in one read.
    pub(super) fn take(&mut self, mut bytes: &[u8], now: Instant) {
        let leave = bytes.iter().position(|b| *b == LEAVE);
        if let Some(at) = leave.filter(|_| self.pasting.is_some() && bytes.len() < TYPED) {
            self.pasting = None;
            self.bytes.clear();
            bytes = &bytes[at..];
        }
        self.bytes.extend_from_slice(bytes);
        self.last = now;
    }

    /// The next piece that is whole, or for which more was waited for long enough.
    pub(super) fn next(&mut self, now: Instant) -> Option<Piece> {
        loop {
            if let Some(pasting) = &mut self.pasting {
                let ended = pasting.take(&mut self.bytes);
                if !ended && now - self.last < PASTE_GAP {
                    return None;
                }
                let Pasting { mut text, too_long } = self.pasting.take()?;
                if !ended {
                    text.append(&mut self.bytes);
                }
                let whole = ended && !too_long;
                return Some(Piece::Paste { text, whole });
            }
            let (n, is_piece) = match length(&self.bytes)? {
                Length::Junk(n) => (n, false),
                Length::Part(_) if self.patience(now)? > Duration::ZERO => return None,
                Length::Whole(n) | Length::Part(Some(n)) => (n, true),
                Length::Part(None) => (self.bytes.len(), false),
            };
            let piece: Vec<u8> = self.bytes.drain(..n).collect();
            if piece == PASTE {
                self.pasting = Some(Pasting::default());
            } else if is_piece {
                return Some(Piece::Sequence(piece));
            }
        }
    }

    /// How long it is until what is begun is not waited for any more; `None` where nothing is.
    pub(super) fn patience(&self, now: Instant) -> Option<Duration> {
        let gap = match (&self.pasting, &*self.bytes) {
            (Some(_), _) => PASTE_GAP,
            (None, []) => return None,
            (None, [0x1b]) => ESC_GAP,
            (None, _) => GAP,
        };
        Some(gap.saturating_sub(now - self.last))
    }
}

impl Pasting {
    /// Takes what of `bytes` belongs to the paste; whether it is at its end.
    fn take(&mut self, bytes: &mut Vec<u8>) -> bool {
        let end = memmem::find(bytes, PASTED);
        // The end may have come in part.
        let kept = (1..PASTED.len())
            .rev()
            .find(|n| bytes.ends_with(&PASTED[..*n]))
            .unwrap_or(0);
        let upto = end.unwrap_or(bytes.len() - kept);
        let room = MOST_PASTED - self.text.len();
        self.too_long |= upto > room;
        self.text.extend_from_slice(&bytes[..upto.min(room)]);
        bytes.drain(..upto + end.map_or(0, |_| PASTED.len()));
        end.is_some()
    }
}

/// How long the first piece of `bytes` is; `None` where there are none.
fn length(bytes: &[u8]) -> Option<Length> {
    Some(match bytes {
        [] => return None,
        [0x1b] => Length::Part(Some(1)),
        // Alt-[ and Alt-O begin like a sequence.
        [0x1b, b'[' | b'O'] => Length::Part(Some(2)),
        [0x1b, b'[', rest @ ..] => control_sequence(rest),
        [0x1b, b'O', b'A'..=b'D' | b'F' | b'H' | b'P'..=b'S', ..] => Length::Whole(3),
        [0x1b, 0x1b, ..] => Length::Whole(1),
        [0x1b, rest @ ..] => match character(rest) {
            Length::Whole(n) => Length::Whole(n + 1),
            Length::Junk(n) => Length::Junk(n + 1),
            part @ Length::Part(_) => part,
        },
        _ => character(bytes),
    })
}

/// What follows `ESC [`, of which there is some.
fn control_sequence(rest: &[u8]) -> Length {
    const HEAD: usize = 2;
    let whole = |n| {
        if rest.len() < n {
            Length::Part(None)
        } else {
            Length::Whole(HEAD + n)
        }
    };
    match rest {
        // The function keys of a Linux console, and the mouse of old terminals.
        [b'[', ..] => return whole(2),
        [b'M', ..] => return whole(4),
        _ => {}
    }
    let parameters = rest.iter().take_while(|b| matches!(b, 0x20..=0x3f)).count();
    match rest.get(parameters) {
        _ if parameters > LONGEST => Length::Junk(HEAD + parameters),
        None => Length::Part(None),
        Some(0x40..=0x7e) => Length::Whole(HEAD + parameters + 1),
        // Whatever this is, it begins something else.
        Some(_) => Length::Junk(HEAD + parameters),
    }
}

/// A character in UTF-8.
fn character(bytes: &[u8]) -> Length {
    let wanted = match bytes[0] {
        0..=0x7f => 1,
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return Length::Junk(1),
    };
    let there = &bytes[..bytes.len().min(wanted)];
    match std::str::from_utf8(there) {
        Ok(_) => Length::Whole(wanted),
        Err(error) if error.error_len().is_none() => Length::Part(None),
        Err(error) => Length::Junk(error.error_len().unwrap_or(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The pieces of what came, each read at its time in milliseconds, and `wait` after the last.
    fn pieces(reads: &[(u64, &[u8])], wait: u64) -> Vec<Piece> {
        let start = Instant::now();
        let at = |millis| start + Duration::from_millis(millis);
        let mut cutter = Cutter::new(start);
        let mut pieces = Vec::new();
        let mut now = 0;
        for (millis, bytes) in reads {
            now = *millis;
            pieces.extend(std::iter::from_fn(|| cutter.next(at(now))));
            cutter.take(bytes, at(now));
            pieces.extend(std::iter::from_fn(|| cutter.next(at(now))));
        }
        pieces.extend(std::iter::from_fn(|| cutter.next(at(now + wait))));
        pieces
    }

    fn sequences(all: &[&str]) -> Vec<Piece> {
        let sequence = |text: &&str| Piece::Sequence(text.as_bytes().to_vec());
        all.iter().map(sequence).collect()
    }

    fn paste(text: &str, whole: bool) -> Piece {
        let text = text.as_bytes().to_vec();
        Piece::Paste { text, whole }
    }

    #[test]
    fn each_key_is_a_piece_however_its_bytes_arrive() {
        let keys = [
            "j",
            "\x1b[A",
            "é",
            "\x1bOP",
            "\x1b[1;5C",
            "\x1b[[A",
            "\x1bx",
            "\x1b[<0;5;6M",
            "\x1b[M !!",
            "\x1b[15~",
            "語",
            "\r",
            "\x1bé",
            "q",
        ];
        let all = keys.concat();
        for at in 0..all.len() {
            let (first, second) = all.as_bytes().split_at(at);
            let got = pieces(&[(0, first), (10, second)], 0);
            assert_eq!(got, sequences(&keys), "cut at {at}");
        }
    }

    #[test]
    fn what_is_begun_is_waited_for_only_a_moment() {
        let q: &[u8] = b"q";
        assert_eq!(
            pieces(&[(0, b"\x1b"), (40, q)], 0),
            sequences(&["\x1b", "q"])
        );
        assert_eq!(
            pieces(&[(0, b"\x1b\x1b")], 40),
            sequences(&["\x1b", "\x1b"])
        );
        assert_eq!(pieces(&[(0, b"\x1b[")], 600), sequences(&["\x1b["]));
        for half in ["\x1b[1;", "\x1b[<0;5", "\x1b[[", "\x1b[M!", "\u{e9}"] {
            let half = &half.as_bytes()[..half.len() - usize::from(!half.is_ascii())];
            assert_eq!(pieces(&[(0, half), (600, q)], 0), sequences(&["q"]));
        }
        // What cannot be the rest is no part of it.
        assert_eq!(
            pieces(&[(0, b"\x1b[1;\x1b[Aq")], 0),
            sequences(&["\x1b[A", "q"])
        );
        assert_eq!(pieces(&[(0, b"\xffq")], 0), sequences(&["q"]));
    }

    #[test]
    fn a_paste_is_one_piece_whatever_is_in_it() {
        let text = "a\n\x1b[A\x1b[20b";
        let all = format!("j\x1b[200~{text}\x1b[201~q");
        // Within its first sequence it may not pause that long.
        for at in (0..=1).chain(7..all.len()) {
            let (first, second) = all.as_bytes().split_at(at);
            let got = pieces(&[(0, first), (1_900, second)], 0);
            assert_eq!(got[1], paste(text, true), "cut at {at}");
            assert_eq!(got.len(), 3, "cut at {at}");
        }
        let control = "a Ctrl-C \x03 that was pasted";
        let all = format!("\x1b[200~{control}\x1b[201~");
        assert_eq!(pieces(&[(0, all.as_bytes())], 0), [paste(control, true)]);
    }

    #[test]
    fn a_paste_without_an_end_ends_in_silence_and_keys_work_again() {
        let begun: &[u8] = b"\x1b[200~one\ntwo";
        let got = pieces(&[(0, begun), (1_000, b"j"), (3_000, b"q")], 0);
        assert_eq!(got[0], paste("one\ntwoj", false));
        assert_eq!(got[1..], sequences(&["q"]));
        // A person who will not wait for that leaves.
        let got = pieces(&[(0, begun), (100, b"j"), (200, b"\x03")], 0);
        assert_eq!(got, sequences(&["\x03"]));
    }

    #[test]
    fn a_paste_takes_no_more_memory_than_it_may() {
        let start = Instant::now();
        let mut cutter = Cutter::new(start);
        cutter.take(PASTE, start);
        let piece = vec![b'a'; 1 << 20];
        for _ in 0..70 {
            cutter.take(&piece, start);
            assert_eq!(cutter.next(start), None);
        }
        cutter.take(PASTED, start);
        let Some(Piece::Paste { text, whole }) = cutter.next(start) else {
            panic!("a paste");
        };
        assert_eq!((text.len(), whole), (MOST_PASTED, false));
    }

    proptest! {
        #[test]
        fn whatever_came_a_key_after_a_silence_is_that_key(
            reads in proptest::collection::vec(
                prop_oneof![
                    "[a-z\\[\\]~;<0-9MO\\x1b\\x03é]{0,12}".prop_map(String::into_bytes),
                    proptest::collection::vec(any::<u8>(), 0..20),
                    Just(PASTE.to_vec()),
                    Just(PASTED.to_vec()),
                ],
                0..12,
            ),
        ) {
            let mut reads: Vec<(u64, &[u8])> = reads.iter().map(|read| (0, &**read)).collect();
            reads.push((2_000, b"q"));
            let got = pieces(&reads, 0);
            prop_assert_eq!(got.last(), Some(&Piece::Sequence(b"q".to_vec())));
        }
    }
}
