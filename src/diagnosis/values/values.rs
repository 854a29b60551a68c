//! In: an incident, the groups that a rule's patterns caught, the run's versions and settings. Out: the values
//! that its templates are filled with.

use super::called;
use super::java;
use super::keys;
use super::memory;
use super::origin;
use super::package::{self, Versions};
use super::reader;
use super::script;
use super::skewed;
use super::unresolved;
use crate::diagnosis::scene::Scene;
use crate::diagnosis::shown;
use crate::diagnosis::template::Values;
use crate::fact::Frame;
use crate::incident::Side;
use crate::text::{mebibytes, visible_line};
use std::fmt::Write as _;

/// Values that every incident has; the versions among them as a visible placeholder where unknown.
pub(in crate::diagnosis) const ALWAYS_KNOWN: &[&str] = &[
    "class",
    "message",
    "what",
    "spark_version",
    "scala_version",
    "hadoop_version",
    "next_kryo_buffer",
    "next_rpc_size",
    "next_partitions",
];

/// Further values that may be known, besides the groups of a rule's own patterns.
pub(in crate::diagnosis) const KNOWN: &[&str] = &[
    "file",
    "line",
    "function",
    "code",
    "origin",
    "origin_call",
    "origin_file",
    "origin_line",
    "fragment",
    "statement",
    "udf_statement",
    "udf_function",
    "udf_line",
    "udf_columns",
    "udf_column",
    "where",
    "action_where",
    "action_code",
    "host",
    "executor",
    "stage",
    "partition",
    "app_id",
    "yarn_app_id",
    "master",
    "exit_code",
    "condition",
    "used",
    "limit",
    "memory_kind",
    "executor_memory",
    "executor_cores",
    "overhead",
    "driver_memory",
    "package",
    "suggestion",
    "column_name",
    "suggestion_name",
    "own_alias",
    "at_hand",
    "needed_java",
    "running_java",
    "pip_name",
    "module_root",
    "table_whole",
    "missing_class",
    "function_name",
    "routine_name",
    "value_bare",
    "value_literal",
    "class_name",
    "next_executor_memory",
    "next_driver_memory",
    "next_overhead",
    "next_result_size",
    "shown",
    "finding",
    "key",
    "skew_limit",
    "script",
    "skew_piece",
    "key_columns",
    "reader",
    "reader_options",
    "event_log",
    "driver_log",
    "executor_log",
    "fewer_cores",
    "fewer_executors",
    "less_executor_memory",
    "fewer_tasks",
    "single_task",
    "call_name",
    "passed",
    "own_class",
    "host_name",
    "port",
];

/// Values longer than this are cut: they stand inside a sentence.
const LONGEST: usize = 160;

