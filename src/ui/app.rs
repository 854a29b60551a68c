//! [`App`]: everything the screen is at a moment. Events go in, effects come out; nothing here reads or writes
//! anything but its own state.

use super::action::Action;
use super::code::{Painter, Syntaxes};
use super::context::Context;
use super::event::{Effect, Event, Wanted};
use super::finding::Finding;
use super::key::Chord;
use super::keymap::{Keymap, Meaning, Section};
use super::layout::Layout;
use super::overlay::{Answer, Overlay};
use super::panes::{Folds, Pane, Trace};
use super::query::Query;
use super::raw::RawLog;
use super::selection::{Selection, Target};
use super::texts::Texts;
use super::theme::Theme;
use super::trail::{Spot, Trail};
use super::widgets::Scroll;
use crate::load::Case;
use crossterm::event::{Event as Input, KeyEventKind, MouseButton, MouseEvent, MouseEventKind};
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
    pub(super) mouse: bool,
    pub(super) scrolls: [Scroll; 6],
    pub(super) folds: Folds,
    pub(super) layout: Layout,
}

/// The keymap and the keys of a sequence that is not complete yet.
#[derive(Debug)]
pub(super) struct Keys {
    pub(super) map: Keymap,
    pub(super) pending: Vec<Chord>,
    /// Waiting for the letter of a mark.
    pub(super) letter: Option<Action>,
}

