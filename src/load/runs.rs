//! In: opened sources. Out: [`Runs`]: which logs belong to which run, where drivers' logs of several were opened.
//!
//! Tasks and stages of several runs must not be taken for those of one. Each is read by itself, and the one that went worst
//! is told; the logs of the others are named as set aside.

use super::case::Case;
use super::pipeline::sample;
use crate::incident::Outcome;
use crate::source::{Kind, Refusal, Source, Sources, log_of_piece};
use crate::text::pattern;
use regex::Regex;
use std::sync::{Arc, LazyLock};

/// What a driver prints once, when its context starts.
const STARTS: [&str; 2] = ["Running Spark version ", "Setting default log level to "];

/// What every process of Spark prints once, drivers and what launches them: only where no log says more are they told by it.
const PROCESS_STARTS: [&str; 2] = [
    "Unable to load native-hadoop library",
    "Using Spark's default log4j profile",
];

static APPLICATION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\b(application_\d{10,}_\d{3,}|app-\d{14}-\d{4}|local-\d{13}|spark-[0-9a-f]{32})\b|\bcontainer_(?:e\d+_)?(\d{10,}_\d{3,})_")
        .expect("a valid pattern")
});

/// By what a run is told from others.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Key {
    /// The application's id.
    Application(String),
    /// The log, rotated or not, in which its context starts.
    Log(String),
    /// The log in which a process starts.
    Process(String),
}

/// The runs whose drivers' logs were opened, in the order of these.
#[derive(Debug)]
pub(super) struct Runs {
    /// Each with a folder that is its own, as far as there is one.
    keys: Vec<(Key, Option<String>)>,
    /// For each source the run it belongs to; `None` where it may belong to any.
    of: Vec<Option<usize>>,
}

impl Runs {
    /// `None` where no two runs can be told apart. What only says the same as another log tells of no run.
    pub(super) fn of(sources: &Sources, is_copy: &[bool]) -> Option<Self> {
        let is_driver = |(i, source): &(usize, &Source)| {
            source.kind == Kind::DriverLog && source.spool().is_none() && !is_copy[*i]
        };
        let drivers = || sources.list.iter().enumerate().filter(is_driver);
        if drivers().count() < 2 {
            return None;
        }
        let mut told: Vec<_> = drivers()
            .filter_map(|(i, source)| Some((i, key_of(source)?)))
            .collect();
        let is_process = |key: &Key| matches!(key, Key::Process(_));
        if !told.iter().all(|(_, key)| is_process(key)) {
            told.retain(|(_, key)| !is_process(key));
        }
        let mut keys: Vec<(Key, Option<String>)> = Vec::new();
        let mut of = vec![None; sources.list.len()];
        for (i, key) in told {
            let run = keys.iter().position(|(known, _)| *known == key);
            let run = run.unwrap_or_else(|| {
                keys.push((key, folder(&sources.list[i].name)));
                keys.len() - 1
            });
            of[i] = Some(run);
        }
        if keys.len() < 2 {
            return None;
        }
        let folders: Vec<_> = keys.iter().map(|(_, folder)| folder.clone()).collect();
        for (run, (_, own)) in keys.iter_mut().enumerate() {
            let inside = |(other, folder): (usize, &Option<String>)| {
                let (Some(own), Some(folder)) = (own.as_ref(), folder) else {
                    return true;
                };
                other != run
                    && (folder.starts_with(own.as_str()) || own.starts_with(folder.as_str()))
            };
            if folders.iter().enumerate().any(inside) {
                *own = None;
            }
        }
        let mut runs = Self { keys, of };
        for (i, source) in sources.list.iter().enumerate() {
            if runs.of[i].is_none() {
                runs.of[i] = runs.by_name(&source.name);
            }
        }
        Some(runs)
    }

    /// The run that a name belongs to, by the application's id in it or by its folder.
    fn by_name(&self, name: &str) -> Option<usize> {
        let named = application(name).map(Key::Application);
        let by_id = self
            .keys
            .iter()
            .position(|(key, _)| Some(key) == named.as_ref());
        by_id.or_else(|| {
            let in_folder = |own: &Option<String>| {
                own.as_ref()
                    .is_some_and(|own| name.starts_with(own.as_str()))
            };
            self.keys.iter().position(|(_, own)| in_folder(own))
        })
    }

    /// The case of the run that went worst, of several the latest; the logs of the others are named in it.
    /// `read` reads the sources that are not set aside.
    pub(super) fn worst(&self, sources: &Sources, mut read: impl FnMut(&[bool]) -> Case) -> Case {
        let aside = |run: usize| -> Vec<bool> {
            self.of
                .iter()
                .map(|of| of.is_some_and(|of| of != run))
                .collect()
        };
        let cases = (0..self.keys.len()).map(|run| (run, read(&aside(run))));
        let mut cases: Vec<(usize, Case)> = cases.collect();
        cases.sort_by_key(|(_, case)| {
            (rank(case.story.outcome), std::cmp::Reverse(case.story.last))
        });
        let outcomes: Vec<(usize, Outcome)> = cases
            .iter()
            .map(|(run, case)| (*run, case.story.outcome))
            .collect();
        let (told, mut case) = cases.swap_remove(0);
        let about = self.name_of(told, sources);
        let reason = |run: usize| {
            let outcome = outcomes.iter().find(|(other, _)| *other == run);
            let outcome = outcome.map_or("unknown", |(_, outcome)| outcome.word());
            format!(
                "it belongs to another run, {} (outcome: {outcome}), and is set aside: this is about {about}; open it by itself",
                self.name_of(run, sources)
            )
        };
        let others = sources.list.iter().zip(&self.of);
        let others = others.filter_map(|(source, of)| {
            let run = of.filter(|of| *of != told)?;
            Some(Refusal {
                name: source.name.clone(),
                reason: reason(run),
                fault: false,
            })
        });
        Arc::make_mut(&mut case.sources).refused.extend(others);
        case
    }

