//! In: a key as written in a keymap, or as the terminal reports it. Out: a [`Chord`], and how people write it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::fmt;

/// One key with its modifiers, in one form however the terminal reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chord {
    code: KeyCode,
    modifiers: KeyModifiers,
}

const NAMED: &[(&str, KeyCode)] = &[
    ("Space", KeyCode::Char(' ')),
    ("Tab", KeyCode::Tab),
    ("Enter", KeyCode::Enter),
    ("Esc", KeyCode::Esc),
    ("Backspace", KeyCode::Backspace),
    ("Delete", KeyCode::Delete),
    ("Up", KeyCode::Up),
    ("Down", KeyCode::Down),
    ("Left", KeyCode::Left),
    ("Right", KeyCode::Right),
    ("Home", KeyCode::Home),
    ("End", KeyCode::End),
    ("PgUp", KeyCode::PageUp),
    ("PgDn", KeyCode::PageDown),
];

impl Chord {
    pub(super) const TAB: Self = Self {
        code: KeyCode::Tab,
        modifiers: KeyModifiers::NONE,
    };
    /// What most terminals send as Tab.
    pub(super) const CONTROL_I: Self = Self {
        code: KeyCode::Char('i'),
        modifiers: KeyModifiers::CONTROL,
    };

    /// Reads one key as a keymap writes it: `j`, `^d`, `S-Tab`, `F5`.
    pub fn parse(written: &str) -> Option<Self> {
        let mut modifiers = KeyModifiers::NONE;
        let mut rest = written;
        while rest.chars().count() > 1 {
            let (taken, modifier) = match rest {
                r if r.starts_with('^') => ('^'.len_utf8(), KeyModifiers::CONTROL),
                r if r.starts_with("S-") => (2, KeyModifiers::SHIFT),
                r if r.starts_with("M-") => (2, KeyModifiers::ALT),
                _ => break,
            };
            modifiers |= modifier;
            rest = &rest[taken..];
        }
        let mut chars = rest.chars();
        let code = match (chars.next(), chars.next()) {
            (Some(c), None) if !c.is_whitespace() => KeyCode::Char(c),
            _ => match NAMED.iter().find(|(name, _)| *name == rest) {
                Some((_, code)) => *code,
                None => match rest.strip_prefix('F')?.parse() {
                    Ok(n @ 1..=24) => KeyCode::F(n),
                    _ => return None,
                },
            },
        };
        Some(Self::new(code, modifiers))
    }

    /// The character it types, where it types one.
    pub fn typed(self) -> Option<char> {
        match self.code {
            KeyCode::Char(c)
                if !self
                    .modifiers
                    .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) =>
            {
                Some(c)
            }
            _ => None,
        }
    }

    /// The key without its modifiers.
    pub fn code(self) -> KeyCode {
        self.code
    }

    /// Whether Ctrl is held.
    pub fn is_control(self) -> bool {
        self.modifiers.contains(KeyModifiers::CONTROL)
    }

    pub(super) fn new(code: KeyCode, modifiers: KeyModifiers) -> Self {
        let mut modifiers =
            modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT);
        let code = match code {
            KeyCode::BackTab => {
                modifiers |= KeyModifiers::SHIFT;
                KeyCode::Tab
            }
            // The character says already whether Shift was held; with Ctrl its case says nothing.
            KeyCode::Char(c) => {
                modifiers -= KeyModifiers::SHIFT;
                if modifiers.contains(KeyModifiers::CONTROL) {
                    KeyCode::Char(c.to_ascii_lowercase())
                } else {
                    KeyCode::Char(c)
                }
            }
            other => other,
        };
        Self { code, modifiers }
    }
}

impl From<KeyEvent> for Chord {
    fn from(event: KeyEvent) -> Self {
        Self::new(event.code, event.modifiers)
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.modifiers.contains(KeyModifiers::CONTROL) {
            f.write_str("^")?;
        }
        if self.modifiers.contains(KeyModifiers::ALT) {
            f.write_str("M-")?;
        }
        if self.modifiers.contains(KeyModifiers::SHIFT) {
            f.write_str("S-")?;
        }
        if let Some((name, _)) = NAMED.iter().find(|(_, code)| *code == self.code) {
            return f.write_str(name);
        }
        match self.code {
            KeyCode::Char(c) => write!(f, "{c}"),
            KeyCode::F(n) => write!(f, "F{n}"),
            other => write!(f, "{other}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_what_is_shown() {
        for written in [
            "j", "^d", "S-Tab", "F5", "Space", "PgDn", "^", "M-x", "'", "&",
        ] {
            let chord = Chord::parse(written).expect(written);
            assert_eq!(chord.to_string(), written);
        }
        for nonsense in ["", "jj", "Fx", "F99", "S-", "Hyper-x"] {
            assert_eq!(Chord::parse(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn terminals_report_one_key_in_several_ways() {
        let pressed = |code, modifiers| Chord::from(KeyEvent::new(code, modifiers));
        assert_eq!(
            Some(pressed(KeyCode::BackTab, KeyModifiers::NONE)),
            Chord::parse("S-Tab")
        );
        assert_eq!(
            Some(pressed(KeyCode::Char('G'), KeyModifiers::SHIFT)),
            Chord::parse("G")
        );
        assert_eq!(
            Some(pressed(
                KeyCode::Char('D'),
                KeyModifiers::SHIFT | KeyModifiers::CONTROL
            )),
            Chord::parse("^d")
        );
    }
}
