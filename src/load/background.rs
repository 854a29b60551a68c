//! In: [`Sources`]. Out: a [`Loading`] that reads them on a thread of its own and tells how far it is and what it knows by now.

use super::case::Case;
use super::fault;
use super::first_look::first_look;
use super::hooks::{Hooks, Progress};
use super::options::Options;
use super::pipeline::Reader;
use super::stream;
use crate::source::Sources;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long what grows is left alone between two looks at it.
const SHORTEST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// By how much what reads stands back behind who types, see nice(2).
const NICER: i32 = 5;

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

impl Loading {
    /// Calls it off: what was told stays, nothing more will be.
    pub fn call_off(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

impl Drop for Loading {
    fn drop(&mut self) {
        self.call_off();
    }
}

/// Starts to open and to read; the first answer only names what was opened.
///
/// Opening belongs to it because a packed bundle takes its time. A panic arrives as [`Bulletin::failed`].
///
/// # Errors
/// Where no thread can be started.
pub fn spawn(
    open: impl FnOnce() -> Sources + Send + 'static,
    options: Options,
) -> std::io::Result<Loading> {
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
    thread::Builder::new()
        .name("load".to_owned())
        .spawn(move || {
            stand_back();
            let hooks = Hooks {
                cancel: &cancel,
                progress: &|progress| mailbox.put(|newest| newest.progress = progress),
                draft: &|case| mailbox.put(|newest| newest.case = Some(Arc::new(case))),
            };
            guarded(&mailbox, || {
                thread::scope(|scope| {
                    options.make_ready(scope);
                    run(open(), &options, hooks);
                });
            });
        })?;
    Ok(loading)
}

/// A key gets a processor at once, though all are busy reading. Threads that this one starts stand back as well.
fn stand_back() {
    // Elsewhere it is the whole process that this holds for.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICER) {
        // A sandbox may forbid it; then a key waits its turn.
        let _ = error;
    }
}

fn run(sources: Sources, options: &Options, hooks: Hooks<'_>) {
    let mut sources = Arc::new(sources);
    let mut case = Case::empty(&sources);
    case.provisional = true;
    (hooks.draft)(case);
    let streams = stream::arriving(&sources);
    if streams.is_empty() && !options.follow {
        first_look_at(&sources, options, hooks);
        let case = fault::read(&mut Reader::once(options, hooks), &sources);
        return tell(case, hooks);
    }
    let mut reader = Reader::going_on(options, hooks);
    stream::start(&streams);
    let mut pause = SHORTEST_PAUSE;
    while stream::wait(&streams, pause) {
        if hooks.cancelled() {
            return;
        }
        let since = Instant::now();
        if let Some(again) = sources.again() {
            sources = Arc::new(again);
            let mut case = fault::read(&mut reader, &sources);
            if case.met_fault() {
                // It would only be met again.
                return tell(case, hooks);
            }
            case.provisional = true;
            (hooks.progress)(Progress {
                done: 0,
                total: sources.list.iter().map(|source| source.bytes).sum(),
                arriving: true,
            });
            tell(case, hooks);
        }
        pause = pause_after(since.elapsed());
    }
    if streams.is_empty() {
        first_look_at(&sources, options, hooks);
    } else {
        sources = Arc::new(sources.settled());
    }
    let mut case = fault::read(&mut reader, &sources);
    let follow = options.follow && !case.met_fault();
    case.provisional &= !case.met_fault();
    tell(case, hooks);
    while follow && !hooks.cancelled() {
        sleep(pause, hooks);
        let since = Instant::now();
        if let Some(again) = sources.again() {
            sources = Arc::new(again);
            let case = fault::read(&mut reader, &sources);
            let met = case.met_fault();
            tell(case, hooks);
            if met {
                return;
            }
        }
        pause = pause_after(since.elapsed());
    }
}

/// A first look at what is read in a moment anyway would only flicker.
fn first_look_at(sources: &Arc<Sources>, options: &Options, hooks: Hooks<'_>) {
    if sources.list.iter().map(|source| source.bytes).sum::<u64>() > options.first_look {
        (hooks.draft)(first_look(sources, options));
    }
}

fn tell(case: Case, hooks: Hooks<'_>) {
    if !hooks.cancelled() {
        (hooks.draft)(case);
    }
}

/// So that following costs a fifth of a processor at most, however long a look takes.
fn pause_after(look: Duration) -> Duration {
    (look * 4).clamp(SHORTEST_PAUSE, LONGEST_PAUSE)
}

fn sleep(pause: Duration, hooks: Hooks<'_>) {
    let end = Instant::now() + pause;
    while !hooks.cancelled() {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        thread::sleep(left.min(SHORTEST_PAUSE));
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

/// Runs what reads; a panic in it is told.
fn guarded(mailbox: &Mailbox, run: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(run)) {
        mailbox.put(|newest| newest.failed = Some(reason(panic.as_ref())));
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

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::source::{Origin, Spool};
    use std::io::Write as _;

    const FATAL: &str = "Traceback (most recent call last):\n  File \"job.py\", line 3, in <module>\nValueError: boom\n";

    fn wait(loading: &Loading, done: impl Fn(&Case) -> bool) -> Arc<Case> {
        let end = Instant::now() + Duration::from_secs(300);
        loop {
            loading.bell().recv_deadline(end).unwrap();
            let bulletin = loading.take();
            assert_eq!(bulletin.failed, None);
            if let Some(case) = bulletin.case
                && done(&case)
            {
                return case;
            }
        }
    }

    #[test]
    fn answers_come_until_the_last() {
        let mut sources = Sources::default();
        let text = "24/01/02 03:04:05 INFO DAGScheduler: x\n".repeat(900) + FATAL;
        sources.add_memory("driver.log", text.into_bytes());
        let options = Options {
            first_look: 4_000,
            block: 500,
            ..Options::default()
        };
        let loading = spawn(|| sources, options).unwrap();
        let case = wait(&loading, |case| !case.provisional);
        assert_eq!(case.story.incidents[0].title(), "ValueError: boom");
        assert_eq!(case.lines, [903]);
    }

    #[test]
    fn a_stream_is_shown_before_it_ends() {
        let (receiver, mut sender) = std::io::pipe().unwrap();
        let mut sources = Sources::default();
        let spool: Arc<Spool> = sources.add_stream("stdin", Origin::StandardInput);
        assert!(spool.claim());
        thread::spawn(move || spool.fill_from(receiver));
        let loading = spawn(|| sources, Options::default()).unwrap();
        sender.write_all(FATAL.as_bytes()).unwrap();
        let first = wait(&loading, |case| !case.story.incidents.is_empty());
        assert!(first.provisional);
        assert_eq!(first.lines, [3]);
        sender.write_all(b"one more\n").unwrap();
        drop(sender);
        let last = wait(&loading, |case| !case.provisional);
        assert_eq!(last.lines, [4]);
    }

    #[test]
    fn a_panic_arrives_as_an_error() {
        let (ring, bell) = bounded(1);
        let mailbox = Mailbox {
            newest: Mutex::default(),
            ring,
        };
        guarded(&mailbox, || panic!("no {}", "luck"));
        bell.try_recv().unwrap();
        assert!(mailbox.lock().failed.take().unwrap().ends_with("no luck"));
    }
}
