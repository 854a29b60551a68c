//! A log must read the same whatever a shipper, a mail program or an encoder wrapped it in: each wrapping
//! here is put around plain logs, and the records must be those of the plain log.

use causedby::record::{Cutter, Dress, Level, Line, RawLine, Record, is_head, logical_text};
use causedby::text::SourceId;
use proptest::prelude::*;
use std::fmt::Write as _;
use std::iter;

/// A driver's log with Python's and the JVM's traces, blank lines, brackets and a progress bar's leftovers.
const DRIVER: &str = concat!(
    "24/06/02 03:04:05 INFO SparkContext: Running Spark version 3.5.1\n",
    "24/06/02 03:04:07 WARN TaskSetManager: Lost task 3.0 in stage 1.0 (TID 7) (10.0.0.7 executor 2): ",
    "org.apache.spark.api.python.PythonException: Traceback (most recent call last):\n",
    "  File \"/jobs/tides.py\", line 31, in to_metres\n",
    "    return float(reading)\n",
    "ValueError: could not convert string to float: 'n/a'\n",
    "\n",
    "\tat org.apache.spark.api.python.BasePythonRunner$ReaderIterator.handlePythonException(PythonRunner.scala:572)\n",
    "\tat org.apache.spark.scheduler.Task.<init>(Task.scala:141)\n",
    "Caused by: java.io.IOException: [gauge = 7] <closed> & gone\n",
    "\tat org.acme.tides.Gauge.read(Gauge.java:88)\n",
    "\t... 12 more\n",
    "24/06/02 03:04:08 ERROR TaskSetManager: Task 3 in stage 1.0 failed 4 times; aborting job\n",
    "Traceback (most recent call last):\n",
    "  File \"/jobs/tides.py\", line 44, in <module>\n",
    "    main()\n",
    "py4j.protocol.Py4JJavaError: An error occurred while calling o77.count.\n",
    ": org.apache.spark.SparkException: Job aborted due to stage failure\n",
    "24/06/02 03:04:09 INFO ShutdownHookManager: Shutdown hook called"
);

/// Another layout, with a thread and a place.
const ISO: &str = concat!(
    "2024-06-02 03:04:05,678 INFO [main] tides.Gauge (Gauge.scala:open(12)): opened\n",
    "2024-06-02 03:04:06,001 ERROR [gauge reader [id = 7]] tides.Gauge (Gauge.scala:read(31)): no reading\n",
    "java.lang.IllegalStateException: dry\n",
    "\tat org.acme.tides.Gauge.read(Gauge.scala:31) ~[tides.jar:1.2]\n",
    "\tat java.base/java.lang.Thread.run(Thread.java:829)\n",
    "Caused by: java.io.EOFException\n",
    "\tat org.acme.tides.Pipe.next(Pipe.scala:9)\n",
    "\t... 2 more\n",
    "2024-06-02 03:04:06,120 INFO [main] tides.Gauge (Gauge.scala:close(40)): closed"
);

const LOGS: [&str; 2] = [DRIVER, ISO];

/// What a record says: its level, its logger, and its lines without the head.
type Said = (Option<Level>, Option<String>, Vec<String>);

fn records(log: &[u8], dress: Dress) -> Vec<Record> {
    let mut cutter = Cutter::new(SourceId(0), dress);
    let (mut out, mut start) = (Vec::new(), 0);
    for (line, bytes) in (1..).zip(log.split(|&b| b == b'\n')) {
        cutter.feed(RawLine { start, line, bytes }, &mut out);
        start += bytes.len() as u64 + 1;
    }
    cutter.finish(&mut out);
    out
}

/// The lines of a record, frames included.
fn lines_of(record: &Record) -> impl Iterator<Item = Line> {
    let lines = record.lines.iter();
    lines.flat_map(|line| iter::once(line.clone()).chain(line.frames()))
}

fn said(records: &[Record]) -> Vec<Said> {
    let mut all = Vec::new();
    for record in records {
        let mut lines: Vec<String> = lines_of(record).map(|l| l.text).collect();
        record.message().clone_into(&mut lines[0]);
        while lines.len() > 1 && lines.last().is_some_and(|l| l.trim().is_empty()) {
            lines.pop();
        }
        let head = record.head.as_ref();
        let logger = head
            .and_then(|h| h.logger.as_ref())
            .map(ToString::to_string);
        all.push((head.and_then(|h| h.level), logger, lines));
    }
    all
}

fn plain(log: &str) -> Vec<Said> {
    said(&records(log.as_bytes(), Dress::default()))
}

