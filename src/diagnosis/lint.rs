//! In: the code of all rules. Out: settings in it that would have no effect: keys that Spark does not have, and keys that
//! are set where it is too late for them.

use super::rule::Rule;
use super::rule_error::RuleError;
use super::settings::{self, Scope};
use super::step::StepTemplate;
use super::template::Values;
use regex::Regex;
use std::sync::LazyLock;

/// `key` given in a configuration file, in a submit command, in a builder, in a session, by SQL.
static GIVEN: LazyLock<[(Regex, Scope); 4]> = LazyLock::new(|| {
    let pattern = |text: &str| Regex::new(text).expect("a constant pattern compiles");
    [
        (
            pattern(r#"(?m)^(?<key>spark\.[\w.]+)[ =]|--conf "?(?<key2>spark\.[\w.]+)="#),
            Scope::Submit,
        ),
        (
            pattern(r#"\.config\("(?<key>spark\.[\w.]+)""#),
            Scope::Submit,
        ),
        (
            pattern(r#"spark\.conf\.set\("(?<key>spark\.[\w.]+)""#),
            Scope::Session,
        ),
        (
            pattern(r"(?mi)^SET (?<key>spark\.[\w.]+)\s*="),
            Scope::Session,
        ),
    ]
});

/// What a rule sets without effect.
pub(super) fn of_rule(rule: &Rule) -> Vec<RuleError> {
    let steps = rule.steps.iter();
    steps
        .flat_map(|step| of_step(step, &rule.file, &rule.id))
        .collect()
}

/// What a step of the rule with that id sets without effect.
pub(super) fn of_step(step: &StepTemplate, file: &str, rule: &str) -> Vec<RuleError> {
    let mut found = Vec::new();
    for (_, code) in step.codes() {
        let code = code.fill(&Values::new());
        for (pattern, latest) in GIVEN.iter() {
            for given in pattern.captures_iter(&code) {
                let Some(key) = given.name("key").or(given.name("key2")) else {
                    continue;
                };
                let problem = match settings::known(key.as_str()) {
                    None if settings::is_open(key.as_str()) => continue,
                    None => format!("Spark has no setting `{}`", key.as_str()),
                    Some(setting)
                        if *latest == Scope::Session && setting.scope != Scope::Session =>
                    {
                        format!("`{}` cannot be set in a session that lives", key.as_str())
                    }
                    Some(_) => continue,
                };
                found.push(RuleError {
                    file: file.to_owned(),
                    at: None,
                    rule: rule.to_owned(),
                    field: step.kind.word().to_owned(),
                    problem,
                });
            }
        }
    }
    found
}
