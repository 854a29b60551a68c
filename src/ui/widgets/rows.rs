//! [`Rows`]: what a list shows, and the one way every list is drawn.

use super::scroll::Scroll;
use super::text::{INDENT, bare_gaps, columns, highlight, slide, wrap};
use crate::text::Place;
use crate::ui::selection::Target;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use regex::Regex;

/// What a list shows: rows by number, of which only those on the screen are ever asked for.
pub(crate) trait Rows {
    /// How many there are.
    fn len(&self) -> usize;
    /// One of them, in at most `width` columns where it can choose.
    fn row(&self, i: usize, width: usize) -> Row;
    /// What it stands for.
    fn target(&self, _i: usize) -> Option<Target> {
        None
    }
    /// The line of the log it tells of.
    fn place(&self, _i: usize) -> Option<Place> {
        None
    }
    /// The code that it is part of, as it can be pasted.
    fn code(&self, _i: usize) -> Option<String> {
        None
    }
    /// Whether a part of its own begins with it, such as a step.
    fn begins(&self, _i: usize) -> bool {
        false
    }
    /// The row that the selection points at.
    fn selected(&self) -> Option<usize> {
        None
    }
    /// Where it opens: the row for the cursor, and one to be seen with it.
    fn opens_at(&self) -> Option<(usize, usize)> {
        self.selected().map(|row| (row, row))
    }
    /// The code that mends, in rows of fixes.
    fn mends_at(&self) -> Option<(usize, usize)> {
        None
    }
    /// The first and the last row of the code that stands below a row and belongs to it.
    fn code_below(&self, _row: usize) -> Option<(usize, usize)> {
        None
    }
    /// The row that says what a row belongs to; it stays in view above it.
    fn heading(&self, _i: usize) -> Option<usize> {
        None
    }
    /// Which part a row is in, of how many of its kind: `step 3 of 5`.
    fn part(&self, _i: usize) -> Option<String> {
        None
    }
}

/// One row, before it is cut or wrapped.
#[derive(Debug, Clone, Default)]
pub(crate) struct Row {
    /// What it says.
    pub(crate) line: Line<'static>,
    /// Stands at the right edge where there is room.
    pub(crate) tag: Option<Span<'static>>,
    /// Its style from edge to edge, and the one under the cursor where that differs from the list's.
    pub(crate) style: Option<(Style, Style)>,
    /// Whether the tag stays where it costs some of the text.
    pub(crate) keeps_tag: bool,
    /// Columns at its start that stay when it is scrolled sideways.
    pub(crate) lead: usize,
    /// Set for prose, which is always wrapped: how far in its further lines stand.
    pub(crate) hang: Option<usize>,
}

impl Row {
    pub(crate) fn new(line: impl Into<Line<'static>>) -> Self {
        Self {
            line: line.into(),
            ..Self::default()
        }
    }

    /// Prose: wrapped, its further lines `hang` columns in.
    pub(crate) fn prose(hang: usize, line: impl Into<Line<'static>>) -> Self {
        Self {
            hang: Some(hang),
            ..Self::new(line)
        }
    }

    /// Its first spans stay when it is scrolled sideways.
    pub(crate) fn keeping(mut self, spans: usize) -> Self {
        let kept = self.line.spans.iter().take(spans);
        self.lead = kept.map(|span| columns(&span.content)).sum();
        self
    }

    /// How far in its further lines stand, where it is to be wrapped.
    fn wrapped(&self, look: &Look<'_>) -> Option<usize> {
        self.hang.or(look.wrap.then_some(INDENT))
    }

    /// What it says, without style.
    pub(crate) fn text(&self) -> String {
        self.line.spans.iter().map(|s| s.content.as_ref()).collect()
    }
}

/// Lines that the rows take in a width, as far as they are at most `most`.
pub(crate) fn lines_in(rows: &dyn Rows, width: usize, most: usize) -> usize {
    let mut lines = 0;
    for i in 0..rows.len() {
        if lines >= most {
            break;
        }
        let row = rows.row(i, width);
        lines += row
            .hang
            .map_or(1, |hang| wrap(&row.line, width, hang).len());
    }
    lines.min(most)
}

/// How a list is drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look<'a> {
    /// The style of the row under the cursor.
    pub(crate) cursor: Option<Style>,
    /// Whether the keys go to this list.
    pub(crate) focused: bool,
    /// Whether long lines are wrapped; else they are cut.
    pub(crate) wrap: bool,
    /// What is looked for, and how it is marked.
    pub(crate) matched: Option<(&'a Regex, Style)>,
}

/// Lines that a list has at least where one of them is given to what its first row belongs to.
const ROOM_FOR_HEADING: usize = 5;

