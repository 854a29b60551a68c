//! In: the [`App`]. Out: one frame of the screen.

use super::action::Action;
use super::app::App;
use super::captions::{about, empty, whereabouts};
use super::context::Context;
use super::header;
use super::hop::Hop;
use super::layout::{Layout, SMALLEST, Size, border};
use super::overlay::which_rows;
use super::panes::Pane;
use super::query::Query;
use super::raw::RawRows;
use super::theme::Role;
use super::widgets::{Look, Scroll, clip, columns, draw_rows, lines_in, one_line};
use crate::text::masking;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Clear, Widget as _};
use regex::Regex;

impl App {
    /// Draws the screen; reads the lines of the log that are on it.
    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        masking(self.masking(), || self.draw_all(frame));
    }

    fn draw_all(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        let layout = self.lay_out(area);
        self.view.layout = layout.clone();
        let buffer = frame.buffer_mut();
        buffer.set_style(area, self.theme.style(Role::Text));
        if layout.size == Size::TooSmall {
            let text = format!("{} × {} at least", SMALLEST.0, SMALLEST.1);
            put(&Line::raw(text), area, buffer);
            return;
        }
        let reading = self.told.reading.clone();
        header::draw(
            &self.context(),
            layout.size,
            reading.as_deref(),
            layout.header,
            buffer,
        );
        if self.raw.is_some() {
            self.draw_log(layout.body, buffer);
        } else {
            for (pane, area) in &layout.panes {
                self.draw_pane(*pane, *area, buffer);
            }
            if let Some(area) = layout.summary {
                put(&self.summary(&layout), area, buffer);
            }
            if let Some(area) = layout.teaser {
                put(&self.teaser(), area, buffer);
            }
        }
        self.draw_hop(buffer);
        self.draw_footer(layout.footer, buffer);
        self.draw_which(layout.body, buffer);
        self.draw_overlay(layout.body, buffer);
    }

    /// Where everything stands on a screen of that size.
    pub(super) fn lay_out(&self, area: Rect) -> Layout {
        let most = usize::from(area.height);
        let wants = Pane::ALL.map(|pane| {
            if pane == Pane::Trace {
                // It gets what the others leave.
                return most;
            }
            let rows = pane.rows(self.context(), &self.view.folds);
            let width = Layout::width_of(area, pane, &self.view.shape);
            // A plan or a profile that is not there takes no room from the others.
            let optional = matches!(pane, Pane::Sql | Pane::Profiles);
            if rows.len() == 0 && (!optional || self.view.focus == pane) {
                return empty(&self.context(), pane, width).len();
            }
            lines_in(&*rows, width, most)
        });
        let root = header::root_width(&self.context(), area.width);
        let view = &self.view;
        Layout::new(area, view.focus, view.zoomed, wants, root, &view.shape)
    }

    fn draw_pane(&mut self, pane: Pane, area: Rect, buffer: &mut Buffer) {
        let focused = self.view.focus == pane && self.raw.is_none();
        let mut scroll = std::mem::take(self.scroll(pane));
        let cx = self.context();
        let rows = pane.rows(cx, &self.view.folds);
        let mut title = format!(" {} {} ", self.keys.map.key(pane.action()), pane.title());
        let room = usize::from(area.width).saturating_sub(columns(&title) + 3);
        if let Some(about) = about(&cx, pane, room) {
            title = format!("{title}{about} ");
        }
        if pane == Pane::Stages {
            for other in [Pane::Sql, Pane::Profiles] {
                if self.view.layout.area(other).is_none() && self.len(other) > 0 {
                    let key = self.keys.map.key(other.action());
                    title = format!("{title}· {key} {} ", other.title());
                }
            }
        }
        let mut right = String::new();
        if pane == Pane::Trace {
            if let Some(place) = rows.place(scroll.cursor) {
                right = format!(" {} ", cx.spot(&place));
            }
            if let Some(filter) = self.finding.filter() {
                right = format!(" &{} {right}", one_line(filter.typed()));
            }
        } else {
            let all_seen = rows.len() <= usize::from(area.height.saturating_sub(2));
            right = whereabouts(&cx, pane, &*rows, scroll.cursor, all_seen);
            if columns(&title) + columns(&right) + 2 >= usize::from(area.width) {
                // `fix 1 of 6 · step 4 of 5`: the pane's name says of what.
                right = right.replace(" of ", "/").replace(" fix ", " ");
            }
        }
        let inside = frame_of(&cx, &title, &right, focused, area, buffer);
        let shows_place = rows.selected().is_some() || focused;
        let cursor = match pane {
            _ if focused => Some(cx.style(Role::Cursor)),
            // The trace's place is told by its own pane's marks; a bar there would look like the focus.
            Pane::Trace | Pane::Fixes => None,
            _ if shows_place => Some(cx.style(Role::Selected)),
            _ => None,
        };
        let look = Look {
            cursor,
            focused,
            wrap: self.view.wrap && pane == Pane::Trace,
            matched: self.marked(),
        };
        if rows.len() == 0 {
            let lines = empty(&cx, pane, inside.width.into());
            for (y, line) in (inside.y..inside.bottom()).zip(&lines) {
                put(
                    line,
                    Rect {
                        y,
                        height: 1,
                        ..inside
                    },
                    buffer,
                );
            }
        }
        draw_rows(&*rows, &mut scroll, look, inside, buffer);
        mark_hidden(&cx, &scroll, rows.len(), focused, inside, buffer);
        if self.view.layout.panes.len() == 1 && self.view.layout.summary.is_none() {
            self.name_others(area, buffer);
        }
        if cursor.is_some() && rows.len() > 0 {
            mark_cursor(&cx, &scroll, focused, inside, buffer);
        }
        drop(rows);
        *self.scroll(pane) = scroll;
    }

    /// Names the panes that are not on the screen in the frame of the only one that is.
    fn name_others(&self, area: Rect, buffer: &mut Buffer) {
        // A piece of the frame stays on both sides.
        let room = usize::from(area.width.saturating_sub(4));
        if border(area) == 1 && room > 0 {
            let line = self.others(room);
            buffer.set_line(area.x + 2, area.bottom() - 1, &line, area.width - 4);
        }
    }

    fn draw_log(&mut self, area: Rect, buffer: &mut Buffer) {
        let Some(mut log) = self.raw.take() else {
            return;
        };
        let cx = self.context();
        let name = cx.case.sources.get(log.source()).map_or("", |s| &s.name);
        let height = usize::from(area.height.saturating_sub(2 * border(area)));
        let sifted = self.finding.sifted(log.source());
        log.read(cx.case, height, sifted.as_deref(), cx.times.are_shown());
        let counted = cx
            .case
            .lines
            .get(log.source().0 as usize)
            .copied()
            .unwrap_or(0);
        let mut right = if log.is_counted() {
            format!(" line {} of {counted} ", log.line())
        } else {
            " lines are being counted ".to_owned()
        };
        let passing = sifted.as_ref().map(|sifted| sifted.len());
        if let Some(filter) = self.finding.filter() {
            let many = passing.map_or_else(|| "filtering …".to_owned(), |n| format!("{n} lines ·"));
            right = format!(" &{} {many}{right}", one_line(filter.typed()));
        }
        let title = format!(" {} ", one_line(name));
        let inside = frame_of(&cx, &title, &right, true, area, buffer);
        let look = Look {
            cursor: Some(cx.style(Role::Cursor)),
            focused: true,
            wrap: self.view.wrap,
            matched: self.marked(),
        };
        if passing == Some(0) {
            let filter = self.keys.map.key(Action::Filter);
            let empty = format!(" no record matches the filter; {filter} Enter ends it");
            put(&Line::from(cx.span(Role::Dim, empty)), inside, buffer);
        }
        let mut scroll: Scroll = log.scroll.clone();
        draw_rows(
            &RawRows { cx, log: &log },
            &mut scroll,
            look,
            inside,
            buffer,
        );
        mark_cursor(&cx, &scroll, true, inside, buffer);
        log.scroll = scroll;
        self.raw = Some(log);
    }

    /// What is searched for, else what is filtered by, and how it is marked.
    fn marked(&self) -> Option<(&Regex, Style)> {
        let query = self.finding.search().or(self.finding.filter());
        let pattern = query.and_then(Query::pattern)?;
        Some((pattern, self.theme.style(Role::Match)))
    }

    /// The letters that lead to the rows.
    fn draw_hop(&self, buffer: &mut Buffer) {
        let style = self.theme.style(Role::Match);
        for (label, landing) in self.keys.hop.iter().flat_map(Hop::labels) {
            let (x, y) = landing.at;
            if buffer.area.contains((x, y).into()) {
                buffer.set_stringn(x, y, label, 2, style);
            }
        }
    }

    /// What may follow the keys pressed so far.
    fn draw_which(&self, body: Rect, buffer: &mut Buffer) {
        let rows: Vec<(String, String)> = if let Some(action) = self.keys.letter {
            let letters: String = self.trail.letters().collect();
            let used = if letters.is_empty() {
                "no letter is in use".to_owned()
            } else {
                format!("in use: {letters}")
            };
            vec![("a…z".to_owned(), format!("{}; {used}", action.help()))]
        } else if self.keys.pending.is_empty() {
            return;
        } else {
            which_rows(&self.keys.map, self.sections(), &self.keys.pending)
                .into_iter()
                .map(|(keys, help)| (keys, help.to_owned()))
                .collect()
        };
        let cx = self.context();
        let widest = rows.iter().map(|(k, h)| columns(k) + columns(h) + 5).max();
        let height = u16::try_from(rows.len() + 2)
            .unwrap_or(u16::MAX)
            .min(body.height);
        let width = u16::try_from(widest.unwrap_or(0) + 2)
            .unwrap_or(u16::MAX)
            .min(body.width);
        let area = Rect::new(body.right() - width, body.bottom() - height, width, height);
        Clear.render(area, buffer);
        buffer.set_style(area, cx.style(Role::Text));
        let pressed: Vec<String> = self.keys.pending.iter().map(ToString::to_string).collect();
        let title = match self.keys.letter {
            Some(action) => action.name().replace('-', " "),
            None => pressed.join(" "),
        };
        let inside = frame_of(&cx, &format!(" {title} "), "", true, area, buffer);
        for (y, (keys, help)) in (inside.y..inside.bottom()).zip(&rows) {
            let line = Line::from(vec![
                cx.span(Role::Key, format!(" {keys:<3} ")),
                cx.span(Role::Text, help.clone()),
            ]);
            put(
                &line,
                Rect {
                    y,
                    height: 1,
                    ..inside
                },
                buffer,
            );
        }
    }

    fn draw_overlay(&mut self, body: Rect, buffer: &mut Buffer) {
        let Some(mut overlay) = self.overlay.take() else {
            return;
        };
        let cx = self.context();
        let rows = overlay.rows(&self.keys.map, &self.theme, self.pane());
        let title = overlay.title();
        let mut shown = Rect::default();
        let widest = overlay.widest(rows.len());
        if let Some(scroll) = overlay.scroll() {
            let width = body.width.min(widest);
            let inner = usize::from(width.saturating_sub(2));
            let lines = lines_in(&*rows, inner, body.height.into());
            let wanted = u16::try_from(lines.max(1) + 2).unwrap_or(u16::MAX);
            let height = body.height.min(wanted);
            let area = Rect::new(
                body.x + (body.width - width) / 2,
                body.y + (body.height - height) / 2,
                width,
                height,
            );
            Clear.render(area, buffer);
            buffer.set_style(area, cx.style(Role::Text));
            let inside = frame_of(&cx, title, "", true, area, buffer);
            let look = Look {
                cursor: (rows.len() > 1).then(|| cx.style(Role::Cursor)),
                focused: true,
                wrap: false,
                matched: None,
            };
            draw_rows(&*rows, scroll, look, inside, buffer);
            mark_hidden(&cx, scroll, rows.len(), true, inside, buffer);
            if look.cursor.is_some() {
                mark_cursor(&cx, scroll, true, inside, buffer);
            }
            shown = inside;
        }
        drop(rows);
        self.view.overlay = shown;
        self.overlay = Some(overlay);
    }
}

