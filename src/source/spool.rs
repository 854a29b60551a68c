//! In: a stream that can be read once: standard input, a pipe, what a server sends. Out: a private place it can be read from
//! again, also while it is still filled.

use super::admit::{SNIFFED_HEAD, is_hopeless};
use super::room::Room;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Bytes of a stream that are kept, at most: past 64 GiB the rest is left unread, and told.
pub const MOST_SPOOLED: u64 = 64 << 30;

/// Bytes of a stream by which it is told whether it is any text: devices and programs may bring nothing else without an end.
const LOOKED_AT: u64 = 16 << 20;

/// A stream and the room that keeps what has arrived of it: an unnamed temporary file (mode 0600), where one can be made.
#[derive(Debug)]
pub struct Spool {
    origin: Origin,
    room: Room,
    arrived: AtomicU64,
    claimed: AtomicBool,
    end: Mutex<Option<End>>,
    news: Condvar,
}

/// Where a stream comes from.
pub enum Origin {
    /// Standard input.
    StandardInput,
    /// A pipe that is opened when it is read.
    Pipe(PathBuf),
    /// Something that can be started once, such as an answer of a server; why it did not start, in words.
    Started(Mutex<Option<Start>>),
}

/// Starts a stream.
pub type Start = Box<dyn FnOnce() -> Result<Box<dyn Read + Send>, String> + Send>;

impl Origin {
    /// A stream that begins when it is read.
    pub fn started(
        start: impl FnOnce() -> Result<Box<dyn Read + Send>, String> + Send + 'static,
    ) -> Self {
        Self::Started(Mutex::new(Some(Box::new(start))))
    }
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StandardInput => f.write_str("StandardInput"),
            Self::Pipe(path) => write!(f, "Pipe({})", path.display()),
            Self::Started(_) => f.write_str("Started"),
        }
    }
}

/// How a stream ended.
#[derive(Debug)]
struct End {
    cut_short_by: Option<String>,
}

impl Spool {
    /// An empty spool for a stream.
    pub fn new(origin: Origin) -> Self {
        Self {
            origin,
            room: Room::new(),
            arrived: AtomicU64::new(0),
            claimed: AtomicBool::new(false),
            end: Mutex::new(None),
            news: Condvar::new(),
        }
    }

    /// Whether the caller is the first to ask, and so the one to call [`fill_from`](Self::fill_from).
    pub fn claim(&self) -> bool {
        !self.claimed.swap(true, Ordering::Relaxed)
    }

    /// Bytes that have arrived by now.
    pub fn len(&self) -> u64 {
        self.arrived.load(Ordering::Acquire)
    }

    /// Whether nothing has arrived by now.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether nothing more will come.
    pub fn ended(&self) -> bool {
        self.lock().is_some()
    }

    /// What cut the stream short, once it has ended.
    pub fn cut_short_by(&self) -> Option<String> {
        self.lock().as_ref()?.cut_short_by.clone()
    }

    /// Waits until there are more than `known` bytes, the stream has ended, or `patience` is over.
    pub fn wait_for_more(&self, known: u64, patience: Duration) {
        let guard = self.lock();
        let _ = self
            .news
            .wait_timeout_while(guard, patience, |end| end.is_none() && self.len() <= known);
    }

    /// Copies the stream it was made for until its end; blocks as long as that does.
    pub fn fill(&self) {
        match &self.origin {
            Origin::StandardInput => self.fill_from(io::stdin().lock()),
            Origin::Pipe(path) => match File::open(path) {
                Ok(pipe) => self.fill_from(pipe),
                Err(error) => self.end(Some(format!("it cannot be opened: {error}"))),
            },
            Origin::Started(start) => {
                let start = start.lock().unwrap_or_else(PoisonError::into_inner).take();
                match start.map(|start| start()) {
                    Some(Ok(stream)) => self.fill_from(stream),
                    Some(Err(reason)) => self.end(Some(reason)),
                    None => self.end(Some("it was read already".to_owned())),
                }
            }
        }
    }

    /// Copies `stream` until its end; blocks as long as the stream does.
    pub fn fill_from(&self, mut stream: impl Read) {
        let mut buffer = vec![0; 256 << 10];
        let mut looked_at = false;
        let cut_short_by = loop {
            let at = self.len();
            if at >= MOST_SPOOLED {
                break Some("only its first 64 GiB are read".to_owned());
            }
            match stream.read(&mut buffer) {
                Ok(0) => break None,
                Ok(n) => {
                    if let Err(error) = self.room.write_all_at(&buffer[..n], at) {
                        break Some(format!(
                            "only its first {at} bytes are read, because they cannot be kept: {error}; set TMPDIR to a roomier folder"
                        ));
                    }
                    self.arrived.store(at + n as u64, Ordering::Release);
                    self.news.notify_all();
                    let arrived = at + n as u64;
                    if arrived >= LOOKED_AT && !looked_at {
                        looked_at = true;
                        let mut head = vec![0; SNIFFED_HEAD];
                        let known = self.read_at(0, &mut head).unwrap_or(0);
                        if is_hopeless(&head[..known], &buffer[..n]) {
                            break Some(format!(
                                "only its first {arrived} bytes were taken in: none of them is text"
                            ));
                        }
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Some(format!("it broke off after {at} bytes: {error}")),
            }
        };
        self.end(cut_short_by);
    }

    fn end(&self, cut_short_by: Option<String>) {
        *self.lock() = Some(End { cut_short_by });
        self.news.notify_all();
    }

    pub(super) fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let arrived = self.len().saturating_sub(offset);
        let n = usize::try_from(arrived).map_or(buffer.len(), |n| n.min(buffer.len()));
        self.room.read_at(&mut buffer[..n], offset)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<End>> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use std::io::Write as _;
    use std::sync::Arc;

    #[test]
    fn what_has_arrived_is_readable_before_the_end() {
        let (receiver, mut sender) = std::io::pipe().unwrap();
        let spool = Arc::new(Spool::new(Origin::StandardInput));
        let filler = std::thread::spawn({
            let spool = Arc::clone(&spool);
            move || spool.fill_from(receiver)
        });
        sender.write_all(b"first\n").unwrap();
        while spool.len() < 6 {
            spool.wait_for_more(0, Duration::from_secs(5));
        }
        let mut buffer = [0; 16];
        assert_eq!(spool.read_at(2, &mut buffer).unwrap(), 4);
        assert_eq!(&buffer[..4], b"rst\n");
        assert!(!spool.ended());
        sender.write_all(b"last").unwrap();
        drop(sender);
        filler.join().unwrap();
        assert!(spool.ended());
        assert_eq!((spool.len(), spool.cut_short_by()), (10, None));
    }
}
