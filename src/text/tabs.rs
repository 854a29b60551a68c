//! In: text with tabs, which a terminal takes for orders to its cursor. Out: the same with spaces, its columns straight.

use std::borrow::Cow;
use unicode_width::UnicodeWidthStr as _;

/// Columns between two stops.
const TAB: usize = 4;

/// Tabs as spaces, in each line up to the next multiple of four columns.
pub fn expand_tabs(text: &str) -> Cow<'_, str> {
    if !text.contains('\t') {
        return Cow::Borrowed(text);
    }
    let mut expanded = String::with_capacity(text.len() + 16);
    for line in text.split_inclusive('\n') {
        let mut column = 0;
        for (i, piece) in line.split('\t').enumerate() {
            if i > 0 {
                let spaces = TAB - column % TAB;
                expanded.extend(std::iter::repeat_n(' ', spaces));
                column += spaces;
            }
            expanded.push_str(piece);
            column += piece.width();
        }
    }
    Cow::Owned(expanded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabs_go_to_the_next_stop_of_their_line() {
        assert_eq!(expand_tabs("\tat x"), "    at x");
        assert_eq!(expand_tabs("数\tb"), "数  b");
        assert_eq!(expand_tabs("a\tb\n\tc\n"), "a   b\n    c\n");
        assert!(matches!(expand_tabs("none\n"), Cow::Borrowed(_)));
    }
}
