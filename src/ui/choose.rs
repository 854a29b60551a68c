//! In: what a History Server knows, keys. Out: the run that a person chose, before there is anything to explore.

use super::action::Action;
use super::key::Chord;
use super::keymap::{Keymap, Meaning, Section};
use super::run::Explore;
use super::terminal::{Happened, Terminal};
use super::theme::{Role, Theme};
use super::widgets::{Input, Look, Row, Rows, Scroll, columns, draw_rows, one_line, wrap};
use crate::source::history::{Application, Jobs, Listing, RunId};
use crossterm::event::{Event, KeyEventKind, MouseButton, MouseEventKind};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use std::time::Duration;

/// From so many columns on, a row tells everything; below, the line at the bottom does.
const WIDE: usize = 110;
/// Columns of what stands in a column of its own, at most.
const ID: usize = 36;
const STATE: usize = 14;
/// How long the keyboard is waited for at a time.
const IDLE: Duration = Duration::from_secs(3_600);

/// Lets a person choose one of a server's runs; `None` where they would rather not.
///
/// # Errors
/// Where there is no terminal, or keys or theme cannot be used.
pub fn choose(server: &str, listing: &Listing, options: &Explore) -> anyhow::Result<Option<RunId>> {
    let (keys, theme) = (options.keys()?, options.theme()?);
    let mut chooser = Chooser::new(server, listing, keys, theme);
    let mut terminal = Terminal::open(options.mouse)?;
    if let Some(theme) = options.fitting(&mut terminal)? {
        chooser.theme = theme;
    }
    loop {
        terminal.draw(|frame| chooser.draw(frame))?;
        match terminal.next(IDLE)? {
            Some(Happened::Input(event)) => match chooser.update(&event) {
                Next::Stay => {}
                Next::Suspend => terminal.suspend(),
                Next::Leave(chosen) => return Ok(chosen),
            },
            Some(Happened::Background(told)) => chooser.theme = options.theme_for(told)?,
            Some(Happened::Resumed | Happened::PasteCut | Happened::CaughtUp) | None => {}
        }
    }
}

/// What follows from a key.
#[derive(Debug, PartialEq)]
enum Next {
    Stay,
    Suspend,
    Leave(Option<RunId>),
}

/// The list, as a value.
struct Chooser<'l> {
    server: &'l str,
    listing: &'l Listing,
    keys: Keymap,
    theme: Theme,
    pending: Vec<Chord>,
    scroll: Scroll,
    filter: Input,
    typing: bool,
    /// Indexes of the applications that match the filter.
    shown: Vec<usize>,
    /// Columns of the longest id.
    id: usize,
    /// Where the list was drawn.
    area: Rect,
}

impl<'l> Chooser<'l> {
    fn new(server: &'l str, listing: &'l Listing, keys: Keymap, theme: Theme) -> Self {
        let ids = listing
            .applications
            .iter()
            .map(|a| columns(&a.run.to_string()));
        Self {
            id: ids.max().unwrap_or(0).min(ID),
            server,
            listing,
            keys,
            theme,
            pending: Vec::new(),
            scroll: Scroll::default(),
            filter: Input::default(),
            typing: false,
            shown: (0..listing.applications.len()).collect(),
            area: Rect::default(),
        }
    }

