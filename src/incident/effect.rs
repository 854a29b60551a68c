//! In: what was thrown or said. Out: whether it can only be an effect of something else.

use super::wrapper;
use crate::fact::{self, Throwable, Weight};

/// Classes that are thrown because something else is gone.
const EFFECT_CLASSES: &[&str] = &[
    "FetchFailedException",
    "MetadataFetchFailedException",
    "ExecutorDeadException",
    "Py4JNetworkError",
    "RejectedExecutionException",
    "TaskKilledException",
    "InterruptedException",
    "ClosedChannelException",
    "StacklessClosedChannelException",
    "ClosedByInterruptException",
    "EOFException",
    "RpcEnvStoppedException",
    "RpcEndpointNotFoundException",
    "TaskResultLost",
    "CommitDeniedException",
    "AlreadyBeingCreatedException",
    "AirflowException",
];

/// Words of messages that tell of an end, not of its reason.
const EFFECT_WORDS: &[&str] = &[
    "cancelled because",
    "cancelled part of cancelled job group",
    "SparkContext was shut down",
    "stopped SparkContext",
    "on a running MetricsSystem",
    "LiveListenerBus is stopped",
    "Answer from Java side is empty",
    "Error while sending or receiving",
    "Error while obtaining a new communication channel",
    "Connection reset by peer",
    ": io.netty.channel.StacklessClosedChannelException",
    ": java.nio.channels.ClosedChannelException",
    "Broken pipe",
    "Stream closed",
    "Stage cancelled",
    "another attempt succeeded",
    "has failed the maximum allowable number of times",
    "Missing an output location for shuffle",
    "Could not find CoarseGrainedScheduler",
    "RpcEnv already stopped",
    "Managed memory leak detected",
    "Remote RPC client disassociated",
    "Executor self-exiting",
    "Executor killed by driver",
    "ExecutorLostFailure",
    "Slave lost",
    "Executor Process Lost",
    "Max number of executor failures",
    "User application exited with status",
    "finished with failed status",
    "details = \"Socket closed\"",
    "Uncaught exception in thread",
    "Yarn application has already ended",
    "during shutdown",
    "Java gateway process exited",
    "JAVA_GATEWAY_EXITED",
    "Filesystem closed",
    "Block broadcast_",
    "SparkEnv$.get()\" is null",
    "SparkEnv.get()\" is null",
    "FetchFailed(",
    "worker lost",
    "TaskResultLost (",
    "JVM method execution failed",
    "Workload failed, see run output",
    "Child process exited with code",
    "Session is in state ",
];

/// The scheduler's name for what ended an attempt whose executor went away.
pub(super) const LOST_EXECUTOR: &str = "ExecutorLostFailure";

/// Statuses by which YARN tells why it ended a container: a lost node, full disks, pre-emption, memory …
const TELLING_STATUSES: &[i32] = &[-100, -101, -102, -103, -104, -106, -108, -109];

/// Whether words say what a container or a machine died of, and not only that it did.
pub(super) fn names_a_cause(text: &str) -> bool {
    fact::said(text).is_some_and(|said| said.weight == Weight::Cause)
        || fact::exit_code(text).is_some_and(|code| TELLING_STATUSES.contains(&code))
}

/// Whether a throwable by its own words comes of a JVM that stops, whether or not that was logged.
pub(super) fn is_of_shutdown(throwable: &Throwable) -> bool {
    [
        "during shutdown",
        "Shutdown in progress",
        "RpcEnv already stopped",
    ]
    .iter()
    .any(|words| throwable.message.contains(words))
}

/// Whether a throwable only tells that somebody waited in vain: for what, died or stood still before.
pub(super) fn only_waited(throwable: &Throwable) -> bool {
    matches!(
        throwable.short_class(),
        "TimeoutException" | "RpcTimeoutException"
    ) || [
        "Futures timed out",
        "Could not execute broadcast in",
        "Timeout waiting for",
    ]
    .iter()
    .any(|words| throwable.message.contains(words))
}

/// Whether a throwable can only be an effect: it gives way to anything that happened before it and says more.
pub(super) fn is_effect(throwable: &Throwable) -> bool {
    let class = throwable.short_class();
    if wrapper::ends_early(throwable) {
        return false;
    }
    // Who ended the application is told by YARN, its client only that somebody did.
    if names_a_kill(throwable) {
        return !throwable.message.contains(BY_USER);
    }
    if EFFECT_CLASSES.contains(&class) || !wrapper::says_something(throwable) {
        return true;
    }
    // What the scheduler says of a lost executor is as good as the reason it gives in the same line.
    if class == LOST_EXECUTOR {
        return !names_a_cause(throwable.message.lines().next().unwrap_or(""));
    }
    // A refused connection is an effect only where Spark's own parts or the bridge talk to each other.
    let head: String = throwable.message.chars().take(600).collect();
    if head.contains("Connection refused") || head.contains("Failed to connect to") {
        return class == "ConnectionRefusedError" && speaks_py4j(throwable)
            || head.contains("RPC")
            || speaks_spark_network(throwable);
    }
    says_effect(&head)
}

/// YARN's words on an application that a person ended.
const BY_USER: &str = "was killed by user ";

