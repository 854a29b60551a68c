//! In: what a History Server knows. Out: its applications, those that failed first.

use super::address::RunId;
use super::error::HistoryError;
use super::server::{Server, TO_ANSWER, answered_by, said};
use crate::text::{Millis, Moment};
use serde::Deserialize;
use std::time::{Duration, Instant};

/// Applications that are asked for, the newest of the server's.
const MOST_APPLICATIONS: usize = 2_000;
/// Bytes of a list.
const LARGEST_LIST: u64 = 64 << 20;
/// The newest of them are asked whether jobs failed, as long as this takes in all. For each, the server may have to
/// read a whole event log, as it does for a person who opens its page.
const MOST_ASKED: usize = 12;
const TO_ASK: Duration = Duration::from_secs(6);

/// What ran, as far as the server knows.
#[derive(Debug)]
pub struct Listing {
    /// Those with failed jobs first, then those without an end, then the rest; the newest of each first.
    pub applications: Vec<Application>,
    /// Whether the server knows more than these.
    pub more: bool,
}

/// One attempt of an application.
#[derive(Debug, Clone)]
pub struct Application {
    /// How to fetch its logs.
    pub run: RunId,
    /// As the job called itself.
    pub name: String,
    /// Who ran it.
    pub user: String,
    /// The version of Spark, where it is told.
    pub spark: String,
    /// When it began.
    pub started: Option<Moment>,
    /// How long it ran, until now where it has not ended; milliseconds.
    pub millis: Option<u64>,
    /// Whether its event log tells that it ended.
    pub ended: bool,
    /// What became of its jobs.
    pub jobs: Jobs,
}

/// What became of an application's jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Jobs {
    /// So many failed.
    Failed(usize),
    /// None failed.
    NoneFailed,
    /// The server was not asked, or did not answer in time.
    NotAsked,
}

impl Application {
    /// How it went, in a word or two.
    pub fn state(&self) -> String {
        match (self.jobs, self.ended) {
            (Jobs::Failed(1), _) => "1 job failed".to_owned(),
            (Jobs::Failed(n), _) => format!("{n} jobs failed"),
            (_, false) => "no end".to_owned(),
            (Jobs::NoneFailed, true) => "no job failed".to_owned(),
            (Jobs::NotAsked, true) => "ended".to_owned(),
        }
    }

    /// When it began, to the minute, and empty where that is not told: `2026-11-30 05:08`.
    pub fn began(&self) -> String {
        let began = self.started.map(|moment| moment.to_string());
        began
            .as_deref()
            .and_then(|text| text.get(..16))
            .unwrap_or("")
            .to_owned()
    }

    /// How long it ran, and empty where that is not told: `13 min`.
    pub fn took(&self) -> String {
        #[expect(clippy::cast_precision_loss, reason = "shown with two digits")]
        self.millis
            .map_or_else(String::new, |millis| Millis(millis as f64).to_string())
    }

    fn rank(&self) -> (u8, std::cmp::Reverse<Option<Moment>>) {
        let group = match (self.jobs, self.ended) {
            (Jobs::Failed(_), _) => 0,
            (_, false) => 1,
            _ => 2,
        };
        (group, std::cmp::Reverse(self.started))
    }
}

