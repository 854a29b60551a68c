//! The printed trace of the selected incident, in the order of the log or root cause first, with the frames that
//! are nobody's concern folded.

use super::calm::{self, Note};
use super::excerpt::{Excerpt, excerpts};
use super::message;
use super::printed::kind_row;
use super::retold::Retold;
use super::structure;
use crate::incident::{self, Fold, Incident, LineKind, TraceLine};
use crate::text::Place;
use crate::ui::context::Context;
use crate::ui::selection::Target;
use crate::ui::theme::Role;
use crate::ui::widgets::{Row, Rows, one_line};
use ratatui::text::{Line, Span};
use std::collections::HashSet;

/// Lines of a statement that are coloured at most.
const LONGEST_STATEMENT: usize = 80;

/// Causes so near to the root have what their messages nest laid out, too.
const STRUCTURED: usize = 8;

/// Which folds of a trace are open, and in which order it is shown.
#[derive(Debug, Clone, Default)]
pub(in crate::ui) struct Folds {
    /// The first lines of the folds that are not as the others.
    turned: HashSet<usize>,
    /// Whether the others are open.
    all_open: bool,
    /// Root cause first, the outermost last.
    pub(in crate::ui) root_first: bool,
}

impl Folds {
    fn is_open(&self, fold: &Fold) -> bool {
        self.all_open != self.turned.contains(&fold.lines.start)
    }

    /// Opens or closes the fold that a line of the trace lies in; the line of its row, where there is such a fold.
    pub(in crate::ui) fn set(
        &mut self,
        incident: &Incident,
        line: usize,
        open: Option<bool>,
    ) -> Option<usize> {
        let fold = incident::fold(&incident.trace)
            .into_iter()
            .find_map(|row| match row {
                incident::Row::Fold(fold) if fold.lines.contains(&line) => Some(fold),
                _ => None,
            })?;
        let start = fold.lines.start;
        if open != Some(self.is_open(&fold)) && !self.turned.remove(&start) {
            self.turned.insert(start);
        }
        Some(start)
    }

    /// Opens or closes all of them.
    pub(in crate::ui) fn set_all(&mut self, open: bool) {
        self.turned.clear();
        self.all_open = open;
    }

    /// Whether folds are open, and the first lines of those that are not as the others.
    pub(in crate::ui) fn kept(&self) -> (bool, Vec<usize>) {
        let mut turned: Vec<usize> = self.turned.iter().copied().collect();
        turned.sort_unstable();
        (self.all_open, turned)
    }

    /// The other way round.
    pub(in crate::ui) fn turn(&mut self, all_open: bool, turned: impl IntoIterator<Item = usize>) {
        self.all_open = all_open;
        self.turned = turned.into_iter().collect();
    }

    /// As they were when another trace was left; the order stays.
    pub(in crate::ui) fn resume(&mut self, left: &Self) {
        *self = Self {
            root_first: self.root_first,
            ..left.clone()
        };
    }

    /// As at first, for another trace; the order stays.
    pub(in crate::ui) fn reset(&mut self) {
        self.set_all(false);
    }
}

#[derive(Debug, Clone)]
enum Item {
    /// The root's line, where the trace does not hold it.
    Root,
    Line(usize),
    Fold(Fold),
    /// A line of the code around a frame: which excerpt, which of its lines.
    Source(usize, usize),
    /// What the message of a cause lists or nests.
    Structure(usize, Role, String),
    /// What is known where nothing failed.
    Note(Note),
    /// What is told of the selected attempt, where the trace is another one's.
    Retold(usize),
}

pub(in crate::ui) struct Trace<'a> {
    cx: Context<'a>,
    items: Vec<Item>,
    excerpts: Vec<Excerpt>,
    retold: Option<Retold>,
}

