//! At the end of a slow line, such as a modem's or a tunnel's, what is seen is what was asked for last: no frames pile up on the
//! way, and no answer of the terminal is left for the shell.

use std::thread;
use std::time::Duration;

use crate::terminal::{Home, Pty, program};

const QUESTION: &[u8] = b"\x1b[5n";
const ANSWER: &str = "\x1b[0n";
const FRAME: &[u8] = b"\x1b[?2026h";

fn count(pty: &Pty, what: &[u8]) -> usize {
    memchr::memmem::find_iter(&pty.bytes(), what).count()
}

/// A terminal that answers how it does when it has come so far.
struct Answering {
    pty: Pty,
    answered: usize,
}

impl Answering {
    fn answer(&mut self) {
        let asked = count(&self.pty, QUESTION);
        self.pty.press(&ANSWER.repeat(asked - self.answered));
        self.answered = asked;
    }

    fn wait_for(&mut self, part: &str) {
        let mut answered = self.answered;
        self.pty.wait_until(part, |pty| {
            let asked = count(pty, QUESTION);
            pty.press(&ANSWER.repeat(asked - answered));
            answered = asked;
            pty.text().contains(part)
        });
        self.answered = answered;
    }
}

#[test]
fn no_frames_pile_up_on_the_way() {
    let home = Home::new();
    let line = "\"$program\" --demo; stty -icanon -echo; timeout 2 cat >typed; echo ended";
    let mut command = home.command("sh", &["-c", line]);
    command.env("program", program());
    command.env("NO_COLOR", "1");
    // 2.5 KiB a second.
    let pty = Pty::slow(command, 128, Duration::from_millis(50));
    let mut terminal = Answering { pty, answered: 0 };
    terminal.wait_for("1/3 incidents");
    terminal.pty.press("v");
    terminal.wait_for("line 670 of 704");
    let before = count(&terminal.pty, FRAME);
    for key in ["j", "k"].repeat(40) {
        terminal.pty.press(key);
        terminal.answer();
        thread::sleep(Duration::from_millis(20));
    }
    terminal.pty.press("G");
    terminal.wait_for("line 704 of 704");
    let drawn = count(&terminal.pty, FRAME) - before;
    assert!(drawn <= 20, "{drawn} frames for 80 keys");
    terminal.pty.press("q");
    terminal.wait_for("ended");
    assert_eq!(home.read("typed"), "");
    assert_eq!(terminal.pty.modes_left_on(), [""; 0]);
}
