//! The screen: a failure explored by keyboard, and its cause copied.
//!
//! In: a [`Case`](crate::load::Case), keys. Out: frames, and texts for the clipboard. [`App`] is the screen as a value:
//! [`App::update`] takes an [`Event`] and returns [`Effect`]s, [`App::draw`] draws; the loop in `run.rs` does the rest.
//!
//! ```text
//! choose                        which run of a History Server, where none was named
//! run ── reading, terminal     the loop, what is read beside it, the terminal; copy: the clipboard
//!  └ app ── input, mouse, act    what a key asks for, what an action does
//!     ├ steps, jumps, matches    along the failure; into the log, to a file, back; from match to match
//!     ├ wanted                   what a copy is about
//!     ├ selection, trail, visits where it points, where one can go back to, how it was left
//!     ├ session                  a spot in words, and from one time to the next
//!     ├ config                   a person's own settings, keys and themes
//!     ├ keymap, action, key      which keys ask for what
//!     ├ overlay, hop             help, menus, command line, prompts; letters on the rows
//!     ├ finding, query           search and filter; questions, find, sift: their answers, from threads of their own
//!     └ draw ── layout, shape, header, footer, captions, panes, raw, widgets, theme
//! ```

mod act;
mod action;
mod app;
mod captions;
mod choose;
mod code;
mod config;
mod context;
pub mod copy;
pub mod doctor;
mod draw;
mod event;
mod find;
mod finding;
mod footer;
mod header;
mod hop;
mod input;
mod jumps;
mod key;
mod keymap;
mod layout;
mod matches;
mod meaning;
mod mouse;
mod order;
mod overlay;
mod panes;
mod query;
mod questions;
mod raw;
mod reading;
mod run;
#[cfg(test)]
mod sample;
mod secrets;
mod selection;
mod session;
mod shape;
mod sift;
mod steps;
pub mod terminal;
mod texts;
mod theme;
mod times;
mod trail;
mod visits;
mod wanted;
mod widgets;

pub use action::{Action, Group};
pub use app::App;
pub use choose::choose;
pub use config::{Mistake, Settings, print_config, print_keys};
pub use event::{Effect, Event, Wanted};
pub use key::Chord;
pub use keymap::{Keymap, Meaning, Section};
pub use panes::Pane;
pub use query::Query;
pub use reading::Opening;
pub use run::{Explore, explore};
pub use selection::{Selection, Target};
pub use session::At;
pub use theme::{Depth, Role, Theme};
