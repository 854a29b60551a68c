//! In: standard output, if it is a terminal. Out: [`Terminal`]: frames go in, events come out, and dropping
//! it gives the terminal back.

use std::collections::VecDeque;
use std::env;
use std::io::{self, IsTerminal as _};
use std::panic;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use crossterm::event::Event;
use crossterm::style::force_color_output;
use ratatui::Frame;
use ratatui::backend::{Backend as _, CrosstermBackend};
use ratatui::layout::{Position, Rect};
use ratatui::{TerminalOptions, Viewport};
use rustix::termios::tcgetattr;

use super::background::{Background, QUESTION, Sieve, Sieved, may_be_asked};
use super::hold::{self, Frames};
use super::keyboard::{Read, Reader};
use super::pace::{self, Pace};
use super::signals;
use super::size::{self, is_told};
use crate::ui::copy::Surroundings;

/// How long the keyboard is waited for at a time.
const SLICE: Duration = Duration::from_millis(100);
/// How long the last answer of the terminal is waited for before it is given back.
const LAST_ANSWER: Duration = Duration::from_secs(3);

/// Messages that wait until the screen is closed, at most: one fault may be met again and again.
const MOST_LATE: usize = 4;

/// The screen, the keyboard and the mouse of one terminal.
///
/// While it lives, nothing else may write to standard output or standard error.
pub struct Terminal {
    screen: Screen,
    /// `None` only while it is dropped.
    keyboard: Option<Reader>,
    /// Whether the terminal did not say how large it is.
    guessed: bool,
    /// Tells a reply from keys, once the terminal was asked.
    sieve: Option<Sieve>,
    /// What happened and was not told yet.
    happened: VecDeque<Happened>,
    /// Whether the size changed, be it there and back: what was cut off on the way is gone from the screen.
    resized: bool,
    /// What is on the way to the terminal.
    pace: Pace,
}

type Screen = ratatui::Terminal<CrosstermBackend<Frames>>;

/// What is drawn on, and whether its size had to be guessed.
fn screen() -> io::Result<(Screen, bool)> {
    let backend = CrosstermBackend::new(Frames::default());
    let guessed = !backend.size().is_ok_and(is_told);
    let viewport = if guessed {
        Viewport::Fixed(size::guessed())
    } else {
        Viewport::Fullscreen
    };
    let screen = ratatui::Terminal::with_options(backend, TerminalOptions { viewport })?;
    Ok((screen, guessed))
}

/// Why there can be no screen.
#[derive(Debug, thiserror::Error)]
pub enum CannotOpen {
    /// Standard output goes to a file or a pipe.
    #[error(
        "standard output is not a terminal; `causedby report` says the same without a screen, as text, JSON or Markdown"
    )]
    NotATerminal,
    /// The terminal says of itself that it cannot place text.
    #[error(
        "a terminal with TERM={0} cannot show a screen; `causedby report` says the same without one, as text, JSON or Markdown"
    )]
    Plain(String),
    /// Standard input is not a terminal and the process has no other.
    #[error("no terminal to read keys from ({0}); `causedby report` needs none")]
    NoKeys(io::Error),
    /// The terminal refused to be set up.
    #[error("the terminal could not be set up: {0}")]
    Io(#[from] io::Error),
}

/// What happened while waiting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happened {
    /// A key, the mouse, a paste, a new size.
    Input(Event),
    /// The program was stopped and continued: draw again.
    Resumed,
    /// The terminal has told what its text stands on.
    Background(Background),
    /// The end of what was just pasted is not there.
    PasteCut,
    /// The terminal has drawn what it was sent.
    CaughtUp,
}

impl Terminal {
    /// Takes the terminal: alternate screen, raw mode, bracketed paste, no cursor, and the mouse if asked.
    ///
    /// From here on SIGTERM, SIGHUP and SIGINT give the terminal back and end the program with 128 + their
    /// number; a panic gives it back before its message is printed.
    ///
    /// # Errors
    /// Where there is no terminal to draw on or none to read keys from; nothing was changed then.
    pub fn open(mouse: bool) -> Result<Self, CannotOpen> {
        if !io::stdout().is_terminal() {
            return Err(CannotOpen::NotATerminal);
        }
        if let Some(term) = plain(env::var("TERM").ok()) {
            return Err(CannotOpen::Plain(term));
        }
        let keyboard = match keyboard_at_rest().take() {
            Some(keyboard) => keyboard,
            None => Reader::new().map_err(CannotOpen::NoKeys)?,
        };
        // crossterm would drop colours and with them the attributes of a cell where NO_COLOR is set;
        // the themes honour it instead.
        force_color_output(true);
        signals::watch()?;
        restore_before_panic_messages();
        hold::enter(mouse)?;
        let (screen, guessed) = screen().inspect_err(|_| hold::leave())?;
        Ok(Self {
            screen,
            keyboard: Some(keyboard),
            guessed,
            sieve: None,
            happened: VecDeque::new(),
            resized: false,
            pace: Pace::new(may_be_asked(&Surroundings::here())),
        })
    }

