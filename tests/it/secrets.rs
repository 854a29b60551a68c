//! In: logs with secrets in them. Out: none of them in what leaves, all of them for who asks, and the root as it was.

use std::fs;
use std::process::Stdio;

use serde_json::Value;

use crate::terminal::{Home, Pty, clipboard_writes, program};

/// A failure whose root, chain, frames and settings hold secrets, each of another kind.
const LOG: &str = "24/01/02 03:04:05 INFO SparkContext: Running Spark version 3.5.1\n\
24/01/02 03:04:06 ERROR Job: failed for https://etl:SECRET1@git.shop.example/jobs\n\
org.apache.spark.SparkException: cannot write to jdbc:postgresql://db1/shop?user=etl&password=SECRET2&ssl=true\n\
\tat com.acme.Job$.main(Job.scala:12)\n\
Caused by: java.io.IOException: 403 for application_1704164645000_0007, Authorization: Bearer SECRET3abcdefgh0123456789\n\
\tat com.acme.Sink.write(Sink.scala:3)\n\
Traceback (most recent call last):\n\
\x20 File \"/srv/jobs/load.py\", line 7, in <module>\n\
\x20   connect(host=\"db1\", password=\"SECRET4\")\n\
ValueError: bad url abfss://a@shop.dfs.core.windows.net/x?sv=1&sig=SECRET5abcdefgh0123456789%3D\n\
24/01/02 03:04:07 INFO ApplicationMaster: Final app status: FAILED, exitCode: 1\n";

fn told(home: &Home, arguments: &[&str]) -> String {
    let mut command = home.plain(program(), arguments);
    let output = command.stdin(Stdio::null()).output().expect("it starts");
    assert!(
        output.status.code().is_some_and(|code| code < 2),
        "{output:?}"
    );
    String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8")
}

fn log(home: &Home) -> String {
    let path = home.file("driver.log");
    fs::write(&path, LOG).expect("a log");
    path.display().to_string()
}

#[test]
fn no_report_holds_a_secret_and_each_says_how_many_it_left_out() {
    let home = Home::new();
    let path = log(&home);
    for form in ["text", "json", "markdown"] {
        let masked = told(&home, &["report", "--all", "--format", form, &path]);
        assert!(!masked.contains("SECRET"), "{form}: {masked}");
        assert!(
            masked.contains("‹masked›") && masked.to_lowercase().contains("masked"),
            "{masked}"
        );
        assert!(
            masked.contains("application_1704164645000_0007"),
            "{masked}"
        );
        let shown = told(
            &home,
            &["report", "--all", "--show-secrets", "--format", form, &path],
        );
        assert!(
            shown.contains("SECRET3") && !shown.contains("‹masked›"),
            "{shown}"
        );
    }
    let json: Value =
        serde_json::from_str(&told(&home, &["report", "--format", "json", &path])).expect("JSON");
    assert!(json["masked"].as_u64().is_some_and(|n| n >= 3), "{json}");
    let text = told(&home, &["report", &path]);
    assert!(
        text.contains("× password") && text.contains("--show-secrets"),
        "{text}"
    );
    assert!(!told(&home, &["root", &path]).contains("SECRET"));
}

#[test]
fn the_line_of_the_root_is_the_same_but_for_what_is_masked() {
    let home = Home::new();
    let path = log(&home);
    let masked = told(&home, &["root", &path]);
    let shown = told(&home, &["root", "--show-secrets", &path]);
    let (before, after) = masked.split_once("‹masked›").expect("a mark");
    assert!(
        shown.starts_with(before) && shown.ends_with(after.rsplit('›').next().unwrap_or("")),
        "{shown}"
    );
}

#[test]
fn addresses_are_masked_where_that_is_asked_for() {
    let home = Home::new();
    let path = home.file("driver.log");
    fs::write(
        &path,
        "java.lang.IllegalStateException: ask jane.doe@shop.example\n\tat a.B.c(B.java:1)\n",
    )
    .expect("a log");
    let path = path.display().to_string();
    assert!(told(&home, &["report", &path]).contains("jane.doe@shop.example"));
    assert!(!told(&home, &["report", "--mask-emails", &path]).contains("jane.doe"));
}

#[test]
fn a_message_that_quotes_a_secret_masks_it() {
    let home = Home::new();
    let mut command = home.plain(program(), &["report", "/none/password=SECRET6"]);
    let output = command.stdin(Stdio::null()).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("‹masked›") && !said.contains("SECRET6"),
        "{said}"
    );
}

#[test]
fn a_raw_copy_holds_what_stands_in_the_file_but_no_secret_and_nothing_of_it_reaches_the_screen() {
    let home = Home::new();
    let raw = "\x1b[7;41m\x1b]0;OWNED\x07";
    let log = format!(
        "24/01/02 03:04:05 ERROR Job: failed\njava.lang.IllegalStateException: no {raw} password=SECRET7 table\n\
         \tat com.acme.Job$.main(Job.scala:12)\n"
    );
    fs::write(home.file("driver.log"), log).expect("a log");
    let mut pty = Pty::start(home.command(program(), &["--clipboard", "osc52", "driver.log"]));
    pty.wait_for(&["IllegalStateException"]);
    pty.press("Y8");
    pty.wait_until("a copy", |pty| !clipboard_writes(&pty.bytes()).is_empty());
    let copies = clipboard_writes(&pty.bytes());
    let copy = &copies[0];
    assert!(
        copy.contains(raw) && copy.contains("\tat com.acme"),
        "{copy:?}"
    );
    assert!(
        copy.contains("‹masked›") && !copy.contains("SECRET7"),
        "{copy:?}"
    );
    pty.wait_for(&["raw: "]);
    pty.press("q");
    pty.end();
    let sent = String::from_utf8_lossy(&pty.bytes()).into_owned();
    assert!(!sent.contains(raw) && !sent.contains("\x1b]0;OWNED"));
}

#[test]
fn the_screen_shows_secrets_on_a_key_only_and_copies_none() {
    let home = Home::new();
    let path = log(&home);
    let mut command = home.command(program(), &["--clipboard", "osc52", &path]);
    command.env("COLORTERM", "truecolor");
    let mut pty = Pty::start(command);
    pty.resize(160, 45);
    pty.wait_for(&["FAILED", "‹masked›", "S ", " masked"]);
    assert!(!String::from_utf8_lossy(&pty.bytes()).contains("SECRET"));
    // The log itself, line by line.
    pty.press("v");
    pty.wait_for(&["line ", "password=‹masked›&ssl"]);
    assert!(!String::from_utf8_lossy(&pty.bytes()).contains("SECRET"));
    pty.press("S");
    pty.wait_for(&["password=SECRET2&ssl", "what is copied has them masked"]);
    // Escape and a letter behind it at once would be the letter with Alt.
    pty.press("v");
    pty.wait_for(&["Incidents", "SECRET"]);
    pty.press("y");
    pty.wait_until("a copy", |pty| !clipboard_writes(&pty.bytes()).is_empty());
    let copies = clipboard_writes(&pty.bytes());
    assert!(
        copies
            .iter()
            .all(|copy| copy.contains("‹masked›") && !copy.contains("SECRET")),
        "{copies:?}"
    );
    pty.press("S");
    pty.wait_for(&["secrets are masked"]);
    assert!(!pty.text().contains("SECRET"), "{}", pty.text());
    pty.press("q");
    pty.end();
}
