//! In: what the scheduler and executors say of tasks. Out: [`TaskLine`]s, in each version's wording.

use crate::text::{Symbol, pattern};
use regex::Regex;
use std::fmt;
use std::sync::LazyLock;

/// A task: a partition of a stage attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TaskId {
    /// Stage id.
    pub stage: u32,
    /// Attempt of the stage, from 0.
    pub stage_attempt: u32,
    /// Index of the task in its task set: the `37` of `task 37.3`.
    pub partition: u32,
}

impl fmt::Display for TaskId {
    /// `task 37 in stage 12.0`, in Spark's words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            stage,
            stage_attempt,
            partition,
        } = self;
        write!(f, "task {partition} in stage {stage}.{stage_attempt}")
    }
}

/// A line that tells how an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskLine {
    /// Which task.
    pub task: TaskId,
    /// Which attempt, from 0.
    pub number: u32,
    /// Task id, unique in the application.
    pub tid: Option<u64>,
    /// Where it ran.
    pub host: Option<Symbol>,
    /// On which executor.
    pub executor: Option<Symbol>,
    /// What the line gives as the reason; empty where it follows on the next lines.
    pub reason: String,
    /// The `n` of `[duplicate n]`.
    pub duplicate: bool,
}

// 2.4 to 3.0: `(TID 891, host, executor 5)`; 3.1 on: `(TID 891) (host executor 5)`; repeated: `(TID 891) on host, executor 5`.
// A web page may have made a link of the host: `([host](http://host/) executor 5)`.
static ATTEMPT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x) [Tt]ask \s (\d+)\.(\d+) \s in \s stage \s (\d+)\.(\d+) \s \(TID \s (\d+)
          (?: , \s ([^\s,()]+) (?: , \s executor \s ([^\s,()]+) )? )? \)
          (?: \s \( (?:\[[^\]\s]+\]\(\w+:/*)? ([^\s()]+?) (?:/?\))? \s executor \s ([^\s()]+) \) )?
          (?: \s on \s (?:executor\s)? ([^\s,:()]+) (?: , \s executor \s ([^\s,:()]+) )? )?",
    )
    .expect("a valid pattern")
});

/// The attempt that `text` speaks of first.
pub(crate) fn attempt(text: &str) -> Option<TaskLine> {
    if let Some(line) = of_executor(text) {
        return Some(line);
    }
    let found = ATTEMPT.captures(text)?;
    let number = |i: usize| found.get(i).and_then(|m| m.as_str().parse::<u32>().ok());
    let name = |choices: [usize; 3]| {
        choices
            .iter()
            .find_map(|i| found.get(*i))
            .map(|m| Symbol::new(m.as_str()))
    };
    let rest = text
        .get(found.get(0)?.end()..)
        .unwrap_or("")
        .trim_start_matches([':', ' ']);
    Some(TaskLine {
        task: TaskId {
            partition: number(1)?,
            stage: number(3)?,
            stage_attempt: number(4)?,
        },
        number: number(2)?,
        tid: found.get(5).and_then(|m| m.as_str().parse().ok()),
        host: name([6, 8, 10]),
        executor: name([7, 9, 11]),
        reason: rest.to_owned(),
        duplicate: rest.contains("[duplicate "),
    })
}

/// The attempt in an executor's own words, which say no more than which it is. A log of failures holds little else.
fn of_executor(text: &str) -> Option<TaskLine> {
    let (partition, rest) = text.strip_prefix("Exception in task ")?.split_once('.')?;
    let (number, rest) = rest.split_once(" in stage ")?;
    let (stage, rest) = rest.split_once('.')?;
    let (stage_attempt, rest) = rest.split_once(" (TID ")?;
    let tid = rest.strip_suffix(')')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let all = [partition, number, stage, stage_attempt, tid];
    if !all.into_iter().all(digits) {
        return None;
    }
    Some(TaskLine {
        task: TaskId {
            partition: partition.parse().ok()?,
            stage: stage.parse().ok()?,
            stage_attempt: stage_attempt.parse().ok()?,
        },
        number: number.parse().ok()?,
        tid: tid.parse().ok(),
        host: None,
        executor: None,
        reason: String::new(),
        duplicate: false,
    })
}

static ABORT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"Task (?:(\d+) in stage (\d+)\.(\d+)|(\d+)\.(\d+):(\d+)) failed \d+ times")
        .expect("a valid pattern")
});

/// `Task 37 in stage 12.0 failed 4 times`: the task.
pub(super) fn gave_up(text: &str) -> Option<TaskId> {
    let found = ABORT.captures(text)?;
    let number = |i: usize| found.get(i)?.as_str().parse::<u32>().ok();
    // Before 1.0: `Task 12.0:37`.
    let old = number(4).is_some();
    let at = if old { [6, 4, 5] } else { [1, 2, 3] };
    Some(TaskId {
        partition: number(at[0])?,
        stage: number(at[1])?,
        stage_attempt: number(at[2])?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_in_every_wording() {
        let check = |text: &str, host: Option<&str>, executor: Option<&str>| {
            let line = attempt(text).unwrap_or_else(|| panic!("no attempt in {text}"));
            assert_eq!(
                (line.task, line.number, line.tid),
                (
                    TaskId {
                        stage: 12,
                        stage_attempt: 0,
                        partition: 37
                    },
                    3,
                    Some(891)
                )
            );
            assert_eq!(
                (line.host.as_deref(), line.executor.as_deref()),
                (host, executor),
                "{text}"
            );
            line
        };
        check(
            "Lost task 37.3 in stage 12.0 (TID 891, host-a, executor 5): java.io.IOException: m",
            Some("host-a"),
            Some("5"),
        );
        check(
            "Lost task 37.3 in stage 12.0 (TID 891) (host-a executor driver): m",
            Some("host-a"),
            Some("driver"),
        );
        let line = check(
            "Lost task 37.3 in stage 12.0 (TID 891) on host-a, executor 5: a.B (m) [duplicate 2]",
            Some("host-a"),
            Some("5"),
        );
        assert!(line.duplicate && line.reason.starts_with("a.B"));
        check(
            "Lost task 37.3 in stage 12.0 (TID 891) ([host-a](http://host-a/) executor 5): m",
            Some("host-a"),
            Some("5"),
        );
        check("Exception in task 37.3 in stage 12.0 (TID 891)", None, None);
        check(
            "Lost task 37.3 in stage 12.0 (TID 891, nm153.corp.test): m",
            Some("nm153.corp.test"),
            None,
        );
    }

    #[test]
    fn giving_up() {
        let task = gave_up(
            "Job aborted due to stage failure: Task 3 in stage 0.1 failed 4 times, most recent",
        )
        .expect("a task");
        assert_eq!((task.partition, task.stage_attempt), (3, 1));
    }
}