    /// What a person knows a run by.
    fn name_of(&self, run: usize, sources: &Sources) -> String {
        match &self.keys[run].0 {
            Key::Application(id) => id.clone(),
            Key::Log(log) | Key::Process(log) => {
                let mut own = sources.list.iter().zip(&self.of);
                let own = own.find(|(_, of)| **of == Some(run));
                let own = own.map(|(source, _)| whole_name(source));
                format!("that of {}", own.as_deref().unwrap_or(log))
            }
        }
    }
}

fn key_of(driver: &Source) -> Option<Key> {
    let head = sample(driver);
    let text = String::from_utf8_lossy(&head);
    let id = application(&driver.name).or_else(|| application(&text));
    let says = |words: &[&str]| words.iter().any(|words| text.contains(words));
    if let Some(id) = id {
        Some(Key::Application(id))
    } else if says(&STARTS) {
        Some(Key::Log(log_of_piece(&whole_name(driver))))
    } else {
        says(&PROCESS_STARTS).then(|| Key::Process(log_of_piece(&whole_name(driver))))
    }
}

/// Its path, or its name where it has none: files of one name may lie in several folders.
fn whole_name(source: &Source) -> String {
    let path = source.path.as_ref().map(|path| path.display().to_string());
    path.unwrap_or_else(|| source.name.clone())
}

fn application(text: &str) -> Option<String> {
    let found = APPLICATION.captures(text)?;
    let container = || format!("application_{}", &found[2]);
    Some(
        found
            .get(1)
            .map_or_else(container, |id| id.as_str().to_owned()),
    )
}

/// The folder of a name, with its slash; `None` for what lies in none.
fn folder(name: &str) -> Option<String> {
    let end = name.rfind(['/', '!'])?;
    Some(name[..=end].to_owned())
}

/// The worse, the lower.
fn rank(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Failed => 0,
        Outcome::Stuck => 1,
        Outcome::Killed => 2,
        Outcome::Unknown => 3,
        Outcome::Recovered => 4,
        Outcome::Succeeded => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Options, load};

    const GOOD: &str = "24/01/02 03:04:05 INFO SparkContext: Running Spark version 3.5.1\n24/01/02 03:04:06 INFO DAGScheduler: Job 0 finished: count at a.py:1, took 1.0 s\nall done\n";
    const BAD: &str = "24/01/01 03:04:05 INFO SparkContext: Running Spark version 3.4.1\nTraceback (most recent call last):\n  File \"/srv/b.py\", line 3, in <module>\n    main()\nValueError: no rows\n";

    fn told(logs: &[(&str, &str)]) -> Case {
        let mut sources = Sources::default();
        for (name, text) in logs {
            sources.add_memory(name, text.as_bytes().to_vec());
        }
        load(sources, &Options::default())
    }

    fn set_aside(case: &Case) -> Vec<&str> {
        let refused = case.sources.refused.iter();
        refused.map(|refusal| refusal.name.as_str()).collect()
    }

    #[test]
    fn of_two_runs_the_one_that_failed_is_told_and_the_other_named() {
        for logs in [
            [("a/driver.log", GOOD), ("b/driver.log", BAD)],
            [("b/driver.log", BAD), ("a/driver.log", GOOD)],
        ] {
            let case = told(&logs);
            assert_eq!(case.story.outcome, Outcome::Failed);
            assert_eq!(case.story.spark.version.as_deref(), Some("3.4.1"));
            assert_eq!(set_aside(&case), ["a/driver.log"]);
            let reason = &case.sources.refused[0].reason;
            assert!(
                reason.contains("outcome: succeeded")
                    && reason.contains("about that of b/driver.log"),
                "{reason}"
            );
        }
    }

    #[test]
    fn logs_that_name_a_run_or_lie_in_its_folder_go_with_it() {
        let executor = "24/01/02 03:04:05 ERROR Executor: Exception in task 3.0 in stage 3.0 (TID 4)\njava.lang.IllegalStateException: lone\n\tat a.b.C.d(C.java:1)\n";
        let good = GOOD.replace("all done", "application_1700000000000_0001 is done");
        let bad = format!(
            "24/01/01 03:04:01 INFO Client: Submitted application application_1700000000000_0002\n{BAD}"
        );
        let case = told(&[
            ("driver-a.log", &good),
            ("driver-b.log", &bad),
            ("container_1700000000000_0001_01_000002/stderr", executor),
            ("container_1700000000000_0002_01_000002/stderr", executor),
            ("notes.log", "a note\n"),
        ]);
        assert_eq!(
            set_aside(&case),
            [
                "driver-a.log",
                "container_1700000000000_0001_01_000002/stderr"
            ]
        );
    }

    #[test]
    fn pieces_of_one_log_and_attempts_of_one_application_are_one_run() {
        let more =
            "24/01/02 03:04:07 INFO DAGScheduler: Job 1 finished: count at a.py:2, took 1.0 s\n";
        let again = format!("{BAD}container_1700000000000_0002_02_000001\n");
        for logs in [
            [("driver.log.1", GOOD), ("driver.log", more)],
            [("driver.log.1", GOOD), ("driver.log", BAD)],
            [
                ("container_1700000000000_0002_01_000001/stderr", GOOD),
                ("container_1700000000000_0002_02_000001/stderr", &again),
            ],
            [
                ("driver.log", GOOD),
                ("driver-stdout.log", "24/01/02 03:04:07 ERROR X: y\n"),
            ],
        ] {
            assert_eq!(set_aside(&told(&logs)), [""; 0], "{}", logs[0].0);
        }
    }
}
