//! [`Visits`]: what the panes of each incident were like when it was left. In: an incident and its panes; out: the same
//! when one comes back.

use super::panes::{Folds, Pane};
use super::selection::Selection;
use super::widgets::Scroll;
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
    /// Which folds of its trace were open.
    pub(super) folds: Folds,
    /// Where its panes stood.
    pub(super) scrolls: [(Pane, Scroll); ITS_OWN.len()],
}

/// How each incident was left, by its number.
#[derive(Debug, Default)]
pub(super) struct Visits(HashMap<usize, Visit>);

impl Visits {
    /// Remembers an incident that is being left; `scroll` tells where a pane stands.
    pub(super) fn leave(
        &mut self,
        selection: Selection,
        folds: &Folds,
        scroll: impl Fn(Pane) -> Scroll,
    ) {
        let Some(incident) = selection.incident else {
            return;
        };
        if self.0.len() >= MOST && !self.0.contains_key(&incident) {
            self.0.clear();
        }
        let visit = Visit {
            selection,
            folds: folds.clone(),
            scrolls: ITS_OWN.map(|pane| (pane, scroll(pane))),
        };
        self.0.insert(incident, visit);
    }

    /// How an incident was left, where it was seen before.
    pub(super) fn of(&self, incident: Option<usize>) -> Option<&Visit> {
        self.0.get(&incident?)
    }

    /// The same in a later case: those whose traces are shown as before, wherever they stand there.
    pub(super) fn carry(&mut self, from: &Case, to: &Case) {
        let moved = std::mem::take(&mut self.0).into_iter();
        self.0 = moved
            .filter_map(|(i, visit)| {
                let old = from.story.incidents.get(i)?;
                let same = |new: &&crate::incident::Incident| {
                    new.is_same_as(old)
                        && (new.trace.len(), new.chain.len()) == (old.trace.len(), old.chain.len())
                };
                let i = to.story.incidents.iter().position(|new| same(&new))?;
                let incident = visit.selection.incident.map(|_| i);
                let selection = Selection {
                    incident,
                    ..visit.selection
                };
                Some((i, Visit { selection, ..visit }))
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
        assert_eq!(visit.folds.kept(), (true, vec![4]));
        // A trace that tells more is another one.
        let mut grown = after.clone();
        grown.story.incidents[last].trace.pop();
        visits.carry(&after, &grown);
        assert!(visits.of(Some(last)).is_none());
    }
}
