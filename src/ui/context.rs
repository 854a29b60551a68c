//! [`Context`]: what panes look at, borrowed for one call.

use super::code::Painter;
use super::order::Order;
use super::query::Query;
use super::selection::Selection;
use super::texts::Texts;
use super::theme::{Role, Theme};
use super::times::Times;
use crate::diagnosis::{Diagnosis, Fix};
use crate::incident::Incident;
use crate::load::Case;
use crate::text::Place;
use ratatui::style::Style;
use ratatui::text::Span;
use std::rc::Rc;

/// What panes look at.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) case: &'a Case,
    pub(super) selection: Selection,
    pub(super) theme: &'a Theme,
    pub(super) texts: &'a Texts,
    pub(super) painter: &'a Painter,
    /// Which incidents and trace lines are shown, where not all are.
    pub(super) filter: Option<&'a Query>,
    /// The lines of the selected incident's trace that pass the filter, once they are known.
    pub(super) passing: Option<&'a [usize]>,
    /// Whether what grows is followed.
    pub(super) follows: bool,
    /// How moments are shown.
    pub(super) times: Times,
    /// By what profiles are sorted.
    pub(super) order: Order,
}

impl<'a> Context<'a> {
    pub(super) fn incident(&self) -> Option<&'a Incident> {
        self.case.story.incidents.get(self.selection.incident?)
    }

    /// The incident whose chain and trace are shown: the selected one, or what the selected attempt of it failed with.
    pub(super) fn traced(&self) -> Option<&'a Incident> {
        self.selection.traced_incident(self.case)
    }

    pub(super) fn diagnosis(&self) -> Option<&'a Diagnosis> {
        self.case.diagnoses.get(self.selection.incident?)
    }

    /// Whether an incident passes the filter.
    pub(super) fn passes(&self, i: usize) -> bool {
        let incident = &self.case.story.incidents[i];
        self.filter.is_none_or(|filter| {
            let title = incident.title();
            let texts = incident.chain.iter().map(|cause| &*cause.text);
            filter.passes(texts.chain([&*title]))
        })
    }

    /// How many incidents do.
    pub(super) fn passing_incidents(&self) -> usize {
        let all = 0..self.case.story.incidents.len();
        all.filter(|i| self.passes(*i)).count()
    }

    /// What can be done: fixes, advice for stages, ways to see more.
    pub(super) fn remedies(&self) -> Vec<&'a Fix> {
        self.case.remedies(self.selection.incident)
    }

    /// Whether the run may still be going on: its log is followed, and nothing in it shows that it is over.
    pub(super) fn goes_on(&self) -> bool {
        self.follows && !self.case.story.ended
    }

    pub(super) fn style(&self, role: Role) -> Style {
        self.theme.style(role)
    }

    pub(super) fn span(&self, role: Role, text: impl Into<String>) -> Span<'static> {
        Span::styled(text.into(), self.theme.style(role))
    }

    /// The text of a line of the log, safe to show.
    pub(super) fn text(&self, place: &Place) -> Rc<str> {
        self.texts.get(self.case, place)
    }

    /// `driver.log:10412`; without the number while lines are not counted.
    pub(super) fn spot(&self, place: &Place) -> String {
        let name = self
            .case
            .sources
            .get(place.source)
            .map_or("?", |s| s.name.as_str());
        let name = crate::text::sanitise_line(name);
        let counted = self.case.lines.get(place.source.0 as usize);
        if counted.is_some_and(|n| *n > 0) {
            format!("{name}:{}", place.line)
        } else {
            name.into_owned()
        }
    }
}
