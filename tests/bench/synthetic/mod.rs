//! In: a kind of log, a size and a seed. Out: a log of about that size, the same for the same three.

mod driver;
mod events;
mod json;
mod traces;
mod writer;

use std::io;
use std::path::Path;
use writer::Writer;

/// A kind of log, by what reading it costs most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The chatter of a long run, now and then a task that is lost, and a failure at the end.
    Chatter,
    /// Nothing but failures with their stack traces.
    Traces,
    /// One exception whose causes and frames never end.
    Giant,
    /// The chatter as JSON lines, as Spark 4 writes it.
    Json,
    /// An event log: its tasks, and a failure at the end.
    Events,
}

impl Kind {
    pub(crate) const ALL: [Self; 5] = [
        Self::Chatter,
        Self::Traces,
        Self::Giant,
        Self::Json,
        Self::Events,
    ];

    /// Its word on the command line and in the table.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Chatter => "chatter",
            Self::Traces => "traces",
            Self::Giant => "giant",
            Self::Json => "json",
            Self::Events => "events",
        }
    }

    /// What `rg` counts in it, for comparison: what somebody would look for without this program.
    pub(crate) fn looked_for(self) -> &'static str {
        match self {
            Self::Events => "SparkListenerTaskEnd",
            _ => "Caused by:|Exception|Error|Traceback|WARN|ERROR",
        }
    }
}

/// Writes the log, unless it is there already.
pub(crate) fn write(path: &Path, kind: Kind, size: u64, seed: u64) -> io::Result<()> {
    if std::fs::metadata(path).is_ok_and(|found| found.len() >= size / 2) {
        return Ok(());
    }
    let unfinished = path.with_extension("part");
    let mut out = Writer::create(&unfinished, size, seed)?;
    match kind {
        Kind::Chatter => driver::write(&mut out)?,
        Kind::Traces => traces::write(&mut out)?,
        Kind::Giant => traces::write_giant(&mut out)?,
        Kind::Json => json::write(&mut out)?,
        Kind::Events => events::write(&mut out)?,
    }
    out.finish()?;
    std::fs::rename(unfinished, path)
}
