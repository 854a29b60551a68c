//! In: the events of a terminal that was asked for the colour of its background (OSC 11). Out: the same events without
//! those that its reply came as, and whether it is a light one.
//!
//! A reply comes in between keys and looks like keys: `ESC ]` as Alt-], then characters. Only what is a reply from its
//! first byte to its last is taken for one; anything else is handed on, in its order, as soon as it can no longer be one.

use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::ui::copy::{Named, Surroundings};

/// Asks for the colour of the background; the end is the one that the oldest terminals know.
pub(super) const QUESTION: &[u8] = b"\x1b]11;?\x07";

/// What every reply begins with.
const HEAD: &str = "\x1b]11;";
/// How long the rest of it may take, and the rest of the whole once it is there. Whoever types its first byte waits so
/// long for the effect.
const GAP: Duration = Duration::from_millis(50);
const LONG_GAP: Duration = Duration::from_millis(500);

/// A lone Esc is the first byte of a reply only while one may still come.
const AWAITED: Duration = Duration::from_secs(2);

/// What a terminal's text stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Background {
    /// Nearer to white.
    Light,
    /// Nearer to black.
    Dark,
}

impl Background {
    /// As some terminals tell without being asked: `15;0` is white on black.
    pub fn of_colorfgbg(value: &str) -> Option<Self> {
        Some(match value.rsplit(';').next()?.parse::<u8>().ok()? {
            7 | 9..=15 => Self::Light,
            _ => Self::Dark,
        })
    }

    /// `rgb:1e1e/1e1e/2e2e`, its parts of one to four digits; `rgba:` has one more.
    fn of_reply(colour: &str) -> Option<Self> {
        let (kind, parts) = colour.split_once(':')?;
        let parts: Vec<&str> = parts.split('/').collect();
        let many = match kind {
            "rgb" => 3,
            "rgba" => 4,
            _ => return None,
        };
        let part = |text: &&str| {
            let digits = u32::try_from(text.len())
                .ok()
                .filter(|n| (1..=4).contains(n))?;
            let value = u32::from_str_radix(text, 16).ok()?;
            Some(f64::from(value) / f64::from(16_u32.pow(digits) - 1))
        };
        let values: Vec<f64> = parts.iter().filter_map(part).collect();
        if values.len() != many || parts.len() != many {
            return None;
        }
        let luminance = 0.299 * values[0] + 0.587 * values[1] + 0.114 * values[2];
        Some(if luminance > 0.5 {
            Self::Light
        } else {
            Self::Dark
        })
    }
}

/// Whether a terminal may be asked: GNU screen would keep the question and ask again when nobody waits for the reply.
pub(in crate::ui) fn may_be_asked(around: &Surroundings) -> bool {
    around.terminal == Named::Usual && !around.screen
}

/// What came of an event.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Sieved {
    /// It may be part of a reply: what follows tells.
    Held,
    /// These are no reply.
    Passed(Vec<Event>),
    /// The reply is whole.
    Told(Background),
}

/// Tells a reply from what a person does.
#[derive(Debug)]
pub(super) struct Sieve {
    asked: Instant,
    /// What may be the beginning of a reply, as events and as the bytes they came as.
    held: Vec<Event>,
    bytes: String,
    last: Instant,
}

impl Sieve {
    /// For a terminal that was asked at this moment.
    pub(super) fn new(now: Instant) -> Self {
        Self {
            asked: now,
            held: Vec::new(),
            bytes: String::new(),
            last: now,
        }
    }