/// What is said in the footer and the header.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) status: Option<String>,
    pub(super) reading: Option<String>,
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
                mouse: true,
                scrolls: Default::default(),
                folds: Folds::default(),
                layout: Layout::default(),
            },
            raw: None,
            overlay: None,
            finding: Finding::default(),
            keys: Keys {
                map: keymap,
                pending: Vec::new(),
                letter: None,
            },
            trail: Trail::default(),
            told: Told::default(),
            theme,
            texts: Texts::default(),
            painter: Painter::default(),
        };
        app.align_all();
        app
    }

    /// Stands on another incident, counted from 0; one that does not exist changes nothing.
    pub fn open_incident(&mut self, incident: usize) {
        self.propose(Target::Incident(incident), None);
    }

    /// Whether the mouse is listened to at first.
    pub fn set_mouse(&mut self, on: bool) {
        self.view.mouse = on;
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
            Event::Scanned {
                generation,
                filter,
                lines,
            } => {
                self.scanned(generation, filter, lines);
                Vec::new()
            }
            Event::FoundInLog { generation, place } => {
                if self.finding.is_latest(generation) {
                    match place {
                        Some(place) => self.raw = Some(RawLog::at(place)),
                        None => self.say("no further match in this log"),
                    }
                }
                Vec::new()
            }
            Event::SyntaxesLoaded => Vec::new(),
            Event::Said(said) => {
                self.told.status = Some(said);
                Vec::new()
            }
        };
        effects.extend(self.finding.questions(self.selection.incident));
        effects
    }

    /// Where the syntaxes for colouring code are to be put, once after code was first shown.
    pub(super) fn wished_syntaxes(&self) -> Option<Syntaxes> {
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
            passing: self.finding.passing(self.selection.incident),
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

    /// The sections of the keymap that hold where the focus is.
    pub(super) fn sections(&self) -> &'static [Section] {
        if self.raw.is_none() && self.view.focus == Pane::Trace {
            &[Section::Trace, Section::List, Section::Global]
        } else {
            &[Section::List, Section::Global]
        }
    }

    /// Selects what a pane proposes, and lets the other panes follow.
    pub(super) fn propose(&mut self, target: Target, from: Option<Pane>) {
        let old = self.selection;
        self.selection = old.follow(target, &self.case);
        if self.selection == old {
            return;
        }
        let other_trace = self.selection.incident != old.incident;
        if other_trace {
            self.view.folds.reset();
        }
        for pane in Pane::ALL {
            // The trace has a cursor of its own: it moves only where another cause is shown.
            let still = pane == Pane::Trace && !other_trace && self.selection.cause == old.cause;
            if Some(pane) != from && !still {
                self.align(pane);
            }
        }
        // Rows that depend on the selection may have moved under the pane's own cursor.
        if let Some(pane) = from {
            let rows = pane.rows(self.context(), &self.view.folds);
            let cursor = self.cursor(pane);
            if pane != Pane::Trace && rows.target(cursor) != Some(target) {
                drop(rows);
                self.align(pane);
            }
        }
    }

    /// Puts a pane's cursor on the row that the selection points at.
    pub(super) fn align(&mut self, pane: Pane) {
        let rows = pane.rows(self.context(), &self.view.folds);
        let (len, selected) = (rows.len(), rows.selected());
        drop(rows);
        let near = (pane == Pane::Trace)
            .then(|| self.own_row())
            .flatten()
            .or(selected);
        match (selected, near) {
            (Some(row), Some(near)) => self.scroll(pane).reveal(row, near),
            _ => self.scroll(pane).to(0, len),
        }
    }

    pub(super) fn align_all(&mut self) {
        for pane in Pane::ALL {
            self.align(pane);
        }
    }

    /// The row of the trace that shows the user's own line.
    fn own_row(&self) -> Option<usize> {
        let trace = self.trace();
        let incident = self.selection.incident(&self.case)?;
        let place = incident.user_frame.as_ref()?.place;
        let line = incident.trace.iter().position(|l| l.place == place)?;
        trace.row_of_line(line)
    }

    /// Shows a line of the trace, out of its fold, under the cursor.
    pub(super) fn show_trace_line(&mut self, line: usize) {
        if let Some(incident) = self.selection.incident(&self.case) {
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
        if self.selection.incident != spot.selection.incident {
            self.view.folds.reset();
        }
        self.selection = spot.selection;
        self.view.focus = spot.focus;
        self.raw = spot.raw;
        self.align_all();
        if let Some(line) = spot.line {
            self.show_trace_line(line);
        }
    }

    fn take(&mut self, case: Arc<Case>) {
        let same_files = Arc::ptr_eq(&case.sources, &self.case.sources);
        let old = std::mem::replace(&mut self.case, case);
        let before = self.selection;
        self.selection = before.carried(&old, &self.case);
        self.texts.forget();
        self.finding.forget_answers();
        if !same_files {
            self.trail.forget();
            self.raw = None;
        }
        let root = |selection: Selection, case: &Case| {
            selection
                .incident(case)
                .map(|i| (i.root().place, i.trace.len()))
        };
        // Where the same trace is still shown, nothing moves under the reader's eyes.
        if root(before, &old) != root(self.selection, &self.case) {
            self.view.folds.reset();
            self.align_all();
        } else {
            for pane in Pane::ALL {
                if pane != Pane::Trace {
                    self.align(pane);
                }
            }
        }
    }

    fn input(&mut self, input: Input) -> Vec<Effect> {
        match input {
            Input::Key(key) if key.kind != KeyEventKind::Release => self.key(key.into()),
            Input::Mouse(mouse) => {
                self.mouse(mouse);
                Vec::new()
            }
            Input::Paste(text) => {
                if let Some(overlay) = &mut self.overlay {
                    overlay.paste(&text);
                    self.typed_so_far();
                }
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn key(&mut self, key: Chord) -> Vec<Effect> {
        self.told.status = None;
        if let Some(overlay) = &mut self.overlay {
            let answer = overlay.press(key, &self.keys.map, &self.theme, self.view.focus);
            return self.answer(&answer);
        }
        if let Some(action) = self.keys.letter.take() {
            self.letter(action, key);
            return Vec::new();
        }
        self.keys.pending.push(key);
        match self.keys.map.meaning(self.sections(), &self.keys.pending) {
            Meaning::Action(action) => {
                self.keys.pending.clear();
                self.act(action)
            }
            Meaning::Prefix => Vec::new(),
            Meaning::Nothing => {
                self.keys.pending.clear();
                Vec::new()
            }
        }
    }

    fn answer(&mut self, answer: &Answer) -> Vec<Effect> {
        match answer {
            Answer::Stay => {
                self.typed_so_far();
                Vec::new()
            }
            Answer::Close => {
                if matches!(self.overlay, Some(Overlay::Prompt { filter: false, .. })) {
                    self.finding.set_search(None);
                }
                self.overlay = None;
                Vec::new()
            }
            Answer::Run(action) => {
                self.overlay = None;
                self.act(*action)
            }
            Answer::Typed => match self.overlay.take() {
                Some(Overlay::Prompt {
                    filter: false,
                    input,
                }) => {
                    self.finding.set_search(Query::new(input.text()));
                    if self.raw.is_some() {
                        return self.next_match(true);
                    }
                    if self.selection.incident.is_none() {
                        return self.next_match(true);
                    }
                    self.finding.wish = self.finding.search().is_some();
                    Vec::new()
                }
                Some(Overlay::Prompt { input, .. }) => {
                    self.finding.set_filter(Query::filter(input.text()));
                    self.align_all();
                    Vec::new()
                }
                _ => Vec::new(),
            },
        }
    }

    /// What is typed into the search is marked at once.
    fn typed_so_far(&mut self) {
        if let Some(Overlay::Prompt {
            filter: false,
            input,
        }) = &self.overlay
        {
            let query = Query::new(input.text());
            self.finding.set_search(query);
        }
    }

    fn letter(&mut self, action: Action, key: Chord) {
        let Some(letter) = key.typed().filter(|c| c.is_alphanumeric()) else {
            return;
        };
        if action == Action::Mark {
            let spot = self.spot();
            self.trail.mark(letter, spot);
            self.say(format!("marked as {letter}"));
        } else if let Some(spot) = self.trail.marked(letter).cloned() {
            self.leave_spot();
            self.go(spot);
        } else {
            self.say(format!("nothing is marked as {letter}"));
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

    fn mouse(&mut self, mouse: MouseEvent) {
        let by = match mouse.kind {
            MouseEventKind::ScrollDown => 3,
            MouseEventKind::ScrollUp => -3,
            _ => 0,
        };
        if let Some(overlay) = &mut self.overlay {
            let len = overlay
                .rows(&self.keys.map, &self.theme, self.view.focus)
                .len();
            if let Some(scroll) = overlay.scroll() {
                scroll.by(by, len);
            }
            return;
        }
        let clicked = mouse.kind == MouseEventKind::Down(MouseButton::Left);
        if let Some(raw) = &mut self.raw {
            let body = self.view.layout.body;
            let line = usize::from(mouse.row.saturating_sub(body.y + 1));
            if by != 0 {
                raw.by(by);
            } else if clicked && body.contains((mouse.column, mouse.row).into()) {
                if let Some(row) = raw.scroll.at_line(line) {
                    raw.to_row(row);
                }
            }
            return;
        }
        let Some((pane, area)) = self.view.layout.pane_at(mouse.column, mouse.row) else {
            return;
        };
        if by != 0 {
            let len = self.len(pane);
            self.scroll(pane).wheel(by, len);
        } else if clicked {
            self.view.focus = pane;
            let inside = mouse.row > area.y && mouse.row + 1 < area.bottom();
            let line = usize::from(mouse.row.saturating_sub(area.y + 1));
            let row = self.scroll(pane).at_line(line).filter(|_| inside);
            if let Some(row) = row {
                self.move_to(pane, row);
            }
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
    pub(super) fn copy(&mut self, wanted: Option<Wanted>) -> Vec<Effect> {
        match wanted {
            Some(wanted) => vec![Effect::Copy(wanted)],
            None => {
                self.say("there is nothing of that to copy here");
                Vec::new()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::sample;
    use crate::ui::theme::Depth;
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
    use proptest::prelude::*;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    struct Screen {
        app: App,
        terminal: Terminal<TestBackend>,
        effects: Vec<Effect>,
    }

    impl Screen {
        fn of(case: Case, width: u16, height: u16) -> Self {
            let theme = Theme::named("dark", Depth::True).unwrap();
            let mut screen = Self {
                app: App::new(Arc::new(case), Keymap::built_in(), theme),
                terminal: Terminal::new(TestBackend::new(width, height)).unwrap(),
                effects: Vec::new(),
            };
            screen.draw();
            screen
        }

        fn draw(&mut self) {
            self.terminal.draw(|frame| self.app.draw(frame)).unwrap();
        }

        fn press(&mut self, key: KeyEvent) {
            self.send(Event::Input(Input::Key(key)));
        }

        fn send(&mut self, event: Event) {
            let mut effects = self.app.update(event);
            while let Some(effect) = effects.pop() {
                if let Effect::Scan {
                    generation,
                    filter,
                    incident,
                    query,
                } = &effect
                {
                    let lines = query.scan(self.app.case(), *incident);
                    effects.extend(self.app.update(Event::Scanned {
                        generation: *generation,
                        filter: *filter,
                        lines,
                    }));
                }
                self.effects.push(effect);
            }
            self.draw();
        }

        /// Keys as in a keymap, separated by spaces.
        fn keys(mut self, keys: &str) -> Self {
            for key in keys.split(' ') {
                let chord = Chord::parse(key).unwrap();
                let modifiers = if chord.is_control() {
                    KeyModifiers::CONTROL
                } else {
                    KeyModifiers::NONE
                };
                self.press(KeyEvent::new(chord.code(), modifiers));
            }
            self
        }

        fn text(&self) -> String {
            let buffer = self.terminal.backend().buffer();
            let width = usize::from(buffer.area.width);
            let lines = buffer.content.chunks(width).map(|line| {
                let line: String = line.iter().map(|c| c.symbol()).collect();
                format!("{}\n", line.trim_end())
            });
            lines.collect()
        }
    }

    const SIZES: [(u16, u16); 5] = [(200, 50), (120, 36), (80, 24), (40, 12), (24, 6)];

    #[test]
    fn the_first_frame_names_outcome_and_root_at_every_size() {
        for (width, height) in SIZES {
            let text = Screen::of(sample::udf(), width, height).text();
            assert!(text.contains("FAILED"), "{text}");
            assert!(text.contains("▶ ValueError"), "{text}");
            assert!(
                width < 30 || text.contains("enrich_orders.py:88 parse_age()"),
                "{text}"
            );
        }
    }

    fn key() -> impl Strategy<Value = KeyEvent> {
        let special = prop_oneof![
            Just(KeyCode::Enter),
            Just(KeyCode::Esc),
            Just(KeyCode::Tab),
            Just(KeyCode::BackTab),
            Just(KeyCode::Up),
            Just(KeyCode::Down),
            Just(KeyCode::Left),
            Just(KeyCode::Right),
            Just(KeyCode::PageDown),
            Just(KeyCode::PageUp),
            Just(KeyCode::Home),
            Just(KeyCode::End),
            Just(KeyCode::Backspace),
            Just(KeyCode::F(1)),
            Just(KeyCode::F(5)),
        ];
        let typed = prop::sample::select(
            "jkghlGHLnN/&:?123456+_[]cfrsimzoaRMvwyYtxq' -="
                .chars()
                .collect::<Vec<_>>(),
        );
        prop_oneof![
            3 => typed.clone().prop_map(|c| KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE)),
            2 => special.prop_map(|code| KeyEvent::new(code, KeyModifiers::NONE)),
            1 => typed.prop_map(|c| KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL)),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn any_keys_at_any_size_are_survived(
            keys in prop::collection::vec(key(), 0..60),
            sizes in prop::collection::vec((0..210u16, 0..60u16), 1..4),
            failed: bool,
        ) {
            let case = if failed { sample::udf() } else { sample::succeeded() };
            let mut screen = Screen::of(case, 120, 36);
            for (i, key) in keys.iter().enumerate() {
                if i % 20 == 0 {
                    let (width, height) = sizes[i / 20 % sizes.len()];
                    screen.terminal.backend_mut().resize(width, height);
                }
                screen.press(*key);
            }
        }

        #[test]
        fn clicks_and_the_wheel_anywhere_are_survived(
            clicks in prop::collection::vec((0..130u16, 0..40u16, 0..3u8), 0..30),
            raw: bool,
        ) {
            let mut screen = Screen::of(sample::udf(), 120, 36);
            if raw {
                screen = screen.keys("v");
            }
            for (column, row, kind) in clicks {
                let kind = match kind {
                    0 => MouseEventKind::ScrollDown,
                    1 => MouseEventKind::ScrollUp,
                    _ => MouseEventKind::Down(MouseButton::Left),
                };
                screen.send(Event::Input(Input::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })));
            }
        }
    }
}
