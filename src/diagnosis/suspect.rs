//! In: the questions of the rules files, and an incident whose words leave open what caused it. Out: a [`Question`] with its
//! suspects, the most likely first, each with what speaks for and against it.
//!
//! A sign is a condition like those of rules, a sentence, and how much it weighs. Suspects without any sign stay: that
//! nothing speaks for them is what a person has to know.

use super::beside::{HasId, always_known, possible};
use super::family::Family;
use super::fix::{self, Sign, StepKind};
use super::matcher;
use super::pattern::Patterns;
use super::rule::{Problem, RawWhen, When, problem};
use super::scene::Scene;
use super::step::{RawStep, StepTemplate, prose};
use super::template::{Template, Values};
use serde::Deserialize;
use std::cmp::Reverse;

/// A question as it stands in its file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawQuestion {
    id: String,
    asks: String,
    rules: Vec<String>,
    when: Vec<RawWhen>,
    suspect: Vec<RawSuspect>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSuspect {
    title: String,
    family: String,
    #[serde(default)]
    weight: i32,
    #[serde(default, rename = "for")]
    speaks_for: Vec<RawSign>,
    #[serde(default, rename = "against")]
    speaks_against: Vec<RawSign>,
    #[serde(rename = "try")]
    step: RawStep,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSign {
    when: RawWhen,
    weight: i32,
    text: String,
}

impl HasId for RawQuestion {
    fn id(&self) -> &str {
        &self.id
    }
}

/// A question, ready to be asked.
#[derive(Debug)]
pub(super) struct Question {
    asks: String,
    /// It is asked where one of these is the best rule …
    pub(super) rules: Vec<String>,
    /// … and one of these holds.
    when: Vec<When>,
    suspects: Vec<Suspect>,
}

#[derive(Debug)]
struct Suspect {
    title: String,
    family: &'static str,
    weight: i32,
    speaks_for: Vec<SignTemplate>,
    speaks_against: Vec<SignTemplate>,
    step: StepTemplate,
}

#[derive(Debug)]
struct SignTemplate {
    when: When,
    weight: i32,
    text: Template,
}

impl Question {
    /// Checks a raw question and compiles it.
    pub(super) fn build(raw: RawQuestion, patterns: &mut Patterns) -> Result<Self, Problem> {
        if raw.suspect.len() < 2 {
            return problem("suspect", "a question needs two suspects at least");
        }
        let when = raw.when.into_iter();
        let when = when.map(|when| When::build(when, patterns).map(|(when, _)| when));
        Ok(Self {
            asks: raw.asks,
            rules: raw.rules,
            when: when.collect::<Result<_, _>>()?,
            suspects: raw
                .suspect
                .into_iter()
                .map(|raw| Suspect::build(raw, patterns))
                .collect::<Result<_, _>>()?,
        })
    }

    /// The question with its suspects in order, where it is to be asked about an incident.
    pub(super) fn ask(
        &self,
        rule: &str,
        scene: &Scene<'_>,
        patterns: &Patterns,
        values: &Values,
    ) -> Option<fix::Question> {
        let holds = |when| matcher::matches(when, scene, patterns).is_some();
        if !self.rules.iter().any(|id| id == rule) || !self.when.iter().any(holds) {
            return None;
        }
        let weighed = self.suspects.iter().filter_map(|suspect| {
            let (told, weight) = suspect.weigh(scene, patterns, values)?;
            Some((Reverse(weight), told))
        });
        let mut weighed: Vec<_> = weighed.collect();
        weighed.sort_by_key(|(weight, _)| *weight);
        Some(fix::Question {
            asks: self.asks.clone(),
            suspects: weighed.into_iter().map(|(_, suspect)| suspect).collect(),
        })
    }

    /// The code of its steps, for checks.
    pub(super) fn steps(&self) -> impl Iterator<Item = &StepTemplate> {
        self.suspects.iter().map(|suspect| &suspect.step)
    }
}

impl Suspect {
    fn build(raw: RawSuspect, patterns: &mut Patterns) -> Result<Self, Problem> {
        let Some(family) = Family::named(&raw.family) else {
            return problem("family", &format!("`{}` is no family", raw.family));
        };
        let mut signs = |raw: Vec<RawSign>| {
            let signs = raw.into_iter();
            let signs = signs.map(|raw| SignTemplate::build(raw, patterns));
            signs.collect::<Result<Vec<_>, _>>()
        };
        let (speaks_for, speaks_against) = (signs(raw.speaks_for)?, signs(raw.speaks_against)?);
        Ok(Self {
            title: raw.title,
            family: family.name,
            weight: raw.weight,
            speaks_for,
            speaks_against,
            step: raw
                .step
                .build(StepKind::Fix, &always_known(), &possible(), patterns)?,
        })
    }

    fn weigh(
        &self,
        scene: &Scene<'_>,
        patterns: &Patterns,
        values: &Values,
    ) -> Option<(fix::Suspect, i32)> {
        let mut weight = self.weight;
        let mut told = |signs: &[SignTemplate], direction: i32| {
            let mut seen: Vec<Sign> = Vec::new();
            for sign in signs {
                let Some(found) = sign.seen(scene, patterns, values) else {
                    continue;
                };
                if !seen.iter().any(|s| s.text == found.text) {
                    weight += direction * sign.weight;
                    seen.push(found);
                }
            }
            seen
        };
        let (speaks_for, speaks_against) =
            (told(&self.speaks_for, 1), told(&self.speaks_against, -1));
        let step = self.step.fill(values, scene)?;
        let suspect = fix::Suspect {
            title: self.title.clone(),
            family: self.family.to_owned(),
            speaks_for,
            speaks_against,
            step,
        };
        Some((suspect, weight))
    }
}

impl SignTemplate {
    fn build(raw: RawSign, patterns: &mut Patterns) -> Result<Self, Problem> {
        let shows = raw.when.shows_something();
        let (when, groups) = When::build(raw.when, patterns)?;
        let mut known = always_known();
        known.extend(groups.certain);
        // What is given by a condition beside the message is certain, too: all of them must hold.
        known.extend(groups.possible.iter().cloned());
        if shows {
            known.push("shown".to_owned());
        }
        let mut names = possible();
        names.extend(groups.possible);
        Ok(Self {
            when,
            weight: raw.weight,
            text: prose("text", &raw.text, &known, &names)?,
        })
    }

    fn seen(&self, scene: &Scene<'_>, patterns: &Patterns, values: &Values) -> Option<Sign> {
        let hit = matcher::matches(&self.when, scene, patterns)?;
        let mut values = values.clone();
        values.extend(hit.values);
        // Where something else of the run says it, that line and not the failure's own.
        let root = scene.incident.root().place;
        let other = hit.evidence.iter().find(|place| **place != root);
        Some(Sign {
            text: self.text.fill(&values),
            place: other.or(hit.evidence.first()).copied(),
        })
    }
}
