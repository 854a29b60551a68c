//! In: lines that say what happened without naming an exception. Out: [`Said`]: how much such a line is worth.
//!
//! A container that was killed, a JVM that would not start, a job that nobody gives resources: the answer
//! is in plain words, and often at INFO.

use aho_corasick::{AhoCorasick, MatchKind};
use std::sync::LazyLock;

/// How much a line without an exception is worth as a cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Weight {
    /// It says that something is wrong, not what: it gives way to anything that says more.
    Symptom,
    /// It waits for something that does not come.
    Waiting,
    /// It says what happened.
    Cause,
}

/// Where in the run such a line belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stand {
    /// Machines, containers, schedulers.
    Cluster,
    /// Before there was a session.
    Launch,
    /// A worker's or a JVM's native crash.
    Native,
    /// A service around Spark that says no more than that the run has failed.
    Service,
    /// The program's own output.
    Program,
    /// A statement's error, as SQL shells print it: without its class.
    Statement,
}

/// What a line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Said {
    /// Its worth.
    pub weight: Weight,
    /// Where it belongs.
    pub stand: Stand,
    /// The name that the field has for it, where it has one; else empty.
    pub class: &'static str,
}

impl Said {
    /// That something failed, which the field has no name for.
    pub const fn symptom(stand: Stand) -> Self {
        Self {
            weight: Weight::Symptom,
            stand,
            class: "",
        }
    }

    /// Whether `text`, which says this, only begins what the line below it tells: `… failed with error:`.
    pub(super) fn is_heading(self, text: &str) -> bool {
        let text = text.trim_end();
        self.weight == Weight::Symptom && text.ends_with("error:")
            || self.stand == Stand::Statement && text.ends_with(')') && text.contains(OF_DBT)
    }
}

/// What dbt says of the model, the test or the seed whose statement failed; the statement's error stands below.
const OF_DBT: &str = " Error in ";

use Stand::{Cluster, Launch, Native, Service, Statement};
use Weight::{Cause, Symptom, Waiting};

