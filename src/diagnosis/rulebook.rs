//! In: the rules files built into the program and those of a folder. Out: the [`Rulebook`], which turns a
//! [`Story`] into a [`Diagnosis`] for each of its incidents.

use super::beside::Beside;
use super::condition;
use super::explain::explain;
use super::fix::{Bucket, Diagnosis, Fix, Opened, Step, StepKind};
use super::kind;
use super::language::Language;
use super::lint;
use super::matcher::{self, Hit};
use super::own_code::Replaced;
use super::pattern::{PatternId, Patterns};
use super::rule::Rule;
use super::rule_error::RuleError;
use super::rules_file;
use super::scene::{Run, Scene, said};
use super::starting_rule::{is_unsaid, said_so_far};
use super::step::begin_plainly;
use super::template::Values;
use super::undo;
use super::values;
use crate::incident::{Evidence, Incident, Story};
use include_dir::{Dir, include_dir};
use std::collections::HashMap;
use std::sync::LazyLock;

static BUILT_IN_FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/assets/rules");

static BUILT_IN: LazyLock<Rulebook> = LazyLock::new(|| {
    Rulebook::read(built_in_files(), Vec::new()).expect("a test reads the built-in rules")
});

/// Most fixes that are shown for an incident.
const MOST_FIXES: usize = 4;
/// A rule that matches worse than the best one by more than this says something else.
const SAME_LEAGUE: i32 = 120;
/// What a person's own rule weighs more: who wrote one for a failure knows more of it than who wrote for everybody. A rule that
/// names a class alone still gives way to one that names the error condition.
const OWN: i32 = 150;

/// All rules, ready to be applied.
#[derive(Debug)]
pub struct Rulebook {
    pub(super) rules: Vec<Rule>,
    by_id: HashMap<String, usize>,
    pub(super) patterns: Patterns,
    pub(super) beside: Beside,
}

/// A rule's outward face: what tests and lists of rules need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleSummary<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its family.
    pub family: &'a str,
    /// Its bucket.
    pub bucket: Bucket,
    /// The file it was read from.
    pub file: &'a str,
    /// Whether it still holds sentences to be filled in.
    pub is_begun: bool,
}

impl Rulebook {
    /// The rules that travel with the program; read once.
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// Prepares what is needed for any incident.
    pub fn make_ready(&self) {
        self.patterns.make_ready();
    }

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

