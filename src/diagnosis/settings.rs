//! In: a key of Spark's settings, or code that names some. Out: since when it exists, and where it can be set.

use super::version::Version;
use regex::Regex;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

/// `key<TAB>scope<TAB>since<TAB>gone<TAB>default<TAB>version:default before it` a line, as Spark's own registry has them.
static TABLE: &str = include_str!("../../assets/settings.tsv");

static SETTINGS: LazyLock<HashMap<&str, KnownSetting>> = LazyLock::new(|| {
    TABLE
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(KnownSetting::of_row)
        .collect()
});

static KEY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\bspark\.[A-Za-z]\w*(?:\.\w+)*").expect("a constant pattern compiles")
});

/// Keys that anybody may make up behind these beginnings: they go to Hadoop, to an environment, to a catalog.
const OPEN: &[&str] = &[
    "spark.hadoop.",
    "spark.executorEnv.",
    "spark.yarn.appMasterEnv.",
    "spark.metrics.conf.",
    "spark.sql.catalog.",
    "spark.kubernetes.driverEnv.",
    "spark.kubernetes.driver.",
    "spark.kubernetes.executor.",
];

/// When a setting can be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// While the session lives: `spark.conf.set`, `SET`.
    Session,
    /// When the first session of the process is built.
    Static,
    /// When the application starts: the submit command, `spark-defaults.conf`.
    Submit,
}

/// What Spark's registry says of a setting.
#[derive(Debug, Clone, Copy)]
pub(super) struct KnownSetting {
    pub(super) scope: Scope,
    since: Option<Version>,
    /// The first version without it.
    gone: Option<Version>,
    default: &'static str,
    /// The version that changed the default, and what it was before.
    before: Option<(Version, &'static str)>,
}

impl KnownSetting {
    fn of_row(row: &'static str) -> Option<(&'static str, Self)> {
        let mut cells = row.split('\t');
        let key = cells.next()?;
        let scope = match cells.next()? {
            "session" => Scope::Session,
            "static" => Scope::Static,
            _ => Scope::Submit,
        };
        let mut version = || cells.next().and_then(Version::parse);
        let (since, gone) = (version(), version());
        let default = cells.next().unwrap_or_default();
        let before = cells.next().and_then(|cell| cell.split_once(':'));
        let before = before.and_then(|(from, was)| Some((Version::parse(from)?, was)));
        Some((
            key,
            Self {
                scope,
                since,
                gone,
                default,
                before,
            },
        ))
    }

    /// Whether that version has it.
    pub(super) fn exists_in(&self, version: Version) -> bool {
        self.since.is_none_or(|since| version >= since)
            && self.gone.is_none_or(|gone| version < gone)
    }

    /// What it is unless set; `None` where that depends on a version that is unknown.
    pub(super) fn default_in(&self, version: Option<Version>) -> Option<&'static str> {
        match (self.before, version) {
            (Some((from, was)), Some(version)) if version < from => Some(was),
            (Some(_), None) => None,
            _ => Some(self.default),
        }
    }

    /// Two sentences on it.
    fn told(&self) -> String {
        let mut text = String::from(match self.scope {
            Scope::Session => "A setting of Spark SQL",
            Scope::Static => "A setting of Spark SQL that is read once",
            Scope::Submit => "A setting of the application",
        });
        if let Some(since) = self.since {
            let _ = write!(text, ", there since Spark {since}");
        }
        if let Some(gone) = self.gone {
            let _ = write!(text, " and gone in {}", gone.line());
        }
        if !self.default.is_empty() {
            let _ = write!(text, "; it is {} unless set", self.default);
        }
        if let Some((from, was)) = self.before {
            let _ = write!(text, " ({was} before {})", from.line());
        }
        text.push_str(match self.scope {
            Scope::Session => ". It can be changed while the session lives, with spark.conf.set or SET.",
            Scope::Static => {
                ". It must be given before the first session of the process is built; later changes are refused."
            }
            Scope::Submit => {
                ". It is given when the application starts, with --conf or in spark-defaults.conf; in a running session it does nothing."
            }
        });
        text
    }
}

/// The setting of that key.
pub(super) fn known(key: &str) -> Option<KnownSetting> {
    SETTINGS.get(key).copied()
}

/// The keys of all settings.
pub(super) fn keys() -> impl Iterator<Item = &'static str> {
    SETTINGS.keys().copied()
}

/// What a setting is, in two sentences made from Spark's registry.
pub(super) fn told(key: &str) -> Option<String> {
    known(key).map(|setting| setting.told())
}

/// The keys of Spark's settings that a piece of code gives, with what is known of them; what only looks like a key,
/// such as `spark.read.parquet`, is left out.
pub(super) fn named_in(code: &str) -> Vec<(String, KnownSetting)> {
    KEY.find_iter(code)
        .filter_map(|found| Some((found.as_str().to_owned(), known(found.as_str())?)))
        .collect()
}

/// Whether a key may be given although the registry does not have it.
pub(super) fn is_open(key: &str) -> bool {
    OPEN.iter().any(|beginning| key.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn version(text: &str) -> Version {
        Version::parse(text).unwrap()
    }

    #[test]
    fn the_registry_says_where_and_since_when() {
        let overhead = known("spark.executor.memoryOverhead").unwrap();
        assert_eq!(overhead.scope, Scope::Submit);
        assert!(!overhead.exists_in(version("2.2.0")) && overhead.exists_in(version("3.5.1")));
        let profiler = known("spark.sql.pyspark.udf.profiler").unwrap();
        assert_eq!(profiler.scope, Scope::Session);
        assert!(!profiler.exists_in(version("3.5.9")) && profiler.exists_in(version("4.0.0")));
        assert_eq!(known("spark.sql.extensions").unwrap().scope, Scope::Static);
        assert!(
            !known("spark.mesos.coarse")
                .unwrap()
                .exists_in(version("4.1.0"))
        );
        assert!(SETTINGS.len() > 1500);
    }

    #[test]
    fn a_default_that_changed_is_that_of_the_version() {
        let ansi = known("spark.sql.ansi.enabled").unwrap();
        assert_eq!(ansi.default_in(Some(version("3.5.1"))), Some("false"));
        assert_eq!(ansi.default_in(Some(version("4.1.0"))), Some("true"));
        assert_eq!(ansi.default_in(None), None);
        let short = known("spark.sql.execution.pyspark.udf.simplifiedTraceback.enabled").unwrap();
        assert_eq!(short.default_in(Some(version("3.1.3"))), Some("false"));
        assert_eq!(short.default_in(Some(version("3.2.0"))), Some("true"));
        // Renamed in 3.2.
        let rebase = known("spark.sql.parquet.datetimeRebaseModeInRead").unwrap();
        assert!(!rebase.exists_in(version("3.1.3")));
        let told = told("spark.sql.ansi.enabled").unwrap();
        assert!(
            told.contains("true unless set (false before 4.0)"),
            "{told}"
        );
    }

    #[test]
    fn every_setting_can_be_told_in_two_sentences() {
        for key in SETTINGS.keys() {
            let text = told(key).unwrap();
            assert!(text.contains(". ") && text.ends_with('.'), "{key}: {text}");
        }
    }

    #[test]
    fn code_names_its_settings() {
        let keys: Vec<String> =
            named_in("spark.conf.set(\"spark.sql.shuffle.partitions\", spark.range(1))")
                .into_iter()
                .map(|(key, _)| key)
                .collect();
        assert_eq!(keys, ["spark.sql.shuffle.partitions"]);
    }
}