/// What the incident itself brings, before any rule's groups.
pub(in crate::diagnosis) fn of_incident(scene: &Scene<'_>) -> Values {
    let incident = scene.incident;
    let root = incident.root();
    let mut values = Values::new();
    let mut put = |name: &str, value: &str| {
        if !value.is_empty() {
            values.insert(name.to_owned(), value.to_owned());
        }
    };
    let headline = root.headline();
    let class = if root.class.is_empty() {
        "the failure"
    } else {
        root.short_class()
    };
    put("class", class);
    if class.chars().all(|c| c.is_alphanumeric() || c == '_') {
        put("class_name", class);
    }
    put(
        "message",
        if headline.is_empty() { class } else { headline },
    );
    put("what", &incident.title());
    if incident.title().is_empty() {
        put("what", class);
    }
    put_frames(scene, &mut put);
    // Of several attempts the one whose executor the root names: the last may have ended for another reason, elsewhere.
    let lost = named_executor(&root.message);
    let mut attempts = incident.attempts.iter().rev();
    let on_lost = attempts.find(|attempt| lost.is_some() && attempt.executor.as_deref() == lost);
    if let Some(attempt) = on_lost.or(incident.attempts.last()) {
        put("host", attempt.host.as_deref().unwrap_or_default());
        put("executor", attempt.executor.as_deref().unwrap_or_default());
    }
    if let Some(task) = incident.task {
        put("stage", &task.stage.to_string());
        put("partition", &task.partition.to_string());
    }
    let app_id = scene.story.spark.app_id.as_deref().unwrap_or_default();
    put("app_id", app_id);
    if app_id.starts_with("application_") {
        put("yarn_app_id", app_id);
    }
    put(
        "master",
        scene.story.spark.master.as_deref().unwrap_or_default(),
    );
    if let Some((code, _)) = scene.exit_codes.first() {
        put("exit_code", &code.to_string());
    }
    if let Some(condition) = &scene.conditions[incident.root] {
        put("condition", condition);
    }
    let versions = versions(scene);
    put("spark_version", &versions.spark);
    put("scala_version", &versions.scala);
    put("hadoop_version", &versions.hadoop);
    if scene.finding.is_some() {
        put("finding", &root.message);
    }
    let keys = keys::of(&scene.plan());
    put("key_columns", &keys.join(", "));
    if let [key] = &keys[..] {
        put("key", key);
    }
    if let Some([limit, piece]) = skewed::sizes(scene) {
        put("skew_limit", &limit);
        put("skew_piece", &piece);
    }
    put("event_log", &shown::event_log(scene).unwrap_or_default());
    put("driver_log", shown::driver_log(scene).unwrap_or_default());
    put(
        "executor_log",
        &shown::opened_executor_log(scene).unwrap_or_default(),
    );
    let tasks = shown::stage(scene).and_then(|stage| stage.tasks.total);
    match tasks {
        Some(0 | 1) => put("single_task", "1"),
        Some(tasks) => put("fewer_tasks", &(tasks / 4).max(1).to_string()),
        // What the driver itself calls is called once.
        None if incident.side == Some(Side::PythonDriver) => put("single_task", "1"),
        None => {}
    }
    scene.own_code.put(&mut values);
    origin::put(scene.incident, &mut values);
    memory::put(scene, &mut values);
    java::put(scene, &mut values);
    tidy(&mut values);
    values
}

/// The executor that a message says was lost.
fn named_executor(message: &str) -> Option<&str> {
    const NAMED: [&str; 3] = ["Lost executor ", "(executor ", "executor with id "];
    let (_, rest) = NAMED.iter().find_map(|named| message.split_once(named))?;
    rest.split(|c: char| !c.is_ascii_alphanumeric())
        .next()
        .filter(|id| !id.is_empty())
}

/// What the person's own lines bring: the innermost one, and the one that led to it.
fn put_frames(scene: &Scene<'_>, put: &mut impl FnMut(&str, &str)) {
    let incident = scene.incident;
    if let Some(frame) = incident
        .user_frame
        .as_ref()
        .or(incident.action_frame.as_ref())
    {
        put("file", base(&frame.file));
        put("script", script::of(incident).unwrap_or_default());
        if let Some((name, function)) = called::function(scene, frame) {
            put(name, &function);
            let columns = called::columns(scene).unwrap_or_default();
            let quoted: Vec<String> = columns.iter().map(|name| format!("\"{name}\"")).collect();
            put("udf_columns", &quoted.join(", "));
            if let [only] = &columns[..] {
                put("udf_column", only);
            }
        }
        let code = frame.code.as_deref().unwrap_or_default();
        put("passed", called::passed(code).unwrap_or_default());
        put("code", frame.code.as_deref().unwrap_or_default().trim());
        put("where", &spot(frame));
        if let Some(line) = frame.line {
            put("line", &line.to_string());
        }
    }
    if let Some(frame) = incident
        .action_frame
        .as_ref()
        .or(incident.user_frame.as_ref())
    {
        put("action_where", &spot(frame));
        put(
            "action_code",
            frame.code.as_deref().unwrap_or_default().trim(),
        );
    }
}

