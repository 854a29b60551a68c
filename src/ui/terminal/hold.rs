//! In: what is to become of the terminal: enter, leave, suspend, resume. Out: the escape sequences and
//! modes that do so, once, whichever thread asks.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use rustix::io::Errno;
use rustix::termios::{QueueSelector, tcflush};

use crate::ui::copy::Surroundings;

/// Alternate screen, bracketed paste, no cursor, an empty page.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[?2004h\x1b[?25l\x1b[0m\x1b[2J";
/// Clicks, the wheel and motion while a button is held, in coordinates of any size; never plain motion, which would flood
/// a slow line.
const MOUSE: &[u8] = b"\x1b[?1002h\x1b[?1006h";
/// Undoes everything that `ENTER`, `MOUSE` and a frame cut short may have set.
const LEAVE: &[u8] = b"\x1b[?2026l\x1b[?1006l\x1b[?1002l\x1b[?2004l\x1b[0m\x1b[?25h\x1b[?1049l";
const NO_MOUSE: &[u8] = b"\x1b[?1006l\x1b[?1002l";
/// Around a frame, so that terminals that know it show the frame whole or not at all.
const FRAME: (&[u8], &[u8]) = (b"\x1b[?2026h", b"\x1b[?2026l");

/// How long to wait for a thread that writes to the terminal before restoring the modes without it.
const PATIENCE: Duration = Duration::from_millis(500);

/// How long after a question its reply is waited for before the terminal is given back: typed into the shell it would be
/// in the way. Over SSH it takes longer.
const REPLY: (Duration, Duration) = (Duration::from_millis(300), Duration::from_secs(1));

/// A question that was asked longer ago will not be answered.
const LONGEST_REPLY: Duration = Duration::from_secs(5);

/// How long a terminal that does not wait may take to make room.
const LONGEST_WRITE: Duration = Duration::from_secs(10);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hold {
    /// The terminal is the shell's.
    Free,
    /// The screen is ours.
    Held { mouse: bool },
    /// The screen was given back until the program is continued.
    Lent { mouse: bool },
}

static HOLD: Mutex<Hold> = Mutex::new(Hold::Free);
static REDRAW: AtomicBool = AtomicBool::new(false);
/// Bytes of frames that were sent.
static SENT: AtomicUsize = AtomicUsize::new(0);
/// When the terminal was asked something that it has not answered yet.
static ASKED: Mutex<Option<Instant>> = Mutex::new(None);

/// Takes the terminal.
pub(super) fn enter(mouse: bool) -> io::Result<()> {
    let mut hold = lock();
    take(mouse)?;
    *hold = Hold::Held { mouse };
    Ok(())
}

/// Gives the terminal back for good; nothing happens where it was given back before.
pub(super) fn leave() {
    let Some(mut hold) = lock_within(PATIENCE) else {
        // Somebody is stuck writing to the terminal: its modes at least can be had without a word.
        let _ = disable_raw_mode();
        return;
    };
    if let Hold::Held { mouse } = *hold {
        give_back(mouse);
    }
    *hold = Hold::Free;
}

/// Gives the terminal back until [`resume`]; whether it was ours.
pub(super) fn suspend() -> bool {
    let mut hold = lock();
    if let Hold::Held { mouse } = *hold {
        give_back(mouse);
        *hold = Hold::Lent { mouse };
        return true;
    }
    false
}

/// Takes the terminal again and asks for a full redraw; also where the program was stopped by a signal
/// that cannot be caught, after which the shell has set the terminal to its own liking.
pub(super) fn resume() {
    let mut hold = lock();
    if let Hold::Lent { mouse } | Hold::Held { mouse } = *hold {
        // Raw mode is only set anew where it is known to be off.
        let _ = disable_raw_mode();
        if take(mouse).is_ok() {
            *hold = Hold::Held { mouse };
            REDRAW.store(true, Ordering::Release);
        }
    }
}

/// Whether the screen must be drawn from nothing; true once per [`resume`].
pub(super) fn take_redraw() -> bool {
    REDRAW.swap(false, Ordering::AcqRel)
}

/// Bytes of frames that were sent since the last time.
pub(super) fn take_sent() -> usize {
    SENT.swap(0, Ordering::AcqRel)
}

/// Whether the next frame will be drawn from nothing.
pub(super) fn redraw_is_due() -> bool {
    REDRAW.load(Ordering::Acquire)
}

