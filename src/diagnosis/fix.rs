//! What is said about an incident: its [`Bucket`], its [`Fix`]es, and what else helps to be sure of them.

use crate::incident::FindingKind;
use crate::source::Kind;
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

    /// Whether it lies in the job and what it reads, and not in what it runs on.
    pub fn is_of_the_job(self) -> bool {
        matches!(self, Self::Schema | Self::Data | Self::Sql | Self::UserCode)
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

impl Fix {
    /// Whether a step is left that mends something where the job ran.
    pub(super) fn mends(&self) -> bool {
        self.steps.iter().any(|step| step.kind == StepKind::Fix)
    }
}

/// Something that speaks for or against a suspect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sign {
    /// One sentence.
    pub text: String,
    /// The line that shows it.
    pub place: Option<Place>,
}

/// One of several things that may have caused a failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suspect {
    /// One line.
    pub title: String,
    /// Which kind of fix it would take.
    pub family: String,
    /// What speaks for it.
    pub speaks_for: Vec<Sign>,
    /// What speaks against it.
    pub speaks_against: Vec<Sign>,
    /// What to try if it is this.
    pub step: Step,
}

/// What may have caused a failure whose words leave that open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// What is asked: one line.
    pub asks: String,
    /// The most likely first.
    pub suspects: Vec<Suspect>,
}

/// Something to look at beside the failure itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideEvidence {
    /// What it shows of it; `None` where it is not in what was opened.
    pub held: Option<Sign>,
    /// What to look at, and how to get it.
    pub step: Step,
}

/// What advice is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// A stage: an index in [`Story::stages`](crate::incident::Story::stages).
    Stage(usize),
    /// A profile: an index in [`Story::profiles`](crate::incident::Story::profiles).
    Profile(usize),
}

/// What can be done about what is remarkable though it need not have failed.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// What it is about.
    pub about: About,
    /// What is remarkable about that.
    pub finding: FindingKind,
    /// What to do.
    pub fix: Fix,
}

/// An input, as far as it is evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// What it is.
    pub kind: Kind,
    /// Its name as shown.
    pub name: String,
    /// The executor whose log it is.
    pub executor: Option<String>,
    /// Its path, where a shell can read it as it is: not from within an archive, not packed.
    pub path: Option<String>,
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
    /// What else it may have been; `None` where the failure's own words leave no doubt.
    pub question: Option<Question>,
    /// What to look at before anything is changed.
    pub evidence: Vec<SideEvidence>,
    /// Ways to see more where the trace does not tell enough; their steps are to be done in order.
    pub recipes: Vec<Fix>,
    /// In which form the trace was printed, where that hides something.
    pub notices: Vec<Sign>,
}