    fn update(&mut self, event: &Event) -> Next {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.press(Chord::from(*key)),
            Event::Paste(text) if self.typing => {
                self.filter.insert(text);
                self.narrow();
                Next::Stay
            }
            Event::Mouse(mouse) => match mouse.kind {
                MouseEventKind::ScrollDown => self.act(Action::Down),
                MouseEventKind::ScrollUp => self.act(Action::Up),
                MouseEventKind::Down(MouseButton::Left) => {
                    let line = usize::from(mouse.row.saturating_sub(self.area.y));
                    let row = self
                        .scroll
                        .at_line(line)
                        .filter(|_| mouse.row >= self.area.y);
                    match row {
                        Some(row) if row == self.scroll.cursor => self.act(Action::Follow),
                        Some(row) => {
                            self.scroll.to(row, self.shown.len());
                            Next::Stay
                        }
                        None => Next::Stay,
                    }
                }
                _ => Next::Stay,
            },
            _ => Next::Stay,
        }
    }

    fn press(&mut self, key: Chord) -> Next {
        if self.typing && self.filter.press(key) {
            self.narrow();
            return Next::Stay;
        }
        self.pending.push(key);
        let meaning = self
            .keys
            .meaning(&[Section::List, Section::Global], &self.pending);
        match meaning {
            Meaning::Prefix => return Next::Stay,
            Meaning::Nothing => self.pending.clear(),
            Meaning::Action(action) => {
                self.pending.clear();
                return self.act(action);
            }
        }
        Next::Stay
    }

    fn act(&mut self, action: Action) -> Next {
        let (len, page) = (self.shown.len(), self.scroll.page());
        match action {
            Action::Down => self.scroll.by(1, len),
            Action::Up => self.scroll.by(-1, len),
            Action::HalfPageDown => self.scroll.by(page / 2, len),
            Action::HalfPageUp => self.scroll.by(-page / 2, len),
            Action::PageDown => self.scroll.by(page, len),
            Action::PageUp => self.scroll.by(-page, len),
            Action::Top => self.scroll.to(0, len),
            Action::Bottom => self.scroll.to(len, len),
            Action::Search | Action::Filter => self.typing = true,
            // Enter ends what is typed where that leaves a choice.
            Action::Follow if self.typing && len != 1 => self.typing = false,
            Action::Follow | Action::Right => {
                if let Some(application) = self.current() {
                    return Next::Leave(Some(application.run.clone()));
                }
            }
            Action::Back if self.typing || !self.filter.text().is_empty() => {
                self.typing = false;
                self.filter = Input::default();
                self.narrow();
            }
            Action::Back | Action::Quit => return Next::Leave(None),
            Action::Suspend => return Next::Suspend,
            _ => {}
        }
        Next::Stay
    }

    /// Shows what matches the filter, on the same application where it still does.
    fn narrow(&mut self) {
        let at = self.shown.get(self.scroll.cursor).copied();
        let wanted = self.filter.text().to_lowercase();
        self.shown = (0..self.listing.applications.len())
            .filter(|i| {
                let told = &self.listing.applications[*i];
                let text = format!("{} {} {} {}", told.run, told.name, told.user, told.state());
                text.to_lowercase().contains(&wanted)
            })
            .collect();
        let row = self.shown.iter().position(|i| Some(*i) == at);
        self.scroll.to(row.unwrap_or(0), self.shown.len());
    }

    fn current(&self) -> Option<&Application> {
        let index = self.shown.get(self.scroll.cursor)?;
        self.listing.applications.get(*index)
    }

    fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        let buffer = frame.buffer_mut();
        buffer.set_style(area, self.theme.style(Role::Text));
        let width = usize::from(area.width);
        let line = |y: u16| Rect::new(area.x, area.y + y, area.width, 1).intersection(area);
        let put = |text: &Line<'_>, at: Rect, buffer: &mut ratatui::buffer::Buffer| {
            buffer.set_line(at.x, at.y, text, at.width);
        };
        if area.height < 4 {
            return;
        }
        put(&self.head(), line(0), buffer);
        let detail = wrap(&self.detail(), width, 2);
        let below = u16::try_from(detail.len().min(3)).unwrap_or(1) + 1;
        self.area = Rect::new(area.x, 1, area.width, area.height.saturating_sub(1 + below));
        let rows = Applications(self);
        if rows.len() == 0 {
            let text = if self.listing.applications.is_empty() {
                "  the server knows no application: spark.eventLog.enabled=true writes what it lists"
            } else {
                "  nothing matches"
            };
            put(&Line::from(self.span(Role::Dim, text)), line(1), buffer);
        } else {
            let look = Look {
                cursor: Some(self.theme.style(Role::Cursor)),
                focused: true,
                wrap: false,
                matched: None,
            };
            let mut scroll = self.scroll.clone();
            draw_rows(&rows, &mut scroll, look, self.area, buffer);
            self.scroll = scroll;
        }
        for (text, y) in detail.iter().take(3).zip(self.area.bottom()..) {
            put(text, line(y), buffer);
        }
        put(&self.foot(), line(area.height - 1), buffer);
    }

    fn head(&self) -> Line<'static> {
        let all = &self.listing.applications;
        let failed = all
            .iter()
            .filter(|a| matches!(a.jobs, Jobs::Failed(_)))
            .count();
        let more = if self.listing.more { "+" } else { "" };
        let mut spans = vec![
            self.span(Role::Brand, " causedby "),
            self.span(Role::Text, format!(" {} ", one_line(self.server))),
            self.span(Role::Dim, format!("· {}{more} runs ", all.len())),
        ];
        if failed > 0 {
            spans.push(self.span(Role::Dim, "· "));
            spans.push(self.span(Role::Failed, format!(" {failed} with failed jobs ")));
        }
        Line::from(spans)
    }

    /// Everything that is known of the run under the cursor.
    fn detail(&self) -> Line<'static> {
        let Some(application) = self.current() else {
            return Line::default();
        };
        let spark = match application.spark.as_str() {
            "" => String::new(),
            version => format!("Spark {version}"),
        };
        let parts = [
            application.run.to_string(),
            application.state(),
            application.began(),
            application.took(),
            application.user.clone(),
            spark,
            application.name.clone(),
        ];
        let told: Vec<String> = parts
            .iter()
            .filter(|part| !part.is_empty())
            .map(|p| one_line(p))
            .collect();
        Line::from(self.span(Role::Dim, format!(" {}", told.join(" · "))))
    }

    fn foot(&self) -> Line<'static> {
        if self.typing {
            let (before, after) = self.filter.halves();
            let mut rest = after.chars();
            let under = rest.next().unwrap_or(' ');
            return Line::from(vec![
                self.span(Role::Prompt, " / "),
                self.span(Role::Text, one_line(before)),
                Span::styled(under.to_string(), self.theme.style(Role::Text).reversed()),
                self.span(Role::Text, rest.as_str().to_owned()),
            ]);
        }
        let key = |action: Action| self.keys.key(action);
        let mut spans = Vec::new();
        for (keys, word) in [
            (format!("{}/{}", key(Action::Down), key(Action::Up)), "move"),
            (key(Action::Follow), "open"),
            (key(Action::Search), "find"),
            (key(Action::Quit), "quit"),
        ] {
            spans.push(self.span(Role::Key, format!(" {keys}")));
            spans.push(self.span(Role::Hint, format!(" {word} ")));
        }
        if !self.filter.text().is_empty() {
            spans.push(self.span(Role::Status, format!(" /{} ", one_line(self.filter.text()))));
        }
        Line::from(spans)
    }

    fn span(&self, role: Role, text: impl Into<String>) -> Span<'static> {
        Span::styled(text.into(), self.theme.style(role))
    }
}

