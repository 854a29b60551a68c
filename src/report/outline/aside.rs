//! In: a case. Out: what stands beside its main incident: stages, lost executors, other incidents, settings,
//! inputs, what was not read.

use crate::diagnosis::{GivenSetting, given_settings};
use crate::incident::{Finding, Incident, Severity, Stage, StageFigures, StageStatus};
use crate::load::Case;
use crate::report::safe::Safe;
use crate::report::spot::Spot;
use crate::text::{Bytes, Millis, Moment, counted};

/// Longest name of a stage and title of another incident, in characters.
const SHORT: usize = 120;

/// A stage attempt.
#[derive(Debug)]
pub(in crate::report) struct StageTold {
    /// `12.0`.
    pub(in crate::report) id: String,
    pub(in crate::report) status: &'static str,
    /// `196 of 200 tasks, 4 failed`; empty where no count is known.
    pub(in crate::report) tasks: String,
    pub(in crate::report) name: Safe,
    /// What its tasks took and moved; `None` without an event log.
    pub(in crate::report) figures: Option<Figures>,
    /// What is remarkable: `skew: task 142 read …`.
    pub(in crate::report) findings: Vec<Safe>,
}

/// The figures of a stage attempt, as a person compares them.
#[derive(Debug)]
pub(in crate::report) struct Figures {
    /// Middle and longest task.
    pub(in crate::report) task: (String, String),
    pub(in crate::report) input: String,
    pub(in crate::report) shuffled: String,
    pub(in crate::report) spilled: String,
    /// Garbage collection, all tasks together.
    pub(in crate::report) gc: String,
}

impl Figures {
    fn of(figures: &StageFigures) -> Self {
        let bytes = |sum: f64| {
            if sum > 0.0 {
                Bytes(sum).to_string()
            } else {
                String::new()
            }
        };
        let millis = |ms: f64| Millis(ms).to_string();
        Self {
            task: (millis(figures.task_ms.median), millis(figures.task_ms.max)),
            input: bytes(figures.input_bytes.sum),
            shuffled: bytes(figures.shuffle_read_bytes.sum + figures.shuffle_write_bytes.sum),
            spilled: bytes(figures.spill_disk_bytes.sum),
            gc: millis(figures.gc_ms.sum),
        }
    }
}

/// An incident that the report is not about.
#[derive(Debug)]
pub(in crate::report) struct Other {
    /// Its number for `--incident`, from 1.
    pub(in crate::report) number: usize,
    pub(in crate::report) role: &'static str,
    pub(in crate::report) count: u64,
    pub(in crate::report) title: Safe,
    pub(in crate::report) spot: Option<Spot>,
}

/// Stage attempts that failed, that the incident is about, or that have findings; all of them where `all` is set.
pub(super) fn stages(case: &Case, about: usize, all: bool) -> Vec<StageTold> {
    let of = case.story.incidents.get(about).and_then(|i| i.task);
    case.story
        .stages
        .iter()
        .filter(|stage| {
            all || stage.status == StageStatus::Failed
                || !stage.findings.is_empty()
                || of.is_some_and(|t| t.stage == stage.id && t.stage_attempt == stage.attempt)
        })
        .map(stage_told)
        .collect()
}

fn stage_told(stage: &Stage) -> StageTold {
    let counts = &stage.tasks;
    let mut tasks = match (counts.succeeded, counts.total) {
        (Some(done), Some(total)) => format!("{done} of {}", counted(total, "task")),
        (None, Some(total)) => counted(total, "task"),
        (Some(done), None) => format!("{} done", counted(done, "task")),
        (None, None) => String::new(),
    };
    for (count, word) in [(counts.failed, "failed"), (counts.killed, "killed")] {
        if let Some(count) = count.filter(|&c| c > 0) {
            let comma = if tasks.is_empty() { "" } else { ", " };
            tasks = format!("{tasks}{comma}{count} {word}");
        }
    }
    StageTold {
        id: format!("{}.{}", stage.id, stage.attempt),
        status: stage.status.word(),
        tasks,
        name: Safe::short(&stage.name, SHORT),
        figures: stage.figures.as_deref().map(Figures::of),
        findings: stage
            .findings
            .iter()
            .map(|f| Safe::line(&told(f)))
            .collect(),
    }
}

