//! In: a [`Rulebook`] and a [`Story`]. Out: a [`Diagnosis`] for each of its incidents: the rules that hold, best first, their
//! steps filled in with the person's own values; where none holds, what the class or the SQLSTATE alone says.

use super::condition;
use super::explain::explain;
use super::fix::{Diagnosis, Fix, Opened, Step, StepKind};
use super::kind;
use super::language::Language;
use super::matcher::{self, Hit};
use super::own_code::Replaced;
use super::pattern::PatternId;
use super::rule::Rule;
use super::rulebook::Rulebook;
use super::scene::{Run, Scene, said};
use super::starting_rule::{is_unsaid, said_so_far};
use super::step::begin_plainly;
use super::template::Values;
use super::undo;
use super::values;
use crate::incident::{Evidence, Incident, Story};

/// Most fixes that are shown for an incident.
const MOST_FIXES: usize = 4;
/// The rule of failures whose cause stands in a log that was not opened.
const ELSEWHERE: &str = "read-other-log";
/// A rule that matches worse than the best one by more than this says something else.
const SAME_LEAGUE: i32 = 120;

impl Rulebook {
    /// What the rules say of each incident, in the order of `story.incidents`; `opened` is where the story was read.
    pub fn diagnose(&self, story: &Story, opened: &[Opened]) -> Vec<Diagnosis> {
        let run = Run::of(story);
        (0..story.incidents.len())
            .map(|at| self.diagnose_one(&Scene::of(story, &run, at, &self.patterns, opened)))
            .collect()
    }

    /// For each incident the ids of the rules that hold, best first.
    pub fn holding(&self, story: &Story) -> Vec<Vec<&str>> {
        let run = Run::of(story);
        let ids = |at| {
            let hits = self.hits(&Scene::of(story, &run, at, &self.patterns, &[]));
            hits.into_iter().map(|(rule, _)| rule.id.as_str()).collect()
        };
        (0..story.incidents.len()).map(ids).collect()
    }

    /// The rules that hold, best first.
    pub(super) fn hits(&self, scene: &Scene<'_>) -> Vec<(&Rule, Hit)> {
        let mut hits: Vec<(&Rule, Hit)> = self
            .rules
            .iter()
            .filter_map(|rule| {
                let mut hit = rule
                    .when
                    .iter()
                    .filter_map(|when| matcher::matches(when, scene, &self.patterns))
                    .max_by_key(|hit| hit.weight)?;
                hit.weight += rule.weight;
                if !rule.needs.is_empty() || !rule.lacks.is_empty() {
                    let values = self.values(&rule.capture, &hit, scene);
                    if rule.needs.iter().any(|name| !values.contains_key(name))
                        || rule.lacks.iter().any(|name| values.contains_key(name))
                    {
                        return None;
                    }
                }
                Some((rule, hit))
            })
            .collect();
        hits.sort_by(|(a, x), (b, y)| y.weight.cmp(&x.weight).then_with(|| a.id.cmp(&b.id)));
        hits
    }

    fn diagnose_one(&self, scene: &Scene<'_>) -> Diagnosis {
        let hits = self.hits(scene);
        let Some((best, best_hit)) = hits.first() else {
            return self.without_rule(scene);
        };
        let mut fixes: Vec<Fix> = Vec::new();
        let also = best
            .also
            .iter()
            .filter_map(|id| self.by_id.get(id))
            .map(|&at| (&self.rules[at], best_hit));
        let others = hits[1..]
            .iter()
            .filter(|(rule, hit)| !rule.last && hit.weight + SAME_LEAGUE >= best_hit.weight)
            .map(|(rule, hit)| (*rule, hit));
        for (rule, hit) in std::iter::once((*best, best_hit)).chain(also).chain(others) {
            if fixes.len() == MOST_FIXES || fixes.iter().any(|fix| fix.family == rule.family) {
                continue;
            }
            let fix = self.fix(rule, hit, scene);
            if fixes.is_empty() || fix.mends() {
                fixes.push(fix);
            }
        }
        let filled = self.values(&best.capture, best_hit, scene);
        let mut explanation = best.means.fill(&filled);
        if is_unsaid(&explanation) {
            explanation = explain(&scene.incident.root().class).unwrap_or_default();
        }
        let mut diagnosis = Diagnosis {
            bucket: Some(best.bucket),
            confidence: trusted(best_hit.confidence, scene.incident),
            explanation,
            fixes,
            ..Diagnosis::default()
        };
        self.add_beside(&mut diagnosis, best, scene, &filled);
        if best.is_begun {
            // Its family is a guess until a person has said what to do.
            diagnosis.evidence.clear();
        }
        diagnosis
    }

    /// What can be said where no rule knows: that the cause stands elsewhere, where it does.
    fn without_rule(&self, scene: &Scene<'_>) -> Diagnosis {
        let mut diagnosis = without_rule(scene);
        if scene.incident.evidence == Evidence::SymptomOnly
            && let Some(&at) = self.by_id.get(ELSEWHERE)
        {
            let hit = Hit {
                weight: 0,
                confidence: diagnosis.confidence,
                evidence: Vec::new(),
                values: Values::new(),
            };
            diagnosis.fixes.push(self.fix(&self.rules[at], &hit, scene));
        }
        diagnosis
    }