    /// Takes an event.
    pub(super) fn take(&mut self, event: Event, now: Instant) -> Sieved {
        let Some(bytes) = typed(&event) else {
            // A mouse, a new size: no part of a reply, and none of them breaks one in two.
            return Sieved::Passed(vec![event]);
        };
        if self.held.is_empty() && bytes == "\x1b" && now - self.asked > AWAITED {
            return Sieved::Passed(vec![event]);
        }
        self.last = now;
        let progress = progress(&format!("{}{bytes}", self.bytes));
        if matches!(progress, Progress::None) && !self.held.is_empty() {
            // It ends what was no reply, and may begin one.
            let mut passed = self.release();
            if let Sieved::Passed(more) = self.take(event, now) {
                passed.extend(more);
            }
            return Sieved::Passed(passed);
        }
        self.held.push(event);
        self.bytes.push_str(&bytes);
        match progress {
            Progress::Whole(background) => {
                self.release();
                Sieved::Told(background)
            }
            Progress::Part => Sieved::Held,
            Progress::None => Sieved::Passed(self.release()),
        }
    }

    /// How long it is until what is held is handed on; `None` where nothing is held.
    pub(super) fn patience(&self, now: Instant) -> Option<Duration> {
        let gap = if self.bytes.len() < HEAD.len() {
            GAP
        } else {
            LONG_GAP
        };
        (!self.held.is_empty()).then(|| gap.saturating_sub(now - self.last))
    }

    /// What is held, which nothing followed.
    pub(super) fn release(&mut self) -> Vec<Event> {
        self.bytes.clear();
        std::mem::take(&mut self.held)
    }
}

enum Progress {
    Part,
    Whole(Background),
    None,
}

/// How much of a reply the bytes are.
fn progress(bytes: &str) -> Progress {
    // A colour with four parts of four digits, and more than that.
    const LONGEST: usize = 32;
    let Some(rest) = bytes.strip_prefix(HEAD) else {
        return if HEAD.starts_with(bytes) {
            Progress::Part
        } else {
            Progress::None
        };
    };
    let colour = rest
        .strip_suffix('\x07')
        .or_else(|| rest.strip_suffix("\x1b\\"));
    if let Some(colour) = colour {
        return Background::of_reply(colour).map_or(Progress::None, Progress::Whole);
    }
    let body = rest.strip_suffix('\x1b').unwrap_or(rest);
    let fits = |c: char| c.is_ascii_hexdigit() || "rgba:/".contains(c);
    if body.len() <= LONGEST && body.chars().all(fits) {
        Progress::Part
    } else {
        Progress::None
    }
}