/// `skew, severe: task 142 read …`
fn told(finding: &Finding) -> String {
    let severity = match finding.severity {
        Severity::Notable => String::new(),
        severity => format!(", {}", severity.word()),
    };
    format!("{}{severity}: {}", finding.kind.word(), finding.text)
}

/// An executor that was lost.
#[derive(Debug)]
pub(in crate::report) struct ExecutorTold {
    pub(in crate::report) id: Safe,
    /// `on host-a · added …, gone … · exit code 137 · Command exited with code 137`.
    pub(in crate::report) text: Safe,
    pub(in crate::report) spot: Option<Spot>,
}

/// Executors that went away, and not because the run was over.
pub(super) fn executors(case: &Case) -> Vec<ExecutorTold> {
    let lost = case
        .story
        .executors
        .iter()
        .filter(|executor| executor.was_lost());
    let told = lost.map(|executor| {
        let clock = |moment: Moment| moment.to_string().get(11..19).unwrap_or("").to_owned();
        let added = executor.added.map(|at| format!("added {}", clock(at)));
        let gone = executor.removed.map(|at| format!("gone {}", clock(at)));
        let times: Vec<_> = added.into_iter().chain(gone).collect();
        let parts = [
            executor.host.as_ref().map(|host| format!("on {host}")),
            (!times.is_empty()).then(|| times.join(", ")),
            executor.exit_code.map(|code| format!("exit code {code}")),
            executor.reason.as_deref().map(str::to_owned),
        ];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        ExecutorTold {
            id: Safe::line(&executor.id),
            text: Safe::short(&parts.join(" · "), 2 * SHORT),
            spot: executor
                .place
                .as_ref()
                .and_then(|place| Spot::of(case, place)),
        }
    });
    told.collect()
}

/// The incidents besides the one with this index.
pub(super) fn others(case: &Case, about: usize) -> Vec<Other> {
    let told = |(index, incident): (usize, &Incident)| Other {
        number: index + 1,
        role: case.story.word_of(incident),
        count: incident.count,
        title: Safe::short(&incident.title(), SHORT),
        spot: Spot::of(case, &incident.root().place),
    };
    case.story
        .incidents
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != about)
        .map(told)
        .collect()
}

/// Settings that are something else than Spark's own, those that decide most first: `spark.task.maxFailures=1 (Spark's own: 4)`;
/// `all` adds those that decide little.
pub(super) fn settings(case: &Case, all: bool) -> Vec<Safe> {
    let given = given_settings(&case.story).into_iter();
    let chosen = given.filter(|setting| setting.is_chosen() && (all || setting.is_telling()));
    chosen
        .map(
            |GivenSetting {
                 key, value, own, ..
             }| {
                let own = own.unwrap_or_default();
                Safe::short(&format!("{key}={value} (Spark's own: {own})"), 2 * SHORT)
            },
        )
        .collect()
}

/// What was read: `driver.log (driver log, 1204 lines)`.
pub(super) fn inputs(case: &Case) -> Vec<Safe> {
    case.sources
        .list
        .iter()
        .enumerate()
        .map(|(index, source)| {
            let kind = source.kind.word().replace('_', " ");
            Safe::line(&match case.lines.get(index) {
                _ if source.bytes == 0 => format!("{} (empty)", source.name),
                Some(1) => format!("{} ({kind}, 1 line)", source.name),
                Some(&lines) if lines > 0 => format!("{} ({kind}, {lines} lines)", source.name),
                _ => format!("{} ({kind})", source.name),
            })
        })
        .collect()
}

/// What was not read, and why.
pub(super) fn unread(case: &Case) -> Vec<Safe> {
    let refused = case
        .sources
        .refused
        .iter()
        .map(|refusal| format!("{}: {}", refusal.name, refusal.reason));
    let partly = case.sources.list.iter().zip(&case.unread);
    let partly = partly
        .filter(|(_, unread)| **unread > 0)
        .map(|(source, unread)| {
            format!(
                "{}: {unread} of {} bytes are not text",
                source.name, source.bytes
            )
        });
    refused
        .chain(partly)
        .map(|text| Safe::line(&text))
        .collect()
}
