//! Inside a stock tmux: a copy reaches tmux's buffer and, through tmux, the terminal around it.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::terminal::{DEADLINE, Home, Pty, clipboard_writes, need, program, root_line, run};

/// A tmux server of its own, ended with the test.
struct Server<'h>(&'h Home);

impl Server<'_> {
    fn tell(&self, arguments: &[&str]) -> String {
        let socket = ["-L", "test", "-f", "/dev/null"];
        run(&mut self.0.plain("tmux", &[&socket, arguments].concat()))
    }
}

impl Drop for Server<'_> {
    fn drop(&mut self) {
        let arguments = ["-L", "test", "kill-server"];
        // The server ends by itself with its last window, so this may find none.
        let _ = self.0.plain("tmux", &arguments).output();
    }
}

#[test]
fn a_copy_reaches_the_buffer_and_the_outer_terminal() {
    need("tmux", "tmux");
    let home = Home::new();
    let server = Server(&home);
    let mut pty = Pty::start(home.command(
        "tmux",
        &[
            "-L",
            "test",
            "-f",
            "/dev/null",
            "new-session",
            program(),
            "--demo",
        ],
    ));
    pty.wait_for(&["FAILED"]);
    server.tell(&["send-keys", "j", "k", "r", "y"]);
    pty.wait_until("OSC 52 in the outer terminal", |pty| {
        !clipboard_writes(&pty.bytes()).is_empty()
    });
    let written = clipboard_writes(&pty.bytes());
    assert_eq!(written.len(), 1, "{written:?}");
    assert!(written[0].contains(&root_line()), "{written:?}");
    assert_eq!(server.tell(&["show-buffer"]), written[0]);
    pty.wait_for(&["tmux buffer"]);
    pty.press("q");
    pty.end();
    assert_eq!(pty.modes_left_on(), [""; 0]);
}

#[test]
fn options_that_others_set_change_nothing() {
    need("tmux", "tmux");
    for option in [
        "set-clipboard on",
        "set-clipboard off",
        "allow-passthrough on",
    ] {
        let home = Home::new();
        let _server = Server(&home);
        std::fs::write(home.file("conf"), format!("set -g {option}\n")).expect("written");
        let mut command = home.command("tmux", &["-L", "test", "-f", "conf", "new-session"]);
        command.args([program(), "--demo"]);
        let mut pty = Pty::start(command);
        pty.wait_for(&["FAILED"]);
        pty.press("ry");
        pty.wait_for(&["sent to the tmux buffer and through it"]);
        pty.wait_until("OSC 52 in the outer terminal", |pty| {
            !clipboard_writes(&pty.bytes()).is_empty()
        });
        let written = clipboard_writes(&pty.bytes());
        assert_eq!(written.len(), 1, "{option}");
        assert!(written[0].contains(&root_line()), "{option}: {written:?}");
        pty.press("q");
        pty.end();
    }
}

#[test]
fn a_session_that_nobody_sees_is_not_said_to_have_sent_anything() {
    need("tmux", "tmux");
    let home = Home::new();
    let server = Server(&home);
    let script = format!("{} doctor --copy >page; echo $? >status", program());
    server.tell(&["new-session", "-d", &script]);
    let start = Instant::now();
    while !home.file("status").exists() || home.read("status").is_empty() {
        assert!(start.elapsed() < DEADLINE, "it does not end");
        thread::sleep(Duration::from_millis(50));
    }
    let page = home.read("page");
    assert!(
        page.contains("tells of no terminal it is shown on"),
        "{page}"
    );
    assert!(
        page.contains("tmux does not say whether a terminal gets it"),
        "{page}"
    );
    assert_eq!(home.read("status").trim(), "1");
}

#[test]
fn of_a_tmux_within_a_stock_one_no_more_is_said_than_is_true() {
    need("tmux", "tmux");
    for (set_clipboard, arrives) in [("external", false), ("on", true)] {
        let home = Home::new();
        let _server = Server(&home);
        let conf = format!("set -g set-clipboard {set_clipboard}\n");
        std::fs::write(home.file("conf"), conf).expect("written");
        let inner = format!(
            "env -u TMUX TERM=tmux-256color tmux -L inner -f /dev/null new-session {} --demo",
            program()
        );
        let mut command = home.command("tmux", &["-L", "test", "-f", "conf", "new-session"]);
        command.arg(&inner);
        let mut pty = Pty::start(command);
        pty.wait_for(&["FAILED"]);
        pty.press("ry");
        pty.wait_for(&["further only if the outer tmux has"]);
        thread::sleep(Duration::from_millis(300));
        let written = clipboard_writes(&pty.bytes());
        assert_eq!(!written.is_empty(), arrives, "{set_clipboard}: {written:?}");
        pty.press("q");
        pty.end();
    }
}

#[test]
fn a_terminal_that_takes_no_copies_is_not_said_to_have_one() {
    need("tmux", "tmux");
    let home = Home::new();
    let server = Server(&home);
    let socket = ["-L", "test", "-f", "/dev/null"];
    let mut command = home.command("tmux", &socket);
    command.args(["new-session", program(), "--demo"]);
    command.env("TERM", "vt220");
    let mut pty = Pty::start(command);
    pty.wait_for(&["FAILED"]);
    pty.press("ry");
    pty.wait_for(&["in the tmux buffer only"]);
    assert_eq!(clipboard_writes(&pty.bytes()), [""; 0]);
    assert!(server.tell(&["show-buffer"]).contains(&root_line()));
    pty.press("q");
    pty.end();
}

#[test]
fn the_doctor_says_what_tmux_needs_to_be_told() {
    need("tmux", "tmux");
    let home = Home::new();
    let _server = Server(&home);
    let socket = ["-L", "test", "-f", "/dev/null"];
    let script = format!("{} doctor --copy >page; echo $? >status", program());
    let mut command = home.command("tmux", &socket);
    command.args(["new-session", &script]);
    command.env("TERM", "vt220");
    Pty::start(command).end();
    let page = home.read("page");
    assert!(
        page.contains("set -as terminal-features ',vt220:clipboard'"),
        "{page}"
    );
    assert!(page.contains("in the tmux buffer only"), "{page}");
    assert_eq!(home.read("status").trim(), "1");
}

#[test]
fn a_terminal_that_goes_away_without_a_signal_ends_the_program() {
    need("tmux", "tmux");
    let home = Home::new();
    let server = Server(&home);
    // In a session of its own the program hears of no hang-up.
    let script = format!("setsid -w sh -c 'echo $$ >pid; exec {} --demo'", program());
    let socket = ["-L", "test", "-f", "/dev/null"];
    let mut command = home.command("tmux", &socket);
    command.args(["new-session", &script]);
    let mut pty = Pty::start(command);
    pty.wait_for(&["FAILED"]);
    let process = Path::new("/proc").join(home.read("pid").trim());
    assert!(process.exists());
    server.tell(&["kill-server"]);
    pty.end();
    let start = Instant::now();
    while process.exists() {
        assert!(start.elapsed() < DEADLINE, "it goes on");
        thread::sleep(Duration::from_millis(50));
    }
}
