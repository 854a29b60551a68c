//! Times of processes, their medians, and what a reading process says of itself.

use anyhow::{Context as _, ensure};
use causedby::load::{self, Options};
use causedby::source::Sources;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The median of some times.
#[derive(Default)]
pub(crate) struct Median(Vec<Duration>);

impl Median {
    pub(crate) fn add(&mut self, time: Duration) {
        self.0.push(time);
        self.0.sort_unstable();
    }

    pub(crate) fn get(&self) -> Duration {
        self.0.get(self.0.len() / 2).copied().unwrap_or_default()
    }
}

/// How long a program takes from its start to its end.
pub(crate) fn timed(program: &str, arguments: &[&OsStr]) -> anyhow::Result<Duration> {
    let started = Instant::now();
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::null());
    command
        .status()
        .with_context(|| format!("{program} is needed to compare with"))?;
    Ok(started.elapsed())
}

/// Reads `path` as the screen does. Prints after how many microseconds the first incident was known, and the
/// greatest memory of the process in KiB.
pub(crate) fn read(path: &Path) -> anyhow::Result<()> {
    let started = Instant::now();
    let paths = [path.to_owned()];
    let loading = load::spawn(move || Sources::open(&paths), Options::default())?;
    let mut first = None;
    loop {
        loading.bell().recv()?;
        let bulletin = loading.take();
        ensure!(bulletin.failed.is_none(), "{:?}", bulletin.failed);
        let Some(case) = bulletin.case else { continue };
        if !case.story.incidents.is_empty() {
            first.get_or_insert(started.elapsed());
        }
        if !case.provisional {
            break;
        }
    }
    let first = first.context("no incident was found")?;
    let status = std::fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.context("no VmHWM")?.trim().trim_end_matches(" kB");
    println!("{} {peak}", first.as_micros());
    Ok(())
}
