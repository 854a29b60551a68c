//! In: logs and bundles made to hurt. Out: an answer in time, in bounded output, without a panic, whatever was opened.
//!
//! The limits are wide: what they catch is work that grows with the square of a log, not a slow machine.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_causedby");
/// A reading that grows with the square of these logs takes minutes.
const LONGEST: Duration = Duration::from_secs(40);

/// Runs the program on a file.
fn run(arguments: &[&str], path: &Path) -> Output {
    Command::new(PROGRAM)
        .args(arguments)
        .arg(path)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
}

/// The JSON report of a log, and that it came in time.
fn report(log: &[u8]) -> serde_json::Value {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("driver.log");
    std::fs::write(&path, log).expect("a log");
    let began = Instant::now();
    let output = run(&["report", "--format", "json"], &path);
    assert!(began.elapsed() < LONGEST, "{:?}", began.elapsed());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn head(n: usize) -> String {
    format!("24/01/02 03:{:02}:{:02} ", n / 60 % 60, n % 60)
}

#[test]
fn a_message_of_many_class_names_is_read_once() {
    // The container runtime cut one line into many; together they are one line of megabytes.
    let mut log = String::new();
    for n in 0..20_000 {
        let _ = writeln!(
            log,
            "2024-01-02T03:04:05.{n:09}Z stderr P java.lang.RuntimeException Error part{n} "
        );
    }
    report(log.as_bytes());
    let endless = "a.BException(".repeat(80_000) + &"ErrorError".repeat(80_000);
    report(format!("{}ERROR X: {endless}\n", head(1)).as_bytes());
}

#[test]
fn a_python_chain_without_end_keeps_its_first_and_its_last() {
    let mut log = String::new();
    for n in 0..600 {
        let _ = write!(
            log,
            "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    g()\nValueError: v{n}\n\n\
             During handling of the above exception, another exception occurred:\n\n"
        );
    }
    log += "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    g()\nKeyError: 'last'\n";
    let report = report(log.as_bytes());
    let chain = report["incidents"][0]["chain"].as_array().expect("a chain");
    assert!(chain.len() <= 256, "{}", chain.len());
    assert_eq!(chain[0]["class"], "KeyError");
    assert_eq!(chain[chain.len() - 1]["message"], "v0");
}

#[test]
fn lines_that_name_one_class_are_a_list_and_no_chain_and_what_stands_behind_them_is_read() {
    let mut log = String::new();
    for n in 0..30_000 {
        let _ = writeln!(
            log,
            "java.lang.IllegalStateException: row {} of {n}",
            letters(n)
        );
    }
    log += "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    g()\nKeyError: 'last'\n";
    let report = report(log.as_bytes());
    assert_eq!(report["inputs"][0]["lines"], 30_004);
    let incidents = report["incidents"].as_array().expect("incidents");
    let chains = incidents.iter().map(|incident| {
        let chain = incident["chain"].as_array().expect("a chain");
        (chain[0]["class"].as_str().expect("a class"), chain.len())
    });
    let chains: Vec<_> = chains.collect();
    assert!(chains.contains(&("KeyError", 1)), "{chains:?}");
    assert!(chains.iter().all(|(_, length)| *length <= 2), "{chains:?}");
}

#[test]
fn a_failure_at_very_many_lines_stays_few_incidents() {
    let mut log = String::new();
    for n in 0..20_000 {
        let _ = write!(
            log,
            "{}ERROR Job: failed\ncom.acme.AException: boom\n\tat com.acme.Foo.run(Foo.java:{n})\n",
            head(n / 100)
        );
    }
    let report = report(log.as_bytes());
    let incidents = report["incidents"].as_array().expect("incidents");
    assert!(incidents.len() <= 64, "{}", incidents.len());
    let count: u64 = incidents
        .iter()
        .filter_map(|i| i["occurrences"].as_u64())
        .sum();
    assert_eq!(count, 20_000);
}

#[test]
fn repeated_failures_of_very_many_tasks_find_their_own() {
    let mut log = String::new();
    for n in 0..8_000 {
        let _ = write!(
            log,
            "{}WARN TaskSetManager: Lost task {n}.0 in stage 1.0 (TID {n}) (h executor 1): com.acme.AException: a{}\n\
             \tat com.acme.F{n}.run(F.java:{n})\n\n",
            head(n / 100),
            letters(n)
        );
    }
    for n in 0..20_000 {
        let _ = writeln!(
            log,
            "{}INFO TaskSetManager: Lost task {n}.1 in stage 1.0 (TID {}) on h, executor 1: com.acme.BException (b) [duplicate {n}]",
            head(n / 100),
            n + 100_000
        );
    }
    report(log.as_bytes());
}

/// A number in letters, which a fingerprint does not pass over.
fn letters(n: usize) -> String {
    n.to_string()
        .bytes()
        .map(|digit| char::from(digit - b'0' + b'a'))
        .collect()
}

#[test]
fn numbers_out_of_range_are_no_numbers() {
    let log = "24/01/02 03:04:05 WARN TaskSetManager: Lost task 99999999999999999999.99999999999 in stage 99999999999.99999999999 \
               (TID 99999999999999999999999) (h executor 99999999999999999999999): java.lang.RuntimeException: x\n\
               \tat a.B.c(B.java:99999999999999999999)\n\
               99/99/99 99:99:99 ERROR X: java.lang.IllegalStateException: y\n\
               24/01/02 03:04:05 INFO DAGScheduler: Job 99999999999999999999 failed: x at y.py:9, took 999999999999999999999999 s\n\
               Final app status: FAILED, exitCode: 999999999999999999999999\n";
    let report = report(log.as_bytes());
    assert!(report.to_string().contains("RuntimeException"));
}

#[test]
fn nothing_raw_reaches_a_report_or_a_message() {
    let hostile = "\x1b]52;c;QUJD\x07\x1b[2J\u{202e}\u{2066}\u{9b}31m\u{85}\u{2028}";
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join(format!("d{hostile}"));
    std::fs::create_dir(&inner).expect("a folder");
    let path = inner.join(format!("l{hostile}.log"));
    let log = format!(
        "24/01/02 03:04:05 INFO SparkContext: Running Spark version 3.5.1{hostile}\n\
         24/01/02 03:04:05 INFO SparkContext: Submitted application: app{hostile}\n\
         24/01/02 03:04:05 WARN TaskSetManager: Lost task 0.0 in stage 0.0 (TID 0) (h{hostile} executor 1): a.B{hostile}Exception: bad\n\
         24/01/02 03:04:05 INFO DAGScheduler: ResultStage 0 (count at {hostile}x.py:3) failed in 1.2 s due to {hostile}\n\
         Traceback (most recent call last):\n  File \"/home/{hostile}/a.py\", line 3, in {hostile}\n    boom({hostile})\n\
         ModuleNotFoundError: No module named '{hostile}'\n"
    );
    std::fs::write(&path, log).expect("a log");
    std::fs::write(inner.join(format!("{hostile}.png")), b"\x89PNG\0\0").expect("an image");
    let missing = inner.join("none");
    for (arguments, path) in [
        (&["report"][..], &path),
        (&["report", "--all"], &inner),
        (&["report", "--format", "json"], &inner),
        (&["report", "--format", "markdown"], &inner),
        (&["root"], &path),
        (&["report"], &missing),
        (&["rules"], &missing),
        (&["explain"], &missing),
    ] {
        let output = run(arguments, path);
        for bytes in [&output.stdout, &output.stderr] {
            let text = std::str::from_utf8(bytes).expect("UTF-8");
            let raw = text.chars().find(|c| {
                c.is_control() && *c != '\n' || matches!(c, '\u{202e}' | '\u{2066}' | '\u{2028}')
            });
            assert_eq!(raw, None, "{arguments:?}: {text}");
        }
    }
}

#[test]
fn what_has_no_room_to_be_kept_is_told_with_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let nowhere = folder.path().join("none");
    let packed = folder.path().join("log.gz");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(b"ValueError: x\n").expect("memory");
    for _ in 0..80 {
        gzip.write_all(&vec![b'a'; 1 << 20]).expect("memory");
    }
    std::fs::write(&packed, gzip.finish().expect("memory")).expect("a file");
    let output = Command::new(PROGRAM)
        .env("TMPDIR", &nowhere)
        .arg("report")
        .arg(&packed)
        .output()
        .expect("the program starts");
    // What memory takes instead is read.
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).contains("ValueError"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("only its first") && said.contains("set TMPDIR"),
        "{said}"
    );
}

#[test]
fn a_pipe_of_no_text_is_refused_for_what_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let image = folder.path().join("x");
    std::fs::write(&image, b"\x89PNG\0\0").expect("an image");
    let output = Command::new(PROGRAM)
        .args(["report"])
        .stdin(std::fs::File::open(&image).expect("an image"))
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("an image"), "{said}");
}

#[test]
fn what_there_is_too_much_of_is_told_in_the_report_and_beside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("driver.log");
    let lost = |n| {
        format!(
            "{}ERROR TaskSchedulerImpl: Lost executor {n} on dn7: gone\n",
            head(n)
        )
    };
    let told = |executors: usize| {
        let log: Vec<String> = (0..executors).map(lost).collect();
        std::fs::write(&path, log.concat()).expect("a log");
        let output = run(&["report", "--all"], &path);
        assert_eq!(output.status.code(), Some(0));
        let both = [output.stdout, output.stderr];
        both.map(|said| String::from_utf8_lossy(&said).contains("more than 20000"))
    };
    assert_eq!(told(20_001), [true, true]);
    assert_eq!(told(20_000), [false, false]);
}
