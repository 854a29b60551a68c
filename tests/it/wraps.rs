//! In: the lines of a log. Out: the same log as shippers, stores, tools and people hand it on.

use serde_json::{Value, json};

/// What makes other lines of a log's lines.
pub(crate) type Wrap = fn(&[&str]) -> Vec<String>;

/// Each wrapping by its name.
pub(crate) const WRAPS: [(&str, Wrap); 52] = [
    ("Airflow", airflow),
    ("Airflow in Airflow", |log| {
        timed(log, |clock, line| {
            let time = format!("[2024-01-02 {clock},678]");
            format!(
                "{time} {{logging_mixin.py:112}} INFO - {time} {{spark_submit_hook.py:426}} INFO - {line}"
            )
        })
    }),
    ("Airflow's JSON", |log| {
        timed(log, |clock, line| {
            let at = format!("2024-01-02T{clock}.123456Z");
            json!({"timestamp": at, "level": "info", "event": line, "logger": "airflow.providers.hooks"}).to_string()
        })
    }),
    ("kubectl", |log| {
        each(log, |line| {
            format!("[pod/tide-driver/spark-kubernetes-driver] {line}")
        })
    }),
    ("kubectl with times", |log| {
        timed(log, |clock, line| {
            format!("2024-01-02T{clock}.678901234Z {line}")
        })
    }),
    ("containerd", |log| {
        timed(log, |clock, line| {
            format!("2024-01-02T{clock}.678901234Z stdout F {line}")
        })
    }),
    ("containerd, long lines cut", |log| {
        let mut out = Vec::new();
        for (i, line) in log.iter().enumerate() {
            let time = format!("2024-01-02T{}.678901234Z", clock(i));
            let chars: Vec<char> = line.chars().collect();
            let pieces: Vec<String> = chars.chunks(60).map(|c| c.iter().collect()).collect();
            let (last, before) = pieces
                .split_last()
                .map_or(("", &[][..]), |(l, b)| (l.as_str(), b));
            out.extend(
                before
                    .iter()
                    .map(|piece| format!("{time} stderr P {piece}")),
            );
            out.push(format!("{time} stderr F {last}"));
        }
        out
    }),
    ("docker compose", compose),
    ("docker compose beside another service", |log| {
        let mut out = Vec::new();
        for (i, line) in compose(log).into_iter().enumerate() {
            out.push(line);
            if i % 7 == 3 {
                let clock = clock(i);
                out.push(format!("zookeeper-1  | 2024-01-02 {clock},123 [myid:1] - INFO  [NIOWorker-{i}:Commands@223] - commands: srvr"));
            }
        }
        out
    }),
    ("docker compose in docker's JSON", |log| {
        docker(&refs(&compose(log)))
    }),
    ("docker compose beside a service that goes on", |log| {
        let mut out = compose(log);
        out.push(format!(
            "cache-1  | 1:M 02 Jan 2024 {}.678 * Background saving started",
            clock(log.len())
        ));
        out
    }),
    ("stern", |log| {
        each(log, |line| {
            format!("tide-driver spark-kubernetes-driver {line}")
        })
    }),
    ("journald", |log| {
        timed(log, |clock, line| {
            format!("Jan 02 {clock} edge01 spark-submit[4242]: {line}")
        })
    }),
    ("journalctl", |log| {
        let lines = timed(log, |clock, line| {
            format!("Jan 02 {clock} edge01.internal run_etl.sh[4242]: {line}")
        });
        between(
            "-- Logs begin at Mon 2024-01-01 00:00:00 UTC, end at Tue 2024-01-02 04:00:00 UTC. --",
            lines,
            "",
        )
    }),
    ("syslog", |log| {
        timed(log, |clock, line| {
            format!("<134>1 2024-01-02T{clock}.678Z edge01 spark 4242 - - {line}")
        })
    }),
    ("GitHub Actions", |log| {
        timed(log, |clock, line| {
            format!("2024-01-02T{clock}.6789012Z {line}")
        })
    }),
    ("GitLab", |log| {
        timed(log, |clock, line| {
            format!("2024-01-02T{clock}.678901Z 01O {line}")
        })
    }),
    ("Jenkins", |log| {
        timed(log, |clock, line| {
            format!("[2024-01-02T{clock}.678Z] {line}")
        })
    }),
    ("sbt", |log| each(log, |line| format!("[info] {line}"))),
    ("pytest", |log| each(log, |line| format!("E   {line}"))),
    ("YARN", |log| {
        let bytes: usize = log.iter().map(|line| line.len() + 1).sum();
        let heading = format!(
            "Container: container_1512_0001_01_000001 on dn7_45454\nLogType:stderr\n\
             LogLastModifiedTime:Mon Dec 24 11:48:41 +0000 2018\nLogLength:{bytes}\nLogContents:"
        );
        between(&heading, each(log, str::to_owned), "End of LogType:stderr")
    }),
    ("docker's JSON", docker),
    ("an agent's JSON", |log| {
        timed(log, |clock, line| {
            json!({"@timestamp": format!("2024-01-02T{clock}Z"), "kubernetes": {"pod_name": "tide-driver"}, "message": line})
                .to_string()
        })
    }),
    ("JSON under names of one's own", |log| {
        timed(log, |clock, line| {
            json!({"seen": clock, "payload": {"app": "tides", "row": {"text": line}}}).to_string()
        })
    }),
    ("one JSON string", |log| {
        vec![json!({"logs": log.join("\n")}).to_string()]
    }),
    ("JSON in JSON", |log| {
        let inner = json!({"error": log.join("\n")}).to_string();
        vec![json!({"id": 7, "result": inner}).to_string()]
    }),
    ("a CSV export", |log| {
        let rows = timed(log, |clock, line| {
            csv_row(&format!("2024-01-02T{clock}.678Z"), line)
        });
        between("timestamp,message", rows, "")
    }),
    ("a CSV export, newest first", |log| {
        let mut rows: Vec<String> = (0..)
            .zip(log)
            .map(|(i, line)| {
                csv_row(
                    &format!("2024-01-02 03:{:02}:{:02}.000", i / 60 % 60, i % 60),
                    line,
                )
            })
            .collect();
        rows.reverse();
        between("@timestamp,@message", rows, "")
    }),
    ("a CSV export of several columns", |log| {
        let rows = timed(log, |clock, line| {
            let cell = csv_cell(line);
            format!("\"2024-01-02T{clock}.678Z\",\"dn7\",\"{cell}\",\"tides\"")
        });
        between("Date,Host,Message,Service", rows, "")
    }),
    ("a CSV export, a record in each row", |log| {
        // What begins with a blank or a cause goes on in the row of what is before it.
        let goes_on = |line: &str| line.starts_with([' ', '\t']) || line.starts_with("Caused by: ");
        let mut rows: Vec<String> = Vec::new();
        for (i, line) in log.iter().enumerate() {
            match rows.last_mut().filter(|_| goes_on(line)) {
                Some(row) => {
                    row.push('\n');
                    row.push_str(&csv_cell(line));
                }
                None => rows.push(format!(
                    "\"2024-01-02T{}.000Z\",\"{}",
                    clock(i),
                    csv_cell(line)
                )),
            }
        }
        let rows = rows.into_iter().map(|row| format!("{row}\",\"dn7\""));
        between("\"Time\",\"Line\",\"Host\"", rows.collect(), "")
    }),
    ("JSON over several lines", |log| {
        let records = timed(log, |clock, line| {
            let text = Value::from(line);
            format!("  {{\n    \"at\": \"2024-01-02T{clock}Z\",\n    \"message\": {text}\n  }},")
        });
        between("[", records, "]")
    }),
    ("JSON in one line", |log| {
        let records: Vec<Value> = log
            .iter()
            .map(|line| json!({"timestamp": 1_704_164_645_678_u64, "message": line}))
            .collect();
        vec![Value::from(records).to_string()]
    }),
    ("Livy's answer", |log| {
        vec![json!({"id": 7, "from": 0, "total": log.len(), "log": log}).to_string()]
    }),
    ("a list as Python prints it", |log| {
        vec![format!("[{}]", each(log, in_python).join(", "))]
    }),
    ("bytes as Python prints them", |log| {
        timed(log, |clock, line| {
            let bytes = in_python(&format!("{line}\n"));
            format!("[2024-01-02, {clock} UTC] {{subprocess.py:93}} INFO - b{bytes}")
        })
    }),
    ("a web page", |log| {
        each(log, |line| {
            let line = line.replace('&', "&amp;").replace('<', "&lt;");
            format!("<p>{}</p>", line.replace('>', "&gt;"))
        })
    }),
    ("a time before each line", |log| {
        timed(log, |clock, line| format!("Jan 02 {clock} {line}"))
    }),
    ("a store's command line", |log| {
        timed(log, |clock, line| {
            format!("jobs/driver/4f2a 2024-01-02T{clock}.678000+00:00 {line}")
        })
    }),
    ("grep -n", |log| {
        (1..)
            .zip(log)
            .map(|(n, line)| format!("{n}:{line}"))
            .collect()
    }),
    ("grep -Hn", |log| {
        let numbered = (1..).zip(log);
        numbered
            .map(|(n, line)| format!("logs/driver.log:{n}:{line}"))
            .collect()
    }),
    ("cat -n", |log| {
        (1..)
            .zip(log)
            .map(|(n, line)| format!("{n:6}\t{line}"))
            .collect()
    }),
    ("quoted in a mail", |log| {
        let quoted = each(log, |line| format!("> {line}"));
        between("Hi all, the job failed again:\n", quoted, "\nthanks")
    }),
    ("a mail with its head and its end", |log| {
        let quoted = each(log, |line| format!("> {line}"));
        let head = "From: ops@shop.example\nTo: data@shop.example\nSubject: Re: nightly job\n\n\
                    On Tue, 2 Jan 2024 at 08:15, Oncall <oncall@shop.example> wrote:";
        between(head, quoted, "\nCould you have a look?\n--\nOps")
    }),
    ("numbers in a margin", |log| {
        let numbered = (1..).zip(log);
        numbered
            .map(|(n, line)| format!("{n:5} | {line}"))
            .collect()
    }),
    ("indented within a question", |log| {
        let indented = each(log, |line| format!("    {line}"));
        between("Our nightly job stopped:\n", indented, "\nThanks!")
    }),
    ("a code block", |log| {
        between(
            "The job fails with:\n\n```",
            each(log, str::to_owned),
            "```\n",
        )
    }),
    ("a box", |log| each(log, |line| format!("│ {line:<200} │"))),
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
    ("a mail about Airflow", |log| {
        let quoted = each(&refs(&airflow(log)), |line| format!("> {line}"));
        between("It failed again:", quoted, "Any idea?")
    }),
];

