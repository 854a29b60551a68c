//! [`Pane`]: which panes there are, and the rows of each.

use super::trace::Folds;
use super::{attempts, causes, fixes, incidents, profiles, sql, stages, trace};
use crate::ui::action::Action;
use crate::ui::context::Context;
use crate::ui::widgets::Rows;

/// How many panes there are.
pub(in crate::ui) const PANES: usize = 8;

/// One pane of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pane {
    /// Every separate failure.
    Incidents,
    /// The selected incident's chain, from the outermost wrapper to the deepest cause.
    Causes,
    /// Its printed trace.
    Trace,
    /// The attempts of its task.
    Attempts,
    /// The stages of the run.
    Stages,
    /// What to do about it.
    Fixes,
    /// The SQL execution behind the stage.
    Sql,
    /// What was measured of the Python code.
    Profiles,
}

impl Pane {
    /// Every pane, in the order of their keys.
    pub const ALL: [Self; PANES] = [
        Self::Incidents,
        Self::Causes,
        Self::Trace,
        Self::Attempts,
        Self::Stages,
        Self::Fixes,
        Self::Sql,
        Self::Profiles,
    ];

    /// The others, from the next one on.
    pub(in crate::ui) fn others(self) -> impl DoubleEndedIterator<Item = Self> {
        (1..PANES).map(move |step| Self::ALL[(self as usize + step) % PANES])
    }

    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Incidents => "Incidents",
            Self::Causes => "Causes",
            Self::Trace => "Trace",
            Self::Attempts => "Attempts",
            Self::Stages => "Stages",
            Self::Fixes => "Fixes",
            Self::Sql => "SQL",
            Self::Profiles => "Profiles",
        }
    }

    /// The action that gives it the focus.
    pub fn action(self) -> Action {
        match self {
            Self::Incidents => Action::FocusIncidents,
            Self::Causes => Action::FocusCauses,
            Self::Trace => Action::FocusTrace,
            Self::Attempts => Action::FocusAttempts,
            Self::Stages => Action::FocusStages,
            Self::Fixes => Action::FocusFixes,
            Self::Sql => Action::FocusSql,
            Self::Profiles => Action::FocusProfiles,
        }
    }

    /// The rows it shows.
    pub(in crate::ui) fn rows<'a>(self, cx: Context<'a>, folds: &'a Folds) -> Box<dyn Rows + 'a> {
        match self {
            Self::Incidents => Box::new(incidents::Incidents::new(cx)),
            Self::Causes => Box::new(causes::Causes(cx)),
            Self::Trace => Box::new(trace::Trace::new(cx, folds)),
            Self::Attempts => Box::new(attempts::Attempts(cx)),
            Self::Stages => Box::new(stages::Stages::new(cx)),
            Self::Fixes => Box::new(fixes::Fixes::new(cx)),
            Self::Sql => Box::new(sql::Sql::new(cx)),
            Self::Profiles => Box::new(profiles::Profiles::new(cx)),
        }
    }
}
