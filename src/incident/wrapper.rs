//! In: a chain of throwables. Out: which of them is the root: the deepest that says something.

use crate::fact::{Language, Owner, Relation, Throwable};

/// Classes that say enough without a message.
const SAY_ENOUGH: &[&str] = &[
    "NullPointerException",
    "StackOverflowError",
    "OutOfMemoryError",
    "AssertionError",
    "ZeroDivisionError",
    "KeyboardInterrupt",
    "RecursionError",
    "MemoryError",
    "NoSuchElementException",
    "NegativeArraySizeException",
    "ConcurrentModificationException",
    "BufferOverflowException",
    "NotImplementedError",
    "ArrayIndexOutOfBoundsException",
    "StringIndexOutOfBoundsException",
    "IndexOutOfBoundsException",
    "ClassCastException",
    "UnsupportedOperationException",
    "OffsetOutOfRangeException",
];

/// Classes that only carry another.
const CARRIERS: &[&str] = &[
    "ExecutionException",
    "UndeclaredThrowableException",
    "InvocationTargetException",
    "UncheckedExecutionException",
    "CompletionException",
    "PrivilegedActionException",
    "Py4JJavaError",
    "StreamingQueryException",
    "ForeachBatchUserFuncException",
    "ForeachUserFuncException",
    "PythonException",
    "OriginalTryStackTraceException",
    "ExitCodeException",
    "Py4JError",
    "AirflowException",
];

/// Beginnings of messages that only announce a cause.
const ANNOUNCEMENTS: &[&str] = &[
    "Job aborted.",
    "Job aborted due to stage failure",
    "Task failed while writing rows",
    "Exception thrown in awaitResult",
    "Writing job aborted",
    "Boxed Error",
    "Boxed Exception",
    "Uncaught exception:",
    "User class threw exception",
    "An error occurred while calling",
    "An exception was thrown from the Python worker",
    "An exception was raised by the Python Proxy",
    "[TASK_WRITE_FAILED]",
    "[FAILED_READ_FILE.NO_HINT]",
    "[FAILED_READ_FILE] ",
    "Encountered error while reading file ",
    "[FAILED_EXECUTE_UDF]",
    "Failed to execute user defined function",
    "[STREAM_FAILED]",
    "[PYTHON_EXCEPTION]",
    "Unable to instantiate org.apache.hadoop.hive.",
    "Failed to upsert for commit time",
    "Failed to insert for commit time",
    "Error upserting bucketType",
    "pop from an empty deque",
    "External scheduler cannot be instantiated",
];

/// Classes that a process sees when the other end of a pipe is gone: what they interrupt says more.
const BROKEN_ENDS: &[&str] = &[
    "EOFException",
    "InterruptedException",
    "ClosedByInterruptException",
    "ClosedChannelException",
    "EOFError",
    "InterruptedIOException",
    "CancellationException",
    "SocketTimeoutException",
    "SocketException",
];

/// The index of the root of a chain that is not empty.
pub(super) fn root(chain: &[Throwable]) -> usize {
    let deepest = chain.len() - 1;
    // What a worker's Python says beats the JVM frames round it.
    if let Some(worker) = chain.iter().rposition(|t| t.relation == Relation::Worker) {
        let group = chain[worker..]
            .iter()
            .take_while(|t| t.language == Language::Python)
            .count();
        let raised = translated(chain, worker, worker + group - 1);
        // Unless that Python only carries what a JVM said when it was called back.
        let carries = CARRIERS.contains(&chain[raised].short_class());
        let carried = (raised + 1..=deepest).rev();
        return carried
            .filter(|_| carries)
            .find(|i| says_something(&chain[*i]))
            .unwrap_or(raised);
    }
    (0..=deepest)
        .rev()
        .find(|i| says_something(&chain[*i]))
        .map(|says| translated(chain, 0, says))
        // A class alone, with the frames that threw it, tells more than whoever carried it away.
        .or_else(|| {
            (0..=deepest).rev().find(|i| {
                let throwable = &chain[*i];
                !throwable.frames.is_empty()
                    && throwable.own_message().trim().is_empty()
                    && !CARRIERS.contains(&throwable.short_class())
                    && !BROKEN_ENDS.contains(&throwable.short_class())
            })
        })
        .or_else(|| {
            (0..=deepest)
                .rev()
                .find(|i| !chain[*i].message.trim().is_empty())
        })
        .unwrap_or(deepest)
}

