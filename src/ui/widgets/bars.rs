//! In: how many fell into each part of a range. Out: one line of bars of eight heights.

/// One bar a count, the largest count at full height; a count of one is never drawn as none.
pub(crate) fn bars(counts: &[u32]) -> String {
    const HEIGHTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = u64::from(counts.iter().copied().max().unwrap_or(0)).max(1);
    counts
        .iter()
        .map(|n| {
            let eighths = (u64::from(*n) * 8).div_ceil(most);
            HEIGHTS[usize::try_from(eighths).unwrap_or(8).min(8)]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tallest_bar_is_full_and_the_smallest_is_seen() {
        assert_eq!(bars(&[1, 500, 1_000, 0]), "▁▄█ ");
        assert_eq!(bars(&[]), "");
        assert_eq!(bars(&[0, u32::MAX]), " █");
    }
}
