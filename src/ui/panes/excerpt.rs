//! In: an incident's own lines and the source files that were opened. Out: [`Excerpt`]s: the code around each line, where the
//! file says what the trace says.

use crate::fact::{Frame, LineKind};
use crate::incident::Incident;
use crate::source::{Kind, Source, Sources};
use crate::text::Place;
use crate::ui::context::Context;
use crate::ui::theme::Role;
use crate::ui::widgets::{Row, columns};
use ratatui::text::{Line, Span};
use std::ops::Range;
use std::rc::Rc;

/// Lines that are shown before and behind the one that failed.
const AROUND: usize = 2;
/// Narrower, an indentation that all lines share is left out, and the line that failed is wrapped.
pub(super) const NARROW: usize = 58;

/// The code around a frame.
pub(super) struct Excerpt {
    /// The line of the trace that prints the frame.
    pub(super) frame: usize,
    /// The lines of the trace that print its code, and the marks below it.
    pub(super) printed: Range<usize>,
    /// The lines of the file, with their numbers.
    pub(super) lines: Rc<[(u64, String)]>,
    /// The number of the line that failed.
    failing: u64,
    language: &'static str,
    file: Place,
}

impl Excerpt {
    /// The lines before the one that failed, and those behind it.
    pub(super) fn sides(&self) -> (Range<usize>, Range<usize>) {
        let at = self
            .lines
            .iter()
            .position(|(n, _)| *n == self.failing)
            .unwrap_or(0);
        (0..at, at + 1..self.lines.len())
    }

    /// Columns that are left out in front of every line, where there is no room for an indentation that all share.
    fn left_out(&self, width: usize) -> usize {
        let says = |text: &&str| !text.trim().is_empty();
        let indents = (self.lines.iter().map(|(_, text)| text.as_str()))
            .filter(says)
            .map(|text| text.len() - text.trim_start_matches(' ').len());
        indents.min().filter(|_| width < NARROW).unwrap_or(0)
    }

    /// A line of the file. The one that failed is never cut short on a narrow screen.
    pub(super) fn row(&self, cx: &Context<'_>, i: usize, width: usize) -> Row {
        let (number, _) = &self.lines[i];
        let fails = *number == self.failing;
        let gutter = self.gutter(cx, Some(*number));
        let hang = (fails && width < NARROW).then(|| columns(&gutter.content) + 2);
        let mut spans = vec![gutter];
        let left_out = self.left_out(width);
        let all: Vec<&str> = (self.lines.iter())
            .map(|(_, text)| text.get(left_out..).unwrap_or(""))
            .collect();
        let painted = cx.painter.paint(self.language, &all.join("\n"));
        match painted.get(i).filter(|_| !fails) {
            Some(pieces) => spans.extend(
                pieces
                    .iter()
                    .map(|(role, piece)| cx.span(*role, piece.clone())),
            ),
            None => spans.push(cx.span(Role::OwnSource, all[i].to_owned())),
        }
        Row {
            hang,
            ..Row::new(Line::from(spans)).keeping(1)
        }
    }

    /// A line that the trace prints of the code: the one that failed, or the marks below it.
    pub(super) fn printed_row(
        &self,
        cx: &Context<'_>,
        line: usize,
        text: &str,
        width: usize,
    ) -> Row {
        if line == self.printed.start {
            return self.row(cx, self.sides().0.end, width);
        }
        let failing = self
            .lines
            .get(self.sides().0.end)
            .map_or("", |(_, text)| text);
        let indent = failing.len() - failing.trim_start().len();
        let indent = indent.saturating_sub(self.left_out(width));
        let gutter = self.gutter(cx, None);
        let code = indent + columns(failing.trim());
        if width < NARROW && columns(&gutter.content) + code > width {
            // Below a line that is wrapped they would mark something else.
            return Row::new(gutter);
        }
        // A traceback prints code four columns in, whatever its own indentation.
        let marks = format!(
            "{}{}",
            " ".repeat(indent),
            text.get(PRINTED_INDENT..).unwrap_or("")
        );
        Row::new(Line::from(vec![gutter, cx.span(Role::OwnSource, marks)])).keeping(1)
    }

    /// Where a line of it is in its file.
    pub(super) fn place(&self, sources: &Sources, i: usize) -> Option<Place> {
        sources.place_of_line(self.file.source, self.lines.get(i)?.0)
    }

