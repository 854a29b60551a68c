//! On a desktop: a copy is in the X11 clipboard; where the desktop does not answer, it goes to the terminal.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::terminal::{Home, Pty, clipboard_writes, need, program, root_line, run};

/// An X server without a screen, on a display of its own choice.
struct Display {
    process: Child,
    name: String,
}

impl Display {
    fn start() -> Self {
        let mut process = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp"])
            .args(["-screen", "0", "320x200x8"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts");
        let mut number = String::new();
        let output = process.stdout.take().expect("piped");
        BufReader::new(output)
            .read_line(&mut number)
            .expect("the number of the display");
        let name = format!(":{}", number.trim());
        Self { process, name }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn start(home: &Home, display: &str) -> Pty {
    let mut command = home.command(program(), &["--demo"]);
    command.env("DISPLAY", display);
    let mut pty = Pty::start(command);
    pty.wait_for(&["FAILED"]);
    pty
}

#[test]
fn a_copy_is_in_the_clipboard_of_the_desktop() {
    need("Xvfb", "xvfb");
    need("xclip", "xclip");
    let home = Home::new();
    let display = Display::start();
    let mut pty = start(&home, &display.name);
    pty.press("r");
    // A desktop that is slow to answer is asked again by the next copy.
    pty.wait_until("a copy in the X11 clipboard", |pty| {
        pty.press("y");
        thread::sleep(Duration::from_secs(1));
        pty.text().contains("X11 clipboard")
    });
    let mut xclip = Command::new("xclip");
    xclip.args(["-o", "-selection", "clipboard", "-display", &display.name]);
    let pasted = run(&mut xclip);
    assert!(pasted.contains(&root_line()), "{pasted}");
    assert_eq!(home.read("causedby/last-copy.txt"), pasted);
    pty.press("q");
    assert!(pty.end().success());
}

#[test]
fn a_desktop_that_is_not_there_costs_nothing() {
    let home = Home::new();
    // Nobody listens there.
    let mut pty = start(&home, "127.0.0.1:9999");
    pty.press("ry");
    pty.wait_until("OSC 52", |pty| !clipboard_writes(&pty.bytes()).is_empty());
    let written = clipboard_writes(&pty.bytes());
    assert!(written[0].contains(&root_line()), "{written:?}");
    pty.press("q");
    assert!(pty.end().success());
}