/// Whether it says that a person ended the application, and who.
pub(super) fn names_who_ended_it(throwable: &Throwable) -> bool {
    throwable.message.contains(BY_USER)
}

/// Whether what was said or thrown tells of an application that somebody ended, as YARN and its client say it.
pub(super) fn names_a_kill(throwable: &Throwable) -> bool {
    let told = throwable.message.lines().next().unwrap_or("").trim_end();
    told.contains(BY_USER)
        || told.contains("unexpectedly with state KILLED")
        || told.contains("pplication application_")
            && (told.ends_with("is killed") || told.ends_with("finished with killed status"))
}

/// Whether a line only names the state in which an application ended, as YARN's report does.
pub(super) fn names_a_state(throwable: &Throwable) -> bool {
    throwable.message.trim().starts_with("final status:")
}

/// Whether words can only tell of an effect.
pub(super) fn says_effect(text: &str) -> bool {
    EFFECT_WORDS.iter().any(|word| text.contains(word))
}

/// Whether it is the word of a Spark Connect client whose server did not answer.
pub(super) fn is_unanswered_connect(throwable: &Throwable) -> bool {
    const CLASSES: [&str; 3] = [
        "SparkConnectGrpcException",
        "_MultiThreadedRendezvous",
        "_InactiveRpcError",
    ];
    CLASSES.contains(&throwable.short_class())
        && throwable.message.contains("StatusCode.UNAVAILABLE")
}

/// Whether a throwable is the bridge's word on a call that got no answer: one that the JVM refused brings the JVM's trace.
pub(super) fn is_unanswered_call(throwable: &Throwable) -> bool {
    throwable.short_class() == "Py4JError"
        && throwable
            .message
            .starts_with("An error occurred while calling ")
        && !throwable.message.contains("Trace:")
}

/// Whether words are the bridge's own about a JVM that does not answer.
pub(super) fn speaks_to_bridge(text: &str) -> bool {
    text.contains("py4j") && text.contains("Connection refused")
}

/// Whether a chain tells of a fetch from an executor that could not be reached: whatever the network said at
/// the bottom of it, the executor's end came before.
pub(super) fn fetch_of_lost(chain: &[Throwable]) -> bool {
    const UNREACHABLE: &[&str] = &[
        "ConnectException",
        "AnnotatedConnectException",
        "NoRouteToHostException",
        "UnknownHostException",
        "SocketException",
        "SocketTimeoutException",
        "TimeoutException",
        "ClosedChannelException",
        "NativeIoException",
        "FetchFailedException",
    ];
    let last = chain.last();
    chain.iter().any(|t| {
        matches!(
            t.short_class(),
            "FetchFailedException" | "MetadataFetchFailedException"
        )
    }) && last.is_some_and(|t| {
        UNREACHABLE.contains(&t.short_class())
            || [
                "Failed to connect to",
                "Connection from ",
                "Connection reset",
                "Broken pipe",
            ]
            .iter()
            .any(|words| t.message.contains(words))
    })
}

/// Whether a message speaks of the executor with this id.
pub(super) fn names_executor(message: &str, id: &str) -> bool {
    message.match_indices("executor ").any(|(at, word)| {
        let rest = &message[at + word.len()..];
        rest.strip_prefix(id)
            .is_some_and(|after| !after.starts_with(|c: char| c.is_ascii_alphanumeric()))
    })
}

fn speaks_py4j(throwable: &Throwable) -> bool {
    throwable.frames.iter().any(|f| f.file.contains("py4j"))
}

fn speaks_spark_network(throwable: &Throwable) -> bool {
    throwable.frames.iter().any(|f| {
        f.class.starts_with("org.apache.spark.network.")
            || f.class.starts_with("org.apache.spark.rpc.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::{Language, Relation};
    use crate::text::{Place, Symbol};

    fn jvm(class: &str, message: &str) -> Throwable {
        Throwable {
            relation: Relation::CausedBy,
            language: Language::Jvm,
            class: Symbol::new(class),
            message: message.into(),
            own: message.len(),
            place: Place::NOWHERE,
            text: "".into(),
            frames: vec![],
        }
    }

    #[test]
    fn a_fetch_from_a_lost_executor_is_an_effect_and_one_that_ran_out_of_disk_is_not() {
        let fetch = || {
            jvm(
                "org.apache.spark.shuffle.FetchFailedException",
                "Failed to connect to h/10.0.0.1:7337",
            )
        };
        assert!(fetch_of_lost(&[
            fetch(),
            jvm("java.net.ConnectException", "Connection timed out")
        ]));
        assert!(!fetch_of_lost(&[
            fetch(),
            jvm("java.io.IOException", "No space left on device")
        ]));
        assert!(!fetch_of_lost(&[jvm(
            "java.net.ConnectException",
            "Connection timed out"
        )]));
    }

    #[test]
    fn what_was_sent_into_a_closed_channel_is_an_effect() {
        let closed = "Failed to send RPC RPC 54309 to /10.0.0.7:33612: io.netty.channel.StacklessClosedChannelException";
        assert!(is_effect(&jvm("java.io.IOException", closed)));
        assert!(!is_effect(&jvm(
            "java.io.IOException",
            "Failed to send RPC RPC 54309 to /10.0.0.7:33612: java.io.IOException: No space left on device"
        )));
    }
}
