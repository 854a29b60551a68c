//! [`Cause`]: a link of an exception chain, and who raised it.

use crate::fact::{Frame, Relation};
use crate::text::{Place, Symbol};

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
    /// The message, lines joined by `\n`, without the class; at most [`MESSAGE_CAP`](crate::fact::MESSAGE_CAP) bytes.
    pub message: Box<str>,
    /// Its error condition, as `UNRESOLVED_COLUMN.WITH_SUGGESTION`.
    pub condition: Option<Symbol>,
    /// Its SQLSTATE, five characters.
    pub sqlstate: Option<Symbol>,
    /// The line that says it.
    pub place: Place,
    /// That line as it stands, shippers' prefixes and escapes taken off; at most [`MESSAGE_CAP`](crate::fact::MESSAGE_CAP) bytes.
    pub text: Box<str>,
    /// Its frames, innermost call first, as a JVM prints them (Python's are turned round).
    pub frames: Vec<Frame>,
}

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