/// The rows that match.
struct Applications<'c, 'l>(&'c Chooser<'l>);

impl Rows for Applications<'_, '_> {
    fn len(&self) -> usize {
        self.0.shown.len()
    }

    fn row(&self, i: usize, width: usize) -> Row {
        let index = self.0.shown.get(i).copied();
        let Some(told) = index.and_then(|i| self.0.listing.applications.get(i)) else {
            return Row::default();
        };
        let (mark, role) = match (told.jobs, told.ended) {
            (Jobs::Failed(_), _) => ("✗", Role::Failed),
            (_, false) => ("…", Role::Warning),
            (Jobs::NoneFailed, true) => ("✓", Role::Succeeded),
            (Jobs::NotAsked, true) => ("·", Role::Dim),
        };
        let padded = |text: &str, to: usize| {
            let text = one_line(text);
            let gap = to.saturating_sub(columns(&text)) + 1;
            format!("{text}{}", " ".repeat(gap))
        };
        let mut spans = vec![
            self.0.span(role, mark),
            self.0.span(
                Role::Text,
                format!(" {}", padded(&told.run.to_string(), self.0.id)),
            ),
        ];
        if width >= WIDE {
            spans.push(self.0.span(role, padded(&told.state(), STATE)));
            spans.push(self.0.span(Role::Dim, padded(&told.user, 10)));
        }
        spans.push(self.0.span(Role::Text, one_line(&told.name)));
        let when = format!("{}  {:>7}", told.began(), told.took());
        Row {
            tag: (width >= WIDE / 2).then(|| self.0.span(Role::Dim, when)),
            keeps_tag: true,
            ..Row::new(Line::from(spans))
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::ui::theme::Depth;
    use crossterm::event::{KeyCode, KeyEvent};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    fn listing() -> Listing {
        let application = |id: &str, name: &str, jobs, ended| Application {
            run: RunId::parse(id).unwrap(),
            name: name.to_owned(),
            user: "ann".to_owned(),
            spark: "4.1.4".to_owned(),
            started: None,
            millis: Some(61_000),
            ended,
            jobs,
        };
        Listing {
            applications: vec![
                application(
                    "application_1_2/1",
                    "orders \x1b[31mred",
                    Jobs::Failed(1),
                    true,
                ),
                application("application_1_3", "clicks", Jobs::NotAsked, false),
                application("application_1_4", "orders", Jobs::NoneFailed, true),
            ],
            more: false,
        }
    }

    fn press(chooser: &mut Chooser<'_>, keys: &[KeyCode]) -> Next {
        let mut next = Next::Stay;
        for key in keys {
            next = chooser.update(&Event::Key(KeyEvent::from(*key)));
        }
        next
    }

    #[test]
    fn a_run_is_chosen_by_moving_or_by_finding_it() {
        use KeyCode::{Char, Enter, Esc};
        let listing = listing();
        let theme = Theme::named("dark", Depth::Mono).unwrap();
        let mut chooser = Chooser::new("http://h", &listing, Keymap::built_in(), theme);
        let chosen = |i: usize| Next::Leave(Some(listing.applications[i].run.clone()));
        assert_eq!(press(&mut chooser, &[Char('j'), Enter]), chosen(1));
        let find = |text: &str| text.chars().map(Char).collect::<Vec<_>>();
        press(&mut chooser, &find("/ORDERS"));
        assert_eq!(chooser.shown, [0, 2]);
        // Enter ends the typing while there is a choice; Esc shows all again, on the same run.
        assert_eq!(press(&mut chooser, &[Enter]), Next::Stay);
        press(&mut chooser, &[Char('G'), Esc]);
        assert_eq!(chooser.shown.len(), 3);
        assert_eq!(press(&mut chooser, &[Enter]), chosen(2));
        assert_eq!(press(&mut chooser, &find("/clicks\r")[..7]), Next::Stay);
        assert_eq!(press(&mut chooser, &[Enter]), chosen(1));
        press(&mut chooser, &find("zzz"));
        assert_eq!(press(&mut chooser, &[Enter, Enter]), Next::Stay);
        press(&mut chooser, &[Esc]);
        assert_eq!(press(&mut chooser, &[Char('q')]), Next::Leave(None));
    }

    #[test]
    fn it_fits_every_size_and_lets_no_escape_through() {
        let listing = listing();
        let theme = Theme::named("dark", Depth::Mono).unwrap();
        let mut chooser = Chooser::new("http://h", &listing, Keymap::built_in(), theme);
        for (width, height) in [(200, 50), (80, 24), (40, 12), (20, 5), (3, 2)] {
            let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
            terminal.draw(|frame| chooser.draw(frame)).unwrap();
            let shown = terminal.backend().to_string();
            assert!(!shown.contains('\x1b'), "{shown}");
            if width >= 40 {
                for told in [
                    "http://h",
                    "✗ application_1_2/1",
                    "… application_1_3",
                    "1 job failed",
                ] {
                    assert!(shown.contains(told), "{told} is not in {shown}");
                }
            }
        }
    }
}
