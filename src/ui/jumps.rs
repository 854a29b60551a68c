//! Going to a spot: into the log and its files, to a row by its letters, back along the list of jumps, from incident to
//! incident, whose panes stand as they were left.

use super::action::Action;
use super::app::App;
use super::hop::{Hop, Landing, landings};
use super::layout::border;
use super::overlay::{Overlay, files};
use super::panes::Pane;
use super::raw::RawLog;
use super::selection::Selection;
use super::trail::Spot;
use crate::diagnosis::given_settings;
use crate::load::Case;
use crate::text::{Place, SourceId};
use ratatui::layout::{Margin, Rect};

/// The first line of the first log that holds any.
fn first_line(case: &Case) -> Option<Place> {
    let logs = &case.sources.list;
    let log = logs.iter().find(|s| s.kind.is_log() && s.bytes > 0)?;
    Some(Place {
        source: log.id,
        start: 0,
        bytes: 0,
        line: 1,
        part: 0,
    })
}

impl App {
    /// Where the screen stands.
    pub(super) fn spot(&self) -> Spot {
        Spot {
            selection: self.selection,
            focus: self.view.focus,
            line: self.trace().line_of_row(self.cursor(Pane::Trace)),
            raw: self.raw.clone(),
        }
    }

    pub(super) fn leave_spot(&mut self) {
        let spot = self.spot();
        self.trail.leave(spot);
    }

    pub(super) fn go(&mut self, spot: Spot) {
        if self.selection.traced() != spot.selection.traced() {
            let old = std::mem::replace(&mut self.selection, spot.selection);
            self.change_trace(old);
        }
        self.selection = spot.selection;
        self.view.focus = spot.focus;
        self.raw = spot.raw;
        self.align_all();
        if let Some(line) = spot.line {
            self.show_trace_line(line);
        }
    }

    /// Another trace is shown than that of the `old` selection: its folds are as they were left, or as at first. Where
    /// another incident is selected, what was selected of it is as it was left, too, for which `true`. The stage is the
    /// one that was asked for.
    pub(super) fn change_trace(&mut self, old: Selection) -> bool {
        self.leave_incident(old);
        let visit = self.view.visits.of(self.selection.incident);
        let visit = visit.filter(|_| self.selection.incident != old.incident);
        let visited = visit.map(|visit| visit.selection);
        if let Some(selection) = visited {
            self.selection = Selection {
                stage: self.selection.stage,
                ..selection
            };
        }
        match self.view.visits.folds(self.selection.traced()) {
            Some(left) => self.view.folds.resume(left),
            None => self.view.folds.reset(),
        }
        visited.is_some()
    }

    fn leave_incident(&mut self, old: Selection) {
        let scrolls = &self.view.scrolls;
        let scroll = |pane: Pane| scrolls[pane as usize].clone();
        self.view.visits.leave(old, &self.view.folds, scroll);
    }

    /// The panes of the incident stand where they were left.
    pub(super) fn restore_panes(&mut self) {
        let visit = self.view.visits.of(self.selection.incident).cloned();
        for (pane, scroll) in visit.into_iter().flat_map(|visit| visit.scrolls) {
            let len = self.len(pane);
            let cursor = scroll.cursor;
            *self.scroll(pane) = scroll;
            self.scroll(pane).to(cursor, len);
        }
    }

    /// Into the log, at the line of the row under the cursor.
    pub(super) fn follow(&mut self) {
        if self.raw.is_some() {
            return;
        }
        let rows = self.view.focus.rows(self.context(), &self.view.folds);
        let place = rows.place(self.cursor(self.view.focus));
        drop(rows);
        match place {
            Some(place) => {
                self.leave_spot();
                self.raw = Some(RawLog::at(place, &self.case));
            }
            None => self.say("this row has no line in the log"),
        }
    }

    /// The log goes along with a step that was made while it was in view.
    pub(super) fn follow_in_log(&mut self) {
        let rows = Pane::Trace.rows(self.context(), &self.view.folds);
        let place = rows.place(self.cursor(Pane::Trace));
        drop(rows);
        if let Some(place) = place {
            self.raw = Some(RawLog::at(place, &self.case));
        }
    }

