//! In: an incident and the plan it ran. Out: [`function`]: the person's function that is at fault, as a value of templates.
//! A Python worker that refuses what a UDF returned prints no line of the UDF: the only line of the person's is then the
//! driver's, and the function around that is the job, not what Spark called for rows.

use crate::diagnosis::scene::Scene;
use crate::fact::{Frame, Relation};
use crate::incident::{Cause, Side};
use regex::Regex;
use std::sync::LazyLock;

/// `[smooth(value#2)#5, f(a#1)#6], [pythonUDF0#8]`: the calls themselves, not what stands in their arguments.
static CALL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:\[|#\d+L?, )(?<name>[^\[\](),#\s]+)\(").expect("a constant pattern compiles")
});

/// `smooth(value#2, cast(day#3 as int))`: a call with its arguments, where these are no calls themselves.
static ARGUMENTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:\[|#\d+L?, )[^\[\](),#\s]+\((?<columns>\w+#\d+L?(?:, \w+#\d+L?)*)\)")
        .expect("a constant pattern compiles")
});

/// `rdd.map(parse)`, `df.groupBy("k").applyInPandas(score, schema)`: a function that is handed over by its name.
static PASSED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"\.(?:map|flatMap|filter|foreach|apply|foreachBatch|\w+(?:Values|Partitions?|WithIndex|InPandas|InArrow))\((?<name>[A-Za-z_]\w*)\s*[,)]",
    )
    .expect("a constant pattern compiles")
});

/// The function that a line of the driver's hands to Spark.
pub(super) fn passed(line: &str) -> Option<&str> {
    Some(PASSED.captures(line)?.name("name")?.as_str())
}

/// `parse_age(F.col("age"))`, `parse_age(df["age"], "day")`: what a line of the driver's hands to a function, where that is columns.
static HANDED: LazyLock<Regex> = LazyLock::new(|| {
    const NAME: &str = r#"["'][A-Za-z_]\w*["']"#;
    let column = format!(r"(?:(?:\w+\.)?col\({NAME}\)|\w+\[{NAME}\]|{NAME})");
    Regex::new(&format!(
        r"\b(?<name>[A-Za-z_]\w*)\((?<columns>{column}(?:, ?{column})*)\)"
    ))
    .expect("a constant pattern compiles")
});

/// The columns that the function at fault gets: from the plan, where that calls one function in Python, else from the
/// lines of the driver's that the trace shows.
pub(super) fn columns(scene: &Scene<'_>) -> Option<Vec<String>> {
    let by_plan = || {
        in_plan(scene)?;
        arguments(details(scene)?.iter().map(String::as_str))
    };
    let causes = scene.incident.chain.iter();
    let frames = causes.flat_map(|cause| &cause.frames);
    let lines = frames.clone().filter_map(|frame| frame.code.as_deref());
    let is_called = |name: &str| frames.clone().any(|frame| &*frame.function == name);
    by_plan().or_else(|| handed(lines, is_called))
}

/// What the lines hand to a function that `is_called`, where they hand it the same everywhere.
fn handed<'a>(
    lines: impl Iterator<Item = &'a str>,
    is_called: impl Fn(&str) -> bool,
) -> Option<Vec<String>> {
    let calls = lines.flat_map(|line| HANDED.captures_iter(line));
    let calls = calls.filter(|call| is_called(&call["name"]));
    let name = |column: &str| {
        let quoted = column.split(['"', '\'']).nth(1);
        quoted.unwrap_or_default().to_owned()
    };
    let mut calls: Vec<Vec<String>> = calls
        .map(|call| call["columns"].split(',').map(name).collect())
        .collect();
    calls.dedup();
    let only = calls.pop();
    only.filter(|_| calls.is_empty())
}

fn arguments<'a>(details: impl Iterator<Item = &'a str>) -> Option<Vec<String>> {
    let mut calls: Vec<&str> = details
        .flat_map(|detail| ARGUMENTS.captures_iter(detail))
        .filter_map(|found| found.name("columns").map(|columns| columns.as_str()))
        .collect();
    calls.dedup();
    let [only] = calls[..] else { return None };
    let names = only
        .split(", ")
        .filter_map(|column| column.split('#').next());
    Some(names.map(str::to_owned).collect())
}

