//! In: a case and its main incident. Out: [`Query`]: the SQL execution behind it, with the operators that the failing stage ran.

use crate::incident::{PlanRow, Sql};
use crate::load::Case;
use crate::report::safe::Safe;

/// Characters of an operator's line, and of a query.
const LONGEST_ROW: usize = 160;
const LONGEST_QUERY: usize = 500;

/// A SQL execution.
#[derive(Debug)]
pub(in crate::report) struct Query {
    /// `execution 3 · failed · collect at jobs.py:12`
    pub(in crate::report) head: Safe,
    /// The query itself, where that is told.
    pub(in crate::report) text: Option<Safe>,
    /// Its operators from the plan's root on: those of the failing stage, or all.
    pub(in crate::report) rows: Vec<OperatorTold>,
    /// How many others the plan has.
    pub(in crate::report) left_out: usize,
}

/// An operator.
#[derive(Debug)]
pub(in crate::report) struct OperatorTold {
    /// It, behind as many blanks as it stands deep.
    pub(in crate::report) text: Safe,
    /// Whether it is the one that failed.
    pub(in crate::report) failed: bool,
    /// Whether the failing stage ran it.
    pub(in crate::report) in_stage: bool,
}

/// The execution of an incident; `all` tells the whole plan.
pub(super) fn query(case: &Case, about: usize, all: bool) -> Option<Query> {
    let incident = case.story.incidents.get(about)?;
    let sql = case.story.sql_of(incident)?;
    let wanted = |row: &&PlanRow| all || row.in_stage;
    let top = sql
        .plan
        .iter()
        .filter(wanted)
        .map(|row| row.operator.depth)
        .min();
    let rows: Vec<_> = sql
        .plan
        .iter()
        .filter(wanted)
        .map(|row| told(row, top.unwrap_or(0)))
        .collect();
    Some(Query {
        head: head(sql),
        text: sql
            .is_query()
            .then(|| Safe::short(&sql.description, LONGEST_QUERY)),
        left_out: sql.plan.len() - rows.len(),
        rows,
    })
}

fn head(sql: &Sql) -> Safe {
    let how = match sql.succeeded {
        Some(true) => "succeeded",
        Some(false) => "failed",
        None => "no end",
    };
    let what = if sql.is_query() || sql.description.is_empty() {
        String::new()
    } else {
        format!(" · {}", sql.description)
    };
    Safe::short(&format!("execution {} · {how}{what}", sql.id), LONGEST_ROW)
}

fn told(row: &PlanRow, top: usize) -> OperatorTold {
    let operator = &row.operator;
    let number = operator
        .number
        .map_or_else(String::new, |number| format!(" ({number})"));
    let detail = match &*operator.detail {
        "" => String::new(),
        detail => format!("  {detail}"),
    };
    let deep = "  ".repeat(operator.depth.saturating_sub(top).min(20));
    OperatorTold {
        text: Safe::short(
            &format!("{deep}{}{number}{detail}", operator.name),
            LONGEST_ROW,
        ),
        failed: row.failed,
        in_stage: row.in_stage,
    }
}
