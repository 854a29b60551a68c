//! In: the lines of a record. Out: [`Order`]: where in it the lines of its facts are.

use super::fact::Fact;
use crate::record::Line;
use crate::text::Place;
use std::collections::HashMap;

/// Where in a record the lines of its facts are. The lines stand one behind the other, but for those of a source that
/// tells the newest first.
pub(super) enum Order<'r> {
    Forth(&'r [Line]),
    Back(HashMap<Place, usize>),
}

impl<'r> Order<'r> {
    pub(super) fn of(lines: &'r [Line]) -> Self {
        if lines.is_sorted_by_key(|line| line.place) {
            return Self::Forth(lines);
        }
        Self::Back(lines.iter().map(|line| line.place).zip(0..).collect())
    }

    /// How many lines stand up to `place`: that of a line, or of a frame below one.
    pub(super) fn behind(&self, place: Place) -> usize {
        match self {
            Self::Forth(lines) => lines.partition_point(|line| line.place <= place),
            Self::Back(numbers) => self.of_place(place).min(numbers.len() - 1) + 1,
        }
    }

    /// The number of the line at `place`, from 0.
    pub(super) fn of_place(&self, place: Place) -> usize {
        match self {
            Self::Forth(lines) => lines.partition_point(|line| line.place < place),
            Self::Back(numbers) => numbers.get(&place).copied().unwrap_or(0),
        }
    }

    /// Puts facts into the order of the lines that say them.
    pub(super) fn sort(&self, facts: &mut [Fact]) {
        match self {
            Self::Forth(_) => facts.sort_by_key(|fact| fact.place),
            Self::Back(_) => facts.sort_by_key(|fact| self.of_place(fact.place)),
        }
    }
}