/// The name of the value, `function` or only `function_name`, and the function's name. The latter where the frame's line
/// is not the function's own.
pub(super) fn function(scene: &Scene<'_>, frame: &Frame) -> Option<(&'static str, String)> {
    if !is_drivers(scene, frame) {
        return Some(("function", frame.function.to_string()));
    }
    let by_line = || passed(frame.code.as_deref()?).map(str::to_owned);
    Some(("function_name", in_plan(scene).or_else(by_line)?))
}

/// Whether a task raised it, and the frame is of the driver that waited.
fn is_drivers(scene: &Scene<'_>, frame: &Frame) -> bool {
    let incident = scene.incident;
    // The executor's JVM runs none of the person's Python.
    if incident.side == Some(Side::JvmExecutor) && frame.file.ends_with(".py") {
        return true;
    }
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

/// The function that the plan's operators call in Python.
fn in_plan(scene: &Scene<'_>) -> Option<String> {
    only_call(details(scene)?.iter().map(String::as_str))
}

/// What the operators work on that hand rows to Python, those that failed where that is known.
fn details(scene: &Scene<'_>) -> Option<Vec<String>> {
    let sql = scene.sql()?;
    let any_failed = sql.plan.iter().any(|row| row.failed);
    let rows = sql.plan.iter();
    let rows = rows.filter(|row| row.operator.is_python() && (row.failed || !any_failed));
    Some(rows.map(|row| row.operator.detail.to_string()).collect())
}

/// The one name that is called; a lambda has none that could be written down.
fn only_call<'a>(details: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut names: Vec<&str> = details
        .flat_map(|detail| CALL.captures_iter(detail))
        .filter_map(|found| found.name("name").map(|name| name.as_str()))
        .collect();
    names.sort_unstable();
    names.dedup();
    let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    match names[..] {
        [only] if is_name(only) => Some(only.to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_named_where_it_is_the_only_one() {
        for (detail, name) in [
            ("[smooth(value#2)#5], [pythonUDF0#8], 200", Some("smooth")),
            ("[f(cast(a#1 as double))#5], [pythonUDF0#8]", Some("f")),
            ("[<lambda>(cast(a#1 as double))#5], [pythonUDF0#8]", None),
            ("[f(a#1)#5, g(a#1)#6L], [pythonUDF0#8]", None),
            ("[f(a#1)#5, f(b#2)#6], [pythonUDF0#8]", Some("f")),
        ] {
            assert_eq!(only_call([detail].into_iter()).as_deref(), name, "{detail}");
        }
    }

    #[test]
    fn a_function_is_named_by_the_line_that_hands_it_over() {
        for (line, name) in [
            (
                "scores = folds[i].mapPartitions(score_part).collect()",
                Some("score_part"),
            ),
            (
                "df.groupBy(\"k\").applyInPandas(score, schema)",
                Some("score"),
            ),
            ("rdd.map(lambda p: p[3])", None),
            ("rdd.map(int(x))", None),
        ] {
            assert_eq!(passed(line), name, "{line}");
        }
    }

    #[test]
    fn the_columns_of_a_call_are_named_where_they_are_plain() {
        for (detail, columns) in [
            ("[smooth(value#2)#5], [pythonUDF0#8]", Some(&["value"][..])),
            ("[f(a#1, b#2L)#5], [pythonUDF0#8]", Some(&["a", "b"][..])),
            ("[f(cast(a#1 as double))#5], [pythonUDF0#8]", None),
            ("[f(a#1)#5, f(b#2)#6], [pythonUDF0#8]", None),
        ] {
            let columns = columns.map(|names| names.iter().map(ToString::to_string).collect());
            assert_eq!(arguments([detail].into_iter()), columns, "{detail}");
        }
    }

    #[test]
    fn the_columns_of_a_call_are_named_by_the_line_that_makes_it() {
        for (line, columns) in [
            (
                r#"out = df.withColumn("band", band(F.col("age")))"#,
                Some(&["age"][..]),
            ),
            (
                r#"df.select(band("age", 'day').alias("b")).show()"#,
                Some(&["age", "day"][..]),
            ),
            (r#"df.select(band(df["age"]))"#, Some(&["age"][..])),
            (r#"df.select(band(F.col("a") + 1))"#, None),
            (r#"df.select(band("a"), band("b"))"#, None),
            (r#"df.select(other("a"))"#, None),
        ] {
            let columns = columns.map(|names| names.iter().map(ToString::to_string).collect());
            let found = handed([line].into_iter(), |name| name == "band");
            assert_eq!(found, columns, "{line}");
        }
    }
}