/// The words, with what they are worth. Matched without regard to what stands around them.
const WORDS: &[(&str, Weight, Stand)] = &[
    // Containers that were killed for their appetite.
    ("Container killed by YARN for exceeding", Cause, Cluster),
    ("is running beyond physical memory limits", Cause, Cluster),
    ("is running beyond virtual memory limits", Cause, Cluster),
    ("beyond the 'PHYSICAL' memory limit", Cause, Cluster),
    ("beyond the 'VIRTUAL' memory limit", Cause, Cluster),
    ("OOMKilled", Cause, Cluster),
    ("Out of memory: Kill", Cause, Cluster),
    ("Memory cgroup out of memory", Cause, Cluster),
    ("possible container OOM", Symptom, Cluster),
    // A shell's word on a process that got SIGKILL, padded as shells pad it.
    ("Killed              ", Cause, Cluster),
    // Somebody's own doing.
    ("was killed by user ", Cause, Cluster),
    // Machines that went away.
    ("Container released on a *lost* node", Cause, Cluster),
    ("was preempted", Cause, Cluster),
    ("preempted by scheduler", Cause, Cluster),
    ("Executor decommission", Symptom, Cluster),
    ("The node was low on resource", Cause, Cluster),
    ("node(s) had", Symptom, Cluster),
    ("DiskPressure", Cause, Cluster),
    ("local-dirs are bad", Cause, Cluster),
    ("ephemeral-storage", Cause, Cluster),
    // Nothing granted, nobody there.
    (
        "Initial job has not accepted any resources",
        Waiting,
        Cluster,
    ),
    ("FailedScheduling", Waiting, Cluster),
    ("forbidden: exceeded quota", Waiting, Cluster),
    (" to unknown queue: ", Cause, Launch),
    ("cannot submit applications to queue", Cause, Launch),
    ("Insufficient memory", Waiting, Cluster),
    ("Insufficient cpu", Waiting, Cluster),
    ("ImagePullBackOff", Cause, Launch),
    ("ErrImagePull", Cause, Launch),
    ("ErrImageNeverPull", Cause, Launch),
    ("CreateContainerConfigError", Cause, Launch),
    ("InvalidImageName", Cause, Launch),
    ("AM resource limit exceeded", Waiting, Launch),
    (
        "is added to the scheduler and is not yet activated",
        Waiting,
        Launch,
    ),
    ("waiting for AM container to be allocated", Waiting, Launch),
    (
        "waiting for resources to be assigned for AM",
        Waiting,
        Launch,
    ),
    ("Shutdown hook called before final status", Symptom, Cluster),
    ("Call exception, tries=", Waiting, Cluster),
    ("Retrying connect to server: ", Waiting, Launch),
    ("due to AM Container for", Symptom, Cluster),
    ("JVM is not ready after", Cause, Launch),
    ("Error from server (", Cause, Launch),
    ("session could not be created", Symptom, Launch),
    ("All masters are unresponsive", Cause, Launch),
    ("Application has been killed. Reason:", Symptom, Cluster),
    ("Master removed our application", Symptom, Cluster),
    ("Max number of executor failures", Symptom, Cluster),
    (
        "cannot run anywhere due to node and executor",
        Symptom,
        Cluster,
    ),
    ("Error running executor:", Cause, Cluster),
    ("exited with exit code ", Symptom, Cluster),
    ("Command exited with code ", Symptom, Cluster),
    ("Executor heartbeat timed out", Symptom, Cluster),
    ("disassociated! Shutting down", Symptom, Cluster),
    ("no recent heartbeats", Symptom, Cluster),
    ("Terminate Driver JVM because it runs after", Cause, Cluster),
    ("SPOT_INSTANCE_TERMINATION", Cause, Cluster),
    ("InvalidHttpRequestToLivy", Cause, Launch),
    ("TooManyRequestsForCapacity", Cause, Launch),
    ("COMPUTE_CAPACITY_EXCEEDED", Cause, Cluster),
    ("The system cannot find the path specified", Symptom, Launch),
    (
        "Failed while connecting to sparklyr to port",
        Symptom,
        Launch,
    ),
    ("Gateway in localhost:", Cause, Launch),
    // Services that started it.
    ("spark driver has stopped unexpectedly", Symptom, Service),
    ("Python kernel is unresponsive", Symptom, Service),
    ("Python process exited with exit code", Symptom, Service),
    ("Agent reports job failure", Symptom, Service),
    ("\"State\": \"FAILED\"", Symptom, Service),
    ("\"result_state\": \"FAILED\"", Symptom, Service),
    ("\"State\": \"TERMINATED_WITH_ERRORS\"", Symptom, Service),
    ("returned a non-zero return code", Symptom, Launch),
    ("Library installation failed for library", Cause, Launch),
    ("Step failed with exitCode", Symptom, Service),
    ("ERROR: (gcloud.", Symptom, Service),
    ("Task not acquired", Symptom, Service),
    ("Task was not acquired", Symptom, Service),
    ("Livy session has failed", Symptom, Service),
    ("Session isn't active", Symptom, Service),
    ("LIVY_JOB_STATE_", Symptom, Service),
    ("Invalid status code '", Symptom, Service),
    (
        "Error sending http request and maximum retry",
        Symptom,
        Service,
    ),
    ("*** FAILED ***", Symptom, Service),
    ("Job failed during run time with state", Symptom, Service),
    ("No YARN application is found with tag", Symptom, Service),
    ("unexpectedly reached final status", Symptom, Service),
    ("Glue job failed", Symptom, Service),
    ("Command failed with exit code", Symptom, Service),
    ("Job run failed. ", Symptom, Service),
    ("Error Category: ", Symptom, Service),
    ("Execution Error, return code ", Symptom, Service),
    ("driver container failed with ExitCode", Symptom, Service),
    (
        "failed to run spark-submit for SparkApplication",
        Symptom,
        Service,
    ),
    ("The code failed because of a fatal error", Symptom, Service),
    (
        "Training Task Failed during XGBoost Training",
        Symptom,
        Service,
    ),
    ("Failing Oozie Launcher", Symptom, Service),
    // What dbt sends to Spark.
    ("Database Error in model ", Cause, Statement),
    ("Database Error in snapshot ", Cause, Statement),
    ("Database Error in seed ", Cause, Statement),
    ("Database Error in test ", Cause, Statement),
    ("Runtime Error in model ", Cause, Statement),
    ("Runtime Error in snapshot ", Cause, Statement),
    // What a table format answers, where its class was left out.
    ("as multiple source rows", Cause, Statement),
    // JVMs that would not start.
    ("Unrecognized VM option", Cause, Launch),
    ("Unrecognized option:", Cause, Launch),
    ("Invalid maximum heap size", Cause, Launch),
    ("Invalid initial heap size", Cause, Launch),
    (
        "Initial heap size set to a larger value than the maximum heap size",
        Cause,
        Launch,
    ),
    ("Too small maximum heap", Cause, Launch),
    ("Too small initial heap", Cause, Launch),
    ("Could not reserve enough space for", Cause, Launch),
    ("Conflicting collector combinations", Cause, Launch),
    ("Multiple garbage collectors selected", Cause, Launch),
    (
        "Error opening zip file or JAR manifest missing",
        Cause,
        Launch,
    ),
    ("Could not create the Java Virtual Machine", Symptom, Launch),
    ("JAVA_HOME is not set", Cause, Launch),
    ("java: not found", Cause, Launch),
    ("java' is not recognized as an internal", Cause, Launch),
    ("java\"' is not recognized as an internal", Cause, Launch),
    ("java: command not found", Cause, Launch),
    ("java: No such file or directory", Cause, Launch),
    ("Error: Could not find or load main class", Cause, Launch),
    ("Error: Failed to load class", Cause, Launch),
    ("Error: Main method not found", Cause, Launch),
    ("load main class from JAR", Cause, Launch),
    ("Error: Missing application resource", Cause, Launch),
    ("Error: Must specify a primary resource", Cause, Launch),
    ("Error: Unrecognized option", Cause, Launch),
    ("Error: Not allowed to specify max heap", Cause, Launch),
    ("Error: Library directory '", Cause, Launch),
    ("Error: Invalid properties file", Cause, Launch),
    ("Error: Invalid argument to --", Cause, Launch),
    ("Error: Missing argument for option", Cause, Launch),
    ("Error: Unknown arguments", Cause, Launch),
    ("Error: Only one of --", Cause, Launch),
    ("Error: Driver memory must", Cause, Launch),
    ("Error: Executor memory must", Cause, Launch),
    ("Error: Executor cores must", Cause, Launch),
    ("Error: Total executor cores must", Cause, Launch),
    ("Error: Number of executors must", Cause, Launch),
    ("Error: App arguments supplied", Cause, Launch),
    ("Error: Unable to access jarfile", Cause, Launch),
    ("Error: Invalid or corrupt jarfile", Cause, Launch),
    ("Error: Master must either be", Cause, Launch),
    ("Error: Cluster deploy mode", Cause, Launch),
    ("python3: can't open file", Cause, Launch),
    ("python: can't open file", Cause, Launch),
    ("python3: No such file or directory", Cause, Launch),
    ("python3: not found", Cause, Launch),
    ("UNRESOLVED DEPENDENCIES", Symptom, Launch),
    ("unresolved dependency:", Cause, Launch),
    // Crashes below the languages.
    (
        "A fatal error has been detected by the Java Runtime Environment",
        Symptom,
        Native,
    ),
    ("SIGSEGV (0x", Cause, Native),
    ("SIGBUS (0x", Cause, Native),
    ("SIGABRT (0x", Cause, Native),
    ("Internal Error (", Cause, Native),
    (
        "There is insufficient memory for the Java Runtime Environment",
        Cause,
        Cluster,
    ),
    ("Fatal Python error:", Cause, Native),
];