/// Stands in the frame beside the row under the cursor.
const CURSOR: &str = ">";

/// Draws a frame; returns what is inside of it. The one with the focus has a thicker line, not only another colour.
fn frame_of(
    cx: &Context<'_>,
    title: &str,
    right: &str,
    focused: bool,
    area: Rect,
    buffer: &mut Buffer,
) -> Rect {
    if border(area) == 0 {
        return area;
    }
    let (edge, role) = if focused {
        (Role::BorderFocused, Role::TitleFocused)
    } else {
        (Role::Border, Role::Title)
    };
    let kind = if focused {
        BorderType::Thick
    } else {
        BorderType::Plain
    };
    let room = usize::from(area.width.saturating_sub(2));
    let mut block = Block::bordered()
        .border_type(kind)
        .border_style(cx.style(edge))
        .title_top(clip(&Line::from(cx.span(role, title)), 0, room));
    if columns(title) + columns(right) < room && !right.is_empty() {
        block = block.title_top(Line::from(cx.span(Role::Dim, right)).right_aligned());
    }
    let inside = block.inner(area);
    block.render(area.intersection(buffer.area), buffer);
    inside
}

/// Marks at the right edge of a frame that there are rows above or below those on the screen.
fn mark_hidden(
    cx: &Context<'_>,
    scroll: &Scroll,
    rows: usize,
    focused: bool,
    inside: Rect,
    buffer: &mut Buffer,
) {
    let x = inside.right();
    if inside.is_empty() || x == buffer.area.right() {
        return;
    }
    let role = if focused {
        Role::BorderFocused
    } else {
        Role::Border
    };
    if scroll.hides_above() {
        buffer.set_string(x, inside.y, "▴", cx.style(role));
    }
    if scroll.hides_below(rows) {
        buffer.set_string(x, inside.bottom() - 1, "▾", cx.style(role));
    }
}

/// Marks the cursor's row at the left edge of a frame: a colour alone is not seen on every terminal, nor by everybody.
fn mark_cursor(
    cx: &Context<'_>,
    scroll: &Scroll,
    focused: bool,
    inside: Rect,
    buffer: &mut Buffer,
) {
    let line = scroll.drawn().iter().position(|row| *row == scroll.cursor);
    let Some(line) = line.and_then(|line| u16::try_from(line).ok()) else {
        return;
    };
    let at = (inside.x.wrapping_sub(1), inside.y + line);
    if inside.x == 0 || !buffer.area.contains(at.into()) {
        return;
    }
    let role = if focused {
        Role::BorderFocused
    } else {
        Role::Border
    };
    buffer.set_string(at.0, at.1, CURSOR, cx.style(role));
}

/// One line, cut to its area.
pub(super) fn put(line: &Line<'_>, area: Rect, buffer: &mut Buffer) {
    let area = area.intersection(buffer.area);
    if !area.is_empty() {
        let line = clip(line, 0, area.width.into());
        buffer.set_line(area.x, area.y, &line, area.width);
    }
}
