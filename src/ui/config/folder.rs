//! Where a person's own files lie, by the platform's rule.

use crate::source::is_there;
use etcetera::BaseStrategy as _;
use std::path::PathBuf;

/// The keymap of the configuration folder, where there is one.
pub(in crate::ui) fn keymap() -> Option<PathBuf> {
    file("keymap.toml").filter(|path| is_there(path))
}

/// The theme of that name in the configuration folder, where there is one.
pub(in crate::ui) fn theme(name: &str) -> Option<PathBuf> {
    let plain = name
        .chars()
        .all(|c| c.is_alphanumeric() || "-_".contains(c));
    file(&format!("themes/{name}.toml")).filter(|path| plain && is_there(path))
}

/// A file or folder of the configuration folder, whether it is there or not; `None` for somebody without a home.
pub(in crate::ui) fn file(name: &str) -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.config_dir().join("causedby").join(name))
}
