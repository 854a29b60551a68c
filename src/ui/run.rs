//! The loop: what is read, typed and answered goes into the [`App`]; what the app asks for is done; the screen is drawn
//! once after all that has happened, and not at all while nothing does.

use super::app::App;
use super::config;
use super::copy::{Clipboard, How};
use super::event::{Effect, Event, Wanted};
use super::keymap::Keymap;
use super::questions::Questions;
use super::terminal::{Happened, Terminal};
use super::theme::{Depth, Theme};
use crate::load::{self, Case, Loading, Progress};
use crate::source::{Source, Sources};
use anyhow::Context as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long the keyboard is waited for while answers may come from elsewhere, and while none can.
const BUSY: Duration = Duration::from_millis(20);
const FOLLOWING: Duration = Duration::from_millis(100);
const IDLE: Duration = Duration::from_secs(3_600);
/// Keys that are taken before the screen is drawn.
const MOST_KEYS: usize = 256;
/// How often the header tells how far the reading is.
const TELL_EVERY: Duration = Duration::from_millis(100);

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
    /// The incident to stand on at first, counted from 0; `None` for the most important one.
    pub incident: Option<usize>,
    /// How copies travel.
    pub clipboard: How,
    /// An incident of a case as Markdown for a ticket.
    pub ticket: fn(&Case, usize) -> String,
    /// How the logs are read, by which rules, and whether they are followed.
    pub reading: load::Options,
}

/// Explores `sources` until the person at the terminal has seen enough. `reopen` opens them once more, for reading
/// them again.
///
/// # Errors
/// Where there is no terminal, or keys or theme cannot be used; the message says which and why.
pub fn explore(
    sources: Sources,
    reopen: &dyn Fn() -> anyhow::Result<Sources>,
    options: Explore,
) -> anyhow::Result<()> {
    let (keymap, theme) = (options.keys()?, options.theme()?);
    let mut reading = Reading::start(sources, &options.reading)?;
    let first = reading.first()?;
    let mut app = App::new(first, keymap, theme);
    app.set_mouse(options.mouse);
    app.update(Event::Follows(options.reading.follow));
    app.set_wrap(options.wrap);
    let terminal = Terminal::open(options.mouse)?;
    Session {
        terminal,
        clipboard: Clipboard::new(options.clipboard),
        questions: Questions::new(),
        wanted_incident: options.incident,
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

    /// The theme in use.
    pub(super) fn theme(&self) -> anyhow::Result<Theme> {
        Theme::named(self.theme_name(), self.depth)
    }

    /// Its name, or the path of its file.
    pub(super) fn theme_name(&self) -> &str {
        match &self.theme {
            Some(name) => name,
            None => background(std::env::var("COLORFGBG").ok().as_deref()),
        }
    }
}

/// The theme for the background that some terminals tell of: `15;0` is white on black.
fn background(colorfgbg: Option<&str>) -> &'static str {
    match colorfgbg.and_then(|v| v.rsplit(';').next()?.parse::<u8>().ok()) {
        Some(7 | 9..=15) => "light",
        _ => "dark",
    }
}

struct Session {
    terminal: Terminal,
    clipboard: Clipboard,
    questions: Questions,
    /// The incident asked for at the start, until a case has it.
    wanted_incident: Option<usize>,
    ticket: fn(&Case, usize) -> String,
    /// How the logs are read, also when they are read again.
    options: load::Options,
}

impl Session {
    fn run(
        mut self,
        app: &mut App,
        mut reading: Reading,
        reopen: &dyn Fn() -> anyhow::Result<Sources>,
    ) -> anyhow::Result<()> {
        let mut draw = true;
        loop {
            if draw {
                self.terminal.draw(|frame| app.draw(frame))?;
                self.load_syntaxes(app)?;
            }
            let mut events = Vec::new();
            let patience = match reading.state {
                _ if self.questions.are_open() => BUSY,
                State::Reading => BUSY,
                State::Following => FOLLOWING,
                State::Done => IDLE,
            };
            draw = self.wait(patience, &mut events)?;
            events.extend(reading.news());
            events.extend(self.questions.answered());
            draw |= !events.is_empty();
            for event in events {
                let is_case = matches!(event, Event::Case(_));
                let mut effects = app.update(event);
                if is_case {
                    self.open_wanted(app);
                }
                while !effects.is_empty() {
                    let mut said = Vec::new();
                    for effect in effects {
                        match effect {
                            Effect::Quit => return Ok(()),
                            Effect::Reload => match reopen()
                                .and_then(|sources| Reading::start(sources, &self.options))
                            {
                                Ok(again) => reading = again,
                                Err(error) => said.push(format!("{error:#}")),
                            },
                            Effect::FollowLogs(on) => {
                                self.options.follow = on;
                                said.push(self.follow(app, on, &mut reading));
                            }
                            Effect::Read(text) => {
                                let mut pasted = Sources::default();
                                pasted.add_memory("pasted text", text.into_bytes());
                                match Reading::start(pasted, &self.options) {
                                    Ok(again) => reading = again,
                                    Err(error) => said.push(format!("{error:#}")),
                                }
                            }
                            other => said.extend(self.perform(app, other)?),
                        }
                    }
                    effects = said
                        .into_iter()
                        .flat_map(|text| app.update(Event::Said(text)))
                        .collect();
                }
            }
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
            match Reading::start(sources, &self.options) {
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
                Some(Happened::Resumed) => return Ok(true),
                None => break,
            }
            timeout = Duration::ZERO;
        }
        Ok(false)
    }

