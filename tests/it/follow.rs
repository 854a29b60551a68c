//! Logs that are opened while they are written: what is known in the end is what is known of the finished files, and the
//! screen follows without moving under the reader's eyes.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use causedby::load::{self, Case, Loading, Options};
use causedby::report::{self, Format, Manner};
use causedby::source::Sources;

use crate::terminal::{DEADLINE, Home, Pty, program};

/// Logs of several shapes: a Python driver's, a JVM's, one in a bundle, one with an event log, a mixed one.
fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut names: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the folder of cases")
        .map(|entry| entry.expect("an entry of it").path().join("input"))
        .filter(|path| path.is_dir())
        .collect();
    names.sort();
    // Every fifth: the folder is sorted by what failed.
    let some: Vec<PathBuf> = names.into_iter().step_by(5).collect();
    assert!(some.len() >= 8, "{some:?}");
    some
}

fn append(path: &Path, bytes: &[u8]) {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(bytes))
        .expect("written");
}

fn following(paths: &[PathBuf]) -> Loading {
    let paths = paths.to_owned();
    let options = Options {
        follow: true,
        ..Options::default()
    };
    load::spawn(move || Sources::open(&paths), options).expect("a thread")
}

/// The next whole answer that `is_it`.
fn wait(loading: &Loading, is_it: impl Fn(&Case) -> bool) -> Arc<Case> {
    let end = Instant::now() + DEADLINE;
    loop {
        loading
            .bell()
            .recv_deadline(end)
            .expect("an answer in time");
        let bulletin = loading.take();
        assert_eq!(bulletin.failed, None);
        if let Some(case) = bulletin
            .case
            .filter(|case| !case.provisional && is_it(case))
        {
            return case;
        }
    }
}

fn bytes(case: &Case) -> u64 {
    case.sources.list.iter().map(|source| source.bytes).sum()
}

fn told(case: &Case) -> String {
    report::render(case, Format::Json, Manner::default())
}

