//! In: the lines of a record, one after the other. Out: the [`Trace`]s printed in them: JVM throwables, Python tracebacks,
//! and each inside the other.
//!
//! A JVM chain prints its root last. A Python chain prints its newest exception last, and what caused it
//! first. Either may lie in the message of the other. The reader goes through the lines once, tells by its
//! shape what each is, and leaves the chain to [`Open`].

use super::cut::headless;
use super::open::Open;
use super::words::{
    DIRECT_CAUSE, DURING_HANDLING, IGNORED, LOST_CLASS, class_token_only, find_traceback, indent,
    is_line_number, is_python_class, looks_dated, lost_executor, of_sql_shell,
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
    thread: Option<Symbol>,
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

    /// A line while no trace is open: does one begin here?
    fn start(&mut self, line: &Line, text: &str, trimmed: &str, in_head: bool) {
        if let Some(rest) = trimmed.strip_prefix("Exception in thread ") {
            return self.dying_thread(line, rest);
        }
        if let Some(rest) = trimmed.strip_prefix("Unhandled exception. ")
            && let Some(named) = class_name::at_start(rest, true)
        {
            // .NET's last word.
            self.thread = Some(Symbol::new("main"));
            return self
                .begin(false)
                .headers(line, named, Relation::Top, Language::Jvm);
        }
        if python_frame::parse(text, line.place).is_some() && trimmed.starts_with("File \"") {
            // Syntax errors are printed without the word Traceback.
            let open = self.begin(in_head);
            open.begin_block(indent(text).saturating_sub(2), None, false);
            self.in_block(line, text, trimmed);
            return;
        }
        if trimmed.starts_with("Suppressed: ") {
            // The log begins inside a trace: what was suppressed there is no cause, and one may still follow.
            return;
        }
        // What is quoted as code within a sentence stays so where it stands alone.
        let trimmed = trimmed.trim_start_matches('`');
        // YARN's own words in front of what its shell threw.
        let trimmed = trimmed.strip_prefix("Stack trace: ").unwrap_or(trimmed);
        let trimmed = of_hotspot(trimmed).unwrap_or(trimmed);
        // What a Scala shell answers stands behind its prompt where its input was piped; R marks what went wrong.
        let mut marks = ["scala> ", "! "].iter();
        let trimmed = marks
            .find_map(|mark| trimmed.strip_prefix(mark))
            .unwrap_or(trimmed);
        let caused = trimmed.strip_prefix("Caused by: ");
        let found = match caused {
            Some(rest) => class_name::at_start(rest, true),
            None if in_head => class_name::inside(trimmed).map(|(_, named)| named),
            None => {
                class_name::at_start(trimmed.trim_start_matches(": "), trimmed.starts_with(": "))
                    .filter(|named| named.class != "Error")
                    .filter(|named| {
                        named.class.contains('.') || indent(text) == 0 && !named.message.is_empty()
                    })
                    .or_else(|| class_name::inside(trimmed).map(|(_, named)| named))
            }
        };
        let found = found.or_else(|| class_name::of_triple(trimmed));
        // The scheduler's message without the class of who threw it: a service's answer, a person's quote.
        let found = found.or_else(|| lost_executor(trimmed).filter(|_| !in_head));
        if let Some(named) = found {
            let open = self.begin(in_head);
            let relation = if caused.is_some() {
                Relation::CausedBy
            } else {
                Relation::Top
            };
            let jvm = named.class.contains('.') && !is_python_class(named.class);
            let language = if jvm
                || caused.is_some()
                || matches!(named.class, LOST_CLASS | "ExitCodeException")
            {
                Language::Jvm
            } else {
                Language::Python
            };
            open.headers(line, named, relation, language);
        }
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

    fn dying_thread(&mut self, line: &Line, rest: &str) {
        let (thread, after) = match rest.strip_prefix('"').and_then(|r| r.split_once('"')) {
            Some((thread, after)) => (thread, after.trim_start()),
            None => match class_name::inside(rest) {
                Some((at, _)) => (rest[..at].trim(), &rest[at..]),
                None => (rest.trim_end_matches(':'), ""),
            },
        };
        self.thread = Some(Symbol::new(thread));
        if let Some(named) = class_name::at_start(after, true) {
            let open = self.begin(false);
            open.headers(line, named, Relation::Top, Language::Jvm);
        }
    }

    /// A `Traceback` line: whole, or glued behind a header or a log message.
    fn traceback(&mut self, line: &Line, text: &str, at: usize, in_head: bool) {
        let before = text[..at].trim_end();
        let group_head = before.trim_start().trim_start_matches(['+', '|', ' ']);
        if group_head.is_empty() || group_head.starts_with("Exception Group") {
            let nested = self.open.as_ref().is_some_and(|open| {
                open.connector.is_some() || !open.framed && open.message_may_hold_traceback()
            });
            if !nested {
                self.begin(in_head);
            }
            let base = indent(text);
            if let Some(open) = &mut self.open {
                let inside = open.connector.is_none() && nested;
                open.note(line.place, LineKind::Connector);
                open.begin_block(base, None, inside);
            }
            return;
        }
        if group_head == "Caused by:"
            && let Some(open) = &mut self.open
        {
            // A JVM that runs Python itself prints the Python as its own cause.
            open.note(line.place, LineKind::Connector);
            return open.begin_block(indent(text), None, true);
        }
        // IPython: `AnalysisException              Traceback (most recent call last)`.
        if !text.trim_end().ends_with(':') && class_token_only(before) {
            let open = self.begin(in_head);
            open.note(line.place, LineKind::Connector);
            open.begin_block(usize::MAX, Some(before.trim().to_owned()), false);
            return;
        }
        let caused = before.trim_start().strip_prefix("Caused by: ");
        let header = caused
            .or_else(|| before.strip_prefix(": "))
            .unwrap_or(before)
            .trim_start();
        let relation = if caused.is_some() {
            Relation::CausedBy
        } else if before.starts_with(": ") {
            Relation::Wrapped
        } else {
            Relation::Top
        };
        let named = class_name::at_start(header, relation != Relation::Top)
            .or_else(|| class_name::inside(header).map(|(_, named)| named));
        let Some(named) = named else {
            // A Connect client of 4.3 repeats the server's message, condition and all, below its own words.
            if before.trim_start().starts_with('[')
                && let Some(open) = &mut self.open
                && !open.framed
                && open.message_may_hold_traceback()
            {
                open.note(line.place, LineKind::Connector);
                return open.begin_block(indent(text), None, true);
            }
            // `Error from Python:Traceback`: a logger's own words.
            let open = self.begin(in_head);
            open.note(line.place, LineKind::Connector);
            open.begin_block(0, None, false);
            return;
        };
        let fresh = relation == Relation::Top && self.open.as_ref().is_none_or(|open| open.framed);
        let open = match &mut self.open {
            Some(open) if !fresh => open,
            _ => self.begin(in_head),
        };
        let relation = if relation == Relation::Top && !open.chain.is_empty() {
            Relation::Wrapped
        } else {
            relation
        };
        let language = if is_python_class(named.class) {
            Language::Python
        } else {
            Language::Jvm
        };
        open.headers(line, named, relation, language);
        open.begin_block(0, None, true);
    }

    /// The frames below a line.
    fn stack(&mut self, above: &Line) {
        for (place, text) in above.below.frames(above.place) {
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

    fn begin(&mut self, in_head: bool) -> &mut Open {
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

/// What the JVM had no memory for, as it prints it before it runs what `-XX:OnOutOfMemoryError` names.
fn of_hotspot(trimmed: &str) -> Option<&str> {
    let told = trimmed.strip_prefix("# ")?;
    told.starts_with("java.lang.OutOfMemoryError: ")
        .then_some(told)
}
