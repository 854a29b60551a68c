//! How much is done for a large log, in steps: time depends on the machine, steps do not. What is handed to the parser of
//! a log that is mostly chatter stays a small part of it; each failure costs its own lines and nothing else.

#[expect(
    dead_code,
    reason = "the bench makes all kinds of logs, and compares them"
)]
#[path = "../bench/synthetic/mod.rs"]
mod synthetic;

use causedby::load::{self, Case, Options};
use causedby::source::Sources;
use std::env;
use std::process::Command;
use synthetic::Kind;

/// Says that a test runs in a process of its own.
const ALONE: &str = "CAUSEDBY_TEST_ALONE";
const MIB: u64 = 1 << 20;
/// Read line by line in any case, at the beginning and the end of a log together.
const ENDS: u64 = 512 << 10;

fn read(kind: Kind, threads: usize) -> (Case, u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("driver.log");
    synthetic::write(&path, kind, 12 * MIB, 7).expect("a log");
    let options = Options {
        threads,
        ..Options::default()
    };
    let case = load::load(Sources::open(&[path]), &options);
    let size = case.sources.list[0].bytes;
    (case, size)
}

#[test]
fn of_chatter_only_what_tells_is_parsed() {
    let (case, size) = read(Kind::Chatter, 2);
    let work = case.work;
    assert_eq!(work.blocks, size.div_ceil(Options::default().block as u64));
    assert!(work.bytes < ENDS + size / 50, "{work:?} of {size}");
    assert!(
        work.records < work.lines && work.lines < case.lines[0] / 10,
        "{work:?}"
    );
    assert_eq!(read(Kind::Chatter, 1).0.work, work);
}

#[test]
fn of_json_lines_too() {
    let (case, size) = read(Kind::Json, 2);
    assert!(
        case.work.bytes < ENDS + size / 50,
        "{:?} of {size}",
        case.work
    );
}

#[test]
fn each_line_of_a_trace_is_parsed_once() {
    for kind in [Kind::Traces, Kind::Giant] {
        let (case, size) = read(kind, 2);
        let work = case.work;
        assert_eq!(work.lines, case.lines[0], "{work:?}");
        assert_eq!(work.bytes + work.lines, size, "{work:?}");
        let failures = case.lines[0] / 45;
        assert!(
            work.records <= failures + 4,
            "{work:?} of {failures} failures"
        );
    }
}

#[test]
fn of_a_failure_that_repeats_itself_the_trace_is_read_once() {
    // Frames are kept once for the whole process, up to a cap that other tests reach.
    if env::var_os(ALONE).is_none() {
        let test = "work::of_a_failure_that_repeats_itself_the_trace_is_read_once";
        let mut alone = Command::new(env::current_exe().expect("this program"));
        let status = alone.args([test, "--exact"]).env(ALONE, "1").status();
        assert!(status.expect("it runs").success());
        return;
    }
    let (case, _) = read(Kind::Traces, 2);
    let work = case.work;
    // The tasks' numbers grow, and with them the digits of a few hundred of four thousand failures.
    assert!(work.repeated * 10 > work.records * 9, "{work:?}");
    assert_eq!(read(Kind::Traces, 1).0.work, work);
}

#[test]
fn of_tracebacks_that_repeat_themselves_each_kind_is_read_once() {
    let kinds = 4;
    let tracebacks = 20_000;
    let log = (0..tracebacks)
        .map(|n| {
            let line = n % kinds;
            format!(
                "Traceback (most recent call last):\n  File \"/jobs/tides.py\", line {line}, in f\n    g(row)\n\
                 KeyError: 'tide'\n\nDuring handling of the above exception, another exception occurred:\n\n\
                 Traceback (most recent call last):\n  File \"/jobs/tides.py\", line 9, in g\n    h(row)\n\
                 ValueError: bad value {:06}\n",
                n * 7
            )
        })
        .collect::<Vec<_>>()
        .concat();
    let read = |threads| {
        let mut sources = Sources::default();
        sources.add_memory("driver.log", log.as_bytes().to_vec());
        let options = Options {
            threads,
            whole_below: 0,
            ..Options::default()
        };
        load::load(sources, &options)
    };
    let case = read(2);
    // The end of a record of so many lines may tear a traceback, which then counts twice.
    let told: u64 = case.story.incidents.iter().map(|i| i.count).sum();
    assert!((tracebacks..tracebacks + 16).contains(&told), "{told}");
    let lines = case.lines[0];
    let work = case.work;
    assert_eq!(lines, 11 * tracebacks);
    assert!(work.read < 11 * 8 * kinds, "{work:?} of {lines} lines");
    assert!(work.repeated > tracebacks - 8 * kinds, "{work:?}");
    assert_eq!(read(1).work, work);
}

#[test]
fn an_event_log_is_searched_and_not_cut_into_records() {
    let (case, size) = read(Kind::Events, 2);
    let work = case.work;
    assert_eq!(work.blocks, size.div_ceil(Options::default().block as u64));
    assert_eq!((work.lines, work.records), (0, 0), "{work:?}");
    assert!(
        case.story
            .incidents
            .iter()
            .any(|i| i.title().contains("NumberFormatException"))
    );
}
