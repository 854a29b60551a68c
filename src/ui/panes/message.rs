//! In: one line of a message. Out: its pieces: SQL and query plans stand out from prose.

use crate::ui::context::Context;
use crate::ui::theme::Role;
use ratatui::text::Span;
use regex::Regex;
use std::sync::LazyLock;

static SQL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:(?i:SELECT|FROM|WHERE|LEFT JOIN|INNER JOIN|JOIN|GROUP BY|ORDER BY|HAVING|UNION|INSERT INTO|CREATE (?:OR|TABLE|TEMP)|WITH \w+ AS)\b)")
        .expect("a valid pattern")
});
/// The lines and joints of a plan's tree, the operator, the rest.
static PLAN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^([\s:|+*!-]*(?:\+-|:-)\s?(?:\*?\(\d+\)\s)?)('?!?[A-Z]\w+)(.*)$")
        .expect("a valid pattern")
});
/// `'Project ['missing]`, `!Filter (…)`: the top of an unresolved plan.
static PLAN_TOP: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(\s*)(['!][A-Z]\w+)(\s?[\[(].*)?$").expect("a valid pattern"));
static SECTION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*== .* ==\s*$").expect("a valid pattern"));

/// The pieces of one line; joined they are the line.
pub(super) fn pieces(cx: &Context<'_>, text: &str) -> Vec<Span<'static>> {
    if SECTION.is_match(text) {
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
        let painted = cx.painter.paint("sql", text);
        return painted
            .iter()
            .flatten()
            .map(|(role, piece)| cx.span(*role, piece.clone()))
            .collect();
    }
    vec![cx.span(Role::Message, text)]
}
