//! Steps along the failure: causes, frames, attempts, stages, incidents, fixes, each round its end; back out of a layer; folds.

use super::action::Action;
use super::app::App;
use super::captions::nothing_in;
use super::event::Effect;
use super::panes::Pane;
use super::raw::RawLog;
use super::selection::Target;
use super::widgets::{Rows as _, columns};
use crate::fact::Owner;
use crate::incident::LineKind;
use crate::text::Place;

/// The next of `n` numbers, from the last on to the first and back; `None` where there is no other.
fn next(at: Option<usize>, n: usize, forward: bool) -> Option<usize> {
    let last = n.checked_sub(1)?;
    let next = match (at, forward) {
        (None, _) => 0,
        (Some(at), true) if at >= last => 0,
        (Some(at), true) => at + 1,
        (Some(at), false) => at.checked_sub(1).unwrap_or(last),
    };
    (at != Some(next)).then_some(next)
}

impl App {
    /// To the root of the incident; from there to that of the first, which is the run's.
    pub(super) fn go_to_root(&mut self) {
        let stood_there = self.stands_at_root();
        self.leave_spot();
        self.raw = None;
        if stood_there && self.selection.incident > Some(0) {
            self.propose(Target::Incident(0), None);
        }
        self.propose(Target::Root, None);
        self.align(Pane::Trace);
        if self.view.layout.area(Pane::Trace).is_none() {
            self.focus(Pane::Trace);
        } else if self.view.focus != Pane::Trace {
            self.say("Trace is at the root cause");
        }
    }

    fn stands_at_root(&self) -> bool {
        let root = self.selection.incident(&self.case).map(|i| i.root);
        let row = self.trace().opens_at().map(|(row, _)| row);
        self.raw.is_none()
            && self.selection.other.is_none()
            && self.selection.cause == root
            && row == Some(self.cursor(Pane::Trace))
    }

    pub(super) fn step_cause(&mut self, forward: bool) {
        let traced = self.selection.traced_incident(&self.case);
        let n = traced.map_or(0, |i| i.chain.len());
        let at = self.selection.cause;
        self.step(Pane::Causes, at, n, forward, Target::Cause);
    }

    /// As [`App::step_cause`], but not round: whoever goes right does not want to come out at the left.
    pub(super) fn go_along_causes(&mut self, inwards: bool) {
        let traced = self.selection.traced_incident(&self.case);
        let last = traced.map_or(0, |i| i.chain.len()).saturating_sub(1);
        let at = self.selection.cause;
        let end = if inwards { last } else { 0 };
        if at.is_some_and(|at| at != end) {
            return self.step_cause(inwards);
        }
        let (what, other) = if inwards {
            ("inner cause", Action::PreviousCause)
        } else {
            ("outer cause", Action::NextCause)
        };
        self.say_the_end(what, (last > 0).then_some(other));
    }

    pub(super) fn step_attempt(&mut self, forward: bool) {
        let incident = self.selection.incident(&self.case);
        let n = incident.map_or(0, |i| i.attempts.len());
        let at = self.selection.attempt;
        self.step(Pane::Attempts, at, n, forward, Target::Attempt);
    }

    pub(super) fn step_stage(&mut self, forward: bool) {
        let n = self.case.story.stages.len();
        let at = self.selection.stage;
        self.step(Pane::Stages, at, n, forward, Target::Stage);
    }

    /// To the next fix, where its code is. From another pane to the selected one: nobody has seen its code yet.
    pub(super) fn step_fix(&mut self, forward: bool) {
        let fixes = self.case.remedies(self.selection.incident);
        let elsewhere = self.pane() != Some(Pane::Fixes);
        let to = if elsewhere || forward && self.is_above_fixes() {
            self.selection.fix
        } else {
            next(self.selection.fix, fixes.len(), forward)
        };
        let told = to.map(|f| format!("fix {} of {}: {}", f + 1, fixes.len(), fixes[f].title));
        match to.zip(told) {
            Some((f, told)) => {
                // The title stands above the code in any case.
                let narrow = columns(&told) >= usize::from(self.view.layout.area.width);
                let told = if narrow {
                    format!("fix {} of {}", f + 1, fixes.len())
                } else {
                    told
                };
                self.focus(Pane::Fixes);
                self.propose(Target::Fix(f), None);
                // Whoever asks for a fix wants its code, also where the pane opens at where to look.
                let rows = Pane::Fixes.rows(self.context(), &self.view.folds);
                let code = rows.mends_at();
                drop(rows);
                if let Some((row, last)) = code {
                    self.reveal(Pane::Fixes, row, last);
                }
                self.say(told);
            }
            None if fixes.is_empty() => self.say("no fix is known for this"),
            None => self.say("this is the only fix"),
        }
    }