/// Adds what follows from the groups that were caught: a coordinate from a class, a name from a list.
pub(in crate::diagnosis) fn complete(values: &mut Values, scene: &Scene<'_>) {
    for name in ["missing_class", "class_path", "member_class", "member"] {
        if let Some(class) = values.get_mut(name) {
            *class = class.replace('/', ".");
        }
    }
    java::complete(values);
    if let Some((host, port)) = values
        .get("address")
        .and_then(|address| address_of(address))
    {
        values.insert("host_name".to_owned(), host);
        values.extend(port.map(|port| ("port".to_owned(), port)));
    }
    if let Some(module) = values.get("module").cloned() {
        let root = module.split('.').next().unwrap_or(&module).to_owned();
        values.insert("pip_name".to_owned(), package::pip_name(&root).to_owned());
        values.insert("module_root".to_owned(), root);
    }
    for name in ["column", "table", "view"] {
        if let Some(value) = values.get_mut(name) {
            *value = value.trim_matches(['`', '"', '\'']).replace("`.`", ".");
        }
    }
    if let Some(table) = values.get("table").map(|table| in_full(table)) {
        values.insert("table_whole".to_owned(), table);
    }
    let quotes = |c: char| c.is_whitespace() || "`'\"".contains(c);
    for (whole, bare) in [
        ("value", "value_bare"),
        ("routine", "routine_name"),
        ("function", "function_name"),
    ] {
        if let Some(value) = values.get(whole) {
            let plain = value.trim_matches(quotes).replace("`.`", ".");
            let is_name = plain
                .chars()
                .all(|c| c.is_alphanumeric() || c == '_' || c == '.');
            if whole == "value" || (is_name && !plain.is_empty()) {
                values.insert(bare.to_owned(), plain);
            }
        }
    }
    // The job as a whole is no call that could be made again.
    if let Some(name) = values.get("function_name").filter(|name| *name != "main") {
        values.insert("call_name".to_owned(), name.clone());
    }
    if let Some(literal) = values.get("value").and_then(|value| literal(value)) {
        values.insert("value_literal".to_owned(), literal);
    }
    if let (Some(list), Some(wrong)) = (values.get("suggestions"), values.get("column"))
        && let Some(name) = nearest(wrong, list)
    {
        values.insert("suggestion".to_owned(), name);
    }
    for (whole, name) in [("column", "column_name"), ("suggestion", "suggestion_name")] {
        if let Some(value) = values.get(whole) {
            let last = value.rsplit('.').next().unwrap_or(value).to_owned();
            values.insert(name.to_owned(), last);
        }
    }
    reader::put(scene, values);
    let messages = scene.incident.chain.iter().map(|cause| &*cause.message);
    unresolved::put(messages, values);
    if !values.contains_key("package") {
        let versions = versions(scene);
        let found = ["source", "missing_class", "scheme", "jdbc"]
            .iter()
            .filter_map(|name| values.get(*name))
            .find_map(|name| package::coordinate(name, &versions));
        if let Some(found) = found {
            values.insert("package".to_owned(), found);
        }
    }
    if let Some(limit) = values
        .get("limit_size")
        .and_then(|size| mebibytes(size, 1.0))
    {
        values.insert(
            "next_result_size".to_owned(),
            memory::setting_of(limit * 2.0),
        );
    }
    if let Some(needed) = values
        .get("kryo_required")
        .and_then(|bytes| bytes.parse::<f64>().ok())
    {
        // The text names what was missing on top of the buffer, in bytes.
        let wanted = (needed / (1024.0 * 1024.0) * 2.0).clamp(256.0, 2047.0);
        values.insert("next_kryo_buffer".to_owned(), format!("{}m", wanted.ceil()));
    }
    tidy(values);
}

fn versions(scene: &Scene<'_>) -> Versions {
    Versions::of(scene.version, scene.story.spark.scala.as_deref())
}

/// One line, safe to show, not too long.
fn tidy(values: &mut Values) {
    for value in values.values_mut() {
        let line = value.lines().next().unwrap_or("").trim();
        let mut line = visible_line(line).into_owned();
        if line.len() > LONGEST {
            let mut end = LONGEST;
            while !line.is_char_boundary(end) {
                end -= 1;
            }
            line.truncate(end);
            line.push('…');
        }
        *value = line;
    }
    values.retain(|_, value| !value.is_empty());
}

