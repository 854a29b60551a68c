//! The log itself around a line, as it lies in the file; only the lines on the screen are read.

use super::context::Context;
use super::theme::Role;
use super::widgets::{Row, Rows, Scroll, expand_tabs};
use crate::load::Case;
use crate::text::{Place, sanitise_line};
use ratatui::text::Line;

/// Farther from the place lines are counted from, they are counted from a nearer one.
const FAR: u64 = 400;

/// Where the view of a log stands.
#[derive(Debug, Clone)]
pub(super) struct RawLog {
    /// A line whose offset is known.
    anchor: Place,
    /// The line under the cursor.
    line: u64,
    /// The first line on the screen.
    top: u64,
    lines: Vec<(u64, String)>,
    pub(super) scroll: Scroll,
}

impl RawLog {
    pub(super) fn at(place: Place) -> Self {
        Self {
            anchor: place,
            line: place.line,
            top: place.line.saturating_sub(8).max(1),
            lines: Vec::new(),
            scroll: Scroll::default(),
        }
    }

    /// The line under the cursor, as a place good for [`RawLog::at`] and for searching from.
    pub(super) fn place(&self, case: &Case) -> Place {
        if self.line == self.anchor.line {
            return self.anchor;
        }
        let here = case.sources.place_of_line(self.anchor.source, self.line);
        here.unwrap_or(self.anchor)
    }

    pub(super) fn source(&self) -> crate::text::SourceId {
        self.anchor.source
    }

    pub(super) fn line(&self) -> u64 {
        self.line
    }

    pub(super) fn by(&mut self, lines: isize) {
        self.line = self.line.saturating_add_signed(lines as i64).max(1);
    }

    pub(super) fn go_to_first(&mut self) {
        self.line = 1;
    }

    /// To the last line, where the lines have been counted.
    pub(super) fn go_to_last(&mut self, case: &Case) {
        let counted = case.lines.get(self.anchor.source.0 as usize).copied();
        self.line = counted.unwrap_or(0).max(self.line);
    }

    /// Moves the cursor to a line of the screen.
    pub(super) fn go_to_row(&mut self, row: usize) {
        if let Some((line, _)) = self.lines.get(row) {
            self.line = *line;
        }
    }

    /// Reads the lines that will be on the screen.
    pub(super) fn read(&mut self, case: &Case, height: usize) {
        let height = height.max(1) as u64;
        if self.line < self.top {
            self.top = self.line;
        } else if self.line >= self.top + height {
            self.top = self.line + 1 - height;
        }
        let (first, last) = (self.top, self.top + height - 1);
        if self.line.abs_diff(self.anchor.line) > FAR {
            let near = case.sources.place_of_line(self.anchor.source, self.line);
            self.anchor = near.unwrap_or(self.anchor);
        }
        let before = usize::try_from(self.anchor.line.saturating_sub(first)).unwrap_or(usize::MAX);
        let after = usize::try_from(last.saturating_sub(self.anchor.line)).unwrap_or(usize::MAX);
        self.lines = case
            .sources
            .lines_around(&self.anchor, before, after)
            .into_iter()
            .filter(|(n, _)| (first..=last).contains(n))
            .map(|(n, bytes)| {
                let text = String::from_utf8_lossy(&bytes);
                (n, expand_tabs(&sanitise_line(text.trim_end_matches('\r'))))
            })
            .collect();
        // Before the beginning and behind the end there is nothing to stand on.
        if let (Some((first, _)), Some((last, _))) = (self.lines.first(), self.lines.last()) {
            self.line = self.line.clamp(*first, *last);
            self.scroll.cursor = usize::try_from(self.line - first).unwrap_or(0);
        } else if self.line != self.anchor.line {
            self.line = self.anchor.line;
            self.top = self.line.saturating_sub(height / 2).max(1);
            self.read(case, usize::try_from(height).unwrap_or(1));
        }
    }
}

/// The lines that were read, as rows.
pub(super) struct RawRows<'a> {
    pub(super) cx: Context<'a>,
    pub(super) log: &'a RawLog,
}

impl Rows for RawRows<'_> {
    fn len(&self) -> usize {
        self.log.lines.len()
    }

    fn row(&self, i: usize, _width: usize) -> Row {
        let cx = &self.cx;
        let (number, text) = &self.log.lines[i];
        let root = cx.incident().map(|incident| incident.root().place);
        let is_root = root.is_some_and(|r| r.source == self.log.source() && r.line == *number);
        let digits = self
            .log
            .lines
            .last()
            .map_or(1, |(n, _)| n.ilog10() as usize + 1);
        Row {
            style: is_root.then(|| (cx.style(Role::Root), cx.style(Role::RootCursor))),
            ..Row::new(Line::from(vec![
                cx.span(Role::Failed, if is_root { "▶" } else { " " }),
                cx.span(Role::Dim, format!("{number:>digits$}  ")),
                cx.span(Role::Text, text.clone()),
            ]))
        }
    }
}
