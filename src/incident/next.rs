//! In: a [`Story`]. Out: to each failure whose cause was not in what was opened, what else to collect
//! ([`Incident::next`]): most telling first, with the command that gets it, ids filled in where the logs told them.

use super::incident::{Evidence, Incident, Role};
use super::stage::Executor;
use super::story::{Outcome, Story};
use super::{attempt::AttemptOutcome, effect};
use crate::text::pattern;
use regex::Regex;
use std::sync::LazyLock;

/// Logs that a person is asked to collect: more are not read.
const CAP: usize = 4;
/// Executors whose logs are asked for: the last ones say as much as all of them.
const EXECUTORS: usize = 2;

/// Services that run Spark for others, by words of theirs, and where each keeps what it does not pass on.
const SERVICES: &[(&[&str], &str)] = &[
    (
        &["SparkConnectGrpcException", "StatusCode."],
        "the Spark Connect server's log at that time: the client only hears that the call failed",
    ),
    (
        &[
            "LIVY",
            "Livy",
            "livy",
            "reached final status",
            "Session isn't active",
        ],
        "the session's own log: curl \"$LIVY_URL/batches/<id>/log?size=2000\" (or /sessions/<id>/log)",
    ),
    (
        &[
            "databricks",
            "Workload failed",
            "spark driver has stopped",
            "Python kernel is unresponsive",
        ],
        "the run's output and its driver's log: databricks jobs get-run-output <run id>, and Driver logs on the page of the cluster; why a cluster ended: databricks clusters events <cluster id>",
    ),
    (
        &[
            "Dataproc",
            "dataproc",
            "Task not acquired",
            "Task was not acquired",
        ],
        "the driver's output: gcloud dataproc jobs wait <job id> --region <region>",
    ),
    (
        &["Glue job failed", "glue"],
        "the job's error log: aws logs tail /aws-glue/jobs/error --log-stream-names <job run id>",
    ),
];

static CONTAINER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\bcontainer_(?:e\d+_)?\d+_\d+_\d+_\d+\b").expect("a valid pattern"));
static APPLICATION: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\bapplication_\d+_\d+\b").expect("a valid pattern"));

/// Who ran the containers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manager {
    Yarn,
    Kubernetes,
    Standalone,
    Unknown,
}

/// Fills in what else to collect where it was not told yet.
pub(super) fn fill(story: &mut Story) {
    let mut incidents = std::mem::take(&mut story.incidents);
    for incident in &mut incidents {
        if incident.role == Role::Fatal && incident.evidence != Evidence::Root {
            let next = collect(incident, story);
            if !next.is_empty() {
                incident.next = next;
            }
        }
    }
    story.incidents = incidents;
}

fn collect(incident: &Incident, story: &Story) -> Vec<String> {
    let mut said = String::new();
    for cause in &incident.chain {
        said.extend([&cause.class, ": ", &*cause.message, "\n"]);
    }
    let says = |words: &[&str]| words.iter().any(|w| said.contains(w));
    let app = story
        .spark
        .app_id
        .as_deref()
        .filter(|id| !id.starts_with("local-"))
        .or_else(|| APPLICATION.find(&said).map(|m| m.as_str()));
    let manager = manager(&said, app, story);
    let mut next = Vec::new();
    if story.outcome == Outcome::Stuck {
        next.extend(waiting(manager, app));
    } else {
        let service = SERVICES.iter().find(|(words, _)| says(words));
        next.extend(service.map(|(_, told)| (*told).to_owned()));
    }
    let lost = lost(incident, story, &said);
    let read = |executor: &&Lost| !story.executor_logs.iter().any(|id| **id == *executor.id);
    let unread = lost.iter().filter(read).take(EXECUTORS);
    next.extend(unread.map(|executor| executor_log(manager, app, executor, &said)));
    if !lost.is_empty()
        && (says(&["137", "143"]) || lost.iter().any(|e| matches!(e.code, Some(137 | 143))))
    {
        next.push(who_killed(manager, lost.first()));
    }
    if lost.is_empty() && story.outcome != Outcome::Stuck {
        if says(&[
            "All masters are unresponsive",
            "Master removed our application",
        ]) {
            next.push("the master's log: $SPARK_HOME/logs/spark-*-org.apache.spark.deploy.master.Master-*.out".to_owned());
        }
        if says(&[
            "Py4JNetworkError",
            "Answer from Java side is empty",
            "JAVA_GATEWAY_EXITED",
            "Java gateway process exited",
        ]) || effect::speaks_to_bridge(&said)
        {
            next.push("what ended the driver's JVM: its own output, hs_err_pid*.log where it ran, and dmesg -T | grep -i 'killed process'".to_owned());
        }
        // The server of a Spark Connect client is its driver.
        if !says(&["SparkConnectGrpcException"]) {
            next.extend(driver_log(manager, app));
        }
    }
    next.dedup();
    next.truncate(CAP);
    next
}

