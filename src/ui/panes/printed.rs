//! In: a line of a printed trace, and what it is. Out: its row; whose a frame is stands at its right edge, not only in its colour.

use super::excerpt::NARROW;
use super::message;
use crate::fact::Owner;
use crate::incident::LineKind;
use crate::ui::context::Context;
use crate::ui::theme::Role;
use crate::ui::widgets::Row;
use ratatui::text::{Line, Span};

/// A line of a trace by what it is.
pub(super) fn kind_row(cx: &Context<'_>, kind: LineKind, text: &str, width: usize) -> Row {
    let tagged = |role, name: &'static str| (vec![cx.span(role, text)], Some(cx.span(role, name)));
    let (spans, tag) = match kind {
        LineKind::Log => (vec![cx.span(Role::Record, text)], None),
        LineKind::Connector => (vec![cx.span(Role::Connector, text)], None),
        LineKind::Header => (vec![cx.span(Role::Message, text)], None),
        LineKind::Message => (message::pieces(cx, text), None),
        LineKind::Frame(Owner::User) => tagged(Role::OwnCode, "your code"),
        LineKind::Code(Owner::User) => (vec![cx.span(Role::OwnSource, text)], None),
        LineKind::Frame(Owner::Library) => tagged(Role::Library, "library"),
        LineKind::Code(Owner::Library) => (vec![cx.span(Role::Library, text)], None),
        LineKind::Frame(owner) => tagged(Role::Boilerplate, owner.name()),
        LineKind::Code(_) | LineKind::Elided => (vec![cx.span(Role::Boilerplate, text)], None),
    };
    // Where one's own code stands is what people come for, and at the end of the line.
    let own = match kind {
        LineKind::Frame(owner) => owner == Owner::User,
        LineKind::Code(owner) => owner == Owner::User && text.contains(char::is_alphanumeric),
        _ => false,
    };
    let hang = (own && width < NARROW).then_some(6);
    let lead = std::iter::once(Span::raw("  "));
    Row {
        tag: tag.filter(|_| hang.is_none()),
        // Whose it is says more than where in their files it is.
        keeps_tag: !matches!(kind, LineKind::Frame(Owner::User | Owner::Library)),
        hang,
        ..Row::new(lead.chain(spans).collect::<Line<'_>>()).keeping(1)
    }
}
