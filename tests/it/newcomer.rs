//! That whoever has never seen the program reads the root cause's source line, the second retry and the fix's code within a
//! few keys that `?` names, on a screen of any size: not only that the selection is there, but that it can be read.

use causedby::diagnosis::StepKind;
use causedby::load::{self, Case, Options};
use causedby::report::{self, Format, Manner};
use causedby::source::Sources;
use std::path::Path;
use std::sync::Arc;

use crate::screens::Screen;

const SIZES: [(u16, u16); 4] = [(200, 50), (120, 36), (80, 24), (40, 12)];

/// Logs of `tests/cases` with a line of one's own code, four attempts of a task, and fixes.
const LOGS: [&str; 11] = [
    "assert-true-3.5",
    "csv-failfast-4.1-cdh",
    "division-by-zero-4.1",
    "executor-killed-4.1",
    "flaky-udf-4.1",
    "jdbc-lost-midread-4.1",
    "ml-unseen-label-4.1",
    "numpy-scalar-returned-4.1",
    "parallel-failures-4.1",
    "udf-key-error-3.5",
    "udf-row-too-short-3.5",
];

fn cases() -> Vec<(String, Arc<Case>)> {
    let of_log = |name: &&str| {
        let input = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/cases")
            .join(name)
            .join("input");
        let case = load::load(Sources::open(&[input]), &Options::default());
        ((*name).to_owned(), Arc::new(case))
    };
    let demo = load::load(load::demo(), &Options::default());
    let demo = ("the built-in incident".to_owned(), Arc::new(demo));
    std::iter::once(demo)
        .chain(LOGS.iter().map(of_log))
        .collect()
}

/// What is said, however lines are broken and framed.
fn squeezed(text: &str) -> String {
    text.chars().filter(char::is_ascii_graphic).collect()
}

/// The keys, and what must be read afterwards.
fn shows(case: &Arc<Case>, size: (u16, u16), keys: &str, wanted: &str) -> Result<(), String> {
    let screen = Screen::of(case, size.0, size.1).keys(keys).text();
    let (wanted, wanted_words) = (squeezed(wanted), wanted);
    // The mark of the row with the cursor may stand between.
    if squeezed(&screen)
        .replace('>', "")
        .contains(&wanted.replace('>', ""))
    {
        return Ok(());
    }
    // Beside other panes, where a line is broken is not where it goes on.
    let mut words = wanted_words.split(|c: char| !c.is_alphanumeric());
    if size.0 >= 100 && words.all(|word| screen.contains(word)) {
        return Ok(());
    }
    Err(format!(
        "no `{wanted}` at {size:?} after `{keys}`:\n{screen}"
    ))
}

#[test]
fn the_roots_source_line_is_read_after_two_keys() {
    for (name, case) in cases() {
        let frame = case.story.incidents[0]
            .user_frame
            .as_ref()
            .expect("one's own line");
        let file = frame.file.rsplit('/').next().expect("a file");
        let line = frame.line.expect("a line").to_string();
        for size in SIZES {
            for wanted in [file, line.as_str(), frame.code.as_deref().unwrap_or("")] {
                // Of a long line of code, so much that it is known again.
                let wanted: String = wanted.chars().take(36).collect();
                // Where the line stands elsewhere in the log, that has to be wrapped on the smallest screen.
                let ways = ["] f", "] f w", "] f w j"];
                let ways = if size.1 < 16 { &ways[..] } else { &ways[..1] };
                let read = ways.iter().map(|keys| shows(&case, size, keys, &wanted));
                read.reduce(Result::or)
                    .expect("a way")
                    .unwrap_or_else(|error| panic!("{name}: {error}"));
            }
        }
    }
}

#[test]
fn the_second_retry_is_read_after_four_keys() {
    for (name, case) in cases() {
        let incident = &case.story.incidents[0];
        let Some(at) = incident.attempts.iter().position(|a| a.number == 2) else {
            panic!("{name}: no second retry");
        };
        for size in SIZES {
            let keys = format!("4 g{}", " j".repeat(at));
            shows(&case, size, &keys, "retry2").unwrap_or_else(|error| panic!("{name}: {error}"));
            let screen = Screen::of(&case, size.0, size.1).keys(&keys);
            assert_eq!(screen.app.selection().attempt, Some(at), "{name}");
            // Its own lines, or where it is told of, stand with the trace.
            let keys = "[ r";
            let before = incident.attempts.len() - 1;
            let told = format!("Attempt{before}of{}", before + 1);
            let other = Screen::of(&case, size.0, size.1).keys(keys);
            let at = other.app.selection();
            if at.attempt == Some(before - 1) && at.other.is_none() && size != (80, 24) {
                shows(&case, size, keys, &told).unwrap_or_else(|error| panic!("{name}: {error}"));
            }
        }
    }
}

