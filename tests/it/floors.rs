//! In: the source code itself. Out: whether the floors keep their walls and every file its form.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// From the ground up. `report` and `ui` stand beside each other.
const FLOORS: [(&str, u8); 9] = [
    ("text", 0),
    ("source", 1),
    ("record", 2),
    ("fact", 3),
    ("incident", 4),
    ("diagnosis", 5),
    ("load", 6),
    ("report", 7),
    ("ui", 7),
];

/// Who may touch files besides `source`, and what for.
const MAY_TOUCH_FILES: [(&str, &str); 5] = [
    ("diagnosis/", "the user's own rules, in the config folder"),
    ("layouts.rs", "the user's own layouts, in the config folder"),
    (
        "ui/",
        "themes and keys in the config folder; the terminal itself; the file a copy goes to",
    ),
    ("main.rs", "the report that is written"),
    ("crash.rs", "what is known of a fault of the program itself"),
];

/// Crates that only one place knows.
const OWNERS: [(&str, &str); 7] = [
    ("ratatui", "ui/"),
    ("crossterm", "ui/"),
    ("clap", "cli.rs"),
    ("arboard", "ui/"),
    ("ureq", "source/history/"),
    ("rustls", "source/history/"),
    // The standard library's network.
    ("net", "source/history/"),
];

const MOST_LINES: usize = 500;

#[test]
fn a_floor_uses_only_floors_below_it() {
    let mut wrong = Vec::new();
    for file in files() {
        let Some((own, height)) = floor(&file.path) else {
            continue;
        };
        for used in file.floors_used() {
            let used_height = height_of(used);
            if used != own && used_height.is_some_and(|h| h >= height) {
                wrong.push(format!("{}: {own} uses {used}", file.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn only_source_opens_files() {
    let wrong: Vec<String> = files()
        .into_iter()
        .filter(|file| !file.path.starts_with("source/"))
        .filter(|file| {
            !MAY_TOUCH_FILES
                .iter()
                .any(|(may, _)| file.path.starts_with(may))
        })
        .filter(|file| {
            file.before_tests().any(|line| {
                ["std::fs", "fs::", "File::"]
                    .iter()
                    .any(|f| mentions(line, f))
            })
        })
        .map(|file| file.path)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn only_load_and_the_screen_know_threads() {
    let wrong: Vec<String> = files()
        .into_iter()
        .filter(|file| !file.path.starts_with("load/") && !file.path.starts_with("ui/"))
        .filter(|file| {
            file.before_tests()
                .any(|line| mentions(line, "thread::spawn") || mentions(line, "thread::scope"))
        })
        .map(|file| file.path)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_crate_stays_with_its_owner() {
    let mut wrong = Vec::new();
    for file in files() {
        for (name, owner) in OWNERS {
            let uses = file
                .before_tests()
                .any(|line| mentions(line, &format!("{name}::")));
            if uses && !file.path.starts_with(owner) {
                wrong.push(format!("{} knows {name}; only {owner} may", file.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_file_says_what_it_is_and_is_not_too_long() {
    let mut wrong = Vec::new();
    for file in files() {
        if !file.text.starts_with("//!") {
            wrong.push(format!("{}: does not open with `//!`", file.path));
        }
        let lines = file.text.lines().count();
        if lines > MOST_LINES {
            wrong.push(format!(
                "{}: {lines} lines; at most {MOST_LINES}",
                file.path
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn nothing_unwraps_outside_of_tests() {
    let mut wrong = Vec::new();
    let all = files();
    for file in all.iter().filter(|file| !file.is_for_tests(&all)) {
        for line in file.before_tests() {
            if line.contains(".unwrap()") || mentions(line, "todo!(") || mentions(line, "unsafe ") {
                wrong.push(format!("{}: {}", file.path, line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_folder_has_a_map() {
    let mut wrong = Vec::new();
    for file in files().iter().filter(|f| f.path.ends_with("mod.rs")) {
        let code = file.text.lines().filter(|line| {
            let line = line.trim();
            [
                "fn ",
                "pub fn ",
                "struct ",
                "pub struct ",
                "impl ",
                "enum ",
                "pub enum ",
            ]
            .iter()
            .any(|form| line.starts_with(form))
        });
        if let Some(line) = code.into_iter().next() {
            wrong.push(format!("{}: is a map and holds code: {line}", file.path));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_changelog_has_a_place_for_what_comes() {
    let changelog = read("CHANGELOG.md");
    assert!(changelog.contains("## [Unreleased]"));
}

struct SourceFile {
    /// Below `src/`.
    path: String,
    text: String,
}

impl SourceFile {
    /// Whether its folder's map declares it for tests only.
    fn is_for_tests(&self, all: &[SourceFile]) -> bool {
        let (folder, name) = self.path.rsplit_once('/').unwrap_or(("", &self.path));
        let name = name.trim_end_matches(".rs");
        let map = all.iter().find(|f| f.path == format!("{folder}/mod.rs"));
        map.is_some_and(|map| {
            ["mod", "pub(super) mod", "pub(crate) mod"]
                .iter()
                .any(|form| map.text.contains(&format!("#[cfg(test)]\n{form} {name};")))
        })
    }

    /// The lines before the tests of the file.
    fn before_tests(&self) -> impl Iterator<Item = &str> {
        let end = self
            .text
            .find("#[cfg(test)]\nmod tests")
            .unwrap_or(self.text.len());
        self.text[..end]
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
    }

    /// Floors named behind `crate::`, also in `use crate::{text::…, load::…}`.
    fn floors_used(&self) -> BTreeSet<&'static str> {
        let code: String = self.before_tests().collect::<Vec<_>>().join("\n");
        let mut used = BTreeSet::new();
        for (at, _) in code.match_indices("crate::") {
            let rest = &code[at + "crate::".len()..];
            if let Some(group) = rest.strip_prefix('{') {
                let group = group.split(';').next().unwrap_or(group);
                used.extend(FLOORS.iter().map(|f| f.0).filter(|floor| {
                    group.match_indices(&format!("{floor}::")).any(|(at, _)| {
                        !group[..at].ends_with(|c: char| c.is_alphanumeric() || c == ':')
                    })
                }));
            } else {
                let name = rest
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .next();
                used.extend(
                    FLOORS
                        .iter()
                        .map(|f| f.0)
                        .filter(|floor| Some(*floor) == name),
                );
            }
        }
        used
    }
}

fn files() -> Vec<SourceFile> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of the sources") {
            let path: PathBuf = entry.expect("an entry of it").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).expect("a source file");
                let path = path
                    .strip_prefix(&root)
                    .expect("below src")
                    .to_string_lossy()
                    .into_owned();
                found.push(SourceFile { path, text });
            }
        }
    }
    assert!(found.len() > 30, "the sources were not found");
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn floor(path: &str) -> Option<(&'static str, u8)> {
    let folder = path.split('/').next()?;
    FLOORS.into_iter().find(|(name, _)| *name == folder)
}

fn height_of(name: &str) -> Option<u8> {
    FLOORS.iter().find(|(floor, _)| *floor == name).map(|f| f.1)
}

/// Whether `what` stands in the line, not as the end of a longer name.
fn mentions(line: &str, what: &str) -> bool {
    line.match_indices(what)
        .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name))
        .expect("a file of the project")
}
