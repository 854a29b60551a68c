//! [`Open`]: a trace being read: its throwables from the outermost wrapper to the deepest cause, whatever
//! the print order, and its lines.
//!
//! In: headers, messages, frames and exception lines, as the reader tells them apart. Out: a trace that is whole but for its end.

use super::cut::{Block, Cut};
use super::words::{
    LOST_CLASS, TRACEBACK, cap, derby, indent, lists, raised_by_python, within_brackets,
};
use crate::fact::class_name::{self, Named};
use crate::fact::throwable::{
    FRAMES_CAP, Language, LineKind, MESSAGE_CAP, Relation, TRACE_CAP, Throwable, TraceLine,
};
use crate::record::Line;
use crate::text::{Place, Symbol};

/// Deeper chains are cut: nobody reads them, and only a log made to hurt has them.
const CHAIN_CAP: usize = 256;

/// A trace being read.
#[derive(Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one thing that was seen of the trace, in any combination"
)]
pub(super) struct Open {
    pub(super) chain: Vec<Link>,
    pub(super) lines: Vec<TraceLine>,
    /// The identity of the link that takes messages and frames.
    pub(super) current: Option<u32>,
    /// Whether frames of the current link were seen: its message has ended.
    pub(super) framed: bool,
    pub(super) block: Option<Block>,
    /// What the next Python exception is to the group's present first.
    pub(super) connector: Option<Relation>,
    /// Where the present group of Python exceptions begins in `chain`.
    pub(super) group: usize,
    /// Indentation of a `Suppressed:` whose own causes are being read.
    pub(super) suppressed: Option<usize>,
    pub(super) thread: Option<Symbol>,
    pub(super) bare: bool,
    pub(super) ignored: bool,
    pub(super) python: bool,
    /// A traceback that nothing ended.
    pub(super) cut: Option<Cut>,
    /// Whether the first link is words alone.
    pub(super) headless: bool,
    pub(super) next_id: u32,
}

/// A throwable and its identity while links are still being put in front of it.
pub(super) struct Link {
    pub(super) id: u32,
    pub(super) suppressed: bool,
    pub(super) throwable: Throwable,
}

impl Open {
    pub(super) fn note(&mut self, place: Place, kind: LineKind) {
        if self.lines.len() < TRACE_CAP {
            self.lines.push(TraceLine {
                place,
                kind,
                cause: self.current,
            });
        }
    }

    pub(super) fn link(&mut self, id: u32) -> Option<&mut Link> {
        // Nearly always the last one.
        self.chain.iter_mut().rfind(|link| link.id == id)
    }

    /// The throwable that takes messages and frames.
    pub(super) fn current(&self) -> Option<&Throwable> {
        let id = self.current?;
        let link = self.chain.iter().rfind(|link| link.id == id)?;
        Some(&link.throwable)
    }

    pub(super) fn has_jvm(&self) -> bool {
        self.chain
            .iter()
            .any(|link| link.throwable.language == Language::Jvm)
    }

    /// The link that JVM frames belong to: the current one, or the JVM link whose message holds the current one.
    pub(super) fn jvm_home(&self) -> Option<u32> {
        let current = self.current?;
        let at = self.chain.iter().rposition(|link| link.id == current)?;
        self.chain[..=at]
            .iter()
            .rev()
            .find(|link| link.throwable.language == Language::Jvm)
            .map(|link| link.id)
    }

    /// Whether there is no room for a further frame of the JVM, nor for its line.
    pub(super) fn is_full(&self) -> bool {
        let full = |throwable: &Throwable| {
            throwable.language == Language::Jvm && throwable.frames.len() >= FRAMES_CAP
        };
        self.framed
            && self.block.is_none()
            && self.lines.len() >= TRACE_CAP
            && self.current().is_some_and(full)
    }

    /// Whether the message being read is one in which PySpark puts a worker's traceback.
    pub(super) fn message_may_hold_traceback(&self) -> bool {
        self.current().is_some_and(|throwable| {
            throwable.class.ends_with("PythonException") || throwable.message.contains("ython")
        })
    }

    pub(super) fn begin_block(&mut self, base: usize, name: Option<String>, inside: bool) {
        let parent = if inside { self.current } else { None };
        let innermost_first = parent
            .and_then(|id| self.link(id))
            .is_some_and(|l| l.throwable.message.contains("most recent call first"));
        if inside {
            self.group = self.chain.len();
        } else if self.connector.is_none() {
            self.group = 0;
        }
        self.block = Some(Block {
            base,
            name,
            title: None,
            frames: Vec::new(),
            parent,
            innermost_first,
        });
    }

