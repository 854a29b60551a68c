//! In: one line of a message. Out: its pieces: SQL and query plans stand out from prose.

use crate::text::pattern;
use crate::ui::context::Context;
use crate::ui::theme::Role;
use ratatui::text::Span;
use regex::Regex;
use std::sync::LazyLock;

static SQL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^\s*(?:(?i:SELECT|FROM|WHERE|LEFT JOIN|INNER JOIN|JOIN|GROUP BY|ORDER BY|HAVING|UNION|INSERT INTO|CREATE (?:OR|TABLE|TEMP)|WITH \w+ AS)\b)")
        .expect("a valid pattern")
});
/// The lines and joints of a plan's tree, the operator, the rest.
static PLAN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^([\s:|+*!-]*(?:\+-|:-)\s?(?:\*?\(\d+\)\s)?)('?!?[A-Z]\w+)(.*)$")
        .expect("a valid pattern")
});
/// `'Project ['missing]`, `!Filter (…)`: the top of an unresolved plan.
static PLAN_TOP: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(\s*)(['!][A-Z]\w+)(\s?[\[(].*)?$").expect("a valid pattern"));
/// What a section of a message is about: `SQL` of `== SQL (line 1, position 8) ==`.
static SECTION: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s*== (.*) ==\s*$").expect("a valid pattern"));
/// The marks under the place where a parser stopped.
static CARETS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^[\s-]*\^+[\s^-]*$").expect("a valid pattern"));

/// The line of a person's program that a `DataFrame` was built at.
static SPOT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^\s*\S+\.(?:py|ipynb|scala|java|R):\d+\s*$").expect("a valid pattern")
});

/// What the section is about that a line heads, where it heads one.
pub(super) fn heading(text: &str) -> Option<&str> {
    SECTION.captures(text)?.get(1).map(|m| m.as_str())
}

/// The pieces of one line of a statement.
pub(super) fn sql(cx: &Context<'_>, text: &str) -> Vec<Span<'static>> {
    if CARETS.is_match(text) {
        return vec![cx.span(Role::Failed, text)];
    }
    if heading(text).is_some() {
        return pieces(cx, text);
    }
    let painted = cx.painter.paint("sql", text);
    let pieces = painted.iter().flatten();
    pieces
        .map(|(role, piece)| cx.span(*role, piece.clone()))
        .collect()
}

/// The pieces of one line; joined they are the line.
pub(super) fn pieces(cx: &Context<'_>, text: &str) -> Vec<Span<'static>> {
    if heading(text).is_some() {
        return vec![cx.span(Role::Strong, text)];
    }
    if let Some(found) = PLAN.captures(text).or_else(|| PLAN_TOP.captures(text)) {
        let piece = |i: usize| found.get(i).map_or("", |m| m.as_str());
        return vec![
            cx.span(Role::Dim, piece(1)),
            cx.span(Role::Class, piece(2)),
            cx.span(Role::Message, piece(3)),
        ];
    }
    if SQL.is_match(text) {
        return sql(cx, text);
    }
    if SPOT.is_match(text) {
        return vec![cx.span(Role::OwnCode, text)];
    }
    vec![cx.span(Role::Message, text)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_and_marks_are_told_from_statements() {
        assert_eq!(
            heading("== SQL (line 1, position 8) =="),
            Some("SQL (line 1, position 8)")
        );
        assert_eq!(heading("WHERE a == b"), None);
        assert!(CARETS.is_match("----------^^^") && CARETS.is_match("       ^^^^^^^"));
        assert!(!CARETS.is_match("---") && !CARETS.is_match("a ^ b"));
        assert!(PLAN.is_match("   +- 'UnresolvedRelation [orders], [], false"));
        assert!(PLAN.is_match("+- *(1) Scan ExistingRDD[a#1]"));
        assert!(
            PLAN_TOP.is_match("'Project ['missing]")
                && !PLAN_TOP.is_match("'unknown' is no number")
        );
        assert!(SPOT.is_match("/home/etl/unit_price.py:9") && !SPOT.is_match("at 10:32:11"));
        assert!(SQL.is_match("  select a") && !SQL.is_match("selected"));
    }
}