    /// Whether the cursor is on what stands above all fixes: where to look.
    fn is_above_fixes(&self) -> bool {
        let here = self.cursor(Pane::Fixes);
        let rows = Pane::Fixes.rows(self.context(), &self.view.folds);
        self.view.focus == Pane::Fixes && rows.selected().is_some_and(|title| here < title)
    }

    /// To the next step, or another part, of the fix that the cursor is in.
    pub(super) fn step_part(&mut self, forward: bool) {
        let pane = Pane::Fixes;
        self.focus(pane);
        let here = self.cursor(pane);
        let rows = pane.rows(self.context(), &self.view.folds);
        // What stands above all fixes leads into the selected one.
        let (whose, len) = (rows.heading(here).or(rows.selected()), rows.len());
        let is_here = |row: &usize| rows.begins(*row) && (rows.heading(*row) == whose);
        let to = if forward {
            (here + 1..len).find(is_here)
        } else {
            // From within a step to the one before, not to its own beginning.
            let begin = (0..len.min(here + 1)).rev().find(is_here);
            let begin = begin.unwrap_or(here);
            (0..begin).rev().find(is_here)
        };
        drop(rows);
        match to {
            Some(row) => {
                self.move_to(pane, row);
                // With its code, which stands below it.
                let rows = pane.rows(self.context(), &self.view.folds);
                let row = self.cursor(pane);
                let end = (row + 1..rows.len()).find(|row| rows.begins(*row));
                let last = end.unwrap_or(rows.len()) - 1;
                drop(rows);
                self.reveal(pane, row, last.max(row));
            }
            None if forward && whose.is_some() && !self.is_last_fix() => {
                let key = self.keys.map.key(Action::NextFix);
                self.say(format!(
                    "no further step of this fix; {key} goes to the next fix"
                ));
            }
            None if forward => self.say_the_end("further step", Some(Action::PreviousStep)),
            None => self.say_the_end("earlier step", Some(Action::NextStep)),
        }
    }

    fn is_last_fix(&self) -> bool {
        let fixes = self.case.remedies(self.selection.incident).len();
        self.selection.fix.is_none_or(|f| f + 1 >= fixes)
    }

    pub(super) fn step_incident(&mut self, forward: bool) {
        // Along the rows that are shown: the filter may leave some out.
        let rows = Pane::Incidents.rows(self.context(), &self.view.folds);
        let at = rows.selected();
        let targets: Vec<_> = (0..rows.len()).filter_map(|row| rows.target(row)).collect();
        drop(rows);
        let n = targets.len();
        self.step(Pane::Incidents, at, n, forward, |row| targets[row]);
    }

    /// `attempt 3 of 4 (retry 2): task 1.2 in stage 3.0, TID 17, executor 3`, and what it ended with where that differs.
    pub(super) fn say_attempt(&mut self, a: usize) {
        let Some(incident) = self.selection.incident(&self.case) else {
            return;
        };
        let Some(attempt) = incident.attempts.get(a) else {
            return;
        };
        let mut said = format!("attempt {} of {}", a + 1, incident.attempts.len());
        if attempt.number > 0 {
            said = format!("{said} (retry {})", attempt.number);
        }
        said = format!("{said}: {}", attempt.name());
        if self.selection.other.is_some() {
            let root = self.keys.map.key(Action::Root);
            said = format!("{said} · another cause, shown here; {root}: back to the root");
        } else if attempt.same_cause == Some(false) {
            let log = self.keys.map.key(Action::Follow);
            said = format!("{said} · another cause; {log} shows its line in the log");
        }
        self.say(said);
    }