#[test]
fn what_is_known_of_a_log_in_the_end_is_what_the_finished_log_tells() {
    let (mut grown, mut differ) = (0, Vec::new());
    for input in cases() {
        let logs = Sources::open(std::slice::from_ref(&input));
        let Some(log) = logs
            .list
            .iter()
            .find(|s| s.kind.is_log() && s.format == "plain")
        else {
            continue;
        };
        let all = fs::read(log.path.as_ref().expect("a file")).expect("readable");
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join(&log.name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        // Pieces end where they end: within lines, and within characters.
        let cuts = [
            0,
            all.len() / 5,
            all.len() / 2 + 1,
            all.len() * 4 / 5,
            all.len(),
        ];
        append(&path, &all[..cuts[1]]);
        let loading = following(std::slice::from_ref(&path));
        for to in cuts.windows(2).skip(1) {
            append(&path, &all[to[0]..to[1]]);
        }
        let followed = wait(&loading, |case| bytes(case) == all.len() as u64);
        let at_once = load::load(Sources::open(&[path]), &Options::default());
        // What somebody cut out of a log is judged as what does not grow.
        let run = &at_once.story.spark;
        if run.version.is_none() && run.app_id.is_none() {
            continue;
        }
        if told(&followed) != told(&at_once) {
            differ.push((input, told(&followed), told(&at_once)));
        }
        grown += 1;
    }
    assert!(differ.is_empty(), "{differ:#?}");
    assert!(
        grown >= 6,
        "only {grown} of the cases have a log that can grow"
    );
}

const CHATTER: &str = "24/05/01 10:00:00 INFO DAGScheduler: looking for more\n";
const FIRST: &str = "24/05/01 10:00:01 WARN TaskSetManager: Lost task 1.0 in stage 0.0 (TID 1) (h executor 1): java.io.IOException: the disk is gone\n\tat com.acme.tides.Gauge.read(Gauge.java:88)\n";
const SECOND: &str = "24/05/01 10:00:09 ERROR Gauge: no reading\njava.lang.IllegalStateException: dry since noon\n\tat com.acme.tides.Gauge.next(Gauge.java:31)\n";
const END: &str = "24/05/01 10:01:00 ERROR ApplicationMaster: User class threw exception: java.lang.ArithmeticException: tide by zero\njava.lang.ArithmeticException: tide by zero\n\tat com.acme.tides.Job.main(Job.java:12)\n24/05/01 10:01:01 INFO ApplicationMaster: Final app status: FAILED, exitCode: 15\n";

#[test]
fn a_rotated_log_tells_what_both_files_tell() {
    let dir = tempfile::tempdir().expect("a folder");
    let (log, old) = (
        dir.path().join("driver.log"),
        dir.path().join("driver.log.1"),
    );
    append(&log, [CHATTER, FIRST].concat().as_bytes());
    let loading = following(std::slice::from_ref(&log));
    let first = wait(&loading, |case| !case.story.incidents.is_empty());
    fs::rename(&log, &old).expect("renamed");
    // Whoever writes may still hold the old file, and then go over to the new one.
    append(&old, SECOND.as_bytes());
    append(&log, END.as_bytes());
    let followed = wait(&loading, |case| {
        case.story.ended && case.story.incidents.len() == 3
    });
    assert!(!first.story.ended);
    let names: Vec<&str> = followed
        .sources
        .list
        .iter()
        .map(|s| s.name.as_str())
        .collect();
    assert_eq!(names, ["driver.log.1", "driver.log"]);
    let at_once = load::load(Sources::open(&[old, log]), &Options::default());
    assert_eq!(told(&followed), told(&at_once));
}

#[test]
fn a_log_that_was_cut_short_tells_what_it_holds_now() {
    let dir = tempfile::tempdir().expect("a folder");
    let log = dir.path().join("driver.log");
    append(&log, [&CHATTER.repeat(50), FIRST].concat().as_bytes());
    let loading = following(std::slice::from_ref(&log));
    wait(&loading, |case| !case.story.incidents.is_empty());
    File::create(&log).expect("cut");
    wait(&loading, |case| {
        bytes(case) == 0 && case.story.incidents.is_empty()
    });
    append(&log, END.as_bytes());
    let followed = wait(&loading, |case| case.story.ended);
    assert_eq!(followed.story.incidents.len(), 1);
    let at_once = load::load(Sources::open(&[log]), &Options::default());
    assert_eq!(told(&followed), told(&at_once));
}

#[test]
fn the_screen_follows_and_what_was_chosen_stays() {
    let home = Home::new();
    let log = home.file("driver.log");
    append(&log, [CHATTER, FIRST].concat().as_bytes());
    let path = log.display().to_string();
    let mut pty = Pty::start(home.command(program(), &["--follow", &path]));
    pty.resize(120, 36);
    pty.wait_for(&[
        "RUNNING",
        "▶ java.io.IOException: the disk is gone",
        "following driver.log",
    ]);
    append(&log, SECOND.as_bytes());
    pty.wait_for(&[
        "new: IllegalStateException: dry since noon",
        "2/2 incidents",
        "FAILED?",
    ]);
    // A record that is not complete yet is told by what is there, and corrected.
    let (half, rest) = END.split_at(END.find("zero").expect("there") + 2);
    append(&log, half.as_bytes());
    pty.wait_for(&["new: ArithmeticException: tide by ze"]);
    append(&log, rest.as_bytes());
    pty.wait_for(&["FAILED", "the run has ended: failed", "3 incidents"]);
    let text = pty.text();
    assert!(
        text.contains("▶ java.io.IOException: the disk is gone"),
        "{text}"
    );
    assert!(!text.contains("RUNNING"), "{text}");
    // F leaves it as it is.
    pty.press("F");
    pty.wait_for(&["no longer following"]);
    append(&log, FIRST.replace("disk", "moon").as_bytes());
    pty.press("F");
    pty.wait_for(&["4 incidents"]);
    pty.press("q");
    assert!(pty.end().success());
}

#[test]
fn the_screen_follows_a_rotation_and_a_truncation() {
    let home = Home::new();
    let log = home.file("driver.log");
    append(&log, [CHATTER, FIRST].concat().as_bytes());
    let path = log.display().to_string();
    let mut pty = Pty::start(home.command(program(), &[&path]));
    pty.resize(120, 36);
    pty.wait_for(&["IOException: the disk is gone", " driver.log "]);
    pty.press("F");
    pty.wait_for(&["following driver.log"]);
    fs::rename(&log, home.file("driver.log.1")).expect("renamed");
    append(&log, SECOND.as_bytes());
    pty.wait_for(&["2 incidents", "following driver.log.1 +1 file"]);
    File::create(&log).expect("cut");
    append(&log, END.as_bytes());
    pty.wait_for(&["FAILED", "ArithmeticException", "/2 incidents"]);
    pty.press("q");
    assert!(pty.end().success());
}
