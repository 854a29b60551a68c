//! Spots on the screen that one can come back to: the list of jumps, and the spots under letters.

use super::panes::Pane;
use super::raw::RawLog;
use super::selection::Selection;
use std::collections::BTreeMap;

/// Jumps that are remembered.
const MOST_JUMPS: usize = 100;

/// Where the screen stood.
#[derive(Debug, Clone)]
pub(super) struct Spot {
    pub(super) selection: Selection,
    pub(super) focus: Pane,
    /// The line of the trace under the cursor.
    pub(super) line: Option<usize>,
    pub(super) raw: Option<RawLog>,
}

impl Spot {
    fn same(&self, other: &Self) -> bool {
        let raw = |s: &Self| s.raw.as_ref().map(|r| (r.source(), r.line()));
        (self.selection, self.focus, self.line, raw(self))
            == (other.selection, other.focus, other.line, raw(other))
    }
}

/// The spots that were left by a jump, and those under letters.
#[derive(Debug, Default)]
pub(super) struct Trail {
    jumps: Vec<Spot>,
    /// How many of the jumps lie behind; those from here on were gone back from.
    at: usize,
    marks: BTreeMap<char, Spot>,
}

impl Trail {
    /// Remembers the spot that is being left; what was gone back from is forgotten.
    pub(super) fn leave(&mut self, spot: Spot) {
        self.jumps.truncate(self.at);
        if !self.jumps.last().is_some_and(|last| last.same(&spot)) {
            self.jumps.push(spot);
        }
        if self.jumps.len() > MOST_JUMPS {
            self.jumps.remove(0);
        }
        self.at = self.jumps.len();
    }

    /// The spot before this one.
    pub(super) fn back(&mut self, here: Spot) -> Option<Spot> {
        if self.at == self.jumps.len() && !self.jumps.last().is_some_and(|l| l.same(&here)) {
            self.leave(here);
            self.at = self.jumps.len() - 1;
        }
        // The spot one stands on is no way back.
        self.at = self.at.checked_sub(1)?;
        self.jumps.get(self.at).cloned()
    }

    /// The spot that was gone back from.
    pub(super) fn forward(&mut self) -> Option<Spot> {
        let next = self.jumps.get(self.at + 1).cloned()?;
        self.at += 1;
        Some(next)
    }

    /// Whether there is a spot that was gone back from.
    pub(super) fn leads_forward(&self) -> bool {
        self.at + 1 < self.jumps.len()
    }

    pub(super) fn mark(&mut self, letter: char, spot: Spot) {
        self.marks.insert(letter, spot);
    }

    pub(super) fn marked(&self, letter: char) -> Option<&Spot> {
        self.marks.get(&letter)
    }

    pub(super) fn letters(&self) -> impl Iterator<Item = char> + '_ {
        self.marks.keys().copied()
    }

    pub(super) fn marks(&self) -> impl Iterator<Item = (char, &Spot)> {
        self.marks.iter().map(|(letter, spot)| (*letter, spot))
    }

    /// Spots of another case lead nowhere.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(incident: usize) -> Spot {
        Spot {
            selection: Selection {
                incident: Some(incident),
                ..Selection::default()
            },
            focus: Pane::Trace,
            line: None,
            raw: None,
        }
    }

    #[test]
    fn back_and_forward_walk_the_same_way() {
        let mut trail = Trail::default();
        trail.leave(spot(0));
        trail.leave(spot(1));
        // Standing on 2, having come from 1, having come from 0.
        let incident = |s: Option<Spot>| s.and_then(|s| s.selection.incident);
        assert_eq!(incident(trail.back(spot(2))), Some(1));
        assert_eq!(incident(trail.back(spot(1))), Some(0));
        assert_eq!(incident(trail.back(spot(0))), None);
        assert_eq!(incident(trail.forward()), Some(1));
        assert_eq!(incident(trail.forward()), Some(2));
        assert_eq!(incident(trail.forward()), None);
    }
}
