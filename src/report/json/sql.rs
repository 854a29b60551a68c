//! In: the SQL executions that are worth telling of. Out: their JSON twins.

use super::document::At;
use crate::incident;
use crate::load::Case;
use crate::report::Safe;
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Sql {
    id: u64,
    description: Safe,
    status: &'static str,
    started: Option<Safe>,
    duration_ms: Option<u64>,
    place: Option<At>,
    plan: Vec<Operator>,
}

#[derive(Serialize)]
struct Operator {
    depth: usize,
    number: Option<u32>,
    name: Safe,
    codegen: Option<u32>,
    detail: Safe,
    python: bool,
    in_stage: bool,
    failed: bool,
}

impl Sql {
    pub(super) fn of(case: &Case, sql: &incident::Sql) -> Self {
        let operator = |row: &incident::PlanRow| Operator {
            depth: row.operator.depth,
            number: row.operator.number,
            name: Safe::line(&row.operator.name),
            codegen: row.operator.codegen,
            detail: Safe::line(&row.operator.detail),
            python: row.operator.is_python(),
            in_stage: row.in_stage,
            failed: row.failed,
        };
        Self {
            id: sql.id,
            description: Safe::block(&sql.description),
            status: match sql.succeeded {
                Some(true) => "succeeded",
                Some(false) => "failed",
                None => "running",
            },
            started: sql.started.map(|at| Safe::line(&at.to_string())),
            duration_ms: sql.duration_ms,
            place: sql.place.and_then(|place| At::all(case, &[place]).pop()),
            plan: sql.plan.iter().map(operator).collect(),
        }
    }
}
