//! In: keys, pastes; the mouse is handed on. Out: what they ask of the [`App`]: an overlay takes them first, then a mark that waits
//! for its letter, then the keymap.

use super::action::Action;
use super::app::App;
use super::event::Effect;
use super::hop::{Hop, Hopped};
use super::key::Chord;
use super::keymap::{Meaning, written};
use super::overlay::{Answer, Overlay};
use super::query::Query;
use crate::text::counted;
use crossterm::event::{Event as Input, KeyEventKind};

impl App {
    /// Takes what came from the terminal.
    pub(super) fn input(&mut self, input: Input) -> Vec<Effect> {
        match input {
            Input::Key(key) if key.kind != KeyEventKind::Release => self.key(key.into()),
            Input::Mouse(mouse) => self.mouse(mouse),
            Input::Paste(text) => self.pasted(&text),
            _ => Vec::new(),
        }
    }

    /// A paste goes where something is typed; else it is a trace to be read. One line alone is more likely
    /// to have come by mistake.
    fn pasted(&mut self, text: &str) -> Vec<Effect> {
        match &mut self.overlay {
            Some(Overlay::Paste { .. }) => self.overlay = None,
            Some(overlay) => {
                overlay.paste(text);
                self.typed_so_far();
                return Vec::new();
            }
            None if text.trim().contains(['\n', '\r']) => {}
            None => {
                self.say("press p before pasting a single line");
                return Vec::new();
            }
        }
        // Terminals send the ends of pasted lines as the Enter key would: a carriage return.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        self.say("reading what was pasted; F5 goes back to the logs");
        vec![Effect::Read(text)]
    }

