//! Fixes proven by running them: a job that fails on real Spark, the fix as the program's own report of its log gives it,
//! the job that then ends well. `tests/fixes/proofs.toml` lists them.

use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use causedby::diagnosis::Rulebook;

use crate::spark::Spark;
use crate::terminal::Home;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Proofs {
    proof: Vec<Proof>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Proof {
    job: String,
    rule: String,
    steps: Vec<usize>,
    #[serde(default)]
    settings: BTreeMap<String, String>,
    #[serde(default)]
    submit: bool,
}

/// How a job ended, and its part of the log.
#[derive(Debug)]
struct Ran {
    ok: bool,
    log: PathBuf,
}

/// A job about to run: its file and what it is submitted with.
#[derive(Debug, Clone)]
struct Submitted {
    name: String,
    file: PathBuf,
    settings: BTreeMap<String, String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixes")
}

/// Runs jobs on one JVM; `options` are spark-submit's own.
fn run(spark: &Spark, home: &Home, out: &Path, jobs: &[Submitted], options: &str) -> Vec<Ran> {
    fs::create_dir_all(out).expect("a folder for logs");
    let log = out.join("log");
    File::create(&log).expect("a log");
    let append = || OpenOptions::new().append(true).open(&log).expect("the log");
    let ends = out.join("ends");
    let mut child: Command = spark.job(home, &folder().join("run.py"));
    let arguments = format!(
        "--master local[2] --conf spark.ui.enabled=false --conf spark.driver.bindAddress=127.0.0.1 \
         --conf spark.driver.host=127.0.0.1 --conf spark.sql.shuffle.partitions=2 {options} pyspark-shell"
    );
    let mut child = child
        .arg(&ends)
        .env("PYSPARK_SUBMIT_ARGS", arguments)
        .stdin(Stdio::piped())
        .stdout(append())
        .stderr(append())
        .spawn()
        .expect("Python starts");
    let list: Vec<Value> = jobs
        .iter()
        .map(|job| json!({ "name": job.name, "file": job.file, "settings": job.settings }))
        .collect();
    let mut stdin = child.stdin.take().expect("piped");
    stdin
        .write_all(Value::from(list).to_string().as_bytes())
        .expect("the runner reads");
    drop(stdin);
    child.wait().expect("the runner ends");
    let text = fs::read(&log).expect("the log");
    // Where the JVM itself does not come up, there is no line about any job, and the whole log is the job's.
    let told = fs::read_to_string(&ends).unwrap_or_default();
    let mut ran: Vec<Ran> = Vec::new();
    for line in told.lines() {
        let end: Value = serde_json::from_str(line).expect("the runner writes JSON");
        let name = end["name"].as_str().expect("a name");
        let at =
            |key: &str| usize::try_from(end[key].as_u64().expect("a number")).expect("a length");
        let part = out.join(format!("{name}.log"));
        fs::write(&part, &text[at("begin")..at("end")]).expect("a part of the log");
        ran.push(Ran {
            ok: end["ok"] == true,
            log: part,
        });
    }
    if ran.is_empty() {
        ran.push(Ran {
            ok: false,
            log: log.clone(),
        });
    }
    assert_eq!(ran.len(), jobs.len(), "{}", String::from_utf8_lossy(&text));
    ran
}

/// The `fix` steps of the first fix that the program suggests for a log, the rule's id in front.
fn suggested(log: &Path) -> (String, Vec<Value>) {
    let output = Command::new(env!("CARGO_BIN_EXE_causedby"))
        .args(["report", "--format", "json"])
        .arg(log)
        .output()
        .expect("causedby runs");
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    let fix = &report["incidents"][0]["fixes"][0];
    let steps = fix["steps"].as_array().cloned().unwrap_or_default();
    (
        fix["rule"].as_str().unwrap_or("no rule").to_owned(),
        steps.into_iter().filter(|s| s["kind"] == "fix").collect(),
    )
}

/// Applies a step to a job as its form says; an error says why it cannot be.
fn apply(step: &Value, job: &mut Submitted) -> Result<(), String> {
    let code = step["code"].as_str().ok_or("it has no code")?;
    let lines = || {
        let text = fs::read_to_string(&job.file).expect("the job");
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    if let Some(line) = step["replaces"]["line"].as_u64() {
        let mut lines = lines();
        let at = usize::try_from(line).expect("a line") - 1;
        let old = lines.get(at).ok_or("there is no such line")?;
        let indent = old[..old.len() - old.trim_start().len()].to_owned();
        let new: Vec<String> = code.lines().map(|l| format!("{indent}{l}")).collect();
        lines.splice(at..=at, new);
        return write_job(job, &lines);
    }
    match step["lang"].as_str() {
        Some("conf") => {
            for line in code.lines() {
                let (key, value) = line.split_once(['=', ' ']).ok_or("no value")?;
                if value.contains('<') {
                    return Err(format!("{key} is left open"));
                }
                job.settings.insert(key.to_owned(), value.to_owned());
            }
            Ok(())
        }
        Some("shell") if code.contains("spark-submit") => submit_options(code, job),
        Some("shell") => {
            let folder = job.file.parent().expect("a folder");
            let done = Command::new("bash")
                .args(["-c", code])
                .current_dir(folder)
                .output();
            let done = done.expect("bash runs");
            done.status
                .success()
                .then_some(())
                .ok_or(format!("{done:?}"))
        }
        Some("python") if code.lines().all(|line| line.starts_with("spark.conf.set(")) => {
            let mut lines = lines();
            let made = |line: &String| line.trim_start().starts_with("spark = ");
            let at = lines.iter().position(made).ok_or("no session is made")?;
            let indent = " ".repeat(lines[at].len() - lines[at].trim_start().len());
            let new: Vec<String> = code.lines().map(|l| format!("{indent}{l}")).collect();
            let rest = lines.split_off(at + 1);
            lines.extend(new);
            lines.extend(rest);
            write_job(job, &lines)
        }
        _ => Err("it does not say where it goes".to_owned()),
    }
}

fn write_job(job: &Submitted, lines: &[String]) -> Result<(), String> {
    fs::write(&job.file, lines.join("\n") + "\n").map_err(|e| e.to_string())
}

/// The options of a spark-submit command as the settings that they stand for.
fn submit_options(code: &str, job: &mut Submitted) -> Result<(), String> {
    let mut words = code.split_whitespace().map(|word| word.trim_matches('"'));
    while let Some(word) = words.next() {
        let key = match word {
            "--conf" => {
                let (key, value) = words
                    .next()
                    .and_then(|w| w.split_once('='))
                    .ok_or("--conf")?;
                job.settings.insert(key.to_owned(), value.to_owned());
                continue;
            }
            "--driver-memory" => "spark.driver.memory",
            "--py-files" => {
                let file = words.next().ok_or("--py-files")?;
                let file = job.file.with_file_name(file).display().to_string();
                job.settings.insert("spark.submit.pyFiles".to_owned(), file);
                continue;
            }
            _ if word.starts_with("--") => return Err(format!("{word} is new here")),
            _ => continue,
        };
        let value = words.next().ok_or("an option without its value")?;
        job.settings.insert(key.to_owned(), value.to_owned());
    }
    Ok(())
}

/// The jobs in a folder of their own each, as they are before any fix.
fn submitted(proof: &Proof, out: &Path, port: u16) -> Submitted {
    let own = out.join("jobs").join(&proof.job);
    fs::create_dir_all(&own).expect("a folder for the job");
    for name in [format!("{}.py", proof.job), "price_rules.py".to_owned()] {
        fs::copy(folder().join("jobs").join(&name), own.join(&name)).expect("the job");
    }
    let settings = proof.settings.iter();
    Submitted {
        name: proof.job.clone(),
        file: own.join(format!("{}.py", proof.job)),
        settings: settings
            .map(|(key, value)| (key.clone(), value.replace("@port", &port.to_string())))
            .collect(),
    }
}

/// What of the settings is read when the JVM starts, as options of spark-submit.
fn options(job: &Submitted) -> String {
    let mut options = String::new();
    for (key, value) in &job.settings {
        if key == "spark.driver.memory" {
            let _ = write!(options, "--driver-memory {value} ");
        } else {
            let _ = write!(options, "--conf {key}={value} ");
        }
    }
    options
}

/// Applies what the report of the failing run says; the job that should end well, or what was wrong.
fn fixed(proof: &Proof, job: &Submitted, failed: &Ran) -> Result<Submitted, String> {
    if failed.ok {
        return Err("it does not fail".to_owned());
    }
    let (rule, steps) = suggested(&failed.log);
    if rule != proof.rule {
        let log = fs::read_to_string(&failed.log).unwrap_or_default();
        return Err(format!(
            "the fix is by {rule}, not by {}\n{log:.4000}",
            proof.rule
        ));
    }
    let mut job = job.clone();
    for number in &proof.steps {
        let step = steps
            .get(number - 1)
            .ok_or(format!("{} steps only", steps.len()))?;
        apply(step, &mut job).map_err(|e| format!("step {number}: {e}: {step:#}"))?;
    }
    Ok(job)
}

#[test]
fn jobs_end_well_after_the_suggested_fix() {
    let spark = Spark::version("4.1.4");
    let home = Home::new();
    let work = tempfile::tempdir().expect("a folder");
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("bound").port();
    let text = fs::read_to_string(folder().join("proofs.toml")).expect("the list");
    let proofs: Proofs = toml::from_str(&text).expect("a list of proofs");
    assert!(proofs.proof.len() >= 15, "{} proofs", proofs.proof.len());
    let only = std::env::var("CAUSEDBY_PROOF").ok();
    let wanted = |proof: &&Proof| only.as_ref().is_none_or(|name| *name == proof.job);
    let (alone, together): (Vec<&Proof>, Vec<&Proof>) = proofs
        .proof
        .iter()
        .filter(wanted)
        .partition(|proof| proof.submit);
    let groups = std::iter::once(together).chain(alone.into_iter().map(|proof| vec![proof]));
    let mut wrong = String::new();
    for (number, group) in groups.filter(|group| !group.is_empty()).enumerate() {
        let out = work.path().join(number.to_string());
        let jobs: Vec<Submitted> = group.iter().map(|p| submitted(p, &out, port)).collect();
        let start = |jobs: &[Submitted]| match jobs {
            [job] if group[0].submit => options(job),
            _ => "--driver-memory 512m".to_owned(),
        };
        let failed = run(&spark, &home, &out.join("failing"), &jobs, &start(&jobs));
        let mut again = Vec::new();
        for ((proof, job), failed) in group.iter().zip(&jobs).zip(&failed) {
            match fixed(proof, job, failed) {
                Ok(job) => again.push(job),
                Err(why) => {
                    let _ = writeln!(wrong, "{}: {why}", proof.job);
                }
            }
        }
        if again.is_empty() {
            continue;
        }
        let ended = run(&spark, &home, &out.join("fixed"), &again, &start(&again));
        for (job, ran) in again.iter().zip(&ended).filter(|(_, ran)| !ran.ok) {
            let log = fs::read_to_string(&ran.log).unwrap_or_default();
            let source = fs::read_to_string(&job.file).unwrap_or_default();
            let _ = writeln!(
                wrong,
                "{}: fails after the fix, with {:?} and\n{source}\n{log:.6000}",
                job.name, job.settings
            );
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Steps whose SQL is not Spark's: a table format's, a database's.
const FOREIGN: [&str; 2] = ["store-throttles fix", "database-overloaded guard"];

/// What is open in a snippet stands in angle brackets; Spark's parser takes any name there.
const PARSE: &str = r#"
import json, re
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
parser = spark._jsparkSession.sessionState().sqlParser()
for at, text in json.load(open("sql.json")):
    text = re.sub("^(EXPLAIN )?<[^>]*>", r"\1SELECT 1", text)
    for statement in re.sub("<[^>]*>", "open", text).split(";"):
        if statement.strip():
            try:
                parser.parsePlan(statement)
            except Exception as error:
                print("REFUSED", at, statement, error)
print("PARSED")
"#;

#[test]
fn sql_in_the_rules_parses() {
    let home = Home::new();
    let snippets: Vec<(String, String)> = Rulebook::built_in()
        .snippets()
        .into_iter()
        .filter(|(at, lang, _)| *lang == "sql" && !FOREIGN.contains(&at.as_str()))
        .map(|(at, _, code)| (at, code))
        .collect();
    assert!(snippets.len() >= 10, "{snippets:?}");
    let list = serde_json::to_string(&snippets).expect("strings");
    fs::write(home.file("sql.json"), list).expect("written");
    fs::write(home.file("parse.py"), PARSE).expect("written");
    let output = Spark::version("4.1.4")
        .job(&home, &home.file("parse.py"))
        .output()
        .expect("Python starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let failed = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said.trim(), "PARSED", "{failed}");
}

/// Scala's own parser, without anything behind it: what is not there to be resolved does not matter.
#[test]
fn scala_in_the_rules_parses() {
    let home = Home::new();
    let snippets: Vec<(String, String)> = Rulebook::built_in()
        .snippets()
        .into_iter()
        .filter(|(_, lang, _)| *lang == "scala")
        .map(|(at, _, code)| (at, code))
        .collect();
    assert!(!snippets.is_empty());
    let mut files = Vec::new();
    for (number, (at, code)) in snippets.iter().enumerate() {
        let file = home.file(&format!("snippet{number}.scala"));
        let text = format!("// {at}\nobject Snippet{number} {{\n{code}\n}}\n");
        fs::write(&file, text).expect("written");
        files.push(file);
    }
    let wrong = home.file("wrong.scala");
    fs::write(&wrong, "object Wrong { val = }\n").expect("written");
    let parse = |files: &[PathBuf]| {
        let output = Spark::version("4.1.4")
            .java(&home)
            .args(["scala.tools.nsc.Main", "-usejavacp", "-Ystop-after:parser"])
            .args(files)
            .output()
            .expect("Java starts");
        let said = [output.stdout, output.stderr].concat();
        (
            output.status.success(),
            String::from_utf8_lossy(&said).into_owned(),
        )
    };
    let (good, said) = parse(&files);
    assert!(good && !said.contains("error"), "{said}");
    assert!(!parse(&[wrong]).0, "what does not parse is refused");
}
