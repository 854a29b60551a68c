//! In: a rule's [`When`] and a [`Scene`]. Out: the [`Hit`] where it holds: how telling, which lines, which values.

use super::condition;
use super::pattern::{PatternId, Patterns};
use super::rule::{Of, When};
use super::scene::{Scene, said};
use super::template::Values;
use crate::fact::{Frame, Owner};
use crate::incident::{Cause, Relation};
use crate::text::Place;

/// A rule's conditions held.
#[derive(Debug, Clone)]
pub(super) struct Hit {
    /// How telling the match is; the best match of all rules wins.
    pub(super) weight: i32,
    /// How sure one can be of it, 0.0 to 1.0.
    pub(super) confidence: f32,
    /// The lines that made it hold.
    pub(super) evidence: Vec<Place>,
    /// Named groups of the patterns.
    pub(super) values: Values,
}

// What each kind of condition is worth: an error condition says exactly what failed, a class with its
// words nearly so, words alone less, a class alone little, an SQLSTATE only which sort of fault.
const BY_CONDITION: i32 = 400;
const BY_CLASS_AND_MESSAGE: i32 = 300;
const BY_MESSAGE: i32 = 250;
const BY_EXIT_CODE: i32 = 180;
const BY_CLASS: i32 = 150;
const BY_SQLSTATE: i32 = 80;
const BY_SCENE_ALONE: i32 = 40;
/// For a condition named down to its sub-condition.
const SUB_CONDITION: i32 = 30;
/// For each further condition that holds: a frame, a setting, something near.
const FURTHER: i32 = 40;
/// For side, phase, version and the owner of the frame.
const NARROWED: i32 = 15;
/// The root itself says it.
const AT_ROOT: i32 = 60;
/// For each link between the match and the root.
const PER_LINK: i32 = 15;
/// Links beyond this many cost nothing more.
const MOST_LINKS: i32 = 6;

/// Tests one alternative of a rule. What is said of a stage's finding is said of nothing else.
pub(super) fn matches(when: &When, scene: &Scene<'_>, patterns: &Patterns) -> Option<Hit> {
    (when.finding.is_empty() == scene.finding.is_none()).then_some(())?;
    let mut hit = holds(when, scene, patterns)?;
    if when
        .not
        .iter()
        .any(|not| holds(not, scene, patterns).is_some())
    {
        return None;
    }
    hit.evidence.sort_unstable();
    hit.evidence.dedup();
    Some(hit)
}

/// What side, phase, evidence, owner and version add, where they are those that the rule wants.
fn narrowed(when: &When, scene: &Scene<'_>) -> Option<i32> {
    let incident = scene.incident;
    let mut further = 0;
    if !when.side.is_empty() {
        let side = incident.side.map(crate::incident::Side::word)?;
        when.side.iter().any(|s| s == side).then_some(())?;
        further += NARROWED;
    }
    if !when.phase.is_empty() {
        let phase = incident.phase.map(crate::incident::Phase::word)?;
        when.phase.iter().any(|p| p == phase).then_some(())?;
        further += NARROWED;
    }
    if !when.evidence.is_empty() {
        let evidence = incident.evidence.word();
        when.evidence.iter().any(|e| e == evidence).then_some(())?;
        further += NARROWED;
    }
    if !when.owner.is_empty() {
        let owner = owner_word(scene.owner()?);
        when.owner.iter().any(|o| o == owner).then_some(())?;
        further += NARROWED;
    }
    if let Some(range) = &when.spark_version {
        range.holds(scene.version?).then_some(())?;
        further += NARROWED;
    }
    Some(further)
}

fn holds(when: &When, scene: &Scene<'_>, patterns: &Patterns) -> Option<Hit> {
    let incident = scene.incident;
    let mut further = narrowed(when, scene)?;
    let mut hit = best_link(when, scene, patterns)?;
    if let Some(pattern) = when.frame {
        let frames = incident.chain.iter().flat_map(|cause| &cause.frames);
        hit.evidence.push(find_frame(pattern, frames, patterns)?);
        further += FURTHER;
    }
    if let Some(pattern) = when.thrower {
        let innermost = incident.root().frames.iter().take(1);
        hit.evidence.push(find_frame(pattern, innermost, patterns)?);
        further += FURTHER;
    }
    if !when.exit_code.is_empty() {
        let (code, place) = scene
            .exit_codes
            .iter()
            .find(|(code, _)| when.exit_code.contains(code))?;
        hit.evidence.extend(place);
        hit.values.insert("exit_code".to_owned(), code.to_string());
        if hit.weight == BY_SCENE_ALONE {
            hit.weight = BY_EXIT_CODE;
            hit.confidence = 0.7;
        } else {
            further += FURTHER;
        }
    }
    if let Some(pattern) = when.near {
        let regex = patterns.regex(pattern)?;
        let (found, place) = scene.near.iter().find_map(|near| {
            let found = regex.captures(&near.text)?;
            Some((found, near.place))
        })?;
        insert_groups(&found, regex, &mut hit.values);
        hit.evidence.extend(place);
        further += FURTHER;
    }
    if !when.finding.is_empty() {
        let kind = scene.finding?;
        when.finding
            .iter()
            .any(|f| f == kind.word())
            .then_some(())?;
        further += FURTHER;
    }
    if let Some(pattern) = when.code {
        let regex = patterns.regex(pattern)?;
        let (found, place) = scene.own_lines().find_map(|(code, place)| {
            let found = regex.captures(code)?;
            Some((found, place))
        })?;
        insert_groups(&found, regex, &mut hit.values);
        hit.evidence.push(place);
        further += FURTHER;
    }
    if let Some(pattern) = when.plan {
        let regex = patterns.regex(pattern)?;
        let rows = scene.plan();
        let found = rows.iter().find_map(|row| regex.captures(row))?;
        insert_groups(&found, regex, &mut hit.values);
        further += FURTHER;
    }
    for shown in &when.shows {
        let (told, place) = shown.told(scene)?;
        hit.values.insert("shown".to_owned(), told);
        hit.evidence.extend(place);
        further += FURTHER;
    }
    for (key, pattern) in &when.setting {
        let value = scene.settings.get(key)?;
        let regex = patterns.regex(*pattern)?;
        let found = regex.captures(value)?;
        insert_groups(&found, regex, &mut hit.values);
        further += FURTHER;
    }
    hit.weight += further;
    Some(hit)
}

