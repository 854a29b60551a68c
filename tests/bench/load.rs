//! How fast a large driver's log is read, beside `rg -c` and `wc -l` on the same file in the same run.
//!
//! `cargo bench --bench load -- [--mib N] [--runs N] [--seed N]`: makes a synthetic log of N MiB (1024) from the
//! seed below `target/`, and prints medians, ratios to `rg`, and the peak memory of a reader's own process.

mod synthetic;

use anyhow::{Context as _, ensure};
use causedby::incident::Role;
use causedby::load::{self, Options};
use causedby::source::Sources;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some(path) = value(&words, "--read") {
        return read(Path::new(path));
    }
    let number = |name: &str, otherwise: u64| -> anyhow::Result<u64> {
        value(&words, name).map_or(Ok(otherwise), |text| {
            text.parse()
                .with_context(|| format!("{name} wants a number, not {text}"))
        })
    };
    let mib = number("--mib", 1024)?;
    let runs = number("--runs", 5)?.max(1);
    let seed = number("--seed", 1)?;
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("driver-{mib}-{seed}.log"));
    synthetic::write(&path, mib << 20, seed).context("the log could not be made")?;
    compare(&path, runs)
}

/// The word after `name`.
fn value<'w>(words: &'w [String], name: &str) -> Option<&'w str> {
    let at = words.iter().position(|word| word == name)?;
    words.get(at + 1).map(String::as_str)
}

/// Reads `path` as the screen does and prints when what was known: this is run in a process of its own.
fn read(path: &Path) -> anyhow::Result<()> {
    let started = Instant::now();
    let paths = [path.to_owned()];
    let loading = load::spawn(move || Sources::open(&paths), Options::default())?;
    let mut first = None;
    let case = loop {
        loading.bell().recv()?;
        let bulletin = loading.take();
        ensure!(bulletin.failed.is_none(), "{:?}", bulletin.failed);
        let Some(case) = bulletin.case else { continue };
        let root = case.story.incidents.iter().find(|i| i.role == Role::Fatal);
        if root.is_some() {
            first.get_or_insert(started.elapsed());
        }
        if !case.provisional {
            break case;
        }
    };
    let whole = started.elapsed();
    let root = case
        .story
        .incidents
        .first()
        .context("no incident was found")?;
    let status = std::fs::read_to_string("/proc/self/status")?;
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .context("no VmHWM")?;
    println!(
        "{} {} {} {} {}",
        first.context("no fatal incident was found")?.as_micros(),
        whole.as_micros(),
        peak.trim().trim_end_matches(" kB"),
        case.lines[0],
        root.title()
    );
    Ok(())
}

fn compare(path: &Path, runs: u64) -> anyhow::Result<()> {
    let mut rg = Vec::new();
    let mut wc = Vec::new();
    let mut first = Vec::new();
    let mut whole = Vec::new();
    let mut peaks = Vec::new();
    let mut said = String::new();
    let mut lines = String::new();
    // Taken in turns, so that a busy moment of the machine hits all of them alike; the first round warms up.
    for round in 0..=runs {
        let (rg_time, _) = timed("rg", &["-c".into(), "Caused by".into(), path.into()])?;
        let (wc_time, counted) = timed("wc", &["-l".into(), path.into()])?;
        let ourselves = std::env::current_exe()?;
        let output = Command::new(ourselves)
            .arg("--read")
            .arg(path)
            .stderr(Stdio::inherit())
            .output()?;
        ensure!(output.status.success(), "the reader failed");
        let output = String::from_utf8(output.stdout)?;
        let mut fields = output.trim().splitn(5, ' ');
        let mut next = || fields.next().context("the reader said too little");
        let our_first = Duration::from_micros(next()?.parse()?);
        let our_whole = Duration::from_micros(next()?.parse()?);
        let peak: u32 = next()?.parse()?;
        next()?.clone_into(&mut lines);
        next()?.clone_into(&mut said);
        ensure!(
            counted.split_whitespace().next() == Some(lines.as_str()),
            "wc counts {counted}, we {lines}"
        );
        if round > 0 {
            rg.push(rg_time);
            wc.push(wc_time);
            first.push(our_first);
            whole.push(our_whole);
            peaks.push(peak);
        }
    }
    let rg = median(&mut rg);
    let size = std::fs::metadata(path)?.len();
    println!("{} MiB, {lines} lines, {runs} runs", size >> 20);
    for (what, time) in [
        ("rg -c 'Caused by'", rg),
        ("wc -l", median(&mut wc)),
        ("root from the end", median(&mut first)),
        ("whole answer", median(&mut whole)),
    ] {
        let ratio = time.as_secs_f64() / rg.as_secs_f64();
        println!(
            "{what:<18} {:>8.1} ms  {ratio:>6.2} × rg",
            time.as_secs_f64() * 1e3
        );
    }
    peaks.sort_unstable();
    println!(
        "peak memory        {:>8.1} MiB",
        f64::from(peaks[peaks.len() / 2]) / 1024.0
    );
    println!("root: {said}");
    Ok(())
}

fn timed(program: &str, arguments: &[PathBuf]) -> anyhow::Result<(Duration, String)> {
    let started = Instant::now();
    let output = Command::new(program)
        .args(arguments)
        .output()
        .with_context(|| format!("{program} is needed to compare with"))?;
    Ok((
        started.elapsed(),
        String::from_utf8_lossy(&output.stdout).into_owned(),
    ))
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
