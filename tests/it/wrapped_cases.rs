//! A failure is the same whatever the log went through: the drivers' logs of real cases are wrapped as shippers, mail
//! programs and people wrap them, and the story told of each must be that of the plain log.

use causedby::incident::Role;
use causedby::load::{self, Options};
use causedby::source::Sources;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// One of each: what fails in the driver, in a worker, in a JVM and in the cluster; old and new layouts; runs that went well.
const CASES: [&str; 18] = [
    "declared-type-wrong-4.1",
    "disk-full-glue",
    "driver-memory-too-small-4.1",
    "executor-lost-yarn",
    "foreach-batch-4.1",
    "heap-exhausted-4.1",
    "jvm-killed-4.1",
    "jvm-option-unknown-yarn",
    "key-error-jupyter",
    "missing-delta-3.3-cdh",
    "no-resources-4.1",
    "ok-exit-noise-4.1",
    "ok-failure-caught-4.1",
    "pandas-frames-differ-3.3",
    "scala-mismatch-4.1",
    "token-expired-yarn",
    "unresolved-column-3.2",
    "view-shadowed-3.5",
];

/// What makes other lines of a log's lines.
type Wrap = fn(&[&str]) -> Vec<String>;

const WRAPS: [(&str, Wrap); 17] = [
    ("Airflow", |log| {
        numbered(log, |at, line| {
            format!("[2024-01-02, 03:04:{at:02} UTC] {{spark_submit.py:571}} INFO - {line}")
        })
    }),
    ("Airflow in Airflow", |log| {
        numbered(log, |at, line| {
            let time = format!("[2024-01-02 03:04:{at:02},678]");
            format!(
                "{time} {{logging_mixin.py:112}} INFO - {time} {{spark_submit_hook.py:426}} INFO - {line}"
            )
        })
    }),
    ("kubectl", |log| {
        each(log, |line| {
            format!("[pod/tide-driver/spark-kubernetes-driver] {line}")
        })
    }),
    ("kubectl with times", |log| {
        numbered(log, |at, line| {
            format!("2024-01-02T03:04:{at:02}.678901234Z {line}")
        })
    }),
    ("containerd", |log| {
        numbered(log, |at, line| {
            format!("2024-01-02T03:04:{at:02}.678901234Z stdout F {line}")
        })
    }),
    ("docker compose", |log| {
        each(log, |line| format!("tide-job-1  | {line}"))
    }),
    ("journald", |log| {
        numbered(log, |at, line| {
            format!("Jan 02 03:04:{at:02} edge01 spark-submit[4242]: {line}")
        })
    }),
    ("GitHub Actions", |log| {
        numbered(log, |at, line| {
            format!("2024-01-02T03:04:{at:02}.6789012Z {line}")
        })
    }),
    ("YARN", |log| {
        let bytes: usize = log.iter().map(|line| line.len() + 1).sum();
        let heading = format!(
            "Container: container_1512_0001_01_000001 on dn7_45454\nLogType:stderr\n\
             LogLastModifiedTime:Mon Dec 24 11:48:41 +0000 2018\nLogLength:{bytes}\nLogContents:"
        );
        between(&heading, each(log, str::to_owned), "End of LogType:stderr")
    }),
    ("docker's JSON", |log| {
        each(log, |line| {
            let text = Value::from(format!("{line}\n"));
            format!(r#"{{"log": {text}, "stream": "stderr", "time": "2024-01-02T03:04:05.678Z"}}"#)
        })
    }),
    ("one JSON string", |log| {
        vec![format!(r#"{{"logs": {}}}"#, Value::from(log.join("\n")))]
    }),
    ("quoted in a mail", |log| {
        let quoted = each(log, |line| format!("> {line}"));
        between("Hi all, the job failed again:\n", quoted, "\nthanks")
    }),
    ("a code block", |log| {
        between(
            "The job fails with:\n\n```",
            each(log, str::to_owned),
            "```\n",
        )
    }),
    ("HTML", |log| {
        each(log, |line| {
            let line = line.replace('&', "&amp;").replace('<', "&lt;");
            let line = line.replace('>', "&gt;").replace('"', "&quot;");
            line.replace('\'', "&#x27;")
        })
    }),
    ("CRLF", |log| each(log, |line| format!("{line}\r"))),
    ("indented", |log| each(log, |line| format!("    {line}"))),
    ("coloured", |log| {
        each(log, |line| format!("\x1b[0;31m{line}\x1b[0m"))
    }),
];

#[test]
fn every_wrapping_tells_the_same_story() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut wrong = Vec::new();
    for name in CASES {
        let log = fs::read(folder.join(name).join("input/driver.log")).expect("a driver's log");
        let log = String::from_utf8_lossy(&log);
        let log: Vec<&str> = log.trim_end_matches('\n').split('\n').collect();
        let plain = told(&log.join("\n"));
        for (wrapping, wrap) in WRAPS {
            let wrapped = told(&wrap(&log).join("\n"));
            if wrapped != plain {
                wrong.push(format!(
                    "{name}, {wrapping}:\n  plain   {plain:?}\n  wrapped {wrapped:?}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// How the run ended, and the root's class and text where something ended it.
fn told(log: &str) -> (String, Option<(String, String)>) {
    let mut sources = Sources::default();
    sources.add_memory("driver.log", format!("{log}\n").into_bytes());
    let story = load::load(sources, &Options::default()).story;
    let fatal = story.incidents.iter().find(|i| i.role == Role::Fatal);
    let root = fatal.map(|incident| {
        let root = incident.root();
        let words: Vec<&str> = root.text.split_whitespace().collect();
        (root.short_class().to_owned(), words.join(" "))
    });
    (format!("{:?}", story.outcome), root)
}

fn each(log: &[&str], wrap: impl Fn(&str) -> String) -> Vec<String> {
    log.iter().map(|line| wrap(line)).collect()
}

/// As [`each`], with a second of the minute for each line.
fn numbered(log: &[&str], wrap: impl Fn(usize, &str) -> String) -> Vec<String> {
    (0..).zip(log).map(|(n, line)| wrap(n % 60, line)).collect()
}

fn between(before: &str, lines: Vec<String>, after: &str) -> Vec<String> {
    let mut all = vec![before.to_owned()];
    all.extend(lines);
    all.push(after.to_owned());
    all
}
