//! In: the SQL executions of an event log, its stages and incidents. Out: [`Sql`]: what was asked for, its plan, and
//! which operators a failing stage ran.

use super::cause::Side;
use super::findings::finding;
use super::incident::Incident;
use super::stage::{Finding, FindingKind, Stage, StageStatus};
use super::story::Story;
use crate::fact::event_log::{EventLog, Operator, SqlExecution, operators};
use crate::text::{Moment, Place, Symbol};

/// A SQL execution worth telling of: it failed, it has no end, or it took longest.
#[derive(Debug, Clone)]
pub struct Sql {
    /// Its id.
    pub id: u64,
    /// What started it, or the text of the query where that is told.
    pub description: Box<str>,
    /// Whether it succeeded; `None` where it has no end.
    pub succeeded: Option<bool>,
    /// When it started.
    pub started: Option<Moment>,
    /// How long it took, in milliseconds.
    pub duration_ms: Option<u64>,
    /// Where the log tells of it.
    pub place: Option<Place>,
    /// Its plan as it was in the end, from the root on.
    pub plan: Vec<PlanRow>,
}

/// An operator of a plan, and who ran it.
#[derive(Debug, Clone)]
pub struct PlanRow {
    /// The operator.
    pub operator: Operator,
    /// Whether the stage that failed, or has no end, ran it.
    pub in_stage: bool,
    /// Whether it is the one that failed, as far as that can be told.
    pub failed: bool,
}

impl Sql {
    /// Whether what is told of it is the query itself and not the place that asked for it.
    pub fn is_query(&self) -> bool {
        const BEGINNINGS: [&str; 12] = [
            "select", "with", "insert", "create", "merge", "update", "delete", "replace", "alter",
            "drop", "from", "values",
        ];
        let mut words = self.description.split_whitespace();
        let first = words
            .next()
            .unwrap_or("")
            .trim_start_matches('(')
            .to_lowercase();
        BEGINNINGS.contains(&&*first) && words.next().is_some_and(|word| word != "at")
    }
}

/// The executions of a log that are worth telling of, by id. What their plans tell of stages is put to these.
pub(super) fn executions(log: &EventLog, stages: &mut [Stage], incidents: &[Incident]) -> Vec<Sql> {
    let told = log.sql.iter().filter_map(|(id, sql)| {
        let plan = operators(sql.plan.as_deref()?);
        Some(execution(log, *id, sql, plan, stages, incidents))
    });
    told.collect()
}

fn execution(
    log: &EventLog,
    id: u64,
    sql: &SqlExecution,
    plan: Vec<Operator>,
    stages: &mut [Stage],
    incidents: &[Incident],
) -> Sql {
    let jobs = || log.jobs.values().filter(|job| job.sql == Some(id));
    let succeeded = sql.succeeded.or_else(|| {
        // Before Spark 3.4 only its jobs tell.
        sql.ended?;
        Some(!jobs().any(|job| job.succeeded == Some(false)))
    });
    let never_ended = unfinished(log, id, stages);
    let of_plan = |stage: &&mut Stage| stage.sql == Some(id);
    let told = stages
        .iter_mut()
        .filter(of_plan)
        .filter(|stage| stage.stands_out() || never_ended == Some(stage.id));
    let mut rows: Vec<PlanRow> = plan
        .into_iter()
        .map(|operator| PlanRow {
            operator,
            in_stage: false,
            failed: false,
        })
        .collect();
    for stage in told {
        let ran = log.stages.get(&(stage.id, stage.attempt));
        let names = ran.map_or(&[][..], |run| &run.operators);
        let Some(part) = part_of_stage(&rows, names) else {
            continue;
        };
        for row in &part {
            rows[*row].in_stage = true;
        }
        if never_ended == Some(stage.id) {
            let of_part = part.iter().map(|row| &rows[*row].operator);
            let pairs = of_part.clone().find(|operator| operator.is_cartesian());
            stage
                .findings
                .extend(pairs.map(|pairs| cartesian(stage, pairs, sql.place)));
        }
        let of_stage =
            |incident: &&Incident| incident.task.is_some_and(|task| task.stage == stage.id);
        let failed = incidents
            .iter()
            .filter(of_stage)
            .find_map(|incident| failed_in(&rows, &part, incident));
        if let Some(row) = failed {
            rows[row].failed = true;
        }
    }
    let millis = |(from, to): (Moment, Moment)| u64::try_from(to.since(from) / 1_000).ok();
    Sql {
        id,
        description: sql.description.clone(),
        succeeded,
        started: sql.started,
        duration_ms: sql.started.zip(sql.ended).and_then(millis),
        place: sql.place,
        plan: rows,
    }
}

/// The stage of an execution without end that was at work when the log ends; `None` where it cannot be told.
fn unfinished(log: &EventLog, id: u64, stages: &[Stage]) -> Option<u32> {
    if log.sql.get(&id)?.ended.is_some() {
        return None;
    }
    let open = |stage: &&Stage| {
        let mut jobs = stage.jobs.iter().filter_map(|job| log.jobs.get(job));
        stage.sql == Some(id) && jobs.any(|job| job.completed.is_none())
    };
    let of = |status| {
        let stages = stages.iter().filter(open);
        only(stages.filter(move |stage| stage.status == status)).map(|stage| stage.id)
    };
    // A log that was cut may lack the event that submits the stage.
    of(StageStatus::Running).or_else(|| of(StageStatus::Unknown))
}

