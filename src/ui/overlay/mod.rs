//! Overlays: what lies over the panes and takes the keys first: help, the menu of copies, the command line, prompts.

mod command;
mod explain;
mod files;
mod given;
mod help;
mod menu;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
mod overlay;
mod paste;
mod which;

pub(super) use files::files;
pub(super) use overlay::{Answer, Overlay};
pub(super) use which::which_rows;
