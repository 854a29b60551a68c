//! [`Options`]: how the input is read, and by which rules. Sizes do not change what is found, but `whole_below`, `head` and `tail`
//! say how much is read line by line.

use crate::diagnosis::Rulebook;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::{self, available_parallelism};

/// How the input is read.
#[derive(Debug, Clone)]
pub struct Options {
    /// Bytes of a block: the piece of a log that one thread searches at a time.
    pub block: usize,
    /// Threads that search blocks.
    pub threads: usize,
    /// Logs smaller than this many bytes are read line by line from end to end.
    pub whole_below: u64,
    /// Bytes in all that are read so; past them, small logs are searched as large ones are.
    pub whole_in_all: u64,
    /// Bytes at the beginning of a log that are always read line by line: versions and settings are told there.
    pub head: u64,
    /// Bytes at its end: the outcome is told there.
    pub tail: u64,
    /// Bytes at the end of the most telling log from which a first answer is made.
    pub first_look: u64,
    /// Whether to go on, once all was read, with what grows, is rotated, or comes to a folder.
    pub follow: bool,
    /// Whether rules are applied: what happened is told without them.
    pub diagnose: bool,
    /// The rules; those that travel with the program where none are given.
    pub rules: Option<Arc<Rulebook>>,
}

impl Options {
    /// Makes the rules ready beside what reads the log, which needs them when it has come to its end.
    pub(super) fn make_ready<'s>(&'s self, scope: &'s thread::Scope<'s, '_>) {
        if self.diagnose {
            let ready = || {
                self.rules().map(Rulebook::make_ready);
            };
            // Where the system gives no thread, whoever needs them makes them.
            let _ = thread::Builder::new().spawn_scoped(scope, ready);
        }
    }

    /// The rules that apply, where any do.
    pub fn rules(&self) -> Option<&Rulebook> {
        let given = self.rules.as_deref();
        self.diagnose
            .then(|| given.unwrap_or_else(|| Rulebook::built_in()))
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            block: 512 << 10,
            threads: available_parallelism().map_or(2, NonZero::get).clamp(1, 8),
            whole_below: 8 << 20,
            whole_in_all: 64 << 20,
            head: 256 << 10,
            tail: 256 << 10,
            first_look: 4 << 20,
            follow: false,
            diagnose: true,
            rules: None,
        }
    }
}