    /// Its rules, in the order of reading.
    pub fn rules(&self) -> impl Iterator<Item = RuleSummary<'_>> {
        self.rules.iter().map(|rule| RuleSummary {
            id: &rule.id,
            family: rule.family,
            bucket: rule.bucket,
            file: &rule.file,
            is_begun: rule.is_begun,
        })
    }

    /// The sources of all patterns.
    #[cfg(test)]
    pub(super) fn patterns(&self) -> impl Iterator<Item = &str> {
        self.patterns.sources()
    }

    /// Every piece of code in the rules with its language, filled in with fallbacks only; for checks.
    pub fn snippets(&self) -> Vec<(String, &'static str, String)> {
        let nothing = Values::new();
        let of_rules = self.rules.iter();
        let of_rules = of_rules.flat_map(|rule| {
            let steps = rule.steps.iter();
            steps.map(|step| (format!("{} {}", rule.id, step.kind.word()), step))
        });
        of_rules
            .chain(self.beside.steps())
            .flat_map(|(at, step)| {
                let codes = step.codes();
                codes.map(move |(lang, code)| (at.clone(), lang, code))
            })
            .map(|(at, lang, code)| (at, lang, code.fill(&nothing)))
            .collect()
    }

    /// Settings in the rules' code that would do nothing: unknown ones, and those that come too late. A cluster's vendor
    /// may know more keys than Spark does, so this is a hint and no error.
    pub fn without_effect(&self) -> Vec<RuleError> {
        let of_rules = self.rules.iter().flat_map(lint::of_rule);
        let beside = self.beside.steps();
        let beside = beside.flat_map(|(name, step)| lint::of_step(step, "rules", &name));
        of_rules.chain(beside).collect()
    }

    /// Compiles every pattern now.
    ///
    /// # Errors
    /// The pattern that is too large.
    pub fn compile(&self) -> Result<(), RuleError> {
        self.patterns.compile_all().map_err(|pattern| RuleError {
            file: "rules".to_owned(),
            at: None,
            rule: "?".to_owned(),
            field: "pattern".to_owned(),
            problem: format!("too large to compile: {pattern}"),
        })
    }

    /// Reads the built-in rules and then a person's own, which may take the place of built-in ones.
    pub(super) fn read(
        built_in: Vec<(String, String)>,
        own: Vec<(String, String)>,
    ) -> Result<Self, RuleError> {
        let mut book = Self {
            rules: Vec::new(),
            by_id: HashMap::new(),
            patterns: Patterns::default(),
            beside: Beside::default(),
        };
        for (may_replace, files) in [(false, built_in), (true, own)] {
            let before = book.rules.len();
            book.patterns.strict = may_replace;
            for (file, text) in files {
                book.read_file(&file, &text, may_replace.then_some(before))?;
            }
        }
        for rule in &book.rules {
            if let Some(missing) = rule.also.iter().find(|id| !book.by_id.contains_key(*id)) {
                return Err(error(rule, "also", format!("there is no rule `{missing}`")));
            }
        }
        Ok(book)
    }

    /// Reads one file. Rules with an index below `replaceable` may be replaced by those of the same id.
    fn read_file(
        &mut self,
        file: &str,
        text: &str,
        replaceable: Option<usize>,
    ) -> Result<(), RuleError> {
        let brought = rules_file::read(file, text, &mut self.patterns)?;
        self.beside.extend(brought.beside);
        for mut rule in brought.rules {
            if replaceable.is_some() {
                rule.weight += OWN;
            }
            match self.by_id.get(&rule.id) {
                None => {
                    self.by_id.insert(rule.id.clone(), self.rules.len());
                    self.rules.push(rule);
                }
                Some(&at) if replaceable.is_some_and(|before| at < before) => {
                    self.rules[at] = rule;
                }
                Some(_) => return Err(error(&rule, "id", "is used twice".to_owned())),
            }
        }
        Ok(())
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
            return without_rule(scene);
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

/// Takes out what is written for people of another language, where a step of the same kind is left.
fn drop_foreign(steps: &mut Vec<Step>, language: Option<Language>) {
    let Some(language) = language else { return };
    let foreign = |step: &Step| step.lang.as_deref().is_some_and(|l| language.is_foreign(l));
    let kept: Vec<StepKind> = steps
        .iter()
        .filter(|s| !foreign(s))
        .map(|s| s.kind)
        .collect();
    steps.retain(|step| !foreign(step) || !kept.contains(&step.kind));
}

fn error(rule: &Rule, field: &str, problem: String) -> RuleError {
    RuleError {
        file: rule.file.clone(),
        at: None,
        rule: rule.id.clone(),
        field: field.to_owned(),
        problem,
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

/// The files that travel with the program: their names and texts, in the order of names.
pub(super) fn built_in_files() -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = BUILT_IN_FILES
        .files()
        .filter(|file| file.path().extension().is_some_and(|e| e == "toml"))
        .filter_map(|file| {
            let text = file.contents_utf8()?;
            Some((file.path().display().to_string(), text.to_owned()))
        })
        .collect();
    files.sort();
    files
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_in_rules_exist() {
        for rule in &Rulebook::built_in().rules {
            for name in rule.when.iter().flat_map(|when| &when.condition) {
                assert!(
                    condition::is_known(name) || name.starts_with("DELTA_"),
                    "{}: {name}",
                    rule.id
                );
            }
        }
    }

    #[test]
    fn no_rule_sets_what_has_no_effect() {
        let found: Vec<String> = Rulebook::built_in()
            .without_effect()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn each_rule_shows_how_to_reproduce_and_names_its_words() {
        for rule in &Rulebook::built_in().rules {
            let kinds: Vec<_> = rule.steps.iter().map(|step| step.kind).collect();
            assert!(
                kinds.contains(&crate::diagnosis::StepKind::Reproduce),
                "{}",
                rule.id
            );
            assert!(
                rule.steps.iter().filter(|step| step.code.is_some()).count() >= 3,
                "{}: a rule without code to paste",
                rule.id
            );
        }
    }
}