    fn gutter(&self, cx: &Context<'_>, number: Option<u64>) -> Span<'static> {
        let digits = self
            .lines
            .last()
            .map_or(1, |(n, _)| n.ilog10() as usize + 1);
        let (mark, role) = if number == Some(self.failing) {
            ("▸", Role::Failed)
        } else {
            (" ", Role::Dim)
        };
        let number = number.map(|n| n.to_string()).unwrap_or_default();
        cx.span(role, format!("   {mark} {number:>digits$} │ "))
    }
}

/// How far in a traceback prints code.
const PRINTED_INDENT: usize = 4;

/// The code around the user's frame that the root points at.
pub(super) fn excerpts(cx: &Context<'_>, incident: &Incident) -> Vec<Excerpt> {
    let frame = incident.user_frame.as_ref();
    frame
        .and_then(|frame| excerpt(cx, incident, frame))
        .into_iter()
        .collect()
}

fn excerpt(cx: &Context<'_>, incident: &Incident, frame: &Frame) -> Option<Excerpt> {
    let failing = u64::from(frame.line?);
    let (source, language) = file_of(&cx.case.sources, frame)?;
    let at = incident
        .trace
        .iter()
        .position(|line| line.place == frame.place)?;
    let printed = incident.trace[at + 1..]
        .iter()
        .take_while(|line| matches!(line.kind, LineKind::Code(_)));
    let printed = at + 1..at + 1 + printed.count();
    let lines = without_blank_ends(
        &cx.texts.excerpt(cx.case, source.id, failing, AROUND),
        failing,
    );
    let (_, text) = lines.iter().find(|(n, _)| *n == failing)?;
    // Another version of the file would show another line.
    if frame
        .code
        .as_deref()
        .is_some_and(|code| code.trim() != text.trim())
    {
        return None;
    }
    let is_marks = |i: usize| {
        let text = cx.text(&incident.trace[i].place);
        text.starts_with(&" ".repeat(PRINTED_INDENT))
            && text.trim().chars().all(|c| matches!(c, '^' | '~' | ' '))
    };
    // A statement over several lines is printed whole already.
    if !printed.clone().skip(1).all(is_marks) {
        return None;
    }
    Some(Excerpt {
        frame: at,
        printed,
        failing,
        language,
        file: Place {
            source: source.id,
            start: 0,
            bytes: 0,
            line: failing,
            part: 0,
        },
        lines,
    })
}

/// Blank lines at the ends cost room and say nothing.
fn without_blank_ends(lines: &[(u64, String)], failing: u64) -> Rc<[(u64, String)]> {
    let says = |(n, text): &&(u64, String)| *n == failing || !text.trim().is_empty();
    let from = lines.iter().take_while(|line| !says(line)).count();
    let behind = lines[from..]
        .iter()
        .rev()
        .take_while(|line| !says(line))
        .count();
    lines[from..lines.len() - behind].into()
}

/// The opened file that a frame's code stands in, and its language; `None` where two may be meant.
fn file_of<'s>(sources: &'s Sources, frame: &Frame) -> Option<(&'s Source, &'static str)> {
    file_named(sources, &path_of(frame))
}

/// The same by the parts of the file's path.
pub(super) fn file_named<'s>(
    sources: &'s Sources,
    wanted: &[&str],
) -> Option<(&'s Source, &'static str)> {
    let name = *wanted.last()?;
    let language = match name.rsplit_once('.')?.1 {
        "py" => "python",
        "scala" => "scala",
        "java" => "java",
        _ => return None,
    };
    let alike = |source: &Source| {
        let parts: Vec<&str> = source.name.split(['/', '!', '\\']).collect();
        let pairs = parts.iter().rev().zip(wanted.iter().rev());
        pairs.take_while(|(a, b)| a == b).count()
    };
    let files = sources
        .list
        .iter()
        .filter(|source| source.kind == Kind::JobSource);
    let mut found: Vec<(usize, &Source)> = files
        .map(|source| (alike(source), source))
        .filter(|(n, _)| *n > 0)
        .collect();
    found.sort_by_key(|(n, _)| std::cmp::Reverse(*n));
    match found.as_slice() {
        [(best, _), (next, _), ..] if best == next => None,
        [(_, source), ..] => Some((source, language)),
        [] => None,
    }
}

/// The parts of the path of a frame's file: a JVM's frame names the package and the file.
fn path_of(frame: &Frame) -> Vec<&str> {
    let mut parts: Vec<&str> = frame.file.split(['/', '\\']).collect();
    if frame.class != frame.file {
        let mut package: Vec<&str> = frame.class.split('.').collect();
        package.pop();
        parts.splice(0..0, package);
    }
    parts
}

#[cfg(test)]
mod tests {
    use crate::load::{Options, load};
    use crate::source::Sources;
    use crate::ui::{App, Depth, Keymap, Theme};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use std::sync::Arc;

    const LOG: &str = "Traceback (most recent call last):\n  File \"/jobs/ebb/tides.py\", line 3, in <module>\n    height(None)\nTypeError: no reading\n";
    const JOB: &str = "# how high\n\nheight(None)\nprint('done')\n";

    /// The screen of the log with these files beside it.
    fn screen(files: &[(&str, &str)]) -> String {
        let mut sources = Sources::default();
        sources.add_memory("driver.log", LOG.into());
        for (name, text) in files {
            sources.add_memory(name, (*text).into());
        }
        let case = Arc::new(load(sources, &Options::default()));
        let theme = Theme::named("mono", Depth::Mono).expect("a built-in theme");
        let mut app = App::new(case, Keymap::built_in(), theme);
        let mut terminal = Terminal::new(TestBackend::new(120, 40)).expect("a buffer");
        let frame = terminal.draw(|frame| app.draw(frame)).expect("a buffer");
        let cells = frame.buffer.content.iter();
        cells.map(ratatui::buffer::Cell::symbol).collect()
    }

    #[test]
    fn the_code_around_the_failing_line_is_shown_where_the_file_is_the_one_that_ran() {
        let shown = |files: &[(&str, &str)]| {
            let screen = screen(files);
            assert!(screen.contains("height(None)"), "{screen}");
            screen.contains("▸ 3 │ height(None)") && screen.contains("4 │ print('done')")
        };
        assert!(shown(&[("tides.py", JOB)]));
        assert!(shown(&[
            ("flood/tides.py", "other = 1\n"),
            ("job.zip!ebb/tides.py", JOB)
        ]));
        // No file, another version of it, two that may be meant.
        assert!(!shown(&[]));
        assert!(!shown(&[("tides.py", &JOB.replace("height", "\nheight"))]));
        assert!(!shown(&[("a/tides.py", JOB), ("b/tides.py", JOB)]));
    }
}
