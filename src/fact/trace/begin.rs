//! In: a line that may begin a trace. Out: the trace that it opens: of a throwable that it names, of a thread that died, of a
//! traceback.

use super::reader::Reader;
use super::words::{LOST_CLASS, class_token_only, indent, is_python_class, without_class};
use crate::fact::class_name;
use crate::fact::python_frame;
use crate::fact::throwable::{Language, LineKind, Relation};
use crate::record::Line;
use crate::text::Symbol;

impl Reader {
    /// A line while no trace is open: does one begin here?
    pub(super) fn start(&mut self, line: &Line, text: &str, trimmed: &str, in_head: bool) {
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
        let found = found.or_else(|| without_class(trimmed).filter(|_| !in_head));
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

    /// The line that names the thread which died of what is printed on it, or on the next.
    pub(super) fn dying_thread(&mut self, line: &Line, rest: &str) {
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
    pub(super) fn traceback(&mut self, line: &Line, text: &str, at: usize, in_head: bool) {
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
            let chained = self.open.take_if(|open| open.connector.is_some());
            let open = match chained {
                Some(open) => self.open.insert(open),
                None => self.begin(in_head),
            };
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
}

/// What the JVM had no memory for, as it prints it before it runs what `-XX:OnOutOfMemoryError` names.
fn of_hotspot(trimmed: &str) -> Option<&str> {
    let told = trimmed.strip_prefix("# ")?;
    told.starts_with("java.lang.OutOfMemoryError: ")
        .then_some(told)
}