/// A value as Python writes it: a number bare, a text in quotes. `None` where it holds signs that would need escaping.
fn literal(value: &str) -> Option<String> {
    let is_number = value
        .bytes()
        .all(|b| b.is_ascii_digit() || b == b'.' || b == b'-');
    if is_number && value.parse::<f64>().is_ok() {
        return Some(value.to_owned());
    }
    let text = ['\'', '"']
        .iter()
        .find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote))
        .unwrap_or(value);
    let plain = !text.is_empty() && !text.contains(['"', '\\', '\n']);
    plain.then(|| format!("\"{text}\""))
}

/// The one of `list` that `wrong` most likely stands for; `None` where none is near.
fn nearest(wrong: &str, list: &str) -> Option<String> {
    let plain = |name: &str| {
        name.trim_matches(|c: char| c.is_whitespace() || "`'\"[]".contains(c))
            .to_owned()
    };
    let last = |name: &str| {
        name.rsplit('.')
            .next()
            .unwrap_or(name)
            .replace('`', "")
            .to_lowercase()
    };
    let target = last(&plain(wrong));
    list.split(',')
        .map(plain)
        .filter(|name| !name.is_empty() && !name.contains("more field"))
        .map(|name| (strsim::osa_distance(&target, &last(&name)), name))
        .filter(|(distance, _)| *distance <= (target.chars().count() / 3).max(2))
        .min()
        .map(|(_, name)| name.replace("`.`", "."))
}

/// A table's name with the parts in front that it lacks.
fn in_full(table: &str) -> String {
    let lacks = match table.split('.').count() {
        1 => "<catalog>.<database>.",
        2 => "<catalog>.",
        _ => "",
    };
    format!("{lacks}{table}")
}

/// The host of an address, and its port: `db:5432`, `db/10.0.0.7:5432`, `db`.
fn address_of(address: &str) -> Option<(String, Option<String>)> {
    let (host, port) = match address.rsplit_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (address, None),
    };
    let host = host.split('/').find(|part| !part.is_empty())?;
    let port = port.filter(|port| port.parse::<u16>().is_ok());
    Some((host.to_owned(), port.map(str::to_owned)))
}

fn base(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// `enrich.py:88 parse_age`
fn spot(frame: &Frame) -> String {
    let mut spot = base(&frame.file).to_owned();
    if let Some(line) = frame.line {
        let _ = write!(spot, ":{line}");
    }
    let function = frame.function.as_str();
    if !function.is_empty() && !function.starts_with('<') {
        spot.push(' ');
        spot.push_str(function);
    }
    spot
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested_only_when_near() {
        let list = "`customer_id`, `order_id`, `t`.`amount`";
        assert_eq!(nearest("custmer_id", list).as_deref(), Some("customer_id"));
        assert_eq!(nearest("`t`.`amuont`", list).as_deref(), Some("t.amount"));
        assert_eq!(nearest("revenue", list), None);
    }

    #[test]
    fn an_address_has_a_host_and_may_have_a_port() {
        let told = |text| address_of(text).map(|(host, port)| (host, port.unwrap_or_default()));
        for (text, host, port) in [
            ("db.corp", "db.corp", ""),
            ("db/10.0.0.7:5432", "db", "5432"),
            ("/10.0.0.7:9000", "10.0.0.7", "9000"),
        ] {
            assert_eq!(told(text), Some((host.to_owned(), port.to_owned())));
        }
    }

    #[test]
    fn a_table_is_named_in_full() {
        for (table, whole) in [
            ("orders", "<catalog>.<database>.orders"),
            ("sales.orders", "<catalog>.sales.orders"),
            ("lake.sales.orders", "lake.sales.orders"),
        ] {
            assert_eq!(in_full(table), whole);
        }
    }
}