#[test]
fn the_code_of_the_fix_is_read_after_two_keys() {
    for (name, case) in cases() {
        let question = case.diagnoses[0].question.as_ref();
        let suspected = question.and_then(|question| {
            let mut suspects = question.suspects.iter();
            suspects.find(|suspect| !suspect.speaks_for.is_empty())
        });
        let fix = &case.diagnoses[0].fixes[0];
        let mut steps = fix.steps.iter().filter(|step| step.code.is_some());
        let mending = steps.clone().find(|step| step.kind == StepKind::Fix);
        let step = suspected
            .map(|suspect| &suspect.step)
            .filter(|step| step.code.is_some())
            .or(mending)
            .or_else(|| steps.next());
        let code = step.and_then(|step| step.code.as_ref()).expect("code");
        for size in SIZES {
            // So many lines as fit below what the step says.
            let lines = if size.1 < 16 { 1 } else { 3 };
            for line in code.lines().take(lines) {
                shows(&case, size, "] x", line).unwrap_or_else(|error| panic!("{name}: {error}"));
            }
        }
    }
}

#[test]
fn help_names_these_keys_before_it_names_any_other() {
    for (width, height) in SIZES {
        let case = &cases()[0].1;
        // On the smallest screen that takes some pages.
        let pages = ["?", "? ^f", "? ^f ^f", "? ^f ^f ^f", "? ^f ^f ^f ^f"];
        let pages = if height < 16 { &pages[..] } else { &pages[..1] };
        let read: String = pages
            .iter()
            .map(|keys| Screen::of(case, width, height).keys(keys).text())
            .collect();
        for key in ["r", "]f", "4", "]r", "6", "]x"] {
            let names = |line: &str| line.contains(&format!(" {key}  "));
            assert!(
                read.lines().any(names),
                "{key} at {width}x{height}:\n{read}"
            );
        }
    }
}

#[test]
fn where_no_line_is_ones_own_that_is_said() {
    let log = "java.lang.IllegalStateException: no\n\tat org.apache.spark.SparkContext.stop(SparkContext.scala:1)\n";
    let mut sources = Sources::default();
    sources.add_memory("driver.log", log.into());
    let case = Arc::new(load::load(sources, &Options::default()));
    for keys in ["] f", "[ f"] {
        let screen = Screen::of(&case, 80, 24).keys(keys).text();
        assert!(
            screen.contains("no line of your own code is in this trace"),
            "{screen}"
        );
    }
}

#[test]
fn another_attempt_is_told_with_its_own_lines_below_the_trace() {
    let (_, demo) = &cases()[0];
    let screen = Screen::of(demo, 120, 50).keys("[ r").text();
    let (_, told) = screen
        .split_once("Attempt 3 of 4 ended for the same reason as attempt 4, whose trace is above.")
        .expect(&screen);
    assert!(told.contains("Lost task 11.2 in stage 6.0"), "{screen}");
    assert!(told.contains("line 87, in parse_age"), "{screen}");
    assert!(told.contains("[duplicate 2]"), "{screen}");
    assert!(screen.contains("3 Trace · of attempts 4 and 3"), "{screen}");
    // Back at the attempt whose trace it is, nothing is said of another.
    let back = Screen::of(demo, 120, 50).keys("[ r ] r").text();
    assert!(!back.contains("ended for the same reason"), "{back}");
}

#[test]
fn a_suspect_has_one_number_on_the_screen_and_in_every_report() {
    let input = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/executor-killed-4.1/input");
    let case = load::load(Sources::open(&[input]), &Options::default());
    let question = case.diagnoses[0].question.as_ref().expect("suspects");
    let short = report::render(&case, Format::Text, Manner::default());
    let mut skipped = false;
    for (number, suspect) in (1..).zip(&question.suspects) {
        let told = short.contains(&format!("  {number}  {}", suspect.title));
        assert!(told || !short.contains(&suspect.title), "{short}");
        skipped |= !told && number < question.suspects.len();
    }
    assert!(skipped, "all are told, so that this shows nothing: {short}");
}