fn manager(said: &str, app: Option<&str>, story: &Story) -> Manager {
    let master = story.spark.master.as_deref().unwrap_or("");
    let reasons = || story.executors.iter().filter_map(|e| e.reason.as_deref());
    let any = |word: &str| said.contains(word) || reasons().any(|r| r.contains(word));
    if app.is_some_and(|id| id.starts_with("application_"))
        || master.starts_with("yarn")
        || any("container_")
        || any("YARN")
    {
        Manager::Yarn
    } else if master.starts_with("k8s")
        || any("The executor with id")
        || [
            "ubernetes",
            "nodes are available",
            "FailedScheduling",
            " pod ",
        ]
        .iter()
        .any(|w| said.contains(w))
        || app.is_some_and(|id| id.starts_with("spark-"))
    {
        Manager::Kubernetes
    } else if master.starts_with("spark://")
        || any("Command exited with code")
        || app.is_some_and(|id| id.starts_with("app-"))
    {
        Manager::Standalone
    } else {
        Manager::Unknown
    }
}

/// An executor that went away.
struct Lost {
    id: String,
    host: Option<String>,
    code: Option<i32>,
    container: Option<String>,
}

/// The executors that the failing task went down with, last first; else those that were lost at all.
fn lost(incident: &Incident, story: &Story, said: &str) -> Vec<Lost> {
    let known = |id: &str| story.executors.iter().find(|e| &*e.id == id);
    let container_of = |executor: Option<&Executor>| {
        executor
            .and_then(|e| e.reason.as_deref())
            .and_then(|r| CONTAINER.find(r))
            .map(|m| m.as_str().to_owned())
    };
    let of_task = incident
        .attempts
        .iter()
        .rev()
        .filter(|a| a.outcome == AttemptOutcome::Lost);
    let mut found: Vec<Lost> = of_task
        .filter_map(|attempt| {
            let id = attempt.executor.as_deref()?;
            Some(Lost {
                id: id.to_owned(),
                host: attempt.host.as_deref().map(str::to_owned),
                code: known(id).and_then(|e| e.exit_code),
                container: container_of(known(id)),
            })
        })
        .collect();
    if found.is_empty() {
        let gone = story.executors.iter().rev().filter(|e| {
            e.reason
                .as_deref()
                .is_some_and(|r| !r.is_empty() && !r.contains("killed by driver"))
                && e.exit_code != Some(0)
                && &*e.id != "driver"
        });
        found.extend(gone.map(|e| Lost {
            id: e.id.to_string(),
            host: e.host.as_deref().map(str::to_owned),
            code: e.exit_code,
            container: container_of(Some(e)),
        }));
    }
    found.dedup_by(|a, b| a.id == b.id);
    if let [only] = &mut found[..]
        && only.container.is_none()
    {
        only.container = CONTAINER.find(said).map(|m| m.as_str().to_owned());
    }
    found
}