/// The bytes that came in as this key, where a reply holds such ones.
fn typed(event: &Event) -> Option<String> {
    let Event::Key(KeyEvent {
        code,
        modifiers,
        kind: KeyEventKind::Press,
        ..
    }) = event
    else {
        return None;
    };
    let modifiers = modifiers.difference(KeyModifiers::SHIFT);
    Some(match (code, modifiers) {
        (KeyCode::Esc, KeyModifiers::NONE) => "\x1b".to_owned(),
        (KeyCode::Char('g'), KeyModifiers::CONTROL) => "\x07".to_owned(),
        (KeyCode::Char(c), KeyModifiers::NONE) => c.to_string(),
        (KeyCode::Char(c), KeyModifiers::ALT) => format!("\x1b{c}"),
        // Nothing that a reply holds: it ends what may have begun as one.
        _ => "\0".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Event {
        Event::Key(KeyEvent::new(code, modifiers))
    }

    /// As crossterm reads them: an ESC together with what follows, but for one at the end of what arrived.
    fn events(bytes: &str) -> Vec<Event> {
        let mut events = Vec::new();
        let mut rest = bytes.chars().peekable();
        while let Some(c) = rest.next() {
            events.push(match c {
                '\x1b' => match rest.next() {
                    Some(next) => key(KeyCode::Char(next), KeyModifiers::ALT),
                    None => key(KeyCode::Esc, KeyModifiers::NONE),
                },
                '\x07' => key(KeyCode::Char('g'), KeyModifiers::CONTROL),
                c if c.is_ascii_uppercase() => key(KeyCode::Char(c), KeyModifiers::SHIFT),
                c => key(KeyCode::Char(c), KeyModifiers::NONE),
            });
        }
        events
    }

    /// What is handed on of `events`, and what was told.
    fn through(events: &[Event], after: Duration) -> (Vec<Event>, Option<Background>) {
        let start = Instant::now();
        let mut sieve = Sieve::new(start);
        let (mut passed, mut told) = (Vec::new(), None);
        for event in events {
            match sieve.take(event.clone(), start + after) {
                Sieved::Held => {}
                Sieved::Passed(events) => passed.extend(events),
                Sieved::Told(background) => told = Some(background),
            }
        }
        passed.extend(sieve.release());
        (passed, told)
    }

    #[test]
    fn a_reply_is_taken_out_from_between_the_keys() {
        for (reply, background) in [
            ("\x1b]11;rgb:ffff/ffff/ffff\x07", Background::Light),
            ("\x1b]11;rgb:FD/F6/E3\x1b\\", Background::Light),
            ("\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\", Background::Dark),
            ("\x1b]11;rgba:0/0/0/ffff\x07", Background::Dark),
        ] {
            for (before, after) in [("", ""), ("jj", "q"), ("\x1b]", "\x1bx"), ("]11;", "r")] {
                let all = [events(before), events(reply), events(after)].concat();
                let keys = [events(before), events(after)].concat();
                for late in [Duration::ZERO, Duration::from_secs(60)] {
                    assert_eq!(
                        through(&all, late),
                        (keys.clone(), Some(background)),
                        "{all:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_reply_that_arrives_in_two_parts_is_still_one() {
        let reply = "\x1b]11;rgb:ffff/ffff/ffff\x1b\\";
        for at in 1..reply.len() {
            let (first, second) = reply.split_at(at);
            let all = [events(first), events(second)].concat();
            assert_eq!(
                through(&all, Duration::ZERO),
                (Vec::new(), Some(Background::Light)),
                "{first:?} {second:?}"
            );
        }
    }

    #[test]
    fn what_is_no_reply_keeps_its_order() {
        for keys in [
            "\x1b",
            "\x1b]11;rgb:zz/00/00\x07",
            "\x1b]11;rgb:ffff/ffff\x07",
            "\x1b]11;rgb:00000/0/0\x07",
            "\x1b]12;rgb:0/0/0\x07",
            "]11;rgb:0/0/0\x07",
            "\x1b]11;aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "jk\x1b[g",
        ] {
            let keys = events(keys);
            assert_eq!(through(&keys, Duration::ZERO), (keys.clone(), None));
        }
        let mixed = [
            events("\x1b]1"),
            vec![key(KeyCode::Down, KeyModifiers::NONE)],
        ]
        .concat();
        assert_eq!(through(&mixed, Duration::ZERO), (mixed.clone(), None));
    }

    #[test]
    fn esc_waits_only_while_a_reply_may_come() {
        let start = Instant::now();
        let mut sieve = Sieve::new(start);
        let esc = events("\x1b").remove(0);
        assert_eq!(sieve.take(esc.clone(), start), Sieved::Held);
        assert_eq!(sieve.patience(start), Some(GAP));
        assert_eq!(sieve.release(), vec![esc.clone()]);
        let later = start + Duration::from_secs(3);
        assert_eq!(sieve.take(esc.clone(), later), Sieved::Passed(vec![esc]));
        assert_eq!(sieve.patience(later), None);
    }

    #[test]
    fn only_terminals_that_understand_are_asked() {
        let asked =
            |term: &str, set: &str| may_be_asked(&Surroundings::read(|name| name == set, term));
        assert!(
            asked("xterm-256color", "") && asked("foot", "") && asked("screen-256color", "TMUX")
        );
        assert!(
            !asked("linux", "") && !asked("vt220", "") && !asked("screen", "") && !asked("", "")
        );
        assert!(!asked("xterm", "STY"));
    }

    #[test]
    fn some_terminals_tell_without_being_asked() {
        let told = Background::of_colorfgbg;
        assert_eq!(told("0;15"), Some(Background::Light));
        assert_eq!(told("0;default;15"), Some(Background::Light));
        assert_eq!(told("15;0"), Some(Background::Dark));
        assert_eq!(told("15;default"), None);
    }
}
