//! Recipes proven by following them: the code as the rules give it, run by real Spark, shows what it is offered for.

use serde_json::{Map, Value};
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use causedby::diagnosis::Rulebook;

use crate::spark::Spark;
use crate::terminal::Home;

/// Longer than a JVM takes to come up on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);

/// The pieces of code that a recipe gives in a language, in order.
fn code_of(recipe: &str, lang: &str) -> Vec<String> {
    let snippets = Rulebook::built_in().snippets().into_iter();
    let of_it = snippets.filter(|(id, its, _)| id == recipe && *its == lang);
    of_it.map(|(_, _, code)| code).collect()
}

fn only(recipe: &str, lang: &str) -> String {
    let mut code = code_of(recipe, lang);
    assert_eq!(code.len(), 1, "{recipe}: {code:?}");
    code.remove(0)
}

/// What was seen between two marks.
fn between<'o>(out: &'o str, name: &str, when: &str) -> &'o str {
    let mark = format!("== {name}: {when}\n");
    let (_, rest) = (out.split_once(&mark)).unwrap_or_else(|| panic!("no {mark} in {out}"));
    rest.split("\n== ").next().unwrap_or(rest)
}

#[test]
fn traces_and_profiles_show_what_the_recipes_promise() {
    let (spark, home) = (Spark::version("4.1.4"), Home::new());
    let mut code = Map::new();
    for recipe in ["full-worker-trace", "jvm-trace", "worker-crash-trace"] {
        code.insert(recipe.to_owned(), only(recipe, "python").into());
    }
    let profilers = code_of("profile-worker", "python");
    for (name, profiler) in ["perf", "memory"].into_iter().zip(profilers) {
        code.insert(format!("profile-worker {name}"), profiler.into());
    }
    let job = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recipes/job.py");
    let mut child = spark
        .job(&home, &job)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("Python starts");
    let mut stdin = child.stdin.take().expect("piped");
    let code = Value::Object(code).to_string();
    stdin.write_all(code.as_bytes()).expect("the job reads");
    drop(stdin);
    let output = child.wait_with_output().expect("the job ends");
    let out = String::from_utf8_lossy(&output.stdout);
    for (name, sign) in [
        ("full-worker-trace", "pyspark/worker.py"),
        ("jvm-trace", "JVM stacktrace"),
        ("worker-crash-trace", "in crashing"),
        ("profile-worker perf", "Profile of UDF<id="),
        ("profile-worker memory", "Mem usage"),
    ] {
        assert!(
            !between(&out, name, "before").contains(sign),
            "{name}: {out}"
        );
        assert!(between(&out, name, "after").contains(sign), "{name}: {out}");
    }
}

#[test]
fn a_worker_comes_to_the_debugger_that_waits_for_it() {
    let (spark, home) = (Spark::version("4.1.4"), Home::new());
    let debugger = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = debugger.local_addr().expect("bound").port();
    let [write, submit] = code_of("debug-worker", "shell")
        .into_iter()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .expect("the client is installed, the module written, the job submitted");
    fs::write(
        home.file("job.py"),
        "from pyspark.sql import SparkSession, functions as F\n\
         spark = SparkSession.builder.getOrCreate()\n\
         spark.range(1).select(F.udf(lambda n: n)('id')).collect()\n",
    )
    .expect("written");
    let script = format!("set -e\n{write}\nexec {submit}")
        .replace("<address of your machine>", "127.0.0.1")
        .replace("port=12345", &format!("port={port}"))
        .replace("<application>", "job.py");
    let mut child = spark
        .shell(&home, &script)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell starts");
    debugger.set_nonblocking(true).expect("a socket");
    let end = Instant::now() + PATIENCE;
    let came = loop {
        if debugger.accept().is_ok() {
            break true;
        }
        if Instant::now() > end || child.try_wait().expect("a child").is_some() {
            break false;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let _ = child.kill();
    let mut said = String::new();
    let _ = child
        .stderr
        .take()
        .map(|mut err| err.read_to_string(&mut said));
    let _ = child.wait();
    assert!(came, "no worker came: {said}");
}
