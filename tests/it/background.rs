//! What the terminal's text stands on is asked of the terminal itself: the theme follows the answer, whenever it comes, and
//! no key is lost, no answer typed into the shell.

use std::thread;
use std::time::Duration;

use crate::terminal::{Home, Pty, program};

const QUESTION: &str = "\x1b]11;?\x07";
const LIGHT: &str = "\x1b]11;rgb:ffff/ffff/ffff\x07";
const DARK: &str = "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\";

fn start(home: &Home, terminal: &str, line: &str) -> Pty {
    let mut command = home.command("sh", &["-c", line]);
    command.env("program", program());
    command.env("TERM", terminal);
    command.env("COLORTERM", "truecolor");
    Pty::start(command)
}

fn is_asked(pty: &Pty) -> bool {
    String::from_utf8_lossy(&pty.bytes()).contains(QUESTION)
}

/// The colour of the root's banner in a theme.
fn banner(home: &Home, theme: &str) -> vt100::Color {
    let mut pty = start(
        home,
        "xterm-256color",
        &format!("\"$program\" --demo --theme {theme}"),
    );
    pty.wait_for(&["FAILED"]);
    let colour = banner_of(&pty);
    assert!(!is_asked(&pty), "a theme was asked for");
    pty.press("q");
    assert!(pty.end().success());
    colour
}

fn banner_of(pty: &Pty) -> vt100::Color {
    let screen = pty.screen();
    screen.cell(1, 4).expect("on the screen").bgcolor()
}

#[test]
fn the_theme_follows_what_the_terminal_tells_and_keys_around_the_answer_keep_their_place() {
    let home = Home::new();
    let (light, dark) = (banner(&home, "light"), banner(&home, "dark"));
    assert_ne!(light, dark);
    for (answer, colour) in [(LIGHT, light), (DARK, dark)] {
        let mut pty = start(&home, "xterm-256color", "\"$program\" --demo");
        pty.wait_for(&["1/3 incidents"]);
        assert!(is_asked(&pty));
        // In front of the answer and behind it.
        pty.press(&format!("]i{answer}?/hide\r"));
        pty.wait_for(&["2/3 incidents", "Hide the pane"]);
        // One at a time: what follows an escape at once is a key with Alt.
        pty.press("\x1b");
        pty.wait_until("no search", |pty| !pty.text().contains("Hide the pane"));
        pty.press("\x1b");
        pty.wait_until("no help", |pty| !pty.text().contains("┏ Keys"));
        assert_eq!(banner_of(&pty), colour);
        pty.press("q");
        assert!(pty.end().success());
        assert_eq!(pty.modes_left_on(), [""; 0]);
    }
}

#[test]
fn an_answer_that_comes_late_and_in_pieces_is_one() {
    let home = Home::new();
    let light = banner(&home, "light");
    let mut pty = start(&home, "xterm-256color", "\"$program\" --demo");
    pty.wait_for(&["FAILED"]);
    pty.press("j");
    thread::sleep(Duration::from_millis(300));
    let (first, second) = LIGHT.split_at(9);
    pty.press(first);
    thread::sleep(Duration::from_millis(20));
    pty.press(second);
    pty.wait_until("the light theme", |pty| banner_of(pty) == light);
    assert!(!pty.text().contains("does nothing here"), "{}", pty.text());
    pty.press("q");
    assert!(pty.end().success());
}

#[test]
fn an_answer_is_never_typed_into_the_shell() {
    let home = Home::new();
    let line = "\"$program\" --demo; stty -icanon -echo; timeout 2 cat >typed; echo ended";
    let mut pty = start(&home, "xterm-256color", line);
    pty.wait_until("the question", |pty| is_asked(pty));
    // Gone before the answer comes.
    pty.press("q");
    thread::sleep(Duration::from_millis(100));
    pty.press(LIGHT);
    pty.wait_for(&["ended"]);
    assert_eq!(home.read("typed"), "");
    assert_eq!(pty.modes_left_on(), [""; 0]);
}

#[test]
fn a_terminal_that_cannot_answer_is_not_asked() {
    let home = Home::new();
    for terminal in ["linux", "vt220", "screen", "tmux-256color"] {
        let mut pty = start(&home, terminal, "\"$program\" --demo");
        pty.wait_for(&["FAILED"]);
        assert!(!is_asked(&pty), "{terminal}");
        pty.press("q");
        assert!(pty.end().success());
    }
    let mut pty = start(&home, "xterm", "COLORFGBG='0;15' \"$program\" --demo");
    pty.wait_for(&["FAILED"]);
    assert!(!is_asked(&pty), "it has told already");
    pty.press("q");
    assert!(pty.end().success());
}
