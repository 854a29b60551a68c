//! In: the README, the keymap, the command line. Out: whether the README tells what the program does.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn the_key_table_is_that_of_the_keymap() {
    let readme = read("README.md");
    let told = between(&readme, "<!-- keys -->\n", "<!-- /keys -->")
        .expect("the README has a place for the keys");
    let table = key_table();
    assert!(
        told == table,
        "the keys in README.md differ from assets/keymap.toml; they are:\n{table}"
    );
}

#[test]
fn every_command_and_option_is_told() {
    let readme = read("README.md");
    let mut words = Vec::new();
    for arguments in [
        &["-h"][..],
        &["report", "-h"],
        &["doctor", "-h"],
        &["rules", "-h"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_causedby"))
            .args(arguments)
            .output()
            .expect("the program starts");
        let help = String::from_utf8(output.stdout).expect("UTF-8");
        let options = help
            .split_whitespace()
            .filter(|word| word.starts_with("--"));
        words.extend(options.map(|o| o.trim_end_matches([',', ':', '.', '`']).to_owned()));
        let commands = between(&help, "Commands:\n", "\n\n").unwrap_or_default();
        words.extend(
            commands
                .lines()
                .filter_map(|line| line.split_whitespace().next())
                .map(str::to_owned),
        );
    }
    assert!(words.len() > 10, "{words:?}");
    for word in words {
        let common = ["--help", "--version", "help"].contains(&word.as_str());
        assert!(
            common || readme.contains(&word),
            "`{word}` is not in the README"
        );
    }
}

#[test]
fn every_link_to_a_file_leads_somewhere() {
    let readme = read("README.md");
    let mut links = 0;
    for (at, _) in readme.match_indices("](") {
        let target = readme[at + 2..].split(')').next().unwrap_or_default();
        if !target.contains("://") && !target.starts_with('#') {
            links += 1;
            assert!(root().join(target).exists(), "{target} is not there");
        }
    }
    assert!(links > 3);
}

#[test]
fn the_rule_it_shows_can_be_used() {
    let readme = read("README.md");
    let rule = between(&readme, "<!-- rule -->\n```toml\n", "```\n<!-- /rule -->")
        .expect("the README shows a rule");
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("mine.toml"), rule).expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_causedby"))
        .args(["rules", "check"])
        .arg(folder.path())
        .output()
        .expect("the program starts");
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(out.contains("acme-rates-offline"), "{err}");
}

/// The table as it must stand in the README: one row an action that has a key, in the order of the action table.
fn key_table() -> String {
    let keys: toml::Table = read("assets/keymap.toml")
        .parse()
        .expect("the keymap is TOML");
    let mut by_action = BTreeMap::new();
    for (action, keys) in keys.values().filter_map(toml::Value::as_table).flatten() {
        let keys: Vec<String> = keys
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|key| Some(format!("`{}`", key.as_str()?.replace(' ', ""))))
            .collect();
        by_action.insert(action.clone(), keys.join(" "));
    }
    let actions = read("src/ui/action.rs");
    let mut table = "| key | does |\n|---|---|\n".to_owned();
    let rows = between(&actions, "\nactions! {\n", "\n}").expect("the action table");
    for row in rows.lines().filter(|row| row.contains('"')) {
        let mut quoted = row.split('"').skip(1).step_by(2);
        let (name, help) = (
            quoted.next().unwrap_or_default(),
            quoted.next().unwrap_or_default(),
        );
        if let Some(keys) = by_action.get(name).filter(|keys| !keys.is_empty()) {
            let _ = writeln!(table, "| {keys} | {help} |");
        }
    }
    table
}

fn between<'t>(text: &'t str, from: &str, to: &str) -> Option<&'t str> {
    text.split_once(from)?
        .1
        .split_once(to)
        .map(|(inside, _)| inside)
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).expect("a file of the project")
}
