//! What people see: chosen screens of the real [`App`], each for a reason, drawn without a terminal.
//!
//! `INSTA_UPDATE=always cargo test --test it screens` accepts what has changed on purpose.

use causedby::diagnosis::{Bucket, Diagnosis, Fix, Step, StepKind};
use causedby::incident::{Evidence, Role};
use causedby::load::{self, Case, Options};
use causedby::source::Sources;
use causedby::text::Place;
use causedby::ui::{App, Depth, Effect, Event, Keymap, Role as StyleRole, Theme, Wanted};
use crossterm::event::{Event as Input, KeyCode, KeyEvent, KeyModifiers};
use insta::assert_snapshot;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Modifier;
use std::sync::{Arc, LazyLock};

/// The built-in incident: a Python UDF that met a word where a number should be. What the rules say of it and which
/// failures count are fixed here, so that better judgement does not change the screens.
pub(crate) static DEMO: LazyLock<Arc<Case>> = LazyLock::new(|| {
    let mut case = load::load(load::demo(), &Options::default());
    let evidence = vec![case.story.incidents[0].root().place];
    for other in &mut case.story.incidents[1..] {
        other.role = Role::Noise;
    }
    case.diagnoses.fill(Diagnosis::default());
    case.diagnoses[0] = Diagnosis {
        bucket: Some(Bucket::Data),
        confidence: 0.9,
        explanation: "A text of the input is not the number that the function takes it for.".into(),
        fixes: vec![
            fix("Guard the input of `parse_age`", &evidence),
            fix("Cast in Spark instead of Python", &evidence),
        ],
        ..Diagnosis::default()
    };
    Arc::new(case)
});

fn fix(title: &str, evidence: &[Place]) -> Fix {
    let step = |kind, text: &str, code: &str| Step {
        replaces: None,
        kind,
        text: text.into(),
        lang: Some("python".into()),
        code: Some(code.into()),
    };
    Fix {
        rule: "udf-parse-value".into(),
        family: "guard-input".into(),
        title: title.into(),
        why: "'unknown' reached int() in the column age.".into(),
        steps: vec![
            step(
                StepKind::Check,
                "Find the values that do not parse.",
                "df.filter(\"age IS NOT NULL AND try_cast(age AS INT) IS NULL\").groupBy(\"age\").count().show(50, truncate=False)",
            ),
            step(
                StepKind::Reproduce,
                "Call it on that value.",
                "parse_age(\"unknown\")",
            ),
            step(
                StepKind::Fix,
                "Return None for what does not parse.",
                "try:\n    return int(text.strip())\nexcept ValueError:\n    return None",
            ),
            step(
                StepKind::Guard,
                "Stop above what you can bear.",
                "assert df.filter(\"age IS NULL\").count() < 1000",
            ),
        ],
        evidence: evidence.to_vec(),
    }
}

fn case_of(name: &str, log: &str) -> Arc<Case> {
    let mut sources = Sources::default();
    sources.add_memory(name, log.as_bytes().to_vec());
    Arc::new(load::load(sources, &Options::default()))
}

pub(crate) struct Screen {
    pub(crate) app: App,
    terminal: Terminal<TestBackend>,
    effects: Vec<Effect>,
}

impl Screen {
    pub(crate) fn of(case: &Arc<Case>, width: u16, height: u16) -> Self {
        Self::themed(case, width, height, Depth::True)
    }

    pub(crate) fn themed(case: &Arc<Case>, width: u16, height: u16, depth: Depth) -> Self {
        Self::in_theme(case, width, height, "dark", depth)
    }

    pub(crate) fn in_theme(
        case: &Arc<Case>,
        width: u16,
        height: u16,
        theme: &str,
        depth: Depth,
    ) -> Self {
        let theme = Theme::named(theme, depth).expect("a built-in theme");
        let mut screen = Self {
            app: App::new(Arc::clone(case), Keymap::built_in(), theme),
            terminal: Terminal::new(TestBackend::new(width, height)).expect("a buffer"),
            effects: Vec::new(),
        };
        screen.draw();
        screen
    }

    pub(crate) fn draw(&mut self) {
        self.terminal
            .draw(|frame| self.app.draw(frame))
            .expect("a buffer");
    }

    /// Presses keys separated by spaces; what the app asks to be looked up is answered as the loop would.
    pub(crate) fn keys(mut self, keys: &str) -> Self {
        for key in keys.split(' ') {
            self.press(key);
            self.draw();
        }
        self
    }

