//! In: the text of a rules file. Out: its rules and what stands beside them, or a [`RuleError`] that names the line and column at fault.

use super::beside::{Beside, Evidence, HasId, RawEvidence, RawRecipe, Recipe};
use super::pattern::Patterns;
use super::rule::{Problem, RawRule, Rule};
use super::rule_error::{RuleError, find_field, line_and_column, rule_around};
use super::suspect::{Question, RawQuestion};
use serde::Deserialize;
use toml::Spanned;

/// A file holds nothing but rules, and what belongs to them.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RulesFile {
    rule: Vec<Spanned<RawRule>>,
    question: Vec<RawQuestion>,
    evidence: Vec<RawEvidence>,
    recipe: Vec<RawRecipe>,
}

/// What a file brings, in its order.
#[derive(Debug, Default)]
pub(super) struct Brought {
    pub(super) rules: Vec<Rule>,
    pub(super) beside: Beside,
}

/// Reads a file.
pub(super) fn read(file: &str, text: &str, patterns: &mut Patterns) -> Result<Brought, RuleError> {
    let parsed: RulesFile = toml::from_str(text).map_err(|error| refused(file, text, &error))?;
    let beside = Beside {
        questions: built(file, parsed.question, |raw| Question::build(raw, patterns))?,
        evidence: built(file, parsed.evidence, |raw| Evidence::build(raw, patterns))?,
        recipes: built(file, parsed.recipe, |raw| Recipe::build(raw, patterns))?,
    };
    if parsed.rule.is_empty() && beside.is_empty() {
        return Err(RuleError {
            file: file.to_owned(),
            at: None,
            rule: "?".to_owned(),
            field: "rule".to_owned(),
            problem: "no [[rule]] in it".to_owned(),
        });
    }
    let rules = parsed
        .rule
        .into_iter()
        .map(|raw| {
            let (start, part) = rule_around(text, raw.span().start);
            Rule::build(raw.into_inner(), file, patterns).map_err(|mut error| {
                error.at = find_field(part, &error.field, &error.problem)
                    .map(|at| line_and_column(text, start + at));
                error
            })
        })
        .collect::<Result<_, _>>()?;
    Ok(Brought { rules, beside })
}

/// Builds what stands beside the rules; each has an id that an error names.
fn built<R: HasId, T>(
    file: &str,
    raw: Vec<R>,
    mut build: impl FnMut(R) -> Result<T, Problem>,
) -> Result<Vec<T>, RuleError> {
    let each = raw.into_iter().map(|raw| {
        let id = raw.id().to_owned();
        build(raw).map_err(|(field, problem)| RuleError {
            file: file.to_owned(),
            at: None,
            rule: id,
            field,
            problem,
        })
    });
    each.collect()
}

/// What TOML itself refuses: its syntax, an unknown field, a value of another kind.
fn refused(file: &str, text: &str, error: &toml::de::Error) -> RuleError {
    let byte = error.span().map(|span| span.start);
    let part = byte.map(|byte| rule_around(text, byte).1);
    let id = part.and_then(|part| {
        let value = part.lines().find_map(|line| line.strip_prefix("id"))?;
        let value = value.trim_start().strip_prefix('=')?.trim();
        Some(value.trim_matches(['"', '\'']).to_owned())
    });
    // The field is the word in front of what is refused.
    let field = byte.and_then(|byte| {
        let line = text[byte..].lines().next()?;
        let name: String = line
            .chars()
            .take_while(|c| c.is_alphanumeric() || "_-".contains(*c))
            .collect();
        (!name.is_empty()).then_some(name)
    });
    RuleError {
        file: file.to_owned(),
        at: byte.map(|byte| line_and_column(text, byte)),
        rule: id.unwrap_or_else(|| "?".to_owned()),
        field: field.unwrap_or_else(|| "file".to_owned()),
        problem: error.message().trim().replace('\n', " "),
    }
}