/// Words that are themselves the name of what happened.
const NAMES: &[&str] = &[
    "OOMKilled",
    "ImagePullBackOff",
    "ErrImagePull",
    "ErrImageNeverPull",
    "CreateContainerConfigError",
    "FailedScheduling",
];

static MATCHER: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostFirst)
        .build(WORDS.iter().map(|(word, ..)| word))
        .expect("a few short words")
});

/// What `text` says, where it says anything of this kind: the weightiest of its words.
pub(crate) fn said(text: &str) -> Option<Said> {
    if sums_up_a_test(text) {
        return Some(Said {
            weight: Cause,
            stand: Stand::Program,
            class: "",
        });
    }
    MATCHER
        .find_iter(text)
        .map(|found| WORDS[found.pattern().as_usize()])
        .max_by_key(|(_, weight, _)| *weight)
        .map(|(word, weight, stand)| Said {
            weight,
            stand,
            class: NAMES
                .iter()
                .find(|name| **name == word)
                .copied()
                .unwrap_or(""),
        })
}

/// The sentence that a member of an object in JSON holds, on a line of its own: the name tells nothing more of it.
pub(crate) fn sentence_of_member(text: &str) -> Option<&str> {
    let (_, value) = text.strip_prefix('"')?.split_once("\": \"")?;
    let value = value.trim_end_matches(',');
    let value = value.strip_suffix('"').unwrap_or(value);
    value.contains(' ').then_some(value)
}