    /// Asks the terminal what its text stands on, where it is one that can be asked, and waits for the answer, but not
    /// longer than `patience`: later it [`Happened`]. Keys that come meanwhile are kept.
    pub fn background(&mut self, patience: Duration) -> io::Result<Option<Background>> {
        if !may_be_asked(&Surroundings::here()) {
            return Ok(None);
        }
        let start = Instant::now();
        self.sieve = Some(Sieve::new(start));
        hold::ask(QUESTION)?;
        let mut kept = VecDeque::new();
        let told = loop {
            let left = patience.saturating_sub(start.elapsed());
            match self.next(left)? {
                Some(Happened::Background(background)) => break Some(background),
                Some(Happened::CaughtUp) => {}
                // It stays due until the next frame.
                Some(Happened::Resumed) => break None,
                Some(other) => kept.push_back(other),
                None if left.is_zero() => break None,
                None => {}
            }
        };
        kept.append(&mut self.happened);
        self.happened = kept;
        Ok(told)
    }

    /// Draws one frame, from nothing where the program was continued or the size changed. Does nothing
    /// where the terminal has no area any more, as after a hang-up.
    pub fn draw(&mut self, render: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        let size = self.screen.size()?;
        if self.guessed && is_told(size) {
            (self.screen, self.guessed) = screen()?;
            // What was drawn on the guessed size is still there.
            self.resized = true;
        }
        if !self.guessed && !is_told(size) {
            return Ok(());
        }
        let resumed = hold::take_redraw();
        if resumed {
            self.pace.forget();
        }
        if resumed | std::mem::take(&mut self.resized) {
            // Not `clear`: that asks the terminal where its cursor is and waits for the answer.
            self.screen.resize(if self.guessed {
                size::guessed()
            } else {
                Rect::from((Position::ORIGIN, size))
            })?;
        }
        self.screen.draw(render)?;
        if self.pace.sent(hold::take_sent(), Instant::now()) {
            hold::ask(pace::QUESTION)?;
        }
        Ok(())
    }

    /// Whether the terminal has come so far that another frame is worth its bytes; where it has not, what happens meanwhile is
    /// in the next one.
    pub fn has_room(&mut self) -> bool {
        hold::redraw_is_due() || self.pace.has_room(Instant::now())
    }

    /// The terminal has said that it has drawn what it was sent.
    fn caught_up(&mut self) {
        hold::answered();
        self.pace.answered();
    }

    /// Takes an answer that is still to come, which would be typed into the shell.
    fn take_last_answer(&mut self) {
        let start = Instant::now();
        while self.pace.is_awaited() && start.elapsed() < LAST_ANSWER {
            let read = self.keyboard.as_mut().map(|k| k.next(SLICE));
            match read {
                Some(Ok(Some(Read::Status))) => self.caught_up(),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return,
            }
        }
    }

    /// Waits up to `timeout` for something to happen; `None` where nothing did.
    ///
    /// # Errors
    /// Where the terminal can no longer be read.
    pub fn next(&mut self, timeout: Duration) -> io::Result<Option<Happened>> {
        let start = Instant::now();
        loop {
            if let Some(happened) = self.happened.pop_front() {
                return Ok(Some(happened));
            }
            if hold::redraw_is_due() {
                return Ok(Some(Happened::Resumed));
            }
            // Slices, because being continued does not wake the wait.
            let left = timeout.saturating_sub(start.elapsed());
            let held = self.sieve.as_ref().and_then(|s| s.patience(Instant::now()));
            let slice = held.map_or(left, |held| held.min(left));
            let slice = slice.min(SLICE);
            let Some(keyboard) = &mut self.keyboard else {
                return Ok(None);
            };
            match keyboard.next(slice)? {
                Some(Read::Event(event)) => {
                    self.resized |= matches!(event, Event::Resize(..));
                    self.sieve(event);
                    continue;
                }
                Some(Read::CutPaste(text)) => {
                    let paste = Happened::Input(Event::Paste(text));
                    self.happened.extend([paste, Happened::PasteCut]);
                    continue;
                }
                Some(Read::Status) => {
                    self.caught_up();
                    return Ok(Some(Happened::CaughtUp));
                }
                None => {}
            }
            self.release_held();
            // A terminal that went away without a signal is never read from again; its modes tell.
            tcgetattr(io::stdout())?;
            if left <= slice && self.happened.is_empty() {
                return Ok(None);
            }
        }
    }

