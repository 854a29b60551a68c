//! [`Selection`]: where the screen points. Panes never move one another: a pane proposes a [`Target`],
//! and [`Selection::follow`] tells what that means for all of them.

use crate::incident::{Attempt, Incident};
use crate::load::Case;

/// What every pane shows; indexes into a [`Case`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Selection {
    /// In `story.incidents`.
    pub incident: Option<usize>,
    /// Another incident, where the selected attempt ended with that one's root: its chain and its trace are shown.
    pub other: Option<usize>,
    /// In the `chain` that is shown.
    pub cause: Option<usize>,
    /// In that cause's `frames`.
    pub frame: Option<usize>,
    /// In the incident's `attempts`.
    pub attempt: Option<usize>,
    /// In `story.stages`.
    pub stage: Option<usize>,
    /// In the diagnosis's `fixes`.
    pub fix: Option<usize>,
}

/// What a row stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// An incident.
    Incident(usize),
    /// The root cause of the selected incident.
    Root,
    /// A cause of the chain that is shown.
    Cause(usize),
    /// A frame of one of its causes.
    Frame(usize, usize),
    /// One of its attempts.
    Attempt(usize),
    /// A stage of the run.
    Stage(usize),
    /// One of its fixes.
    Fix(usize),
}

impl Selection {
    /// Where the first screen stands: on the root of the most important incident; where nothing failed, on the stage that
    /// is most remarkable.
    pub fn first(case: &Case) -> Self {
        if case.story.incidents.is_empty() {
            let remarks = case.story.remarks();
            return Self {
                stage: remarks.first().map(|(stage, _)| *stage),
                fix: (!case.remedies(None).is_empty()).then_some(0),
                ..Self::default()
            };
        }
        Self::default().follow(Target::Incident(0), case)
    }

    /// What is selected once `target` is: what it implies is filled in, what no longer fits is cleared.
    /// A target that does not exist changes nothing.
    #[must_use]
    pub fn follow(self, target: Target, case: &Case) -> Self {
        match target {
            Target::Incident(i) => self.to_incident(i, case),
            Target::Root => self.to_root(case),
            Target::Cause(c) => self.to_cause(c, case),
            Target::Frame(c, f) => self.to_frame(c, f, case),
            Target::Attempt(a) => self.to_attempt(a, case),
            Target::Stage(s) => self.to_stage(s, case),
            Target::Fix(f) => self.to_fix(f, case),
        }
    }

    /// The same place in a later case: the incident with the same root, wherever it stands there.
    ///
    /// Whoever stood on the first row wants to see what is most important now, unless it is to `stay`.
    #[must_use]
    pub fn carried(self, from: &Case, to: &Case, stay: bool) -> Self {
        let Some(old) = self.incident(from) else {
            return Self::first(to);
        };
        let same = |new: &Incident| new.is_same_as(old);
        let Some(i) = to.story.incidents.iter().position(same) else {
            return Self::first(to);
        };
        if self.incident == Some(0) && i != 0 && !stay {
            return Self::first(to);
        }
        let moved = Self::default().follow(Target::Incident(i), to);
        let new = &to.story.incidents[i];
        if new.chain.len() != old.chain.len() {
            // A trace that tells more took the place of the one that was shown.
            return moved;
        }
        if let Some(attempt) = self.attempt.filter(|_| self.other.is_some()) {
            return moved.follow(Target::Attempt(attempt), to);
        }
        let last = old.attempts.len().checked_sub(1);
        Self {
            cause: if self.cause == Some(old.root) {
                moved.cause
            } else {
                self.cause
            },
            frame: if self.cause == Some(old.root) && self.frame == user_frame(old, old.root) {
                moved.frame
            } else {
                self.frame
                    .filter(|f| self.cause.is_some_and(|c| *f < new.chain[c].frames.len()))
            },
            // Who looked at the last attempt wants to see the last one.
            attempt: self
                .attempt
                .filter(|a| Some(*a) != last && *a < new.attempts.len())
                .or(moved.attempt),
            stage: self
                .stage
                .and_then(|s| from.story.stages.get(s))
                .and_then(|s| position_of_stage(s.id, s.attempt, to))
                .or(moved.stage),
            fix: self
                .fix
                .filter(|f| *f < to.remedies(Some(i)).len())
                .or(moved.fix),
            ..moved
        }
    }

    /// The selected incident.
    pub fn incident(self, case: &Case) -> Option<&Incident> {
        case.story.incidents.get(self.incident?)
    }

