//! In: a [`Story`] and one of its incidents. Out: the [`Scene`]: what rules look at, prepared once.

use super::condition;
use super::fix::Opened;
use super::language::Language;
use super::own_code::OwnCode;
use super::pattern::Patterns;
use super::platform::Platform;
use super::version::Version;
use crate::fact::Owner;
use crate::incident::{AttemptOutcome, Cause, FindingKind, Incident, PlanRow, Sql, Story};
use crate::text::{Place, pattern};
use regex::Regex;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

/// Something else that happened in the run.
#[derive(Debug)]
pub(super) struct Near {
    /// `executor 3: Command exited with code 137`, `skew: task 4 …`, `java.io.IOException: …`.
    pub(super) text: String,
    /// Where it is logged.
    pub(super) place: Option<Place>,
    /// The incident it is, where it is one.
    incident: Option<usize>,
}

/// What happened in a run besides its incidents' own chains; the same for all of them.
#[derive(Debug)]
pub(super) struct Run {
    near: Vec<Near>,
    version: Option<Version>,
}

/// One incident within its run.
#[derive(Debug)]
pub(super) struct Scene<'a> {
    pub(super) incident: &'a Incident,
    pub(super) story: &'a Story,
    pub(super) settings: &'a BTreeMap<String, String>,
    /// Spark's version.
    pub(super) version: Option<Version>,
    /// What the run's processes ran on.
    pub(super) platform: Option<Platform>,
    /// What the job is written in.
    pub(super) language: Option<Language>,
    /// Other incidents, lost executors, findings about stages.
    pub(super) near: Vec<&'a Near>,
    /// Exit codes that the chain or the incident's executors name, and where.
    pub(super) exit_codes: Vec<(i32, Option<Place>)>,
    /// For each link of the chain, its error condition.
    pub(super) conditions: Vec<Option<String>>,
    /// For each link of the chain, which patterns can match what it says.
    pub(super) candidates: Vec<Vec<bool>>,
    /// The patterns of the rules.
    pub(super) patterns: &'a Patterns,
    /// The person's own lines that the trace prints.
    pub(super) own_code: OwnCode,
    /// What was opened.
    pub(super) opened: &'a [Opened],
    /// The kind of the finding that advice is asked for; `None` for a failure.
    pub(super) finding: Option<FindingKind>,
}

/// Most other happenings that are looked at; a run with more has its first ones here.
const MOST_NEAR: usize = 400;

static EXIT_CODE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)exit(?:ed)?[- ]?(?:with )?(?:a )?(?:non-zero )?(?:exit )?(?:code|status)(?: is)?:? *\(?(-?\d{1,4})\b")
        .expect("a constant pattern compiles")
});

impl Run {
    /// Gathers what happened in a run.
    pub(super) fn of(story: &Story) -> Self {
        let mut near = Vec::new();
        for (at, incident) in story.incidents.iter().enumerate().take(MOST_NEAR) {
            let root = incident.root();
            near.push(Near {
                text: format!("{}: {}", root.class, root.message),
                place: Some(root.place),
                incident: Some(at),
            });
        }
        for executor in story.executors.iter().take(MOST_NEAR) {
            // What the driver itself ends when it is done is no happening.
            let done = executor
                .reason
                .as_deref()
                .is_none_or(|reason| reason.contains("killed by driver"));
            if done && executor.exit_code.is_none() {
                continue;
            }
            let mut text = format!("executor {}: ", executor.id);
            text.push_str(executor.reason.as_deref().unwrap_or_default());
            if let Some(code) = executor.exit_code {
                let _ = write!(text, " exit code {code}");
            }
            near.push(Near {
                text,
                place: executor.place,
                incident: None,
            });
        }
        for finding in story
            .stages
            .iter()
            .flat_map(|s| &s.findings)
            .take(MOST_NEAR)
        {
            near.push(Near {
                text: format!("{}: {}", finding.kind.word(), finding.text),
                place: finding.evidence.first().copied(),
                incident: None,
            });
        }
        Self {
            near,
            version: story.spark.version.as_deref().and_then(Version::parse),
        }
    }
}

