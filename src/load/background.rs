//! In: [`Sources`]. Out: a [`Loading`] that reads them on a thread of its own and tells how far it is and what it knows by now.

use super::case::Case;
use super::first_look::first_look;
use super::hooks::{Hooks, Progress};
use super::options::Options;
use super::pipeline::read_all;
use super::stream;
use crate::source::Sources;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// While a stream arrives, an answer is made once it has grown by this part, and at least by this much.
const GROWN_BY: u64 = 4;
const GROWN_AT_LEAST: u64 = 16 << 10;

/// What became known since it was last asked.
#[derive(Debug, Default)]
pub struct Bulletin {
    /// How far reading has come.
    pub progress: Progress,
    /// The newest answer, if there is a new one; the last one has `provisional` off.
    pub case: Option<Arc<Case>>,
    /// Why reading stopped before its end. No answer comes after it.
    pub failed: Option<String>,
}

/// A load that runs. Dropping it calls it off.
#[derive(Debug)]
pub struct Loading {
    cancel: Arc<AtomicBool>,
    mailbox: Arc<Mailbox>,
    bell: Receiver<()>,
}

impl Loading {
    /// Rings when there is something new: to select over. Then [`take`](Self::take) it.
    pub fn bell(&self) -> &Receiver<()> {
        &self.bell
    }

    /// What became known since the last call. What nobody took in time was replaced by what is newer.
    pub fn take(&self) -> Bulletin {
        let mut newest = self.mailbox.lock();
        Bulletin {
            progress: newest.progress,
            case: newest.case.take(),
            failed: newest.failed.take(),
        }
    }
}

impl Drop for Loading {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

/// Starts to read; a first answer, without any reading, is there at once.
///
/// A panic while reading arrives as [`Bulletin::failed`].
///
/// # Errors
/// Where no thread can be started.
pub fn spawn(sources: Sources, options: Options) -> std::io::Result<Loading> {
    let (ring, bell) = bounded(1);
    let mailbox = Arc::new(Mailbox {
        newest: Mutex::default(),
        ring,
    });
    let loading = Loading {
        cancel: Arc::default(),
        mailbox: Arc::clone(&mailbox),
        bell,
    };
    let cancel = Arc::clone(&loading.cancel);
    let streams = stream::arriving(&sources);
    stream::start(&streams)?;
    thread::Builder::new()
        .name("load".to_owned())
        .spawn(move || {
            let hooks = Hooks {
                cancel: &cancel,
                progress: &|progress| mailbox.put(|newest| newest.progress = progress),
                draft: &|case| mailbox.put(|newest| newest.case = Some(Arc::new(case))),
            };
            let run = || run(sources, &options, hooks);
            if let Err(panic) = catch_unwind(AssertUnwindSafe(run)) {
                mailbox.put(|newest| newest.failed = Some(reason(panic.as_ref())));
            }
        })?;
    Ok(loading)
}

fn run(sources: Sources, options: &Options, hooks: Hooks<'_>) {
    let mut sources = Arc::new(sources);
    let mut case = Case::empty(&sources);
    case.provisional = true;
    (hooks.draft)(case);
    let streams = stream::arriving(&sources);
    let mut seen = 0;
    while stream::wait(&streams, seen + GROWN_AT_LEAST.max(seen / GROWN_BY)) {
        let arrived = sources.list.iter().map(|source| source.arrived()).sum();
        (hooks.progress)(Progress {
            done: 0,
            total: arrived,
            arriving: true,
        });
        if hooks.cancelled() {
            return;
        }
        if arrived > seen {
            seen = arrived;
            (hooks.draft)(first_look(&sources, options));
        }
    }
    if !streams.is_empty() {
        sources = Arc::new(sources.settled());
    }
    // A first look at what is read in a moment anyway would only flicker.
    if sources.list.iter().map(|source| source.bytes).sum::<u64>() > options.first_look {
        (hooks.draft)(first_look(&sources, options));
    }
    let case = read_all(&sources, options, hooks);
    if !hooks.cancelled() {
        (hooks.draft)(case);
    }
}

#[derive(Debug)]
struct Mailbox {
    newest: Mutex<Bulletin>,
    ring: Sender<()>,
}

impl Mailbox {
    fn lock(&self) -> std::sync::MutexGuard<'_, Bulletin> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, change: impl FnOnce(&mut Bulletin)) {
        change(&mut self.lock());
        // It rings already, or nobody listens any more.
        let _ = self.ring.try_send(());
    }
}

/// What a panic said.
fn reason(panic: &(dyn Any + Send)) -> String {
    let said = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!(
        "a fault in causedby stopped the reading: {}",
        said.unwrap_or("no reason was given")
    )
}
