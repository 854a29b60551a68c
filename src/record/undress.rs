//! In: the bytes of a line, and its source's [`Dress`]. Out: the logical lines in it: what a console showed
//! before shippers, encoders and terminals got hold of it.
//!
//! A pure function of its two inputs: whoever reads the same bytes again gets the same lines.

use super::aggregate;
use super::bare_frame;
use super::damage;
use super::dress::Dress;
use super::escapes;
use super::json::{self, Event};
use super::layout::LAYOUTS;
use super::record::{Head, LastBar};
use super::shape::{self, Shape};
use super::shipper::SHIPPERS;
use super::table::Table;
use crate::text::Moment;
use std::borrow::Cow;
use std::rc::Rc;

/// The most logical lines that one line is taken apart into; what is left stays together in the last.
const MOST_PIECES: usize = 20_000;
/// Envelopes in envelopes are opened to this depth, and so many prefixes are taken off one line.
const DEEPEST: usize = 8;

/// What a line is within its record.
#[derive(Debug, PartialEq)]
pub(super) enum Role {
    /// A line of its own: a layout may find a head in it.
    Plain,
    /// The first line of an event whose head its encoder kept apart.
    First(Head),
    /// A later line of such an event, whatever it looks like.
    Rest,
}

/// A logical line.
#[derive(Debug, PartialEq)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) role: Role,
    /// Whether it is a later line of an event that was written in one line.
    pub(super) event: bool,
    /// The console's progress bar that was drawn in front of it.
    pub(super) behind: LastBar,
}

impl Piece {
    /// A line that is what it looks like.
    pub(super) fn plain(text: String) -> Self {
        Self {
            text,
            role: Role::Plain,
            event: false,
            behind: LastBar::None,
        }
    }
}

/// What is in a line.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Undressed {
    /// Whose output it is, for people; empty where not said.
    pub(super) stream: String,
    /// Which of several outputs that a shipper mixed, down to stdout and stderr.
    pub(super) lane: String,
    /// Whether the line goes on in the next one of its lane.
    pub(super) partial: bool,
    /// The time that a log store put in front, as written.
    pub(super) stamp: Option<String>,
    /// Whether it stands outside of the quotes, or the table, that the source's log is in.
    pub(super) prose: bool,
    /// What its end shows of a progress bar.
    pub(super) bar: LastBar,
    /// The logical lines, at least one.
    pub(super) pieces: Vec<Piece>,
    /// The shape of the only one, where there was nothing to take off and it is known.
    pub(super) shape: Option<Rc<Shape>>,
}

impl Undressed {
    /// Takes a line apart; or several, of which the first goes on in the next of its lane, and so on: lines
    /// of other lanes in between are passed over.
    pub(super) fn new(bytes: &[u8], dress: Dress) -> Self {
        let mut undressed = Self::default();
        if dress == Dress::default()
            && let Some(text) = bare_frame::text(bytes)
        {
            undressed.push(text.to_owned(), Role::Plain);
            return undressed;
        }
        Self::taken_apart(bytes, dress)
    }

    /// The same as [`new`](Self::new), by what was learnt of other lines.
    pub(super) fn by_shape(bytes: &[u8], dress: Dress) -> Self {
        if dress != Dress::default() {
            return Self::new(bytes, dress);
        }
        if let Some((text, shape)) = shape::recall(bytes) {
            let mut undressed = Self::default();
            undressed.push(text.to_owned(), Role::Plain);
            undressed.shape = Some(shape);
            return undressed;
        }
        let mut undressed = Self::new(bytes, dress);
        if undressed.is_plain(bytes) {
            undressed.shape = shape::learn(&undressed.pieces[0].text);
        }
        undressed
    }

    /// Whether there was nothing to take off from `bytes`.
    fn is_plain(&self, bytes: &[u8]) -> bool {
        let whole = |piece: &Piece| {
            piece.text.as_bytes() == bytes
                && piece.role == Role::Plain
                && !piece.event
                && piece.behind == LastBar::None
        };
        matches!(self.pieces.as_slice(), [piece] if whole(piece))
            && self.stream.is_empty()
            && self.lane.is_empty()
            && self.stamp.is_none()
            && self.bar == LastBar::None
            && !self.partial
            && !self.prose
    }

