//! What is said about an incident: its [`Bucket`] and its [`Fix`]es.

use crate::text::Place;
use serde::Deserialize;

/// Which kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bucket {
    /// Columns, tables, types that do not fit.
    Schema,
    /// Values that cannot be what the job takes them for.
    Data,
    /// A class, jar, connector, module or version that is missing or does not match.
    Packaging,
    /// Memory, disk, result size, time-outs under load.
    Resource,
    /// The text of a query.
    Sql,
    /// The user's own code raised it.
    UserCode,
    /// Storage and services outside Spark.
    Io,
    /// The bridge itself.
    Py4j,
    /// Settings, options, environment, ports, arguments.
    Config,
    /// Machines and schedulers.
    Cluster,
    /// Nothing failed.
    None,
}

impl Bucket {
    /// The word of the report.
    pub fn word(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Data => "data",
            Self::Packaging => "packaging",
            Self::Resource => "resource",
            Self::Sql => "sql",
            Self::UserCode => "user-code",
            Self::Io => "io",
            Self::Py4j => "py4j",
            Self::Config => "config",
            Self::Cluster => "cluster",
            Self::None => "none",
        }
    }
}

/// What a step is for; steps stand in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepKind {
    /// Proves that this is the fault.
    Check,
    /// Shows it small.
    Reproduce,
    /// Mends it.
    Fix,
    /// Keeps it from coming back.
    Guard,
}

impl StepKind {
    /// The word of the report.
    pub fn word(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Reproduce => "reproduce",
            Self::Fix => "fix",
            Self::Guard => "guard",
        }
    }
}

/// One step of a fix, with the incident's own values filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What it is for.
    pub kind: StepKind,
    /// One or two sentences.
    pub text: String,
    /// Language of the code: `python`, `sql`, `scala`, `shell`, `conf`.
    pub lang: Option<String>,
    /// Code that can be pasted.
    pub code: Option<String>,
    /// The line of the person's own file in whose place the code stands.
    pub replaces: Option<LineOfCode>,
}

/// A line of the person's own code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineOfCode {
    /// The file's name, without its folder.
    pub file: String,
    /// 1-based.
    pub line: u32,
}

impl std::fmt::Display for LineOfCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A suggested fix.
#[derive(Debug, Clone, PartialEq)]
pub struct Fix {
    /// Id of the rule that suggests it.
    pub rule: String,
    /// Which kind of fix: a family of the taxonomy.
    pub family: String,
    /// One line.
    pub title: String,
    /// Why it applies here.
    pub why: String,
    /// What to do, in order.
    pub steps: Vec<Step>,
    /// The lines that made the rule match.
    pub evidence: Vec<Place>,
}

/// What the rules say of one incident.
#[derive(Debug, Clone, Default)]
pub struct Diagnosis {
    /// Which kind of fault; `None` where no rule knows.
    pub bucket: Option<Bucket>,
    /// How sure, 0.0 to 1.0.
    pub confidence: f32,
    /// Two sentences on what this failure means; empty where no rule knows.
    pub explanation: String,
    /// Best first.
    pub fixes: Vec<Fix>,
}