    /// Says that there is none in this direction, and the key of the other, where that leads anywhere.
    fn say_the_end(&mut self, what: &str, other: Option<Action>) {
        let back = other.map(|other| self.keys.map.key(other));
        self.say(match back.filter(|back| !back.is_empty()) {
            Some(back) => format!("no {what}; {back} goes the other way"),
            None => format!("no {what}"),
        });
    }

    /// To the next of the `n` things of a pane from the one `at`. Where neither the pane nor the trace that goes along with it
    /// is on the screen, it is brought there: a step is to be seen.
    fn step(
        &mut self,
        pane: Pane,
        at: Option<usize>,
        n: usize,
        forward: bool,
        target: impl Fn(usize) -> Target,
    ) {
        let (what, seen): (_, &[Pane]) = match pane {
            Pane::Causes => ("cause", &[Pane::Trace, pane]),
            Pane::Attempts => ("attempt", &[Pane::Trace, pane]),
            Pane::Stages => ("stage", &[pane]),
            // The header names it.
            _ => ("incident", &[]),
        };
        let Some(to) = next(at, n, forward) else {
            let none = nothing_in(&self.context(), pane).to_owned();
            let filtered = pane == Pane::Incidents && self.finding.filter().is_some();
            return self.say(match n {
                0 => none,
                _ if filtered => "no other incident passes the filter".to_owned(),
                _ => format!("this is the only {what}"),
            });
        };
        self.propose(target(to), None);
        let round = at.is_some_and(|at| forward != (to > at));
        if round && self.told.status.is_none() {
            let (from, to) = if forward {
                ("last", "first")
            } else {
                ("first", "last")
            };
            self.say(format!("from the {from} {what} round to the {to}"));
        }
        if self.raw.is_some() {
            self.follow_in_log();
        } else if let Some(first) = seen.first() {
            // Not the layout that was drawn last: several keys may come between two frames.
            let layout = self.lay_out(self.view.layout.area);
            if !seen.iter().any(|pane| layout.area(*pane).is_some()) {
                self.focus(*first);
            }
        }
    }

    pub(super) fn step_frame(&mut self, forward: bool) {
        let here = self.trace().line_of_row(self.cursor(Pane::Trace));
        let Some(incident) = self.selection.traced_incident(&self.case) else {
            return;
        };
        let trace = &incident.trace;
        let own: Vec<usize> = (0..trace.len())
            .filter(|i| trace[*i].kind == LineKind::Frame(Owner::User))
            .collect();
        if own.is_empty() {
            // The log may have told of it elsewhere: that is what the header names.
            let elsewhere = incident.user_frame.as_ref().map(|frame| frame.place);
            let Some(place) = elsewhere.filter(|place| *place != Place::NOWHERE) else {
                return self.say("no line of your own code is in this trace");
            };
            self.leave_spot();
            self.raw = Some(RawLog::at(place, &self.case));
            let back = self.keys.map.key(Action::Back);
            return self.say(format!("your line in the log; {back} goes back"));
        }
        // The code below a frame is the frame's own place.
        let here = here.map(|here| {
            let is_code = |i: &usize| matches!(trace[*i].kind, LineKind::Code(_));
            let frame = (0..=here).rev().find(|i| !is_code(i));
            frame.filter(|frame| own.contains(frame)).unwrap_or(here)
        });
        let pointed = incident.user_frame.as_ref().and_then(|frame| {
            let mut own = own.iter();
            own.find(|i| trace[**i].place == frame.place)
        });
        // The root often stands behind all of them: the walk goes round, so that either key leads there. Whoever leaves
        // the root wants the line that it points at.
        let at_root = here.is_some_and(|here| trace[here].place == incident.root().place);
        let to = match (here, forward) {
            _ if pointed.is_some() && (at_root || here.is_none()) => pointed,
            (None, _) => own.first(),
            (Some(here), true) => own.iter().find(|i| **i > here).or(own.first()),
            (Some(here), false) => own.iter().rfind(|i| **i < here).or(own.last()),
        };
        let Some(&line) = to.filter(|to| here != Some(**to)) else {
            return self.say("no other line of your own code is in this trace");
        };
        self.focus(Pane::Trace);
        self.show_trace_line(line);
        let row = self.cursor(Pane::Trace);
        self.move_to(Pane::Trace, row);
        let last = self.trace().end_of_code(row);
        self.reveal(Pane::Trace, row, last);
    }

