//! What can be copied, one row each; a text that is shown whole.

use crate::ui::action::Action;
use crate::ui::theme::{Role, Theme};
use crate::ui::widgets::{Row, Rows};
use ratatui::text::{Line, Span};

/// The copies of the menu, in its order.
pub(in crate::ui) const COPIES: [Action; 8] = [
    Action::CopyRoot,
    Action::CopyChain,
    Action::CopyFrame,
    Action::CopyTrace,
    Action::CopyStep,
    Action::CopyFix,
    Action::CopyTicket,
    Action::CopyRaw,
];

pub(super) struct Menu<'a> {
    pub(super) theme: &'a Theme,
}

impl Rows for Menu<'_> {
    fn len(&self) -> usize {
        COPIES.len()
    }

    fn row(&self, i: usize, _width: usize) -> Row {
        let help = COPIES[i].help().trim_start_matches("Copy ");
        Row::new(Line::from(vec![
            Span::styled(format!(" {} ", i + 1), self.theme.style(Role::Key)),
            Span::styled(help.to_owned(), self.theme.style(Role::Text)),
        ]))
    }
}

/// A text as one row that is shown whole.
pub(super) struct Note<'a> {
    text: String,
    theme: &'a Theme,
}

impl<'a> Note<'a> {
    pub(super) fn new(text: &str, theme: &'a Theme) -> Self {
        Self {
            text: text.to_owned(),
            theme,
        }
    }
}

impl Rows for Note<'_> {
    fn len(&self) -> usize {
        1
    }

    fn row(&self, _i: usize, _width: usize) -> Row {
        Row::prose(
            0,
            Span::styled(self.text.clone(), self.theme.style(Role::Strong)),
        )
    }
}

/// No rows.
pub(super) struct Nothing;

impl Rows for Nothing {
    fn len(&self) -> usize {
        0
    }

    fn row(&self, _i: usize, _width: usize) -> Row {
        Row::default()
    }
}
