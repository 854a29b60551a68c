//! In: the bytes of one key or of one act of the mouse. Out: the event, as the rest of the screen knows it.
//!
//! What terminals are asked for is read, and what some send unasked: keys as xterm, the Linux console and tmux send them, with
//! their modifiers, also in the form `CSI code u`; the mouse in coordinates of any size and in the old form.

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

/// What a sequence means; `None` where it means nothing here.
pub(super) fn event(sequence: &[u8]) -> Option<Event> {
    match sequence {
        [0x1b] => Some(key(KeyCode::Esc, KeyModifiers::NONE)),
        [0x1b, b'[', b'<', rest @ .., end @ (b'M' | b'm')] => {
            let [button, column, row] = numbers(rest)[..] else {
                return None;
            };
            mouse(button, column, row, *end == b'm')
        }
        [0x1b, b'[', b'M', button, column, row] => {
            let [button, column, row] = [button, column, row].map(|b| u16::from(*b));
            mouse(
                button.checked_sub(32)?,
                column.checked_sub(32)?,
                row.checked_sub(32)?,
                false,
            )
        }
        [0x1b, b'[', b'[', n @ b'A'..=b'E'] => {
            Some(key(KeyCode::F(n - b'A' + 1), KeyModifiers::NONE))
        }
        [0x1b, b'[', rest @ .., end] => control_sequence(rest, *end),
        [0x1b, b'O', end] => Some(key(named(*end)?, KeyModifiers::NONE)),
        [0x1b, rest @ ..] => typed(rest, KeyModifiers::ALT),
        _ => typed(sequence, KeyModifiers::NONE),
    }
}

fn key(code: KeyCode, modifiers: KeyModifiers) -> Event {
    Event::Key(KeyEvent::new(code, modifiers))
}

/// A character, or what Ctrl makes of one.
fn typed(bytes: &[u8], modifiers: KeyModifiers) -> Option<Event> {
    let control = |c: u8| (KeyCode::Char(char::from(c)), KeyModifiers::CONTROL);
    let none = KeyModifiers::NONE;
    let (code, more) = match *bytes {
        [b'\r'] => (KeyCode::Enter, none),
        [b'\t'] => (KeyCode::Tab, none),
        [0x7f] => (KeyCode::Backspace, none),
        [0] => control(b' '),
        [c @ 1..=0x1a] => control(c - 1 + b'a'),
        [c @ 0x1c..=0x1f] => control(c - 0x1c + b'4'),
        _ => {
            let c = std::str::from_utf8(bytes).ok()?.chars().next()?;
            let shift = if c.is_uppercase() {
                KeyModifiers::SHIFT
            } else {
                none
            };
            (KeyCode::Char(c), shift)
        }
    };
    Some(key(code, modifiers | more))
}

/// `ESC [ 1 ; 5 A`: what the key is, and with which modifiers.
fn control_sequence(parameters: &[u8], end: u8) -> Option<Event> {
    let numbers = numbers(parameters);
    let first = numbers.first().copied();
    let code = match end {
        b'~' => with_number(first?)?,
        b'u' => with_code(first?)?,
        b'Z' => return Some(key(KeyCode::BackTab, KeyModifiers::SHIFT)),
        // Where it has a number, it is always this one.
        _ if first.is_none_or(|n| n == 1) => named(end)?,
        _ => return None,
    };
    let modifiers = modifiers(numbers.get(1).copied().unwrap_or(1));
    let code = match code {
        KeyCode::Tab if modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
        code => code,
    };
    // `:3` behind the modifiers: the key was let go.
    let kind = if parameters.ends_with(b":3") {
        KeyEventKind::Release
    } else {
        KeyEventKind::Press
    };
    Some(Event::Key(KeyEvent::new_with_kind(code, modifiers, kind)))
}

/// The numbers between semicolons; of `97:65` the first.
fn numbers(parameters: &[u8]) -> Vec<u16> {
    let number = |part: &[u8]| {
        let part = part.split(|b| *b == b':').next()?;
        std::str::from_utf8(part).ok()?.parse().ok()
    };
    let parts = parameters.split(|b| *b == b';');
    parts.map_while(number).collect()
}

fn named(end: u8) -> Option<KeyCode> {
    Some(match end {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        b'P'..=b'S' => KeyCode::F(end - b'P' + 1),
        _ => return None,
    })
}

fn with_number(number: u16) -> Option<KeyCode> {
    let function = |less| u8::try_from(number - less).ok().map(KeyCode::F);
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => return function(10),
        17..=21 => return function(11),
        23..=26 => return function(12),
        28 | 29 => return function(13),
        31..=34 => return function(14),
        _ => return None,
    })
}

fn with_code(code: u16) -> Option<KeyCode> {
    Some(match code {
        9 => KeyCode::Tab,
        13 => KeyCode::Enter,
        27 => KeyCode::Esc,
        127 => KeyCode::Backspace,
        code => KeyCode::Char(char::from_u32(code.into()).filter(|c| !c.is_control())?),
    })
}

/// One more than the bits of what is held.
fn modifiers(number: u16) -> KeyModifiers {
    let bits = number.saturating_sub(1);
    let held = [
        (1, KeyModifiers::SHIFT),
        (2, KeyModifiers::ALT),
        (4, KeyModifiers::CONTROL),
    ];
    let held = held.iter().filter(|(bit, _)| bits & bit != 0);
    held.fold(KeyModifiers::NONE, |all, (_, one)| all | *one)
}

