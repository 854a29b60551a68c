//! In: what the screen goes by. Out: the same as files that can be kept and changed.

use super::folder::file;
use crate::ui::action::Action;
use crate::ui::copy::{How, kept_in};
use crate::ui::keymap::{Keymap, Section};
use crate::ui::run::Explore;
use std::fmt::Write as _;
use std::path::Path;

/// What is set here and where it comes from, as a `config.toml`.
///
/// # Errors
/// Where the keys or the theme in use cannot be read.
pub fn print_config(options: &Explore) -> anyhow::Result<String> {
    options.theme()?;
    options.keys()?;
    let mut text = "# What the explorer goes by here. Kept as config.toml, a line without `#` sets it for every time;\n\
                    # an option of the command line goes before it. What was set by nobody stands behind `#`.\n#\n"
        .to_owned();
    let mut tell = |what: &str, path: Option<&Path>| {
        let Some(path) = path else { return };
        let there = if path.exists() { "" } else { "  (not there)" };
        let _ = writeln!(
            text,
            "# {what:<11} {}{there}",
            crate::text::sanitise_line(&path.to_string_lossy())
        );
    };
    tell("settings", file("config.toml").as_deref());
    let keymap = options.keymap.clone().or_else(|| file("keymap.toml"));
    tell("keys", keymap.as_deref());
    tell("themes", file("themes").as_deref());
    tell("rules", file("rules").as_deref());
    tell("last copy", kept_in().as_deref());
    text.push('\n');
    let mut set = |is_set: bool, line: &str, says: &str| {
        let mark = if is_set { "" } else { "# " };
        let line = format!("{mark}{line}");
        let _ = writeln!(text, "{line:<22} # {says}");
    };
    set(
        options.theme.is_some(),
        &format!("theme = {:?}", options.theme_name()),
        "its name, or a file; set by nobody, dark or light by the terminal's background",
    );
    set(
        !options.mouse,
        &format!("mouse = {}", options.mouse),
        "whether it clicks and scrolls here",
    );
    set(
        options.wrap,
        &format!("wrap = {}", options.wrap),
        "whether long lines are wrapped at first",
    );
    set(
        !options.sessions,
        &format!("sessions = {}", options.sessions),
        "whether the same logs open where they were left",
    );
    set(
        options.clipboard != How::Auto,
        &format!("clipboard = \"{}\"", How::name(options.clipboard)),
        "how copies travel: auto, tmux, screen, osc52, native, file, none",
    );
    Ok(text)
}

/// The keys in use, as a `keymap.toml`.
///
/// # Errors
/// Where they cannot be read.
pub fn print_keys(options: &Explore) -> anyhow::Result<String> {
    let keymap = options.keys()?;
    let mut text = String::new();
    for section in [
        Section::Global,
        Section::List,
        Section::Trace,
        Section::Fixes,
        Section::Profiles,
    ] {
        let _ = writeln!(text, "[{}]", section.name());
        for action in Action::ALL
            .iter()
            .filter(|a| keymap.section(**a) == Some(section))
        {
            let line = format!("{} = [{}]", action.name(), quoted(&keymap, *action));
            let _ = writeln!(text, "{line:<34} # {}", action.help());
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    Ok(text)
}

/// `"z a", "Space"`
fn quoted(keymap: &Keymap, action: Action) -> String {
    let keys = keymap.sequences(action);
    let quoted: Vec<String> = keys.iter().map(|keys| format!("{keys:?}")).collect();
    quoted.join(", ")
}