    /// The same, whatever the line looks like.
    pub(super) fn taken_apart(bytes: &[u8], dress: Dress) -> Self {
        let mut undressed = Self::default();
        let mut lines = bytes.split(|&b| b == b'\n');
        let first = lines.next().unwrap_or_default();
        undressed.prose = dress.is_outside(first);
        if first.len() == bytes.len() {
            let text = damage::decode(first);
            let cell = undressed.cell(&text, dress);
            for line in dress.untagged(&cell) {
                undressed.mend(&dress.unentitled(dress.unframed(&line)), dress, 0);
            }
            undressed.partial |= dress.is_full(&text);
        } else {
            let whole = undressed.join(first, lines, dress);
            undressed.mend(&whole, dress, 1);
        }
        if undressed.pieces.is_empty() {
            undressed.push(String::new(), Role::Plain);
        }
        // Around the rows of a log store's table stands what was asked of it.
        undressed.prose |= dress.is_around_rows(undressed.stamp.is_some());
        undressed
    }

    /// The text of one logical line.
    pub(super) fn text(mut self, part: u32) -> String {
        let part = part as usize;
        if part < self.pieces.len() {
            self.pieces.swap_remove(part).text
        } else {
            String::new()
        }
    }

    /// Whether a record begins with this line.
    pub(super) fn begins_record(&self) -> bool {
        self.pieces.first().is_some_and(|piece| match piece.role {
            Role::First(_) => true,
            Role::Plain => LAYOUTS.fits(&piece.text) || aggregate::heading(&piece.text).is_some(),
            Role::Rest => false,
        })
    }

    /// The time of the first logical line's head.
    pub(super) fn time(&self) -> Option<Moment> {
        let piece = self.pieces.first()?;
        match &piece.role {
            Role::First(head) => head.time,
            Role::Plain => LAYOUTS.find(&piece.text)?.0.time,
            Role::Rest => None,
        }
    }

    /// Opens what carriage returns and progress bars kept apart; where that is several pieces, those without
    /// text say nothing.
    fn mend(&mut self, text: &str, dress: Dress, depth: usize) {
        let from = self.pieces.len();
        if !text.is_empty() {
            self.bar = damage::last_bar(text);
        }
        let segments = damage::mend(text);
        for segment in &segments {
            self.open(segment, dress, depth);
        }
        if matches!(segments.as_slice(), [segment] if segment.len() == text.len()) {
            return;
        }
        if segments.is_empty() {
            self.push(String::new(), Role::Plain);
        }
        // Cutting the bar off left the prefixes in front of it, if any.
        if damage::begins_with_bar(&dress.strip(&damage::uncolour(text))) {
            let behind = damage::bar_before(text);
            for piece in &mut self.pieces[from..] {
                piece.behind = behind;
            }
        }
        if segments.len() > 1 {
            let mut at = 0;
            self.pieces.retain(|piece| {
                at += 1;
                at <= from || piece.role != Role::Plain || !piece.text.trim().is_empty()
            });
        }
    }

    /// Takes prefixes, envelopes and escapes off until nothing is left to take off.
    fn open(&mut self, text: &str, dress: Dress, depth: usize) {
        let margin = if depth == 0 { dress.indent_of(text) } else { 0 };
        let text = &text[margin..];
        let text = self.unship(text, dress);
        if depth < DEEPEST {
            match json::read(&text, dress.carrier()) {
                Some(Event::Logged(head, lines)) => return self.log(head, lines),
                Some(Event::Shipped {
                    text,
                    stream,
                    output,
                }) => {
                    self.note(&stream, &output);
                    for line in text.split('\n') {
                        self.mend(line, dress, depth + 1);
                    }
                    return;
                }
                None => {}
            }
            if let Some(lines) = escapes::split(&text) {
                let from = self.pieces.len();
                for line in lines {
                    self.mend(&line, dress, depth + 1);
                }
                self.gather(from);
                return;
            }
        }
        match damage::glued(&text) {
            Some(at) if !LAYOUTS.fits(&text) => {
                self.push(text[..at].to_owned(), Role::Plain);
                self.push(text[at..].to_owned(), Role::Plain);
            }
            _ => self.push(text.into_owned(), Role::Plain),
        }
    }