    /// Backs out of one layer: the log, the marked matches, the filter, the zoom.
    pub(super) fn back(&mut self) -> Vec<Effect> {
        if !self.keys.pending.is_empty() {
            self.keys.pending.clear();
        } else if self.finding.is_asking_log() {
            self.finding.forget_log();
            self.say("the search was called off");
            return vec![Effect::CallOff];
        } else if self.raw.is_some() {
            self.raw = None;
        } else if self.finding.search().is_some() {
            self.finding.set_search(None);
        } else if self.finding.filter().is_some() {
            self.finding.set_filter(None);
            self.align_all();
        } else if self.view.zoomed {
            self.view.zoomed = false;
        } else if self.view.focus != Pane::Trace && self.len(Pane::Trace) > 0 {
            self.focus(Pane::Trace);
        } else {
            let quit = self.keys.map.key(Action::Quit);
            self.say(format!("{quit} quits"));
        }
        Vec::new()
    }

    pub(super) fn focus(&mut self, pane: Pane) {
        self.raw = None;
        self.view.focus = pane;
    }

    /// As [`App::focus`], but for a plan or profiles that are not there: then it is said what would show some.
    pub(super) fn focus_if_any(&mut self, pane: Pane) {
        if self.len(pane) > 0 {
            self.focus(pane);
        } else {
            self.say(nothing_in(&self.context(), pane));
        }
    }

    pub(super) fn next_pane(&mut self, forward: bool) {
        let all: Vec<Pane> = self.view.focus.others().collect();
        let stops = |pane: &&Pane| self.view.shape.shows(**pane) && !self.is_absent(**pane);
        let next = if forward {
            all.iter().find(stops)
        } else {
            all.iter().rev().find(stops)
        };
        let next = next.copied().unwrap_or(self.view.focus);
        self.focus(next);
    }

    /// A plan or profiles that are not there: such a pane is neither named nor stopped at.
    pub(super) fn is_absent(&self, pane: Pane) -> bool {
        matches!(pane, Pane::Sql | Pane::Profiles) && self.len(pane) == 0
    }

    /// Opens or closes the fold under the cursor of the trace; whether anything changed.
    pub(super) fn fold(&mut self, open: Option<bool>) -> bool {
        let trace = self.trace();
        let row = self.cursor(Pane::Trace);
        let (line, closed) = (trace.line_of_row(row), trace.is_fold(row));
        drop(trace);
        let unchanged = open == Some(!closed);
        let Some(line) = line.filter(|_| !unchanged) else {
            return false;
        };
        let Some(incident) = self
            .case
            .story
            .incidents
            .get(self.selection.traced().unwrap_or(0))
        else {
            return false;
        };
        let Some(start) = self.view.folds.set(incident, line, open) else {
            return false;
        };
        if let Some(row) = self.trace().row_of_line(start) {
            self.scroll(Pane::Trace).cursor = row;
        }
        true
    }

    pub(super) fn fold_all(&mut self, open: bool) {
        self.keep_line(|app| app.view.folds.set_all(open));
    }

    pub(super) fn flip_order(&mut self) {
        self.keep_line(|app| app.view.folds.root_first = !app.view.folds.root_first);
        self.say(if self.view.folds.root_first {
            "root cause first"
        } else {
            "as printed"
        });
    }

    /// Changes how the trace is shown, with the cursor on the same line afterwards.
    pub(super) fn keep_line(&mut self, change: impl FnOnce(&mut Self)) {
        let line = self.trace().line_of_row(self.cursor(Pane::Trace));
        change(self);
        let row = line.and_then(|line| self.trace().row_of_line(line));
        if let Some(row) = row {
            self.scroll(Pane::Trace).reveal(row, row);
        }
    }
}
