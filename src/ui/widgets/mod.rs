//! Widgets: styled text cut and wrapped by its width on the screen, rows in a list and where it stands, a line that is typed, bars.

mod bars;
mod input;
mod rows;
mod scroll;
mod text;

pub(super) use bars::bars;
pub(super) use input::Input;
pub(super) use rows::{Look, Row, Rows, draw_rows, lines_in};
pub(super) use scroll::Scroll;
pub(super) use text::{clip, columns, one_line, wrap};
