//! In: lines about the run as a whole. Out: [`RunLine`]s: which Spark, which application, how it ended.

use crate::text::pattern;
use aho_corasick::AhoCorasick;
use regex::Regex;
use std::sync::LazyLock;

/// What a line tells of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunLine {
    /// Spark's version.
    Version(String),
    /// Scala's version.
    Scala(String),
    /// The application's id.
    AppId(String),
    /// The application's name.
    AppName(String),
    /// The master's address.
    Master(String),
    /// The driver itself runs the tasks: local mode.
    InDriver,
    /// The application is at work: the cluster manager says so, a shell answered a statement, or a job has finished.
    Running,
    /// The context is being stopped, by a shutdown hook or by the program.
    Stopping,
    /// A signal arrived at the driver: `TERM`.
    Signal(String),
    /// The cluster manager's last word: whether it went well.
    Ended {
        /// Whether it succeeded; `None` where it was killed.
        succeeded: Option<bool>,
        /// What it gives as the reason; empty where nothing.
        reason: String,
    },
    /// A process around the run ended with a code.
    Exit(i32),
    /// A setting that the submit command gives: key and value.
    Setting(String, String),
}

impl RunLine {
    /// Whether something ends, or has ended.
    pub fn ends(&self) -> bool {
        matches!(
            self,
            Self::Stopping | Self::Signal(_) | Self::Ended { .. } | Self::Exit(_)
        )
    }
}

static VERSION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"Running Spark version (\d+\.\d+[\w.\-]*)").expect("a valid pattern")
});
static BANNER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^\s*/_+/.*version (\d+\.\d+[\w.\-]*)\s*$").expect("a valid pattern")
});
static SCALA: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"[Uu]sing Scala version (\d\.\d+)").expect("a valid pattern"));
static JARS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"spark-core_(\d\.\d+)-(\d+\.\d+\.\d+)").expect("a valid pattern"));
static APP_ID: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\b(application_\d{10,}_\d{3,}|app-\d{14}-\d{4}|local-\d{13}|spark-[0-9a-f]{32})\b")
        .expect("a valid pattern")
});
static FINAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)(?:Final app status: |final status: |final state: |with state )(\w+)(?:.*?\(reason: (.*))?").expect("a valid pattern")
});
/// The state in which Livy shows a session that is over.
static LIVY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"^\s*"state" ?: ?"(?:dead|killed|error)""#).expect("a valid pattern")
});
static EXIT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)(?:^\S+ exited with code|^Command exited with return code|Process completed with exit code|^\s*exit code:|Main class exited with code|exited with status|Child process exited with code|^exit status|waitProcessCompletion ended with exit code|Step failed with exitCode) ?(\d+)").expect("a valid pattern")
});

/// Words one of which stands in every line that tells something, but for a shell's answer.
static TELLING: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::new([
        "ersion",
        "spark-",
        "application_",
        "app-2",
        "local-1",
        "Submitted application: ",
        "--master ",
        "Starting executor ID driver",
        "SparkSubmit",
        "Invoking stop() from shutdown hook",
        "SparkContext is stopping",
        "stopped SparkContext",
        "Shutdown hook called",
        "RECEIVED SIGNAL ",
        "tatus",
        "tate",
        "exit",
    ])
    .expect("a few words fit into an automaton")
});

/// What `message` tells of the run; often nothing, sometimes several things.
pub(super) fn read(message: &str, out: &mut Vec<RunLine>) {
    if !message.starts_with("res") && !TELLING.is_match(message) {
        return;
    }
    read_closely(message, out);
}