/// The link of the chain for which class, message, condition and SQLSTATE hold best.
fn best_link(when: &When, scene: &Scene<'_>, patterns: &Patterns) -> Option<Hit> {
    let incident = scene.incident;
    if when.class.is_empty()
        && when.message.is_none()
        && when.condition.is_empty()
        && when.sqlstate.is_empty()
    {
        return Some(Hit {
            weight: BY_SCENE_ALONE,
            confidence: 0.5,
            evidence: vec![incident.root().place],
            values: Values::new(),
        });
    }
    incident
        .chain
        .iter()
        .enumerate()
        .filter(|(at, cause)| match when.of {
            Of::Root => *at == incident.root,
            Of::Chain => cause.relation != Relation::Suppressed || *at == incident.root,
        })
        .filter_map(|(at, cause)| {
            let mut hit = link(when, at, cause, scene, patterns)?;
            if at == incident.root {
                hit.weight += AT_ROOT;
            } else {
                let links = i32::try_from(at.abs_diff(incident.root)).unwrap_or(MOST_LINKS);
                hit.weight -= PER_LINK * links.min(MOST_LINKS);
                hit.confidence -= 0.05;
            }
            Some(hit)
        })
        .max_by_key(|hit| hit.weight)
}

fn link(
    when: &When,
    at: usize,
    cause: &Cause,
    scene: &Scene<'_>,
    patterns: &Patterns,
) -> Option<Hit> {
    let mut weight = 0;
    let mut confidence: f32 = 0.0;
    let mut values = Values::new();
    if !when.condition.is_empty() {
        let printed = scene.conditions[at].as_deref()?;
        let named = when.condition.iter().find(|name| covers(name, printed))?;
        weight = BY_CONDITION;
        if named.contains('.') {
            weight += SUB_CONDITION;
        }
        confidence = 0.95;
        values.insert("condition".to_owned(), printed.to_owned());
    }
    if !when.sqlstate.is_empty() {
        // Before Spark 3.4 the condition stands there without its state.
        let printed = cause
            .sqlstate
            .as_deref()
            .or_else(|| condition::sqlstate(scene.conditions[at].as_deref()?))?;
        when.sqlstate
            .iter()
            .any(|state| printed.starts_with(state.as_str()))
            .then_some(())?;
        weight = weight.max(BY_SQLSTATE);
        confidence = confidence.max(0.5);
    }
    if !when.class.is_empty() {
        when.class
            .iter()
            .any(|name| is_class(name, cause))
            .then_some(())?;
        weight = weight.max(BY_CLASS);
        confidence = confidence.max(0.75);
    }
    if let Some(pattern) = when.message {
        if !scene.candidates[at][pattern] {
            return None;
        }
        let regex = patterns.regex(pattern)?;
        let found = regex.captures(said(cause))?;
        insert_groups(&found, regex, &mut values);
        let (worth, sure) = if when.class.is_empty() {
            (BY_MESSAGE, 0.85)
        } else {
            (BY_CLASS_AND_MESSAGE, 0.9)
        };
        // Beside a condition, words only narrow it.
        if weight >= BY_CONDITION {
            weight += FURTHER;
        } else {
            weight = worth;
        }
        confidence = confidence.max(sure);
    }
    Some(Hit {
        weight,
        confidence,
        evidence: vec![cause.place],
        values,
    })
}

/// Whether the rule's condition is the printed one or the one above it.
fn covers(named: &str, printed: &str) -> bool {
    printed
        .strip_prefix(named)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Whether a class is meant by a name: the whole of it, its last part, or with a star the end of that: each database's driver
/// has an exception of its own, and all of them end alike.
fn is_class(name: &str, cause: &Cause) -> bool {
    if let Some(ending) = name.strip_prefix('*') {
        cause.short_class().ends_with(ending)
    } else if name.contains('.') {
        *cause.class == *name
    } else {
        cause.short_class() == name
    }
}

/// The first of `frames` whose `class.function` fits.
fn find_frame<'a>(
    pattern: PatternId,
    mut frames: impl Iterator<Item = &'a Frame>,
    patterns: &Patterns,
) -> Option<Place> {
    let regex = patterns.regex(pattern)?;
    let mut name = String::new();
    frames
        .find(|frame| {
            name.clear();
            name.push_str(&frame.class);
            name.push('.');
            name.push_str(&frame.function);
            regex.is_match(&name)
        })
        .map(|frame| frame.place)
}

pub(super) fn insert_groups(
    found: &regex::Captures<'_>,
    regex: &regex::Regex,
    values: &mut Values,
) {
    for name in regex.capture_names().flatten() {
        if let Some(group) = found.name(name) {
            let text = group.as_str().trim();
            if !text.is_empty() {
                values.insert(name.to_owned(), text.to_owned());
            }
        }
    }
}

fn owner_word(owner: Owner) -> &'static str {
    match owner {
        Owner::User => "user",
        Owner::Library => "library",
        Owner::Python => "python",
        Owner::Jvm | Owner::Scala => "jvm",
        Owner::Spark | Owner::Py4j | Owner::Hadoop => "spark",
    }
}