    /// The exception line that ends a traceback. Returns whether it is one.
    pub(super) fn python_exception(&mut self, line: &Line, trimmed: &str) -> bool {
        let (class, message) = match trimmed.split_once(':') {
            Some((class, message)) => (class, message.trim_start()),
            None => (trimmed, ""),
        };
        // A class of the user's may have any name, but it is one name.
        let class = class.trim();
        if class.is_empty()
            || class.starts_with(|c: char| c.is_ascii_digit())
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
                // The newest and the oldest tell most.
                if self.chain.len() > CHAIN_CAP {
                    self.chain.remove(CHAIN_CAP - 1);
                }
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
    pub(super) fn nested_in_message(&mut self, line: &Line, message: &str) {
        let lost = |(at, class): &(usize, &str)| message[at + class.len()..].starts_with(" (");
        if let Some((at, class)) = message.match_indices(LOST_CLASS).find(lost) {
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
        // How long the outer one's message is, with what stands behind the bracket that it ends in.
        let mut whole = outer
            .and_then(|id| self.link(id))
            .map_or(0, |l| l.throwable.message.len());
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
            // Each of several that were tried has its own reason, and none is the whole one's.
            let tried = rest[..at].ends_with('(') && rest[..at].contains("tried: ");
            if names_a_class || tried || self.chain.len() >= CHAIN_CAP {
                break;
            }
            // `a.B: a.B: m` says the same class twice.
            let repeated = outer
                .and_then(|id| self.link(id))
                .is_some_and(|l| at == 0 && &*l.throwable.class == named.class);
            if repeated {
                rest = named.message;
                continue;
            }
            if let Some(link) = outer.and_then(|id| self.link(id)) {
                let own = whole.saturating_sub(rest.len() - at);
                link.throwable.own = link.throwable.own.min(own);
            }
            let opened =
                rest[..at].ends_with(['(', '[', '{']) || rest[..at].ends_with("[Caused by ");
            rest = named.message;
            whole = rest.len();
            let message = if opened { within_brackets(rest) } else { rest };
            let named = Named { message, ..named };
            self.push(line, named, Relation::Wrapped, Language::Jvm, false);
            outer = self.current;
        }
    }

    /// A header line: its class, and the classes that its message names.
    pub(super) fn headers(
        &mut self,
        line: &Line,
        named: Named<'_>,
        relation: Relation,
        language: Language,
    ) {
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

    pub(super) fn push(
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
    pub(super) fn caused_by(
        &mut self,
        line: &Line,
        text: &str,
        rest: &str,
        suppressed: bool,
    ) -> bool {
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

    /// Whether a class is that of the current throwable.
    pub(super) fn names(&self, class: &str) -> bool {
        self.current()
            .is_some_and(|throwable| &*throwable.class == class)
    }

    pub(super) fn repeats_header(&self, named: &Named<'_>) -> bool {
        self.current().is_some_and(|throwable| {
            &*throwable.class == named.class
                && (throwable.message.starts_with(named.message)
                    || named.message.starts_with(throwable.message.as_str()))
        })
    }

    /// Whether a line below a throwable's is one more of a list of the same, and no cause of it.
    pub(super) fn lists(&self, named: &Named<'_>) -> bool {
        let mut inwards = self.chain.iter().rev().map(|link| &link.throwable);
        let listed = inwards.next();
        listed.is_some_and(|throwable| lists(throwable, inwards.next(), named))
    }

    /// Whether the message of a Python exception ends with a colon, and what it announces is another.
    pub(super) fn announces(&self, named: &Named<'_>) -> bool {
        self.current().is_some_and(|throwable| {
            throwable.language == Language::Python
                && throwable.message.trim_end().ends_with(':')
                && raised_by_python(named.class)
        })
    }

    /// The same header again, on a line of its own: that line is the better place.
    pub(super) fn restate(&mut self, line: &Line) {
        if let Some(link) = self.current.and_then(|id| self.link(id)) {
            link.throwable.place = line.place;
            link.throwable.text = cap(line.text.trim_end()).into();
        }
        self.note(line.place, LineKind::Header);
    }

    /// Whether the current throwable is a Python exception of which only the class was printed.
    pub(super) fn takes_message(&self) -> bool {
        self.current().is_some_and(|throwable| {
            throwable.language == Language::Python && throwable.message.is_empty()
        })
    }

    /// The message of such an exception, on a line that another process's output tore off.
    pub(super) fn late_message(&mut self, line: &Line, message: &str) {
        if let Some(link) = self.current.and_then(|id| self.link(id)) {
            let throwable = &mut link.throwable;
            cap(message).clone_into(&mut throwable.message);
            throwable.own = throwable.message.len();
            throwable.place = line.place;
            throwable.text = cap(line.text.trim_end()).into();
        }
        self.note(line.place, LineKind::Header);
        if class_name::inside(message).is_some() {
            self.nested_in_message(line, message);
        }
    }

    /// Whether frames may follow without their word. In a message that went on over a blank line calls are listed that threw
    /// nothing: who made the context that was stopped.
    pub(super) fn takes_bare_frames(&mut self) -> bool {
        let framed = self.framed;
        let lists = |message: &str| message.contains("\n\n") || message.ends_with('\n');
        self.has_jvm()
            && (framed
                || (self.current.and_then(|id| self.link(id)))
                    .is_some_and(|link| !lists(&link.throwable.message)))
    }

    pub(super) fn message(&mut self, line: &Line) {
        self.back_to_kryo(line);
        if let Some(link) = self.current.and_then(|id| self.link(id)) {
            let throwable = &mut link.throwable;
            // A reason that begins on a line of its own: that line is the better place.
            let reason_follows = &*throwable.class == LOST_CLASS
                && throwable.message.trim_end().ends_with("Reason:");
            if reason_follows && !line.text.trim().is_empty() {
                throwable.place = line.place;
                throwable.text = cap(line.text.trim_end()).into();
            }
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
    pub(super) fn finish_block_without_exception(&mut self) {
        let Some(block) = self.block.take() else {
            return;
        };
        if let Some(link) = block.parent.and_then(|id| self.link(id)) {
            let mut frames = block.frames;
            if !block.innermost_first {
                frames.reverse();
            }
            let room = FRAMES_CAP.saturating_sub(link.throwable.frames.len());
            link.throwable.frames.extend(frames.into_iter().take(room));
        } else if self.chain.is_empty() {
            self.cut = Cut::of(block);
        }
    }
}
