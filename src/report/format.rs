//! In: a case, a [`Format`] and a [`Manner`]. Out: the report as one string.

use super::json;
use crate::load::Case;

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// For a terminal and a mail.
    #[default]
    Text,
    /// For scripts: the contract in the README.
    Json,
    /// For a ticket.
    Markdown,
}

/// What a reader asked for besides the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Manner {
    /// Tell everything, however long.
    pub all: bool,
    /// Colours, for a terminal.
    pub colour: bool,
    /// Tell of this incident, counted from 1 in order of importance, instead of the first.
    pub incident: Option<usize>,
}

/// The report, ending in a line end.
pub fn render(case: &Case, format: Format, _manner: Manner) -> String {
    match format {
        Format::Json | Format::Text | Format::Markdown => json::render(case),
    }
}
