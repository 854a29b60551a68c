//! [`App`]: everything the screen is at a moment. Events go in, effects come out; nothing here reads or writes
//! anything but its own state.

use super::action::Action;
use super::code::{Painter, Wish};
use super::context::Context;
use super::event::{Effect, Event, Wanted};
use super::finding::Finding;
use super::hop::Hop;
use super::key::Chord;
use super::keymap::{Keymap, Section};
use super::layout::{Edge, Layout};
use super::order::Order;
use super::overlay::Overlay;
use super::panes::{Folds, PANES, Pane, Trace};
use super::raw::RawLog;
use super::selection::{Selection, Target};
use super::shape::Shape;
use super::texts::Texts;
use super::theme::Theme;
use super::times::Times;
use super::trail::Trail;
use super::visits::Visits;
use super::widgets::{Scroll, one_line};
use crate::incident::{Incident, Outcome};
use crate::load::Case;
use ratatui::layout::Rect;
use std::sync::Arc;

/// The screen at a moment.
pub struct App {
    pub(super) case: Arc<Case>,
    pub(super) selection: Selection,
    pub(super) view: View,
    pub(super) raw: Option<RawLog>,
    pub(super) overlay: Option<Overlay>,
    pub(super) finding: Finding,
    pub(super) keys: Keys,
    pub(super) trail: Trail,
    pub(super) told: Told,
    pub(super) theme: Theme,
    pub(super) texts: Texts,
    pub(super) painter: Painter,
}

/// What is the panes' own: focus, scrolling, folds, and where they were last drawn.
#[derive(Debug)]
pub(super) struct View {
    pub(super) focus: Pane,
    pub(super) zoomed: bool,
    pub(super) wrap: bool,
    pub(super) times: Times,
    pub(super) order: Order,
    pub(super) mouse: bool,
    pub(super) scrolls: [Scroll; PANES],
    pub(super) folds: Folds,
    /// The panes of the other incidents.
    pub(super) visits: Visits,
    pub(super) shape: Shape,
    /// The border that follows the mouse.
    pub(super) dragged: Option<Edge>,
    pub(super) layout: Layout,
    /// Where the rows of the overlay were last drawn.
    pub(super) overlay: Rect,
}

/// The keymap and the keys of a sequence that is not complete yet.
#[derive(Debug)]
pub(super) struct Keys {
    pub(super) map: Keymap,
    pub(super) pending: Vec<Chord>,
    /// Waiting for the letter of a mark.
    pub(super) letter: Option<Action>,
    /// Waiting for the letters of a row.
    pub(super) hop: Option<Hop>,
    /// Whether the last key walked the list of jumps.
    pub(super) jumped: bool,
}

/// What is said in the footer and the header.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) status: Option<String>,
    pub(super) reading: Option<String>,
    /// Whether what grows is followed.
    pub(super) follows: bool,
}

impl App {
    /// A screen that stands on the root cause of the most important incident.
    pub fn new(case: Arc<Case>, keymap: Keymap, theme: Theme) -> Self {
        let mut app = Self {
            selection: Selection::first(&case),
            case,
            view: View {
                focus: Pane::Trace,
                zoomed: false,
                wrap: false,
                times: Times::default(),
                order: Order::default(),
                mouse: true,
                scrolls: Default::default(),
                folds: Folds::default(),
                visits: Visits::default(),
                shape: Shape::default(),
                dragged: None,
                layout: Layout::default(),
                overlay: Rect::default(),
            },
            raw: None,
            overlay: None,
            finding: Finding::default(),
            keys: Keys {
                map: keymap,
                pending: Vec::new(),
                letter: None,
                hop: None,
                jumped: false,
            },
            trail: Trail::default(),
            told: Told::default(),
            theme,
            texts: Texts::default(),
            painter: Painter::default(),
        };
        app.begin_at_profiles();
        app.align_all();
        app
    }