fn executor_log(manager: Manager, app: Option<&str>, executor: &Lost, said: &str) -> String {
    let Lost {
        id,
        host,
        code,
        container,
    } = executor;
    let on = host
        .as_ref()
        .map_or_else(String::new, |host| format!(" on {host}"));
    let ended = code.map_or_else(String::new, |code| {
        format!(", which ended with code {code}")
    });
    let of = |app: Option<&str>, placeholder: &str| app.unwrap_or(placeholder).to_owned();
    match manager {
        Manager::Yarn => {
            let app = app
                .map(str::to_owned)
                .or_else(|| APPLICATION.find(said).map(|m| m.as_str().to_owned()));
            format!(
                "executor {id}'s stderr{on}{ended}: yarn logs -applicationId {} -containerId {}",
                of(app.as_deref(), "<application id>"),
                container.as_deref().unwrap_or("<its container>"),
            )
        }
        Manager::Kubernetes => format!(
            "executor {id}'s pod{on}{ended}: kubectl describe pod -l spark-exec-id={id}{selector} and kubectl logs -l spark-exec-id={id}{selector} --tail=-1",
            selector = app
                .filter(|id| id.starts_with("spark-"))
                .map_or_else(String::new, |app| format!(",spark-app-selector={app}")),
        ),
        Manager::Standalone => format!(
            "executor {id}'s stderr{on}{ended}: {}/{id}/stderr below $SPARK_HOME/work on that worker",
            of(app, "<application id>"),
        ),
        Manager::Unknown => {
            format!("executor {id}'s stderr{on}{ended}: its last lines hold the reason")
        }
    }
}

/// Where it stands who sent the kill.
fn who_killed(manager: Manager, executor: Option<&Lost>) -> String {
    let host = executor
        .and_then(|e| e.host.as_deref())
        .map_or("its host".to_owned(), str::to_owned);
    match manager {
        Manager::Yarn => format!("who killed it: the NodeManager's log on {host}, and dmesg -T there for \"Out of memory: Killed process\""),
        Manager::Kubernetes => "who killed it: kubectl get events --sort-by=.lastTimestamp, for OOMKilling, Evicted or Preempted".to_owned(),
        Manager::Standalone | Manager::Unknown => format!("who killed it: dmesg -T on {host}, for \"Out of memory: Killed process\""),
    }
}

fn driver_log(manager: Manager, app: Option<&str>) -> Vec<String> {
    let told = "the driver's own log: what was opened only says that it failed";
    match (manager, app) {
        (Manager::Yarn, Some(app)) => vec![
            format!("{told}: yarn logs -applicationId {app} -am 1"),
            format!("why YARN ended it: yarn application -status {app}"),
        ],
        (Manager::Yarn, None) => vec![format!(
            "{told}: yarn logs -applicationId <application id> -am 1"
        )],
        (Manager::Kubernetes, _) => vec![
            format!(
                "{told}: kubectl logs <driver pod>, and kubectl logs --previous where it started again"
            ),
            "why it ended: kubectl describe pod <driver pod>".to_owned(),
        ],
        (Manager::Standalone, _) => vec![format!(
            "{told}: the console of spark-submit, or driver-*/stderr below $SPARK_HOME/work in cluster mode"
        )],
        (Manager::Unknown, _) => vec![
            format!("{told}; take it from the run's page or its log folder"),
            "the run's event log (spark.eventLog.dir), which holds why each task failed".to_owned(),
        ],
    }
}

fn waiting(manager: Manager, app: Option<&str>) -> Vec<String> {
    match manager {
        Manager::Yarn => vec![
            format!("what it waits for: yarn application -status {}", app.unwrap_or("<application id>")),
            "what is free: yarn node -list -showDetails, and the queue's limits on the ResourceManager's page".to_owned(),
        ],
        Manager::Kubernetes => vec![
            "what its pods wait for: kubectl get pods -l spark-role=executor and kubectl describe pod <pending pod>".to_owned(),
            "what the cluster refused: kubectl get events --sort-by=.lastTimestamp".to_owned(),
        ],
        Manager::Standalone => vec![
            "whether workers are alive and what is free: the master's page (port 8080)".to_owned(),
            "why executors end, where they do: app-*/*/stderr below $SPARK_HOME/work on the workers".to_owned(),
        ],
        Manager::Unknown => vec![
            "what the cluster manager says of the application: its page shows what is asked for and what is free".to_owned(),
        ],
    }
}