impl<'a> Trace<'a> {
    pub(in crate::ui) fn new(cx: Context<'a>, folds: &Folds) -> Self {
        let Some(incident) = cx.traced() else {
            return Self {
                items: calm::notes(&cx).into_iter().map(Item::Note).collect(),
                excerpts: Vec::new(),
                retold: None,
                cx,
            };
        };
        let mut items = Vec::new();
        let root = incident.root().place;
        if !incident.trace.iter().any(|line| line.place == root) {
            items.push(Item::Root);
            items.extend(nested(incident, incident.root));
        }
        let mut rows = incident::fold(&incident.trace);
        if let Some(passing) = cx.passing {
            // Whole records pass, and no row holds lines of two.
            rows.retain(|row| passing.binary_search(&row.lines().start).is_ok());
        }
        if folds.root_first {
            rows.sort_by_key(|row| order(incident, row.lines().start));
        }
        let excerpts = excerpts(&cx, incident);
        for row in rows {
            match row {
                incident::Row::Line(i) => {
                    items.push(Item::Line(i));
                    items.extend(around(&excerpts, i));
                    items.extend(structure(incident, i));
                }
                incident::Row::Fold(fold) if folds.is_open(&fold) => {
                    items.extend(fold.lines.map(Item::Line));
                }
                incident::Row::Fold(fold) => items.push(Item::Fold(fold)),
            }
        }
        if items.len() == 1 && cx.passing.is_none() {
            items.push(Item::Note(Note::default()));
            items.push(Item::Note(Note::of(
                "This one line is all that was printed of it; the log around it may say more.",
            )));
        }
        // Of whole records it is not one that the filter was asked about.
        let retold = Retold::of(&cx).filter(|_| cx.filter.is_none());
        items.extend((0..retold.as_ref().map_or(0, Retold::len)).map(Item::Retold));
        Self {
            cx,
            items,
            excerpts,
            retold,
        }
    }

    /// The rows that tell of the selected attempt, where the trace is another one's.
    pub(in crate::ui) fn retold_rows(&self) -> Option<(usize, usize)> {
        let row = self.items.len().checked_sub(self.retold.as_ref()?.len())?;
        // The first is blank.
        Some((row + 1, self.items.len() - 1))
    }

    /// The last row of the code that stands below a frame.
    pub(in crate::ui) fn end_of_code(&self, row: usize) -> usize {
        let is_code = |item: &&Item| match item {
            Item::Source(..) => true,
            Item::Line(i) => self
                .cx
                .traced()
                .is_some_and(|incident| matches!(incident.trace[*i].kind, LineKind::Code(_))),
            _ => false,
        };
        let below = self.items.iter().skip(row + 1);
        row + below.take_while(is_code).count()
    }

    /// The row that shows a line of the trace, itself or its fold.
    pub(in crate::ui) fn row_of_line(&self, line: usize) -> Option<usize> {
        self.items.iter().position(|item| match item {
            Item::Line(i) => *i == line,
            Item::Fold(fold) => fold.lines.contains(&line),
            Item::Root
            | Item::Source(..)
            | Item::Structure(..)
            | Item::Note(_)
            | Item::Retold(_) => false,
        })
    }

    /// The first line of the trace behind a row.
    pub(in crate::ui) fn line_of_row(&self, row: usize) -> Option<usize> {
        match self.items.get(row)? {
            Item::Line(i) => Some(*i),
            Item::Fold(fold) => Some(fold.lines.start),
            Item::Source(excerpt, _) => Some(self.excerpts[*excerpt].frame),
            Item::Root | Item::Structure(..) | Item::Note(_) | Item::Retold(_) => None,
        }
    }

    /// Whether a row is a closed fold.
    pub(in crate::ui) fn is_fold(&self, row: usize) -> bool {
        matches!(self.items.get(row), Some(Item::Fold(_)))
    }