    pub(super) fn fix(&self, rule: &Rule, hit: &Hit, scene: &Scene<'_>) -> Fix {
        let values = self.values(&rule.capture, hit, scene);
        let mut steps = Vec::new();
        let mut shown = false;
        for template in &rule.steps {
            if template.otherwise && shown {
                continue;
            }
            let step = template.fill(&values, scene);
            shown = step.is_some();
            steps.extend(step);
        }
        drop_foreign(&mut steps, scene.language);
        let mut fix = Fix {
            rule: rule.id.clone(),
            family: rule.family.to_owned(),
            title: rule.title.fill(&values),
            why: rule.why.fill(&values),
            steps,
            evidence: hit.evidence.clone(),
        };
        if rule.is_begun {
            fix = said_so_far(fix, &rule.file);
        }
        begin_plainly(&mut fix.steps);
        undo::add(&mut fix.steps, scene);
        fix
    }

    /// The incident's values, those of the match, and those of the rule's further patterns: looked for at
    /// the root first, then outwards.
    pub(super) fn values(&self, capture: &[PatternId], hit: &Hit, scene: &Scene<'_>) -> Values {
        let mut filled = values::of_incident(scene);
        filled.extend(hit.values.clone());
        let chain = &scene.incident.chain;
        let root = scene.incident.root;
        let order = std::iter::once(root).chain((0..chain.len()).rev().filter(|at| *at != root));
        for at in order {
            for &pattern in capture {
                if !scene.candidates[at][pattern] {
                    continue;
                }
                let Some(regex) = self.patterns.regex(pattern) else {
                    continue;
                };
                if let Some(found) = regex.captures(said(&chain[at])) {
                    insert_new(&found, regex, &mut filled);
                }
            }
        }
        // What the trace shows of the query and of the person's own line may hold further values.
        let fragment = filled.get("fragment").cloned();
        let line = scene.own_code.line(Replaced::Frame);
        let texts = line
            .map(|line| line.code.as_str())
            .into_iter()
            .chain(fragment.as_deref());
        for text in texts {
            for regex in capture.iter().filter_map(|&p| self.patterns.regex(p)) {
                if let Some(found) = regex.captures(text) {
                    insert_new(&found, regex, &mut filled);
                }
            }
        }
        values::complete(&mut filled, scene);
        filled
    }
}

/// Takes out what is written for people of another language, where a step of the same kind is left; of one that is left, the
/// code where it could be pasted nowhere.
fn drop_foreign(steps: &mut Vec<Step>, language: Option<Language>) {
    let Some(language) = language else { return };
    let foreign = |step: &Step| step.lang.as_deref().is_some_and(|l| language.is_foreign(l));
    let kept: Vec<StepKind> = steps
        .iter()
        .filter(|s| !foreign(s))
        .map(|s| s.kind)
        .collect();
    steps.retain(|step| !foreign(step) || !kept.contains(&step.kind));
    if language.is_apart() {
        for step in steps.iter_mut().filter(|step| foreign(step)) {
            (step.lang, step.code) = (None, None);
        }
    }
}

/// Adds the groups of a match under names that are not known yet.
fn insert_new(found: &regex::Captures<'_>, regex: &regex::Regex, values: &mut Values) {
    let mut caught = Values::new();
    matcher::insert_groups(found, regex, &mut caught);
    for (name, value) in caught {
        values.entry(name).or_insert(value);
    }
}

/// What can be said where no rule knows: what the class of the SQLSTATE or of the exception tells. Nothing is suggested.
fn without_rule(scene: &Scene<'_>) -> Diagnosis {
    let root = scene.incident.root();
    let state = root
        .sqlstate
        .as_deref()
        .or_else(|| condition::sqlstate(scene.conditions[scene.incident.root].as_deref()?))
        // Derby prints the state where others print a class.
        .or_else(|| root.class.strip_prefix("ERROR "));
    if let Some((bucket, meaning)) = state.and_then(condition::class) {
        return Diagnosis {
            bucket: Some(bucket),
            confidence: trusted(0.5, scene.incident),
            explanation: meaning.to_owned(),
            ..Diagnosis::default()
        };
    }
    let bucket = kind::of(scene);
    Diagnosis {
        bucket,
        confidence: if bucket.is_some() {
            trusted(0.4, scene.incident)
        } else {
            0.0
        },
        explanation: explain(&root.class).unwrap_or_default(),
        ..Diagnosis::default()
    }
}

/// A match is worth less where the cause itself is not in what was opened.
fn trusted(confidence: f32, incident: &Incident) -> f32 {
    let share = match incident.evidence {
        Evidence::Root => 1.0,
        Evidence::Inferred => 0.85,
        Evidence::SymptomOnly => 0.6,
    };
    (confidence * share).clamp(0.0, 1.0)
}
