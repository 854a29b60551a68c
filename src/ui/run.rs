//! The loop: what is read, typed and answered goes into the [`App`]; what the app asks for is done; the screen is drawn
//! once after all that has happened, and not at all while nothing does.

use super::app::App;
use super::config;
use super::copy::{Clipboard, Copied, How};
use super::event::{Effect, Event, Wanted};
use super::keymap::Keymap;
use super::questions::{Questions, no_thread};
use super::reading::{Opening, Reading, State};
use super::session::{At, Memory, Wished, command_line};
use super::terminal::{Background, Happened, Terminal};
use super::theme::{Depth, Theme};
use crate::load::{self, Case};
use crate::source::{Source, Sources};
use crate::text::{self, Place};
use crossterm::event::Event as Input;
use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Duration;

/// How long the keyboard is waited for while answers may come from elsewhere, and while none can.
const BUSY: Duration = Duration::from_millis(20);
const FOLLOWING: Duration = Duration::from_millis(100);
const IDLE: Duration = Duration::from_secs(3_600);
/// How long a first frame waits for the terminal to tell its background; told later, the frame is drawn anew.
const BACKGROUND: Duration = Duration::from_millis(30);
/// Bytes of a line that are copied raw, at most; as many as are read of one.
const LONGEST_RAW: u32 = 1 << 20;
/// What is said where only the beginning of a paste is there.
const PASTE_CUT: &str =
    "only the beginning of the paste was taken: its end never came, or it is longer than 64 MiB";
/// Keys that are taken before the screen is drawn.
const MOST_KEYS: usize = 256;

/// How a case is explored.
pub struct Explore {
    /// A theme's name or file; `None` for the one that fits the terminal.
    pub theme: Option<String>,
    /// How many colours there are.
    pub depth: Depth,
    /// Whether to listen to the mouse.
    pub mouse: bool,
    /// Whether long lines are wrapped at first.
    pub wrap: bool,
    /// Whether to come back to where one was.
    pub sessions: bool,
    /// A file of keys; `None` for that of the configuration folder, if any.
    pub keymap: Option<PathBuf>,
    /// The words of the command line that open the same again; `None` where there are none.
    pub again: Option<Vec<String>>,
    /// The spot to stand on at first; `None` for the root of the most important incident, or where one was.
    pub at: Option<At>,
    /// How copies travel.
    pub clipboard: How,
    /// What is wrong with a person's own files that are not used.
    pub wrong: Vec<String>,
    /// An incident of a case as Markdown for a ticket.
    pub ticket: fn(&Case, usize) -> String,
    /// How the logs are read, by which rules, and whether they are followed.
    pub reading: load::Options,
}

/// Explores what `open` opens until the person at the terminal has seen enough. `reopen` opens it once more, for
/// reading it again. Where nothing of it can be read, that is what comes back, with the reasons.
///
/// # Errors
/// Where there is no terminal, or keys or theme cannot be used; the message says which and why.
pub fn explore(
    open: Opening,
    reopen: &dyn Fn() -> anyhow::Result<Opening>,
    options: Explore,
) -> anyhow::Result<Option<Sources>> {
    let (keymap, theme) = (options.keys()?, options.theme()?);
    let mut reading = Reading::start(open, &options.reading)?;
    let first = reading.first()?;
    if reading.opened && first.sources.list.is_empty() {
        return Ok(Some(Sources::clone(&first.sources)));
    }
    let mut app = App::new(first, keymap, theme);
    app.set_mouse(options.mouse);
    app.update(Event::Follows(options.reading.follow));
    app.set_wrap(options.wrap);
    if let Some(told) = config::in_short(&options.wrong) {
        app.update(Event::Said(told));
    }
    let words = options.again.as_deref().filter(|_| options.sessions);
    let memory = words.and_then(Memory::of);
    let mut terminal = Terminal::open(options.mouse)?;
    if let Some(theme) = options.fitting(&mut terminal)? {
        app.set_theme(theme);
    }
    Session {
        terminal,
        depth: options.depth,
        clipboard: Clipboard::new(options.clipboard),
        questions: Questions::new(),
        wished: options
            .at
            .map(Wished::Asked)
            .or_else(|| memory.as_ref()?.left()),
        memory,
        again: options.again,
        ticket: options.ticket,
        options: options.reading,
    }
    .run(&mut app, reading, reopen)
}