    /// Notes of pieces that came out of one line that they are one event, where the first alone has a head.
    fn gather(&mut self, from: usize) {
        if let Some((first, rest)) = self.pieces[from..].split_first_mut() {
            let headed = |piece: &Piece| piece.role == Role::Plain && LAYOUTS.fits(&piece.text);
            if headed(first) && !rest.iter().any(headed) {
                for piece in rest {
                    piece.event = true;
                }
            }
        }
    }

    /// What a line of an export in CSV tells: any other line as it is.
    fn cell<'t>(&mut self, text: &'t str, dress: Dress) -> Cow<'t, str> {
        let Some(table) = dress.table() else {
            return Cow::Borrowed(text);
        };
        let Some(row) = table.row(text) else {
            return Table::later_line(text);
        };
        self.stamp = row.stamp.map(str::to_owned);
        row.text
    }

    /// Takes off what shippers put in front.
    fn unship<'t>(&mut self, text: &'t str, dress: Dress) -> Cow<'t, str> {
        let mut text = Cow::Borrowed(text);
        let mut learned = false;
        for round in 0..DEEPEST {
            let Some(stripped) = SHIPPERS.strip(&text, dress) else {
                // Once: what is behind it may look the same.
                if let Some(rest) = dress.unlearned(&text).filter(|_| !learned) {
                    text = Cow::Owned(rest.to_owned());
                    learned = true;
                    continue;
                }
                if round == 0 {
                    return Cow::Owned(dress.unquoted(&text).into_owned());
                }
                break;
            };
            if self.stamp.is_none() {
                self.stamp = stripped.stamp.map(str::to_owned);
            }
            self.note(
                stripped.stream.unwrap_or_default(),
                stripped.output.unwrap_or_default(),
            );
            self.partial |= stripped.partial;
            // syslog writes a tab as its octal number.
            let rest = match stripped.rest.strip_prefix("#011") {
                Some(rest) if stripped.stream.is_some() => format!("\t{rest}"),
                _ => stripped.rest.into_owned(),
            };
            text = Cow::Owned(rest);
        }
        text
    }

    /// An event's lines; a trace within one of them comes apart as well.
    fn log(&mut self, head: Head, lines: Vec<String>) {
        let mut role = Role::First(head);
        for line in lines {
            for line in escapes::split(&line).unwrap_or_else(|| vec![line]) {
                self.push(line, std::mem::replace(&mut role, Role::Rest));
            }
        }
    }

    /// The text that a shipper cut into several lines; their stream and lane are those of the first.
    fn join<'b>(
        &mut self,
        first: &[u8],
        lines: impl Iterator<Item = &'b [u8]>,
        dress: Dress,
    ) -> String {
        let strip = |bytes: &[u8]| {
            let mut shell = Self::default();
            let decoded = damage::decode(bytes.strip_suffix(b"\r").unwrap_or(bytes));
            shell.partial = dress.is_full(&decoded);
            let cell = shell.cell(&decoded, dress);
            let text = dress.unentitled(&cell);
            let text = damage::uncolour(&text);
            let rest = shell
                .unship(&text[dress.indent_of(&text)..], dress)
                .into_owned();
            (shell, rest)
        };
        let (shell, mut whole) = strip(first);
        for line in lines {
            let (next, rest) = strip(line);
            if goes_on_in(&shell.lane, &next.lane) {
                whole.push_str(&rest);
                if !next.partial {
                    break;
                }
            }
        }
        (self.stream, self.lane) = (shell.stream, shell.lane);
        whole
    }

    fn note(&mut self, stream: &str, output: &str) {
        if !stream.is_empty() {
            stream.clone_into(&mut self.stream);
        }
        for part in [stream, output] {
            if !part.is_empty() {
                self.lane.push('/');
                self.lane.push_str(part);
            }
        }
    }

    fn push(&mut self, text: String, role: Role) {
        if self.pieces.len() < MOST_PIECES {
            let event = role == Role::Rest;
            self.pieces.push(Piece {
                text,
                role,
                event,
                behind: LastBar::None,
            });
        } else if let Some(last) = self.pieces.last_mut() {
            last.text.push('\n');
            last.text.push_str(&text);
        }
    }
}

/// Whether what a shipper cut in one lane goes on in a line of another: what stands in front of the whole line, of the
/// service within the pod, stands in front of its beginning only.
pub(super) fn goes_on_in(cut: &str, lane: &str) -> bool {
    cut == lane || !lane.is_empty() && cut.starts_with(lane)
}
