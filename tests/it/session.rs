//! Coming back: to where one was the last time, and by a command line that somebody passed on.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::terminal::{Home, Pty, program, root_line};

/// A home with a copy of the built-in incident's driver log.
fn home() -> Home {
    let home = Home::new();
    let log = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/demo/driver.log");
    fs::copy(log, home.file("driver.log")).expect("copied");
    home
}

fn open(home: &Home, line: &str) -> Pty {
    let mut command = home.command("sh", &["-c", line]);
    command.env("program", program());
    let mut pty = Pty::start(command);
    pty.wait_for(&["FAILED"]);
    pty
}

#[test]
fn the_same_log_is_opened_where_it_was_left_and_another_flag_forgets() {
    let home = home();
    let mut pty = open(&home, "\"$program\" driver.log");
    pty.press("]i1");
    pty.wait_for(&["2/"]);
    pty.press("q");
    assert!(pty.end().success());
    let folder = home.file("causedby/sessions");
    let files: Vec<_> = fs::read_dir(folder).expect("a folder").flatten().collect();
    assert_eq!(files.len(), 1);
    let mode = files[0].metadata().expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let text = fs::read_to_string(files[0].path()).expect("read");
    assert!(text.len() < 1_000, "{text}");
    for line in fs::read_to_string(home.file("driver.log"))
        .expect("read")
        .lines()
    {
        assert!(line.len() < 12 || !text.contains(line), "{line}");
    }
    let mut pty = open(&home, "\"$program\" ./driver.log");
    pty.wait_for(&["2/", "back where you were"]);
    pty.press("q");
    assert!(pty.end().success());
    let mut pty = open(&home, "\"$program\" --no-session driver.log");
    pty.wait_for(&["1/", &root_line()[..24]]);
    assert!(!pty.text().contains("back where you were"));
    pty.press("]i");
    pty.wait_for(&["2/"]);
    pty.press("q");
    assert!(pty.end().success());
    assert_eq!(fs::read_to_string(files[0].path()).expect("read"), text);
}

#[test]
fn the_command_line_that_is_shared_opens_the_very_spot() {
    let home = home();
    let mut pty = open(&home, "\"$program\" --clipboard file driver.log");
    pty.press("]i5jj\r");
    pty.wait_for(&[" of 704"]);
    let spot = |pty: &Pty| {
        let text = pty.text();
        let title = text.lines().find(|line| line.contains(" of 704"));
        title.unwrap_or_default().to_owned()
    };
    let left = spot(&pty);
    pty.press(":share\r");
    pty.wait_for(&["causedby /", "incident=2,", "last-copy"]);
    pty.press("qq");
    assert!(pty.end().success());
    let line = home.read("causedby/last-copy.txt");
    let rest = line.strip_prefix("causedby ").expect("a command line");
    let mut pty = open(&home, &format!("cd /; \"$program\" --no-session {rest}"));
    pty.wait_until("the same line of the log", |pty| spot(pty) == left);
    pty.press("q");
    assert!(pty.end().success());
}