fn airflow(log: &[&str]) -> Vec<String> {
    timed(log, |clock, line| {
        format!("[2024-01-02, {clock} UTC] {{spark_submit.py:571}} INFO - {line}")
    })
}

fn compose(log: &[&str]) -> Vec<String> {
    each(log, |line| format!("tide-job-1  | {line}"))
}

fn docker(log: &[&str]) -> Vec<String> {
    each(log, |line| {
        let text = Value::from(format!("{line}\n"));
        format!(r#"{{"log": {text}, "stream": "stderr", "time": "2024-01-02T03:04:05.678Z"}}"#)
    })
}

fn csv_cell(line: &str) -> String {
    line.replace('"', "\"\"")
}

/// A literal of Python's.
fn in_python(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('\'', "\\'");
    format!(
        "'{}'",
        text.replace('\n', "\\n")
            .replace('\t', "\\t")
            .replace('\r', "\\r")
    )
}

fn csv_row(time: &str, line: &str) -> String {
    if line.contains([',', '"']) {
        format!("{time},\"{}\"", csv_cell(line))
    } else {
        format!("{time},{line}")
    }
}

fn each(log: &[&str], wrap: impl Fn(&str) -> String) -> Vec<String> {
    log.iter().map(|line| wrap(line)).collect()
}

/// As [`each`], with a time of the day for each line: a hundred lines a second.
fn timed(log: &[&str], wrap: impl Fn(&str, &str) -> String) -> Vec<String> {
    let numbered = log.iter().enumerate();
    numbered.map(|(i, line)| wrap(&clock(i), line)).collect()
}

fn clock(line: usize) -> String {
    let second = line / 100;
    format!("03:{:02}:{:02}", second / 60 % 60, second % 60)
}

fn between(before: &str, lines: Vec<String>, after: &str) -> Vec<String> {
    let mut all = vec![before.to_owned()];
    all.extend(lines);
    all.push(after.to_owned());
    all
}

fn refs(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).collect()
}