    /// Where nothing failed and no stage is remarkable, profiles are what is to be seen.
    fn begin_at_profiles(&mut self) {
        let story = &self.case.story;
        let calm = story.incidents.is_empty() && story.remarks().is_empty();
        if calm && self.view.focus == Pane::Trace && !story.profiles.is_empty() {
            self.view.focus = Pane::Profiles;
        }
    }

    /// Whether the mouse is listened to at first.
    pub fn set_mouse(&mut self, on: bool) {
        self.view.mouse = on;
    }

    /// Whether long lines are wrapped at first.
    pub fn set_wrap(&mut self, on: bool) {
        self.view.wrap = on;
    }

    /// How everything looks.
    pub fn set_theme(&mut self, theme: Theme) {
        self.theme = theme;
    }

    /// What is shown.
    pub fn case(&self) -> &Arc<Case> {
        &self.case
    }

    /// Where it points.
    pub fn selection(&self) -> Selection {
        self.selection
    }

    /// Takes what happened; returns what is to be done about it outside.
    pub fn update(&mut self, event: Event) -> Vec<Effect> {
        let mut effects = match event {
            Event::Input(input) => self.input(input),
            Event::Case(case) => {
                self.take(case);
                Vec::new()
            }
            Event::Reading(reading) => {
                self.told.reading = reading;
                Vec::new()
            }
            Event::Follows(follows) => {
                self.told.follows = follows;
                Vec::new()
            }
            Event::Scanned {
                generation,
                filter,
                lines,
            } => {
                self.scanned(generation, filter, lines);
                Vec::new()
            }
            Event::FoundInLog { generation, place } => {
                if self.finding.found_in_log(generation, place.as_ref()) {
                    match place {
                        Some(place) => {
                            self.told.status = self.finding.where_in_log();
                            self.raw = Some(RawLog::at(place, &self.case));
                        }
                        None => self.say("no match in this log"),
                    }
                }
                Vec::new()
            }
            Event::HitsInLog { generation, hits } => {
                let awaited = self.finding.hits_in_log(generation, hits);
                if let Some(told) = self
                    .finding
                    .where_in_log()
                    .filter(|_| awaited && self.raw.is_some())
                {
                    self.told.status = Some(told);
                }
                Vec::new()
            }
            Event::Sifted { generation, sifted } => {
                self.finding.take_sifted(generation, sifted);
                Vec::new()
            }
            Event::Themed(theme) => {
                self.set_theme(theme);
                Vec::new()
            }
            Event::SyntaxesLoaded => Vec::new(),
            Event::Shown(text, said) => {
                self.overlay = Some(Overlay::note(text));
                self.told.status = Some(said);
                Vec::new()
            }
            Event::Said(said) => {
                self.told.status = Some(said);
                Vec::new()
            }
        };
        // A pane that has the focus is seen, whatever gave it the focus.
        self.view.shape.show(self.view.focus);
        if let Some(source) = self.raw.as_ref().map(RawLog::source) {
            effects.extend(self.finding.sift(source));
        }
        effects.extend(self.finding.questions(self.selection.traced()));
        effects
    }

