//! In: an incident with the settings that were given. Out: the values of templates that are sizes of memory: what was used, what
//! was set, and what to try next, as a setting takes it.

use crate::diagnosis::scene::{Scene, said};
use crate::diagnosis::template::Values;
use crate::text::{mebibytes, pattern};
use regex::Regex;
use std::sync::LazyLock;

static MEMORY_USED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"([\d.]+ ?[KMGT]i?B?) of ([\d.]+ ?[KMGT]i?B?)(?: (physical|virtual))?(?: memory)? used",
    )
    .expect("a constant pattern compiles")
});

/// Room beside the heap, which only some platforms give.
const OVERHEAD: &str = "spark.executor.memoryOverhead";

/// Spark's own number of partitions behind a shuffle.
const SHUFFLE_PARTITIONS: u32 = 200;

/// Adds them.
pub(super) fn put(scene: &Scene<'_>, values: &mut Values) {
    let setting = |key: &str| scene.settings.get(key).map(String::as_str);
    let mut add = |name: &str, value: String| values.insert(name.to_owned(), value);
    let printed = scene
        .incident
        .chain
        .iter()
        .rev()
        .find_map(|cause| MEMORY_USED.captures(said(cause)));
    let mut limit = None;
    if let Some(found) = &printed {
        add("used", found[1].to_owned());
        add("limit", found[2].to_owned());
        if let Some(kind) = found.get(3) {
            add("memory_kind", kind.as_str().to_owned());
        }
        limit = mebibytes(&found[2], 1.0);
    }
    let heap = setting("spark.executor.memory");
    if let Some(heap) = heap {
        add("executor_memory", heap.to_owned());
    }
    if let Some(cores) = setting("spark.executor.cores") {
        add("executor_cores", cores.to_owned());
    }
    // Without the setting: what fits the printed limit. Where all settings were logged, as an event log does it, this one
    // was not given, so Spark's default holds; a submit command tells only some, and there nobody knows.
    let all = scene.settings.contains_key("spark.app.id");
    let default = |size: f64| all.then_some(size);
    if let Some(heap) = heap.and_then(|size| mebibytes(size, 1.0)) {
        add("less_executor_memory", setting_of((heap / 2.0).max(1024.0)));
    }
    let heap = heap
        .and_then(|size| mebibytes(size, 1.0))
        .or_else(|| limit.map(heap_within))
        .or_else(|| default(1024.0));
    let overhead = setting(OVERHEAD).or_else(|| setting("spark.yarn.executor.memoryOverhead"));
    if let Some(overhead) = overhead {
        add("overhead", overhead.to_owned());
    }
    if let Some(heap) = heap {
        let overhead = overhead
            .and_then(|size| mebibytes(size, 1.0))
            .unwrap_or_else(|| default_overhead(heap));
        let next = next_overhead(heap, overhead, runs_python(scene));
        let heeded = scene.platform.is_none_or(|p| p.heeds(OVERHEAD));
        if heeded {
            add("next_overhead", setting_of(next));
        }
        add("next_executor_memory", setting_of((heap * 1.5).max(2048.0)));
    }
    let driver = setting("spark.driver.memory");
    if let Some(driver) = driver {
        add("driver_memory", driver.to_owned());
    }
    let driver = driver
        .and_then(|size| mebibytes(size, 1.0))
        .or_else(|| default(1024.0));
    if let Some(driver) = driver {
        add("next_driver_memory", setting_of((driver * 2.0).max(2048.0)));
    }
    let result = setting("spark.driver.maxResultSize")
        .and_then(|size| mebibytes(size, 1.0 / (1024.0 * 1024.0)))
        .or_else(|| default(1024.0));
    if let Some(result) = result {
        add("next_result_size", setting_of(result * 2.0));
    }
    let partitions = setting("spark.sql.shuffle.partitions");
    let partitions = partitions.and_then(|n| n.parse::<u32>().ok());
    let partitions = partitions.unwrap_or(SHUFFLE_PARTITIONS);
    add("next_partitions", partitions.saturating_mul(4).to_string());
    let half = |key: &str| {
        let now = setting(key)?.parse::<u32>().ok()?;
        Some((now / 2).max(1).to_string())
    };
    for (name, key) in [
        ("fewer_cores", "spark.executor.cores"),
        ("fewer_executors", "spark.executor.instances"),
    ] {
        if let Some(half) = half(key) {
            add(name, half);
        }
    }
    add("next_kryo_buffer", "512m".to_owned());
    add("next_rpc_size", "512".to_owned());
}

/// Whether Python workers ran beside the executors.
fn runs_python(scene: &Scene<'_>) -> bool {
    let incident = scene.incident;
    let frame = incident
        .user_frame
        .as_ref()
        .or(incident.action_frame.as_ref());
    frame.is_some_and(|f| f.file.ends_with(".py"))
        || incident
            .chain
            .iter()
            .any(|c| c.class.contains("py4j") || c.class.contains("Python"))
}

/// As a setting takes it: whole gibibytes as `4g`, else mebibytes as `1536m`, rounded up to 256 MiB.
pub(in crate::diagnosis) fn setting_of(mebibytes: f64) -> String {
    // Sizes of machines are far below 2^52 MiB, and negative ones do not occur.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to what memory there can be"
    )]
    let steps = (mebibytes.clamp(256.0, 1e9) / 256.0).ceil() as u64;
    if steps.is_multiple_of(4) {
        format!("{}g", steps / 4)
    } else {
        format!("{}m", steps * 256)
    }
}

/// The overhead to try next, given the heap and the overhead that was too small: twice as much, at least a
/// fifth of the heap (two fifths where Python runs beside it), at least 1 GiB.
pub(super) fn next_overhead(heap: f64, overhead: f64, python: bool) -> f64 {
    let share = if python { 0.4 } else { 0.2 };
    (overhead * 2.0).max(heap * share).max(1024.0)
}

/// Spark's default overhead for a heap: a tenth of it, at least 384 MiB.
pub(in crate::diagnosis) fn default_overhead(heap: f64) -> f64 {
    (heap * 0.1).max(384.0)
}

/// The heap that fits a container limit together with its default overhead.
pub(super) fn heap_within(limit: f64) -> f64 {
    (limit / 1.1).min(limit - 384.0).max(limit * 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_written_as_settings_take_them() {
        assert_eq!(setting_of(4096.0), "4g");
        assert_eq!(setting_of(1400.0), "1536m");
    }

    #[test]
    fn the_next_overhead_grows_with_the_heap() {
        assert_eq!(setting_of(next_overhead(8192.0, 819.0, false)), "1792m");
        assert_eq!(setting_of(next_overhead(8192.0, 819.0, true)), "3328m");
        assert_eq!(setting_of(next_overhead(1024.0, 384.0, false)), "1g");
        assert!((heap_within(1408.0) - 1024.0).abs() < 1.0);
    }
}
