//! In: the lines of a record, one after the other. Out: the [`Trace`]s printed in them: JVM throwables, Python tracebacks,
//! and each inside the other.
//!
//! A JVM chain prints its root last. A Python chain prints its newest exception last, and what caused it
//! first. Either may lie in the message of the other. The reader goes through the lines once, tells by its
//! shape what each is, and leaves the chain to [`Open`].

use super::cut::headless;
use super::open::Open;
use super::words::{
    DIRECT_CAUSE, DURING_HANDLING, IGNORED, find_traceback, indent, is_line_number,
    is_python_class, looks_dated, of_sql_shell,
};
use crate::fact::class_name::{self, Named};
use crate::fact::frame::Frame;
use crate::fact::throwable::{FRAMES_CAP, Language, LineKind, Relation, Throwable, Trace};
use crate::fact::{jvm_frame, python_frame};
use crate::record::{LastBar, Line, Record};
use crate::text::Symbol;

#[derive(Default)]
pub(super) struct Reader {
    /// Whether the record has a head: then a JVM's trace in it is a logger's, though not on the first line.
    headed: bool,
    pub(super) done: Vec<Trace>,
    pub(super) open: Option<Open>,
    /// A thread named on the line before: `Exception in thread Thread-5 (background):`.
    pub(super) thread: Option<Symbol>,
    /// Whether the line before said `at`, and nothing else.
    broken: bool,
    /// Whether an interpreter announced that it ignores what it prints next.
    ignored: bool,
    /// What is told of the line that is being read.
    line: Read,
}

/// How a line was read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Read {
    /// As if none stood before it.
    pub(super) anew: bool,
    /// By the words of another line of the trace, and not by their shapes alone.
    pub(super) compared: bool,
    /// With those before it that nobody had taken.
    pub(super) looked_back: bool,
}

impl Reader {
    /// For a record with a head, or without one.
    pub(super) fn new(headed: bool) -> Self {
        Self {
            headed,
            ..Self::default()
        }
    }

    /// Reads the next line of `record`, its number from 0, and the frames below it.
    pub(super) fn read(&mut self, record: &Record, i: usize) -> Read {
        let line = &record.lines[i];
        let in_head = self.headed && (i == 0 || line.event);
        let from = if self.headed && i == 0 {
            record.message_at
        } else {
            0
        };
        let (blank, announced) = (self.is_blank(), self.is_announced());
        self.line = Read::default();
        self.line(line, from, in_head);
        if self.open.is_none() {
            self.open = headless(&record.lines, i, from);
            self.line.looked_back = self.open.is_some();
        }
        self.stack(line);
        Read {
            anew: blank || self.line.anew && !announced,
            ..self.line
        }
    }

    /// Whether nothing that was read makes a difference to what follows.
    pub(super) fn is_blank(&self) -> bool {
        self.open.is_none() && !self.is_announced()
    }

    /// Whether a line announced what is printed next.
    fn is_announced(&self) -> bool {
        self.ignored || self.thread.is_some()
    }

    fn line(&mut self, line: &Line, from: usize, in_head: bool) {
        let Some(text) = line.text.get(from..) else {
            return;
        };
        let trimmed = text.trim();
        if self.open.is_some() && is_line_number(text) {
            return;
        }
        // A mail breaks the line in front of a long name.
        if self.open.is_some() && trimmed == "at" {
            self.broken = true;
            return;
        }
        if std::mem::take(&mut self.broken)
            && let Some(frame) = jvm_frame::parse(&format!("at {trimmed}"), line.place)
        {
            self.line.compared = true;
            return self.jvm_frame(frame);
        }
        if self.in_block(line, text, trimmed) {
            return;
        }
        if IGNORED.iter().any(|words| trimmed.starts_with(words)) && !in_head {
            self.close();
            self.ignored = true;
            return;
        }
        if let Some(at) = find_traceback(text) {
            self.traceback(line, text, at, in_head);
            if let Some(block) = self.open.as_mut().and_then(|open| open.block.as_mut()) {
                block.title.get_or_insert_with(|| text.trim().to_owned());
            }
            return;
        }
        if let Some(frame) = jvm_frame::parse(text, line.place) {
            return self.jvm_frame(frame);
        }
        // Few lines look like one: that is asked first.
        if self.open.is_some()
            && let Some(frame) = jvm_frame::parse_bare(trimmed, line.place)
            && self.open.as_mut().is_some_and(Open::takes_bare_frames)
        {
            return self.jvm_frame(frame);
        }
        let Some(open) = &mut self.open else {
            return self.start(line, text, trimmed, in_head);
        };
        if jvm_frame::is_elided(text) {
            return open.note(line.place, LineKind::Elided);
        }
        if trimmed.starts_with(DIRECT_CAUSE) || trimmed.starts_with(DURING_HANDLING) {
            open.connector = Some(if trimmed.starts_with(DIRECT_CAUSE) {
                Relation::CausedBy
            } else {
                Relation::Context
            });
            open.framed = true;
            return open.note(line.place, LineKind::Connector);
        }
        if matches!(
            trimmed,
            "Driver stacktrace:" | "JVM stacktrace:" | "JVM stack trace:"
        ) {
            if trimmed.starts_with("JVM") {
                open.framed = false;
            }
            return open.note(line.place, LineKind::Connector);
        }
        if let Some(rest) = trimmed
            .strip_prefix("Caused by: ")
            .or_else(|| trimmed.strip_prefix("Suppressed: "))
            // .NET's word for it, and ScalaTest's.
            .or_else(|| trimmed.strip_prefix("---> "))
            .or_else(|| trimmed.strip_prefix("Cause: "))
        {
            let suppressed = trimmed.starts_with('S');
            if open.caused_by(line, text, rest, suppressed) {
                return;
            }
        }
        if told_below(open, line, text) {
            return;
        }
        if !open.framed
            && python_frame::parse(text, line.place).is_some()
            && open.message_may_hold_traceback()
        {
            // A worker's frames inside a message, without the word Traceback before them.
            open.begin_block(0, None, true);
            self.in_block(line, text, trimmed);
            return;
        }
        self.between(line, text, trimmed, in_head);
    }

