//! The links of an exception chain, and the lines that print it.

use crate::fact::{Frame, Owner};
use crate::text::{Place, Symbol};

/// How a cause is tied to the one before it in the chain.
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

/// Who raised it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The driver's Python, before or after any call into the JVM.
    PythonDriver,
    /// The driver's JVM: analysis, planning, scheduling, commit.
    JvmDriver,
    /// A Python worker: a UDF, an RDD's lambda.
    PythonWorker,
    /// The JVM side of a task.
    JvmExecutor,
    /// YARN, Kubernetes, the node, the launcher.
    Cluster,
}

impl Side {
    /// The word of the report.
    pub fn word(self) -> &'static str {
        match self {
            Self::PythonDriver => "python-driver",
            Self::JvmDriver => "jvm-driver",
            Self::PythonWorker => "python-worker",
            Self::JvmExecutor => "jvm-executor",
            Self::Cluster => "cluster",
        }
    }
}

/// One link of the chain: a throwable, or a log line that says what happened where there was none.
#[derive(Debug, Clone)]
pub struct Cause {
    /// How it is tied to the link before.
    pub relation: Relation,
    /// Who raised it, where that can be told.
    pub side: Option<Side>,
    /// The class as printed; empty for a log line that names none.
    pub class: Symbol,
    /// The message, lines joined by `\n`, without the class; at most [`MESSAGE_CAP`] bytes.
    pub message: Box<str>,
    /// Its error condition, as `UNRESOLVED_COLUMN.WITH_SUGGESTION`.
    pub condition: Option<Symbol>,
    /// Its SQLSTATE, five characters.
    pub sqlstate: Option<Symbol>,
    /// The line that says it.
    pub place: Place,
    /// That line as it stands, shippers' prefixes and escapes taken off; at most [`MESSAGE_CAP`] bytes.
    pub text: Box<str>,
    /// Its frames, innermost call first, as a JVM prints them (Python's are turned round).
    pub frames: Vec<Frame>,
}

/// Most bytes of a message that are kept.
pub const MESSAGE_CAP: usize = 16 * 1024;

impl Cause {
    /// The class without its package: `SparkException`.
    pub fn short_class(&self) -> &str {
        let name = self.class.rsplit(['.', '$']).next().unwrap_or("");
        if name.is_empty() { &self.class } else { name }
    }

    /// The message's first line that says something.
    pub fn headline(&self) -> &str {
        self.message
            .lines()
            .map(str::trim)
            .find(|l| !l.is_empty())
            .unwrap_or("")
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

/// One line of the printed trace of an incident. Its text is read from the source when it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceLine {
    /// Where it is.
    pub place: Place,
    /// What it is.
    pub kind: LineKind,
    /// The index in [`Incident::chain`](super::Incident::chain) of the cause it belongs to, where it belongs to one.
    pub cause: Option<u32>,
}
