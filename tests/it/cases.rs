//! In: every folder of `tests/cases`. Out: what the report says of its input, against what its `case.toml` says must be said.
//!
//! Adding a case needs no code: see `tests/cases/README.md`.

use causedby::load;
use causedby::report::{self, Format, Manner};
use causedby::source::Sources;
use serde::Deserialize;
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// `case.toml`. A list names what is right: any one of it will do, unless said otherwise.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// One line for people.
    #[serde(rename = "title")]
    _title: String,
    /// Where the input comes from.
    #[serde(rename = "origin")]
    _origin: String,
    /// What is opened, each by itself.
    open: Vec<Open>,
    expect: Expect,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Open {
    /// Relative to the case's folder.
    path: String,
    /// What this much input cannot tell: names of fields of `expect`.
    #[serde(default)]
    without: Vec<String>,
    /// In place of `expect.attempts`.
    attempts: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    outcome: Vec<String>,
    /// `driver.log:85`, or a text that the root's line holds.
    #[serde(default)]
    root: Vec<String>,
    /// Last part of the root's class.
    #[serde(default)]
    class: Vec<String>,
    #[serde(default)]
    bucket: Vec<String>,
    #[serde(default)]
    side: Vec<String>,
    #[serde(default)]
    phase: Vec<String>,
    #[serde(default)]
    evidence: Vec<String>,
    /// `job.py:12`.
    #[serde(default)]
    user_frame: Vec<String>,
    /// `11.0`: all of them, and none besides but those of `attempts_implied`.
    #[serde(default)]
    attempts: Vec<String>,
    #[serde(default)]
    attempts_implied: Vec<String>,
    #[serde(default)]
    verdict: Vec<String>,
    /// Families of which the best fix must have one.
    #[serde(default)]
    family: Vec<String>,
    /// `6.0 failed 12 tasks`: all of them must be there.
    #[serde(default)]
    stages: Vec<String>,
    /// Kinds of findings, all of which must be there.
    #[serde(default)]
    findings: Vec<String>,
    /// Words that the text report must hold, all of them.
    #[serde(default)]
    says: Vec<String>,
    /// How many failures are told apart.
    incidents: Option<usize>,
    /// Nothing may be called fatal.
    #[serde(default)]
    nothing_fatal: bool,
}