/// Whether the terminal is the shell's.
pub(super) fn is_free() -> bool {
    lock_within(PATIENCE).is_some_and(|hold| *hold == Hold::Free)
}

/// Starts or stops listening to the mouse.
pub(super) fn set_mouse(on: bool) -> io::Result<()> {
    let mut hold = lock();
    if let Hold::Held { mouse } = &mut *hold {
        *mouse = on;
        say(if on { MOUSE } else { NO_MOUSE })?;
    }
    Ok(())
}

/// Writes `bytes` as they are, if the screen is ours.
pub(super) fn write(bytes: &[u8]) -> io::Result<()> {
    let hold = lock();
    if matches!(*hold, Hold::Held { .. }) {
        say(bytes)?;
    }
    Ok(())
}

/// Asks the terminal something, if the screen is ours; the reply comes in between the keys.
pub(super) fn ask(question: &[u8]) -> io::Result<()> {
    *asked() = Some(Instant::now());
    write(question)
}

/// The reply has come.
pub(super) fn answered() {
    *asked() = None;
}

fn asked() -> MutexGuard<'static, Option<Instant>> {
    ASKED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the frames are written to: whole frames, and only while the screen is ours, so that a late
/// frame never lands on the shell's page.
#[derive(Debug, Default)]
pub(super) struct Frames {
    pending: Vec<u8>,
}

impl Write for Frames {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.pending.is_empty() {
            self.pending.extend_from_slice(FRAME.0);
        }
        self.pending.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        self.pending.extend_from_slice(FRAME.1);
        let written = write(&self.pending);
        SENT.fetch_add(self.pending.len(), Ordering::AcqRel);
        self.pending.clear();
        written
    }
}

fn take(mouse: bool) -> io::Result<()> {
    enable_raw_mode()?;
    let entered = say(ENTER).and_then(|()| if mouse { say(MOUSE) } else { Ok(()) });
    if entered.is_err() {
        give_back(mouse);
    }
    entered
}

fn give_back(mouse: bool) {
    let _ = say(LEAVE);
    let asked = asked()
        .take()
        .filter(|asked| asked.elapsed() < LONGEST_REPLY);
    if let Some(asked) = asked {
        let patience = if Surroundings::here().ssh {
            REPLY.1
        } else {
            REPLY.0
        };
        thread::sleep(patience.saturating_sub(asked.elapsed()));
    }
    if mouse || asked.is_some() {
        // Reports of the mouse and replies that nobody has read would be typed into the shell.
        let _ = tcflush(io::stdout(), QueueSelector::IFlush);
    }
    let _ = disable_raw_mode();
}

/// Past the standard library's buffer, which loses count where a program before this one has left the
/// terminal in a mode in which writes do not wait.
fn say(mut bytes: &[u8]) -> io::Result<()> {
    let start = Instant::now();
    while !bytes.is_empty() {
        match rustix::io::write(io::stdout(), bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) if start.elapsed() < LONGEST_WRITE => {
                thread::sleep(Duration::from_millis(2));
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

fn lock() -> MutexGuard<'static, Hold> {
    HOLD.lock().unwrap_or_else(PoisonError::into_inner)
}

fn lock_within(patience: Duration) -> Option<MutexGuard<'static, Hold>> {
    let start = Instant::now();
    loop {
        match HOLD.try_lock() {
            Ok(hold) => return Some(hold),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if start.elapsed() > patience => return None,
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(5)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaving_undoes_every_mode_that_entering_sets() {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let leave = text(LEAVE);
        for set in text(&[ENTER, MOUSE].concat())
            .split("\x1b[?")
            .filter(|mode| mode.ends_with('h'))
        {
            let unset = format!("\x1b[?{}l", set.trim_end_matches('h'));
            assert!(leave.contains(&unset), "{unset:?} is missing");
        }
        assert!(leave.contains("\x1b[?25h") && leave.ends_with("\x1b[?1049l"));
    }

    #[test]
    fn nothing_is_written_while_the_terminal_is_the_shells() {
        let mut frames = Frames::default();
        frames.write_all(b"late").expect("a buffer");
        assert_eq!(frames.pending, b"\x1b[?2026hlate");
        frames.flush().expect("dropped");
        assert!(frames.pending.is_empty());
        assert!(!suspend());
        resume();
        assert!(!take_redraw());
        assert_eq!(*lock(), Hold::Free);
    }
}
