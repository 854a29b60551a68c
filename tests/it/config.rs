//! A person's own settings, keys and themes: used where they are right, refused with file and line where they are not.

use std::fs;
use std::process::Output;

use crate::terminal::{Home, Pty, program};

/// A home with these files in its configuration folder.
fn home(files: &[(&str, &str)]) -> Home {
    let home = Home::new();
    fs::create_dir_all(home.file("causedby/themes")).expect("a folder");
    for (name, text) in files {
        fs::write(home.file("causedby").join(name), text).expect("written");
    }
    home
}

fn run(home: &Home, arguments: &[&str]) -> Output {
    let mut command = home.plain(program(), arguments);
    command.output().expect("it starts")
}

fn printed(home: &Home, flag: &str) -> String {
    let output = run(home, &[flag]);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn own_keys_themes_and_settings_are_used_by_the_screen() {
    let home = home(&[
        ("keymap.toml", "[global]\nquit = [\"Q\"]\nhelp = [\"q\"]\n"),
        ("themes/mine.toml", "[palette]\nrosy = \"#0b0c0d\"\n"),
        ("config.toml", "theme = \"mine\"\nmouse = false\n"),
    ]);
    let mut command = home.command(program(), &["--demo"]);
    command.env("COLORTERM", "truecolor");
    let mut pty = Pty::start(command);
    pty.wait_for(&["FAILED"]);
    assert!(!pty.modes_left_on().contains(&"mouse"));
    // The text of the root's line.
    let sent = String::from_utf8_lossy(&pty.bytes()).into_owned();
    assert!(sent.contains("38;2;11;12;13"), "{sent:?}");
    pty.press("q");
    pty.wait_for(&[" Keys "]);
    pty.press("qQ");
    assert!(pty.end().success());
}

#[test]
fn what_is_printed_can_be_kept_and_read_again() {
    let own = home(&[
        ("keymap.toml", "[global]\nquit = [\"Q\"]\n"),
        (
            "config.toml",
            "theme = \"gruvbox\"\nwrap = true\nclipboard = \"file\"\n",
        ),
    ]);
    let (keys, config) = (
        printed(&own, "--print-keys"),
        printed(&own, "--print-config"),
    );
    assert!(keys.contains("quit = [\"Q\"]"), "{keys}");
    for line in [
        "theme = \"gruvbox\"",
        "wrap = true",
        "mouse = true",
        "clipboard = \"file\"",
    ] {
        assert!(config.contains(line), "{line}: {config}");
    }
    assert!(config.contains("causedby/config.toml\n") && config.contains("rules  (not there)"));
    let again = home(&[("keymap.toml", &keys), ("config.toml", &config)]);
    assert_eq!(printed(&again, "--print-keys"), keys);
    // What nobody set is not fixed by being kept: the theme still follows the terminal.
    let none = printed(&home(&[]), "--print-config");
    let live: Vec<&str> = none.lines().filter(|l| !l.starts_with('#')).collect();
    assert_eq!(live, [""], "{none}");
    let values = |text: &str| text.split_once("\n\n").map(|(_, values)| values.to_owned());
    assert_eq!(values(&printed(&again, "--print-config")), values(&config));
}

#[test]
fn a_mistake_is_named_with_its_file_and_line() {
    let mistakes = [
        (
            "keymap.toml",
            "[global]\n\nquti = [\"Q\"]\n",
            "causedby/keymap.toml:3: no action `quti`",
        ),
        (
            "config.toml",
            "mouse = true\ntheem = \"x\"\n",
            "causedby/config.toml:2: no setting `theem`",
        ),
        (
            "themes/mine.toml",
            "[roles]\nroot = \"reddish\"\n",
            "causedby/themes/mine.toml:2: no colour `reddish`",
        ),
    ];
    for (name, text, told) in mistakes {
        let home = home(&[("themes/mine.toml", ""), (name, text)]);
        let output = run(&home, &["--print-config", "--theme", "mine"]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(told), "{said}");
    }
}