    /// The incident whose chain and trace are shown.
    pub fn traced(self) -> Option<usize> {
        self.other.or(self.incident)
    }

    /// The same as a value.
    pub fn traced_incident(self, case: &Case) -> Option<&Incident> {
        case.story.incidents.get(self.traced()?)
    }

    fn to_incident(self, i: usize, case: &Case) -> Self {
        let Some(incident) = case.story.incidents.get(i) else {
            return self;
        };
        Self {
            incident: Some(i),
            other: None,
            cause: Some(incident.root),
            frame: user_frame(incident, incident.root),
            attempt: own_attempt(incident),
            stage: stage_of(incident, case),
            fix: first_fix(i, case),
        }
    }

    fn to_root(self, case: &Case) -> Self {
        let Some(incident) = self.incident(case) else {
            return self;
        };
        let elsewhere = self.other.is_some();
        Self {
            other: None,
            cause: Some(incident.root),
            frame: user_frame(incident, incident.root),
            attempt: self
                .attempt
                .filter(|_| !elsewhere)
                .or(own_attempt(incident)),
            ..self
        }
    }

    fn to_cause(self, c: usize, case: &Case) -> Self {
        match self.traced_incident(case) {
            Some(incident) if c < incident.chain.len() => Self {
                cause: Some(c),
                frame: user_frame(incident, c),
                ..self
            },
            _ => self,
        }
    }

    fn to_frame(self, c: usize, f: usize, case: &Case) -> Self {
        match self.traced_incident(case).and_then(|i| i.chain.get(c)) {
            Some(cause) if f < cause.frames.len() => Self {
                cause: Some(c),
                frame: Some(f),
                ..self
            },
            _ => self,
        }
    }

    fn to_attempt(self, a: usize, case: &Case) -> Self {
        let Some(incident) = self.incident(case) else {
            return self;
        };
        let Some(attempt) = incident.attempts.get(a) else {
            return self;
        };
        let own = self.to_root(case);
        let other = other_cause(attempt, case).filter(|other| Some(*other) != self.incident);
        let (cause, frame) = match other.and_then(|i| case.story.incidents.get(i)) {
            Some(other) => (Some(other.root), user_frame(other, other.root)),
            // Nothing more is known of it than that it ended in another way: what is shown stays.
            None if attempt.same_cause == Some(false) && self.other.is_none() => {
                (self.cause, self.frame)
            }
            None => (own.cause, own.frame),
        };
        Self {
            attempt: Some(a),
            other,
            cause,
            frame,
            stage: stage_of_attempt(attempt, case).or(self.stage),
            fix: self.incident.and_then(|i| first_fix(i, case)),
            ..self
        }
    }

    fn to_stage(self, s: usize, case: &Case) -> Self {
        let Some(stage) = case.story.stages.get(s) else {
            return self;
        };
        let lies_in = |incident: &Incident| {
            incident
                .task
                .is_some_and(|t| (t.stage, t.stage_attempt) == (stage.id, stage.attempt))
        };
        if self.incident(case).is_some_and(lies_in) {
            return Self {
                stage: Some(s),
                ..self
            };
        }
        if let Some(i) = case.story.incidents.iter().position(lies_in) {
            return Self {
                stage: Some(s),
                ..self.to_incident(i, case)
            };
        }
        let own = if self.other.is_some() {
            self.to_root(case)
        } else {
            self
        };
        Self {
            stage: Some(s),
            attempt: None,
            ..own
        }
    }

    fn to_fix(self, f: usize, case: &Case) -> Self {
        let known = f < case.remedies(self.incident).len();
        Self {
            fix: if known { Some(f) } else { self.fix },
            ..self
        }
    }
}

/// The frame of the user's own code in a cause, nearest to where it was thrown.
fn user_frame(incident: &Incident, c: usize) -> Option<usize> {
    let frames = &incident.chain.get(c)?.frames;
    let pointed = incident
        .user_frame
        .as_ref()
        .and_then(|u| frames.iter().position(|f| f.place == u.place));
    pointed.or_else(|| {
        frames
            .iter()
            .position(|f| f.owner == crate::fact::Owner::User)
    })
}

fn stage_of(incident: &Incident, case: &Case) -> Option<usize> {
    let task = incident.task?;
    position_of_stage(task.stage, task.stage_attempt, case)
}

