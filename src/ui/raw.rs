//! The log itself around a line, as it lies in the file; only the lines on the screen are read.

use super::context::Context;
use super::sift::Sifted;
use super::theme::Role;
use super::widgets::{Row, Rows, Scroll};
use crate::load::Case;
use crate::record::time_of;
use crate::text::{Moment, Place, SourceId, expand_tabs, sanitise_line};
use ratatui::text::Line;

/// Farther from the place lines are counted from, they are counted from a nearer one.
const FAR: u64 = 400;

/// Where the view of a log stands.
#[derive(Debug, Clone)]
pub(super) struct RawLog {
    /// A line whose offset is known.
    anchor: Place,
    /// Whether lines are numbered as in the file; while it is being read they are only told apart.
    counted: bool,
    /// The line under the cursor.
    line: u64,
    /// The first line on the screen.
    top: u64,
    lines: Vec<(u64, String)>,
    /// When each of them was written, and the line before it, where times are shown.
    times: Vec<(Option<Moment>, Option<Moment>)>,
    pub(super) scroll: Scroll,
}

impl RawLog {
    /// Stands on a place of the case's.
    pub(super) fn at(place: Place, case: &Case) -> Self {
        Self {
            counted: is_counted(case, place.source),
            anchor: place,
            line: place.line,
            top: place.line.saturating_sub(8).max(1),
            lines: Vec::new(),
            times: Vec::new(),
            scroll: Scroll::default(),
        }
    }

    /// Stands on a line by its number.
    pub(super) fn at_line(source: SourceId, line: u64, case: &Case) -> Self {
        let first = Place {
            source,
            start: 0,
            bytes: 0,
            line: 1,
            part: 0,
        };
        Self {
            line,
            top: line.saturating_sub(8).max(1),
            ..Self::at(first, case)
        }
    }

    /// A place near by, for searching from [`RawLog::line`].
    pub(super) fn anchor(&self) -> Place {
        self.anchor
    }

    /// Whether the numbers of its lines are those of the file.
    pub(super) fn is_counted(&self) -> bool {
        self.counted
    }

    pub(super) fn source(&self) -> SourceId {
        self.anchor.source
    }

    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Moves by lines, by those that pass the filter where it is filtered.
    pub(super) fn by(&mut self, lines: isize, sifted: Option<&Sifted>) {
        let there = |from: u64| from.saturating_add_signed(lines as i64);
        self.line = match sifted {
            Some(sifted) => sifted.line(there(sifted.position(self.line))),
            None => Some(there(self.line).max(1)),
        }
        .unwrap_or(self.line);
    }

    pub(super) fn go_to_first(&mut self) {
        // The one line whose place is known without counting.
        *self = Self {
            anchor: Place {
                start: 0,
                bytes: 0,
                line: 1,
                part: 0,
                ..self.anchor
            },
            line: 1,
            top: 1,
            ..self.clone()
        };
    }

    /// To the last line; whether it is known which that is.
    pub(super) fn go_to_last(&mut self, case: &Case) -> bool {
        let counted = case.lines.get(self.anchor.source.0 as usize).copied();
        self.line = counted.unwrap_or(0).max(self.line);
        counted.is_some_and(|n| n > 0)
    }

    /// Moves the cursor to a line of the screen.
    pub(super) fn go_to_row(&mut self, row: usize) {
        if let Some((line, _)) = self.lines.get(row) {
            self.line = *line;
        }
    }

    /// Reads the lines that will be on the screen, among those that pass the filter where it is filtered; with their times
    /// where these are shown.
    pub(super) fn read(
        &mut self,
        case: &Case,
        height: usize,
        sifted: Option<&Sifted>,
        with_times: bool,
    ) {
        if !self.counted && is_counted(case, self.anchor.source) {
            self.renumber(case);
        }
        match sifted {
            Some(sifted) => self.read_sifted(case, height.max(1) as u64, sifted, with_times),
            None => self.read_all(case, height, with_times),
        }
    }

    fn read_sifted(&mut self, case: &Case, height: u64, sifted: &Sifted, with_times: bool) {
        let here = sifted.position(self.line);
        let top = sifted.position(self.top).min(here);
        let top = top.max((here + 1).saturating_sub(height));
        // No line is wasted below the last one.
        let top = top.min(sifted.len().saturating_sub(height));
        let mut read = Vec::new();
        for (first, from, to) in sifted.pieces(top, top + height) {
            // A long record is not read from its beginning.
            let near = (from - first.line > FAR)
                .then(|| case.sources.place_of_line(first.source, from))
                .flatten()
                .unwrap_or(first);
            let after = usize::try_from(to - near.line).unwrap_or(usize::MAX);
            let lines = case.sources.lines_around(&near, 0, after.saturating_sub(1));
            read.extend(lines.into_iter().filter(|(n, _)| (from..to).contains(n)));
        }
        self.show(case, read, |_| true, with_times);
        self.line = sifted.line(here).unwrap_or(self.line);
        self.top = sifted.line(top).unwrap_or(self.top);
        self.scroll.cursor = usize::try_from(here - top).unwrap_or(0);
    }

