//! The incidents: every separate failure once, most important first.

use crate::incident::Role as Part;
use crate::text::Place;
use crate::ui::context::Context;
use crate::ui::selection::Target;
use crate::ui::theme::Role;
use crate::ui::widgets::{Row, Rows, one_line};
use ratatui::text::Line;

pub(super) struct Incidents<'a> {
    cx: Context<'a>,
    /// Those that pass the filter.
    shown: Vec<usize>,
}

impl<'a> Incidents<'a> {
    pub(super) fn new(cx: Context<'a>) -> Self {
        // The selected one stays: its trace is filtered by itself.
        let stays = |i: &usize| Some(*i) == cx.selection.incident || cx.passes(*i);
        Self {
            shown: (0..cx.case.story.incidents.len()).filter(stays).collect(),
            cx,
        }
    }
}

impl Rows for Incidents<'_> {
    fn len(&self) -> usize {
        self.shown.len()
    }

    fn row(&self, i: usize, _width: usize) -> Row {
        let cx = &self.cx;
        let incident = &cx.case.story.incidents[self.shown[i]];
        let (glyph, role, name) = match incident.role {
            Part::Fatal => ("✗ ", Role::Failed, Role::Strong),
            // An earlier attempt of the task that ended the run.
            Part::Recovered if cx.case.story.later_failure(incident).is_some() => {
                ("✗ ", Role::Warning, Role::Text)
            }
            Part::Recovered => ("↻ ", Role::Warning, Role::Text),
            Part::Noise => ("· ", Role::Dim, Role::Dim),
        };
        let mut spans = vec![cx.span(role, glyph)];
        let root = incident.root();
        let class = one_line(root.short_class());
        if class.is_empty() {
            spans.push(cx.span(name, one_line(&incident.title())));
        } else {
            spans.push(cx.span(name, class));
            spans.push(cx.span(Role::Dim, format!("  {}", one_line(root.headline()))));
        }
        if incident.effect_of.is_some() {
            spans.insert(1, cx.span(Role::Dim, "└ "));
        }
        Row {
            keeps_tag: true,
            tag: (incident.count > 1).then(|| cx.span(Role::Dim, format!("×{}", incident.count))),
            ..Row::new(Line::from(spans)).keeping(1 + usize::from(incident.effect_of.is_some()))
        }
    }

    fn target(&self, i: usize) -> Option<Target> {
        self.shown.get(i).map(|i| Target::Incident(*i))
    }

    fn place(&self, i: usize) -> Option<Place> {
        let i = *self.shown.get(i)?;
        Some(self.cx.case.story.incidents[i].root().place)
    }

    fn selected(&self) -> Option<usize> {
        let selected = self.cx.selection.incident?;
        self.shown.iter().position(|i| *i == selected)
    }
}
