//! In: headings, paragraphs, rows. Out: a page of text, broken at its width, coloured or not.

use crate::text::expand_tabs;
use anstyle::{AnsiColor, Style};
use std::borrow::Cow;
use textwrap::core::display_width;
use textwrap::{Options, WordSplitter, wrap};

/// Columns of the page.
pub(super) const WIDTH: usize = 80;

/// What a piece of text is, by which it gets its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    Plain,
    Heading,
    Bad,
    Good,
    Yours,
    Dim,
    Code,
}

impl Ink {
    fn style(self) -> Style {
        let colour = |c: AnsiColor| Style::new().fg_color(Some(c.into()));
        match self {
            Self::Plain => Style::new(),
            Self::Heading => Style::new().bold(),
            Self::Bad => colour(AnsiColor::Red).bold(),
            Self::Good => colour(AnsiColor::Green),
            Self::Yours => colour(AnsiColor::Yellow),
            Self::Dim => Style::new().dimmed(),
            Self::Code => colour(AnsiColor::Cyan),
        }
    }
}

/// A page being written.
#[derive(Debug)]
pub(super) struct Page {
    text: String,
    colour: bool,
}

impl Page {
    pub(super) fn new(colour: bool) -> Self {
        Self {
            text: String::new(),
            colour,
        }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    /// An empty line, a heading, and what stands beside it.
    pub(super) fn heading(&mut self, name: &str, beside: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let heading = self.paint(name, Ink::Heading);
        let gap = if beside.is_empty() { "" } else { "  " };
        self.line(&format!("{heading}{gap}{beside}"));
    }

    /// Text broken at the width: the first line begins with `lead`, further ones below what follows it.
    pub(super) fn hang(&mut self, lead: &str, text: &str, ink: Ink) {
        self.row(lead, text, ink, "");
    }

    /// The same with something at the right edge of the last line, or below it where both do not fit.
    pub(super) fn row(&mut self, lead: &str, text: &str, ink: Ink, right: &str) {
        let below = " ".repeat(display_width(lead));
        let room = WIDTH.saturating_sub(below.len()).max(20);
        let options = Options::new(room)
            .word_splitter(WordSplitter::NoHyphenation)
            .break_words(false);
        let mut lead = lead;
        let mut used = 0;
        // A row without text still has its lead and its right edge.
        let text = if text.is_empty() { " " } else { text };
        let text = expand_tabs(text);
        for piece in text.lines().flat_map(|line| wrap(line, &options)) {
            let line = format!("{lead}{}", self.paint(&piece, ink));
            self.line(&line);
            used = display_width(format!("{lead}{piece}").trim_end());
            lead = &below;
        }
        if right.is_empty() {
            return;
        }
        if used > 0 && used + 2 + display_width(right) <= WIDTH {
            self.text.truncate(self.text.trim_end().len());
        } else {
            used = 0;
        }
        let gap = " ".repeat(WIDTH.saturating_sub(used + display_width(right)));
        let right = self.paint(right, Ink::Dim);
        self.line(&format!("{gap}{right}"));
    }

    /// The same on one line: what does not fit is left out, with `…` in its place.
    pub(super) fn line_of(&mut self, lead: &str, text: &str, ink: Ink, right: &str) {
        let gap = if right.is_empty() { 0 } else { 2 };
        let room = WIDTH.saturating_sub(display_width(lead) + gap + display_width(right));
        self.row(lead, &fit(&expand_tabs(text), room), ink, right);
    }

    /// Code as it is, each line behind `lead`; at most `most` lines.
    pub(super) fn code(&mut self, lead: &str, code: &str, most: usize) {
        let lines = code.lines().count();
        for line in code.lines().take(most) {
            let line = self.paint(&expand_tabs(line), Ink::Code);
            self.line(&format!("{lead}{line}"));
        }
        self.more(lead, lines.saturating_sub(most), "line", "lines");
    }

    /// Says how many were left out, if any.
    pub(super) fn more(&mut self, lead: &str, left_out: usize, one: &str, many: &str) {
        if left_out > 0 {
            let what = if left_out == 1 { one } else { many };
            let text = self.paint(
                &format!("… {left_out} more {what}: --all leaves nothing out"),
                Ink::Dim,
            );
            self.line(&format!("{lead}{text}"));
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(&expand_tabs(line.trim_end()));
        self.text.push('\n');
    }

    fn paint(&self, text: &str, ink: Ink) -> String {
        if !self.colour || ink == Ink::Plain || text.is_empty() {
            return text.to_owned();
        }
        let style = ink.style();
        format!("{style}{text}{style:#}")
    }
}

/// As much of a text as fits into so many columns.
fn fit(text: &str, room: usize) -> Cow<'_, str> {
    if display_width(text) <= room {
        return Cow::Borrowed(text);
    }
    let mut used = 1;
    let kept: String = text
        .chars()
        .take_while(|c| {
            used += display_width(c.encode_utf8(&mut [0; 4]));
            used <= room
        })
        .collect();
    Cow::Owned(format!("{}…", kept.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_lines_stand_below_the_first_and_keep_the_width() {
        let mut page = Page::new(false);
        page.hang("  why  ", &"word ".repeat(40), Ink::Plain);
        let text = page.finish();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() > 1);
        assert!(lines.iter().all(|l| l.chars().count() <= WIDTH));
        assert!(lines[1].starts_with("       word"));
    }

    #[test]
    fn what_is_told_on_one_line_stays_on_it() {
        let mut page = Page::new(false);
        let path = "/data/".repeat(30);
        page.line_of("  top  ", &path, Ink::Plain, "driver.log:1085");
        page.line_of("  ", &"表".repeat(60), Ink::Plain, "");
        let text = page.finish();
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.lines().all(|l| l.contains('…')), "{text}");
        assert!(text.lines().all(|l| display_width(l) <= WIDTH), "{text}");
    }

    #[test]
    fn a_row_without_text_keeps_its_lead_and_its_right_edge() {
        let mut page = Page::new(false);
        page.row("  0.1   failed", "", Ink::Plain, "driver.log:7");
        let text = page.finish();
        assert!(text.starts_with("  0.1   failed") && text.ends_with("driver.log:7\n"));
        assert_eq!(text.trim_end().len(), WIDTH, "{text}");
    }

    #[test]
    fn no_escape_is_written_where_no_colour_is_wanted() {
        let mut page = Page::new(false);
        page.heading("CHAIN", "");
        page.row("  ", "text", Ink::Bad, "driver.log:1");
        assert!(!page.finish().contains('\x1b'));
    }

    #[test]
    fn a_tab_is_told_as_spaces_that_count() {
        let mut page = Page::new(true);
        page.row("  ", &"a\tb ".repeat(30), Ink::Bad, "x\ty:1");
        page.line_of("  ", &"a\tb ".repeat(30), Ink::Plain, "");
        page.code("  ", "\tif x:\n\t\treturn", 9);
        page.heading("A\tB", "c\td");
        let text = page.finish();
        assert!(!text.contains('\t'), "{text}");
        assert!(text.contains("    if x:"), "{text}");
    }
}