fn read_closely(message: &str, out: &mut Vec<RunLine>) {
    let take = |found: Option<regex::Captures<'_>>| found.map(|f| f[1].to_owned());
    if message.contains("ersion") {
        out.extend(
            take(
                VERSION
                    .captures(message)
                    .or_else(|| BANNER.captures(message)),
            )
            .map(RunLine::Version),
        );
        out.extend(take(SCALA.captures(message)).map(RunLine::Scala));
    }
    if message.contains("spark-core_")
        && let Some(found) = JARS.captures(message)
    {
        out.push(RunLine::Scala(found[1].to_owned()));
        out.push(RunLine::Version(found[2].to_owned()));
    }
    if ["application_", "app-2", "local-1", "spark-"]
        .iter()
        .any(|p| message.contains(p))
    {
        // The folder of a container, in the path of a file, may stand in whatever somebody cut out.
        let id = APP_ID.find(message);
        let id = id.filter(|id| !message[..id.start()].ends_with("appcache/"));
        out.extend(id.map(|id| RunLine::AppId(id.as_str().to_owned())));
    }
    if let Some(name) = message.strip_prefix("Submitted application: ") {
        out.push(RunLine::AppName(name.trim().to_owned()));
    }
    if let Some(at) = message.find("--master ") {
        out.extend(
            message[at + 9..]
                .split_whitespace()
                .next()
                .map(|m| RunLine::Master(m.trim_matches('"').to_owned())),
        );
    }
    if message.starts_with("Starting executor ID driver") {
        out.push(RunLine::InDriver);
    }
    if message.contains("spark-submit") || message.contains("SparkSubmit") {
        settings(message, out);
    }
    if message.starts_with("Invoking stop() from shutdown hook")
        || message.starts_with("SparkContext is stopping")
        || message.starts_with("Successfully stopped SparkContext")
        || message.starts_with("Shutdown hook called")
    {
        out.push(RunLine::Stopping);
    }
    let shell_answers = || {
        let (_, rest) = message.strip_prefix("res")?.split_once(": ")?;
        rest.split_once(" = ")
    };
    if message.contains("(state: RUNNING)") || shell_answers().is_some() {
        out.push(RunLine::Running);
    }
    if let Some(signal) = message.strip_prefix("RECEIVED SIGNAL ") {
        out.push(RunLine::Signal(signal.trim().to_owned()));
    }
    // A standalone worker tells of an executor's end in the same words.
    let of_executor = message.contains("Executor ") && message.contains(" finished with state ");
    if !of_executor
        && ["tatus", "tate"].iter().any(|w| message.contains(w))
        && let Some(found) = FINAL.captures(message)
    {
        let succeeded = match found[1].to_ascii_uppercase().as_str() {
            "SUCCEEDED" | "FINISHED" | "COMPLETED" => Some(Some(true)),
            "FAILED" | "ERROR" => Some(Some(false)),
            "KILLED" => Some(None),
            _ => None,
        };
        if let Some(succeeded) = succeeded {
            out.push(RunLine::Ended {
                succeeded,
                reason: found.get(2).map_or(String::new(), |r| {
                    r.as_str().trim_end_matches(')').to_owned()
                }),
            });
        }
    }
    if message.contains("\"state\"") && LIVY.is_match(message) {
        out.push(RunLine::Ended {
            succeeded: Some(false),
            reason: String::new(),
        });
    }
    if message.contains("exit")
        && let Some(found) = EXIT.captures(message)
    {
        out.extend(found[1].parse().ok().map(RunLine::Exit));
    }
}

/// Options of spark-submit that stand for settings.
const OPTIONS: &[(&str, &str)] = &[
    ("--deploy-mode", "spark.submit.deployMode"),
    ("--driver-cores", "spark.driver.cores"),
    ("--driver-memory", "spark.driver.memory"),
    ("--executor-memory", "spark.executor.memory"),
    ("--executor-cores", "spark.executor.cores"),
    ("--num-executors", "spark.executor.instances"),
    ("--packages", "spark.jars.packages"),
    ("--queue", "spark.yarn.queue"),
    ("--total-executor-cores", "spark.cores.max"),
];
/// Settings of one command that are kept.
const SETTINGS_CAP: usize = 200;

