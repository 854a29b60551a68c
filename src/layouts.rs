//! In: the log layouts of the configuration folder. Out: they are known before the first line is read, or what is
//! wrong with one.

use crate::Failure;
use anyhow::Context as _;
use causedby::record;
use causedby::source::own_text;
use etcetera::BaseStrategy as _;
use std::fs;

/// Makes a person's own layouts known, in the order of their files' names.
pub(crate) fn add_own() -> Result<(), Failure> {
    let folder = etcetera::choose_base_strategy()
        .map(|strategy| strategy.config_dir().join("causedby").join("formats"));
    let Some(folder) = folder.ok().filter(|folder| folder.is_dir()) else {
        return Ok(());
    };
    let told = || format!("your own layouts in {} cannot be used", folder.display());
    let entries: Result<Vec<_>, _> = fs::read_dir(&folder).with_context(told)?.collect();
    let mut paths: Vec<_> = entries
        .with_context(told)?
        .iter()
        .map(fs::DirEntry::path)
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    paths.sort();
    for path in paths {
        let told = || format!("your own layout {} cannot be used", path.display());
        let text = own_text(&path).with_context(told)?;
        record::add_layout(&text)
            .map_err(Failure::msg)
            .with_context(told)?;
    }
    Ok(())
}
