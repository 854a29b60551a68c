//! What strangers' bytes on the way of the keys do to a real terminal: nothing that is begun and not ended keeps the keyboard.

use std::thread;
use std::time::Duration;

use crate::terminal::{Home, Pty, program};

fn start(home: &Home) -> Pty {
    let mut pty = Pty::start(home.command(program(), &["--demo"]));
    pty.wait_for(&["FAILED", "1/3 incidents"]);
    pty
}

#[test]
fn after_a_paste_that_never_ends_keys_work_again() {
    let home = Home::new();
    let mut pty = start(&home);
    pty.press("\x1b[200~ValueError: from elsewhere\nj");
    pty.wait_for(&["from elsewhere", "only the beginning of the paste"]);
    pty.press("?");
    pty.wait_for(&["Keys"]);
    pty.press("\x1bq");
    // The end that comes late is no key.
    let mut pty = start(&home);
    pty.press("\x1b[200~one line");
    pty.wait_for(&["only the beginning of the paste"]);
    pty.press("\x1b[201~e");
    pty.wait_for(&["2/3 incidents"]);
    pty.press("q");
    assert!(pty.end().success());
    assert_eq!(pty.modes_left_on(), [""; 0]);
}

#[test]
fn ctrl_c_leaves_in_the_middle_of_a_paste() {
    let home = Home::new();
    let mut pty = start(&home);
    pty.press("\x1b[200~ValueError: and more\nand ");
    // One that is read together with what was pasted is a part of it, and a busy machine reads both at once. None of them lets
    // the paste end by itself, which takes longer without a word.
    pty.press_until_it_ends("\x03", Duration::from_millis(300));
    assert!(pty.end().success());
    assert_eq!(pty.modes_left_on(), [""; 0]);
}

#[test]
fn half_a_sequence_takes_no_key_that_comes_later() {
    let home = Home::new();
    let mut pty = start(&home);
    for half in [
        "\x1b[1;",
        "\x1b[<0;5",
        "\x1b[M!",
        "\x1b[<0;0;0M",
        "\x1b]0;x",
    ] {
        pty.press(half);
        thread::sleep(Duration::from_millis(700));
    }
    pty.press("e");
    pty.wait_for(&["2/3 incidents"]);
    // The bytes of a key may come one by one.
    pty.press("r");
    pty.wait_for(&["1/3 incidents"]);
    for part in ["\x1b", "[1", "7", "~"] {
        pty.press(part);
    }
    pty.press("q");
    assert!(pty.end().success());
}