    /// A line that neither continues nor ends a trace by its shape alone.
    fn between(&mut self, line: &Line, text: &str, trimmed: &str, in_head: bool) {
        if let Some(rest) = trimmed.strip_prefix("Exception in thread ") {
            self.close();
            return self.dying_thread(line, rest);
        }
        let Some(open) = &mut self.open else { return };
        if !open.framed && open.python && (looks_dated(text) || line.behind != LastBar::None) {
            // A log line in a layout of its own ends what an interpreter printed, and so does a progress bar.
            self.close();
            self.line.anew = false;
            return;
        }
        let named = class_name::at_start(trimmed, false).filter(|n| {
            n.class.contains('.')
                || indent(text) == 0 && !n.message.is_empty() && (open.framed || open.announces(n))
        });
        match named {
            Some(named) if !open.framed => {
                self.line.compared |= open.names(named.class) || open.announces(&named);
                if open.repeats_header(&named) {
                    open.restate(line);
                } else if open.announces(&named) {
                    open.headers(line, named, Relation::Wrapped, Language::Python);
                } else if named.class.contains('.') && !is_python_class(named.class) {
                    if open.lists(&named) {
                        open.note(line.place, LineKind::Message);
                    } else {
                        open.headers(line, named, Relation::Wrapped, Language::Jvm);
                    }
                } else {
                    open.message(line);
                }
            }
            Some(_) if indent(text) == 0 || !open.has_jvm() => {
                self.close();
                self.start(line, text, trimmed, in_head);
            }
            _ if !open.framed => open.message(line),
            _ if trimmed.is_empty() || indent(text) > 0 || trimmed.starts_with("SQLSTATE:") => {
                open.note(line.place, LineKind::Message);
            }
            _ => {
                // Somebody else's line: the trace is over, but more of it may follow a split.
                let keep = open.has_jvm() && !open.bare;
                if !keep {
                    self.close();
                    self.start(line, text, trimmed, in_head);
                }
            }
        }
    }

    /// The frames below a line.
    fn stack(&mut self, above: &Line) {
        for (place, text) in above.below.frames(above.place) {
            let full = self.open.as_ref().is_some_and(Open::is_full);
            if full && jvm_frame::is_one(text) {
                continue;
            }
            let waits = self.open.as_ref().is_some_and(|open| open.block.is_some());
            match jvm_frame::read(text, place).filter(|_| !waits) {
                Some(frame) => self.jvm_frame(frame),
                None => self.line(&Line::bare(place, text.text()), 0, false),
            }
        }
    }

    fn jvm_frame(&mut self, frame: Frame) {
        let Some(open) = &mut self.open else { return };
        open.finish_block_without_exception();
        let (place, owner) = (frame.place, frame.owner);
        let home = open.jvm_home();
        if let Some(id) = home {
            open.current = Some(id);
            let link = open.link(id);
            if let Some(link) = link
                && link.throwable.frames.len() < FRAMES_CAP
            {
                link.throwable.frames.push(frame);
            }
        }
        open.framed = true;
        open.note(place, LineKind::Frame(owner));
    }

    pub(super) fn begin(&mut self, in_head: bool) -> &mut Open {
        self.close();
        let ignored = std::mem::take(&mut self.ignored);
        self.open.insert(Open {
            bare: !in_head && !ignored,
            ignored,
            thread: self.thread.take(),
            ..Open::default()
        })
    }

    /// Ends what is open.
    pub(super) fn close(&mut self) {
        if let Some(mut open) = self.open.take() {
            self.line.anew = true;
            open.finish_block_without_exception();
            let headed = self.headed;
            self.done.extend(open.finish().map(|trace| Trace {
                bare: trace.bare && (trace.python || !headed || of_sql_shell(&trace)),
                ..trace
            }));
        }
    }
}

/// What stands behind a colon, or a word, below the line that it belongs to: a class, a message. Returns whether the line is one.
fn told_below(open: &mut Open, line: &Line, text: &str) -> bool {
    let behind_colon = text.strip_prefix(": ");
    if let Some(named) = behind_colon.and_then(|rest| class_name::at_start(rest, true)) {
        open.headers(line, named, Relation::Wrapped, Language::Jvm);
        return true;
    }
    if let Some(message) = behind_colon
        && open.takes_message()
    {
        open.late_message(line, message);
        return true;
    }
    if let Some(message) = text.strip_prefix("Message: ")
        && !open.framed
        && open.current().is_some_and(|t| t.message.is_empty())
    {
        // A kernel's form: the class stands on the line above, behind a word of its own.
        open.late_message(line, message);
        return true;
    }
    if let Some(message) = behind_colon
        && !open.framed
        && open.current().is_some_and(waits_for_the_jvm)
    {
        // Some of Hadoop's exceptions print their message in place of their class.
        let named = Named { class: "", message };
        open.headers(line, named, Relation::Wrapped, Language::Jvm);
        return true;
    }
    false
}

/// Whether it is Py4J's word that a call failed, and what the JVM threw is still to come.
fn waits_for_the_jvm(throwable: &Throwable) -> bool {
    throwable.language == Language::Python
        && throwable
            .message
            .starts_with("An error occurred while calling ")
        && !throwable.message.contains('\n')
}
