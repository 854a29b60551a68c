//! [`Throwable`]: one exception of a printed trace; [`Trace`]: the whole of it, and its lines.

use super::frame::{Frame, Owner};
use crate::text::{Place, Symbol};

/// How a throwable is tied to the one before it in its chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// The outermost wrapper: what the user saw.
    Top,
    /// `Caused by:`, or Python's "direct cause".
    CausedBy,
    /// `Suppressed:`.
    Suppressed,
    /// A class named inside the message of the one before (`RemoteException(Inner)`, `An error occurred while calling …`).
    Wrapped,
    /// A Python worker's exception, carried in the message of a JVM exception.
    Worker,
    /// Python's "During handling of the above exception, another exception occurred".
    Context,
    /// Another record set it off: an executor's death, a stage's first failure.
    EffectOf,
}

impl Relation {
    /// The word of the report.
    pub fn word(self) -> &'static str {
        match self {
            Self::Top => "top",
            Self::CausedBy => "caused_by",
            Self::Suppressed => "suppressed",
            Self::Wrapped => "wrapped",
            Self::Worker => "worker",
            Self::Context => "context",
            Self::EffectOf => "effect_of",
        }
    }
}

/// Which language printed a throwable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// Java or Scala.
    Jvm,
    /// Python.
    Python,
}

/// Most bytes of a message that are kept.
pub const MESSAGE_CAP: usize = 16 * 1024;
/// Most frames of a throwable that are kept.
pub const FRAMES_CAP: usize = 1_024;

/// One exception.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Throwable {
    /// How it is tied to the one before.
    pub relation: Relation,
    /// Who printed it.
    pub language: Language,
    /// The class as printed.
    pub class: Symbol,
    /// The message without the class, lines joined by `\n`; at most [`MESSAGE_CAP`] bytes.
    pub message: String,
    /// How much of the message is its own: what comes before a class that it merely repeats.
    pub own: usize,
    /// The line with its class.
    pub place: Place,
    /// That line.
    pub text: Box<str>,
    /// Its frames, innermost call first; at most [`FRAMES_CAP`].
    pub frames: Vec<Frame>,
}

impl Throwable {
    /// The class without its package.
    pub fn short_class(&self) -> &str {
        super::class_name::last_segment(&self.class).0
    }

    /// What it says itself, without the causes that its message repeats.
    pub fn own_message(&self) -> &str {
        self.message.get(..self.own).unwrap_or(&self.message)
    }
}

/// What a line of a printed trace is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineKind {
    /// The head line of a log record that is not itself a throwable's header.
    Log,
    /// `Traceback (most recent call last):`, `Driver stacktrace:`, "During handling of …".
    Connector,
    /// The line that names a class: its cause is [`TraceLine::cause`].
    Header,
    /// A further line of a message.
    Message,
    /// A stack frame.
    Frame(Owner),
    /// The source line or the caret marks under a Python frame of that owner.
    Code(Owner),
    /// `... 40 more`.
    Elided,
}

/// One line of a printed trace. Its text is read from the source when it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceLine {
    /// Where it is.
    pub place: Place,
    /// What it is.
    pub kind: LineKind,
    /// The index in the chain of the cause it belongs to, where it belongs to one.
    pub cause: Option<u32>,
}

/// Most lines of a trace that are kept.
pub const TRACE_CAP: usize = 4_000;

/// A printed trace: one chain of throwables.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one thing that was seen of the trace, in any combination"
)]
pub struct Trace {
    /// From the outermost wrapper to the deepest cause; never empty once read.
    pub chain: Vec<Throwable>,
    /// Its lines as printed; at most [`TRACE_CAP`].
    pub lines: Vec<TraceLine>,
    /// `Exception in thread "main"`: the thread that died of it.
    pub thread: Option<Symbol>,
    /// Whether it was printed by an interpreter or a JVM as its last word, not by a logger.
    pub bare: bool,
    /// Whether an interpreter printed it of something that it ignores.
    pub ignored: bool,
    /// Whether Python raised the outermost throwable.
    pub python: bool,
    /// Whether it ends before the exception is named.
    pub cut: bool,
}

impl Trace {
    /// The user's line on the driver that led to what Python raised: the innermost of theirs before Spark's own
    /// frames begin. Behind those, Spark 4.1 and later print a worker's frames once more.
    pub fn action(&self) -> Option<&Frame> {
        let is_own = |frame: &Frame| frame.owner == Owner::User;
        let driver = self.chain.iter().filter(|_| self.python).find(|t| {
            t.language == Language::Python
                && t.relation != Relation::Worker
                && t.frames.iter().any(is_own)
        })?;
        let outermost_first = driver.frames.iter().rev();
        let mut last = None;
        for frame in outermost_first {
            match frame.owner {
                Owner::User => last = Some(frame),
                Owner::Spark | Owner::Py4j if last.is_some() => break,
                _ => {}
            }
        }
        last
    }
}
