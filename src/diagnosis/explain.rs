//! In: the name of a class, an error condition, an exit code or a setting. Out: two sentences on what it means.

use super::condition;
use super::rulebook::Rulebook;
use super::settings;
use super::template::Values;
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

/// Signals that end processes, and the exit codes that tell of them.
const SIGNALS: [(&str, &str); 6] = [
    ("SIGKILL", "137"),
    ("SIGTERM", "143"),
    ("SIGABRT", "134"),
    ("SIGSEGV", "139"),
    ("SIGBUS", "135"),
    ("SIGINT", "130"),
];
/// Conditions that are named for an SQLSTATE.
const MOST_CONDITIONS: usize = 3;
/// How like a known name another must be, for the known one to be suggested: 1 is the same.
const LIKE: f64 = 0.75;

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
    if let Some((_, ends)) = SIGNALS.iter().find(|(signal, _)| *signal == name) {
        let text = GLOSSARY.exit_code.get(*ends)?;
        return Some(format!(
            "A process that it ends has exit code {ends}. {text}"
        ));
    }
    of_state(name).or_else(|| of_condition(name))
}

/// A name that is known and looks like one that is not: `spark.sql.shufle.partitions`.
pub fn like(name: &str) -> Option<&'static str> {
    /// No known name is so long.
    const LONGEST: usize = 256;
    let name = name.trim().trim_matches(['[', ']']);
    if name.len() > LONGEST {
        return None;
    }
    let keys = GLOSSARY.setting.keys().chain(GLOSSARY.class.keys());
    let known = keys
        .map(String::as_str)
        .chain(settings::keys())
        .chain(condition::names());
    let near = known.map(|known| (strsim::normalized_damerau_levenshtein(known, name), known));
    let (likeness, nearest) = near.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    (likeness >= LIKE).then_some(nearest)
}

/// What an error condition means: what the rules say of it, else what its SQLSTATE does.
fn of_condition(name: &str) -> Option<String> {
    if !condition::is_known(name) {
        return None;
    }
    let told = by_rule(name);
    Some(match (condition::sqlstate(name), told) {
        (None, told) => {
            let meaning = told.unwrap_or_else(|| condition::in_python(name).to_owned());
            format!(
                "An error condition that PySpark raises in Python, without an SQLSTATE. {meaning}"
            )
        }
        (Some(state), told) => {
            let meaning = told.or_else(|| Some(condition::class(state)?.1.to_owned()))?;
            format!("An error condition of Spark, SQLSTATE {state}. {meaning}")
        }
    })
}

/// What the rule that is most about a condition says that it means; `None` where none names it.
fn by_rule(condition: &str) -> Option<String> {
    let parent = condition.split('.').next();
    let names = |name: &String| name == condition || Some(name.as_str()) == parent;
    let about = Rulebook::built_in().rules.iter().filter_map(|rule| {
        let named = rule
            .when
            .iter()
            .filter(|when| when.condition.iter().any(names));
        // One that asks for more speaks of a special case.
        let rank = named.map(|when| (when.asks_for_more_than_conditions(), when.condition.len()));
        Some(((!rule.needs.is_empty(), rank.min()?), rule))
    });
    let (_, rule) = about.min_by_key(|(rank, _)| *rank)?;
    let said = rule.means.fill(&Values::new());
    (!said.is_empty()).then_some(said)
}

/// What an SQLSTATE means, and which of Spark's conditions have it.
fn of_state(state: &str) -> Option<String> {
    let is_one = state.len() == 5
        && state.contains(|c: char| c.is_ascii_digit())
        && (state.chars()).all(|c| c.is_ascii_digit() || c.is_ascii_uppercase());
    let (_, meaning) = condition::class(state).filter(|_| is_one)?;
    let conditions = condition::with_state(state);
    Some(match conditions.as_slice() {
        [] => format!("An SQLSTATE. {meaning}"),
        [one] => format!("An SQLSTATE. {meaning} Spark's condition with it is {one}."),
        some => {
            let named = some[..some.len().min(MOST_CONDITIONS)].join(", ");
            let more = match some.len().saturating_sub(MOST_CONDITIONS) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("An SQLSTATE. {meaning} Spark's conditions with it are {named}{more}.")
        }
    })
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
            "42P01",
            "SIGKILL",
        ] {
            let text = explain(name);
            assert!(text.is_some_and(|t| t.len() > 40), "{name}");
        }
        for name in ["com.acme.Unheard", "42", "HELLO", "12345"] {
            assert_eq!(explain(name), None);
        }
        assert!(explain("DIVIDE_BY_ZERO").is_some_and(|text| text.contains("zero")));
        assert!(explain("42P01").is_some_and(|text| text.contains("TABLE_OR_VIEW_NOT_FOUND")));
        assert_eq!(
            like("spark.sql.shufle.partitions"),
            Some("spark.sql.shuffle.partitions")
        );
        assert_eq!(
            like("TABLE_OR_VIEW_NOTFOUND"),
            Some("TABLE_OR_VIEW_NOT_FOUND")
        );
        assert_eq!(like("gibberish"), None);
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

    #[test]
    fn a_name_without_end_is_like_none() {
        assert_eq!(like(&"spark.sql.".repeat(100_000)), None);
    }
}