    fn line(&self, incident: &Incident, i: usize, width: usize) -> Row {
        let cx = &self.cx;
        let line = &incident.trace[i];
        let text = cx.text(&line.place);
        if line.place == incident.root().place {
            return self.root("▶ ", &text);
        }
        if self.is_roots_message(incident, i) {
            return self.root("  ", &text);
        }
        if let Some(excerpt) = self.excerpts.iter().find(|e| e.printed.contains(&i)) {
            return excerpt.printed_row(cx, i, &text, width);
        }
        let spans = match line.kind {
            LineKind::Header => self.header(incident, i, &text),
            LineKind::Message if self.is_sql(incident, i) => message::sql(cx, &text),
            kind => return kind_row(cx, kind, &text, width),
        };
        let lead = std::iter::once(Span::raw("  "));
        Row::new(lead.chain(spans).collect::<Line<'_>>()).keeping(1)
    }

    /// Whether a line is the first of the root's message, where its class stands in a line of its own.
    fn is_roots_message(&self, incident: &Incident, i: usize) -> bool {
        let before = i.checked_sub(1).map(|i| &incident.trace[i]);
        incident.trace[i].kind == LineKind::Message
            && before.is_some_and(|line| {
                line.place == incident.root().place
                    && self.cx.text(&line.place).trim_end().ends_with(':')
            })
    }

    fn root(&self, mark: &'static str, text: &str) -> Row {
        let cx = &self.cx;
        Row {
            style: Some((cx.style(Role::Root), cx.style(Role::RootCursor))),
            // What it is all about is never cut short.
            hang: Some(6),
            ..Row::new(Line::from(vec![
                cx.span(Role::Failed, mark),
                cx.span(Role::Text, text),
            ]))
        }
    }

    /// Whether a line of a message stands below the heading of a statement.
    fn is_sql(&self, incident: &Incident, i: usize) -> bool {
        let first = i.saturating_sub(LONGEST_STATEMENT);
        for line in incident.trace[first..i].iter().rev() {
            if line.kind != LineKind::Message {
                return false;
            }
            if let Some(heading) = message::heading(&self.cx.text(&line.place)) {
                return heading.starts_with("SQL");
            }
        }
        false
    }

    fn header(&self, incident: &Incident, i: usize, text: &str) -> Vec<Span<'static>> {
        let cx = &self.cx;
        let class = incident.trace[i]
            .cause
            .and_then(|c| incident.chain.get(c as usize))
            .map_or("", |c| &c.class);
        match text.split_once(class).filter(|_| !class.is_empty()) {
            Some((before, after)) => vec![
                cx.span(Role::Dim, before),
                cx.span(Role::Class, class),
                cx.span(Role::Message, after),
            ],
            None => vec![cx.span(Role::Message, text)],
        }
    }
}

impl Rows for Trace<'_> {
    fn len(&self) -> usize {
        self.items.len()
    }

    fn row(&self, i: usize, width: usize) -> Row {
        let cx = &self.cx;
        match (&self.items[i], cx.traced()) {
            (Item::Root, Some(incident)) => self.root("▶ ", &one_line(&incident.root().text)),
            (Item::Line(line), Some(incident)) => self.line(incident, *line, width),
            (Item::Fold(fold), _) => {
                Row::new(cx.span(Role::Fold, format!("      ⋯ {}", fold.summary())))
            }
            (Item::Source(excerpt, line), _) => self.excerpts[*excerpt].row(cx, *line, width),
            (Item::Structure(_, role, text), _) => {
                Row::new(cx.span(*role, format!("      {text}")))
            }
            (Item::Retold(n), _) => {
                let retold = self.retold.as_ref();
                retold.map_or_else(Row::default, |retold| retold.row(cx, *n, width))
            }
            (Item::Note(note), _) => Row::prose(4, cx.span(note.role, format!("  {}", note.text))),
            (Item::Root | Item::Line(_), None) => Row::default(),
        }
    }

    fn target(&self, i: usize) -> Option<Target> {
        if let Item::Note(note) = self.items.get(i)? {
            return note.stage.map(Target::Stage);
        }
        let incident = self.cx.traced()?;
        let line = match self.items.get(i)? {
            Item::Root => return Some(Target::Cause(incident.root)),
            Item::Structure(c, ..) => return Some(Target::Cause(*c)),
            Item::Line(line) => *line,
            Item::Fold(fold) => fold.lines.start,
            Item::Source(excerpt, _) => self.excerpts[*excerpt].frame,
            Item::Note(_) | Item::Retold(_) => return None,
        };
        let of_cause = || Some(Target::Cause(incident.trace[line].cause? as usize));
        frame_at(incident, line).or_else(of_cause)
    }

    fn place(&self, i: usize) -> Option<Place> {
        if let Item::Note(note) = self.items.get(i)? {
            return note.place;
        }
        let incident = self.cx.traced()?;
        match self.items.get(i)? {
            Item::Root => Some(incident.root().place),
            Item::Structure(c, ..) => Some(incident.chain.get(*c)?.place),
            Item::Line(line) => Some(incident.trace[*line].place),
            Item::Fold(fold) => Some(incident.trace[fold.lines.start].place),
            Item::Source(excerpt, line) => {
                self.excerpts[*excerpt].place(&self.cx.case.sources, *line)
            }
            Item::Retold(n) => self.retold.as_ref()?.place(*n),
            Item::Note(_) => None,
        }
    }

    fn selected(&self) -> Option<usize> {
        let incident = self.cx.traced()?;
        let cause = incident.chain.get(self.cx.selection.cause?)?;
        let own = |item: &Item| match item {
            Item::Root => cause.place == incident.root().place,
            Item::Line(i) => incident.trace[*i].place == cause.place,
            _ => false,
        };
        self.items.iter().position(own).or_else(|| {
            let c = u32::try_from(self.cx.selection.cause?).ok();
            let line = incident.trace.iter().position(|l| l.cause == c)?;
            self.row_of_line(line)
        })
    }

    /// The line that failed, or its code as it was printed.
    fn code_below(&self, row: usize) -> Option<(usize, usize)> {
        let mut below = row + 1..=self.end_of_code(row);
        let row = below.find(|row| matches!(self.items[*row], Item::Line(_)))?;
        Some((row, row))
    }

    /// At the cause, the user's own line with it.
    fn opens_at(&self) -> Option<(usize, usize)> {
        let row = self.selected()?;
        let own = || {
            let incident = self.cx.traced()?;
            let place = incident.user_frame.as_ref()?.place;
            let line = incident.trace.iter().position(|l| l.place == place)?;
            self.row_of_line(line)
        };
        Some((row, own().unwrap_or(row)))
    }
}

