//! In: the bytes of a line, and its source's [`Dress`]. Out: the logical lines in it: what a console showed
//! before shippers, encoders and terminals got hold of it.
//!
//! A pure function of its two inputs: whoever reads the same bytes again gets the same lines.

use super::damage;
use super::dress::Dress;
use super::json::{self, Event};
use super::layout::LAYOUTS;
use super::record::Head;

/// The most logical lines that one line is taken apart into; the rest stays together in the last.
const MOST_PIECES: usize = 20_000;
/// Envelopes in envelopes are opened to this depth.
const DEEPEST: usize = 6;

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
}

/// What is in a line.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Undressed {
    /// Whose output it is, for people; empty where not said.
    pub(super) stream: String,
    /// Which of several outputs that a shipper mixed, down to stdout and stderr.
    pub(super) lane: String,
    /// The logical lines, at least one.
    pub(super) pieces: Vec<Piece>,
}

impl Undressed {
    /// Takes a line apart.
    pub(super) fn new(bytes: &[u8], dress: Dress) -> Self {
        let mut undressed = Self::default();
        for segment in damage::mend(&damage::decode(bytes)) {
            undressed.open(&segment, dress, 0);
        }
        if undressed.pieces.is_empty() {
            undressed.push(String::new(), Role::Plain);
        }
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
            Role::Plain => LAYOUTS.fits(&piece.text),
            Role::Rest => false,
        })
    }

    fn open(&mut self, text: &str, dress: Dress, depth: usize) {
        let text = &text[dress.indent_of(text)..];
        if depth < DEEPEST {
            match json::read(text) {
                Some(Event::Logged(head, lines)) => {
                    let mut role = Role::First(head);
                    for line in lines {
                        self.push(line, std::mem::replace(&mut role, Role::Rest));
                    }
                    return;
                }
                Some(Event::Shipped {
                    text,
                    stream,
                    output,
                }) => {
                    self.note(&stream, &output);
                    for line in text.split('\n') {
                        self.open(line, dress, depth + 1);
                    }
                    return;
                }
                None => {}
            }
        }
        self.push(text.to_owned(), Role::Plain);
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
            self.pieces.push(Piece { text, role });
        } else if let Some(last) = self.pieces.last_mut() {
            last.text.push('\n');
            last.text.push_str(&text);
        }
    }
}
