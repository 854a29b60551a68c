//! What the names in a row mean: each name, and its two sentences below it.

use crate::ui::theme::{Role, Theme};
use crate::ui::widgets::{Row, Rows};
use ratatui::text::Span;

pub(super) struct Explained<'a> {
    lines: Vec<(Role, String)>,
    theme: &'a Theme,
}

impl<'a> Explained<'a> {
    pub(super) fn new(terms: &[(String, String)], theme: &'a Theme) -> Self {
        let mut lines = Vec::new();
        for (name, meaning) in terms {
            if !lines.is_empty() {
                lines.push((Role::Text, String::new()));
            }
            lines.push((Role::Strong, format!(" {name}")));
            lines.push((Role::Text, format!("   {meaning}")));
        }
        Self { lines, theme }
    }
}

impl Rows for Explained<'_> {
    fn len(&self) -> usize {
        self.lines.len()
    }

    fn row(&self, i: usize, _width: usize) -> Row {
        let (role, text) = &self.lines[i];
        Row::prose(3, Span::styled(text.clone(), self.theme.style(*role)))
    }
}