/// The outermost, from `first` on, of those that translate the one at `at`.
fn translated(chain: &[Throwable], first: usize, at: usize) -> usize {
    let mut at = at;
    while at > first && translates(&chain[at - 1], &chain[at]) {
        at -= 1;
    }
    at
}

/// Whether `newer` was raised to say of `older`, which no line of the user's raised, what it means there: by PySpark, or
/// by whoever says all that the older one says.
fn translates(newer: &Throwable, older: &Throwable) -> bool {
    let by_pyspark =
        older.relation == Relation::CausedBy && newer.class.starts_with("pyspark.errors.");
    !newer.message.is_empty()
        && older.frames.iter().all(|f| f.owner != Owner::User)
        && (by_pyspark || says_as_much(newer, older) || looked_up(newer, older))
}

/// Whether PySpark raised `newer` in the very function whose look-up had failed by `older`: a name that is not in a list.
fn looked_up(newer: &Throwable, older: &Throwable) -> bool {
    let (Some(raised), Some(tried)) = (newer.frames.first(), older.frames.last()) else {
        return false;
    };
    older.relation == Relation::Context
        && raised.owner == Owner::Spark
        && (&raised.file, &raised.function) == (&tried.file, &tried.function)
        && matches!(
            older.short_class(),
            "ValueError" | "KeyError" | "IndexError" | "AttributeError"
        )
}

/// Whether a library, and not the user, raised `newer` with the whole message of `older` in its own.
fn says_as_much(newer: &Throwable, older: &Throwable) -> bool {
    let message = older.message.trim();
    if newer.language == Language::Jvm {
        return older.relation == Relation::CausedBy && says_the_same_and_more(newer, older);
    }
    matches!(older.relation, Relation::CausedBy | Relation::Context)
        && (newer.language, older.language) == (Language::Python, Language::Python)
        && message.len() >= 8
        && newer.message.contains(message)
        && !retells(newer, older)
        && newer.frames.first().is_some_and(|f| f.owner != Owner::User)
}

/// Whether `newer` only passes on what somebody raised on purpose, with its class: `Could not serialize object: RuntimeError: …`.
/// Of what the interpreter raised in a library's own lines it says more.
fn retells(newer: &Throwable, older: &Throwable) -> bool {
    let class = older.short_class();
    let on_purpose = class.starts_with("PySpark") || matches!(class, "Exception" | "RuntimeError");
    let mut told = newer.message.match_indices(older.message.trim());
    on_purpose
        && told.any(|(at, _)| {
            let before = newer.message[..at].trim_end().strip_suffix(':');
            before.is_some_and(|before| before.ends_with(class))
        })
}

/// Whether a JVM's exception is of the same kind as its cause and says all that it says, and which program or host it was:
/// `Cannot run program "python3": error=2, …` over `error=2, …`.
fn says_the_same_and_more(newer: &Throwable, older: &Throwable) -> bool {
    let (own, message) = (newer.own_message().trim(), older.own_message().trim());
    newer.short_class().ends_with(older.short_class())
        && message.len() >= 8
        && own.len() > message.len()
        && own.contains(message)
        && !own.contains(older.short_class())
        && !announces(own)
}

/// Whether a throwable says what happened, and not only that something did.
pub(super) fn says_something(throwable: &Throwable) -> bool {
    let class = throwable.short_class();
    let own = throwable.own_message().trim();
    let speaks = match class {
        "PythonException" => !own.is_empty() && !announces(own),
        // Hadoop's shell puts what the command printed behind its status; of a container's launch, only that it ended.
        "ExitCodeException" => own.split_once(": ").is_some_and(|(_, printed)| {
            !printed.trim().is_empty() && !printed.contains("ontainer exited")
        }),
        _ => false,
    };
    if ends_early(throwable) {
        return true;
    }
    if BROKEN_ENDS.contains(&class) && own.len() < 40 || CARRIERS.contains(&class) && !speaks {
        return false;
    }
    if own.is_empty() {
        return SAY_ENOUGH.contains(&class);
    }
    (!announces(own) || tells_more(own)) && !is_bare_status(own) && !only_timed_out(own)
}

