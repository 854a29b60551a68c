//! [`Overlay`]: which one lies over the panes, what is typed into it, and what a key comes to there.

use super::explain::Explained;
use super::files::{File, Files};
use super::given::Given;
use super::menu::COPIES;
use super::paste::{self, PasteBox};
use super::{command, help, menu};
use crate::diagnosis::GivenSetting;
use crate::text::{Place, SourceId};
use crate::ui::action::Action;
use crate::ui::key::Chord;
use crate::ui::keymap::{Keymap, Meaning, Section};
use crate::ui::panes::Pane;
use crate::ui::theme::Theme;
use crate::ui::widgets::{Input, Rows, Scroll};
use crossterm::event::KeyCode;

/// A longer command line takes no further letters.
const LONGEST_COMMAND: usize = 256;

/// What lies over the panes.
#[derive(Debug, Clone)]
pub(in crate::ui) enum Overlay {
    /// All keys, those of the pane first.
    Help {
        filter: Input,
        typing: bool,
        scroll: Scroll,
    },
    /// What to copy.
    Menu { scroll: Scroll },
    /// Any action by its name.
    Command { input: Input, scroll: Scroll },
    /// What names mean: each with its two sentences.
    Explain {
        terms: Vec<(String, String)>,
        scroll: Scroll,
    },
    /// What was opened.
    Files { files: Vec<File>, scroll: Scroll },
    /// The settings that the run was given.
    Settings {
        given: Vec<GivenSetting>,
        scroll: Scroll,
    },
    /// A trace that is pasted: what came so far, where the terminal types a paste key by key.
    Paste { lines: Vec<String>, scroll: Scroll },
    /// A text to be read whole.
    Note { text: String, scroll: Scroll },
    /// A line to type, in place of the footer.
    Prompt { filter: bool, input: Input },
}

/// What a key came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::ui) enum Answer {
    Stay,
    Close,
    Run(Action),
    /// The line of the log that is to be shown.
    Line(u64),
    /// The place in a log that is to be shown.
    Place(Place),
    /// The file that is to be shown.
    File(SourceId),
    /// A key that the help may list: it does what the list says of it.
    Listed(Chord),
    /// What was typed has ended.
    Typed,
}

impl Overlay {
    pub(in crate::ui) fn help() -> Self {
        Self::Help {
            filter: Input::default(),
            typing: false,
            scroll: Scroll::default(),
        }
    }

    pub(in crate::ui) fn menu() -> Self {
        Self::Menu {
            scroll: Scroll::default(),
        }
    }

    pub(in crate::ui) fn explain(terms: Vec<(String, String)>) -> Self {
        Self::Explain {
            terms,
            scroll: Scroll::default(),
        }
    }

    pub(in crate::ui) fn files(files: Vec<File>) -> Self {
        Self::Files {
            files,
            scroll: Scroll::default(),
        }
    }

    pub(in crate::ui) fn settings(given: Vec<GivenSetting>) -> Self {
        Self::Settings {
            given,
            scroll: Scroll::default(),
        }
    }

    pub(in crate::ui) fn command() -> Self {
        Self::Command {
            input: Input::default(),
            scroll: Scroll::default(),
        }
    }

    pub(in crate::ui) fn paste_box() -> Self {
        Self::Paste {
            lines: vec![String::new()],
            scroll: Scroll::default(),
        }
    }

    pub(in crate::ui) fn note(text: String) -> Self {
        Self::Note {
            text,
            scroll: Scroll::default(),
        }
    }

    pub(in crate::ui) fn prompt(filter: bool) -> Self {
        Self::Prompt {
            filter,
            input: Input::default(),
        }
    }

