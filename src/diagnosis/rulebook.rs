//! In: the rules files built into the program and those of a folder. Out: the [`Rulebook`] of them all;
//! `diagnose` applies it.

use super::beside::Beside;
use super::fix::Bucket;
use super::lint;
use super::pattern::Patterns;
use super::rule::Rule;
use super::rule_error::RuleError;
use super::rules_file;
use super::template::Values;
use include_dir::{Dir, include_dir};
use std::collections::HashMap;
use std::sync::LazyLock;

static BUILT_IN_FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/assets/rules");

static BUILT_IN: LazyLock<Rulebook> = LazyLock::new(|| {
    Rulebook::read(built_in_files(), Vec::new()).expect("a test reads the built-in rules")
});

/// What a person's own rule weighs more: who wrote one for a failure knows more of it than who wrote for everybody. A rule that
/// names a class alone still gives way to one that names the error condition.
const OWN: i32 = 150;

/// All rules, ready to be applied.
#[derive(Debug)]
pub struct Rulebook {
    pub(super) rules: Vec<Rule>,
    pub(super) by_id: HashMap<String, usize>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::condition;

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
