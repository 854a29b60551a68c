//! In: the profiles of an outline. Out: their part of the ticket.

use super::ticket::{at, code, inline, more};
use crate::report::outline::Outline;
use std::fmt::Write as _;

/// Rows of one profile without `--all`.
const ROWS: usize = 5;

pub(super) fn profiles(out: &mut String, outline: &Outline, most: usize) {
    if outline.profiles.is_empty() {
        return;
    }
    let rows = if most == usize::MAX { most } else { ROWS };
    out.push_str("## Profiles\n\n");
    for profile in outline.profiles.iter().take(most) {
        let text = inline(profile.text.as_str());
        let at_head = at(profile.spot.as_ref());
        let _ = writeln!(out, "- **{}** {text}{at_head}", profile.whose);
        for hot in profile.hot.iter().take(rows) {
            let line = hot.code.as_ref();
            let line = line.map_or_else(String::new, |line| format!(": {}", code(line.as_str())));
            let text = inline(hot.text.as_str());
            let _ = writeln!(out, "  - hot: {text}{line}{}", at(hot.spot.as_ref()));
        }
    }
    more(out, outline.profiles.len(), most);
    out.push('\n');
}