impl Explore {
    /// The keys in use.
    pub(super) fn keys(&self) -> anyhow::Result<Keymap> {
        match self.keymap.clone().or_else(config::keymap) {
            Some(path) => Keymap::with_file(&path),
            None => Ok(Keymap::built_in()),
        }
    }

    /// The theme in use, as far as it is known before the terminal was asked.
    pub(super) fn theme(&self) -> anyhow::Result<Theme> {
        Theme::named(self.theme_name(), self.depth)
    }

    /// Its name, or the path of its file.
    pub(super) fn theme_name(&self) -> &str {
        match &self.theme {
            Some(name) => name,
            None => theme_on(told_background().unwrap_or(Background::Dark)),
        }
    }

    /// Another theme for the terminal's background, where no theme was asked for and the terminal tells of a light one.
    pub(super) fn fitting(&self, terminal: &mut Terminal) -> anyhow::Result<Option<Theme>> {
        if self.theme.is_some() || told_background().is_some() || self.depth == Depth::Mono {
            return Ok(None);
        }
        let told = terminal.background(BACKGROUND)?;
        told.map(|background| self.theme_for(background))
            .transpose()
    }

    /// The theme for a background that the terminal tells of.
    pub(super) fn theme_for(&self, background: Background) -> anyhow::Result<Theme> {
        Theme::named(theme_on(background), self.depth)
    }
}

/// What the environment tells of the terminal's background.
fn told_background() -> Option<Background> {
    Background::of_colorfgbg(&std::env::var("COLORFGBG").ok()?)
}

/// The theme for a background.
fn theme_on(background: Background) -> &'static str {
    match background {
        Background::Light => "light",
        Background::Dark => "dark",
    }
}

struct Session {
    terminal: Terminal,
    /// For the theme of a background that is told late.
    depth: Depth,
    clipboard: Clipboard,
    questions: Questions,
    again: Option<Vec<String>>,
    /// Where to go once everything is read.
    wished: Option<Wished>,
    memory: Option<Memory>,
    ticket: fn(&Case, usize) -> String,
    /// How the logs are read, also when they are read again.
    options: load::Options,
}

