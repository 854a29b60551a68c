//! What a person has set down: `config.toml`, `keymap.toml` and `themes/*.toml` in the configuration folder. Read
//! strictly: what is wrong is told with file and line.

mod folder;
mod new_rule;
mod print;
mod settings;
mod written;

pub(super) use folder::{file, keymap, theme};
pub(super) use new_rule::{begin as begin_rule, in_short, reread as reread_rules};
pub use print::{print_config, print_keys};
pub use settings::Settings;
pub use written::Mistake;
pub(super) use written::Written;
