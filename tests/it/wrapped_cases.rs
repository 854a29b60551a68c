//! A failure is the same whatever its log went through: the driver's log of every case is wrapped in all ways, and
//! cut to its tail, and the story told of each must be that of the plain log.

use crate::wraps::WRAPS;
use causedby::incident::{Role, Story};
use causedby::load::{self, Options};
use causedby::source::Sources;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Wrappings that take something away which the case lives on, each with the reason; an empty name stands for all, where
/// there are too few lines to learn a wrapping from.
const LOSSES: [(&str, &str, &str); 27] = [
    (
        "job-answer-without-class",
        "",
        "an answer in JSON of seven lines, one of which tells of a run",
    ),
    ("shell-does-not-know-a-type", "", "three lines"),
    ("gateway-silent-r-console", "", "four lines"),
    (
        "container-launch-trace-alone",
        "",
        "six lines, none of which begins a log's line",
    ),
    (
        "arrow-of-another-time",
        "",
        "six lines, and a message without its head",
    ),
    (
        "one-error-line-pytest",
        "",
        "one line of a log among those of a test",
    ),
    (
        "tagged-lines-in-a-fence",
        "",
        "a fence within the wrapping, and tags of one's own in it",
    ),
    (
        "question-uses-the-words-of-logs",
        "a code block",
        "the words around the log are in the block, too",
    ),
    ("numbered-page", "grep -n", "numbers before numbers"),
    (
        "jvm-option-unknown-yarn",
        "grep -n",
        "a number before a heading of YARN's",
    ),
    (
        "column-databricks-notebook",
        "pytest",
        "a notebook's arrows behind a test's mark",
    ),
    (
        "ok-csv-header-4.1",
        "a web page",
        "a paragraph around a bar that was erased",
    ),
    ("ok-codegen-fallback-4.1", "a web page", "as above"),
    (
        "path-missing-dotnet",
        "Jenkins",
        "two times in brackets are a head of .NET's own layout",
    ),
    (
        "comma-in-number-glue",
        "one JSON string",
        "rows that tell the newest first are turned round line by line, and these are one line",
    ),
    ("comma-in-number-glue", "JSON in JSON", "as above"),
    (
        "comma-in-number-glue",
        "a CSV export",
        "an export of an export: the outer one tells the oldest first",
    ),
    (
        "comma-in-number-glue",
        "a CSV export, newest first",
        "as above, the other way round",
    ),
    (
        "cartesian-killed-4.1",
        "a box",
        "a terminal program draws no carriage returns, and fills up with blanks, as a bar is erased",
    ),
    ("spilling-sort-4.1", "a box", "as above"),
    (
        "bar-that-stands-still",
        "containerd, long lines cut",
        "the bar is cut in two",
    ),
    (
        "bar-that-stands-still",
        "one JSON string",
        "the end is read again by lines, and this is one",
    ),
    ("bar-that-stands-still", "JSON in JSON", "as above"),
    ("bar-that-stands-still", "JSON in one line", "as above"),
    ("bar-that-stands-still", "Livy's answer", "as above"),
    (
        "bar-that-stands-still",
        "a list as Python prints it",
        "as above",
    ),
    (
        "bar-that-stands-still",
        "a CSV export, newest first",
        "the end is where the log begins",
    ),
];

#[test]
fn every_wrapping_of_every_case_tells_the_same_story() {
    let differing = on_every_case(|name, log| {
        let plain = told(&load(&log.join("\n")));
        let mut differing = Vec::new();
        // A line or two do not show what stands in front of every line.
        if log.len() < 3 {
            return differing;
        }
        for (wrapping, wrap) in WRAPS {
            if LOSSES
                .iter()
                .any(|&(case, lossy, _)| case == name && (lossy.is_empty() || lossy == wrapping))
            {
                continue;
            }
            let wrapped = told(&load(&wrap(log).join("\n")));
            if wrapped != plain {
                differing.push(format!(
                    "{name}, {wrapping}:\n  plain   {plain:?}\n  wrapped {wrapped:?}"
                ));
            }
        }
        differing
    });
    assert!(differing.is_empty(), "\n{}", differing.join("\n"));
}

/// The tail begins half-way to the line of the root cause.
#[test]
fn the_tail_of_every_case_tells_the_same_story() {
    let differing = on_every_case(|name, log| {
        let story = load(&log.join("\n"));
        let fatal = story.incidents.iter().find(|i| i.role == Role::Fatal);
        let line = fatal.map(|incident| incident.root().place.line);
        let from = usize::try_from(line.unwrap_or(0) / 2).expect("a small log");
        let (plain, cut) = (told(&story), told(&load(&log[from..].join("\n"))));
        if plain == cut {
            return Vec::new();
        }
        vec![format!(
            "{name} from line {}:\n  whole {plain:?}\n  tail  {cut:?}",
            from + 1
        )]
    });
    assert!(differing.is_empty(), "\n{}", differing.join("\n"));
}

/// What `check` finds, on the driver's log of every case; on all cores, for there are thousands of logs.
fn on_every_case(check: impl Fn(&str, &[&str]) -> Vec<String> + Sync) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let cases = fs::read_dir(folder).expect("the cases");
    let mut cases: Vec<_> = cases.map(|case| case.expect("a case").path()).collect();
    cases.retain(|case| case.join("input/driver.log").exists());
    cases.sort();
    assert!(cases.len() > 100, "{} cases", cases.len());
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let log = fs::read(case.join("input/driver.log")).expect("a driver's log");
                    let log = String::from_utf8_lossy(&log);
                    let log: Vec<&str> = log.trim_end_matches('\n').split('\n').collect();
                    let name = case.file_name().expect("a name").to_string_lossy();
                    let differing = check(&name, &log);
                    found.lock().expect("no panic").extend(differing);
                }
            });
        }
    });
    found.into_inner().expect("no panic")
}

fn load(log: &str) -> Story {
    let mut sources = Sources::default();
    sources.add_memory("driver.log", format!("{log}\n").into_bytes());
    load::load(sources, &Options::default()).story
}

/// How the run ended, and the root's class and text where something ended it.
fn told(story: &Story) -> (String, Option<(String, String)>) {
    let fatal = story.incidents.iter().find(|i| i.role == Role::Fatal);
    let root = fatal.map(|incident| {
        let root = incident.root();
        let words: Vec<&str> = root.text.split_whitespace().collect();
        (root.short_class().to_owned(), words.join(" "))
    });
    (format!("{:?}", story.outcome), root)
}
