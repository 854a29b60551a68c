//! In: keys. Out: the text of one line, and where the cursor stands in it.

use crate::ui::key::Chord;
use crossterm::event::KeyCode;
use unicode_segmentation::UnicodeSegmentation;

/// Longer input is not taken.
const LONGEST: usize = 1_000;

/// A line that is being typed; the cursor moves over whole characters as they are seen.
#[derive(Debug, Clone, Default)]
pub(crate) struct Input {
    text: String,
    /// In bytes; always at the edge of a grapheme.
    cursor: usize,
}

impl Input {
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// What stands before and after the cursor.
    pub(crate) fn halves(&self) -> (&str, &str) {
        self.text.split_at(self.cursor)
    }

    /// Takes text as if typed; line ends and controls become spaces.
    pub(crate) fn insert(&mut self, text: &str) {
        for c in text.chars() {
            if self.text.len() + c.len_utf8() > LONGEST {
                return;
            }
            let c = if c.is_control() { ' ' } else { c };
            self.text.insert(self.cursor, c);
            self.cursor += c.len_utf8();
        }
        // A combining mark joins what stands before it: the edge moves behind the whole character.
        self.cursor = self
            .next_edge(self.cursor.saturating_sub(1))
            .max(self.cursor);
    }

    /// Whether the key meant something here.
    pub(crate) fn press(&mut self, key: Chord) -> bool {
        if let Some(c) = key.typed() {
            self.insert(c.encode_utf8(&mut [0; 4]));
            return true;
        }
        match (key.code(), key.is_control()) {
            (KeyCode::Backspace, _) | (KeyCode::Char('h'), true) => {
                self.delete_to(self.previous_edge());
            }
            (KeyCode::Delete, _) => {
                let end = self.next_edge(self.cursor);
                self.text.replace_range(self.cursor..end, "");
            }
            (KeyCode::Left, _) | (KeyCode::Char('b'), true) => self.cursor = self.previous_edge(),
            (KeyCode::Right, _) => self.cursor = self.next_edge(self.cursor),
            (KeyCode::Home, _) | (KeyCode::Char('a'), true) => self.cursor = 0,
            (KeyCode::End, _) | (KeyCode::Char('e'), true) => self.cursor = self.text.len(),
            (KeyCode::Char('u'), true) => self.delete_to(0),
            (KeyCode::Char('w'), true) => {
                let before = self.text[..self.cursor].trim_end();
                let word = before.rfind(char::is_whitespace).map_or(0, |i| {
                    i + before[i..].chars().next().map_or(0, char::len_utf8)
                });
                self.delete_to(word);
            }
            _ => return false,
        }
        true
    }

    fn delete_to(&mut self, start: usize) {
        self.text.replace_range(start..self.cursor, "");
        self.cursor = start;
    }

    fn previous_edge(&self) -> usize {
        self.text[..self.cursor]
            .grapheme_indices(true)
            .next_back()
            .map_or(0, |(i, _)| i)
    }

    fn next_edge(&self, from: usize) -> usize {
        self.text
            .grapheme_indices(true)
            .map(|(i, g)| i + g.len())
            .find(|end| *end > from)
            .unwrap_or(self.text.len())
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use proptest::prelude::*;

    fn pressed(keys: &[&str]) -> Input {
        let mut input = Input::default();
        for key in keys {
            input.press(Chord::parse(key).unwrap());
        }
        input
    }

    #[test]
    fn words_and_wide_characters_go_whole() {
        let mut input = pressed(&["a", "Space", "b", "c", "^w"]);
        assert_eq!(input.text(), "a ");
        input.insert("数e\u{301}");
        input.press(Chord::parse("Backspace").unwrap());
        assert_eq!(input.text(), "a 数");
        input.press(Chord::parse("Home").unwrap());
        input.press(Chord::parse("Delete").unwrap());
        assert_eq!(input.halves(), ("", " 数"));
        input.press(Chord::parse("End").unwrap());
        input.press(Chord::parse("^u").unwrap());
        assert_eq!(input.text(), "");
    }

    proptest! {
        #[test]
        fn any_keys_and_pastes_leave_the_cursor_within(steps in prop::collection::vec((0..9usize, ".{0,4}"), 0..40)) {
            let keys = ["Left", "Right", "Home", "End", "Backspace", "Delete", "^w", "^u"];
            let mut input = Input::default();
            for (key, paste) in steps {
                match keys.get(key) {
                    Some(key) => { input.press(Chord::parse(key).unwrap()); }
                    None => input.insert(&paste),
                }
                prop_assert!(input.text().is_char_boundary(input.cursor));
            }
        }
    }
}