    /// Takes lines that were read, with the time of each where these are shown; those before the first are read for
    /// the time that they tell.
    fn show(
        &mut self,
        case: &Case,
        read: Vec<(u64, Vec<u8>)>,
        shown: impl Fn(u64) -> bool,
        with_times: bool,
    ) {
        self.times.clear();
        if with_times {
            let dress = case.dresses.get(self.anchor.source.0 as usize);
            let mut last_time = None;
            for (n, bytes) in &read {
                let time = time_of(bytes, dress.copied().unwrap_or_default());
                if shown(*n) {
                    self.times.push((time, last_time));
                }
                last_time = time.or(last_time);
            }
        }
        self.lines = read
            .into_iter()
            .filter(|(n, _)| shown(*n))
            .map(|(n, bytes)| (n, shown_line(&bytes)))
            .collect();
    }

    fn read_all(&mut self, case: &Case, height: usize, with_times: bool) {
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
        let read = case.sources.lines_around(&self.anchor, before, after);
        self.show(case, read, |n| (first..=last).contains(&n), with_times);
        // Before the beginning and behind the end there is nothing to stand on.
        if let (Some((first, _)), Some((last, _))) = (self.lines.first(), self.lines.last()) {
            self.line = self.line.clamp(*first, *last);
            self.scroll.cursor = usize::try_from(self.line - first).unwrap_or(0);
        } else if self.line != self.anchor.line {
            self.line = self.anchor.line;
            self.top = self.line.saturating_sub(height / 2).max(1);
            self.read_all(case, usize::try_from(height).unwrap_or(1), with_times);
        }
    }
}

impl RawLog {
    /// The numbers were provisional: the same lines by their numbers in the file.
    fn renumber(&mut self, case: &Case) {
        self.counted = true;
        let place = &mut self.anchor;
        let Some(number) = case.sources.line_of_offset(place.source, place.start) else {
            return;
        };
        let moved = |line: u64| (line + number).saturating_sub(place.line).max(1);
        (self.line, self.top) = (moved(self.line), moved(self.top));
        place.line = number;
    }
}

fn shown_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_end_matches('\r');
    let rest = behind_bars(text);
    let left_out = if rest.len() < text.len() {
        "⋯␍"
    } else {
        ""
    };
    format!("{left_out}{}", expand_tabs(&sanitise_line(rest)))
}

/// What a line says behind progress bars that the console drew over each other; all of it where it says no more.
fn behind_bars(text: &str) -> &str {
    let mut rest = text;
    loop {
        let blank = rest.len() - rest.trim_start_matches([' ', '\r']).len();
        let bar = rest[blank..].strip_prefix("[Stage ");
        let bar = bar.and_then(|bar| bar.split_once(']'));
        if let Some((_, behind)) = bar.filter(|(bar, _)| bar.contains(" / ")) {
            rest = behind;
        } else if let Some(at) = rest[..blank].rfind('\r') {
            rest = &rest[at + 1..];
        } else {
            break;
        }
    }
    if rest.trim().is_empty() { text } else { rest }
}

fn is_counted(case: &Case, source: SourceId) -> bool {
    case.lines.get(source.0 as usize).is_some_and(|n| *n > 0)
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
        let (line, text) = &self.log.lines[i];
        let root = cx.incident().map(|incident| incident.root().place);
        let is_root = root.is_some_and(|r| r.source == self.log.source() && r.line == *line);
        let digits = self
            .log
            .lines
            .last()
            .map_or(1, |(n, _)| n.ilog10() as usize + 1);
        let number = if self.log.counted {
            format!("{line:>digits$}  ")
        } else {
            " ".to_owned()
        };
        let time = if cx.times.are_shown() {
            let (time, before) = self.log.times.get(i).copied().unwrap_or_default();
            let shown = cx.times.shown(time, cx.case.story.first, before);
            format!("{:>9}  ", shown.unwrap_or_default())
        } else {
            String::new()
        };
        Row {
            style: is_root.then(|| (cx.style(Role::Root), cx.style(Role::RootCursor))),
            ..Row::new(Line::from(vec![
                cx.span(Role::Failed, if is_root { "▶" } else { " " }),
                cx.span(Role::Dim, number),
                cx.span(Role::Record, time),
                cx.span(Role::Text, text.clone()),
            ]))
            .keeping(3)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_says_stands_before_the_bars_that_were_drawn_over() {
        let bar = "[Stage 3:=====>                    (37 + 8) / 200]";
        let error = "24/05/01 10:00:00 ERROR Job: gone";
        for line in [
            format!("{bar}\r{bar}\r{}\r{error}\r", " ".repeat(60)),
            format!("\r{bar}{error}"),
        ] {
            assert_eq!(shown_line(line.as_bytes()), format!("⋯␍{error}"));
        }
        // Nothing else is left out: a line of bars alone, a list that begins like one, an indented line.
        for line in [bar, "[Stage fright] x", "   \tat x"] {
            let shown = shown_line(line.as_bytes());
            assert!(!shown.contains('⋯'), "{shown}");
        }
        assert_eq!(shown_line(b"a\rb"), "a␍b");
    }
}