#[test]
fn every_case_is_told_as_it_must_be() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut names: Vec<_> = fs::read_dir(&folder)
        .expect("the folder of cases")
        .map(|entry| entry.expect("an entry of it").path())
        .filter(|path| path.is_dir())
        .collect();
    names.sort();
    assert!(!names.is_empty(), "no case in {}", folder.display());
    let mut wrong = String::new();
    for case in names {
        let name = case.file_name().unwrap_or_default().to_string_lossy();
        let text = fs::read_to_string(case.join("case.toml")).expect("every case has a case.toml");
        match toml::from_str::<Case>(&text) {
            Ok(asked) => check(&name, &case, &asked, &mut wrong),
            Err(error) => {
                let _ = writeln!(wrong, "{name}: its case.toml: {error}");
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

fn check(name: &str, folder: &Path, case: &Case, wrong: &mut String) {
    for open in &case.open {
        let sources = Sources::open(&[folder.join(&open.path)]);
        let refused: Vec<_> = sources.refused.iter().map(|r| &r.reason).collect();
        assert!(refused.is_empty(), "{name} {}: {refused:?}", open.path);
        let answer = load::load(sources, &load::Options::default());
        let json = report::render(&answer, Format::Json, Manner::default());
        let told: Value = serde_json::from_str(&json).expect("the report is JSON");
        let mut misses = Vec::new();
        compare(&case.expect, open, &told, &mut misses);
        let text = report::render(&answer, Format::Text, Manner::default());
        let words: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let says = case
            .expect
            .says
            .iter()
            .filter(|_| !open.without.iter().any(|w| w == "says"));
        for said in says {
            if !words.contains(said.as_str()) {
                misses.push(format!("says: `{said}` is not in the text report"));
            }
        }
        for format in [Format::Text, Format::Json, Format::Markdown] {
            let report = report::render(&answer, format, Manner::default());
            if let Some(c) = report.chars().find(|&c| c.is_control() && c != '\n') {
                misses.push(format!("{format:?}: lets {c:?} through"));
            }
        }
        for miss in misses {
            let _ = writeln!(wrong, "{name} ({}): {miss}", open.path);
        }
    }
}

fn compare(expect: &Expect, open: &Open, told: &Value, misses: &mut Vec<String>) {
    let asked = |field: &str| !open.without.iter().any(|w| w == field);
    let mut any = |field: &str, want: &[String], got: &str| {
        if asked(field) && !want.is_empty() && !want.iter().any(|w| w == got) {
            misses.push(format!(
                "{field}: expected {}, got {got}",
                want.join(" or ")
            ));
        }
    };
    any("outcome", &expect.outcome, word(&told["outcome"]));
    let incidents = told["incidents"].as_array().expect("a list of incidents");
    let fatal = incidents.iter().find(|i| i["role"] == "fatal");
    let nothing = Value::Null;
    let first = fatal.or(incidents.first()).unwrap_or(&nothing);
    let root = &first["root"];
    any("class", &expect.class, last_name(word(&root["class"])));
    any("bucket", &expect.bucket, word(&first["bucket"]));
    any("side", &expect.side, word(&first["side"]));
    any("phase", &expect.phase, word(&first["phase"]));
    any("evidence", &expect.evidence, word(&first["evidence"]));
    any("verdict", &expect.verdict, word(&first["retry_verdict"]));
    let frame = &first["user_frame"];
    let frame = format!("{}:{}", base(word(&frame["file"])), frame["line"]);
    any("user_frame", &expect.user_frame, &frame);
    let family = word(&first["fixes"][0]["family"]);
    any("family", &expect.family, family);

    if let Some(want) = expect.incidents.filter(|want| *want != incidents.len()) {
        misses.push(format!(
            "incidents: expected {want}, got {}",
            incidents.len()
        ));
    }
    if asked("root") && !expect.root.is_empty() {
        let at = format!("{}:{}", base(word(&root["input"])), root["line"]);
        let text = squeezed(word(&root["text"]));
        let right = |want: &String| *want == at || same_line(&text, &squeezed(want));
        if !expect.root.iter().any(right) {
            let want = expect.root.join("\n        or ");
            misses.push(format!("root: expected {want}\n       got {at} {text}"));
        }
    }
    if expect.nothing_fatal
        && asked("nothing_fatal")
        && let Some(fatal) = fatal
    {
        misses.push(format!("nothing is fatal, got {}", fatal["title"]));
    }
    let attempts = open.attempts.as_ref().unwrap_or(&expect.attempts);
    if asked("attempts") && !attempts.is_empty() {
        compare_attempts(attempts, &expect.attempts_implied, first, misses);
    }
    if asked("stages") {
        compare_stages(expect, told, misses);
    }
}

fn compare_attempts(want: &[String], implied: &[String], first: &Value, misses: &mut Vec<String>) {
    let partition = &first["task"]["partition"];
    let got: Vec<String> = first["attempts"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|a| format!("{partition}.{}", a["number"]))
        .collect();
    let all = want.iter().all(|w| got.contains(w));
    let none_besides = got.iter().all(|g| want.contains(g) || implied.contains(g));
    if !all || !none_besides {
        misses.push(format!("attempts: expected {want:?}, got {got:?}"));
    }
}

fn compare_stages(expect: &Expect, told: &Value, misses: &mut Vec<String>) {
    let stages = || told["stages"].as_array().into_iter().flatten();
    let got: Vec<String> = stages()
        .map(|s| {
            let (id, attempt, total) = (&s["id"], &s["attempt"], &s["tasks"]["total"]);
            format!("{id}.{attempt} {} {total} tasks", word(&s["status"]))
        })
        .collect();
    let findings: Vec<&str> = stages()
        .flat_map(|s| s["findings"].as_array().into_iter().flatten())
        .map(|f| word(&f["kind"]))
        .collect();
    for want in &expect.stages {
        if !got.contains(want) {
            misses.push(format!("stages: expected {want}, got {got:?}"));
        }
    }
    for want in &expect.findings {
        if !findings.contains(&want.as_str()) {
            misses.push(format!("findings: expected {want}, got {findings:?}"));
        }
    }
}

/// The same fact on one line: equal, the truth within a longer line, or so much of it that nothing else can be meant.
fn same_line(got: &str, want: &str) -> bool {
    if got.is_empty() || want.is_empty() {
        return false;
    }
    got == want
        || (want.len() >= 8 && got.contains(want))
        || (want.contains(got) && (got.len() >= 80 || got.len() * 10 >= want.len() * 6))
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or("null")
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn last_name(class: &str) -> &str {
    let end = class.split(['.', '$']).next_back().unwrap_or(class);
    end.split('(').next().unwrap_or(end)
}