    /// Presses one key and does not look what came of it.
    pub(crate) fn press(&mut self, key: &str) {
        let (code, modifiers) = match key {
            "Enter" => (KeyCode::Enter, KeyModifiers::NONE),
            "Esc" => (KeyCode::Esc, KeyModifiers::NONE),
            "Tab" => (KeyCode::Tab, KeyModifiers::NONE),
            key => match key.strip_prefix('^').filter(|rest| !rest.is_empty()) {
                Some(rest) => (KeyCode::Char(char_of(rest)), KeyModifiers::CONTROL),
                None => (KeyCode::Char(char_of(key)), KeyModifiers::NONE),
            },
        };
        let mut events = vec![Event::Input(Input::Key(KeyEvent::new(code, modifiers)))];
        while let Some(event) = events.pop() {
            for effect in self.app.update(event) {
                if let Effect::Scan {
                    generation,
                    filter,
                    incident,
                    query,
                } = &effect
                {
                    events.push(Event::Scanned {
                        generation: *generation,
                        filter: *filter,
                        lines: query.answer(self.app.case(), *incident, *filter),
                    });
                }
                self.effects.push(effect);
            }
        }
    }

    pub(crate) fn text(&self) -> String {
        let buffer = self.terminal.backend().buffer();
        let mut text = String::new();
        for line in buffer.content.chunks(usize::from(buffer.area.width)) {
            let line: String = line.iter().map(ratatui::buffer::Cell::symbol).collect();
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    pub(crate) fn buffer(&self) -> &ratatui::buffer::Buffer {
        self.terminal.backend().buffer()
    }

    pub(crate) fn copied(&self) -> Option<&Wanted> {
        self.effects.iter().rev().find_map(|effect| match effect {
            Effect::Copy { wanted, .. } => Some(wanted),
            _ => None,
        })
    }
}

fn char_of(key: &str) -> char {
    key.chars().next().expect("a key")
}

/// What everybody sees first: the root, the user's line, and everything that hangs off them.
#[test]
fn first_frame_of_an_ordinary_terminal() {
    assert_snapshot!(Screen::of(&DEMO, 120, 36).text());
}

/// A large terminal shows the fixes whole beside the trace.
#[test]
fn first_frame_of_a_wide_terminal() {
    assert_snapshot!(Screen::of(&DEMO, 200, 50).text());
}

/// What a default terminal window shows: one pane, the others in a line.
#[test]
fn first_frame_of_a_narrow_terminal() {
    assert_snapshot!(Screen::of(&DEMO, 80, 24).text());
}

/// A split of a split: outcome and root still stand.
#[test]
fn first_frame_of_a_tiny_terminal() {
    assert_snapshot!(Screen::of(&DEMO, 40, 12).text());
}

/// Nothing can be shown, and that is said instead of drawing rubbish.
#[test]
fn a_terminal_that_is_too_small() {
    assert_snapshot!(Screen::of(&DEMO, 18, 4).text());
}

/// On a narrow terminal a list takes room from the trace, and the root stays in view.
#[test]
fn a_list_on_a_narrow_terminal() {
    assert_snapshot!(Screen::of(&DEMO, 80, 24).keys("4 k").text());
}

/// The fix with its steps and code.
#[test]
fn the_fixes_zoomed() {
    assert_snapshot!(Screen::of(&DEMO, 120, 36).keys("6 +").text());
}

/// Hidden panes are named in a line below the others, and their neighbours take the room.
#[test]
fn panes_that_were_hidden_and_resized() {
    let screen = Screen::of(&DEMO, 120, 36).keys("4 ^w c 5 ^w c > > 6 ^w +");
    assert_snapshot!(screen.text());
    let first = Screen::of(&DEMO, 120, 36).keys("6 3").text();
    assert_eq!(screen.keys("^w = 6 3").text(), first);
}

/// From the root into the log itself.
#[test]
fn the_log_around_the_root() {
    assert_snapshot!(Screen::of(&DEMO, 100, 20).keys("Enter").text());
}

/// Nothing is folded, and the root comes first.
#[test]
fn the_trace_unfolded_and_root_first() {
    assert_snapshot!(Screen::of(&DEMO, 100, 30).keys("z R R g").text());
}

/// The keys that have to do with folding, found by typing.
#[test]
fn help_with_a_filter() {
    assert_snapshot!(Screen::of(&DEMO, 100, 26).keys("? / f o l d Enter").text());
}

/// What may follow a prefix.
#[test]
fn keys_behind_a_prefix() {
    assert_snapshot!(Screen::of(&DEMO, 100, 26).keys("]").text());
}

/// Any action by a few letters of its name.
#[test]
fn the_command_line() {
    assert_snapshot!(Screen::of(&DEMO, 100, 26).keys(": t i c k").text());
}

/// A search tells how many matches there are, and where else.
#[test]
fn a_search() {
    assert_snapshot!(
        Screen::of(&DEMO, 100, 26)
            .keys("/ p a r s e _ a g e Enter n")
            .text()
    );
}

/// A run that went well says so and invents no failure.
#[test]
fn a_run_that_went_well() {
    let log = "\
24/03/09 10:00:01 INFO SparkContext: Running Spark version 3.5.1
24/03/09 10:00:09 INFO DAGScheduler: Job 0 finished: count at App.scala:12, took 1.0 s
24/03/09 10:00:10 INFO SparkContext: SparkContext is stopping with exitCode 0.
24/03/09 10:00:10 INFO SparkContext: Successfully stopped SparkContext
24/03/09 10:00:10 INFO ShutdownHookManager: Shutdown hook called
";
    let screen = Screen::of(&case_of("driver.log", log), 100, 26);
    assert_snapshot!(screen.text());
    // Without a failure there still is a log.
    let text = screen.keys("v").text();
    assert!(text.contains("Job 0 finished"), "{text}");
}

#[test]
fn keys_that_lead_nowhere_say_so() {
    let text = |keys: &str| Screen::of(&DEMO, 120, 36).keys(keys).text();
    assert!(text("x").contains("x does nothing here; ? shows the keys"));
    assert!(text("l").contains("no inner cause; [c goes the other way"));
    assert!(text("& z z z z Enter").contains("no record of this trace passes the filter"));
    assert!(text("e").contains("2/3 incidents"));
    assert!(text("t").contains("11.0 ✗ 02:11:07 "));
}

/// Where only a symptom was opened, the first frame says so and where to look.
#[test]
fn only_a_symptom() {
    let mut case = (**DEMO).clone();
    let incident = &mut case.story.incidents[0];
    incident.evidence = Evidence::SymptomOnly;
    incident.user_frame = None;
    incident.next = vec![
        "executor 7's stderr: yarn logs -applicationId application_1741564800123_0042".into(),
        "the event log of the run".into(),
    ];
    case.diagnoses.fill(Diagnosis::default());
    assert_snapshot!(Screen::of(&Arc::new(case), 100, 26).text());
}

/// While nothing is known yet the screen is there and says so; what is known so far is marked.
#[test]
fn while_reading() {
    let known = Case {
        provisional: true,
        ..(**DEMO).clone()
    };
    let nothing = Case {
        story: causedby::incident::Story::default(),
        diagnoses: Vec::new(),
        ..known.clone()
    };
    let mut screen = Screen::of(&Arc::new(nothing), 100, 26);
    let reading = Event::Reading(Some("reading 43 % · 812 MB/s".to_owned()));
    assert!(screen.app.update(reading).is_empty());
    screen.draw();
    assert_snapshot!(screen.text());
    assert!(screen.app.update(Event::Case(Arc::new(known))).is_empty());
    screen.draw();
    let text = screen.text();
    assert!(
        text.contains("FAILED?") && text.contains("▶ ValueError"),
        "{text}"
    );
    // The trace stands where it would stand had it been there from the start.
    let mut later = Screen::of(&DEMO, 100, 26);
    later.draw();
    assert_eq!(
        text.lines().skip(3).collect::<Vec<_>>(),
        later.text().lines().skip(3).collect::<Vec<_>>()
    );
}

#[test]
fn the_root_is_told_apart_without_any_colour() {
    let screen = Screen::themed(&DEMO, 120, 36, Depth::Mono);
    let buffer = screen.terminal.backend().buffer();
    let root: Vec<_> = (0..36)
        .filter(|y| buffer[(0, *y)].symbol() == "▶" || buffer[(37, *y)].symbol() == "▶")
        .collect();
    assert_eq!(root.len(), 2, "{}", screen.text());
    for y in &root {
        let x = if buffer[(0, *y)].symbol() == "▶" {
            2
        } else {
            39
        };
        let style = buffer[(x, *y)].style();
        assert!(style.add_modifier.contains(Modifier::BOLD), "{style:?}");
        assert!(
            style.add_modifier.contains(Modifier::UNDERLINED),
            "{style:?}"
        );
    }
    let colours = buffer.content.iter().any(|cell| {
        !matches!(cell.fg, ratatui::style::Color::Reset)
            || !matches!(cell.bg, ratatui::style::Color::Reset)
    });
    assert!(!colours);
}

#[test]
fn the_root_has_its_own_style() {
    let theme = Theme::named("dark", Depth::True).expect("a built-in theme");
    let screen = Screen::of(&DEMO, 120, 36);
    let banner = screen.terminal.backend().buffer()[(4, 1)].style();
    assert_eq!(banner.bg, theme.style(StyleRole::Root).bg);
    assert_eq!(banner.fg, theme.style(StyleRole::Root).fg);
}

#[test]
fn the_root_and_what_belongs_to_it_can_be_copied() {
    let root = DEMO.story.incidents[0].root().text.to_string();
    let copied = |keys: &str| Screen::of(&DEMO, 80, 24).keys(keys).copied().cloned();
    assert_eq!(copied("y"), Some(Wanted::Text(root.clone())));
    assert_eq!(copied("g y"), Some(Wanted::Text(root.clone())));
    assert_eq!(copied("Y 4"), Some(Wanted::Trace(0)));
    assert_eq!(copied("Y 7"), Some(Wanted::Ticket(0)));
    let Some(Wanted::Text(chain)) = copied("Y 2") else {
        panic!("no chain")
    };
    assert!(
        chain.contains("\ncaused by: ") && chain.contains("'unknown'"),
        "{chain}"
    );
    // One step is what can be pasted; the whole fix holds it, and more.
    let (Some(Wanted::Text(step)), Some(Wanted::Text(fix))) = (copied("Y 5"), copied("Y 6")) else {
        panic!("no fix")
    };
    assert!(fix.contains(&step) && !step.trim().is_empty());
    assert_eq!(copied("Y Esc"), None);
}

#[test]
fn every_pane_follows_the_selection() {
    let screen = Screen::of(&DEMO, 120, 36).keys("] i");
    assert_eq!(screen.app.selection().incident, Some(1));
    assert!(screen.text().contains("2/"), "{}", screen.text());
    let back = screen.keys("[ i [ c");
    let selection = back.app.selection();
    let root = DEMO.story.incidents[0].root;
    assert_eq!(
        (selection.incident, selection.cause),
        (Some(0), Some(root - 1))
    );
    let root_again = back.keys("r").app.selection().cause;
    assert_eq!(root_again, Some(root));
}

#[test]
fn escape_ends_what_was_begun_and_says_nothing_of_it() {
    let said = |keys: &str| Screen::of(&DEMO, 80, 24).keys(keys).text();
    let first = Screen::of(&DEMO, 80, 24).text();
    assert_eq!(said("] Esc"), first);
    assert!(said("] u").contains("]u does nothing here"));
    // From a pane it leads to the trace.
    assert_eq!(said("1 Esc"), first);
}

#[test]
fn q_quits_and_escape_does_not() {
    let quits = |keys: &str| {
        let screen = Screen::of(&DEMO, 80, 24).keys(keys);
        screen.effects.iter().any(|e| matches!(e, Effect::Quit))
    };
    assert!(quits("q") && quits("^c") && quits("v q") && quits("? Esc q"));
    assert!(!quits("Esc Esc Esc") && !quits("? q") && !quits("/ q"));
}

#[test]
fn the_log_keeps_its_place_when_its_lines_are_counted() {
    let mut early = (**DEMO).clone();
    early.lines.fill(0);
    for incident in &mut early.story.incidents {
        for place in incident.chain.iter_mut().map(|c| &mut c.place) {
            place.line -= 60;
        }
        for place in incident.trace.iter_mut().map(|l| &mut l.place) {
            place.line -= 60;
        }
    }
    let mut screen = Screen::of(&Arc::new(early), 100, 20).keys("Enter j");
    assert!(
        screen.text().contains("lines are being counted"),
        "{}",
        screen.text()
    );
    assert!(!screen.text().contains(" 610"), "{}", screen.text());
    assert!(screen.app.update(Event::Case(Arc::clone(&DEMO))).is_empty());
    screen.draw();
    let counted = Screen::of(&DEMO, 100, 20).keys("Enter j").text();
    assert_eq!(screen.text(), counted);
    assert!(counted.contains("line 671 of"), "{counted}");
}

/// A copy of text that a log holds never carries a control character to the screen.
#[test]
fn what_a_log_holds_cannot_write_to_the_terminal() {
    let log = "Traceback (most recent call last):\n  File \"/app/job.py\", line 3, in <module>\n    \
               go()\nValueError: \u{1b}]0;owned\u{7}\u{202e}abc\n";
    let case = case_of("trace.txt", log);
    for keys in ["r", "Enter", "1", "2 +", "6 +"] {
        let text = Screen::of(&case, 100, 26).keys(keys).text();
        assert!(text.contains("<U+202E>abc"), "{keys}: {text}");
        let unsafe_char = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!text.contains(unsafe_char), "{keys}: {text:?}");
    }
    let raw = Screen::of(&case, 100, 26).keys("Enter").text();
    assert!(raw.contains("␛]0;owned␇"), "{raw}");
}