/// An act of the mouse; columns and rows are counted from 1, and one that is sent as 0 is the first.
fn mouse(button: u16, column: u16, row: u16, released: bool) -> Option<Event> {
    let (shift, alt, control, moves) = (4, 8, 16, 32);
    let left_or = |n| match n {
        0 => MouseButton::Left,
        1 => MouseButton::Middle,
        _ => MouseButton::Right,
    };
    let kind = match (
        button & !(shift | alt | control | moves),
        button & moves != 0,
    ) {
        (n @ 0..=2, false) if released => MouseEventKind::Up(left_or(n)),
        (n @ 0..=2, false) => MouseEventKind::Down(left_or(n)),
        (3, false) => MouseEventKind::Up(MouseButton::Left),
        (n @ 0..=2, true) => MouseEventKind::Drag(left_or(n)),
        (3, true) => MouseEventKind::Moved,
        (64, false) => MouseEventKind::ScrollUp,
        (65, false) => MouseEventKind::ScrollDown,
        (66, false) => MouseEventKind::ScrollLeft,
        (67, false) => MouseEventKind::ScrollRight,
        _ => return None,
    };
    let held = [
        (shift, KeyModifiers::SHIFT),
        (alt, KeyModifiers::ALT),
        (control, KeyModifiers::CONTROL),
    ];
    let held = held.iter().filter(|(bit, _)| button & bit != 0);
    Some(Event::Mouse(MouseEvent {
        kind,
        column: column.saturating_sub(1),
        row: row.saturating_sub(1),
        modifiers: held.fold(KeyModifiers::NONE, |all, (_, one)| all | *one),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::key::Chord;
    use proptest::prelude::*;

    /// The key as a keymap writes it.
    fn pressed(sequence: &str) -> String {
        match event(sequence.as_bytes()) {
            Some(Event::Key(key)) if key.kind == KeyEventKind::Press => {
                Chord::from(key).to_string()
            }
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn keys_are_those_that_a_keymap_names() {
        for (sequence, named) in [
            ("j", "j"),
            ("J", "J"),
            ("é", "é"),
            ("語", "語"),
            (" ", "Space"),
            ("\r", "Enter"),
            ("\t", "Tab"),
            ("\x7f", "Backspace"),
            ("\x03", "^c"),
            ("\x1a", "^z"),
            ("\x1b", "Esc"),
            ("\x1bx", "M-x"),
            ("\x1b[", "M-["),
            ("\x1bO", "M-O"),
            ("\x1b[Z", "S-Tab"),
            ("\x1b[A", "Up"),
            ("\x1bOB", "Down"),
            ("\x1b[1;5C", "^Right"),
            ("\x1b[1;2D", "S-Left"),
            ("\x1b[H", "Home"),
            ("\x1b[4~", "End"),
            ("\x1b[5~", "PgUp"),
            ("\x1b[6;3~", "M-PgDn"),
            ("\x1b[3~", "Delete"),
            ("\x1bOP", "F1"),
            ("\x1b[[E", "F5"),
            ("\x1b[15~", "F5"),
            ("\x1b[21~", "F10"),
            ("\x1b[24~", "F12"),
            ("\x1b[34~", "F20"),
            ("\x1b[97;5u", "^a"),
            ("\x1b[9;2u", "S-Tab"),
            ("\x1b[13u", "Enter"),
        ] {
            assert_eq!(pressed(sequence), named, "{sequence:?}");
        }
        let released = event(b"\x1b[97;1:3u");
        assert!(matches!(released, Some(Event::Key(key)) if key.kind == KeyEventKind::Release));
        for nothing in [
            "\x1b[201~",
            "\x1b[?1;2c",
            "\x1b[I",
            "\x1b[3;5R",
            "\x1b[<1M",
            "\x1b[99~",
            "\x1b[7u",
        ] {
            assert_eq!(event(nothing.as_bytes()), None, "{nothing:?}");
        }
    }

    #[test]
    fn the_mouse_is_where_it_is_in_both_forms() {
        let act = |sequence: &str| match event(sequence.as_bytes()) {
            Some(Event::Mouse(mouse)) => (mouse.kind, mouse.column, mouse.row),
            other => panic!("{sequence:?}: {other:?}"),
        };
        let left = MouseButton::Left;
        assert_eq!(act("\x1b[<0;5;6M"), (MouseEventKind::Down(left), 4, 5));
        assert_eq!(act("\x1b[<0;500;6m"), (MouseEventKind::Up(left), 499, 5));
        assert_eq!(act("\x1b[<32;5;6M"), (MouseEventKind::Drag(left), 4, 5));
        assert_eq!(act("\x1b[<65;5;6M"), (MouseEventKind::ScrollDown, 4, 5));
        assert_eq!(act("\x1b[M %&"), (MouseEventKind::Down(left), 4, 5));
        assert_eq!(act("\x1b[M#%&"), (MouseEventKind::Up(left), 4, 5));
        // A terminal that counts from 0.
        assert_eq!(act("\x1b[<0;0;0M"), (MouseEventKind::Down(left), 0, 0));
        assert_eq!(event(b"\x1b[<0;99999;1M"), None);
    }

    proptest! {
        #[test]
        fn no_sequence_is_a_fault(
            bytes in proptest::collection::vec(any::<u8>(), 0..12),
            rest in "[<0-9;:M]{0,12}[A-Zmu~]",
        ) {
            event(&bytes);
            event(&[b"\x1b[", rest.as_bytes()].concat());
        }
    }
}
