//! In: sizes as settings and logs print them (`8g`, `5.5 GB`, `1408Mi`). Out: mebibytes, and the sizes to try next.

/// Mebibytes of a printed size; a number without a unit counts as `unitless` times mebibytes.
pub(super) fn mebibytes(text: &str, unitless: f64) -> Option<f64> {
    let text = text.trim();
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    let unit = text[end..].trim_start().bytes().next();
    Some(
        number
            * match unit.map(|b| b.to_ascii_lowercase()) {
                None => unitless,
                Some(b'b') => 1.0 / (1024.0 * 1024.0),
                Some(b'k') => 1.0 / 1024.0,
                Some(b'm') => 1.0,
                Some(b'g') => 1024.0,
                Some(b't') => 1024.0 * 1024.0,
                Some(_) => return None,
            },
    )
}

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
    fn sizes_are_read_and_written() {
        assert_eq!(mebibytes("8g", 1.0), Some(8192.0));
        assert_eq!(mebibytes("5.5 GB", 1.0), Some(5632.0));
        assert_eq!(mebibytes("1408Mi", 1.0), Some(1408.0));
        assert_eq!(mebibytes("x", 1.0), None);
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
