//! Terminals of every kind: what each is sent, what storms of sizes and keys and a slow line do to the screen.

use std::thread;
use std::time::{Duration, Instant};

use crate::terminal::{DEADLINE, Home, Pty, program, root_line};

fn command(home: &Home, terminal: &str) -> portable_pty::CommandBuilder {
    let mut command = home.command(
        "sh",
        &["-c", "stty -a >before; \"$program\" --demo; stty -a >after"],
    );
    command.env("program", program());
    command.env("TERM", terminal);
    command
}

fn end(home: &Home, mut pty: Pty) -> String {
    pty.press("q");
    assert!(pty.end().success());
    assert_eq!(home.read("before"), home.read("after"));
    // On a slow line the last bytes are still on their way.
    let start = Instant::now();
    while !pty.modes_left_on().is_empty() && start.elapsed() < DEADLINE {
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(pty.modes_left_on(), [""; 0]);
    String::from_utf8_lossy(&pty.bytes()).into_owned()
}

/// As much of the root line as fits beside anything.
fn head() -> String {
    root_line().chars().take(24).collect()
}

/// The numbers of every sequence that sets colours.
fn colours(sent: &str) -> Vec<Vec<u16>> {
    let sequences = sent.split("\x1b[").filter_map(|rest| {
        let (numbers, _) = rest.split_once('m')?;
        numbers
            .split(';')
            .map(|n| n.parse().ok())
            .collect::<Option<Vec<u16>>>()
    });
    sequences.filter(|numbers| !numbers.is_empty()).collect()
}

#[test]
fn every_kind_of_terminal_gets_the_colours_it_has_and_is_left_as_it_was() {
    for (terminal, most) in [
        ("linux", 16),
        ("screen", 16),
        ("screen-256color", 256),
        ("tmux-256color", 256),
        ("xterm-256color", 256),
    ] {
        let home = Home::new();
        let mut pty = Pty::start(command(&home, terminal));
        pty.wait_for(&["FAILED", &head()]);
        // A list, the help, the log, a search in it, and back.
        pty.press("5G?");
        pty.wait_for(&["Here, in Stages"]);
        pty.press("q\rG");
        pty.wait_for(&["line "]);
        pty.press("/ERROR\r");
        pty.wait_for(&["match "]);
        pty.press("r");
        pty.wait_for(&["FAILED", &head()]);
        let sent = end(&home, pty);
        let colours = colours(&sent);
        assert!(
            colours.iter().any(|n| !n.is_empty()),
            "{terminal}: no colours"
        );
        for numbers in colours {
            let direct = numbers
                .windows(2)
                .any(|n| (n[0] == 38 || n[0] == 48) && n[1] == 2);
            let indexed = numbers
                .windows(3)
                .filter(|n| (n[0] == 38 || n[0] == 48) && n[1] == 5)
                .map(|n| n[2])
                .max();
            assert!(!direct, "{terminal}: {numbers:?}");
            assert!(indexed.unwrap_or(0) < most, "{terminal}: {numbers:?}");
        }
    }
}

#[test]
fn a_storm_of_sizes_while_keys_arrive_ends_in_the_right_screen() {
    let home = Home::new();
    let mut pty = Pty::start(command(&home, "xterm-256color"));
    pty.wait_for(&["FAILED"]);
    let keys = [
        "j", "]i", "zR", "+", "\t", "5", "_", "[i", "3", "G", "?", "q", "v", "\x1b[B", "\x1bOP",
        "q",
    ];
    for n in 0..400u16 {
        pty.resize(1 + n * 37 % 220, 1 + n * 17 % 61);
        pty.press(keys[usize::from(n) % keys.len()]);
        if n % 7 == 0 {
            thread::sleep(Duration::from_millis(3));
        }
    }
    pty.resize(100, 30);
    // Whatever lies over the panes is closed, and whatever was chosen is given up.
    thread::sleep(Duration::from_millis(200));
    pty.press("\x1b");
    thread::sleep(Duration::from_millis(200));
    pty.press("\x1b");
    thread::sleep(Duration::from_millis(200));
    pty.press("_:reset-panes\r1gr3");
    pty.wait_for(&["FAILED", &head(), "1/3 incidents"]);
    end(&home, pty);
}

#[test]
fn a_slow_line_shows_the_end_of_what_was_typed_and_not_every_step() {
    let home = Home::new();
    // 2 KiB a second, as over a bad line.
    let mut pty = Pty::slow(
        command(&home, "xterm-256color"),
        64,
        Duration::from_millis(31),
    );
    pty.wait_for(&["FAILED", &head()]);
    let before = pty.bytes().len();
    for _ in 0..300 {
        pty.press("]i[i");
    }
    pty.press("]i");
    pty.wait_for(&["2/3 incidents"]);
    let sent = pty.bytes().len() - before;
    // A step redraws several kB: each of the six hundred would take minutes.
    assert!(sent < 100_000, "{sent} bytes");
    end(&home, pty);
}
