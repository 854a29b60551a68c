//! In: the log layouts and shippers of the configuration folder. Out: they are known before the first line is read, and what is
//! wrong with those that are not.

use causedby::record;
use causedby::source::{is_there, own_text};
use etcetera::BaseStrategy as _;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Makes a person's own layouts and shippers known, in the order of their files' names; what is to be said of those that
/// cannot be used.
pub(crate) fn add_own() -> Vec<String> {
    let Ok(strategy) = etcetera::choose_base_strategy() else {
        return Vec::new();
    };
    let folder = strategy.config_dir().join("causedby").join("formats");
    let mut wrong = add_all(&folder, "layout", record::add_layout);
    wrong.extend(add_all(
        &folder.join("shippers"),
        "shipper",
        record::add_shipper,
    ));
    wrong
}

/// Hands the files of a folder, where it is there, to `add`.
fn add_all(folder: &Path, what: &str, add: fn(&str) -> Result<(), String>) -> Vec<String> {
    if !is_there(folder) {
        return Vec::new();
    }
    let refused = |path: &Path, why: &dyn Display| format!("{}: {what}: {why}", path.display());
    let paths = match files(folder) {
        Ok(paths) => paths,
        Err(error) => return vec![refused(folder, &error)],
    };
    let add = |path: PathBuf| match own_text(&path) {
        Ok(text) => add(&text).err().map(|why| refused(&path, &why)),
        Err(error) => Some(refused(&path, &error)),
    };
    paths.into_iter().filter_map(add).collect()
}

/// The files of a folder that are meant, in the order of their names.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "toml") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