    /// The syntaxes for colouring code that are to be loaded, once after code was first shown.
    pub(super) fn wished_syntaxes(&self) -> Option<Wish> {
        self.painter.take_wish()
    }

    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.told.status = Some(text.into());
    }

    /// What panes look at.
    pub(super) fn context(&self) -> Context<'_> {
        Context {
            case: &self.case,
            selection: self.selection,
            theme: &self.theme,
            texts: &self.texts,
            painter: &self.painter,
            filter: self.finding.filter(),
            passing: self.finding.passing(self.selection.traced()),
            follows: self.told.follows,
            times: self.view.times,
            order: self.view.order,
        }
    }

    pub(super) fn scroll(&mut self, pane: Pane) -> &mut Scroll {
        &mut self.view.scrolls[pane as usize]
    }

    pub(super) fn cursor(&self, pane: Pane) -> usize {
        self.view.scrolls[pane as usize].cursor
    }

    pub(super) fn len(&self, pane: Pane) -> usize {
        pane.rows(self.context(), &self.view.folds).len()
    }

    pub(super) fn trace(&self) -> Trace<'_> {
        Trace::new(self.context(), &self.view.folds)
    }

    /// The pane that the keys go to; `None` where they go to the log itself.
    pub(super) fn pane(&self) -> Option<Pane> {
        self.raw.is_none().then_some(self.view.focus)
    }

    /// The sections of the keymap that hold where the focus is.
    pub(super) fn sections(&self) -> &'static [Section] {
        match self.pane() {
            None => &[Section::List, Section::Global],
            Some(Pane::Trace) => &[Section::Trace, Section::List, Section::Global],
            Some(Pane::Fixes) => &[
                Section::Fixes,
                Section::List,
                Section::Global,
                Section::Trace,
            ],
            Some(Pane::Profiles) => &[Section::Profiles, Section::List, Section::Global],
            // The trace stands beside the other panes, and is folded from there, too.
            Some(_) => &[Section::List, Section::Global, Section::Trace],
        }
    }

    /// Selects what a pane proposes, and lets the other panes follow.
    pub(super) fn propose(&mut self, target: Target, from: Option<Pane>) {
        let old = self.selection;
        self.selection = old.follow(target, &self.case);
        if self.selection == old {
            return;
        }
        let other_trace = self.selection.traced() != old.traced();
        let visited = other_trace && self.change_trace(old);
        if let Target::Attempt(attempt) = target {
            self.say_attempt(attempt);
        }
        for pane in Pane::ALL {
            // The trace has a cursor of its own: it moves only where another cause is shown.
            let still = pane == Pane::Trace && !other_trace && self.selection.cause == old.cause;
            if Some(pane) != from && !still {
                self.align(pane);
            }
        }
        if visited {
            self.restore_panes();
        }
        if matches!(target, Target::Attempt(_)) && !other_trace && !self.show_retold() {
            self.align(Pane::Trace);
        }
        // Rows that depend on the selection may have moved under the pane's own cursor.
        if let Some(pane) = from {
            let rows = pane.rows(self.context(), &self.view.folds);
            let cursor = self.cursor(pane);
            let row = rows.selected();
            if pane != Pane::Trace && rows.target(cursor) != Some(target) {
                drop(rows);
                let row = row.unwrap_or(0);
                self.scroll(pane).reveal(row, row);
            }
        }
    }

    /// Shows what is told of the selected attempt below the trace of another; whether anything is.
    pub(super) fn show_retold(&mut self) -> bool {
        let rows = self.trace().retold_rows();
        if let Some((row, last)) = rows {
            self.scroll(Pane::Trace).reveal(row, last);
        }
        rows.is_some()
    }

    /// Puts a pane's cursor on the row that the selection points at.
    pub(super) fn align(&mut self, pane: Pane) {
        let rows = pane.rows(self.context(), &self.view.folds);
        let (len, opens_at) = (rows.len(), rows.opens_at());
        drop(rows);
        match opens_at {
            Some((row, near)) => self.reveal(pane, row, near),
            None => self.scroll(pane).to(0, len),
        }
    }

    /// Puts a pane's cursor on a row with another in view, or the code below that one where there is less room; where there is
    /// none for both, on the code below it.
    pub(super) fn reveal(&mut self, pane: Pane, row: usize, near: usize) {
        let rows = pane.rows(self.context(), &self.view.folds);
        let code = rows.code_below(row);
        let nearer = rows.code_below(near).map_or(row, |(code, _)| code.min(row));
        drop(rows);
        self.scroll(pane).reveal_or(row, (near, nearer), code);
    }

    pub(super) fn align_all(&mut self) {
        for pane in Pane::ALL {
            self.align(pane);
        }
    }

    /// Shows a line of the trace, out of its fold, under the cursor.
    pub(super) fn show_trace_line(&mut self, line: usize) {
        if let Some(incident) = self.selection.traced_incident(&self.case) {
            let trace = Trace::new(self.context(), &self.view.folds);
            if trace
                .row_of_line(line)
                .is_some_and(|row| trace.is_fold(row))
            {
                drop(trace);
                let incident = incident.clone();
                self.view.folds.set(&incident, line, Some(true));
            }
        }
        if let Some(row) = self.trace().row_of_line(line) {
            self.scroll(Pane::Trace).reveal(row, row);
        }
    }

    fn take(&mut self, case: Arc<Case>) {
        let same_files = case.sources.go_on_from(&self.case.sources);
        let old = std::mem::replace(&mut self.case, case);
        let before = self.selection;
        let followed = self.told.follows && !old.provisional && !self.case.provisional;
        self.selection = before.carried(&old, &self.case, followed && same_files);
        if followed && same_files {
            self.told.status = news(&old, &self.case).or_else(|| self.told.status.take());
        } else if followed {
            self.say("a log was cut short or written anew: it is read from its beginning");
        }
        self.texts.forget();
        self.finding.forget_answers();
        if !same_files {
            self.trail.forget();
            self.raw = None;
        }
        let root = |selection: Selection, case: &Case| {
            selection
                .traced_incident(case)
                .map(|i| (i.root().place, i.trace.len()))
        };
        if !self.case.provisional {
            self.begin_at_profiles();
        }
        // Where the same trace is still shown, nothing moves under the reader's eyes.
        let still = root(before, &old) == root(self.selection, &self.case);
        self.view.visits.carry(&old, &self.case);
        if !still {
            self.view.folds.reset();
        }
        for pane in Pane::ALL {
            if pane != Pane::Trace || !still {
                self.align(pane);
            }
        }
    }

    fn scanned(&mut self, generation: u64, filter: bool, lines: Vec<usize>) {
        if !self.finding.answered(generation, filter, lines) {
            return;
        }
        if filter {
            self.align(Pane::Trace);
        } else if std::mem::take(&mut self.finding.wish) {
            self.first_match();
        }
    }

    /// Puts the cursor of a pane on a row and selects what the row stands for.
    pub(super) fn move_to(&mut self, pane: Pane, row: usize) {
        let len = self.len(pane);
        self.scroll(pane).to(row, len);
        let rows = pane.rows(self.context(), &self.view.folds);
        let target = rows.target(self.cursor(pane));
        drop(rows);
        if let Some(target) = target {
            self.propose(target, Some(pane));
        }
    }

    /// Copies, where there is something to copy.
    pub(super) fn copy(&mut self, what: &'static str, wanted: Option<Wanted>) -> Vec<Effect> {
        if let Some(wanted) = wanted {
            return vec![Effect::Copy { what, wanted }];
        }
        self.say("there is nothing of that to copy here");
        Vec::new()
    }
}

/// What a case of a log that has grown says and the one before did not.
fn news(old: &Case, new: &Case) -> Option<String> {
    let (before, now) = (&old.story, &new.story);
    let is_known =
        |incident: &&Incident| (before.incidents.iter()).any(|known| known.is_same_as(incident));
    let added: Vec<&Incident> = now
        .incidents
        .iter()
        .filter(|incident| !is_known(incident))
        .collect();
    let failure = match added.as_slice() {
        [] => None,
        [one] => Some(format!("new: {}", one_line(&one.title()))),
        [first, rest @ ..] => Some(format!(
            "new: {} and {} more",
            one_line(&first.title()),
            rest.len()
        )),
    };
    let end = (now.ended && !before.ended).then(|| match now.outcome {
        Outcome::Unknown => "the run has ended".to_owned(),
        outcome => format!("the run has ended: {}", outcome.word()),
    });
    match (end, failure) {
        (Some(end), Some(failure)) => Some(format!("{end} · {failure}")),
        (end, failure) => end.or(failure),
    }
}
