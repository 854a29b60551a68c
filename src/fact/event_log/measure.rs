//! In: the plans of SQL executions and what their counters came to. Out: [`Measure`]s: which counter tells what of which
//! operator.
//!
//! A plan gives each operator's counters by name and id; their values come with the end of a stage, or from the driver.

use super::reading::{KEYS_CAP, Reading};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// Operators of one plan that are measured.
const MEASURES_CAP: usize = 32;

/// What a plan counts; all numbers are ids of counters, whose values stand in
/// [`EventLog::counters`](super::EventLog::counters).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Bytes that are sent to every executor.
    Broadcast(u64),
    /// Files read, and their bytes.
    Read(u64, u64),
    /// Files written, and their bytes.
    Written(u64, u64),
    /// Bytes of both sides of a join that sorts them.
    MergeJoin(u64, u64),
}

impl Measure {
    fn counters(self) -> [u64; 2] {
        match self {
            Self::Broadcast(bytes) => [bytes; 2],
            Self::Read(a, b) | Self::Written(a, b) | Self::MergeJoin(a, b) => [a, b],
        }
    }
}

/// The event that tells what was counted on the driver.
#[derive(Debug, Deserialize)]
pub(super) struct DriverCounters {
    #[serde(rename = "accumUpdates", default)]
    pub(super) values: Vec<(u64, i64)>,
}

/// A counter of a stage that ended.
#[derive(Debug, Deserialize)]
pub(super) struct Counter {
    #[serde(rename = "ID", default)]
    pub(super) id: u64,
    #[serde(rename = "Value", default, deserialize_with = "number")]
    pub(super) value: Option<i64>,
}

#[derive(Deserialize)]
struct WithPlan<'l> {
    #[serde(rename = "sparkPlanInfo", borrow)]
    plan: Node<'l>,
}

#[derive(Deserialize)]
struct Node<'l> {
    #[serde(rename = "nodeName", borrow, default)]
    name: Cow<'l, str>,
    #[serde(borrow, default)]
    children: Vec<Node<'l>>,
    #[serde(borrow, default)]
    metrics: Vec<Metric<'l>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metric<'l> {
    #[serde(borrow, default)]
    name: Cow<'l, str>,
    accumulator_id: u64,
}

/// What the plan in a line counts; nothing where the plan is nested too deep to be read.
pub(super) fn measures(line: &[u8]) -> Vec<Measure> {
    let mut measures = Vec::new();
    if let Ok(with_plan) = serde_json::from_slice::<WithPlan<'_>>(line) {
        with_plan.plan.measure(&mut measures);
    }
    measures
}

impl Node<'_> {
    fn counter(&self, name: &str) -> Option<u64> {
        let metric = self.metrics.iter().find(|metric| metric.name == name)?;
        Some(metric.accumulator_id)
    }

    fn measure(&self, measures: &mut Vec<Measure>) {
        if measures.len() >= MEASURES_CAP {
            return;
        }
        let both = |a: &str, b: &str| self.counter(a).zip(self.counter(b));
        let measure = match &*self.name {
            "BroadcastExchange" => self.counter("data size").map(Measure::Broadcast),
            "SortMergeJoin" => match self.children.as_slice() {
                [left, right] => left
                    .shuffled()
                    .zip(right.shuffled())
                    .map(|(left, right)| Measure::MergeJoin(left, right)),
                _ => None,
            },
            _ => both("number of files read", "size of files read")
                .map(|(files, bytes)| Measure::Read(files, bytes))
                .or_else(|| {
                    both("number of written files", "written output")
                        .map(|(files, bytes)| Measure::Written(files, bytes))
                }),
        };
        measures.extend(measure);
        for child in &self.children {
            child.measure(measures);
        }
    }

    /// The counter of the bytes of the shuffle that this comes from, where it comes from one alone.
    fn shuffled(&self) -> Option<u64> {
        if self.name.ends_with("Exchange") {
            return self.counter("data size");
        }
        match self.children.as_slice() {
            [only] => only.shuffled(),
            _ => None,
        }
    }
}

impl Reading {
    /// The counters of these measures are of use.
    pub(super) fn counted_by(&mut self, measures: &[Measure]) {
        for id in measures.iter().flat_map(|measure| measure.counters()) {
            if self.wanted.len() < KEYS_CAP {
                self.wanted.insert(id);
            }
        }
    }

    /// What a counter came to. Spark begins some of them below zero.
    pub(super) fn counted(&mut self, id: u64, value: Option<i64>) {
        if let Some(value) = value.and_then(|value| u64::try_from(value).ok())
            && self.wanted.contains(&id)
        {
            let known = self.log.counters.entry(id).or_default();
            *known = value.max(*known);
        }
    }
}

/// A whole number, which Spark writes as such or in quotes; `None` for all else that a counter may hold.
fn number<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
    from.deserialize_any(Number)
}

struct Number;

impl<'de> Visitor<'de> for Number {
    type Value = Option<i64>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Some(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(i64::try_from(value).ok())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(text.parse().ok())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        while entries.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_tells_what_its_counters_mean() {
        let line = br#"{"Event":"x","sparkPlanInfo":{"nodeName":"Execute InsertIntoHadoopFsRelationCommand","children":[{"nodeName":"SortMergeJoin","children":[
            {"nodeName":"Sort","children":[{"nodeName":"Exchange","children":[],"metrics":[{"name":"data size","accumulatorId":1}]}]},
            {"nodeName":"Sort","children":[{"nodeName":"ShuffleQueryStage","children":[{"nodeName":"Exchange","children":[
                {"nodeName":"Scan parquet ","children":[],"metrics":[{"name":"number of files read","accumulatorId":3},{"name":"size of files read","accumulatorId":4}]}],
                "metrics":[{"name":"data size","accumulatorId":2,"metricType":"size"}]}]}]}
            ]},{"nodeName":"BroadcastExchange","metrics":[{"name":"data size","accumulatorId":5}]}],
            "metrics":[{"name":"number of written files","accumulatorId":6},{"name":"written output","accumulatorId":7}]}}"#;
        assert_eq!(
            measures(line),
            [
                Measure::Written(6, 7),
                Measure::MergeJoin(1, 2),
                Measure::Read(3, 4),
                Measure::Broadcast(5),
            ]
        );
        assert_eq!(measures(b"{}"), []);
    }

    #[test]
    fn a_counter_holds_a_number_or_anything_else() {
        let values = |text: &str| {
            let counters: Vec<Counter> = serde_json::from_str(text).unwrap_or_default();
            counters
                .into_iter()
                .map(|counter| counter.value)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            values(
                r#"[{"ID":1,"Value":"12"},{"ID":2,"Value":-1},{"ID":3,"Value":[[1,{"a":2}]]},{"ID":4,"Value":{"x":[1]}},{"ID":5,"Value":1.5},{"ID":6,"Value":null},{"ID":7}]"#
            ),
            [Some(12), Some(-1), None, None, None, None, None]
        );
    }
}
