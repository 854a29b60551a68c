//! In: the name of a class, an error condition, an exit code or a setting. Out: two sentences on what it means.

use super::condition;
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
    if !condition::is_known(name) {
        return None;
    }
    let state = condition::sqlstate(name)?;
    let (_, meaning) = condition::class(state)?;
    Some(format!(
        "An error condition of Spark, SQLSTATE {state}. {meaning}"
    ))
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
        ] {
            let text = explain(name);
            assert!(text.is_some_and(|t| t.len() > 40), "{name}");
        }
        assert_eq!(explain("com.acme.Unheard"), None);
        assert_eq!(explain(""), None);
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
