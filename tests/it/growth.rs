//! In: hostile logs, each also four times as long. Out: they take about four times the time, on whatever floor they press: what
//! grows with the square of the input takes sixteen times.

use std::fmt::Write as _;
use std::fs;

use causedby::load::{self, Options};
use causedby::report::{self, Format, Manner};
use causedby::source::Sources;

/// Times as much of it, and how many times the time that may take: in between four and sixteen, nearer to four.
const TIMES: usize = 4;
const MOST: u64 = 9;
/// Below that, in nanoseconds, a time says nothing.
const LEAST: u64 = 60_000_000;

/// Nanoseconds that this thread was on a processor, however busy the machine is.
fn spent() -> u64 {
    let told = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux tells");
    let first = told.split(' ').next().and_then(|n| n.parse().ok());
    first.expect("a number")
}

/// What it takes to read a log and to tell it in every form.
fn cost(log: &str) -> u64 {
    let before = spent();
    let mut sources = Sources::default();
    sources.add_memory("driver.log", log.as_bytes().to_vec());
    let options = Options {
        threads: 1,
        ..Options::default()
    };
    let case = load::load(sources, &options);
    let all = Manner {
        all: true,
        ..Manner::default()
    };
    for format in [Format::Text, Format::Markdown, Format::Json] {
        report::render(&case, format, all);
    }
    spent() - before
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

/// A number in letters: what differs in numbers only is taken for the same.
fn word(n: usize) -> String {
    n.to_string()
        .bytes()
        .map(|digit| char::from(digit - b'0' + b'a'))
        .collect()
}

const HEAD: &str = "24/01/02 03:04:05";
const START: &str = "{\"Event\":\"SparkListenerLogStart\",\"Spark Version\":\"3.5.1\"}\n";

/// A log that presses on something, made of so many pieces; and how many are enough to be measured.
type Shape = (&'static str, usize, fn(usize) -> String);

const SHAPES: &[Shape] = &[
    ("causes", 2_000, |n| {
        lines(n, |i| {
            format!(
                "Caused by: a.b.C{}: m{i}\n\tat x.Y.z(Y.java:{i})\n",
                word(i)
            )
        })
    }),
    ("suppressed", 400, |n| {
        lines(n, |i| {
            format!(
                "{0}Suppressed: a.b.C: m\n{0}\tat x.Y.z(Y.java:1)\n",
                "\t".repeat(i % 200)
            )
        })
    }),
    ("frames", 10_000, |n| {
        "java.lang.Error: x\n".to_owned() + &lines(n, |i| format!("\tat x.Y{i}.z(Y.java:{i})\n"))
    }),
    ("python frames", 5_000, |n| {
        "Traceback (most recent call last):\n".to_owned()
            + &lines(n, |i| {
                format!("  File \"a{i}.py\", line {i}, in f{i}\n    g()\n")
            })
            + "RecursionError: x\n"
    }),
    ("python chains", 1_000, |n| {
        lines(n, |i| {
            format!(
                "Traceback (most recent call last):\n  File \"a.py\", line {i}, in f\n    g()\nValueError: v{i}\n\nDuring handling of the above exception, another exception occurred:\n\n"
            )
        })
    }),
    ("literals in a line", 20_000, |n| {
        // Each opens a list, and none closes.
        let list = lines(n, |i| format!(" ['a{i}', b'b\\n' ,"));
        format!(
            "{HEAD} ERROR J: a.b.CException: {list}\n{HEAD} ERROR J: {}{}\n",
            " b'' x".repeat(n),
            " ".repeat(n)
        )
    }),
    ("cells", 20_000, |n| {
        let rows = lines(n, |i| {
            format!(
                "{i},\"{HEAD} ERROR J: a.b.C{}Exception: \"\"x\"\",\n\tat a.B.c(B.java:1)\",h\n",
                word(i % 50)
            )
        });
        format!("at,said,host\n{rows}{},\"{}", 7, "\"\"".repeat(n))
    }),
    ("tags", 20_000, |n| {
        lines(n, |i| {
            format!("<p>{HEAD} ERROR J: a.b.CException: x{i}</p>\n")
        }) + "<p>"
            + &"<br><b".repeat(n)
    }),
    ("printed members", 10_000, |n| {
        lines(n, |i| {
            format!(
                "{{\n  \"at\": {i},\n  \"message\": \"{HEAD} ERROR J: a.b.C{}Exception: x\"\n}},\n",
                word(i % 50)
            )
        })
    }),
    ("distinct failures", 1_000, |n| {
        lines(n, |i| {
            format!(
                "{HEAD} ERROR J: f\ncom.acme.{}Exception: boom {}\n\tat com.acme.F.run(F.java:{i})\n",
                word(i).to_uppercase(),
                word(i)
            )
        })
    }),
    ("lost tasks", 2_000, |n| {
        lines(n, |i| {
            format!(
                "{HEAD} WARN TaskSetManager: Lost task {i}.0 in stage {}.0 (TID {i}) (h{i} executor {i}): a.B{}Exception: a{}\n",
                i % 90,
                word(i % 500),
                word(i)
            )
        })
    }),
    ("failed stages", 2_000, |n| {
        lines(n, |i| {
            format!(
                "{HEAD} INFO DAGScheduler: ResultStage {i} (count at x.py:{i}) failed in 1.2 s due to boom {}\n",
                word(i)
            )
        })
    }),
    ("lost executors", 2_000, |n| {
        lines(n, |i| {
            format!(
                "{HEAD} ERROR TaskSchedulerImpl: Lost executor {i} on h{i}: Container killed {}\n",
                word(i)
            )
        })
    }),
    ("services", 2_000, |n| {
        lines(n, |i| {
            format!("svc{i} | {HEAD} ERROR X: boom\nsvc{i} | a.b.CException: x\n")
        })
    }),
    ("threads", 4_000, |n| {
        lines(n, |i| {
            format!("{HEAD} ERROR [thread-{i}] X: boom {}\n", word(i))
        })
    }),
    ("shippers", 3_000, |n| {
        lines(n, |i| match i % 4 {
            0 => format!("2024-01-02T03:04:05.1Z stderr F {HEAD} ERROR X: y\n"),
            1 => format!("pod-{i} container {HEAD} ERROR X: y\n"),
            2 => format!("{{\"log\":\"{HEAD} ERROR X: y{i}\\n\",\"stream\":\"stderr\"}}\n"),
            _ => format!("Jan  2 03:04:05 host app[{i}]: {HEAD} ERROR X: y\n"),
        })
    }),
    ("indentation", 400, |n| {
        lines(n, |i| {
            format!("{}at a.b.c(D.java:{i})\n", " ".repeat(i % 300))
        })
    }),
    ("one long line", 10_000, |n| {
        format!("{HEAD} ERROR X: {}\n", "a.b.CException: x ".repeat(n))
    }),
    ("escaped line ends", 3_000, |n| {
        format!(
            "{HEAD} ERROR X: a.b.CException: x{}\n",
            "\\n\\tat a.b.C.d(E.java:1)".repeat(n)
        )
    }),
    ("backslashes", 100_000, |n| {
        format!("{HEAD} ERROR X: {}n\n", "\\".repeat(n))
    }),
    ("quotes", 100_000, |n| {
        format!("{HEAD} ERROR X: {}\n", "\"".repeat(n))
    }),
    ("brackets", 100_000, |n| {
        format!("{HEAD} ERROR X: {}\n", "(".repeat(n))
    }),
    ("returns", 5_000, |n| {
        "[Stage 1:>   (0 + 1) / 1]\r".repeat(n) + "java.lang.Error: x\n"
    }),
    ("secrets", 1_000, |n| {
        format!(
            "{HEAD} ERROR X: {}\n",
            "password=hunter22 https://u:secret@h/ ".repeat(n)
        )
    }),
    ("half a secret", 10_000, |n| {
        format!("{HEAD} ERROR X: {}\n", "password=".repeat(n))
    }),
    ("keys", 2_000, |n| {
        "-----BEGIN PRIVATE KEY-----\nAAAABBBBCCCCDDDD\n".repeat(n)
    }),
    ("base64", 100_000, |n| {
        format!("{HEAD} ERROR X: {}\n", "QUJD".repeat(n))
    }),
    ("columns", 3_000, |n| {
        format!(
            "{HEAD} ERROR X: org.apache.spark.sql.AnalysisException: [UNRESOLVED_COLUMN.WITH_SUGGESTION] A column, variable, or function parameter with name `x` cannot be resolved. Did you mean one of the following? [{}].\n",
            lines(n, |i| format!("`c{i}`, "))
        )
    }),
    ("a plan", 2_000, |n| {
        format!(
            "{HEAD} INFO X: == Physical Plan ==\n{}{HEAD} ERROR J: f\njava.lang.Error: x\n",
            lines(n, |i| format!(
                "{}+- Project [a#{i}]\n",
                " ".repeat(i % 300)
            ))
        )
    }),
    ("wrapped lines", 1_000, |n| {
        let text =
            format!("{HEAD} ERROR J: failed with a long message and java.io.IOException: gone ")
                .repeat(n);
        text.as_bytes()
            .chunks(80)
            .map(|line| String::from_utf8_lossy(line) + "\n")
            .collect()
    }),
    ("marks", 30_000, |n| {
        format!("{HEAD} ERROR X: a.b.CException: {}\n", "\u{301}".repeat(n))
    }),
    ("event log executors", 2_000, |n| {
        START.to_owned()
            + &lines(n, |i| {
                format!(
                    "{{\"Event\":\"SparkListenerExecutorAdded\",\"Timestamp\":{i},\"Executor ID\":\"{i}\",\"Executor Info\":{{\"Host\":\"h{i}\",\"Total Cores\":1,\"Log Urls\":{{}}}}}}\n{{\"Event\":\"SparkListenerExecutorRemoved\",\"Timestamp\":{i},\"Executor ID\":\"{i}\",\"Removed Reason\":\"r{}\"}}\n",
                    word(i)
                )
            })
    }),
    ("event log failures", 1_000, |n| {
        START.to_owned()
            + &lines(n, |i| {
                format!(
                    "{{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":{i},\"Stage Attempt ID\":0,\"Task Type\":\"ResultTask\",\"Task End Reason\":{{\"Reason\":\"ExceptionFailure\",\"Class Name\":\"a.B{0}\",\"Description\":\"d{0}\",\"Stack Trace\":[],\"Full Stack Trace\":\"a.B: d\\n\\tat x\"}},\"Task Info\":{{\"Task ID\":{i},\"Index\":{i},\"Attempt\":0,\"Launch Time\":1,\"Executor ID\":\"{i}\",\"Host\":\"h{i}\",\"Finish Time\":2,\"Failed\":true,\"Killed\":false}}}}\n",
                    word(i)
                )
            })
    }),
    ("event log queries", 500, |n| {
        START.to_owned()
            + &lines(n, |i| {
                format!(
                    "{{\"Event\":\"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart\",\"executionId\":{i},\"description\":\"d\",\"details\":\"x\",\"physicalPlanDescription\":\"== Physical Plan ==\\n* Project (1)\\n\",\"sparkPlanInfo\":{{\"nodeName\":\"P\",\"simpleString\":\"P\",\"children\":[],\"metadata\":{{}},\"metrics\":[]}},\"time\":{i}}}\n{{\"Event\":\"SparkListenerJobStart\",\"Job ID\":{i},\"Submission Time\":1,\"Stage Infos\":[{{\"Stage ID\":{i},\"Stage Attempt ID\":0,\"Stage Name\":\"s\",\"Number of Tasks\":4}}],\"Stage IDs\":[{i}],\"Properties\":{{\"spark.sql.execution.id\":\"{i}\"}}}}\n{{\"Event\":\"SparkListenerJobEnd\",\"Job ID\":{i},\"Completion Time\":4,\"Job Result\":{{\"Result\":\"JobFailed\",\"Exception\":{{\"Message\":\"m{}\",\"Stack Trace\":[]}}}}}}\n",
                    word(i)
                )
            })
    }),
];

#[test]
fn four_times_the_log_takes_about_four_times_the_time() {
    // What is compiled on first use is not the log's.
    cost(&lines(50, |i| {
        format!("{HEAD} ERROR J: f\na.B{}Exception: x\n", word(i))
    }));
    let mut slow = String::new();
    for (name, pieces, log) in SHAPES {
        let (small, large) = (log(*pieces), log(pieces * TIMES));
        // Once more where it looks slow: other threads of the tests may have had the caches.
        let ratios = || {
            let (once, more) = (cost(&small), cost(&large));
            println!(
                "{name}: {} ms, {TIMES} times of it {} ms",
                once / 1_000_000,
                more / 1_000_000
            );
            more > LEAST && more > once.max(LEAST / MOST) * MOST
        };
        if ratios() && ratios() && ratios() {
            let _ = writeln!(slow, "{name}");
        }
    }
    assert!(slow.is_empty(), "these grow faster than their log:\n{slow}");
}