/// Where the log ended before the stage had a line of its own, the query's line shows it.
fn cartesian(stage: &Stage, pairs: &Operator, query: Option<Place>) -> Finding {
    let number = pairs
        .number
        .map_or_else(String::new, |number| format!(" ({number})"));
    Finding {
        evidence: stage.place.or(query).into_iter().collect(),
        ..finding(
            FindingKind::Cartesian,
            format!(
                "stage {} has no end; its {}{number} compares every row of one side with every row of the other",
                stage.id, pairs.name
            ),
        )
    }
}

/// The rows of a plan that a stage ran, by the names of what made its data; `None` where two parts fit equally.
fn part_of_stage(plan: &[PlanRow], names: &[Symbol]) -> Option<Vec<usize>> {
    let mut parts: Vec<Vec<usize>> = Vec::new();
    // The part of each row on the way from the root to here.
    let mut above: Vec<usize> = Vec::new();
    for (row, PlanRow { operator, .. }) in plan.iter().enumerate() {
        above.truncate(operator.depth);
        let part = match above.last() {
            Some(part) if !operator.ends_stage() => *part,
            _ => {
                parts.push(Vec::new());
                parts.len() - 1
            }
        };
        // Depths may jump in a plan that was cut.
        above.resize(operator.depth, part);
        above.push(part);
        parts[part].push(row);
    }
    let score = |part: &[usize]| {
        let names = names.iter().filter(|name| {
            part.iter().any(|row| {
                let operator = &plan[*row].operator;
                match generated(name) {
                    Some(id) => operator.codegen == Some(id),
                    None => *operator.name == ***name,
                }
            })
        });
        // Generated code has a number that no other stage has; names come again and again.
        names
            .map(|name| if generated(name).is_some() { 100 } else { 1 })
            .sum::<u32>()
    };
    let mut scored: Vec<_> = parts.into_iter().map(|part| (score(&part), part)).collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    let runner_up = scored.get(1).map_or(0, |(score, _)| *score);
    let (best, part) = scored.into_iter().next()?;
    (best > runner_up).then_some(part)
}

/// `WholeStageCodegen (7)` is stretch 7 of generated code.
fn generated(name: &str) -> Option<u32> {
    let id = name.strip_prefix("WholeStageCodegen (")?;
    id.strip_suffix(')')?.parse().ok()
}

/// The operator of a part that failed: the one that calls the function which threw, or the only one that runs Python.
fn failed_in(plan: &[PlanRow], part: &[usize], incident: &Incident) -> Option<usize> {
    if incident.side != Some(Side::PythonWorker) {
        return None;
    }
    let python = || {
        part.iter()
            .copied()
            .filter(|row| plan[*row].operator.is_python())
    };
    let function = incident
        .user_frame
        .as_ref()
        .map(|frame| format!("{}(", frame.function));
    let calls = |row: &usize| {
        let detail = &plan[*row].operator.detail;
        function
            .as_ref()
            .is_some_and(|call| detail.contains(call.as_str()))
    };
    only(python().filter(calls)).or_else(|| only(python()))
}

/// The one item of an iterator that has no other.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}

impl Story {
    /// The SQL execution of an incident: that of its task's stage, or the one whose failure it tells.
    pub fn sql_of(&self, incident: &Incident) -> Option<&Sql> {
        let of_stage = incident.task.and_then(|task| {
            let mut stages = self.stages.iter();
            stages.find(|stage| stage.id == task.stage)?.sql
        });
        let place = incident.root().place;
        self.sql.iter().find(|sql| match of_stage {
            Some(id) => sql.id == id,
            None => {
                sql.succeeded == Some(false) && sql.place.is_some_and(|at| at.same_line(&place))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOIN: &str = "== Physical Plan ==
SortMergeJoin Inner (8)
:- Sort (3)
:  +- Exchange (2)
:     +- * Scan a (1)
+- Sort (7)
   +- Exchange (6)
      +- BatchEvalPython (5)
         +- * Scan b (4)

(1) Scan a [codegen id : 1]
Output: []

(4) Scan b [codegen id : 2]
Output: []
";

    fn part(names: &[&str]) -> Option<Vec<u32>> {
        let rows: Vec<_> = operators(JOIN)
            .into_iter()
            .map(|operator| PlanRow {
                operator,
                in_stage: false,
                failed: false,
            })
            .collect();
        let names: Vec<_> = names.iter().map(|name| Symbol::new(name)).collect();
        let part = part_of_stage(&rows, &names)?;
        Some(
            part.iter()
                .filter_map(|row| rows[*row].operator.number)
                .collect(),
        )
    }

    #[test]
    fn a_stage_ran_what_lies_between_exchanges() {
        assert_eq!(
            part(&["WholeStageCodegen (1)", "Exchange"]),
            Some(vec![2, 1])
        );
        assert_eq!(part(&["BatchEvalPython"]), Some(vec![6, 5, 4]));
        assert_eq!(part(&["Sort", "SortMergeJoin Inner"]), Some(vec![8, 3, 7]));
    }

    #[test]
    fn where_two_parts_fit_equally_none_is_told() {
        assert_eq!(part(&["Exchange"]), None);
        assert_eq!(part(&["MapPartitionsRDD"]), None);
        assert_eq!(part(&[]), None);
    }

    #[test]
    fn a_query_is_told_from_the_place_that_asked_for_it() {
        let sql = |description: &str| Sql {
            id: 0,
            description: description.into(),
            succeeded: None,
            started: None,
            duration_ms: None,
            place: None,
            plan: Vec::new(),
        };
        for query in [
            "SELECT a FROM b",
            "with x as (select 1) select *",
            "(select 1)",
            "INSERT INTO t VALUES (1)",
        ] {
            assert!(sql(query).is_query(), "{query}");
        }
        for place in [
            "collect at job.py:3",
            "create at job.py:3",
            "first",
            "select",
            "",
        ] {
            assert!(!sql(place).is_query(), "{place}");
        }
    }
}