    fn key(&mut self, key: Chord) -> Vec<Effect> {
        self.told.status = None;
        let key = self.as_meant(key);
        let pane = self.pane();
        if let Some(overlay) = &mut self.overlay {
            let answer = overlay.press(key, &self.keys.map, &self.theme, pane);
            return self.answer(&answer);
        }
        if let Some(action) = self.keys.letter.take() {
            self.letter(action, key);
            return Vec::new();
        }
        if let Some(hop) = self.keys.hop.take() {
            self.hop(hop, key);
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
                let keys = written(&self.keys.pending);
                let prefix = self.keys.pending.len() > 1;
                self.keys.pending.clear();
                let alone = self.keys.map.meaning(self.sections(), &[key]);
                if prefix && alone == Meaning::Action(Action::Back) {
                    return Vec::new();
                }
                let help = self.keys.map.key(Action::Help);
                self.say(format!("{keys} does nothing here; {help} shows the keys"));
                Vec::new()
            }
        }
    }

    /// To most terminals `^i` is Tab: right behind a jump it is meant as `^i`, while that leads anywhere.
    fn as_meant(&mut self, key: Chord) -> Chord {
        let jumped = std::mem::take(&mut self.keys.jumped);
        if !jumped || key != Chord::TAB || !self.trail.leads_forward() || self.overlay.is_some() {
            return key;
        }
        let forward = self.keys.map.meaning(self.sections(), &[Chord::CONTROL_I]);
        if forward == Meaning::Action(Action::JumpForward) {
            Chord::CONTROL_I
        } else {
            key
        }
    }

    pub(super) fn answer(&mut self, answer: &Answer) -> Vec<Effect> {
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
            Answer::Listed(key) => {
                if self.keys.map.meaning(self.sections(), &[*key]) == Meaning::Nothing {
                    self.say(format!("{key} does nothing here"));
                    return Vec::new();
                }
                self.overlay = None;
                self.key(*key)
            }
            Answer::Line(line) => {
                self.overlay = None;
                self.go_to_line(*line);
                Vec::new()
            }
            Answer::Place(place) => {
                self.overlay = None;
                self.open_place(*place);
                Vec::new()
            }
            Answer::File(source) => {
                self.overlay = None;
                self.open_file(*source);
                Vec::new()
            }
            Answer::Typed => match self.overlay.take() {
                Some(Overlay::Paste { lines, .. }) => {
                    self.overlay = Some(Overlay::paste_box());
                    self.pasted(&lines.join("\n"))
                }
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
                    self.say_what_passes();
                    Vec::new()
                }
                _ => Vec::new(),
            },
        }
    }

    /// Says how many incidents pass the filter: on a narrow screen they are not seen.
    fn say_what_passes(&mut self) {
        if self.finding.filter().is_none() || self.raw.is_some() {
            return;
        }
        let (passing, all) = (
            self.context().passing_incidents(),
            self.case.story.incidents.len(),
        );
        let next = self.keys.map.key(Action::NextIncident);
        let back = self.keys.map.key(Action::Back);
        let next = if passing > 0 {
            format!("{next} goes to the next, ")
        } else {
            String::new()
        };
        self.say(format!(
            "{passing} of {} pass; {next}{back} ends the filter",
            counted(all as u64, "incident")
        ));
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

    /// Takes a letter of a row; any other key ends the wait for it.
    fn hop(&mut self, mut hop: Hop, key: Chord) {
        match key.typed().map(|letter| hop.take(letter)) {
            Some(Hopped::More) => self.keys.hop = Some(hop),
            Some(Hopped::To(landing)) => self.land(landing),
            Some(Hopped::Nowhere) => self.say("no row has these letters"),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use crate::load::Case;
    use crate::ui::event::Event;
    use crate::ui::keymap::Keymap;
    use crate::ui::sample;
    use crate::ui::theme::{Depth, Theme};
    use crossterm::event::{
        KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
    };
    use proptest::prelude::*;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use std::sync::Arc;

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
                    let lines = query.answer(self.app.case(), *incident, *filter);
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
            let mut text = String::new();
            for line in buffer.content.chunks(usize::from(buffer.area.width)) {
                let line: String = line.iter().map(ratatui::buffer::Cell::symbol).collect();
                text.push_str(line.trim_end());
                text.push('\n');
            }
            text
        }
    }

    const SIZES: [(u16, u16); 5] = [(200, 50), (120, 36), (80, 24), (40, 12), (24, 6)];

    #[test]
    fn a_pasted_trace_is_read_and_a_pasted_line_is_not() {
        let mut screen = Screen::of(sample::udf(), 100, 30);
        screen.send(Event::Input(Input::Paste("ValueError: x".into())));
        assert!(screen.effects.is_empty());
        screen.send(Event::Input(Input::Paste(
            "Traceback:\r  x\rValueError: x".into(),
        )));
        let read = |effect: &Effect| matches!(effect, Effect::Read(text) if text == "Traceback:\n  x\nValueError: x");
        assert!(screen.effects.iter().any(read), "{:?}", screen.effects);
    }

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

    #[test]
    fn the_smallest_screen_has_rows_of_the_trace() {
        let text = Screen::of(sample::udf(), 20, 5).text();
        let body: Vec<&str> = text.lines().skip(2).take(2).collect();
        assert!(body.iter().all(|line| !line.trim().is_empty()), "{text}");
        assert!(
            !text.contains('┃') && text.contains("▶ ValueError"),
            "{text}"
        );
    }

    #[test]
    fn a_log_shows_its_times_in_every_way() {
        let screen = Screen::of(sample::udf(), 120, 36).keys("v t g");
        assert!(
            screen.text().contains("05:08:38  26/11/30 05:08:38 ERROR"),
            "{}",
            screen.text()
        );
        let screen = screen.keys("t");
        assert!(
            screen.text().contains("the time since the first line"),
            "{}",
            screen.text()
        );
        let screen = screen.keys("t t");
        assert!(
            !screen.text().contains("05:08:38  26/11/30"),
            "{}",
            screen.text()
        );
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
            "jkghlGHLnN/&:?123456+_<>[]cfrsimzoaRMvwyYtxq' -="
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
            clicks in prop::collection::vec((0..130u16, 0..40u16, 0..5u8), 0..30),
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
                    2 => MouseEventKind::Drag(MouseButton::Left),
                    _ => MouseEventKind::Down(MouseButton::Left),
                };
                screen.send(Event::Input(Input::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })));
            }
        }
    }
}