    pub(super) fn toggle_raw(&mut self) {
        if self.raw.is_some() {
            self.raw = None;
        } else {
            let rows = self.view.focus.rows(self.context(), &self.view.folds);
            let place = rows.place(self.cursor(self.view.focus));
            drop(rows);
            let root = || Some(self.selection.incident(&self.case)?.root().place);
            let end = || self.case.story.outcome_evidence.first().copied();
            match place
                .or_else(root)
                .or_else(end)
                .or_else(|| first_line(&self.case))
            {
                Some(place) => {
                    self.leave_spot();
                    self.raw = Some(RawLog::at(place, &self.case));
                }
                None => self.say("there is no log to show here"),
            }
        }
    }

    /// Shows a line of the log in view, else of that of the selected incident, by its number.
    pub(super) fn go_to_line(&mut self, line: u64) {
        let of_incident = || Some(self.selection.incident(&self.case)?.root().place.source);
        let first = || first_line(&self.case).map(|place| place.source);
        let shown = self.raw.as_ref().map(RawLog::source);
        let Some(source) = shown.or_else(of_incident).or_else(first) else {
            return self.say("there is no log to show here");
        };
        let lines = self.case.lines.get(source.0 as usize).copied().unwrap_or(0);
        if lines == 0 {
            return self.say("the lines are still being counted");
        }
        if line > lines {
            self.say(format!("it has {lines} lines"));
        }
        self.leave_spot();
        self.raw = Some(RawLog::at_line(source, line.clamp(1, lines), &self.case));
    }

    pub(super) fn jump(&mut self, forward: bool) {
        let spot = if forward {
            self.trail.forward()
        } else {
            let here = self.spot();
            self.trail.back(here)
        };
        // The way back is told by a key that no terminal mistakes for another: to most, `^i` is Tab.
        let other = if forward {
            Action::JumpBack
        } else {
            Action::JumpForward
        };
        let key = self.keys.map.keys(other).pop().unwrap_or_default();
        match spot {
            Some(spot) => {
                self.go(spot);
                self.keys.jumped = true;
                self.say(format!("{key} goes the other way"));
            }
            None => self.say(format!("no further jump; {key} goes the other way")),
        }
    }

    /// Puts letters on every row of the screen.
    pub(super) fn begin_hop(&mut self) {
        let layout = &self.view.layout;
        let inside = |area: Rect| {
            let edge = border(area);
            area.inner(Margin::new(edge, edge))
        };
        let rows: Vec<Landing> = match &self.raw {
            Some(raw) => landings(None, inside(layout.body), raw.scroll.drawn()).collect(),
            None => (layout.panes.iter())
                .flat_map(|(pane, area)| {
                    let drawn = self.view.scrolls[*pane as usize].drawn();
                    landings(Some(*pane), inside(*area), drawn)
                })
                .collect(),
        };
        let hop = Hop::new(rows);
        if !hop.is_empty() {
            self.keys.hop = Some(hop);
        }
    }

    /// Goes to the row whose letters were typed.
    pub(super) fn land(&mut self, landing: Landing) {
        self.leave_spot();
        match (landing.pane, &mut self.raw) {
            (Some(pane), _) => {
                self.view.focus = pane;
                self.move_to(pane, landing.row);
            }
            (None, Some(raw)) => raw.go_to_row(landing.row),
            (None, None) => {}
        }
    }

    /// Lists what was opened.
    pub(super) fn list_files(&mut self) {
        let root = self.selection.incident(&self.case);
        let root = root.map(|incident| incident.root().place.source);
        self.overlay = Some(Overlay::files(files(&self.case, root)));
    }

    /// Lists the settings that the run was given.
    pub(super) fn list_settings(&mut self) {
        let given = given_settings(&self.case.story);
        if given.is_empty() {
            return self.say("what was opened tells of no settings");
        }
        self.overlay = Some(Overlay::settings(given));
    }

    /// Shows a place in a log.
    pub(super) fn open_place(&mut self, place: Place) {
        self.leave_spot();
        self.raw = Some(RawLog::at(place, &self.case));
    }

    /// Shows a file: at the line of the selected incident where it has one there, else from its beginning.
    pub(super) fn open_file(&mut self, source: SourceId) {
        let place = self.selection.incident(&self.case).and_then(|incident| {
            let links = incident.chain.iter().rev().map(|cause| cause.place);
            let mut places = [incident.root().place].into_iter().chain(links);
            places.find(|place| place.source == source)
        });
        self.leave_spot();
        self.raw = Some(match place {
            Some(place) => RawLog::at(place, &self.case),
            None => RawLog::at_line(source, 1, &self.case),
        });
    }
}
