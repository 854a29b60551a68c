//! [`Reading`]: a load that runs beside the screen. Out: its answers, and how far it is, as events.

use super::event::Event;
use crate::load::{self, Case, Loading, Progress};
use crate::source::Sources;
use anyhow::Context as _;
use crossbeam_channel::RecvTimeoutError;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often the header tells how far the reading is.
const TELL_EVERY: Duration = Duration::from_millis(100);
/// How long a first frame waits for what is opened. A file is open at once; a packed one takes its time.
const OPENING: Duration = Duration::from_millis(10);

/// Opens what was named, beside the screen.
pub type Opening = Box<dyn FnOnce() -> Sources + Send>;

/// A load that runs, and what of it was told so far.
pub(super) struct Reading {
    loading: Loading,
    since: Instant,
    told: Instant,
    follows: bool,
    /// Whether only answers that are complete are told.
    quiet: bool,
    /// Whether all that was named is open.
    pub(super) opened: bool,
    pub(super) state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// There will be another answer soon.
    Reading,
    /// All was read; there will be another answer once something grows.
    Following,
    Done,
}

impl Reading {
    pub(super) fn start(open: Opening, options: &load::Options) -> anyhow::Result<Self> {
        let loading = load::spawn(open, options.clone())
            .context("the logs cannot be read: no thread can be started")?;
        let now = Instant::now();
        Ok(Self {
            loading,
            since: now,
            told: now,
            follows: options.follow,
            quiet: false,
            opened: false,
            state: State::Reading,
        })
    }

    /// Nothing more is asked of it.
    pub(super) fn end(&mut self) {
        self.loading.call_off();
        self.state = State::Done;
    }

    /// Tells nothing before all was read.
    pub(super) fn quietly(mut self) -> Self {
        self.quiet = true;
        self
    }

    /// What follows an answer.
    fn after(&self, case: &Case) -> State {
        match (case.provisional, self.follows) {
            (true, _) => State::Reading,
            (false, true) => State::Following,
            (false, false) => State::Done,
        }
    }

    /// The first answer, which is there at once: an empty one where what was named is still being opened.
    pub(super) fn first(&mut self) -> anyhow::Result<Arc<Case>> {
        let patience = Instant::now() + OPENING;
        loop {
            match self.loading.bell().recv_deadline(patience) {
                Ok(()) => {}
                Err(RecvTimeoutError::Timeout) => return Ok(Arc::new(Case::unopened())),
                Err(RecvTimeoutError::Disconnected) => {
                    anyhow::bail!("reading ended before it began")
                }
            }
            let bulletin = self.loading.take();
            if let Some(case) = bulletin.case {
                self.opened = true;
                self.state = self.after(&case);
                return Ok(case);
            }
            if let Some(failed) = bulletin.failed {
                anyhow::bail!("reading failed: {failed}");
            }
        }
    }

    /// What became known since last asked.
    pub(super) fn news(&mut self) -> Vec<Event> {
        let mut news = Vec::new();
        if self.state == State::Done || self.loading.bell().try_recv().is_err() {
            if !self.opened && self.is_time_to_tell() {
                news.push(Event::Reading(Some(opening(self.since.elapsed()))));
            }
            return news;
        }
        let bulletin = self.loading.take();
        if let Some(case) = bulletin.case {
            self.opened = true;
            self.state = self.after(&case);
            if !self.quiet || !case.provisional {
                news.push(Event::Case(case));
            }
        }
        if let Some(failed) = bulletin.failed {
            self.state = State::Done;
            news.push(Event::Said(format!("reading stopped: {failed}")));
        }
        if self.state != State::Reading {
            news.push(Event::Reading(None));
        } else if self.is_time_to_tell() {
            let told = how_far(bulletin.progress, self.since.elapsed());
            news.push(Event::Reading(Some(told)));
        }
        news
    }

    fn is_time_to_tell(&mut self) -> bool {
        let is_time = self.told.elapsed() >= TELL_EVERY;
        if is_time {
            self.told = Instant::now();
        }
        is_time
    }
}

/// `opening · 3 s`
fn opening(since: Duration) -> String {
    format!("opening · {} s", since.as_secs())
}

/// `reading 43 % · 812 MB/s`, `receiving 3.1 MB`
fn how_far(progress: Progress, since: Duration) -> String {
    if progress.arriving {
        return format!("receiving {}", megabytes(progress.total));
    }
    let seconds = since.as_secs_f64().max(0.001);
    let percent = progress.done * 100 / progress.total.max(1);
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a rate for people"
    )]
    let rate = (progress.done as f64 / seconds) as u64;
    format!("reading {percent} % · {}/s", megabytes(rate))
}

fn megabytes(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes / 1_000),
        1_000_000..10_000_000 => format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn what_takes_its_time_to_open_keeps_no_frame_waiting() {
        let (go, opens) = crossbeam_channel::bounded(1);
        let open = move || {
            opens.recv().unwrap();
            let mut sources = Sources::default();
            sources.add_memory("driver.log", b"ValueError: x\n".to_vec());
            sources
        };
        let mut reading = Reading::start(Box::new(open), &load::Options::default()).unwrap();
        assert!(reading.first().unwrap().sources.list.is_empty() && !reading.opened);
        go.send(()).unwrap();
        while reading.state == State::Reading {
            reading.news();
        }
        assert!(reading.opened);
        assert_eq!(opening(Duration::from_millis(3_900)), "opening · 3 s");
    }

    #[test]
    fn progress_is_told_with_its_rate() {
        let progress = |done, total, arriving| Progress {
            done,
            total,
            arriving,
        };
        let second = Duration::from_secs(1);
        assert_eq!(
            how_far(progress(430_000_000, 1_000_000_000, false), second),
            "reading 43 % · 430 MB/s"
        );
        assert_eq!(
            how_far(progress(0, 3_140_000, true), second),
            "receiving 3.1 MB"
        );
        assert_eq!(
            how_far(progress(0, 0, false), second),
            "reading 0 % · 0 kB/s"
        );
    }
}
