//! In: events of SQL executions. Out: what the [`EventLog`](super::EventLog) tells of each, with the plans worth keeping.
//!
//! A plan may be as long as all else that is known of an execution, and a log may hold a hundred thousand of them, so a
//! plan is kept while its execution runs, and after that only where somebody may ask for it.

use super::event::{Text, text};
use super::event_log::{PLAN_CAP, SqlExecution};
use super::measure::Measure;
use super::reading::{FIRST_LINE_CAP, KEYS_CAP, Reading};
use crate::text::{Place, beginning};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

/// Plans of executions that succeeded: of those that took longest.
const LONGEST_KEPT: usize = 16;
/// Plans of executions that failed, or have no end yet.
const OTHERS_KEPT: usize = 64;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SqlStart<'l> {
    pub(super) execution_id: u64,
    #[serde(borrow, default, deserialize_with = "text")]
    pub(super) description: Text<'l>,
    #[serde(borrow, default, deserialize_with = "text")]
    pub(super) physical_plan_description: Text<'l>,
    #[serde(default)]
    pub(super) time: Option<i64>,
    /// What the session was given that the application was not; from Spark 3.3 on.
    #[serde(default)]
    pub(super) modified_configs: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SqlUpdate<'l> {
    pub(super) execution_id: u64,
    #[serde(borrow, default, deserialize_with = "text")]
    pub(super) physical_plan_description: Text<'l>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SqlEnd<'l> {
    pub(super) execution_id: u64,
    #[serde(default)]
    pub(super) time: Option<i64>,
    /// From Spark 3.4 on; empty where all went well.
    #[serde(borrow, default, deserialize_with = "text")]
    pub(super) error_message: Text<'l>,
}

/// Which plans are kept.
#[derive(Debug, Default)]
pub(super) struct Plans {
    /// Executions of which a job failed: before Spark 3.4 nothing else tells.
    pub(super) failed: HashSet<u64>,
    /// Those that succeeded, by how many milliseconds they took.
    longest: BTreeSet<(i64, u64)>,
    /// How many others have one.
    others: usize,
}

impl Reading {
    pub(super) fn sql_start(&mut self, start: SqlStart<'_>, measures: Vec<Measure>, place: Place) {
        self.counted_by(&measures);
        let started = self.moment(start.time);
        for (key, value) in start.modified_configs {
            if self.log.changed.len() < KEYS_CAP {
                self.log.changed.insert(key, (value, place));
            }
        }
        let plan = self.plan(
            start.execution_id,
            start.physical_plan_description.as_deref(),
        );
        if let Some(sql) = self.sql(start.execution_id) {
            sql.measures = measures;
            let description = start.description.unwrap_or_default();
            sql.description = beginning(&description, FIRST_LINE_CAP).into();
            sql.plan = plan;
            sql.started = started;
            sql.place = Some(place);
        }
    }

    pub(super) fn sql_update(&mut self, update: &SqlUpdate<'_>, measures: Vec<Measure>) {
        self.counted_by(&measures);
        // Every one of them is another text, and only the last is of use.
        let plan = self.plan(
            update.execution_id,
            update.physical_plan_description.as_deref(),
        );
        if let Some(sql) = self.sql(update.execution_id) {
            sql.plan = plan;
            sql.measures = measures;
        }
    }

    pub(super) fn sql_end(&mut self, end: &SqlEnd<'_>, error: Option<Arc<str>>, place: Place) {
        let ended = self.moment(end.time);
        let id = end.execution_id;
        let a_job_failed = self.plans.failed.contains(&id);
        let succeeded = end.error_message.as_deref().map(str::is_empty);
        let Some(sql) = self.sql(id) else { return };
        sql.ended = ended;
        sql.succeeded = succeeded;
        sql.error = error;
        sql.place = Some(place);
        if !succeeded.unwrap_or(!a_job_failed) || sql.plan.is_none() {
            return;
        }
        let took = sql
            .started
            .zip(ended)
            .map_or(0, |(from, to)| to.since(from));
        let plans = &mut self.plans;
        plans.others = plans.others.saturating_sub(1);
        plans.longest.insert((took, id));
        if plans.longest.len() > LONGEST_KEPT
            && let Some((_, shortest)) = plans.longest.pop_first()
            && let Some(sql) = self.log.sql.get_mut(&shortest)
        {
            sql.plan = None;
        }
    }

    /// The plan as it is kept for an execution that runs; `None` where too many have one.
    fn plan(&mut self, id: u64, text: Option<&str>) -> Option<Arc<str>> {
        let known = self.log.sql.get(&id).is_some_and(|sql| sql.plan.is_some());
        if !known {
            if self.plans.others >= OTHERS_KEPT {
                return None;
            }
            self.plans.others += 1;
        }
        Some(Arc::from(beginning(text.unwrap_or(""), PLAN_CAP)))
    }

    fn sql(&mut self, id: u64) -> Option<&mut SqlExecution> {
        if !self.log.sql.contains_key(&id) && self.log.sql.len() >= KEYS_CAP {
            self.log.left_out.note("SQL executions", KEYS_CAP);
            return None;
        }
        Some(self.log.sql.entry(id).or_default())
    }
}