#[derive(Deserialize)]
struct Listed {
    id: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    attempts: Vec<ListedAttempt>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListedAttempt {
    attempt_id: Option<String>,
    start_time_epoch: Option<i64>,
    duration: Option<i64>,
    #[serde(default)]
    spark_user: String,
    #[serde(default)]
    completed: bool,
    #[serde(default)]
    app_spark_version: String,
}

impl Server {
    /// What ran. Of the newest it is also asked whether jobs failed.
    ///
    /// # Errors
    /// Where the server cannot be asked, or is no History Server.
    pub fn applications(&self) -> Result<Listing, HistoryError> {
        let path = format!("/api/v1/applications?limit={MOST_APPLICATIONS}");
        let answer = self.get(&path, TO_ANSWER)?;
        match answer.status().as_u16() {
            200 => {}
            status @ 404 => {
                return Err(HistoryError::NoHistoryServer {
                    server: self.name_of(&answered_by(&answer)),
                    status,
                    said: said(answer),
                });
            }
            _ => return Err(self.refused(answer)),
        }
        let listed: Vec<Listed> = self.json(answer, LARGEST_LIST, "a list of applications")?;
        let more = listed.len() >= MOST_APPLICATIONS;
        let mut applications: Vec<Application> = listed.into_iter().flat_map(attempts_of).collect();
        applications.sort_by_key(|application| std::cmp::Reverse(application.started));
        self.ask_for_failures(&mut applications);
        applications.sort_by_key(Application::rank);
        Ok(Listing { applications, more })
    }

    /// Asks whether jobs failed, until time is up; what is not answered stays as it is.
    fn ask_for_failures(&self, applications: &mut [Application]) {
        let since = Instant::now();
        for application in applications.iter_mut().take(MOST_ASKED) {
            let left = TO_ASK.saturating_sub(since.elapsed());
            if left.is_zero() {
                return;
            }
            let path = format!("{}/jobs?status=failed", application.run.path());
            let jobs = self
                .get(&path, left)
                .ok()
                .filter(|answer| answer.status() == 200);
            let jobs = jobs.and_then(|answer| {
                self.json::<Vec<serde::de::IgnoredAny>>(answer, LARGEST_LIST, "a list of jobs")
                    .ok()
            });
            application.jobs = match jobs.map(|jobs| jobs.len()) {
                Some(0) => Jobs::NoneFailed,
                Some(n) => Jobs::Failed(n),
                None => Jobs::NotAsked,
            };
        }
    }
}

/// Every attempt is a run of its own; what cannot be fetched by its name is left out.
fn attempts_of(listed: Listed) -> Vec<Application> {
    let Listed { id, name, attempts } = listed;
    let application = |attempt: ListedAttempt| {
        let named = attempt
            .attempt_id
            .map_or_else(|| id.clone(), |attempt| format!("{id}/{attempt}"));
        Some(Application {
            run: RunId::parse(&named)?,
            name: name.clone(),
            user: attempt.spark_user,
            spark: attempt.app_spark_version,
            started: attempt
                .start_time_epoch
                .filter(|t| *t > 0)
                .map(Moment::from_millis),
            millis: attempt
                .duration
                .and_then(|millis| u64::try_from(millis).ok())
                .filter(|m| *m > 0),
            ended: attempt.completed,
            jobs: Jobs::NotAsked,
        })
    };
    attempts.into_iter().filter_map(application).collect()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn what_failed_and_what_has_no_end_comes_first() {
        let json = r#"[
            {"id":"app-3","name":"new","attempts":[{"startTimeEpoch":3000,"completed":true,"duration":9,"sparkUser":"a"}]},
            {"id":"app-2","name":"twice","attempts":[
                {"attemptId":"2","startTimeEpoch":2000,"completed":true,"appSparkVersion":"4.1.4"},
                {"attemptId":"1","startTimeEpoch":1500,"completed":false}]},
            {"id":"../x","attempts":[{"completed":true}]},
            {"id":"app-1","unknown":{"a":1},"attempts":[{"startTimeEpoch":1000,"completed":true}]}]"#;
        let listed: Vec<Listed> = serde_json::from_str(json).unwrap();
        let mut all: Vec<_> = listed.into_iter().flat_map(attempts_of).collect();
        all[3].jobs = Jobs::Failed(2);
        all.sort_by_key(Application::rank);
        let told: Vec<_> = all
            .iter()
            .map(|a| format!("{} {}", a.run, a.state()))
            .collect();
        assert_eq!(
            told,
            [
                "app-1 2 jobs failed",
                "app-2/1 no end",
                "app-3 ended",
                "app-2/2 ended"
            ]
        );
        assert_eq!(all[0].started, Some(Moment::from_millis(1000)));
    }
}
