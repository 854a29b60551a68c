//! Servers that answer what no good one does: each is told in words that help, with status 2, and nothing stays behind.

use std::fs;
use std::io::Write as _;
use std::process::Command;

use super::fakes::Fake;
use crate::terminal::{Home, program};

const RUN: &str = "application_1741564800123_0042";

/// What is said when that run is asked for.
fn told(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(output.stdout.is_empty());
    said
}

fn of(address: &str) -> String {
    let home = Home::new();
    told(&mut home.plain(program(), &["report", address, RUN]))
}

fn page(status: &str, headers: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[test]
fn answers_that_are_no_archive_are_told() {
    let html = "<html><head><title>Error 500 No \x1b[31mspace left</title></head></html>";
    let long = "x".repeat(5_000);
    for (answer, parts) in [
        (
            page("500 Server Error", "", html),
            &["answered 500: Error 500 No ␛[31mspace left", "its own log"][..],
        ),
        (
            page("503 Busy", "", "only available through the history server."),
            &["503: only available"],
        ),
        (page("502 Bad", "", &long), &["502: xxxx", "xxx…"]),
        (
            page("404 Not Found", "", "no such app"),
            &[
                "knows no application",
                RUN,
                "no such app",
                "spark.eventLog.enabled",
            ],
        ),
        (
            page("401 Who", "WWW-Authenticate: Negotiate\r\n", ""),
            &["sign-in (401)", "Kerberos", "curl --negotiate"],
        ),
        (
            page("403 No", "", ""),
            &["sign-in (403)", "as USER:PASSWORD@"],
        ),
        (
            page(
                "200 OK",
                "Content-Type: text/html\r\n",
                "<html>Log in</html>",
            ),
            &["a web page", "an archive of event logs"],
        ),
        (
            page("200 OK", "", "{}"),
            &["something else in place of an archive"],
        ),
        (
            page("302 Found", "Location: /again\r\n", ""),
            &["sends on to another address more than 5 times"],
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\nPK\x03\x04".to_owned(),
            &["more than 4 GiB"],
        ),
        (
            "SSH-2.0-OpenSSH_9.2\r\n".to_owned(),
            &["does not answer", "no HTTP"],
        ),
        (String::new(), &["does not answer"]),
    ] {
        let said = of(&Fake::answering(answer.clone()).address());
        for part in parts {
            assert!(
                said.contains(part),
                "`{part}` is not in `{said}`, which {answer:.60} led to"
            );
        }
        assert!(said.lines().count() == 1 && said.len() < 700, "{said}");
    }
}

#[test]
fn a_list_that_is_none_is_told() {
    for (answer, part) in [
        (
            page("404 Not Found", "", ""),
            "there is no History Server at",
        ),
        (
            page("200 OK", "Content-Type: text/html\r\n", "<p>hello"),
            "a web page",
        ),
        (
            page("200 OK", "", "[{\"id\":7}]"),
            "in place of a list of applications",
        ),
        (page("200 OK", "", "[]"), "knows no application"),
    ] {
        let server = Fake::answering(answer);
        let home = Home::new();
        let output = home
            .plain(program(), &[&server.address()])
            .output()
            .expect("it starts");
        let said = String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8");
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn an_answer_without_end_ends_where_the_limit_is() {
    // A list, and an archive that finds no room for more than memory takes.
    let list = Fake::without_end(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[",
        b"{\"id\":\"a\"},",
    );
    let home = Home::new();
    let said = told(&mut home.plain(program(), &["report", &list.address()]));
    assert!(said.contains("longer than 64 MiB"), "{said}");
    let archive = Fake::without_end("HTTP/1.1 200 OK\r\n\r\nPK\x03\x04", b"endless ");
    let mut command = home.plain(program(), &["report", &archive.address(), RUN]);
    let said = told(command.env("TMPDIR", "/none"));
    assert!(
        said.contains("only its first") || said.contains("cannot be read"),
        "{said}"
    );
    let error = Fake::without_end("HTTP/1.1 500 No\r\n\r\n", b"endless ");
    let said = of(&error.address());
    assert!(said.contains("500: endless") && said.len() < 700, "{said}");
    let head = Fake::without_end("HTTP/1.1 200 OK\r\n", b"X-Y: endless\r\n");
    let said = of(&head.address());
    assert!(
        said.contains("does not answer") && said.len() < 700,
        "{said}"
    );
}

#[test]
fn a_bomb_in_an_answer_and_a_length_that_lies_are_told() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    for _ in 0..64 {
        gzip.write_all(&vec![b' '; 1 << 20]).expect("memory");
    }
    let bomb = gzip.finish().expect("memory");
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n",
        bomb.len()
    );
    let said = of(&Fake::answering([head.as_bytes(), &bomb].concat()).address());
    assert!(said.contains("in place of an archive"), "{said}");
    let short = "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nPK\x03\x04";
    let said = of(&Fake::answering(short).address());
    assert!(said.contains("broke off after 4 bytes"), "{said}");
    let long = page("200 OK", "", "PK\x03\x04").replace("Length: 4", "Length: 2");
    let said = of(&Fake::answering(long).address());
    assert!(said.contains("in place of an archive"), "{said}");
    let deep = page("200 OK", "", &"[".repeat(500_000));
    let home = Home::new();
    let said = told(&mut home.plain(program(), &["report", &Fake::answering(deep).address()]));
    assert!(said.contains("in place of a list"), "{said}");
}

#[test]
fn names_from_a_server_are_shown_safely() {
    let hostile = "\\u001b]0;OWNED\\u0007\\u001b[2J\\u202e";
    let list = format!(
        "[{{\"id\":\"application_1_{hostile}\",\"name\":\"n{hostile}\",\"attempts\":[{{\"attemptId\":\"{hostile}\",\
         \"startTimeEpoch\":9223372036854775807,\"duration\":-9223372036854775808,\"sparkUser\":\"u{hostile}\",\
         \"completed\":true,\"appSparkVersion\":\"{hostile}\"}}]}},\
         {{\"id\":\"../../x\",\"name\":\"{}\",\"attempts\":[{{}}]}}]",
        "n".repeat(100_000)
    );
    let server = Fake::answering(page("200 OK", "Content-Type: application/json\r\n", &list));
    let home = Home::new();
    let mut command = home.plain(program(), &[&server.address()]);
    let output = command.output().expect("it starts");
    let said = String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8");
    let raw = said
        .chars()
        .find(|c| c.is_control() && *c != '\n' || *c == '\u{202e}');
    assert_eq!(raw, None, "{said}");
    assert!(output.status.code().is_some_and(|code| code <= 2));
}

#[test]
fn whoever_a_server_sends_on_to_is_not_given_its_password() {
    let other = Fake::answering(page("200 OK", "", "PK not"));
    let to = format!("Location: {}/x\r\n", other.address());
    let server = Fake::answering(page("302 Found", &to, ""));
    of(&format!("http://ann:s3cret@127.0.0.1:{}", server.port));
    let asked = other.asked().concat().to_lowercase();
    assert!(asked.contains("get /x"), "{asked}");
    assert!(
        !asked.contains("authorization") && !asked.contains("s3cret"),
        "{asked}"
    );
    // Nor is a file of this machine opened for it.
    let server = Fake::answering(page("302 Found", "Location: file:///etc/passwd\r\n", ""));
    let said = of(&server.address());
    assert!(
        !said.contains("root:") && said.contains("no address of HTTP"),
        "{said}"
    );
}

#[test]
fn who_was_sent_on_to_is_named_where_that_leads_nowhere() {
    let sends_to = |location: &str| {
        let location = format!("Location: {location}\r\n");
        Fake::answering(page("302 Found", &location, ""))
    };
    // The name that nobody knows is the other one; the server itself was there.
    let server = sends_to("http://nobody.invalid:1/x");
    let said = of(&server.address());
    let named = format!(
        "http://nobody.invalid:1 (where {} sends on to) does not answer: ",
        server.address()
    );
    assert!(said.contains(&named), "{said}");
    // A password that was not sent is not said to be wrong.
    let asks = Fake::answering(page("401 Who", "WWW-Authenticate: Basic\r\n", ""));
    let server = sends_to(&asks.address());
    let said = of(&format!("http://ann:s3cret@127.0.0.1:{}", server.port));
    assert!(
        said.contains("was not given the user and password") && !said.contains("does not accept"),
        "{said}"
    );
    // Beside what was asked for, and to another way of itself.
    let failing = Fake::answering(page("500 No", "", "down"));
    let said = of(&sends_to(&format!("//127.0.0.1:{}/y", failing.port)).address());
    assert!(said.contains("sends on to) answered 500: down"), "{said}");
}

#[test]
fn an_archive_that_breaks_off_is_read_as_far_as_it_came_or_told() {
    let archive = format!(
        "{}/tests/it/data/event_logs/plain.zip",
        env!("CARGO_MANIFEST_DIR")
    );
    let bytes = fs::read(archive).expect("the archive is there");
    let mut answer =
        format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", bytes.len()).into_bytes();
    answer.extend(&bytes[..bytes.len() / 2]);
    let said = of(&Fake::answering(answer).address());
    let came = format!("broke off after {} bytes", bytes.len() / 2);
    assert!(said.contains(&came), "{said}");
}

#[test]
fn a_password_is_sent_and_never_printed() {
    let server = Fake::answering(page("401 No", "", ""));
    let said = of(&format!("http://ann:s3cret@127.0.0.1:{}", server.port));
    assert!(
        said.contains("does not accept that user") && !said.contains("s3cret"),
        "{said}"
    );
    // `ann:s3cret` in base64.
    let asked = server.asked().concat().to_lowercase();
    assert!(
        asked.contains("authorization: basic yw5uonmzy3jlda=="),
        "{asked}"
    );
}

#[test]
fn a_proxy_is_used_named_where_it_fails_and_left_out_where_told_so() {
    let server = Fake::answering(page("404 Not Found", "", ""));
    let proxy = Fake::proxy();
    let home = Home::new();
    let through = |proxy: &str, except: &str| {
        let mut command = home.plain(program(), &["report", &server.address(), RUN]);
        told(command.env("http_proxy", proxy).env("NO_PROXY", except))
    };
    let said = through(&proxy.address(), "");
    assert!(said.contains("knows no application"), "{said}");
    let asked = proxy.asked().concat();
    assert!(
        asked.starts_with(&format!("CONNECT 127.0.0.1:{} ", server.port)),
        "{asked}"
    );

    let refuses = Fake::answering("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
    let said = through(&refuses.address(), "other.example");
    for part in [
        "403",
        "the proxy 127.0.0.1 of http_proxy",
        "NO_PROXY=127.0.0.1",
    ] {
        assert!(said.contains(part), "`{part}` is not in `{said}`");
    }
    let said = through(&refuses.address(), "localhost,127.0.0.1");
    assert!(said.contains("knows no application"), "{said}");
    let said = through("ftp://x", "");
    assert!(said.contains("http_proxy names no proxy"), "{said}");
}

#[test]
fn without_an_address_nothing_is_asked() {
    let server = Fake::answering(page("200 OK", "", "[]"));
    let home = Home::new();
    fs::write(
        home.file("driver.log"),
        format!("ValueError: see {}\n", server.address()),
    )
    .expect("written");
    let output = home
        .plain(program(), &["report", "driver.log"])
        .output()
        .expect("it starts");
    assert!(output.status.success());
    assert_eq!(server.asked(), [""; 0]);
}
