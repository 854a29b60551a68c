//! In: the lines of a record. Out: the [`Trace`]s printed in them: JVM throwables, Python tracebacks, and
//! each inside the other.
//!
//! A JVM chain prints its root last. A Python chain prints its newest exception last, and what caused it
//! first. Either may lie in the message of the other. The reader goes through the lines once and keeps
//! one chain from the outermost wrapper to the deepest cause, whatever the print order.

use super::class_name::{self, Named};
use super::frame::{Frame, Owner};
use super::throwable::{
    FRAMES_CAP, Language, LineKind, MESSAGE_CAP, Relation, TRACE_CAP, Throwable, Trace, TraceLine,
};
use super::{jvm_frame, python_frame};
use crate::record::{Line, Record};
use crate::text::{Place, Symbol};

const TRACEBACK: &str = "Traceback (most recent call last)";
const DIRECT_CAUSE: &str = "The above exception was the direct cause of the following exception";
const DURING_HANDLING: &str = "During handling of the above exception, another exception occurred";
/// The scheduler's own name for what ended an attempt whose executor went away; no class of exceptions.
const LOST_EXECUTOR: &str = "ExecutorLostFailure (";
/// Deeper chains are cut: nobody reads them, and only a log made to hurt has them.
const CHAIN_CAP: usize = 256;

/// Reads the traces of a record.
pub(super) fn read(record: &Record) -> Vec<Trace> {
    let mut reader = Reader::default();
    for (i, line) in record.lines.iter().enumerate() {
        let from = if i == 0 && record.head.is_some() {
            record.message_at
        } else {
            0
        };
        reader.line(line, from, i == 0 && record.head.is_some());
    }
    reader.close();
    reader.done
}

#[derive(Default)]
struct Reader {
    done: Vec<Trace>,
    open: Option<Open>,
    /// A thread named on the line before: `Exception in thread Thread-5 (background):`.
    thread: Option<Symbol>,
}

/// A trace being read.
#[derive(Default)]
struct Open {
    chain: Vec<Link>,
    lines: Vec<TraceLine>,
    /// The identity of the link that takes messages and frames.
    current: Option<u32>,
    /// Whether frames of the current link were seen: its message has ended.
    framed: bool,
    block: Option<Block>,
    /// What the next Python exception is to the group's present first.
    connector: Option<Relation>,
    /// Where the present group of Python exceptions begins in `chain`.
    group: usize,
    /// Indentation of a `Suppressed:` whose own causes are being read.
    suppressed: Option<usize>,
    thread: Option<Symbol>,
    bare: bool,
    python: bool,
    next_id: u32,
}

/// A throwable and its identity while links are still being put in front of it.
struct Link {
    id: u32,
    suppressed: bool,
    throwable: Throwable,
}

/// A Python traceback whose exception line has not come yet.
struct Block {
    /// Indentation of the word `Traceback`.
    base: usize,
    /// The exception's name, where IPython printed it at the top.
    name: Option<String>,
    frames: Vec<Frame>,
    /// The JVM link in whose message it lies.
    parent: Option<u32>,
}

fn indent(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t']).len()
}