impl<'a> Scene<'a> {
    /// The scene of the incident with index `at`.
    pub(super) fn of(
        story: &'a Story,
        run: &'a Run,
        at: usize,
        patterns: &'a Patterns,
        opened: &'a [Opened],
    ) -> Self {
        let incident = &story.incidents[at];
        let mut scene = Self::about(story, run, incident, patterns, opened);
        scene.near.retain(|near| near.incident != Some(at));
        scene
    }

    /// The scene of what may be none of the story's incidents.
    pub(super) fn about(
        story: &'a Story,
        run: &'a Run,
        incident: &'a Incident,
        patterns: &'a Patterns,
        opened: &'a [Opened],
    ) -> Self {
        let candidates = incident
            .chain
            .iter()
            .map(|cause| {
                let mut can = patterns.candidates(&cause.message);
                for (can, also) in can.iter_mut().zip(patterns.candidates(&cause.text)) {
                    *can |= also;
                }
                can
            })
            .collect();
        Self {
            incident,
            story,
            settings: &story.settings,
            version: run.version,
            platform: Platform::of(story, incident),
            language: Language::of(incident, story),
            near: run.near.iter().collect(),
            exit_codes: exit_codes(incident, story),
            conditions: incident
                .chain
                .iter()
                .map(condition::named_or_said)
                .collect(),
            candidates,
            patterns,
            own_code: OwnCode::of(incident),
            opened,
            finding: None,
        }
    }

    /// The lines of the person's own code that the log shows, and where.
    pub(super) fn own_lines(&self) -> impl Iterator<Item = (&'a str, Place)> {
        let incident = self.incident;
        let frames = [&incident.user_frame, &incident.action_frame];
        frames
            .into_iter()
            .flatten()
            .filter_map(|frame| Some((frame.code.as_deref()?, frame.place)))
    }

    /// The SQL execution that the incident, or the stage it is about, belongs to.
    pub(super) fn sql(&self) -> Option<&'a Sql> {
        self.story.sql_of(self.incident)
    }

    /// The operators of its plan, those of the failing stage where that is known: names and what they work on.
    pub(super) fn plan(&self) -> Vec<String> {
        let Some(sql) = self.sql() else {
            return Vec::new();
        };
        let row = |row: &PlanRow| format!("{} {}", row.operator.name, row.operator.detail);
        let of_stage = sql.plan.iter().filter(|row| row.in_stage);
        let of_stage: Vec<_> = of_stage.map(row).collect();
        if of_stage.is_empty() {
            sql.plan.iter().map(row).collect()
        } else {
            of_stage
        }
    }

    /// Whose code raised the root. What the JVM's and Scala's own checks raise, `require` and the like, is their
    /// caller's where that is the user or a library.
    pub(super) fn owner(&self) -> Option<Owner> {
        let frames = &self.incident.root().frames;
        let language = |owner| matches!(owner, Owner::Jvm | Owner::Scala);
        match frames.first() {
            Some(frame) if language(frame.owner) => {
                let caller = frames.iter().map(|f| f.owner).find(|o| !language(*o));
                caller
                    .filter(|caller| matches!(caller, Owner::User | Owner::Library))
                    .or(Some(frame.owner))
            }
            Some(frame) => Some(frame.owner),
            None => self.incident.user_frame.as_ref().map(|frame| frame.owner),
        }
    }
}

/// What a link of the chain says: its message, or its whole line where there is none.
pub(super) fn said(cause: &Cause) -> &str {
    if cause.message.trim().is_empty() {
        &cause.text
    } else {
        &cause.message
    }
}

fn exit_codes(incident: &Incident, story: &Story) -> Vec<(i32, Option<Place>)> {
    let mut codes = Vec::new();
    let links = std::iter::once(incident.root())
        .chain(incident.chain.iter().rev())
        .take(12);
    for cause in links {
        for found in EXIT_CODE.captures_iter(said(cause)).take(4) {
            if let Ok(code) = found[1].parse() {
                codes.push((code, Some(cause.place)));
            }
        }
    }
    for attempt in &incident.attempts {
        if attempt.outcome != AttemptOutcome::Lost {
            continue;
        }
        let executor = story
            .executors
            .iter()
            .find(|e| Some(&e.id) == attempt.executor.as_ref());
        if let Some(executor) = executor
            && let Some(code) = executor.exit_code
        {
            codes.push((code, executor.place));
        }
    }
    codes
}
