//! In: the failures of a run as they come. Out: which of them a trace tells again.

use super::failure::Failure;
use super::fingerprint::Fingerprint;
use super::telling::Telling;
use std::collections::HashMap;

/// Lines of the user's at which the same was thrown and that are kept apart; what comes from further ones counts to the first.
const LINES_CAP: usize = 64;

/// Failures by what they say, as indexes.
#[derive(Debug, Default, Clone)]
pub(super) struct Known {
    by_root: HashMap<Fingerprint, Vec<usize>>,
    /// By the conditions that stand above their roots: the driver's Python may print such a one without its cause.
    by_condition: HashMap<Fingerprint, usize>,
}

impl Known {
    /// A failure that was added, and its index.
    pub(super) fn add(&mut self, failure: &Failure, index: usize) {
        self.by_root.entry(failure.print).or_default().push(index);
        for link in &failure.chain[..failure.root] {
            if link.own_message().starts_with('[') {
                let print = Fingerprint::of(link);
                self.by_condition.entry(print).or_insert(index);
            }
        }
    }

    /// The first failure of that print.
    pub(super) fn first(&self, print: Fingerprint) -> Option<usize> {
        self.by_root.get(&print)?.first().copied()
    }

    /// The failure that a trace tells; `failures` are all of them.
    pub(super) fn told_by(&self, telling: &Telling, failures: &[Failure]) -> Option<usize> {
        let print = &telling.print;
        let alike = self.by_root.get(print).map_or(&[][..], Vec::as_slice);
        alike
            .iter()
            .copied()
            .find(|index| match (&failures[*index].user, &telling.own) {
                (Some(known), Some(frame)) => known.file == frame.file && known.line == frame.line,
                _ => true,
            })
            .or_else(|| alike.first().copied().filter(|_| alike.len() >= LINES_CAP))
            .or_else(|| {
                let above = self.by_condition.get(print).copied();
                above.filter(|_| telling.deepest)
            })
    }
}
