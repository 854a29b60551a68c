//! In: a case. Out: the whole JSON document.

use super::beside::Advice;
use super::incident::Incident;
use super::profiles::Profile;
use super::run::{Executor, Stage};
use super::sql::Sql;
use crate::diagnosis::given_settings;
use crate::load::Case;
use crate::report::safe::Safe;
use crate::text::masked_so_far;
use serde::Serialize;

/// The version of the document's form: raised only when a field goes or changes its meaning.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document {
    schema: u32,
    outcome: &'static str,
    outcome_evidence: Vec<At>,
    spark: Spark,
    inputs: Vec<Input>,
    refused: Vec<Refused>,
    incidents: Vec<Incident>,
    stages: Vec<Stage>,
    /// What can be done about what is remarkable, though it need not have failed.
    advice: Vec<Advice>,
    sql: Vec<Sql>,
    /// What was measured of Python code.
    profiles: Vec<Profile>,
    executors: Vec<Executor>,
    settings: Vec<Setting>,
    /// Different secrets that stand masked in this document.
    masked: usize,
}

#[derive(Serialize)]
struct Spark {
    version: Option<Safe>,
    scala: Option<Safe>,
    app_id: Option<Safe>,
    app_name: Option<Safe>,
    master: Option<Safe>,
}

#[derive(Serialize)]
struct Input {
    name: Safe,
    kind: &'static str,
    format: Safe,
    bytes: u64,
    lines: u64,
    unread: u64,
}

#[derive(Serialize)]
struct Refused {
    name: Safe,
    reason: Safe,
}

/// A setting that the run was given; `default` is what its version of Spark takes without it.
#[derive(Serialize)]
struct Setting {
    key: Safe,
    value: Safe,
    default: Option<Safe>,
    overrides: Option<bool>,
    evidence: Vec<At>,
}

/// A line of an input.
#[derive(Serialize)]
pub(super) struct At {
    input: Safe,
    line: u64,
}

impl At {
    /// Those of the places that lie in an input.
    pub(super) fn all(case: &Case, places: &[crate::text::Place]) -> Vec<Self> {
        places
            .iter()
            .filter_map(|place| crate::report::Spot::of(case, place))
            .map(|spot| Self {
                input: spot.input,
                line: spot.line,
            })
            .collect()
    }
}

/// The document of a case, indented, ending in a line end.
pub(in crate::report) fn render(case: &Case) -> String {
    let story = &case.story;
    let known = |value: &Option<String>| value.as_deref().map(Safe::line);
    let document = Document {
        schema: SCHEMA,
        outcome: story.outcome.word(),
        outcome_evidence: At::all(case, &story.outcome_evidence),
        spark: Spark {
            version: known(&story.spark.version),
            scala: known(&story.spark.scala),
            app_id: known(&story.spark.app_id),
            app_name: known(&story.spark.app_name),
            master: known(&story.spark.master),
        },
        inputs: inputs(case),
        refused: case
            .sources
            .refused
            .iter()
            .map(|refusal| Refused {
                name: Safe::line(&refusal.name),
                reason: Safe::line(&refusal.reason),
            })
            .collect(),
        incidents: (0..story.incidents.len())
            .map(|index| Incident::of(case, index))
            .collect(),
        stages: story
            .stages
            .iter()
            .map(|stage| Stage::of(case, stage))
            .collect(),
        advice: case
            .advice
            .iter()
            .map(|advice| Advice::of(case, advice))
            .collect(),
        sql: story.sql.iter().map(|sql| Sql::of(case, sql)).collect(),
        profiles: story
            .profiles
            .iter()
            .map(|profile| Profile::of(case, profile))
            .collect(),
        executors: story.executors.iter().map(Executor::of).collect(),
        settings: settings(case),
        // The last field: by now everything else was told.
        masked: masked_so_far().total(),
    };
    let mut text = serde_json::to_string_pretty(&document)
        .expect("the document holds strings and numbers under string keys only");
    text.push('\n');
    text
}

fn settings(case: &Case) -> Vec<Setting> {
    let given = given_settings(&case.story).into_iter();
    given
        .map(|setting| Setting {
            key: Safe::line(&setting.key),
            value: Safe::value(&setting.key, &setting.value),
            default: setting.own.as_deref().map(Safe::line),
            overrides: setting.overrides,
            evidence: At::all(case, setting.place.as_slice()),
        })
        .collect()
}

fn inputs(case: &Case) -> Vec<Input> {
    case.sources
        .list
        .iter()
        .enumerate()
        .map(|(index, source)| Input {
            name: Safe::line(&source.name),
            kind: source.kind.word(),
            format: Safe::line(&source.format),
            bytes: source.bytes,
            lines: case.lines.get(index).copied().unwrap_or(0),
            unread: case.unread.get(index).copied().unwrap_or(0),
        })
        .collect()
}
