//! In: how the times of a source's lines follow each other. Out: the [`Order`] in which it tells.

use std::cmp::Ordering;

/// In which order the lines of a source tell what happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Order {
    /// The oldest first.
    #[default]
    Forth,
    /// The newest record first.
    Back,
    /// The newest row of a log store first, by the store's own times.
    RowsBack,
}

/// Steps from one time to the next.
#[derive(Debug, Default)]
pub(super) struct Steps {
    back: usize,
    on: usize,
    equal: usize,
}

impl Steps {
    /// Counts how a time compares with the one before.
    pub(super) fn count(&mut self, order: Ordering) {
        match order {
            Ordering::Less => self.back += 1,
            Ordering::Greater => self.on += 1,
            Ordering::Equal => self.equal += 1,
        }
    }

    /// Whether the times go back again and again, and hardly ever on.
    fn go_back(&self, at_least: usize) -> bool {
        self.back >= at_least && self.back >= 5 * self.on
    }
}

impl Order {
    /// Of a source whose store put times in front of its rows, if `stamps` are given, and whose log has those of its `heads`.
    pub(super) fn of(stamps: Option<&Steps>, heads: &Steps) -> Self {
        let Some(stamps) = stamps else {
            return if heads.go_back(3) {
                Self::Back
            } else {
                Self::Forth
            };
        };
        // Two rows make one step. Among many of one time, one that came late makes as many: there the heads decide.
        let enough = stamps.back >= 3 || stamps.equal == 0 || heads.back > heads.on;
        if enough && stamps.go_back(1) {
            Self::RowsBack
        } else {
            Self::Forth
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(of: &[i32]) -> Steps {
        let mut steps = Steps::default();
        for pair in of.windows(2) {
            steps.count(pair[1].cmp(&pair[0]));
        }
        steps
    }

    #[test]
    fn one_row_that_came_late_turns_nothing_round() {
        let none = Steps::default();
        let of = |stamps: &[i32]| Order::of(Some(&steps(stamps)), &none);
        assert_eq!(of(&[5, 5, 5, 4, 4, 4]), Order::Forth);
        assert_eq!(of(&[9, 8]), Order::RowsBack);
        assert_eq!(of(&[9, 9, 8, 7, 7, 6]), Order::RowsBack);
        assert_eq!(Order::of(None, &steps(&[9, 8, 7])), Order::Forth);
        assert_eq!(Order::of(None, &steps(&[9, 8, 7, 6])), Order::Back);
    }
}
