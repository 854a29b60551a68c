//! [`Source`]: one opened input, decoded, readable at any offset; [`Sources`]: all of them.

use crate::text::{Place, SourceId};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

/// What an input is, told by its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A driver's log: the scheduler speaks in it, or a `spark-submit` started it.
    DriverLog,
    /// An executor's log.
    ExecutorLog,
    /// An event log.
    EventLog,
    /// A bare stack trace.
    Trace,
    /// Settings: `spark-defaults.conf` and the like.
    Settings,
    /// A schema.
    Schema,
    /// The job's own source code.
    JobSource,
    /// A query plan.
    Plan,
    /// Anything else.
    Other,
}

impl Kind {
    /// The word of the report.
    pub fn word(self) -> &'static str {
        match self {
            Self::DriverLog => "driver_log",
            Self::ExecutorLog => "executor_log",
            Self::EventLog => "event_log",
            Self::Trace => "trace",
            Self::Settings => "settings",
            Self::Schema => "schema",
            Self::JobSource => "source",
            Self::Plan => "plan",
            Self::Other => "other",
        }
    }
}

/// Where the decoded bytes of a source are.
#[derive(Debug)]
pub(super) enum Content {
    /// In the file that was named.
    File(File),
    /// In memory: small, or built in.
    Memory(Box<[u8]>),
}

/// One opened input.
#[derive(Debug)]
pub struct Source {
    /// Its id: its index.
    pub id: SourceId,
    /// Its name as shown: the path below what was opened, with members of archives behind `!`.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// How it was packed and laid out, for people: `plain`, `zstd`, `lz4 (Spark)`.
    pub format: String,
    /// Size of the decoded content in bytes, as far as known.
    pub bytes: u64,
    /// The file it came from, where there is one.
    pub path: Option<PathBuf>,
    pub(super) content: Content,
}

impl Source {
    /// Reads into `buffer` from `offset` of the decoded content; returns how many bytes were read, 0 at the end.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        match &self.content {
            Content::File(file) => file.read_at(buffer, offset),
            Content::Memory(bytes) => {
                let rest = usize::try_from(offset)
                    .ok()
                    .and_then(|o| bytes.get(o..))
                    .unwrap_or_default();
                let n = rest.len().min(buffer.len());
                buffer[..n].copy_from_slice(&rest[..n]);
                Ok(n)
            }
        }
    }
}

/// An input that could not be opened or read.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// Its name as given.
    pub name: String,
    /// Why, and what to do.
    pub reason: String,
}

/// All opened inputs.
#[derive(Debug, Default)]
pub struct Sources {
    /// The inputs; a [`SourceId`] is an index into them.
    pub list: Vec<Source>,
    /// What could not be opened.
    pub refused: Vec<Refusal>,
}

impl Sources {
    /// The source of an id.
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.list.get(id.0 as usize)
    }

    /// The bytes of a place, read again from its source; shorter where the file has shrunk.
    pub fn bytes(&self, place: &Place) -> Vec<u8> {
        let mut bytes = vec![0; place.bytes as usize];
        let mut filled = 0;
        if let Some(source) = self.get(place.source) {
            while filled < bytes.len() {
                match source.read_at(place.start + filled as u64, &mut bytes[filled..]) {
                    Ok(n) if n > 0 => filled += n,
                    _ => break,
                }
            }
        }
        bytes.truncate(filled);
        bytes
    }
}
