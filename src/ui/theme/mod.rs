//! Themes: what a piece of the screen means, how it looks, and what the terminal can show of that.

mod depth;
mod role;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
mod theme;
mod written;

pub use depth::Depth;
pub use role::Role;
pub use theme::Theme;
