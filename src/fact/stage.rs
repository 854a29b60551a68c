//! In: what the scheduler says of stages and jobs. Out: [`StageLine`]s and [`JobLine`]s.

use crate::text::pattern;
use regex::Regex;
use std::sync::LazyLock;

/// A line about a stage attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageLine {
    /// Stage id.
    pub id: u32,
    /// Its attempt, where the line tells.
    pub attempt: Option<u32>,
    /// Its name: `parquet at Job.scala:12`; empty where the line has none.
    pub name: String,
    /// What happened.
    pub what: StageWhat,
}

/// What happened to a stage attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StageWhat {
    /// Its tasks were submitted: how many.
    Submitted(Option<u64>),
    /// It finished, after so many milliseconds.
    Finished(Option<u64>),
    /// It failed, after so many milliseconds, for that reason.
    Failed(Option<u64>, String),
    /// It runs again, because a fetch failed.
    Resubmitted,
}

/// A line about a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobLine {
    /// Job id.
    pub id: u32,
    /// The action: `parquet at Job.scala:12`.
    pub name: String,
    /// Whether it is done, and how.
    pub what: JobWhat,
}

/// What happened to a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobWhat {
    /// It was submitted.
    Started,
    /// It finished.
    Finished,
    /// It failed.
    Failed,
}

static ENDED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:ShuffleMapStage|ResultStage) (\d+) \((.*?)\) (finished|failed) in (?:Some\()?([\d.]+|Unknown)\)? ?(s|ms)?(?: due to (.*))?").expect("a valid pattern")
});
static SUBMITTING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^Submitting (\d+) missing tasks from (?:ShuffleMapStage|ResultStage) (\d+) \((?:[A-Za-z]*\[\d+\] at )?([^)]*)\)").expect("a valid pattern")
});
static TASK_SET: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^Adding task set (\d+)\.(\d+) with (\d+) tasks").expect("a valid pattern")
});
static RESUBMITTING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^Resubmitting (?:ShuffleMapStage|ResultStage) (\d+) \((.*?)\).* due to fetch failure")
        .expect("a valid pattern")
});
static JOB: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:Job (\d+) (finished|failed): (.*?), took |Got job (\d+) \((.*?)\) with )")
        .expect("a valid pattern")
});

/// What `message` says of a stage.
pub(super) fn stage(message: &str) -> Option<StageLine> {
    // One look at the first letters spares all others the patterns.
    let line = |id: &str, attempt: Option<u32>, name: &str, what| {
        Some(StageLine {
            id: id.parse().ok()?,
            attempt,
            name: name.to_owned(),
            what,
        })
    };
    match message.as_bytes().first()? {
        b'S' | b'R'
            if message.starts_with("ShuffleMapStage ") || message.starts_with("ResultStage ") =>
        {
            let found = ENDED.captures(message)?;
            let time = found[4].parse::<f64>().ok();
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a duration that a person can wait for"
            )]
            let ms = time.map(|t| {
                if found.get(5).is_some_and(|u| u.as_str() == "ms") {
                    t as u64
                } else {
                    (t * 1_000.0) as u64
                }
            });
            let what = match found.get(6) {
                _ if &found[3] == "finished" => StageWhat::Finished(ms),
                reason => {
                    StageWhat::Failed(ms, reason.map_or(String::new(), |r| r.as_str().to_owned()))
                }
            };
            line(&found[1], None, &found[2], what)
        }
        b'S' if message.starts_with("Submitting ") => {
            let found = SUBMITTING.captures(message)?;
            line(
                &found[2],
                None,
                &found[3],
                StageWhat::Submitted(found[1].parse().ok()),
            )
        }
        b'A' => {
            let found = TASK_SET.captures(message)?;
            line(
                &found[1],
                found[2].parse().ok(),
                "",
                StageWhat::Submitted(found[3].parse().ok()),
            )
        }
        b'R' => {
            let found = RESUBMITTING.captures(message)?;
            line(&found[1], None, &found[2], StageWhat::Resubmitted)
        }
        _ => None,
    }
}

/// What `message` says of a job.
pub(super) fn job(message: &str) -> Option<JobLine> {
    if !message.starts_with("Job ") && !message.starts_with("Got job ") {
        return None;
    }
    let found = JOB.captures(message)?;
    Some(match found.get(1) {
        Some(id) => JobLine {
            id: id.as_str().parse().ok()?,
            name: found[3].to_owned(),
            what: if &found[2] == "finished" {
                JobWhat::Finished
            } else {
                JobWhat::Failed
            },
        },
        None => JobLine {
            id: found[4].parse().ok()?,
            name: found[5].to_owned(),
            what: JobWhat::Started,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_in_every_wording() {
        let what = |text| stage(text).map(|s| (s.id, s.attempt, s.name, s.what));
        assert_eq!(
            what("ResultStage 8 (collect at x.py:12) finished in 1.872 s"),
            Some((
                8,
                None,
                "collect at x.py:12".into(),
                StageWhat::Finished(Some(1872))
            ))
        );
        assert_eq!(
            what("ShuffleMapStage 8 (count at x.py:12) finished in 483 ms"),
            Some((
                8,
                None,
                "count at x.py:12".into(),
                StageWhat::Finished(Some(483))
            ))
        );
        let Some((8, None, _, StageWhat::Failed(Some(1234), reason))) = what(
            "ResultStage 8 (collect at x.py:12) failed in 1234 ms due to Job aborted due to stage failure: Task 0",
        ) else {
            panic!("not a failed stage")
        };
        assert!(reason.starts_with("Job aborted"));
        assert_eq!(
            what("Adding task set 12.1 with 37 tasks resource profile 0"),
            Some((12, Some(1), String::new(), StageWhat::Submitted(Some(37))))
        );
    }

    #[test]
    fn jobs() {
        let what = |text| job(text).map(|j| (j.id, j.what));
        assert_eq!(
            what("Got job 2 (count at x.py:3) with 4 output partitions"),
            Some((2, JobWhat::Started))
        );
        assert_eq!(
            what("Job 2 failed: count at x.py:3, took 2.867938 s"),
            Some((2, JobWhat::Failed))
        );
        assert_eq!(
            what("Job 2 finished: count at x.py:3, took 682.245115 ms"),
            Some((2, JobWhat::Finished))
        );
        assert_eq!(what("Job 0 cancelled because Stage 0 was cancelled"), None);
    }
}
