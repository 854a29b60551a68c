//! In: the steps of a fix and the settings that the run was given. Out: one step more where a setting that the fix changes
//! was itself given a value, and Spark's own value lies on the way the fix goes: then taking it back is the first thing to try.

use super::fix::{Step, StepKind};
use super::given::{amount, own_value};
use super::scene::Scene;
use super::settings::{self, Scope};
use crate::text::{pattern, visible_line};
use regex::Regex;
use std::sync::LazyLock;

/// `key=value` of a configuration or a submit command, `spark.conf.set("key", "value")`.
static GIVEN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"(?m)(?:^|--conf "?)(?<key>spark\.[\w.]+)=(?<value>[^\s"]+)|conf\.set\("(?<key2>spark\.[\w.]+)", *"(?<value2>[^"]+)"\)"#)
        .expect("a constant pattern compiles")
});

/// A number with its unit.
static AMOUNT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\b(\d+(?:\.\d+)?) ?(ms|s|min|h|[kmgt]?b)\b").expect("a constant pattern compiles")
});

/// Puts the step in front of the first fix.
pub(super) fn add(steps: &mut Vec<Step>, scene: &Scene<'_>) {
    let Some(first) = steps.iter().position(|step| step.kind == StepKind::Fix) else {
        return;
    };
    let fixes = steps[first..]
        .iter()
        .filter(|step| step.kind == StepKind::Fix);
    let given = fixes
        .filter_map(|step| step.code.as_deref())
        .flat_map(|code| GIVEN.captures_iter(code));
    let undone: Vec<(bool, Step)> = given
        .filter_map(|given| {
            let key = given.name("key").or(given.name("key2"))?.as_str();
            let wanted = given.name("value").or(given.name("value2"))?.as_str();
            let step = undo(key, wanted, scene)?;
            let now = scene.settings.get(key)?;
            Some((tells(&scene.incident.root().text, key, now), step))
        })
        .collect();
    // The one that the failure itself tells of; of several that could be, the one that the fix names first.
    let told = undone.iter().position(|(told, _)| *told);
    let undone = undone.into_iter().nth(told.unwrap_or(0));
    steps.splice(first..first, undone.map(|(_, step)| step));
}

/// Whether a failure's text names a setting, or the size or the time that it was set to, in whatever unit.
fn tells(text: &str, key: &str, now: &str) -> bool {
    let has_unit = now.ends_with(|c: char| c.is_ascii_alphabetic());
    let same = |found: regex::Captures<'_>| {
        has_unit && amount(&format!("{}{}", &found[1], &found[2])) == amount(now)
    };
    text.contains(key) || AMOUNT.captures_iter(text).any(same)
}

fn undo(key: &str, wanted: &str, scene: &Scene<'_>) -> Option<Step> {
    let now = scene.settings.get(key)?;
    let own = own_value(key, scene.settings, scene.version)?;
    if !leads_there(now, &own, wanted) {
        return None;
    }
    let place = scene.story.setting_places.get(key);
    let line = place.map_or_else(String::new, |place| format!(" (line {})", place.line));
    let shown = visible_line(now);
    let when = match settings::known(key)?.scope {
        Scope::Session => "a session setting",
        Scope::Static => "given when the session starts",
        Scope::Submit => "given when the job is submitted",
    };
    Some(Step {
        kind: StepKind::Fix,
        text: format!(
            "Take `{key}` back first: it was set to {shown}{line}, and Spark's own value is {own} ({when}).",
        ),
        lang: Some("conf".to_owned()),
        code: Some(format!("{key}={own}")),
        replaces: None,
    })
}

/// Whether going from `now` to `own` is a step towards `wanted`.
fn leads_there(now: &str, own: &str, wanted: &str) -> bool {
    if now.eq_ignore_ascii_case(own) {
        return false;
    }
    match (amount(now), amount(own), amount(wanted)) {
        (Some(now), Some(own), Some(wanted)) => {
            (own > now && wanted > now) || (own < now && wanted < now)
        }
        _ => own.eq_ignore_ascii_case(wanted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_tells_of_the_setting_that_it_names_or_gives_the_value_of() {
        let late = "no recent heartbeats: 11861 ms exceeds timeout 10000 ms";
        let long = "larger than spark.driver.maxResultSize (1024.0 MiB)";
        for (text, key, now, yes) in [
            (late, "spark.network.timeout", "10s", true),
            (late, "spark.executor.memory", "640m", false),
            (late, "spark.executor.cores", "10000", false),
            (long, "spark.driver.maxResultSize", "1g", true),
        ] {
            assert_eq!(tells(text, key, now), yes, "{key} {now}");
        }
    }

    #[test]
    fn a_setting_is_taken_back_only_where_that_is_the_way_of_the_fix() {
        for (now, own, wanted, yes) in [
            ("1", "300", "1200", true),
            ("1m", "1g", "2m", true),
            ("8g", "1g", "16g", false),
            ("1g", "10MB", "-1", true),
            ("EXCEPTION", "CORRECTED", "CORRECTED", true),
            ("LEGACY", "CORRECTED", "LEGACY", false),
            ("false", "true", "true", true),
            ("1g", "1g", "2g", false),
        ] {
            assert_eq!(leads_there(now, own, wanted), yes, "{now} {own} {wanted}");
        }
    }
}
