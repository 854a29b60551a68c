//! In: a trace without the line that names its exception: a Python traceback that ends before it, a JVM's frames below words
//! alone. Out: a [`Trace`] of what is there.

use super::open::Open;
use super::words::{cap, looks_dated};
use crate::fact::class_name::Named;
use crate::fact::frame::Frame;
use crate::fact::throwable::{Language, LineKind, Relation, Throwable, Trace, TraceLine};
use crate::fact::{class_name, jvm_frame};
use crate::record::Line;
use crate::text::Symbol;

/// A traceback without an end.
pub(super) struct Cut {
    name: Option<String>,
    title: String,
    frames: Vec<Frame>,
}

/// A Python traceback whose exception line has not come yet.
pub(super) struct Block {
    /// Indentation of the word `Traceback`.
    pub(super) base: usize,
    /// The exception's name, where IPython printed it at the top.
    pub(super) name: Option<String>,
    /// The line that says `Traceback`.
    pub(super) title: Option<String>,
    pub(super) frames: Vec<Frame>,
    /// The JVM link in whose message it lies.
    pub(super) parent: Option<u32>,
    /// Whether it prints the innermost call first, as faulthandler does.
    pub(super) innermost_first: bool,
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

/// A JVM's trace whose class was left out, where frames follow the line `at`: its words are the paragraph that ends there. The
/// record's first line says something from `from` on.
pub(super) fn headless(lines: &[Line], at: usize, from: usize) -> Option<Open> {
    /// A message is seldom longer.
    const LONGEST: usize = 8;
    let is_frame = |line: &Line| {
        let text = line.text.trim_start();
        text.starts_with("at ") && jvm_frame::parse(text, line.place).is_some()
    };
    let framed = !lines[at].below.is_empty() || lines.get(at + 1).is_some_and(is_frame);
    if !framed || is_frame(&lines[at]) || is_label(&lines[at].text) {
        return None;
    }
    let said = |i: usize| {
        let line = &lines[i];
        let text = line.text.get(if i == 0 { from } else { 0 }..)?.trim();
        let begins = !line.prose && (i == at || line.below.is_empty() && !is_frame(line));
        (begins && text.contains(char::is_alphanumeric)).then_some(text)
    };
    let first = (at.saturating_sub(LONGEST)..=at)
        .rev()
        .take_while(|&i| said(i).is_some() && (i == 0 && from > 0 || !looks_dated(&lines[i].text)))
        .last()?;
    let words: Vec<&str> = (first..=at).filter_map(said).collect();
    let words = words.join("\n");
    // A class that is not named as exceptions are is one all the same, where frames follow it.
    let named = class_name::at_start(&words, true).filter(|named| named.class.contains('.'));
    let mut open = Open {
        bare: from == 0,
        headless: named.is_none(),
        ..Open::default()
    };
    let (class, message) = ("", &*words);
    let named = named.unwrap_or(Named { class, message });
    open.push(&lines[first], named, Relation::Top, Language::Jvm, false);
    for line in &lines[first..=at] {
        open.note(line.place, LineKind::Message);
    }
    Some(open)
}

/// Whether a line only says that a stack follows: of a driver, or of a thread that still runs.
fn is_label(text: &str) -> bool {
    let text = text.trim().to_ascii_lowercase();
    text.contains("thread.state: ")
        || text.ends_with("stacktrace:")
        || text.ends_with("stack trace:")
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
