//! In: the name of a class, an error condition, an exit code or a setting. Out: two sentences on what it means.

use super::condition;
use super::settings;
use crate::text::pattern;
use regex::Regex;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

static TABLE: &str = include_str!("../../assets/glossary.toml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Glossary {
    /// By full or last name.
    class: BTreeMap<String, String>,
    /// By number; codes of Spark, YARN, Kubernetes and of signals stand together with their ambiguity.
    exit_code: BTreeMap<String, String>,
    /// By key.
    setting: BTreeMap<String, String>,
}

static GLOSSARY: LazyLock<Glossary> =
    LazyLock::new(|| toml::from_str(TABLE).expect("a test reads the glossary"));

/// A code behind the words that make it one, or a word that can be a name.
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i:exit(?:ed)?[ -]?(?:with )?(?:code|status|value)?(?: is)?[:= ]*|\bended with )(?<code>-?\d{1,3})\b|[A-Za-z_][A-Za-z0-9_.$]*[A-Za-z0-9_]")
        .expect("a constant pattern compiles")
});

/// What a name means: `java.io.EOFException`, `TABLE_OR_VIEW_NOT_FOUND`, `137`, `exit code 137`,
/// `spark.sql.ansi.enabled`. `None` where it is not known.
pub fn explain(name: &str) -> Option<String> {
    let name = name.trim().trim_matches(['[', ']']);
    if let Some(text) = GLOSSARY.setting.get(name) {
        return Some(text.clone());
    }
    let code = name
        .trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == ' ' || c == ':')
        .trim();
    if let Some(text) = GLOSSARY.exit_code.get(code)
        && (code == name || name.to_ascii_lowercase().starts_with("exit"))
    {
        return Some(text.clone());
    }
    let last = name.rsplit(['.', '$']).next().unwrap_or(name);
    if let Some(text) = GLOSSARY
        .class
        .get(name)
        .or_else(|| GLOSSARY.class.get(last))
    {
        return Some(text.clone());
    }
    if let Some(text) = settings::told(name) {
        return Some(text);
    }
    if !condition::is_known(name) {
        return None;
    }
    let Some(state) = condition::sqlstate(name) else {
        let meaning = condition::in_python(name);
        return Some(format!(
            "An error condition that PySpark raises in Python, without an SQLSTATE. {meaning}"
        ));
    };
    let (_, meaning) = condition::class(state)?;
    Some(format!(
        "An error condition of Spark, SQLSTATE {state}. {meaning}"
    ))
}

/// The names in a text that are known, in the order of the text, each with its two sentences.
pub fn explain_names(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for part in NAME.captures_iter(text) {
        let (name, shown) = match part.name("code") {
            Some(code) => (code.as_str(), format!("exit code {}", code.as_str())),
            None => (&part[0], part[0].to_owned()),
        };
        // Words of a sentence are no classes, although some are called like one.
        let is_name = part.name("code").is_some()
            || name.contains(['.', '_'])
            || name.chars().filter(char::is_ascii_uppercase).count() > 1;
        if !is_name || found.iter().any(|(known, _)| *known == shown) {
            continue;
        }
        if let Some(meaning) = explain(name.trim_end_matches('.')) {
            found.push((shown.trim_end_matches('.').to_owned(), meaning));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_every_kind_are_explained() {
        for name in [
            "org.apache.spark.SparkException",
            "ValueError",
            "137",
            "exit code 143",
            "-104",
            "spark.executor.memoryOverhead",
            "[TABLE_OR_VIEW_NOT_FOUND]",
            "UNRESOLVED_COLUMN.WITH_SUGGESTION",
            "SCHEMA_MISMATCH_FOR_PANDAS_UDF",
        ] {
            let text = explain(name);
            assert!(text.is_some_and(|t| t.len() > 40), "{name}");
        }
        assert_eq!(explain("com.acme.Unheard"), None);
        assert_eq!(explain(""), None);
    }

    #[test]
    fn names_are_found_in_a_text() {
        let names = |text: &str| -> Vec<String> {
            explain_names(text)
                .into_iter()
                .map(|(name, _)| name)
                .collect()
        };
        assert_eq!(
            names("Caused by: java.lang.NullPointerException: raise spark.executor.memory."),
            ["java.lang.NullPointerException", "spark.executor.memory"]
        );
        assert_eq!(
            names("executor 3 exited with code 137 on node-12"),
            ["exit code 137"]
        );
        assert_eq!(
            names("a stage of 12 tasks met a problem"),
            Vec::<String>::new()
        );
    }

    #[test]
    fn the_glossary_says_two_sentences_of_each() {
        for (name, text) in GLOSSARY
            .class
            .iter()
            .chain(&GLOSSARY.exit_code)
            .chain(&GLOSSARY.setting)
        {
            assert!(
                text.matches(". ").count() >= 1 && text.ends_with('.'),
                "{name}"
            );
        }
    }
}