/// Draws the rows that fit, with the cursor among them, below what the first of them belongs to.
pub(crate) fn draw_rows(
    rows: &dyn Rows,
    scroll: &mut Scroll,
    look: Look<'_>,
    area: Rect,
    buffer: &mut Buffer,
) {
    let area = area.intersection(buffer.area);
    let (width, height) = (usize::from(area.width), usize::from(area.height));
    scroll.drawn.clear();
    if width == 0 || height == 0 {
        return;
    }
    let len = rows.len();
    let lines = |i| {
        let row = rows.row(i, width);
        match row.wrapped(&look) {
            Some(hang) => wrap(&row.line, width, hang).len(),
            None => 1,
        }
    };
    let heading = (height >= ROOM_FOR_HEADING && len > 0)
        .then(|| {
            let mut trial = scroll.clone();
            trial.settle(len, height, lines);
            rows.heading(trial.top).filter(|row| *row < trial.top)
        })
        .flatten();
    scroll.settle(len, height - usize::from(heading.is_some()), lines);
    if scroll.sideways > 0 {
        // Not further than to the end of the longest line on the screen.
        let shown = (scroll.top..len).take(height).map(|i| rows.row(i, width));
        let hidden = shown.map(|row| hidden_columns(&row, &look, width)).max();
        scroll.sideways = scroll.sideways.min(hidden.unwrap_or(0));
    }
    let sideways = scroll.sideways;
    let mut y = area.y;
    for i in heading.into_iter().chain(scroll.top..len) {
        let mut row = rows.row(i, width);
        row.line = bare_gaps(row.line);
        let style = match (row.style, look.cursor) {
            (Some((base, _)), Some(_)) if i == scroll.cursor && !look.focused => Some(base),
            (own, Some(cursor)) if i == scroll.cursor => Some(own.map_or(cursor, |(_, c)| c)),
            (own, _) => own.map(|(base, _)| base),
        };
        if let Some(style) = style {
            for span in row.line.spans.iter_mut().chain(&mut row.tag) {
                span.style = span.style.patch(style);
            }
        }
        // What stays in view above the rows takes one line.
        let most = if heading == Some(i) { 1 } else { usize::MAX };
        for line in lines_of(&row, &look, sideways, width)
            .into_iter()
            .take(most)
        {
            if y == area.bottom() {
                return;
            }
            if let Some(style) = style {
                buffer.set_style(Rect::new(area.x, y, area.width, 1), style);
            }
            buffer.set_line(area.x, y, &line, area.width);
            scroll.drawn.push(i);
            y += 1;
        }
    }
}

/// The lines of a row as they go to the screen: wrapped or cut, tagged, marked.
fn lines_of(row: &Row, look: &Look<'_>, sideways: usize, width: usize) -> Vec<Line<'static>> {
    let marked = match look.matched {
        Some((pattern, style)) => highlight(row.line.clone(), pattern, style),
        None => row.line.clone(),
    };
    if let Some(hang) = row.wrapped(look) {
        return wrap(&marked, width, hang);
    }
    let (room, tag) = room_for(row, width);
    let mut line = slide(&marked, row.lead, sideways, room);
    let Some(tag) = tag else {
        return vec![line];
    };
    let used: usize = line.spans.iter().map(|s| columns(&s.content)).sum();
    // A column stays free, so that the tag does not touch the frame.
    let before = width - columns(&tag.content) - 1 - used;
    line.push_span(Span::raw(" ".repeat(before)));
    line.push_span(tag.clone());
    vec![line]
}

/// Columns for the text of a row that is cut, and its tag where that is shown: it gives way where it would cost too much of
/// the text.
fn room_for(row: &Row, width: usize) -> (usize, Option<&Span<'static>>) {
    let text = row.line.width();
    let beside = |tag: &Span<'_>| width.checked_sub(columns(&tag.content) + 3);
    match row.tag.as_ref().and_then(|tag| Some((beside(tag)?, tag))) {
        Some((room, tag)) if row.keeps_tag || text <= room => (room, Some(tag)),
        _ => (width, None),
    }
}

/// How many columns of a row are out of sight.
fn hidden_columns(row: &Row, look: &Look<'_>, width: usize) -> usize {
    if row.wrapped(look).is_some() {
        return 0;
    }
    row.line.width().saturating_sub(room_for(row, width).0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    struct Numbers(usize);

    impl Rows for Numbers {
        fn len(&self) -> usize {
            self.0
        }
        fn row(&self, i: usize, _width: usize) -> Row {
            Row {
                hang: i.is_multiple_of(3).then_some(2),
                ..Row::new(format!("row {i} {}", "x".repeat(i % 40)))
            }
        }
    }

    proptest! {
        #[test]
        fn the_cursor_is_always_on_the_screen(
            len in 0..60usize,
            moves in prop::collection::vec(-30..30isize, 0..20),
            width in 1..30u16,
            height in 1..12u16,
            wrapped: bool,
        ) {
            let rows = Numbers(len);
            let mut scroll = Scroll::default();
            let area = Rect::new(0, 0, width, height);
            let look = Look { cursor: Some(Style::default().bold()), focused: wrapped, wrap: wrapped, matched: None };
            for by in moves {
                scroll.by(by, len);
                scroll.wheel(by / 3, len);
                draw_rows(&rows, &mut scroll, look, area, &mut Buffer::empty(area));
                prop_assert!(len == 0 || scroll.drawn.contains(&scroll.cursor));
                prop_assert!(scroll.drawn.len() <= usize::from(height));
            }
        }
    }

    #[test]
    fn a_tag_stands_at_the_right_edge_and_gives_way() {
        struct One;
        impl Rows for One {
            fn len(&self) -> usize {
                1
            }
            fn row(&self, _: usize, _: usize) -> Row {
                Row {
                    tag: Some(Span::raw("your code")),
                    ..Row::new("parse_age()")
                }
            }
        }
        let draw = |width| {
            let area = Rect::new(0, 0, width, 1);
            let mut buffer = Buffer::empty(area);
            let look = Look {
                cursor: None,
                focused: false,
                wrap: false,
                matched: None,
            };
            draw_rows(&One, &mut Scroll::default(), look, area, &mut buffer);
            buffer
                .content
                .iter()
                .map(ratatui::buffer::Cell::symbol)
                .collect::<String>()
        };
        assert_eq!(draw(24), "parse_age()   your code ");
        assert_eq!(draw(14), "parse_age()   ");
    }
}