    /// Its title, where it is a box.
    pub(in crate::ui) fn title(&self) -> &'static str {
        match self {
            Self::Help { .. } => " Keys · press one to use it ",
            Self::Menu { .. } => " Copy ",
            Self::Command { .. } => " Run ",
            Self::Explain { .. } => " What it means ",
            Self::Files { .. } => " What was opened ",
            Self::Settings { .. } => " Settings of the run ",
            Self::Paste { .. } => " Paste a trace ",
            Self::Note { .. } => " Opens this spot ",
            Self::Prompt { .. } => "",
        }
    }

    /// Whether Enter does what the row under the cursor says.
    pub(in crate::ui) fn is_menu(&self) -> bool {
        match self {
            Self::Help { .. }
            | Self::Menu { .. }
            | Self::Command { .. }
            | Self::Files { .. }
            | Self::Settings { .. } => true,
            Self::Explain { .. } | Self::Paste { .. } | Self::Note { .. } | Self::Prompt { .. } => {
                false
            }
        }
    }

    /// Columns that its box takes at most.
    pub(in crate::ui) fn widest(&self, rows: usize) -> u16 {
        match self {
            Self::Note { .. } => 100,
            Self::Files { .. } | Self::Settings { .. } => 84,
            _ if rows <= 8 => 60,
            _ => 84,
        }
    }

    /// The line that is typed into it, with what stands before it.
    pub(in crate::ui) fn input(&self) -> Option<(&'static str, &Input)> {
        match self {
            Self::Help {
                filter,
                typing: true,
                ..
            } => Some(("/", filter)),
            Self::Help { .. }
            | Self::Menu { .. }
            | Self::Explain { .. }
            | Self::Files { .. }
            | Self::Settings { .. }
            | Self::Paste { .. }
            | Self::Note { .. } => None,
            Self::Command { input, .. } => Some((":", input)),
            Self::Prompt {
                filter: false,
                input,
            } => Some(("/", input)),
            Self::Prompt {
                filter: true,
                input,
            } => Some(("&", input)),
        }
    }

    pub(in crate::ui) fn scroll(&mut self) -> Option<&mut Scroll> {
        match self {
            Self::Help { scroll, .. }
            | Self::Menu { scroll }
            | Self::Explain { scroll, .. }
            | Self::Files { scroll, .. }
            | Self::Settings { scroll, .. }
            | Self::Command { scroll, .. }
            | Self::Note { scroll, .. }
            | Self::Paste { scroll, .. } => Some(scroll),
            Self::Prompt { .. } => None,
        }
    }

    /// The rows of its box.
    pub(in crate::ui) fn rows<'a>(
        &self,
        keymap: &'a Keymap,
        theme: &'a Theme,
        pane: Option<Pane>,
    ) -> Box<dyn Rows + 'a> {
        match self {
            Self::Help { filter, .. } => {
                Box::new(help::Help::new(keymap, theme, pane, filter.text()))
            }
            Self::Menu { .. } => Box::new(menu::Menu { theme }),
            Self::Command { input, .. } => {
                Box::new(command::Commands::new(keymap, theme, input.text()))
            }
            Self::Explain { terms, .. } => Box::new(Explained::new(terms, theme)),
            Self::Files { files, .. } => Box::new(Files {
                files: files.clone(),
                theme,
            }),
            Self::Settings { given, .. } => Box::new(Given {
                settings: given.clone(),
                theme,
            }),
            Self::Paste { lines, .. } => Box::new(PasteBox::new(lines, theme)),
            Self::Note { text, .. } => Box::new(menu::Note::new(text, theme)),
            Self::Prompt { .. } => Box::new(menu::Nothing),
        }
    }

    /// Takes a pasted text, where something is typed.
    pub(in crate::ui) fn paste(&mut self, text: &str) {
        match self {
            Self::Help {
                filter: input,
                typing: true,
                ..
            }
            | Self::Command { input, .. }
            | Self::Prompt { input, .. } => input.insert(text),
            Self::Help { .. }
            | Self::Menu { .. }
            | Self::Explain { .. }
            | Self::Files { .. }
            | Self::Settings { .. }
            | Self::Paste { .. }
            | Self::Note { .. } => {}
        }
    }

    /// Takes a key.
    pub(in crate::ui) fn press(
        &mut self,
        key: Chord,
        keymap: &Keymap,
        theme: &Theme,
        pane: Option<Pane>,
    ) -> Answer {
        if key.is_control() && key.code() == KeyCode::Char('c') {
            return Answer::Close;
        }
        let len = self.rows(keymap, theme, pane).len();
        match self {
            Self::Prompt { input, .. } => match key.code() {
                KeyCode::Esc => Answer::Close,
                KeyCode::Enter => Answer::Typed,
                KeyCode::Backspace if input.text().is_empty() => Answer::Close,
                _ => {
                    input.press(key);
                    Answer::Stay
                }
            },
            Self::Command { input, scroll } => in_command(input, scroll, key, len),
            Self::Help {
                filter,
                typing: typing @ true,
                scroll,
            } => in_filter(filter, typing, scroll, key, len),
            Self::Help {
                typing,
                scroll,
                filter,
            } => match list_action(key, keymap) {
                Some(Action::Search | Action::Filter) => {
                    *typing = true;
                    Answer::Stay
                }
                Some(Action::Help | Action::Quit) => Answer::Close,
                Some(Action::Follow) => {
                    let help = help::Help::new(keymap, theme, pane, filter.text());
                    help.action(scroll.cursor).map_or(Answer::Stay, Answer::Run)
                }
                Some(Action::Back) if !filter.text().is_empty() => {
                    *filter = Input::default();
                    Answer::Stay
                }
                Some(action) if scrolls(action) => scrolled(scroll, action, len),
                Some(_) | None => Answer::Listed(key),
            },
            Self::Explain { scroll, .. } => match list_action(key, keymap) {
                Some(Action::Explain | Action::Quit | Action::Follow) => Answer::Close,
                Some(action) => scrolled(scroll, action, len),
                None => Answer::Stay,
            },
            Self::Paste { lines, .. } => paste::press(lines, key),
            Self::Note { scroll, .. } => match list_action(key, keymap) {
                Some(Action::Follow | Action::Quit) => Answer::Close,
                Some(action) => scrolled(scroll, action, len),
                None => Answer::Stay,
            },
            Self::Files { files, scroll } => {
                let open = |i: usize| {
                    let source = files.get(i).and_then(|file| file.source);
                    source.map_or(Answer::Stay, Answer::File)
                };
                if let Some(i) = numbered(key) {
                    return open(i);
                }
                match list_action(key, keymap) {
                    Some(Action::Follow | Action::RawView) => open(scroll.cursor),
                    Some(Action::Quit | Action::Files) => Answer::Close,
                    Some(action) => scrolled(scroll, action, len),
                    None => Answer::Stay,
                }
            }
            Self::Settings { given, scroll } => match list_action(key, keymap) {
                Some(Action::Follow | Action::RawView) => {
                    let place = given.get(scroll.cursor).and_then(|setting| setting.place);
                    place.map_or(Answer::Stay, Answer::Place)
                }
                Some(Action::Quit | Action::Settings) => Answer::Close,
                Some(action) => scrolled(scroll, action, len),
                None => Answer::Stay,
            },
            Self::Menu { scroll } => {
                if let Some(action) = numbered(key).and_then(|i| COPIES.get(i)) {
                    return Answer::Run(*action);
                }
                match list_action(key, keymap) {
                    Some(Action::Follow | Action::CopyRoot) => COPIES
                        .get(scroll.cursor)
                        .map_or(Answer::Close, |a| Answer::Run(*a)),
                    Some(Action::Quit | Action::CopyMenu) => Answer::Close,
                    Some(action) => scrolled(scroll, action, len),
                    None => Answer::Stay,
                }
            }
        }
    }
}