fn stage_of_attempt(attempt: &Attempt, case: &Case) -> Option<usize> {
    position_of_stage(attempt.task.stage, attempt.task.stage_attempt, case)
}

fn position_of_stage(id: u32, attempt: u32, case: &Case) -> Option<usize> {
    let stages = &case.story.stages;
    stages
        .iter()
        .position(|s| (s.id, s.attempt) == (id, attempt))
        .or_else(|| stages.iter().position(|s| s.id == id))
}

/// The last attempt that may have ended with the incident's own root.
fn own_attempt(incident: &Incident) -> Option<usize> {
    let attempts = &incident.attempts;
    attempts.iter().rposition(|a| a.same_cause != Some(false))
}

/// The incident that an attempt is told of with, where that is known to be another one.
fn other_cause(attempt: &Attempt, case: &Case) -> Option<usize> {
    if attempt.same_cause != Some(false) {
        return None;
    }
    let places = [attempt.place, attempt.own_log];
    let mut places = places.into_iter().flatten();
    let incidents = &case.story.incidents;
    let told = places.find_map(|place| incidents.iter().position(|i| i.is_told_at(&place)));
    told.or_else(|| {
        incidents.iter().position(|i| {
            let root = i.root();
            !root.class.is_empty()
                && (&root.class, root.headline()) == (&attempt.class, &*attempt.message)
        })
    })
}

fn first_fix(i: usize, case: &Case) -> Option<usize> {
    (!case.remedies(Some(i)).is_empty()).then_some(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::sample;

    /// Incident, cause, frame, attempt, stage, fix; `-1` for none.
    fn at(numbers: [i8; 6]) -> Selection {
        let n = |i: usize| usize::try_from(numbers[i]).ok();
        Selection {
            incident: n(0),
            other: None,
            cause: n(1),
            frame: n(2),
            attempt: n(3),
            stage: n(4),
            fix: n(5),
        }
    }

    #[test]
    fn every_target_implies_the_rest() {
        let case = sample::udf();
        let root = [0, 3, 0, 3, 1, 0];
        let table: &[([i8; 6], Target, [i8; 6])] = &[
            ([-1; 6], Target::Incident(0), root),
            (root, Target::Incident(1), [1, 0, -1, -1, -1, -1]),
            (root, Target::Incident(9), root),
            (root, Target::Cause(0), [0, 0, 3, 3, 1, 0]),
            ([0, 0, 3, 3, 1, 0], Target::Cause(3), root),
            (root, Target::Cause(1), [0, 1, -1, 3, 1, 0]),
            (root, Target::Cause(4), root),
            (root, Target::Frame(1, 2), [0, 1, 2, 3, 1, 0]),
            (root, Target::Frame(1, 99), root),
            ([0, 0, -1, 3, 0, 1], Target::Attempt(1), [0, 3, 0, 1, 1, 0]),
            // The second attempt's executor went away: its cause is not in the chain.
            ([0, 1, 2, 3, 0, 1], Target::Attempt(2), [0, 1, 2, 2, 1, 0]),
            (root, Target::Stage(0), [0, 3, 0, -1, 0, 0]),
            ([1, 0, -1, -1, -1, -1], Target::Stage(1), root),
            (root, Target::Stage(7), root),
            (root, Target::Fix(1), [0, 3, 0, 3, 1, 1]),
            (root, Target::Fix(5), root),
        ];
        for (from, target, to) in table {
            assert_eq!(
                at(*from).follow(*target, &case),
                at(*to),
                "{from:?} {target:?}"
            );
        }
    }

    #[test]
    fn nothing_to_select_selects_nothing() {
        assert_eq!(Selection::first(&sample::succeeded()), Selection::default());
    }

    #[test]
    fn a_later_case_keeps_the_place() {
        let before = sample::udf();
        let mut after = before.clone();
        after.story.incidents.reverse();
        after.diagnoses.reverse();
        let second = at([1, 0, -1, -1, -1, -1]);
        assert_eq!(second.carried(&before, &after, false).incident, Some(0));
        // The first row stays the first row: it names the most important failure.
        let first = Selection::first(&before);
        assert_eq!(first.carried(&before, &after, false).incident, Some(0));
        let chosen = first
            .follow(Target::Cause(1), &before)
            .follow(Target::Attempt(1), &before);
        let stayed = chosen.carried(&before, &after, true);
        assert_eq!(
            (stayed.incident, stayed.cause, stayed.attempt),
            (Some(1), chosen.cause, Some(1))
        );
    }
}
