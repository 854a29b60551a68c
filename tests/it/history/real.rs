//! Spark's own History Server: its list, its archives, its certificate.

use std::fs;
use std::process::Output;
use std::time::Instant;

use serde_json::Value;

use super::server::{LOGS, Server};
use crate::terminal::{DEADLINE, Home, Pty, program};

/// The program, with nothing of the machine's proxies and with temporary files in a folder that is looked into.
fn causedby(home: &Home, arguments: &[&str]) -> Output {
    let temporary = home.file("tmp");
    let _ = fs::create_dir(&temporary);
    let output = home
        .plain(program(), arguments)
        .env("TMPDIR", &temporary)
        .output()
        .expect("it starts");
    let left = fs::read_dir(&temporary).expect("a folder").count();
    assert_eq!(left, 0, "temporary files are left behind");
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn report(output: &Output) -> Value {
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn what_failed_is_listed_first_fetched_and_chosen() {
    let home = Home::new();
    let server = Server::start(&home, false);
    let address = server.address();

    // A server that has just started reads each log when it is first asked for it, and is not waited for.
    let until = Instant::now() + DEADLINE;
    let table = loop {
        let listed = causedby(&home, &[&address]);
        assert!(listed.status.success(), "{listed:?}");
        let table = text(&listed.stdout);
        if !table.contains("  ended  ") {
            break table;
        }
        assert!(Instant::now() < until, "{table}");
    };
    let rows: Vec<Vec<&str>> = table
        .lines()
        .take(3)
        .map(|l| l.split("  ").collect())
        .collect();
    assert!(
        rows[0][1].contains("failed") && rows[1][1].contains("failed"),
        "{table}"
    );
    assert!(rows[2][1].contains("no job failed"), "{table}");

    // What comes from the server is what comes from its archive, opened as a file.
    for archive in LOGS {
        let file = format!(
            "{}/tests/it/data/event_logs/{archive}",
            env!("CARGO_MANIFEST_DIR")
        );
        let mut own = report(&causedby(&home, &["report", "--format", "json", &file]));
        let id = own["spark"]["app_id"].as_str().expect("an id").to_owned();
        assert!(
            rows.iter().any(|row| row[0] == id),
            "{id} is not in {table}"
        );
        let mut fetched = report(&causedby(
            &home,
            &["report", "--format", "json", &address, &id],
        ));
        assert_eq!(fetched["outcome"], "failed");
        assert!(!fetched["stages"].as_array().expect("stages").is_empty());
        for report in [&mut own, &mut fetched] {
            rename_inputs(report);
        }
        assert_eq!(own, fetched);
    }

    let unnamed = causedby(&home, &["report", &address]);
    assert_eq!(unnamed.status.code(), Some(2));
    assert!(
        text(&unnamed.stderr).contains("which application"),
        "{unnamed:?}"
    );
    let unknown = causedby(&home, &["report", &address, "application_1_1"]);
    assert_eq!(unknown.status.code(), Some(2));
    let told = text(&unknown.stderr);
    assert!(
        told.contains("knows no application application_1_1"),
        "{told}"
    );

    let mut pty = Pty::start(home.command(program(), &[&address]));
    pty.wait_for(&["3 runs", "2 with failed jobs", rows[0][0]]);
    pty.press(&format!("/{}\r\r", rows[1][0]));
    pty.wait_for(&["FAILED", rows[1][0], "Incidents"]);
    pty.press("q");
    assert!(pty.end().success());
    assert_eq!(pty.modes_left_on(), [""; 0]);
}

/// Archives have the names that people gave them.
fn rename_inputs(report: &mut Value) {
    match report {
        Value::Object(fields) => {
            for (key, value) in fields {
                match value {
                    Value::String(text) if key == "input" || key == "name" || key == "text" => {
                        if let Some((_, member)) = text.split_once(".zip!") {
                            *text = member.to_owned();
                        }
                    }
                    _ => rename_inputs(value),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(rename_inputs),
        _ => {}
    }
}

#[test]
fn a_certificate_that_nobody_signed_is_told_and_can_be_accepted() {
    let home = Home::new();
    let server = Server::start(&home, true);
    let secure = format!("https://localhost:{}", server.tls_port);
    // With TLS, Spark sends those on who come without.
    for address in [secure, server.address()] {
        let refused = causedby(&home, &[&address]);
        let told = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2));
        assert!(
            told.contains("certificate") && told.contains("--insecure"),
            "{told}"
        );
        let accepted = causedby(&home, &["--insecure", &address]);
        assert!(
            text(&accepted.stdout).contains("job failed"),
            "{accepted:?}"
        );
        let trusted = home
            .plain(program(), &[&address])
            .env("SSL_CERT_FILE", home.file("ca.pem"))
            .output()
            .expect("it starts");
        assert!(text(&trusted.stdout).contains("job failed"), "{trusted:?}");
    }
}
