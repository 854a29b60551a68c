//! In: what a terminal says of its size. Out: the size to draw on.
//!
//! A serial line or a container's console often says that it has no size at all.

use ratatui::layout::{Rect, Size};
use std::env;

/// What terminals have had since there were any.
const USUAL: (u16, u16) = (80, 24);

/// Columns or lines that a screen may have: what is larger by far is no screen, and would cost memory for each of its places.
const MOST: u16 = 1_000;

/// Whether it says anything that can be so.
pub(super) fn is_told(size: Size) -> bool {
    [size.width, size.height]
        .iter()
        .all(|n| (1..=MOST).contains(n))
}

/// The size of a terminal that says nothing: what the environment tells, else the usual one.
pub(super) fn guessed() -> Rect {
    let told = |name| env::var(name).ok().and_then(|value| sensible(&value));
    Rect::new(
        0,
        0,
        told("COLUMNS").unwrap_or(USUAL.0),
        told("LINES").unwrap_or(USUAL.1),
    )
}

/// A number of columns or lines that a screen may have.
fn sensible(value: &str) -> Option<u16> {
    value.trim().parse().ok().filter(|n| (1..=MOST).contains(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_size_and_one_beyond_all_screens_say_nothing() {
        for (width, height, told) in [
            (80, 24, true),
            (1_000, 1, true),
            (0, 24, false),
            (80, 0, false),
            (1_001, 24, false),
            (65_535, 65_535, false),
        ] {
            assert_eq!(
                is_told(Size::new(width, height)),
                told,
                "{width} × {height}"
            );
        }
    }

    #[test]
    fn only_sensible_numbers_are_taken() {
        assert_eq!(sensible(" 132 "), Some(132));
        for nonsense in ["", "0", "-5", "many", "99999"] {
            assert_eq!(sensible(nonsense), None, "{nonsense}");
        }
    }
}
