//! In: an incident and the plan it ran. Out: [`function`]: the person's function that is at fault, as a value of templates.
//! A Python worker that refuses what a UDF returned prints no line of the UDF: the only line of the person's is then the
//! driver's, and the function around that is the job, not what Spark called for rows.

use super::scene::Scene;
use crate::fact::{Frame, Relation};
use crate::incident::{Cause, Side};
use regex::Regex;
use std::sync::LazyLock;

/// `[smooth(value#2)#5], [pythonUDF0#8]`: what an operator that runs Python calls.
static CALL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:^|[\[ ,(])(?<name>[A-Za-z_]\w*)\(").expect("a constant pattern compiles")
});

/// The name of the value, `function` or only `function_name`, and the function's name. The latter where the frame's line
/// is not the function's own.
pub(super) fn function(scene: &Scene<'_>, frame: &Frame) -> Option<(&'static str, String)> {
    if !is_drivers(scene, frame) {
        return Some(("function", frame.function.to_string()));
    }
    Some(("function_name", in_plan(scene)?))
}

/// Whether a worker raised it, and the frame is of the driver that waited.
fn is_drivers(scene: &Scene<'_>, frame: &Frame) -> bool {
    let incident = scene.incident;
    if incident.side != Some(Side::PythonWorker) {
        return false;
    }
    let workers = |cause: &Cause| cause.relation == Relation::Worker;
    let Some(at) = incident.chain.iter().position(workers) else {
        return false;
    };
    let holds = |cause: &Cause| {
        let same = |f: &Frame| f.file == frame.file && f.line == frame.line;
        cause.frames.iter().any(same)
    };
    let (driver, worker) = incident.chain.split_at(at);
    driver.iter().any(holds) && !worker.iter().any(holds)
}

/// The function that the plan's operators call in Python, where it is one.
fn in_plan(scene: &Scene<'_>) -> Option<String> {
    let sql = scene.sql()?;
    let python = sql.plan.iter().filter(|row| row.operator.is_python());
    let failed = python.clone().filter(|row| row.failed);
    let rows: Vec<_> = match failed.count() {
        0 => python.collect(),
        _ => python.filter(|row| row.failed).collect(),
    };
    let mut names: Vec<&str> = rows
        .iter()
        .flat_map(|row| CALL.captures_iter(&row.operator.detail))
        .filter_map(|found| found.name("name").map(|name| name.as_str()))
        .collect();
    names.sort_unstable();
    names.dedup();
    match names[..] {
        [only] => Some(only.to_owned()),
        _ => None,
    }
}
