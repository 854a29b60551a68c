//! In: a Python traceback that ends before its exception. Out: a [`Trace`] of what is there: the frames, and the name that
//! `IPython` prints at the top.

use super::open::Block;
use super::words::cap;
use crate::fact::frame::Frame;
use crate::fact::throwable::{Language, Relation, Throwable, Trace, TraceLine};
use crate::text::Symbol;

/// A traceback without an end.
pub(super) struct Cut {
    name: Option<String>,
    title: String,
    frames: Vec<Frame>,
}

impl Cut {
    /// Of a block that somebody began with the word `Traceback` and nobody ended.
    pub(super) fn of(block: Block) -> Option<Self> {
        Some(Self {
            name: block.name,
            title: block.title?,
            frames: block.frames,
        })
        .filter(|cut| !cut.frames.is_empty())
    }

    /// The trace that its lines make: the line to look at is the one with the name, else the innermost frame.
    pub(super) fn trace(self, mut lines: Vec<TraceLine>) -> Option<Trace> {
        let title = lines.first()?.place;
        let innermost = self.frames.last()?;
        let (class, place, text) = match &self.name {
            Some(name) => (name.as_str(), title, self.title.clone()),
            None => ("", innermost.place, as_printed(innermost)),
        };
        let throwable = Throwable {
            relation: Relation::Top,
            language: Language::Python,
            class: Symbol::new(class),
            message: String::new(),
            own: 0,
            place,
            text: cap(&text).into(),
            frames: self.frames.into_iter().rev().collect(),
        };
        for line in &mut lines {
            line.cause = Some(0);
        }
        Some(Trace {
            chain: vec![throwable],
            lines,
            bare: true,
            python: true,
            cut: true,
            ..Trace::default()
        })
    }
}

/// The interpreter's line for a frame.
fn as_printed(frame: &Frame) -> String {
    match frame.line {
        Some(line) => format!(
            "File \"{}\", line {line}, in {}",
            frame.file, frame.function
        ),
        None => format!("{} in {}", frame.file, frame.function),
    }
}
