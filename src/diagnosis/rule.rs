//! In: one `[[rule]]` table of a rules file. Out: a [`Rule`], checked and ready to match.

use super::family::{Family, NOTHING};
use super::fix::{Bucket, StepKind};
use super::pattern::{PatternId, Patterns};
use super::rule_error::RuleError;
use super::shape::Groups;
use super::shown::Shown;
use super::starting_rule::is_unsaid;
use super::step::{RawStep, RawText, StepTemplate};
use super::template::{Choice, Values};
use super::values::{ALWAYS_KNOWN, KNOWN};
use super::version::Range;
use crate::incident::FindingKind;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A rule as it stands in its file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRule {
    pub(super) id: String,
    family: String,
    bucket: Bucket,
    title: RawText,
    means: RawText,
    why: RawText,
    when: Vec<RawWhen>,
    #[serde(default)]
    capture: Vec<String>,
    #[serde(default)]
    needs: Vec<String>,
    #[serde(default)]
    lacks: Vec<String>,
    #[serde(default)]
    also: Vec<String>,
    #[serde(default)]
    weight: i32,
    #[serde(default)]
    last: bool,
    check: Vec<RawStep>,
    #[serde(default)]
    reproduce: Vec<RawStep>,
    fix: Vec<RawStep>,
    guard: Vec<RawStep>,
}

/// One alternative of a rule's conditions: all that is given must hold.
#[derive(Debug, Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawWhen {
    of: Of,
    class: Vec<String>,
    message: Option<String>,
    condition: Vec<String>,
    sqlstate: Vec<String>,
    frame: Option<String>,
    thrower: Option<String>,
    owner: Vec<String>,
    side: Vec<String>,
    phase: Vec<String>,
    evidence: Vec<String>,
    exit_code: Vec<i32>,
    near: Option<String>,
    finding: Vec<String>,
    code: Option<String>,
    plan: Option<String>,
    shows: Vec<Shown>,
    setting: BTreeMap<String, String>,
    spark_version: Option<String>,
    not: Vec<RawWhen>,
}

/// Which links of the chain a condition looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Of {
    /// Any link that was not merely suppressed.
    #[default]
    Chain,
    /// The root alone.
    Root,
}

/// A rule that can be applied.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) id: String,
    pub(super) family: &'static str,
    pub(super) bucket: Bucket,
    pub(super) title: Choice,
    pub(super) means: Choice,
    pub(super) why: Choice,
    pub(super) when: Vec<When>,
    pub(super) capture: Vec<PatternId>,
    /// Values without which the rule does not apply.
    pub(super) needs: Vec<String>,
    /// Values with which the rule does not apply.
    pub(super) lacks: Vec<String>,
    /// Rules whose fixes stand below this one's.
    pub(super) also: Vec<String>,
    /// Added by hand to the computed weight.
    pub(super) weight: i32,
    /// Whether it says what holds for any failure of its kind: it stands below another rule only where that names it.
    pub(super) last: bool,
    pub(super) steps: Vec<StepTemplate>,
    /// Whether it holds sentences that the program put there for a person to fill in.
    pub(super) is_begun: bool,
    /// Where it was read, for messages.
    pub(super) file: String,
}

/// Conditions that can be tested.
#[derive(Debug)]
pub(super) struct When {
    pub(super) of: Of,
    pub(super) class: Vec<String>,
    pub(super) message: Option<PatternId>,
    pub(super) condition: Vec<String>,
    pub(super) sqlstate: Vec<String>,
    pub(super) frame: Option<PatternId>,
    /// Found in the root's innermost frame.
    pub(super) thrower: Option<PatternId>,
    pub(super) owner: Vec<String>,
    pub(super) side: Vec<String>,
    pub(super) phase: Vec<String>,
    pub(super) evidence: Vec<String>,
    pub(super) exit_code: Vec<i32>,
    pub(super) near: Option<PatternId>,
    /// Kinds of findings; an alternative that names some is about a stage and not about a failure.
    pub(super) finding: Vec<String>,
    /// Found in a line of the person's own code that the trace shows.
    pub(super) code: Option<PatternId>,
    /// Found in an operator of the plan.
    pub(super) plan: Option<PatternId>,
    /// What the evidence at hand has to show.
    pub(super) shows: Vec<Shown>,
    pub(super) setting: Vec<(String, PatternId)>,
    pub(super) spark_version: Option<Range>,
    pub(super) not: Vec<When>,
}

