//! Where a person's own keys and themes lie: `keymap.toml` and `themes/*.toml` in the configuration folder.

use etcetera::BaseStrategy as _;
use std::path::PathBuf;

/// The keymap of the configuration folder, where there is one.
pub(super) fn keymap() -> Option<PathBuf> {
    Some(folder()?.join("keymap.toml")).filter(|path| path.is_file())
}

/// The theme of that name in the configuration folder, where there is one.
pub(super) fn theme(name: &str) -> Option<PathBuf> {
    let plain = name
        .chars()
        .all(|c| c.is_alphanumeric() || "-_".contains(c));
    Some(folder()?.join("themes").join(format!("{name}.toml")))
        .filter(|path| plain && path.is_file())
}

fn folder() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.config_dir().join("causedby"))
}
