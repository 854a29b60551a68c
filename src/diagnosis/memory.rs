//! In: sizes in mebibytes. Out: the sizes to try next, as a setting takes them.

/// As a setting takes it: whole gibibytes as `4g`, else mebibytes as `1536m`, rounded up to 256 MiB.
pub(super) fn setting(mebibytes: f64) -> String {
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
pub(super) fn default_overhead(heap: f64) -> f64 {
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
        assert_eq!(setting(4096.0), "4g");
        assert_eq!(setting(1400.0), "1536m");
    }

    #[test]
    fn the_next_overhead_grows_with_the_heap() {
        assert_eq!(setting(next_overhead(8192.0, 819.0, false)), "1792m");
        assert_eq!(setting(next_overhead(8192.0, 819.0, true)), "3328m");
        assert_eq!(setting(next_overhead(1024.0, 384.0, false)), "1g");
        assert!((heap_within(1408.0) - 1024.0).abs() < 1.0);
    }
}