/// What the message of a cause lists or nests, behind the line that heads it.
fn structure(incident: &Incident, i: usize) -> Vec<Item> {
    let place = incident.trace[i].place;
    let from = incident.root.saturating_sub(STRUCTURED);
    let near = incident.chain.iter().enumerate().skip(from);
    let mut near = near.take(2 * STRUCTURED);
    near.find(|(_, cause)| cause.place == place)
        .map_or_else(Vec::new, |(c, _)| nested(incident, c))
}

fn nested(incident: &Incident, c: usize) -> Vec<Item> {
    let lines = structure::lines(&incident.chain[c].message).into_iter();
    lines
        .map(|(role, text)| Item::Structure(c, role, text))
        .collect()
}

/// The code that stands behind a line of the trace: before the line that failed behind the frame, the rest behind what the
/// trace prints of it.
fn around(excerpts: &[Excerpt], line: usize) -> Vec<Item> {
    let mut items = Vec::new();
    for (e, excerpt) in excerpts.iter().enumerate() {
        let (before, after) = excerpt.sides();
        if excerpt.frame == line {
            items.extend(before.map(|i| Item::Source(e, i)));
            if excerpt.printed.is_empty() {
                items.extend((after.start - 1..after.end).map(|i| Item::Source(e, i)));
            }
        } else if excerpt.printed.contains(&line) && line + 1 == excerpt.printed.end {
            items.extend(after.map(|i| Item::Source(e, i)));
        }
    }
    items
}

/// Where a line stands when the root cause comes first: the groups of lines of one cause from the root outwards,
/// then what lies deeper or belongs to none.
fn order(incident: &Incident, line: usize) -> usize {
    let root = incident.root;
    match incident.trace[line].cause {
        Some(c) if (c as usize) <= root => root - c as usize,
        Some(c) => c as usize,
        None => usize::MAX,
    }
}

/// The frame that a line of the trace prints, or the code of. Python prints frames before the exception that they belong to, so
/// they are known by where they stand.
fn frame_at(incident: &Incident, line: usize) -> Option<Target> {
    let code = |line: &TraceLine| matches!(line.kind, LineKind::Code(_));
    let mut printed = incident.trace[..=line].iter().rev();
    let frame = printed.find(|line| !code(line))?;
    if !matches!(frame.kind, LineKind::Frame(_)) {
        return None;
    }
    let frames = |c: usize| incident.chain[c].frames.iter();
    (0..incident.chain.len()).find_map(|c| {
        let f = frames(c).position(|f| f.place == frame.place)?;
        Some(Target::Frame(c, f))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::sample;

    #[test]
    fn a_fold_opens_and_closes_by_any_of_its_lines() {
        let case = sample::udf();
        let incident = &case.story.incidents[0];
        let mut folds = Folds::default();
        // Lines 4 to 6 are frames of PySpark and Py4J.
        assert_eq!(folds.set(incident, 5, Some(true)), Some(4));
        assert_eq!(folds.set(incident, 5, Some(true)), Some(4));
        assert!(folds.turned.contains(&4));
        assert_eq!(folds.set(incident, 6, None), Some(4));
        assert!(folds.turned.is_empty());
        assert_eq!(folds.set(incident, 1, None), None);
        folds.set_all(true);
        assert_eq!(folds.set(incident, 4, Some(false)), Some(4));
        assert!(folds.turned.contains(&4) && folds.all_open);
    }
}
