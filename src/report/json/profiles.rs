//! In: the profiles that were printed. Out: their JSON twins.

use super::document::At;
use crate::fact::{self, Measure, Owner, Profiled};
use crate::load::Case;
use crate::report::Safe;
use serde::Serialize;

/// Rows of each that are told, the hottest first.
const ROWS: usize = 50;

#[derive(Serialize)]
pub(super) struct Profile {
    /// `udf`, `rdd` or `program`, and the id of the first two.
    of: &'static str,
    id: Option<u64>,
    /// The function, as the plan or the rows tell.
    name: Option<Safe>,
    /// `s` or `MiB`.
    unit: &'static str,
    total: f64,
    calls: Option<u64>,
    /// The operator of a plan that ran it.
    node: Option<Node>,
    at: Option<At>,
    rows: Vec<Row>,
    /// Rows that are not told.
    left_out: usize,
}

#[derive(Serialize)]
struct Node {
    sql: u64,
    number: Option<u32>,
    name: Safe,
}

#[derive(Serialize)]
struct Row {
    file: Option<Safe>,
    line: Option<u32>,
    function: Safe,
    own_code: bool,
    calls: Option<u64>,
    own: f64,
    cumulative: f64,
    share: f64,
    code: Option<Safe>,
    at: Option<At>,
}

impl Profile {
    pub(super) fn of(case: &Case, profile: &fact::Profile) -> Self {
        let story = &case.story;
        let (of, id) = match profile.of {
            Profiled::Udf(id) => ("udf", Some(id)),
            Profiled::Rdd(id) => ("rdd", Some(id)),
            Profiled::Program => ("program", None),
        };
        let name = story.name_of(profile);
        let mut rows: Vec<&fact::ProfileRow> = profile.rows.iter().collect();
        rows.sort_by(|a, b| b.own.total_cmp(&a.own));
        let told = rows.len().min(ROWS);
        let row = |row: &fact::ProfileRow| Row {
            file: (!row.file.is_empty()).then(|| Safe::line(&row.file)),
            line: row.line,
            function: Safe::line(&row.function),
            own_code: row.owner == Owner::User,
            calls: row.calls,
            own: row.own,
            cumulative: row.cumulative,
            share: profile.share(row.own),
            code: row.code.as_deref().map(Safe::line),
            at: At::all(case, &[row.place]).pop(),
        };
        Self {
            of,
            id,
            name: (!name.is_empty()).then(|| Safe::line(name)),
            unit: match profile.measure {
                Measure::Time => "s",
                Measure::Memory => "MiB",
            },
            total: profile.total,
            calls: profile.calls,
            node: story.node_of(profile).map(|(sql, row, _)| Node {
                sql: sql.id,
                number: row.operator.number,
                name: Safe::line(&row.operator.name),
            }),
            at: At::all(case, &[profile.place]).pop(),
            rows: rows[..told].iter().map(|r| row(r)).collect(),
            left_out: rows.len() - told + profile.left_out,
        }
    }
}