/// Whether a message says no more than that somebody waited in vain: the one word of `OkHttp`, and Scala's. Who waited says for what.
fn only_timed_out(own: &str) -> bool {
    own == "timeout" || own.starts_with("Futures timed out after [") && own.ends_with(']')
}

/// Whether a file, and not the other end of a pipe, ended before what was read of it.
pub(super) fn ends_early(throwable: &Throwable) -> bool {
    const PIPES: &[&str] = &[
        ".python.",
        ".r.",
        ".network.",
        ".rpc.",
        ".ipc.",
        ".net.",
        "Socket",
    ];
    throwable.short_class() == "EOFException"
        && throwable
            .frames
            .iter()
            .find(|f| f.owner != Owner::Jvm)
            .is_some_and(|read| {
                !PIPES.iter().any(|part| read.class.contains(part))
                    && !read.class.starts_with("py4j.")
            })
}

/// Whether a message begins with a status of HTTP and nothing else, as `403 Forbidden`: whoever asked says what was refused.
fn is_bare_status(own: &str) -> bool {
    let line = own.lines().next().unwrap_or("").trim();
    line.split_once(' ').is_some_and(|(code, words)| {
        code.len() == 3
            && code.bytes().all(|b| b.is_ascii_digit())
            && words.len() < 32
            && words.bytes().all(|b| b.is_ascii_alphabetic() || b == b' ')
    })
}

fn announces(own: &str) -> bool {
    ANNOUNCEMENTS.iter().any(|a| own.starts_with(a))
}

/// Whether an announcement is followed by a reason that is no class of its own: the message is the root then.
fn tells_more(own: &str) -> bool {
    let Some(rest) = own.strip_prefix("Job aborted due to stage failure:") else {
        return false;
    };
    let rest = rest.trim();
    match rest.find("executor") {
        _ if !rest.starts_with("Task ") => !rest.is_empty(),
        // Behind `(TID 4) (host executor 5): ` stands what the last attempt died of, where it names no class.
        _ => rest
            .rsplit_once("): ")
            .is_some_and(|(_, reason)| !reason.trim().is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Place, Symbol};

    fn throwable(relation: Relation, language: Language, class: &str, message: &str) -> Throwable {
        Throwable {
            relation,
            language,
            class: Symbol::new(class),
            message: message.into(),
            own: message.len(),
            place: Place::NOWHERE,
            text: "".into(),
            frames: vec![],
        }
    }

    #[test]
    fn an_empty_deepest_cause_gives_way() {
        use Language::{Jvm, Python};
        let jvm = |class, message| throwable(Relation::CausedBy, Jvm, class, message);
        assert_eq!(
            root(&[
                jvm(
                    "org.x.QueryExecutionException",
                    "Parquet column cannot be converted"
                ),
                jvm("org.x.SchemaColumnConvertNotSupportedException", "")
            ]),
            0
        );
        assert_eq!(
            root(&[
                jvm("o.SparkException", "Job aborted."),
                jvm("java.io.IOException", "No space left on device")
            ]),
            1
        );
        assert_eq!(
            root(&[
                jvm("o.SparkException", "Job aborted."),
                jvm("java.lang.NullPointerException", "")
            ]),
            1
        );
        assert_eq!(
            root(&[
                jvm(
                    "o.SparkException",
                    "Python worker exited unexpectedly (crashed)"
                ),
                jvm("java.io.EOFException", "")
            ]),
            0
        );
        let worker = throwable(Relation::Worker, Python, "ValueError", "m");
        assert_eq!(
            root(&[
                jvm("o.PythonException", ""),
                worker,
                jvm("java.io.EOFException", "")
            ]),
            1
        );
    }
}
