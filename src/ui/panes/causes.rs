//! The chain of causes as a tree, from what the user saw down to the root.

use crate::incident::Relation;
use crate::text::Place;
use crate::ui::context::Context;
use crate::ui::selection::Target;
use crate::ui::theme::Role;
use crate::ui::widgets::{Row, Rows, one_line};
use ratatui::text::Line;

/// Deeper levels are not moved in further, so that long chains stay readable.
const DEEPEST: usize = 6;

pub(super) struct Causes<'a>(pub(super) Context<'a>);

impl Rows for Causes<'_> {
    fn len(&self) -> usize {
        self.0.traced().map_or(0, |i| i.chain.len())
    }

    fn row(&self, i: usize, _width: usize) -> Row {
        let cx = &self.0;
        let Some(incident) = cx.traced() else {
            return Row::default();
        };
        let cause = &incident.chain[i];
        let is_root = i == incident.root;
        let mut spans = vec![cx.span(Role::Failed, if is_root { "▶ " } else { "  " })];
        if i > 0 {
            let level = (i - 1).min(DEEPEST);
            spans.push(cx.span(Role::Border, format!("{}└ ", "  ".repeat(level))));
        }
        let class = one_line(cause.short_class());
        let message = one_line(cause.headline());
        if class.is_empty() {
            spans.push(cx.span(if is_root { Role::Strong } else { Role::Text }, message));
        } else {
            spans.push(cx.span(if is_root { Role::Strong } else { Role::Class }, class));
            if !message.is_empty() {
                spans.push(cx.span(Role::Dim, format!("  {message}")));
            }
        }
        let style = is_root.then(|| (cx.style(Role::Root), cx.style(Role::RootCursor)));
        // The selected one is told in full.
        let hang = 2 * i.min(DEEPEST) + 4;
        Row {
            hang: (cx.selection.cause == Some(i)).then_some(hang),
            tag: tag(cause.relation).map(|tag| cx.span(Role::Dim, tag)),
            style,
            ..Row::new(Line::from(spans))
        }
    }

    fn target(&self, i: usize) -> Option<Target> {
        Some(Target::Cause(i))
    }

    fn place(&self, i: usize) -> Option<Place> {
        Some(self.0.traced()?.chain.get(i)?.place)
    }

    fn selected(&self) -> Option<usize> {
        self.0.selection.cause
    }
}

/// How it hangs on the one above, where that is not simply "caused by".
fn tag(relation: Relation) -> Option<&'static str> {
    match relation {
        Relation::Top | Relation::CausedBy => None,
        Relation::Suppressed => Some("suppressed"),
        Relation::Wrapped => Some("wrapped"),
        Relation::Worker => Some("in the Python worker"),
        Relation::Context => Some("while handling"),
        Relation::EffectOf => Some("set it off"),
    }
}
