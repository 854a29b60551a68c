//! In: the log layouts and shippers of the configuration folder. Out: they are known before the first line is read, or
//! what is wrong with one.

use crate::Failure;
use anyhow::Context as _;
use causedby::record;
use causedby::source::own_text;
use etcetera::BaseStrategy as _;
use std::fs;
use std::path::Path;

/// Makes a person's own layouts and shippers known, in the order of their files' names.
pub(crate) fn add_own() -> Result<(), Failure> {
    let folder = etcetera::choose_base_strategy()
        .map(|strategy| strategy.config_dir().join("causedby").join("formats"));
    let Ok(folder) = folder else {
        return Ok(());
    };
    add_all(&folder, "layout", record::add_layout)?;
    add_all(&folder.join("shippers"), "shipper", record::add_shipper)
}

/// Hands the files of a folder, where it is there, to `add`.
fn add_all(folder: &Path, what: &str, add: fn(&str) -> Result<(), String>) -> Result<(), Failure> {
    if !folder.is_dir() {
        return Ok(());
    }
    let told = || format!("your own {what}s in {} cannot be used", folder.display());
    let entries: Result<Vec<_>, _> = fs::read_dir(folder).with_context(told)?.collect();
    let mut paths: Vec<_> = entries
        .with_context(told)?
        .iter()
        .map(fs::DirEntry::path)
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    paths.sort();
    for path in paths {
        let told = || format!("your own {what} {} cannot be used", path.display());
        let text = own_text(&path).with_context(told)?;
        add(&text).map_err(Failure::msg).with_context(told)?;
    }
    Ok(())
}
