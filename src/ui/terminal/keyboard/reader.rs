//! In: the terminal that keys come from, and its new sizes. Out: events, one by one.

use super::keys::{Keyboard, Read};
use crossterm::event::Event;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use signal_hook::consts::SIGWINCH;
use signal_hook::low_level::pipe;
use std::fs::File;
use std::io::{self, IsTerminal as _, PipeReader, Read as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::time::{Duration, Instant};

/// Reads one terminal.
#[derive(Debug)]
pub(in crate::ui::terminal) struct Reader {
    terminal: File,
    /// Gets a byte with each new size.
    resized: PipeReader,
    keyboard: Keyboard,
}

impl Reader {
    /// Of standard input, or of the terminal of the process where a log is piped in.
    ///
    /// # Errors
    /// Where there is no terminal.
    pub(in crate::ui::terminal) fn new() -> io::Result<Self> {
        let input = io::stdin();
        let terminal = if input.is_terminal() {
            File::from(input.as_fd().try_clone_to_owned()?)
        } else {
            File::open("/dev/tty")?
        };
        let (resized, told) = io::pipe()?;
        pipe::register(SIGWINCH, OwnedFd::from(told))?;
        Ok(Self {
            terminal,
            resized,
            keyboard: Keyboard::new(Instant::now()),
        })
    }

    /// Waits up to `timeout`; `None` where nothing came.
    ///
    /// # Errors
    /// Where the terminal can no longer be read.
    pub(in crate::ui::terminal) fn next(&mut self, timeout: Duration) -> io::Result<Option<Read>> {
        let start = Instant::now();
        loop {
            let now = Instant::now();
            if let Some(read) = self.keyboard.next(now) {
                return Ok(Some(read));
            }
            let left = timeout.saturating_sub(now - start);
            let patience = self
                .keyboard
                .patience(now)
                .map_or(left, |held| held.min(left));
            if self.wait(patience)? {
                let (columns, rows) = crossterm::terminal::size()?;
                return Ok(Some(Read::Event(Event::Resize(columns, rows))));
            }
            if left.is_zero() {
                return Ok(self.keyboard.next(Instant::now()));
            }
        }
    }

    /// Waits for bytes and takes them; whether the size changed.
    fn wait(&mut self, timeout: Duration) -> io::Result<bool> {
        let (keys, sizes) = {
            let mut both = [
                PollFd::new(&self.terminal, PollFlags::IN),
                PollFd::new(&self.resized, PollFlags::IN),
            ];
            let timeout = Timespec::try_from(timeout).map_err(io::Error::other)?;
            match poll(&mut both, Some(&timeout)) {
                Ok(_) => {}
                Err(Errno::INTR) => return Ok(false),
                Err(error) => return Err(error.into()),
            }
            let [keys, sizes] = both.map(|one| one.revents());
            (keys, sizes)
        };
        if keys.contains(PollFlags::IN) {
            let mut bytes = [0; 4_096];
            match self.terminal.read(&mut bytes) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(n) => self.keyboard.take(&bytes[..n], Instant::now()),
                Err(error) if is_for_now(&error) => {}
                Err(error) => return Err(error),
            }
        } else if !keys.is_empty() {
            return Err(io::Error::other("the terminal was closed"));
        }
        // A storm of sizes is one: what is asked for is the size that holds now.
        let resized = sizes.contains(PollFlags::IN);
        if resized {
            let _ = self.resized.read(&mut [0; 1_024])?;
        }
        Ok(resized)
    }
}

fn is_for_now(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}
