//! [`Order`]: by what the rows of a profile are sorted.

use super::app::App;
use crate::fact::{Measure, Profile, ProfileRow};

/// By what the rows of a profile are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Order {
    /// By what each takes itself: its own time, what a line added.
    #[default]
    Own,
    /// By what it takes with all that it calls; for memory, what was in use behind it.
    Cumulative,
    /// As they are printed.
    Printed,
}

impl Order {
    fn next(self) -> Self {
        match self {
            Self::Own => Self::Cumulative,
            Self::Cumulative => Self::Printed,
            Self::Printed => Self::Own,
        }
    }

    /// As it stands in the title of the pane.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Own => "by what each takes itself",
            Self::Cumulative => "by what each takes in all",
            Self::Printed => "as printed",
        }
    }

    /// The indexes of the rows of a profile in this order.
    pub(super) fn of(self, profile: &Profile) -> Vec<usize> {
        let mut order: Vec<usize> = (0..profile.rows.len()).collect();
        if self != Self::Printed {
            let figure = |row: &usize| self.figure(&profile.rows[*row]);
            order.sort_by(|a, b| figure(b).total_cmp(&figure(a)));
        }
        order
    }

    /// What the order goes by.
    pub(super) fn figure(self, row: &ProfileRow) -> f64 {
        match self {
            Self::Own | Self::Printed => row.own,
            Self::Cumulative => row.cumulative,
        }
    }

    /// How large a part of all that is; of memory in use, there is no whole.
    pub(super) fn share(self, profile: &Profile, row: &ProfileRow) -> f64 {
        if self == Self::Cumulative && profile.measure == Measure::Memory {
            return f64::NAN;
        }
        profile.share(self.figure(row))
    }
}

impl App {
    /// Sorts profiles by the next order.
    pub(super) fn next_order(&mut self) {
        self.view.order = self.view.order.next();
        let name = self.view.order.name();
        self.say(format!("profiles {name}"));
    }
}