/// The settings of a submit command; an option without a value, or one that goes on behind a quote, is left out.
fn settings(message: &str, out: &mut Vec<RunLine>) {
    let quotes = ['"', '\'', ',', '[', ']'];
    let mut words = message
        .split_whitespace()
        .map(|word| word.trim_matches(quotes));
    let mut found = 0;
    while let Some(word) = words.next() {
        // `--conf=a=b` says what `--conf a=b` does.
        let (word, joined) = match word.split_once('=') {
            Some((option, value)) if option.starts_with("--") => (option, Some(value)),
            _ => (word, None),
        };
        let option = OPTIONS.iter().find(|(option, _)| *option == word);
        let mut value =
            || joined.map_or_else(|| words.next(), |value| Some(value.trim_matches(quotes)));
        let setting = match (word, option) {
            ("--conf" | "-c", _) => value().and_then(|word| word.split_once('=')),
            (_, Some((_, key))) => value().map(|value| (*key, value)),
            _ => None,
        };
        if let Some((key, value)) = setting
            && key.starts_with("spark.")
            && !value.is_empty()
            && !value.starts_with("--")
            && found < SETTINGS_CAP
        {
            found += 1;
            out.push(RunLine::Setting(key.to_owned(), value.to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_submit_command_tells_its_settings() {
        let told = check(
            "+ spark-submit --conf spark.sql.broadcastTimeout=1 --executor-memory 4g --conf 'spark.x=a' job.py",
        );
        let setting = |key: &str, value: &str| RunLine::Setting(key.into(), value.into());
        assert_eq!(
            told,
            [
                setting("spark.sql.broadcastTimeout", "1"),
                setting("spark.executor.memory", "4g"),
                setting("spark.x", "a"),
            ]
        );
        assert_eq!(
            check("['spark-submit', '--conf=spark.x=a', '--executor-memory=4g', '--queue', 'etl']"),
            [
                setting("spark.x", "a"),
                setting("spark.executor.memory", "4g"),
                setting("spark.yarn.queue", "etl"),
            ]
        );
        assert_eq!(check("spark-submit --executor-memory --conf"), []);
        assert_eq!(check("the words --conf spark.x=1 alone"), []);
    }

    fn check(text: &str) -> Vec<RunLine> {
        let mut out = Vec::new();
        read(text, &mut out);
        out
    }

    #[test]
    fn the_telling_words_stand_in_every_line_that_tells() {
        let all = |text: &str| {
            let mut out = Vec::new();
            read_closely(text, &mut out);
            out
        };
        for line in [
            "Running Spark version 3.5.1",
            "Using Scala version 2.12",
            "spark-core_2.12-3.5.1.jar",
            "application_1700000000000_0042",
            "app-20240102030405-0000",
            "local-1700000000000",
            "spark-0123456789abcdef0123456789abcdef",
            "Submitted application: x",
            "--master yarn",
            "Starting executor ID driver on host 10.0.0.7",
            "org.apache.spark.deploy.SparkSubmit --conf spark.x=1",
            "Invoking stop() from shutdown hook",
            "SparkContext is stopping with exitCode 0.",
            "Successfully stopped SparkContext",
            "Shutdown hook called",
            "res4: Long = 5",
            "Application report (state: RUNNING)",
            "RECEIVED SIGNAL TERM",
            "Final app status: FAILED",
            "with state KILLED",
            "Command exited with return code 1",
            "\"state\": \"dead\"",
        ] {
            assert!(!all(line).is_empty(), "{line}");
            assert_eq!(check(line), all(line), "{line}");
        }
    }

    #[test]
    fn the_run_introduces_itself() {
        assert_eq!(
            check("Running Spark version 3.5.1"),
            [RunLine::Version("3.5.1".into())]
        );
        assert_eq!(
            check("   /___/ .__/\\_,_/_/ /_/\\_\\   version 3.4.0"),
            [RunLine::Version("3.4.0".into())]
        );
        assert_eq!(check("res4: Long = 5"), [RunLine::Running]);
        assert_eq!(
            check("Submitted application: orders"),
            [RunLine::AppName("orders".into())]
        );
    }

    #[test]
    fn the_run_ends() {
        let ended = check(
            "Final app status: FAILED, exitCode: 15, (reason: User class threw exception: a.B: m)",
        );
        assert!(
            matches!(&ended[..], [RunLine::Ended { succeeded: Some(false), reason }] if reason.starts_with("User class"))
        );
        let executor =
            "Executor app-20240102030405-0000/1 finished with state KILLED exitStatus 143";
        assert!(
            !check(executor)
                .iter()
                .any(|line| matches!(line, RunLine::Ended { .. }))
        );
        assert_eq!(check("docker_job_1 exited with code 1"), [RunLine::Exit(1)]);
        assert_eq!(
            check("RECEIVED SIGNAL TERM"),
            [RunLine::Signal("TERM".into())]
        );
    }
}