    /// Hands an event on, unless it belongs to a reply.
    fn sieve(&mut self, event: Event) {
        let Some(sieve) = &mut self.sieve else {
            self.happened.push_back(Happened::Input(event));
            return;
        };
        match sieve.take(event, Instant::now()) {
            Sieved::Held => {}
            Sieved::Passed(events) => {
                let events = events.into_iter().map(Happened::Input);
                self.happened.extend(events);
            }
            Sieved::Told(background) => {
                hold::answered();
                self.sieve = None;
                self.happened.push_back(Happened::Background(background));
            }
        }
    }

    /// Hands on what nothing followed that would make it a reply.
    fn release_held(&mut self) {
        if let Some(sieve) = &mut self.sieve
            && sieve.patience(Instant::now()) == Some(Duration::ZERO)
        {
            let events = sieve.release().into_iter().map(Happened::Input);
            self.happened.extend(events);
        }
    }

    /// Writes bytes that are not part of a frame, such as a copy for the terminal's clipboard. The caller
    /// vouches for them: they reach the terminal as they are.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        hold::write(bytes)
    }

    /// Starts or stops listening to the mouse; without it, the terminal's own selection works.
    pub fn set_mouse(&mut self, on: bool) -> io::Result<()> {
        hold::set_mouse(on)
    }

    /// Gives the terminal back and stops the job, as `^z` does elsewhere; the next [`Terminal::next`] after
    /// being continued says [`Happened::Resumed`]. Does nothing where no shell could continue it.
    pub fn suspend(&mut self) {
        signals::stop(true);
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.take_last_answer();
        hold::leave();
        // What was typed ahead is for the next screen.
        *keyboard_at_rest() = self.keyboard.take();
        for message in late_panics().drain(..) {
            eprintln!("{message}");
        }
    }
}

/// The name of a terminal that cannot place text.
fn plain(term: Option<String>) -> Option<String> {
    term.filter(|term| matches!(term.as_str(), "dumb" | "unknown"))
}

/// The keyboard while no screen is open.
fn keyboard_at_rest() -> MutexGuard<'static, Option<Reader>> {
    static KEYBOARD: Mutex<Option<Reader>> = Mutex::new(None);
    KEYBOARD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Panics of other threads than the one that draws, as one line each.
fn late_panics() -> MutexGuard<'static, Vec<String>> {
    static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());
    PANICS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps a message of a thread that does not draw until the screen is closed, for it would be drawn over and lost; false
/// where no screen is open, and it can be told at once.
pub fn tell_later(message: &str) -> bool {
    if hold::is_free() {
        return false;
    }
    let mut late = late_panics();
    if late.len() < MOST_LATE {
        late.push(crate::text::sanitise(message).into_owned());
    }
    true
}

/// A panic of the thread that draws ends the program: the terminal first, then the message.
fn restore_before_panic_messages() {
    static HOOKED: Once = Once::new();
    HOOKED.call_once(|| {
        let drawing: ThreadId = thread::current().id();
        let told = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if thread::current().id() == drawing {
                hold::leave();
                told(panic);
            } else {
                // Whoever tells it asks `tell_later`.
                told(panic);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_terminals_that_say_so_are_plain() {
        assert_eq!(plain(Some("dumb".into())), Some("dumb".into()));
        assert_eq!(plain(Some("xterm-256color".into())), None);
        assert_eq!(plain(None), None);
    }

    #[test]
    fn refusals_name_the_way_that_works() {
        for refusal in [CannotOpen::NotATerminal, CannotOpen::Plain("dumb".into())] {
            assert!(refusal.to_string().contains("causedby report"));
        }
    }
}