impl When {
    /// Whether it holds only where more than one of its conditions is there.
    pub(super) fn asks_for_more_than_conditions(&self) -> bool {
        let patterns = [
            self.message,
            self.frame,
            self.thrower,
            self.near,
            self.code,
            self.plan,
        ];
        patterns.iter().any(Option::is_some)
            || !(self.class.is_empty() && self.side.is_empty() && self.phase.is_empty())
            || !(self.shows.is_empty() && self.setting.is_empty() && self.not.is_empty())
    }
}

const SIDES: &[&str] = &[
    "python-driver",
    "jvm-driver",
    "python-worker",
    "jvm-executor",
    "cluster",
];
const PHASES: &[&str] = &[
    "startup",
    "analysis",
    "execution",
    "write",
    "streaming",
    "shutdown",
];
const EVIDENCES: &[&str] = &["root", "symptom_only", "inferred"];
const OWNERS: &[&str] = &["user", "library", "spark", "jvm", "python"];

/// A field's name and what is wrong with it.
pub(super) type Problem = (String, String);

impl Rule {
    /// Checks a raw rule and compiles it.
    pub(super) fn build(
        raw: RawRule,
        file: &str,
        patterns: &mut Patterns,
    ) -> Result<Self, RuleError> {
        let id = raw.id.clone();
        Self::check(raw, file, patterns).map_err(|(field, problem)| RuleError {
            file: file.to_owned(),
            at: None,
            rule: id,
            field,
            problem,
        })
    }

    fn check(raw: RawRule, file: &str, patterns: &mut Patterns) -> Result<Self, Problem> {
        if raw.id.is_empty()
            || !raw
                .id
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        {
            return problem("id", "small letters, digits and hyphens only");
        }
        let family = Family::named(&raw.family)
            .filter(|f| f.name != NOTHING)
            .ok_or_else(|| {
                (
                    "family".to_owned(),
                    format!("`{}` is no family of the list", raw.family),
                )
            })?
            .name;
        if raw.when.is_empty() {
            return problem("when", "at least one alternative is needed");
        }
        let of_findings = raw.when.iter().all(|when| !when.finding.is_empty());
        let mut when = Vec::new();
        let mut known: Option<Vec<String>> = None;
        let mut possible: Vec<String> = KNOWN.iter().map(|&n| n.to_owned()).collect();
        for alternative in raw.when {
            let (alternative, groups) = When::build(alternative, patterns)?;
            possible.extend(groups.possible.into_iter().chain(groups.certain.clone()));
            known = Some(match known {
                None => groups.certain,
                Some(before) => before
                    .into_iter()
                    .filter(|name| groups.certain.contains(name))
                    .collect(),
            });
            when.push(alternative);
        }
        let mut known = known.unwrap_or_default();
        if of_findings {
            known.push("finding".to_owned());
        }
        known.extend(ALWAYS_KNOWN.iter().map(|&name| name.to_owned()));
        let mut capture = Vec::new();
        for source in &raw.capture {
            let (pattern, groups) = patterns
                .add(source)
                .map_err(|e| ("capture".to_owned(), e))?;
            possible.extend(groups.possible.into_iter().chain(groups.certain));
            capture.push(pattern);
        }
        for (field, names) in [("needs", &raw.needs), ("lacks", &raw.lacks)] {
            if let Some(name) = names.iter().find(|name| !possible.contains(name)) {
                return Err((field.to_owned(), format!("`{name}` is never known")));
            }
        }
        known.extend(raw.needs.iter().cloned());
        let prose = |field: &str, text: RawText| text.build(field, &known, &possible);
        let mut steps = Vec::new();
        for (kind, list) in [
            (StepKind::Check, raw.check),
            (StepKind::Reproduce, raw.reproduce),
            (StepKind::Fix, raw.fix),
            (StepKind::Guard, raw.guard),
        ] {
            if list.is_empty() && kind != StepKind::Reproduce {
                return problem(kind.word(), "at least one step is needed");
            }
            for step in list {
                steps.push(step.build(kind, &known, &possible, patterns)?);
            }
        }
        let nothing = Values::new();
        let title = prose("title", raw.title)?;
        let mut texts = steps
            .iter()
            .map(|step: &StepTemplate| step.text.fill(&nothing));
        Ok(Self {
            family,
            bucket: raw.bucket,
            is_begun: is_unsaid(&title.fill(&nothing)) || texts.any(|text| is_unsaid(&text)),
            title,
            means: prose("means", raw.means)?,
            why: prose("why", raw.why)?,
            id: raw.id,
            when,
            capture,
            needs: raw.needs,
            lacks: raw.lacks,
            also: raw.also,
            weight: raw.weight,
            last: raw.last,
            steps,
            file: file.to_owned(),
        })
    }
}

