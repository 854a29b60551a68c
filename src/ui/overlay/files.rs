//! What was opened, one row each: its name, what it is, how much of it there is; and what could not be read, and why.

use crate::load::Case;
use crate::text::SourceId;
use crate::ui::theme::{Role, Theme};
use crate::ui::widgets::{Row, Rows, one_line};
use ratatui::text::{Line, Span};

/// A file of the list.
#[derive(Debug, Clone)]
pub(in crate::ui) struct File {
    /// `None` where it was not read.
    pub(in crate::ui) source: Option<SourceId>,
    name: String,
    about: String,
}

/// What was opened, in its order; `root` is where the root of the selected incident lies.
pub(in crate::ui) fn files(case: &Case, root: Option<SourceId>) -> Vec<File> {
    let refused = &case.sources.refused;
    let why = |name: &str| refused.iter().find(|refusal| refusal.name == name);
    let read = case.sources.list.iter().map(|source| {
        let lines = case.lines.get(source.id.0 as usize).copied().unwrap_or(0);
        let mut about = vec![source.kind.word().replace('_', " ")];
        match (source.bytes, lines) {
            (0, _) => about.push("empty".to_owned()),
            (_, 0) => {}
            (_, 1) => about.push("1 line".to_owned()),
            (_, n) => about.push(format!("{n} lines")),
        }
        if root == Some(source.id) {
            about.push("the root cause".to_owned());
        }
        if let Some(refusal) = why(&source.name) {
            about.push(format!("not read: {}", one_line(&refusal.reason)));
        }
        File {
            source: Some(source.id),
            name: one_line(&source.name),
            about: about.join(" · "),
        }
    });
    let of_source = |name: &str| case.sources.list.iter().any(|source| source.name == name);
    let refused = refused.iter().filter(|refusal| !of_source(&refusal.name));
    let refused = refused.map(|refusal| File {
        source: None,
        name: one_line(&refusal.name),
        about: format!("not read: {}", one_line(&refusal.reason)),
    });
    read.chain(refused).collect()
}

pub(super) struct Files<'a> {
    pub(super) files: Vec<File>,
    pub(super) theme: &'a Theme,
}

impl Rows for Files<'_> {
    fn len(&self) -> usize {
        self.files.len()
    }

    fn row(&self, i: usize, _width: usize) -> Row {
        let file = &self.files[i];
        let number = if i < 9 {
            (i + 1).to_string()
        } else {
            " ".to_owned()
        };
        let (name, about) = match file.source {
            Some(_) => (Role::Text, Role::Dim),
            None => (Role::Dim, Role::Warning),
        };
        Row {
            hang: Some(6),
            ..Row::new(Line::from(vec![
                Span::styled(format!(" {number} "), self.theme.style(Role::Key)),
                Span::styled(format!("{}  ", file.name), self.theme.style(name)),
                Span::styled(file.about.clone(), self.theme.style(about)),
            ]))
        }
    }
}
