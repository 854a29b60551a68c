//! In: the settings that a run was given, and its version of Spark. Out: [`GivenSetting`]s: each with what Spark takes
//! without it, and whether that is something else.

use super::settings;
use super::values::memory;
use super::version::Version;
use crate::incident::Story;
use crate::text::{Place, mebibytes};
use std::collections::BTreeMap;

/// Beginnings of the keys that decide most about failing and about time; told before others, in this order.
const TELLING: &[&str] = &[
    "spark.executor.memory",
    "spark.executor.cores",
    "spark.executor.instances",
    "spark.executor.pyspark",
    "spark.driver.memory",
    "spark.driver.maxResultSize",
    "spark.memory.",
    "spark.task.",
    "spark.stage.",
    "spark.speculation",
    "spark.dynamicAllocation.",
    "spark.sql.adaptive.",
    "spark.sql.shuffle.",
    "spark.sql.autoBroadcastJoinThreshold",
    "spark.sql.broadcastTimeout",
    "spark.sql.",
    "spark.shuffle.",
    "spark.network.",
];

/// Keys that Spark and what launches it write themselves: nobody gave them.
const WRITTEN_BY_SPARK: &[&str] = &[
    "spark.app.",
    "spark.driver.bindAddress",
    "spark.driver.extraJavaOptions",
    "spark.driver.host",
    "spark.driver.port",
    "spark.executor.extraJavaOptions",
    "spark.executor.id",
    "spark.rdd.compress",
    "spark.repl.",
    "spark.serializer.objectStreamReset",
    "spark.sql.artifact.isolation.enabled",
    "spark.sql.catalogImplementation",
    "spark.submit.",
    "spark.ui.showConsoleProgress",
];

/// A setting that the run was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenSetting {
    /// Its key.
    pub key: String,
    /// What it was given.
    pub value: String,
    /// What this version of Spark takes without it; `None` where that is not known.
    pub own: Option<String>,
    /// Whether the value is something else than Spark's own; `None` where that cannot be told.
    pub overrides: Option<bool>,
    /// Where it was given.
    pub place: Option<Place>,
}

impl GivenSetting {
    /// Whether a person chose it: it is something else than Spark's own, and nothing that Spark itself writes.
    pub fn is_chosen(&self) -> bool {
        let mut written = WRITTEN_BY_SPARK.iter();
        self.overrides == Some(true) && !written.any(|own| self.key.starts_with(own))
    }

    /// Whether it is one of those that decide most about failing and about time.
    pub fn is_telling(&self) -> bool {
        self.turn() < TELLING.len()
    }

    fn turn(&self) -> usize {
        let telling = TELLING.iter().position(|key| self.key.starts_with(key));
        telling.unwrap_or(TELLING.len())
    }
}

/// All settings that a run was given, those that decide most first.
pub fn given_settings(story: &Story) -> Vec<GivenSetting> {
    let version = story.spark.version.as_deref().and_then(Version::parse);
    let given = story.settings.iter().map(|(key, value)| {
        let own = own_value(key, &story.settings, version);
        GivenSetting {
            overrides: own.as_deref().and_then(|own| differs(value, own)),
            own,
            key: key.clone(),
            value: value.clone(),
            place: story.setting_places.get(key).copied(),
        }
    });
    let mut given: Vec<_> = given.collect();
    // What stands equal stays in the order of the keys.
    given.sort_by_key(|setting| (!setting.is_chosen(), setting.turn()));
    given
}

/// What Spark takes where a setting is not given.
pub(super) fn own_value(
    key: &str,
    settings: &BTreeMap<String, String>,
    version: Option<Version>,
) -> Option<String> {
    if key == "spark.executor.memoryOverhead" {
        // It is computed from the heap.
        let heap = settings.get("spark.executor.memory");
        let heap = heap.map_or(Some(1024.0), |size| mebibytes(size, 1.0))?;
        return Some(memory::setting_of(memory::default_overhead(heap)));
    }
    let own = settings::known(key)?.default_in(version)?;
    let plain = !own.is_empty() && !own.starts_with('<');
    plain.then(|| own.to_owned())
}

/// Whether two values of a setting are not the same; `None` where only one of them has a unit, and nobody can tell.
fn differs(value: &str, own: &str) -> Option<bool> {
    if value.eq_ignore_ascii_case(own) {
        return Some(false);
    }
    match (amount(value), amount(own)) {
        (Some(a), Some(b)) if a.total_cmp(&b).is_eq() => Some(false),
        // Zero and less turn off or lift a limit, in whatever unit.
        (Some(a), Some(b)) if a.min(b) > 0.0 && has_unit(value) != has_unit(own) => None,
        _ => Some(true),
    }
}

fn has_unit(value: &str) -> bool {
    value.ends_with(|c: char| c.is_ascii_alphabetic())
}

/// A number with its unit of bytes or of time; units that only one of two values carries are left to the person.
pub(super) fn amount(text: &str) -> Option<f64> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.' && c != '-')
        .unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    Some(
        number
            * match text[end..].to_ascii_lowercase().as_str() {
                "" | "b" | "s" => 1.0,
                "ms" => 0.001,
                "min" => 60.0,
                "h" => 3600.0,
                "k" | "kb" => 1024.0,
                "m" | "mb" => 1024.0 * 1024.0,
                "g" | "gb" => 1024.0 * 1024.0 * 1024.0,
                "t" | "tb" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
                _ => return None,
            },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(version: &str, settings: &[(&str, &str)]) -> Vec<(String, Option<bool>)> {
        let mut story = Story::default();
        story.spark.version = Some(version.to_owned());
        let settings = settings
            .iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        story.settings = settings.collect();
        let told = given_settings(&story).into_iter();
        told.map(|setting| (setting.key, setting.overrides))
            .collect()
    }

    #[test]
    fn what_was_chosen_comes_first_and_what_decides_most_before_that() {
        let told = given(
            "3.5.1",
            &[
                ("spark.app.name", "nightly"),
                ("spark.executor.memory", "8g"),
                ("spark.my.own", "1"),
                ("spark.sql.adaptive.enabled", "false"),
                ("spark.sql.shuffle.partitions", "200"),
                ("spark.task.maxFailures", "1"),
            ],
        );
        let told: Vec<_> = told.iter().map(|(key, o)| (key.as_str(), *o)).collect();
        assert_eq!(
            told,
            [
                ("spark.executor.memory", Some(true)),
                ("spark.task.maxFailures", Some(true)),
                ("spark.sql.adaptive.enabled", Some(true)),
                ("spark.sql.shuffle.partitions", Some(false)),
                ("spark.app.name", None),
                ("spark.my.own", None),
            ]
        );
    }

    #[test]
    fn the_default_is_that_of_the_version() {
        let adaptive = [("spark.sql.adaptive.enabled", "true")];
        let overrides = |version| given(version, &adaptive)[0].1;
        assert_eq!(overrides("3.1.3"), Some(true));
        assert_eq!(overrides("3.5.9"), Some(false));
    }

    #[test]
    fn the_same_size_in_other_words_overrides_nothing() {
        for (value, own, expected) in [
            ("1024m", "1g", Some(false)),
            ("TRUE", "true", Some(false)),
            ("134217728", "128MB", Some(false)),
            ("1024", "1g", None),
            ("120", "120s", Some(false)),
            ("2g", "1g", Some(true)),
            ("-1", "10MB", Some(true)),
            ("LEGACY", "CORRECTED", Some(true)),
        ] {
            assert_eq!(differs(value, own), expected, "{value} {own}");
        }
    }
}