/// Whether a line sums up a test that an exception ended.
fn sums_up_a_test(text: &str) -> bool {
    failed_test(text).is_some()
}

/// The exception that ended a test, and what it said, of the line in which the test's runner sums it up: pytest's
/// `FAILED tests/a.py::test_b - c.DError: …`, or Surefire's `ATest.b:40 » D …`, which shows a name without its end.
pub(crate) fn failed_test(text: &str) -> Option<(&str, &str)> {
    let of_maven = text.strip_prefix("[ERROR]").unwrap_or(text);
    if let Some((test, why)) = of_maven.trim_start().split_once(" » ") {
        let (method, line) = test.split_once(':')?;
        let line = line.split("->").next()?;
        let told = method.contains('.')
            && !test.contains(' ')
            && !line.is_empty()
            && line.bytes().all(|b| b.is_ascii_digit());
        return told.then_some(("", why.trim()));
    }
    let rest = ["FAILED ", "ERROR "]
        .iter()
        .find_map(|word| text.strip_prefix(word))?;
    let (test, why) = rest.split_once(" - ")?;
    let (class, message) = why.split_once(':').unwrap_or((why, ""));
    let of_test = test.contains("::")
        && (class.ends_with("Exception") || class.ends_with("Error") && class != "AssertionError");
    of_test.then(|| (class, message.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weightiest_words_count() {
        let said = said("ERROR YarnScheduler: Lost executor 3 on h: Container killed by YARN for exceeding memory limits. 9.1 GB of 9 GB").expect("said");
        assert_eq!((said.weight, said.stand), (Cause, Cluster));
        assert_eq!(super::said("INFO DAGScheduler: Got job 1"), None);
        assert!(sums_up_a_test(
            "FAILED tests/test_tides.py::test_ebb - KeyError: 'ebb'"
        ));
        assert!(!sums_up_a_test(
            "FAILED tests/test_tides.py::test_ebb - AssertionError: assert 3 == 4"
        ));
        assert!(!sums_up_a_test("ERROR Tides: low water - KeyError: 'ebb'"));
        assert_eq!(
            failed_test("  TideTest.ebb:40->read:7 » IllegalArgument no gauge"),
            Some(("", "IllegalArgument no gauge"))
        );
        assert_eq!(failed_test("Tides » low water"), None);
    }
}
