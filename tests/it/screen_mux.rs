//! Inside GNU screen: a copy of any length passes through to the terminal around it.

use std::env;
use std::io::{self, Read as _, Write as _};

use causedby::ui::copy::{Clipboard, How};

use crate::terminal::{Home, Pty, clipboard_writes, need, program, root_line};

#[test]
fn a_copy_reaches_the_outer_terminal() {
    need("screen", "screen");
    let home = Home::new();
    let mut pty = Pty::start(home.command(
        "screen",
        &["-c", "/dev/null", "-S", "test", program(), "--demo"],
    ));
    pty.wait_for(&["FAILED"]);
    pty.press("ry");
    pty.wait_until("OSC 52 in the outer terminal", |pty| {
        !clipboard_writes(&pty.bytes()).is_empty()
    });
    let written = clipboard_writes(&pty.bytes());
    assert!(written[0].contains(&root_line()), "{written:?}");
    pty.wait_for(&["GNU screen"]);
    pty.press("q");
    pty.end();
}

#[test]
fn a_long_copy_arrives_whole() {
    let long = "executor lost, task retried; ".repeat(300);
    if env::var_os("CAUSEDBY_TEST_COPIES").is_some() {
        // This is the process that the other half of this test runs inside of screen.
        let copied = Clipboard::new(How::Screen).copy(&long);
        let bytes = copied.for_terminal.expect("for the terminal");
        io::stdout().write_all(&bytes).expect("written");
        io::stdout().flush().expect("written");
        let _ = io::stdin().read(&mut [0]);
        return;
    }
    need("screen", "screen");
    let home = Home::new();
    let this = env::current_exe().expect("a path").display().to_string();
    let mut command = home.command("screen", &["-c", "/dev/null", "-S", "test", &this]);
    command.args([
        "--exact",
        "--nocapture",
        "screen_mux::a_long_copy_arrives_whole",
    ]);
    command.env("CAUSEDBY_TEST_COPIES", "1");
    let mut pty = Pty::start(command);
    pty.wait_until("OSC 52 in the outer terminal", |pty| {
        String::from_utf8_lossy(&pty.bytes())
            .split_once("\x1b]52;")
            .is_some_and(|(_, rest)| rest.contains('\x07'))
    });
    assert_eq!(clipboard_writes(&pty.bytes()), [long]);
    pty.press("\r");
    pty.end();
}