impl Session {
    fn run(
        mut self,
        app: &mut App,
        mut reading: Reading,
        reopen: &dyn Fn() -> anyhow::Result<Opening>,
    ) -> anyhow::Result<Option<Sources>> {
        let mut draw = true;
        let mut held_something = false;
        loop {
            held_something |= !app.case().sources.list.is_empty();
            if reading.opened && !held_something {
                return Ok(Some(Sources::clone(&app.case().sources)));
            }
            if let Some(told) = self.grant_wish(app) {
                app.update(told);
            }
            // A terminal at the end of a slow line gets the next frame when it has drawn the last one.
            let late = draw && !self.terminal.has_room();
            if draw && !late {
                self.terminal.draw(|frame| app.draw(frame))?;
                self.load_syntaxes(app)?;
            }
            let mut events = Vec::new();
            let patience = match reading.state {
                _ if self.questions.are_open() => BUSY,
                _ if late => FOLLOWING,
                State::Reading => BUSY,
                State::Following => FOLLOWING,
                State::Done => IDLE,
            };
            draw = self.wait(patience, &mut events)? || late;
            events.extend(reading.news());
            events.extend(self.questions.answered());
            draw |= !events.is_empty();
            for event in events {
                if matches!(
                    (&event, &self.wished),
                    (Event::Input(Input::Key(_)), Some(Wished::Left(_)))
                ) {
                    // Whoever has begun to look around is not taken elsewhere.
                    self.wished = None;
                }
                let mut effects = app.update(event);
                while !effects.is_empty() {
                    let mut answers = Vec::new();
                    for effect in effects {
                        match effect {
                            Effect::Quit => {
                                self.remember(app, Memory::write);
                                return Ok(None);
                            }
                            Effect::Reload => {
                                let wrong = config::reread_rules(&mut self.options);
                                answers.extend(config::in_short(&wrong).map(Event::Said));
                                let again = reopen();
                                match again.and_then(|open| self.start(open, false)) {
                                    Ok(again) => reading = again,
                                    Err(error) => answers.push(Event::Said(format!("{error:#}"))),
                                }
                            }
                            Effect::BeginRule(at) => {
                                match config::begin_rule(app.case(), at, &mut self.options) {
                                    Ok((case, said)) => {
                                        answers.extend([Event::Case(case), Event::Said(said)]);
                                    }
                                    Err(error) => answers.push(Event::Said(format!("{error:#}"))),
                                }
                            }
                            Effect::FollowLogs(on) => {
                                self.options.follow = on;
                                answers.push(Event::Said(self.follow(app, on, &mut reading)));
                            }
                            Effect::Read(text) => {
                                let mut pasted = Sources::default();
                                pasted.add_memory("pasted text", text.into_bytes());
                                match self.start(Box::new(|| pasted), true) {
                                    Ok(again) => reading = again,
                                    Err(error) => answers.push(Event::Said(format!("{error:#}"))),
                                }
                            }
                            other => answers.extend(self.perform(app, other)?),
                        }
                    }
                    effects = answers
                        .into_iter()
                        .flat_map(|answer| app.update(answer))
                        .collect();
                }
            }
            self.remember(app, Memory::note);
        }
    }

    /// Reads other logs; `elsewhere` where they are not those that were named at the start.
    fn start(&mut self, open: Opening, elsewhere: bool) -> anyhow::Result<Reading> {
        let reading = Reading::start(open, &self.options)?;
        if let Some(memory) = &mut self.memory {
            memory.elsewhere = elsewhere;
        }
        Ok(reading)
    }

    fn remember(&mut self, app: &App, remember: fn(&mut Memory, &App)) {
        if let Some(memory) = &mut self.memory {
            remember(memory, app);
        }
    }

    /// Begins or ends to follow what grows; what is on the screen stays until more is known. Returns what is to be said.
    fn follow(&self, app: &mut App, on: bool, reading: &mut Reading) -> String {
        let sources = Sources::clone(&app.case().sources);
        if on && !sources.list.iter().any(Source::may_grow) {
            return "nothing of what was opened can grow: it was unpacked, or is built in"
                .to_owned();
        }
        if !on && reading.state == State::Following {
            reading.end();
        } else {
            match Reading::start(Box::new(|| sources), &self.options) {
                Ok(again) => *reading = again.quietly(),
                Err(error) => return format!("{error:#}"),
            }
        }
        app.update(Event::Follows(on));
        let news = if on {
            "following: new failures appear as they are logged"
        } else {
            "no longer following"
        };
        news.to_owned()
    }

    /// Waits for the keyboard, and takes what was typed ahead; whether the screen has to be drawn anew.
    fn wait(&mut self, timeout: Duration, events: &mut Vec<Event>) -> anyhow::Result<bool> {
        let mut timeout = timeout;
        while events.len() < MOST_KEYS {
            match self.terminal.next(timeout)? {
                Some(Happened::Input(input)) => events.push(Event::Input(input)),
                Some(Happened::PasteCut) => events.push(Event::Said(PASTE_CUT.to_owned())),
                Some(Happened::CaughtUp) => {}
                Some(Happened::Resumed) => return Ok(true),
                Some(Happened::Background(background)) => {
                    events.push(Event::Themed(Theme::named(
                        theme_on(background),
                        self.depth,
                    )?));
                }
                None => break,
            }
            timeout = Duration::ZERO;
        }
        Ok(false)
    }

