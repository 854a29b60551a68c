//! [`Visits`]: what the panes of each incident were like when it was left. In: an incident and its panes; out: the same
//! when one comes back.

use super::panes::{Folds, Pane};
use super::selection::Selection;
use super::widgets::Scroll;
use crate::incident::Incident;
use crate::load::Case;
use std::collections::HashMap;

/// Incidents that are remembered; whoever has seen more has forgotten the first.
const MOST: usize = 256;

/// The panes that show what belongs to one incident.
const ITS_OWN: [Pane; 4] = [Pane::Causes, Pane::Trace, Pane::Attempts, Pane::Fixes];

/// How an incident was left.
#[derive(Debug, Clone)]
pub(super) struct Visit {
    /// What was selected of it.
    pub(super) selection: Selection,
    /// Where its panes stood.
    pub(super) scrolls: [(Pane, Scroll); ITS_OWN.len()],
}

/// How each incident was left, and which folds of its trace were open, by its number.
#[derive(Debug, Default)]
pub(super) struct Visits {
    left: HashMap<usize, Visit>,
    folds: HashMap<usize, Folds>,
}

impl Visits {
    /// Remembers an incident that is being left; `scroll` tells where a pane stands.
    pub(super) fn leave(
        &mut self,
        selection: Selection,
        folds: &Folds,
        scroll: impl Fn(Pane) -> Scroll,
    ) {
        let (Some(incident), Some(traced)) = (selection.incident, selection.traced()) else {
            return;
        };
        if self.left.len() >= MOST || self.folds.len() >= MOST {
            *self = Self::default();
        }
        self.folds.insert(traced, folds.clone());
        let visit = Visit {
            selection,
            scrolls: ITS_OWN.map(|pane| (pane, scroll(pane))),
        };
        self.left.insert(incident, visit);
    }

    /// How an incident was left, where it was seen before.
    pub(super) fn of(&self, incident: Option<usize>) -> Option<&Visit> {
        self.left.get(&incident?)
    }

    /// Which folds of its trace were open.
    pub(super) fn folds(&self, incident: Option<usize>) -> Option<&Folds> {
        self.folds.get(&incident?)
    }

    /// The same in a later case: those whose traces are shown as before, wherever they stand there.
    pub(super) fn carry(&mut self, from: &Case, to: &Case) {
        let there = |i: usize| {
            let old = from.story.incidents.get(i)?;
            let same = |new: &Incident| {
                new.is_same_as(old)
                    && (new.trace.len(), new.chain.len()) == (old.trace.len(), old.chain.len())
            };
            to.story.incidents.iter().position(same)
        };
        let folds = std::mem::take(&mut self.folds).into_iter();
        self.folds = folds
            .filter_map(|(i, folds)| Some((there(i)?, folds)))
            .collect();
        let left = std::mem::take(&mut self.left).into_iter();
        self.left = left
            .filter_map(|(i, visit)| {
                let moved = there(i)?;
                let other = visit.selection.other;
                let selection = Selection {
                    incident: Some(moved),
                    other: other.and_then(there),
                    ..visit.selection
                };
                // What is selected of a trace that is not there any more leads nowhere.
                let whole = selection.other.is_some() == other.is_some();
                whole.then_some((moved, Visit { selection, ..visit }))
            })
            .collect();
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use crate::ui::sample;
    use crate::ui::selection::Target;

    #[test]
    fn an_incident_is_known_again_where_it_stands_in_a_later_case() {
        let before = sample::udf();
        let left = Selection::first(&before).follow(Target::Cause(1), &before);
        let mut visits = Visits::default();
        let mut folds = Folds::default();
        folds.turn(true, [4]);
        visits.leave(left, &folds, |_| Scroll::default());
        assert!(visits.of(Some(1)).is_none() && visits.of(None).is_none());
        let mut after = before.clone();
        after.story.incidents.reverse();
        visits.carry(&before, &after);
        let last = after.story.incidents.len() - 1;
        let visit = visits.of(Some(last)).unwrap();
        assert_eq!(
            (visit.selection.incident, visit.selection.cause),
            (Some(last), Some(1))
        );
        let folds = visits.folds(Some(last)).unwrap();
        assert_eq!(folds.kept(), (true, vec![4]));
        // A trace that tells more is another one.
        let mut grown = after.clone();
        grown.story.incidents[last].trace.pop();
        visits.carry(&after, &grown);
        assert!(visits.of(Some(last)).is_none());
    }
}