/// A key for the command line, with so many rows of actions below it.
fn in_command(input: &mut Input, scroll: &mut Scroll, key: Chord, len: usize) -> Answer {
    match key.code() {
        KeyCode::Esc => Answer::Close,
        KeyCode::Backspace if input.text().is_empty() => Answer::Close,
        KeyCode::Enter => match input.text().trim().parse() {
            Ok(line) => Answer::Line(line),
            Err(_) => match command::ranked(input.text()).get(scroll.cursor) {
                Some(action) => Answer::Run(*action),
                None => Answer::Stay,
            },
        },
        KeyCode::Down | KeyCode::Tab => step(scroll, 1, len),
        KeyCode::Up => step(scroll, -1, len),
        KeyCode::Char('n') if key.is_control() => step(scroll, 1, len),
        KeyCode::Char('p') if key.is_control() => step(scroll, -1, len),
        // No action has so long a name, and no log so many lines.
        _ if input.text().len() > LONGEST_COMMAND && key.typed().is_some() => Answer::Stay,
        _ => {
            if input.press(key) {
                scroll.to(0, len);
            }
            Answer::Stay
        }
    }
}

/// A key for what the help is filtered by, with so many rows left.
fn in_filter(
    filter: &mut Input,
    typing: &mut bool,
    scroll: &mut Scroll,
    key: Chord,
    len: usize,
) -> Answer {
    match key.code() {
        KeyCode::Esc => {
            *filter = Input::default();
            *typing = false;
            Answer::Stay
        }
        KeyCode::Enter => {
            *typing = false;
            Answer::Stay
        }
        KeyCode::Down => step(scroll, 1, len),
        KeyCode::Up => step(scroll, -1, len),
        _ => {
            filter.press(key);
            // Below the title of the first group.
            scroll.to(1, len);
            Answer::Stay
        }
    }
}

/// The row that a digit names.
fn numbered(key: Chord) -> Option<usize> {
    let digit = key.typed()?.to_digit(10)? as usize;
    digit.checked_sub(1)
}

/// What a single key asks for in a list.
fn list_action(key: Chord, keymap: &Keymap) -> Option<Action> {
    match keymap.meaning(&[Section::List, Section::Global], &[key]) {
        Meaning::Action(action) => Some(action),
        Meaning::Prefix | Meaning::Nothing => None,
    }
}

fn step(scroll: &mut Scroll, by: isize, len: usize) -> Answer {
    scroll.by(by, len);
    Answer::Stay
}

/// Whether it moves through the list, or ends it.
fn scrolls(action: Action) -> bool {
    matches!(
        action,
        Action::Back
            | Action::Down
            | Action::Up
            | Action::HalfPageDown
            | Action::HalfPageUp
            | Action::PageDown
            | Action::PageUp
            | Action::Top
            | Action::Bottom
    )
}

fn scrolled(scroll: &mut Scroll, action: Action, len: usize) -> Answer {
    match action {
        Action::Back => return Answer::Close,
        Action::Down => scroll.by(1, len),
        Action::Up => scroll.by(-1, len),
        Action::HalfPageDown => scroll.by(scroll.page() / 2, len),
        Action::HalfPageUp => scroll.by(-scroll.page() / 2, len),
        Action::PageDown => scroll.turn(true, len),
        Action::PageUp => scroll.turn(false, len),
        Action::Top => scroll.to(0, len),
        Action::Bottom => scroll.to(len, len),
        _ => {}
    }
    Answer::Stay
}