/// Cuts a wrapped log, and checks that each line can be derived again from its place.
fn cut(log: &str) -> Vec<Record> {
    let dress = Dress::of(log.as_bytes());
    let records = records(log.as_bytes(), dress);
    rederive(log.as_bytes(), dress, &records);
    records
}

fn rederive(log: &[u8], dress: Dress, records: &[Record]) {
    for line in records.iter().flat_map(lines_of) {
        let start = usize::try_from(line.place.start).expect("a small log");
        let bytes = &log[start..start + line.place.bytes as usize];
        assert_eq!(logical_text(bytes, line.place.part, dress), line.text);
    }
}

fn each_line(log: &str, wrap: impl Fn(&str) -> String) -> String {
    log.lines().map(wrap).collect::<Vec<_>>().join("\n")
}

fn assert_same(name: &str, wrap: impl Fn(&str) -> String) {
    for log in LOGS {
        let wrapped = wrap(log);
        assert_eq!(said(&cut(&wrapped)), plain(log), "{name}:\n{wrapped}");
    }
}

fn in_json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn as_html(text: &str) -> String {
    let text = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

#[test]
fn prefixes_of_shippers() {
    let prefixes = [
        (
            "Airflow 2",
            "[2024-06-02, 03:04:05 UTC] {spark_submit.py:571} INFO - ",
        ),
        (
            "Airflow with an offset",
            "[2024-06-02T03:04:05.678+0900] {spark_submit.py:650} INFO - ",
        ),
        ("Airflow 3", "[2024-06-02, 03:04:05] INFO - "),
        ("kubectl", "[pod/tide-driver/spark-kubernetes-driver] "),
        (
            "kubectl, two prefixes",
            "[pod/tide-driver/x] 2024-06-02T03:04:05.678901234Z ",
        ),
        ("CRI", "2024-06-02T03:04:05.678901234Z stderr F "),
        ("kubectl --timestamps", "2024-06-02T03:04:05.678901234Z "),
        ("docker compose", "tide-job_1  | "),
        ("docker compose, coloured", "\x1b[36mtide-job_1  |\x1b[0m "),
        ("journald", "Jun 02 03:04:05 edge01 spark-submit[4242]: "),
        ("GitHub Actions", "2024-06-02T03:04:05.6789012Z "),
        (
            "GitHub's program",
            "test\tRun the tides\t2024-06-02T03:04:05.6789012Z ",
        ),
        ("Jenkins", "[2024-06-02T03:04:05.678Z] "),
        ("Jenkins' clock", "03:04:05  "),
        ("sbt", "[info] "),
        ("pytest", "E   "),
        ("pytest in pytest", "E           E   "),
        ("mail", "> "),
        ("mail about mail", "> > "),
        ("stern", "tide-driver spark-kubernetes-driver "),
        (
            "Livy",
            "24/06/02 03:04:05 INFO LineBufferedStream: stdout: ",
        ),
        (
            "Spark's tests",
            "[info]   2024-06-02 03:04:05.678 - stdout> ",
        ),
        ("Markdown", "    "),
        ("indented by a tab", "\t"),
    ];
    for (name, prefix) in prefixes {
        assert_same(name, |log| each_line(log, |line| format!("{prefix}{line}")));
    }
}

#[test]
fn airflow_1_loses_the_indentation() {
    let outer = "[2024-06-02 03:04:05,678] {logging_mixin.py:112} INFO - ";
    let inner = "[2024-06-02 03:04:05,678] {{spark_submit_hook.py:426}} INFO - ";
    for log in LOGS {
        let bare = |log: &str| each_line(log, |line| line.trim_start().to_owned());
        let wrapped = each_line(&bare(log), |line| format!("{outer}{inner}{line}"));
        assert_eq!(said(&cut(&wrapped)), plain(&bare(log)));
    }
}

#[test]
fn borders_around_lines() {
    assert_same("k9s", |log| {
        // A border needs a width, which a tab has not.
        each_line(log, |line| format!("│ {line:<240} │"))
    });
    assert_same("CloudWatch's table", |log| {
        each_line(log, |line| format!("| 2024-06-02 03:04:05.678 | {line} |"))
    });
}

#[test]
fn exports() {
    assert_same("CloudWatch's CSV", |log| {
        each_line(log, |line| {
            format!("1717297445678,\"{}\"", line.replace('"', "\"\""))
        })
    });
    assert_same("docker's JSON", |log| {
        each_line(log, |line| {
            let line = in_json(&format!("{line}\n"));
            format!("{{\"log\":{line},\"stream\":\"stderr\",\"time\":\"2024-06-02T03:04:05Z\"}}")
        })
    });
    assert_same("Google's JSON", |log| {
        each_line(log, |line| {
            format!(
                "{{\"textPayload\":{},\"severity\":\"ERROR\",\"insertId\":\"x\"}}",
                in_json(line)
            )
        })
    });
    assert_same("an object over several lines", |log| {
        format!("    \"message\": {},", in_json(log))
    });
    assert_same("one JSON string", in_json);
    assert_same("a JSON string in a JSON string", |log| {
        in_json(&in_json(log))
    });
}

#[test]
fn damage() {
    assert_same("CRLF", |log| each_line(log, |line| format!("{line}\r")));
    assert_same("a byte order mark", |log| format!("\u{feff}{log}"));
    assert_same("HTML", as_html);
    assert_same("HTML in mail", |log| {
        each_line(log, |line| format!("> {}", as_html(line)))
    });
    assert_same("coloured", |log| {
        each_line(log, |line| match line.split_once(' ') {
            Some((word, rest)) => format!("\x1b[0;31m{word}\x1b[0m \x1b[38;5;241m{rest}\x1b[39m"),
            None => line.to_owned(),
        })
    });
    assert_same("coloured, without the escapes", |log| {
        each_line(log, |line| match line.split_once(' ') {
            Some((word, rest)) => format!("[0;31m{word}[0m {rest}"),
            None => line.to_owned(),
        })
    });
    assert_same("progress bars", with_bars);
}

/// Some of the lines, with the progress bar in front that was on the console.
fn with_bars(log: &str) -> String {
    let bar = "[Stage 3:=====>            (7 + 1) / 8]";
    let blank = " ".repeat(80);
    each_line(log, |line| match line.strip_prefix("24/") {
        Some(_) => format!("\r{bar}\r{bar}\r{blank}\r{line}"),
        None => line.to_owned(),
    })
}

#[test]
fn progress_bars_in_other_wrappings() {
    for prefix in [
        "    ",
        "> ",
        "tide-job_1  | ",
        "[pod/tide-driver/x] ",
        "04:30:00  ",
    ] {
        assert_same(prefix, |log| {
            with_bars(log)
                .split('\n')
                .map(|line| format!("{prefix}{line}"))
                .collect::<Vec<_>>()
                .join("\n")
        });
    }
    assert_same("one JSON string", |log| in_json(&with_bars(log)));
    assert_same("docker's JSON", |log| {
        let lines = with_bars(log);
        let lines = lines
            .split('\n')
            .map(|l| format!("{{\"log\":{}}}", in_json(l)));
        lines.collect::<Vec<_>>().join("\n")
    });
}

#[test]
fn one_wrapping_in_another() {
    let airflow = "[2024-06-02, 03:04:05 UTC] {pod_manager.py:468} INFO - [base] ";
    assert_same("Airflow in journald", |log| {
        each_line(log, |line| {
            format!("Jun 02 03:04:05 edge01 airflow[7]: {airflow}{line}")
        })
    });
    assert_same("compose in mail, with CRLF", |log| {
        each_line(log, |line| format!("> tide-job_1  | {line}\r"))
    });
    assert_same("kubectl in docker's JSON", |log| {
        each_line(log, |line| {
            format!(
                "{{\"log\":{}}}",
                in_json(&format!("[pod/tide/driver] {line}\n"))
            )
        })
    });
}

#[test]
fn a_code_block_between_prose() {
    for log in LOGS {
        let wrapped = format!("Hello,\nit fails:\n```\n{log}\n```\nAny ideas?\n");
        let said = said(&cut(&wrapped));
        let plain = plain(log);
        let from = said
            .iter()
            .position(|s| *s == plain[0])
            .expect("its first record");
        assert_eq!(said[from..from + plain.len()], plain);
    }
}

#[test]
fn logs_that_yarn_put_together() {
    let id = "container_1717290000000_0042_01_000001";
    let ruler = "=".repeat(70);
    let mut wrapped = String::new();
    for (name, log) in [("stderr", DRIVER), ("stdout", ISO)] {
        let length = log.len();
        write!(
            wrapped,
            "Container: {id} on dn7.lab.test_45454\nLogAggregationType: AGGREGATED\n{ruler}\nLogType:{name}\n\
             LogLastModifiedTime:Sun Jun 02 03:04:10 +0000 2024\nLogLength:{length}\nLogContents:\n{log}\n\
             End of LogType:{name}\n{}\n\n",
            "*".repeat(70)
        )
        .expect("a string grows");
    }
    let records = cut(&wrapped);
    for (name, log) in [("stderr", DRIVER), ("stdout", ISO)] {
        let stream = format!("{id} {name}");
        let own: Vec<_> = records
            .iter()
            .filter(|r| *r.stream == *stream)
            .cloned()
            .collect();
        assert_eq!(said(&own), plain(log), "{name}");
    }
}

#[test]
fn interleaved_streams() {
    let (mut driver, mut iso) = (DRIVER.lines(), ISO.lines());
    let mut wrapped = String::new();
    loop {
        let (a, b) = (driver.next(), iso.next());
        for (pod, line) in [("driver", a), ("exec-1", b)] {
            if let Some(line) = line {
                writeln!(wrapped, "[pod/tide-{pod}/spark] {line}").expect("a string grows");
            }
        }
        if a.is_none() && b.is_none() {
            break;
        }
    }
    let records = cut(&wrapped);
    for (pod, log) in [("driver", DRIVER), ("exec-1", ISO)] {
        let stream = format!("tide-{pod}/spark");
        let own: Vec<_> = records
            .iter()
            .filter(|r| *r.stream == *stream)
            .cloned()
            .collect();
        assert_eq!(said(&own), plain(log), "{pod}");
    }
}

#[test]
fn lines_that_containerd_cut() {
    let time = "2024-06-02T03:04:05.678901234Z stderr";
    assert_same("CRI with parts", |log| {
        each_line(log, |line| match line.char_indices().nth(20) {
            Some((at, _)) => format!("{time} P {}\n{time} F {}", &line[..at], &line[at..]),
            None => format!("{time} F {line}"),
        })
    });
}

/// Pieces of which damaged logs are made, so that chance finds their combinations.
fn shreds() -> impl Strategy<Value = Vec<u8>> {
    let known = prop::sample::select(vec![
        "24/06/02 03:04:05 ERROR Tides: ",
        "2024-06-02T03:04:05.678Z ",
        "stderr P ",
        "stdout F ",
        "> ",
        "\x1b[0;31m",
        "[0m",
        "[0;31m",
        "\r",
        "\n",
        "\\n\\tat ",
        "\\\\n\\\\tat a.B.c(",
        "\"",
        "'",
        "{\"log\":\"",
        "{\"ts\":\"2024-06-02\",\"level\":\"ERROR\",\"msg\":\"",
        "\"}",
        "[Stage 3:>  (0 + 1) / 8]",
        "\tat a.B.c(B.java:7)",
        " at a.B.d(B.java:8)",
        "&lt;init&gt;",
        "1717297445678,\"",
        "\\u00e",
        "\\",
        "Caused by: ",
        "File \"x.py\", line 1",
        "Traceback (most recent call last):",
        "[pod/a/b] ",
        "tide-job_1  | ",
        "LogType:stderr",
        "Container: container_1_2 on x",
        "```",
        "é",
        "│ ",
        "\u{feff}",
        "\u{a0}",
        " ; ",
    ]);
    let shred = prop_oneof![
        8 => known.prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..12),
    ];
    prop::collection::vec(shred, 0..40).prop_map(|shreds| shreds.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_cut_and_read_again(log in shreds()) {
        let dress = Dress::of(&log);
        for dress in [dress, Dress::default()] {
            let records = records(&log, dress);
            rederive(&log, dress, &records);
            prop_assert!(records.iter().all(|r| r.lines[0].text.is_char_boundary(r.message_at)));
            // Every line is in a record, and none is there twice.
            let mut places: Vec<_> = records.iter().flat_map(|r| &r.lines).map(|l| l.place).collect();
            let all = places.len();
            places.sort_unstable();
            places.dedup();
            prop_assert_eq!(places.len(), all);
        }
    }

    #[test]
    fn a_line_that_is_a_head_begins_a_record(log in shreds()) {
        let line: Vec<u8> = log.into_iter().filter(|&b| b != b'\n').collect();
        let before = b"24/06/02 03:04:04 ERROR Before: it\n";
        let whole = [&before[..], &line].concat();
        let records = records(&whole, Dress::default());
        let first = records.iter().find(|r| r.lines[0].place.line == 2 && r.lines[0].place.part == 0);
        if is_head(&line, Dress::default()) {
            prop_assert!(first.is_some());
        }
    }
}