    /// Stands on the incident that was asked for, once it is known.
    fn open_wanted(&mut self, app: &mut App) {
        let known = app.case().story.incidents.len();
        if let Some(wanted) = self.wanted_incident.take_if(|wanted| *wanted < known) {
            app.open_incident(wanted);
        }
    }

    /// Does what the app asks for; returns what is to be said of it at once.
    fn perform(&mut self, app: &App, effect: Effect) -> anyhow::Result<Option<String>> {
        match effect {
            Effect::Quit | Effect::Reload | Effect::Read(_) | Effect::FollowLogs(_) => {}
            Effect::Copy(wanted) => return self.copy(app.case(), &wanted).map(Some),
            Effect::Suspend => self.terminal.suspend(),
            Effect::Mouse(on) => self.terminal.set_mouse(on)?,
            question => self.questions.ask(app.case(), question)?,
        }
        Ok(None)
    }

    fn load_syntaxes(&mut self, app: &App) -> anyhow::Result<()> {
        if let Some(syntaxes) = app.wished_syntaxes() {
            self.questions.load(syntaxes)?;
        }
        Ok(())
    }

    fn copy(&mut self, case: &Case, wanted: &Wanted) -> anyhow::Result<String> {
        let text = match wanted {
            Wanted::Text(text) => text.clone(),
            Wanted::Ticket(incident) => (self.ticket)(case, *incident),
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
        let copied = self.clipboard.copy(&text);
        if let Some(bytes) = &copied.for_terminal {
            self.terminal.write(bytes)?;
        }
        Ok(copied.said)
    }
}

/// A load that runs, and what of it was told so far.
struct Reading {
    loading: Loading,
    since: Instant,
    told: Instant,
    follows: bool,
    /// Whether only answers that are complete are told.
    quiet: bool,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// There will be another answer soon.
    Reading,
    /// All was read; there will be another answer once something grows.
    Following,
    Done,
}

impl Reading {
    fn start(sources: Sources, options: &load::Options) -> anyhow::Result<Self> {
        let loading = load::spawn(move || sources, options.clone())
            .context("the logs cannot be read: no thread can be started")?;
        let now = Instant::now();
        Ok(Self {
            loading,
            since: now,
            told: now,
            follows: options.follow,
            quiet: false,
            state: State::Reading,
        })
    }

    /// Nothing more is asked of it.
    fn end(&mut self) {
        self.loading.call_off();
        self.state = State::Done;
    }

    /// Tells nothing before all was read.
    fn quietly(mut self) -> Self {
        self.quiet = true;
        self
    }

    /// What follows an answer.
    fn after(&self, case: &Case) -> State {
        match (case.provisional, self.follows) {
            (true, _) => State::Reading,
            (false, true) => State::Following,
            (false, false) => State::Done,
        }
    }

    /// The first answer, which is there at once.
    fn first(&mut self) -> anyhow::Result<Arc<Case>> {
        loop {
            self.loading
                .bell()
                .recv()
                .context("reading ended before it began")?;
            let bulletin = self.loading.take();
            if let Some(case) = bulletin.case {
                self.state = self.after(&case);
                return Ok(case);
            }
            if let Some(failed) = bulletin.failed {
                anyhow::bail!("reading failed: {failed}");
            }
        }
    }

    /// What became known since last asked.
    fn news(&mut self) -> Vec<Event> {
        let mut news = Vec::new();
        if self.state == State::Done || self.loading.bell().try_recv().is_err() {
            return news;
        }
        let bulletin = self.loading.take();
        if let Some(case) = bulletin.case {
            self.state = self.after(&case);
            if !self.quiet || !case.provisional {
                news.push(Event::Case(case));
            }
        }
        if let Some(failed) = bulletin.failed {
            self.state = State::Done;
            news.push(Event::Said(format!("reading stopped: {failed}")));
        }
        if self.state != State::Reading {
            news.push(Event::Reading(None));
        } else if self.told.elapsed() >= TELL_EVERY {
            self.told = Instant::now();
            let told = how_far(bulletin.progress, self.since.elapsed());
            news.push(Event::Reading(Some(told)));
        }
        news
    }
}

/// `reading 43 % · 812 MB/s`, `receiving 3.1 MB`
fn how_far(progress: Progress, since: Duration) -> String {
    if progress.arriving {
        return format!("receiving {}", megabytes(progress.total));
    }
    let seconds = since.as_secs_f64().max(0.001);
    let percent = progress.done * 100 / progress.total.max(1);
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a rate for people"
    )]
    let rate = (progress.done as f64 / seconds) as u64;
    format!("reading {percent} % · {}/s", megabytes(rate))
}

fn megabytes(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes / 1_000),
        1_000_000..10_000_000 => format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_told_with_its_rate() {
        let progress = |done, total, arriving| Progress {
            done,
            total,
            arriving,
        };
        let second = Duration::from_secs(1);
        assert_eq!(
            how_far(progress(430_000_000, 1_000_000_000, false), second),
            "reading 43 % · 430 MB/s"
        );
        assert_eq!(
            how_far(progress(0, 3_140_000, true), second),
            "receiving 3.1 MB"
        );
        assert_eq!(
            how_far(progress(0, 0, false), second),
            "reading 0 % · 0 kB/s"
        );
    }

    #[test]
    fn light_terminals_get_the_light_theme() {
        assert_eq!(background(Some("0;15")), "light");
        assert_eq!(background(Some("0;default;15")), "light");
        assert_eq!(background(Some("15;0")), "dark");
        assert_eq!(background(None), "dark");
    }
}