    /// Goes to the spot that is wished for, once everything is read.
    fn grant_wish(&mut self, app: &mut App) -> Option<Event> {
        if app.case().provisional {
            return None;
        }
        self.wished.take()?.grant(app).map(Event::Said)
    }

    /// Does what the app asks for; returns what is to be told of it at once.
    fn perform(&mut self, app: &App, effect: Effect) -> anyhow::Result<Option<Event>> {
        match effect {
            Effect::Quit
            | Effect::Reload
            | Effect::Read(_)
            | Effect::BeginRule(_)
            | Effect::FollowLogs(_) => {}
            Effect::Copy { what, wanted } => {
                return Ok(Some(Event::Said(self.copy(app.case(), what, &wanted)?)));
            }
            Effect::Share(at) => {
                let line = command_line(self.again.as_deref(), &at);
                let wanted = Wanted::Text(line.clone());
                let said = self.copy(app.case(), "the command line", &wanted)?;
                return Ok(Some(Event::Shown(line, said)));
            }
            Effect::Suspend => self.terminal.suspend(),
            Effect::Mouse(on) => self.terminal.set_mouse(on)?,
            question => {
                if let Err(error) = self.questions.ask(app.case(), question) {
                    return Ok(Some(Event::Said(no_thread(&error))));
                }
            }
        }
        Ok(None)
    }

    fn load_syntaxes(&mut self, app: &App) -> anyhow::Result<()> {
        if let Some(syntaxes) = app.wished_syntaxes() {
            self.questions.load(syntaxes)?;
        }
        Ok(())
    }

    /// Makes a copy; returns what is to be said of it.
    fn copy(&mut self, case: &Case, what: &str, wanted: &Wanted) -> anyhow::Result<String> {
        let text = match wanted {
            Wanted::Text(text) => text.clone(),
            Wanted::Ticket(incident) => (self.ticket)(case, *incident),
            Wanted::Raw(incident) => {
                let said = match raw_lines(case, *incident) {
                    Some(text) => self.send(what, |clipboard| clipboard.copy_raw(&text))?,
                    None => "not copied: a secret is hidden among its control characters; `--show-secrets` masks none"
                        .to_owned(),
                };
                return Ok(said);
            }
            Wanted::Trace(incident) => {
                case.story
                    .incidents
                    .get(*incident)
                    .map_or_else(String::new, |incident| {
                        let lines = incident.trace.iter().map(|line| case.text(&line.place));
                        lines.collect::<Vec<_>>().join("\n")
                    })
            }
        };
        self.send(what, |clipboard| clipboard.copy(&text))
    }

    fn send(
        &mut self,
        what: &str,
        copy: impl FnOnce(&mut Clipboard) -> Copied,
    ) -> anyhow::Result<String> {
        let copied = copy(&mut self.clipboard);
        if let Some(bytes) = &copied.for_terminal {
            self.terminal.write(bytes)?;
        }
        Ok(copied.told(what))
    }
}

/// The lines of an incident's trace as they stand in their files, each once, but for their secrets; `None` where one hides.
fn raw_lines(case: &Case, incident: usize) -> Option<String> {
    let trace = case.story.incidents.get(incident).map(|i| &*i.trace);
    let mut places: Vec<Place> = trace.into_iter().flatten().map(|line| line.place).collect();
    // Several lines of a trace may stand in one line of a file.
    places.dedup_by_key(|place| (place.source, place.start));
    let lines = places.iter().map(|place| {
        let bytes = place.bytes.min(LONGEST_RAW);
        let bytes = case.sources.bytes(&Place { bytes, ..*place });
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    text::raw(&text).map(Cow::into_owned)
}
