//! How fast large logs of five kinds are read, beside `rg -c` and `wc -l` on the same file in the same run; and how
//! soon the program answers a small one.
//!
//! `cargo bench --bench load -- [--kind WORD] [--mib N] [--runs N] [--seed N] [--program PATH]`: makes synthetic logs of
//! N MiB (1024; 10240 for the long run) from the seed below `target/`, and prints medians, ratios to `rg`, and the peak
//! memory of a reader's own process. `--program` measures another build.

mod measure;
mod synthetic;

use anyhow::{Context as _, ensure};
use measure::{Median, timed};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use synthetic::Kind;

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some(path) = value(&words, "--read") {
        return measure::read(Path::new(path));
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
    let program = value(&words, "--program").unwrap_or(env!("CARGO_BIN_EXE_causedby"));
    let only = value(&words, "--kind");
    let kinds = Kind::ALL.into_iter();
    let kinds: Vec<_> = kinds
        .filter(|k| only.is_none_or(|o| o == k.word()))
        .collect();
    ensure!(!kinds.is_empty(), "no such kind of log");
    println!(
        "| log | MiB | `rg -c` ms | `wc -l` ms | report ms | × rg | first answer ms | peak MiB |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for kind in kinds {
        let path = file(kind, mib, seed);
        synthetic::write(&path, kind, mib << 20, seed).context("the log could not be made")?;
        compare(kind, &path, program, runs)?;
    }
    start(program, seed, runs * 4)
}

fn file(kind: Kind, mib: u64, seed: u64) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{mib}-{seed}.log", kind.word()))
}

/// The word after `name`.
fn value<'w>(words: &'w [String], name: &str) -> Option<&'w str> {
    let at = words.iter().position(|word| word == name)?;
    words.get(at + 1).map(String::as_str)
}

fn compare(kind: Kind, path: &Path, program: &str, runs: u64) -> anyhow::Result<()> {
    let (mut rg, mut wc, mut report, mut first) = (
        Median::default(),
        Median::default(),
        Median::default(),
        Median::default(),
    );
    let mut peak = 0.0_f64;
    // Taken in turns, so that a busy moment of the machine hits all of them alike; the first round warms up.
    for round in 0..=runs {
        let looked_for = ["-c".as_ref(), kind.looked_for().as_ref(), path.as_os_str()];
        let times = [
            timed("rg", &looked_for)?,
            timed("wc", &["-l".as_ref(), path.as_os_str()])?,
            timed(program, &["report".as_ref(), path.as_os_str()])?,
        ];
        let (answered, memory) = read_apart(path)?;
        if round > 0 {
            for (median, time) in [&mut rg, &mut wc, &mut report].into_iter().zip(times) {
                median.add(time);
            }
            first.add(answered);
            peak = peak.max(memory);
        }
    }
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let (rg, report) = (ms(rg.get()), ms(report.get()));
    println!(
        "| {} | {} | {rg:.0} | {:.0} | {report:.0} | {:.2} | {:.0} | {peak:.0} |",
        kind.word(),
        std::fs::metadata(path)?.len() >> 20,
        ms(wc.get()),
        report / rg,
        ms(first.get()),
    );
    Ok(())
}

/// Reads the log as the screen does, in a process of its own: when the first answer came, and its peak memory in MiB.
fn read_apart(path: &Path) -> anyhow::Result<(Duration, f64)> {
    let output = Command::new(std::env::current_exe()?)
        .arg("--read")
        .arg(path)
        .stderr(Stdio::inherit())
        .output()?;
    ensure!(output.status.success(), "the reader failed");
    let output = String::from_utf8(output.stdout)?;
    let (first, peak) = output
        .trim()
        .split_once(' ')
        .context("the reader said too little")?;
    Ok((
        Duration::from_micros(first.parse()?),
        peak.parse::<f64>()? / 1024.0,
    ))
}

/// How long the program takes over a trace of 50 KiB.
fn start(program: &str, seed: u64, runs: u64) -> anyhow::Result<()> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("small-{seed}.log"));
    synthetic::write(&path, Kind::Traces, 112 << 10, seed)?;
    for command in ["root", "report"] {
        let mut median = Median::default();
        for _ in 0..runs {
            median.add(timed(program, &[command.as_ref(), path.as_os_str()])?);
        }
        println!(
            "causedby {command} of {} KiB: {:.1} ms",
            std::fs::metadata(&path)?.len() >> 10,
            median.get().as_secs_f64() * 1e3
        );
    }
    Ok(())
}