impl Reader {
    fn line(&mut self, line: &Line, from: usize, in_head: bool) {
        let Some(text) = line.text.get(from..) else {
            return;
        };
        let trimmed = text.trim();
        if self.in_block(line, text, trimmed) {
            return;
        }
        if let Some(at) = text.find(TRACEBACK) {
            return self.traceback(line, text, at, in_head);
        }
        if let Some(frame) = jvm_frame::parse(text, line.place) {
            return self.jvm_frame(line.place, frame);
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
        {
            let suppressed = trimmed.starts_with('S');
            if open.caused_by(line, text, rest, suppressed) {
                return;
            }
        }
        if let Some(rest) = text.strip_prefix(": ")
            && let Some(named) = class_name::at_start(rest, true)
        {
            return open.headers(line, named, Relation::Wrapped, Language::Jvm);
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
        if python_frame::parse(text, line.place).is_some() && trimmed.starts_with("File \"") {
            // Syntax errors are printed without the word Traceback.
            let open = self.begin(in_head);
            open.begin_block(indent(text).saturating_sub(2), None, false);
            self.in_block(line, text, trimmed);
            return;
        }
        let caused = trimmed.strip_prefix("Caused by: ");
        let found = match caused {
            Some(rest) => class_name::at_start(rest, true),
            None if in_head => class_name::inside(trimmed).map(|(_, named)| named),
            None => {
                class_name::at_start(trimmed.trim_start_matches(": "), trimmed.starts_with(": "))
                    .filter(|named| {
                        named.class.contains('.') || indent(text) == 0 && !named.message.is_empty()
                    })
                    .or_else(|| class_name::inside(trimmed).map(|(_, named)| named))
            }
        };
        if let Some(named) = found {
            let open = self.begin(in_head);
            let relation = if caused.is_some() {
                Relation::CausedBy
            } else {
                Relation::Top
            };
            let language = if named.class.contains('.') && !is_python_class(named.class) {
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
        let named = class_name::at_start(trimmed, false).filter(|n| {
            n.class.contains('.') || open.framed && indent(text) == 0 && !n.message.is_empty()
        });
        match named {
            Some(named) if !open.framed => {
                if open.repeats_header(&named) {
                    open.restate(line);
                } else if named.class.contains('.') && !is_python_class(named.class) {
                    open.headers(line, named, Relation::Wrapped, Language::Jvm);
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

    fn jvm_frame(&mut self, place: Place, frame: Frame) {
        let Some(open) = &mut self.open else { return };
        open.finish_block_without_exception();
        let owner = frame.owner;
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

    /// A line while a Python traceback waits for its exception. Returns whether the line was taken.
    fn in_block(&mut self, line: &Line, text: &str, trimmed: &str) -> bool {
        let Some(open) = &mut self.open else {
            return false;
        };
        let Some(block) = &mut open.block else {
            return false;
        };
        let trimmed_group = trimmed.trim_start_matches(['|', '+', '-']).trim_start();
        if let Some(frame) = python_frame::parse(trimmed_group, line.place) {
            let owner = frame.owner;
            if indent(text) <= block.base && block.name.is_none() {
                block.base = usize::MAX - 1; // The shipper ate the indentation.
            }
            if block.frames.len() < FRAMES_CAP {
                block.frames.push(frame);
            }
            open.note(line.place, LineKind::Frame(owner));
            return true;
        }
        let owner = block.frames.last().map_or(Owner::Python, |f| f.owner);
        if trimmed.is_empty() {
            open.note(line.place, LineKind::Code(owner));
            return true;
        }
        if let Some((number, code)) = python_frame::arrow(text) {
            if let Some(frame) = block.frames.last_mut() {
                frame.line.get_or_insert(number);
                frame.code.get_or_insert_with(|| code.into());
            }
            open.note(line.place, LineKind::Code(owner));
            return true;
        }
        if python_frame::is_marks(trimmed_group) || trimmed.starts_with("[Previous line repeated") {
            open.note(line.place, LineKind::Code(owner));
            return true;
        }
        if jvm_frame::parse(text, line.place).is_some() || trimmed.contains(TRACEBACK) {
            open.finish_block_without_exception();
            return false;
        }
        let lost_indent = block.base == usize::MAX - 1;
        let is_exception = match &block.name {
            Some(name) => class_name_is(trimmed, name),
            None if lost_indent => {
                block.frames.last().is_none_or(|f| f.code.is_some())
                    || python_exception(trimmed, true)
            }
            None => {
                indent(text) <= block.base && !trimmed.starts_with('|')
                    || trimmed.starts_with('|')
                        && indent(trimmed_group) == 0
                        && python_exception(trimmed_group, false)
                        && !block.frames.is_empty()
            }
        };
        if !is_exception {
            if block.name.is_none()
                && let Some(frame) = block.frames.last_mut()
            {
                frame.code.get_or_insert_with(|| {
                    trimmed_group.chars().take(400).collect::<String>().into()
                });
            }
            open.note(line.place, LineKind::Code(owner));
            return true;
        }
        if open.python_exception(line, trimmed_group) {
            return true;
        }
        open.finish_block_without_exception();
        false
    }

    fn begin(&mut self, in_head: bool) -> &mut Open {
        self.close();
        self.open.insert(Open {
            bare: !in_head,
            thread: self.thread.take(),
            ..Open::default()
        })
    }

    fn close(&mut self) {
        if let Some(mut open) = self.open.take() {
            open.finish_block_without_exception();
            self.done.extend(open.finish());
        }
    }
}

impl Open {
    fn note(&mut self, place: Place, kind: LineKind) {
        if self.lines.len() < TRACE_CAP {
            self.lines.push(TraceLine {
                place,
                kind,
                cause: self.current,
            });
        }
    }

    fn link(&mut self, id: u32) -> Option<&mut Link> {
        self.chain.iter_mut().find(|link| link.id == id)
    }

    fn has_jvm(&self) -> bool {
        self.chain
            .iter()
            .any(|link| link.throwable.language == Language::Jvm)
    }

    /// The link that JVM frames belong to: the current one, or the JVM link whose message holds the current one.
    fn jvm_home(&self) -> Option<u32> {
        let current = self.current?;
        let at = self.chain.iter().position(|link| link.id == current)?;
        self.chain[..=at]
            .iter()
            .rev()
            .find(|link| link.throwable.language == Language::Jvm)
            .map(|link| link.id)
    }

    /// Whether the message being read is one in which PySpark puts a worker's traceback.
    fn message_may_hold_traceback(&self) -> bool {
        let Some(link) = self
            .current
            .and_then(|id| self.chain.iter().find(|l| l.id == id))
        else {
            return false;
        };
        let throwable = &link.throwable;
        throwable.class.ends_with("PythonException") || throwable.message.contains("ython")
    }

    fn begin_block(&mut self, base: usize, name: Option<String>, inside: bool) {
        let parent = if inside { self.current } else { None };
        if inside {
            self.group = self.chain.len();
        } else if self.connector.is_none() {
            self.group = 0;
        }
        self.block = Some(Block {
            base,
            name,
            frames: Vec::new(),
            parent,
        });
    }

    /// The exception line that ends a traceback. Returns whether it is one.
    fn python_exception(&mut self, line: &Line, trimmed: &str) -> bool {
        let (class, message) = match trimmed.split_once(':') {
            Some((class, message)) => (class, message.trim_start()),
            None => (trimmed, ""),
        };
        // A class of the user's may have any name, but it is one name.
        let class = class.trim();
        if class.is_empty()
            || !class.bytes().all(|b| {
                b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'<' | b'>') || b >= 0x80
            })
        {
            return false;
        }
        let Some(block) = self.block.take() else {
            return false;
        };
        let mut frames = block.frames;
        frames.reverse();
        let relation = match (block.parent, self.connector) {
            (Some(_), _) => Relation::Worker,
            (None, _) => Relation::Top,
        };
        let group_relation = self
            .chain
            .get(self.group)
            .map(|link| link.throwable.relation);
        let link = Link {
            id: self.next_id,
            suppressed: false,
            throwable: Throwable {
                relation,
                language: Language::Python,
                class: Symbol::new(class),
                message: cap(message).to_owned(),
                own: message.len().min(MESSAGE_CAP),
                place: line.place,
                text: cap(line.text.trim_end()).into(),
                frames,
            },
        };
        self.next_id += 1;
        self.current = Some(link.id);
        self.framed = false;
        if self.chain.is_empty() {
            self.python = true;
        }
        match self.connector.take() {
            // The newer exception goes in front of those it was raised from.
            Some(to_older) if self.group < self.chain.len() => {
                let mut link = link;
                link.throwable.relation = group_relation.unwrap_or(Relation::Top);
                self.chain[self.group].throwable.relation = to_older;
                self.chain.insert(self.group, link);
            }
            _ if self.chain.len() < CHAIN_CAP => self.chain.push(link),
            _ => {}
        }
        self.note(line.place, LineKind::Header);
        if class_name::inside(message).is_some() && !message.starts_with(class) {
            self.nested_in_message(line, message);
        }
        true
    }

    /// Classes that a message names, as links of their own.
    fn nested_in_message(&mut self, line: &Line, message: &str) {
        if let Some(at) = message.find(LOST_EXECUTOR) {
            let class = &LOST_EXECUTOR[..LOST_EXECUTOR.len() - 2];
            if let Some(link) = self.current.and_then(|id| self.link(id)) {
                link.throwable.own = link.throwable.own.min(at);
            }
            let named = Named {
                class,
                message: &message[at + class.len() + 1..],
            };
            return self.push(line, named, Relation::Wrapped, Language::Jvm, false);
        }
        let mut rest = message;
        let mut outer = self.current;
        for _ in 0..8 {
            let Some((at, named)) = class_name::inside(rest) else {
                break;
            };
            // `ClassNotFoundException: org.x.FooException` names what is missing, not a cause.
            let names_a_class = outer.and_then(|id| self.link(id)).is_some_and(|l| {
                let class = l.throwable.short_class();
                named.message.is_empty()
                    && (class.contains("NotFound")
                        || class.contains("NoClassDef")
                        || class.contains("NotSerializable"))
            });
            if names_a_class || self.chain.len() >= CHAIN_CAP {
                break;
            }
            if let Some(link) = outer.and_then(|id| self.link(id)) {
                let own = link.throwable.message.len().saturating_sub(rest.len() - at);
                link.throwable.own = link.throwable.own.min(own);
            }
            let repeated = outer
                .and_then(|id| self.link(id))
                .is_some_and(|l| &*l.throwable.class == named.class);
            rest = named.message;
            if repeated {
                continue;
            }
            self.push(line, named, Relation::Wrapped, Language::Jvm, false);
            outer = self.current;
        }
    }

    /// A header line: its class, and the classes that its message names.
    fn headers(&mut self, line: &Line, named: Named<'_>, relation: Relation, language: Language) {
        if self.chain.is_empty() {
            self.python = language == Language::Python;
        }
        let relation = if self.chain.is_empty() && relation != Relation::CausedBy {
            Relation::Top
        } else {
            relation
        };
        self.push(line, named, relation, language, false);
        self.note(line.place, LineKind::Header);
        self.nested_in_message(line, named.message);
    }

    fn push(
        &mut self,
        line: &Line,
        named: Named<'_>,
        relation: Relation,
        language: Language,
        suppressed: bool,
    ) {
        if self.chain.len() >= CHAIN_CAP {
            return;
        }
        let message = named
            .message
            .strip_suffix(TRACEBACK)
            .unwrap_or(named.message);
        self.chain.push(Link {
            id: self.next_id,
            suppressed,
            throwable: Throwable {
                relation,
                language,
                class: Symbol::new(named.class),
                message: cap(message).to_owned(),
                own: message.len().min(MESSAGE_CAP),
                place: line.place,
                text: cap(line.text.trim_end()).into(),
                frames: Vec::new(),
            },
        });
        self.current = Some(self.next_id);
        self.next_id += 1;
        self.framed = false;
    }

    /// `Caused by:` and `Suppressed:`. Returns whether the line is one, and not a message that begins so.
    fn caused_by(&mut self, line: &Line, text: &str, rest: &str, suppressed: bool) -> bool {
        if rest.contains("CIRCULAR REFERENCE") {
            self.note(line.place, LineKind::Elided);
            return true;
        }
        let named =
            class_name::at_start(rest, true).or_else(|| self.framed.then(|| derby(rest)).flatten());
        let Some(named) = named else { return false };
        let indent = indent(text);
        if suppressed {
            self.suppressed = Some(self.suppressed.map_or(indent, |s| s.min(indent)));
        } else if self.suppressed.is_some_and(|s| indent < s) || indent == 0 {
            self.suppressed = None;
        }
        let aside = self.suppressed.is_some();
        let relation = if suppressed {
            Relation::Suppressed
        } else {
            Relation::CausedBy
        };
        self.push(line, named, relation, Language::Jvm, aside);
        self.note(line.place, LineKind::Header);
        if !aside {
            self.nested_in_message(line, named.message);
        }
        true
    }

    fn repeats_header(&self, named: &Named<'_>) -> bool {
        let Some(link) = self
            .current
            .and_then(|id| self.chain.iter().find(|l| l.id == id))
        else {
            return false;
        };
        &*link.throwable.class == named.class
            && (link.throwable.message.starts_with(named.message)
                || named.message.starts_with(link.throwable.message.as_str()))
    }

    /// The same header again, on a line of its own: that line is the better place.
    fn restate(&mut self, line: &Line) {
        if let Some(link) = self.current.and_then(|id| self.link(id)) {
            link.throwable.place = line.place;
            link.throwable.text = cap(line.text.trim_end()).into();
        }
        self.note(line.place, LineKind::Header);
    }

    fn message(&mut self, line: &Line) {
        if let Some(link) = self.current.and_then(|id| self.link(id)) {
            let throwable = &mut link.throwable;
            if throwable.message.len() + line.text.len() < MESSAGE_CAP {
                let whole = throwable.own == throwable.message.len();
                throwable.message.push('\n');
                throwable.message.push_str(line.text.trim_end());
                if whole {
                    throwable.own = throwable.message.len();
                }
            }
        }
        self.note(line.place, LineKind::Message);
    }

    /// A traceback that ended without an exception line: its frames go to the link in whose message it lies.
    fn finish_block_without_exception(&mut self) {
        let Some(block) = self.block.take() else {
            return;
        };
        if let Some(link) = block.parent.and_then(|id| self.link(id)) {
            link.throwable.frames.extend(block.frames.into_iter().rev());
        }
    }

    /// The trace, with its chain in order.
    fn finish(self) -> Option<Trace> {
        let mut order: Vec<u32> = Vec::new();
        let mut chain: Vec<Throwable> = Vec::new();
        for link in self.chain.into_iter().filter(|link| !link.suppressed) {
            order.push(link.id);
            chain.push(link.throwable);
        }
        // A message that quotes its causes is followed by those causes: the quoted ones give way.
        let mut keep = vec![true; chain.len()];
        for later in 1..chain.len() {
            for earlier in 0..later {
                if keep[earlier] && earlier > 0 && same_failure(&chain[earlier], &chain[later]) {
                    keep[earlier] = false;
                    if chain[later].frames.is_empty() {
                        let frames = std::mem::take(&mut chain[earlier].frames);
                        chain[later].frames = frames;
                    }
                }
            }
        }
        for trailing in &mut chain {
            let end = trailing.message.trim_end().len();
            trailing.message.truncate(end);
            trailing.own = trailing.own.min(end);
        }
        let mut index: Vec<(u32, u32)> = Vec::new();
        let mut kept = Vec::new();
        for ((throwable, id), keep) in chain.into_iter().zip(order).zip(keep) {
            if keep {
                index.push((id, u32::try_from(kept.len()).unwrap_or(u32::MAX)));
                kept.push(throwable);
            }
        }
        if kept.is_empty() {
            return None;
        }
        let mut lines = self.lines;
        for line in &mut lines {
            line.cause = line
                .cause
                .and_then(|id| index.iter().find(|(known, _)| *known == id))
                .map(|(_, at)| *at);
        }
        Some(Trace {
            chain: kept,
            lines,
            thread: self.thread,
            bare: self.bare,
            python: self.python,
        })
    }
}

fn same_failure(a: &Throwable, b: &Throwable) -> bool {
    a.language == b.language
        && a.short_class() == b.short_class()
        && first_line(&a.message) == first_line(&b.message)
        && !b.message.is_empty()
        || a.language == b.language
            && a.class == b.class
            && a.message.is_empty()
            && b.message.is_empty()
            && a.language == Language::Jvm
}

fn first_line(text: &str) -> &str {
    text.lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or("")
}

/// Classes of PySpark and of Python packages that look like JVM classes.
fn is_python_class(class: &str) -> bool {
    class.starts_with("pyspark.")
        || class.starts_with("py4j.protocol.")
        || class.split('.').next().is_some_and(|first| {
            matches!(
                first,
                "pandas"
                    | "numpy"
                    | "pyarrow"
                    | "requests"
                    | "urllib3"
                    | "botocore"
                    | "google"
                    | "airflow"
                    | "grpc"
                    | "_pickle"
                    | "pickle"
                    | "json"
                    | "socket"
                    | "sqlalchemy"
                    | "builtins"
                    | "cloudpickle"
            )
        })
}

/// Derby's codes stand where a class should: `ERROR XSDB6: Another instance …`.
fn derby(rest: &str) -> Option<Named<'_>> {
    let code = rest.strip_prefix("ERROR ")?.split(':').next()?;
    let class = &rest[..6 + code.len()];
    (code.len() == 5
        && code
            .bytes()
            .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit()))
    .then(|| Named {
        class,
        message: rest[class.len()..].trim_start_matches([':', ' ']),
    })
}

/// A name and nothing else, as IPython prints at the top of a traceback.
fn class_token_only(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty()
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_'))
}

/// Whether a line is the exception line of the class that IPython named at the top.
fn class_name_is(trimmed: &str, name: &str) -> bool {
    let class = trimmed.split(':').next().unwrap_or("").trim();
    class == name || class.rsplit('.').next() == Some(name)
}

/// Whether a line looks like an exception line on its own.
fn python_exception(trimmed: &str, strict: bool) -> bool {
    let class = trimmed.split(':').next().unwrap_or("");
    let last = class.rsplit('.').next().unwrap_or("");
    !class.contains(' ')
        && if strict {
            class_name::says_exception(last)
        } else {
            last.starts_with(|c: char| c.is_ascii_uppercase())
        }
}

fn cap(text: &str) -> &str {
    if text.len() <= MESSAGE_CAP {
        return text;
    }
    let mut end = MESSAGE_CAP;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
