//! The box into which a trace is pasted. In: keys, where the terminal sends a paste as such. Out: the pasted lines.
//!
//! Most terminals mark a paste, and it is read at once. The others type it key by key: its lines gather here
//! until `^d`, and no letter of it is taken for a command.

use super::overlay::Answer;
use crate::text::{counted, sanitise_line};
use crate::ui::key::Chord;
use crate::ui::theme::{Role, Theme};
use crate::ui::widgets::{Row, Rows};
use crossterm::event::KeyCode;
use ratatui::text::{Line, Span};

/// More bytes than this are nobody's paste.
const MOST: usize = 16 << 20;

/// Takes a key.
pub(super) fn press(lines: &mut Vec<String>, key: Chord) -> Answer {
    let size: usize = lines.iter().map(String::len).sum();
    match key.code() {
        KeyCode::Esc => return Answer::Close,
        KeyCode::Char('d') if key.is_control() => return Answer::Typed,
        // A terminal in raw mode sends a pasted line feed as `^j`.
        KeyCode::Char('j') if key.is_control() => lines.push(String::new()),
        KeyCode::Enter => lines.push(String::new()),
        KeyCode::Tab => type_into(lines, '\t', size),
        KeyCode::Backspace => {
            if lines.last_mut().is_some_and(|line| line.pop().is_none()) && lines.len() > 1 {
                lines.pop();
            }
        }
        _ => {
            if let Some(letter) = key.typed() {
                type_into(lines, letter, size);
            }
        }
    }
    Answer::Stay
}

fn type_into(lines: &mut [String], letter: char, size: usize) {
    if size < MOST
        && let Some(line) = lines.last_mut()
    {
        line.push(letter);
    }
}

/// What the box shows: how it is used, and the end of what came.
pub(super) struct PasteBox<'a> {
    rows: Vec<(Role, String)>,
    theme: &'a Theme,
}

impl<'a> PasteBox<'a> {
    pub(super) fn new(lines: &[String], theme: &'a Theme) -> Self {
        /// Of a paste that is typed, the last lines are enough to see it arrive.
        const SHOWN: usize = 5;
        let mut rows = vec![
            (Role::Text, "Paste now: it is read at once.".to_owned()),
            (
                Role::Dim,
                "Lines appear here instead? ^d reads them.".to_owned(),
            ),
        ];
        if lines.iter().any(|line| !line.is_empty()) {
            rows.push((
                Role::Dim,
                format!("{} so far", counted(lines.len() as u64, "line")),
            ));
            let last = &lines[lines.len().saturating_sub(SHOWN)..];
            rows.extend(
                last.iter()
                    .map(|line| (Role::Text, sanitise_line(line).into_owned())),
            );
        }
        Self { rows, theme }
    }
}

impl Rows for PasteBox<'_> {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, i: usize, _width: usize) -> Row {
        let (role, text) = &self.rows[i];
        Row::new(Line::from(Span::styled(
            format!(" {text} "),
            self.theme.style(*role),
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paste_that_is_typed_keeps_its_lines() {
        let mut lines = vec![String::new()];
        for key in ["q", "Enter", "Tab", "a", "t"] {
            assert_eq!(
                press(&mut lines, Chord::parse(key).expect("a key")),
                Answer::Stay
            );
        }
        assert_eq!(lines, ["q", "\tat"]);
        assert_eq!(
            press(&mut lines, Chord::parse("^d").expect("a key")),
            Answer::Typed
        );
    }
}