impl RawWhen {
    /// Whether it asks for what the evidence shows: then that has a value of its own.
    pub(super) fn shows_something(&self) -> bool {
        !self.shows.is_empty()
    }
}

impl When {
    /// Checks raw conditions and compiles them; the groups are those of their patterns.
    pub(super) fn build(raw: RawWhen, patterns: &mut Patterns) -> Result<(Self, Groups), Problem> {
        let mut groups = Groups::default();
        let mut pattern = |field: &str, source: Option<String>| match source {
            None => Ok::<_, Problem>(None),
            Some(source) => {
                let (id, found) = patterns.add(&source).map_err(|e| (in_when(field), e))?;
                if field == "message" {
                    groups = found;
                } else {
                    groups.possible.extend(found.certain);
                    groups.possible.extend(found.possible);
                }
                Ok(Some(id))
            }
        };
        let message = pattern("message", raw.message)?;
        let frame = pattern("frame", raw.frame)?;
        let thrower = pattern("thrower", raw.thrower)?;
        let near = pattern("near", raw.near)?;
        let code = pattern("code", raw.code)?;
        let plan = pattern("plan", raw.plan)?;
        let mut setting = Vec::new();
        for (key, source) in raw.setting {
            if let Some(id) = pattern("setting", Some(source))? {
                setting.push((key, id));
            }
        }
        words("side", &raw.side, SIDES)?;
        words("phase", &raw.phase, PHASES)?;
        words("evidence", &raw.evidence, EVIDENCES)?;
        words("owner", &raw.owner, OWNERS)?;
        words("finding", &raw.finding, &FindingKind::WORDS)?;
        let spark_version = raw
            .spark_version
            .map(|text| Range::parse(&text).map_err(|e| (in_when("spark_version"), e)))
            .transpose()?;
        let mut not = Vec::new();
        for exception in raw.not {
            not.push(Self::build(exception, patterns)?.0);
        }
        let when = Self {
            of: raw.of,
            class: raw.class,
            message,
            condition: raw.condition,
            sqlstate: raw.sqlstate,
            frame,
            thrower,
            owner: raw.owner,
            side: raw.side,
            phase: raw.phase,
            evidence: raw.evidence,
            exit_code: raw.exit_code,
            near,
            finding: raw.finding,
            code,
            plan,
            shows: raw.shows,
            setting,
            spark_version,
            not,
        };
        if !when.says_something() {
            return problem(
                "when",
                "an alternative without a condition matches everything",
            );
        }
        Ok((when, groups))
    }

    /// Whether it tests what failed, beyond side, phase and version.
    fn says_something(&self) -> bool {
        !self.class.is_empty()
            || self.message.is_some()
            || !self.condition.is_empty()
            || !self.sqlstate.is_empty()
            || self.frame.is_some()
            || self.thrower.is_some()
            || !self.owner.is_empty()
            || !self.side.is_empty()
            || !self.phase.is_empty()
            || !self.evidence.is_empty()
            || !self.exit_code.is_empty()
            || self.near.is_some()
            || !self.finding.is_empty()
            || self.code.is_some()
            || self.plan.is_some()
            || !self.shows.is_empty()
            || !self.setting.is_empty()
            || self.spark_version.is_some()
    }
}

fn words(field: &str, given: &[String], allowed: &[&str]) -> Result<(), Problem> {
    match given.iter().find(|word| !allowed.contains(&word.as_str())) {
        None => Ok(()),
        Some(word) => Err((
            in_when(field),
            format!("`{word}` is none of {}", allowed.join(", ")),
        )),
    }
}

fn in_when(field: &str) -> String {
    format!("when.{field}")
}

pub(super) fn problem<T>(field: &str, problem: &str) -> Result<T, Problem> {
    Err((field.to_owned(), problem.to_owned()))
}
