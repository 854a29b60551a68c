//! In: a trace without the line that names its exception: a Python traceback that ends before it, a JVM's frames below words
//! alone. Out: a [`Trace`] of what is there.

use super::open::{Block, Open};
use super::words::{cap, looks_dated};
use crate::fact::class_name::Named;
use crate::fact::frame::Frame;
use crate::fact::throwable::{Language, LineKind, Relation, Throwable, Trace, TraceLine};
use crate::record::Line;
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

/// A JVM's trace whose class was left out, above its frames: the last paragraph of `lines`, the first of which says
/// something from `from` on.
pub(super) fn headless(lines: &[Line], from: usize) -> Option<Open> {
    /// A message is seldom longer.
    const LONGEST: usize = 8;
    let said = |i: usize| {
        let line = &lines[i];
        let text = line.text.get(if i == 0 { from } else { 0 }..)?.trim();
        let begins = !line.prose && (i + 1 == lines.len() || line.below.is_empty());
        (begins && text.contains(char::is_alphanumeric)).then_some(text)
    };
    let last = lines.len().checked_sub(1)?;
    let first = (last.saturating_sub(LONGEST)..=last)
        .rev()
        .take_while(|&i| said(i).is_some() && !looks_dated(&lines[i].text))
        .last()?;
    let words: Vec<&str> = (first..=last).filter_map(said).collect();
    let mut open = Open {
        bare: from == 0,
        headless: true,
        ..Open::default()
    };
    let (class, message) = ("", &*words.join("\n"));
    let named = Named { class, message };
    open.push(&lines[first], named, Relation::Top, Language::Jvm, false);
    for line in &lines[first..] {
        open.note(line.place, LineKind::Message);
    }
    Some(open)
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
