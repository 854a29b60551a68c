//! In: a physical line. Out: the [`Bar`]s that Spark's console drew last in it, one for each stage that ran then.

use super::damage::uncolour;
use crate::text::pattern;
use regex::Regex;
use std::sync::LazyLock;

/// Stages that run at one time, of those the console draws; of more the last are looked at.
const MOST: usize = 32;

/// What a progress bar says of a stage: `[Stage 7:=====>  (199 + 1) / 200]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bar {
    /// Stage id.
    pub stage: u32,
    /// Tasks that ended well.
    pub done: u32,
    /// Tasks that run.
    pub running: u32,
    /// All of its tasks.
    pub total: u32,
}

static BAR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\[Stage (\d+):(?:[=> ]|&gt;)*\((\d+) \+ (\d+)\) / (\d+)\]").expect("a valid pattern")
});

/// The bars that a line shows in the end: each drawing goes over the one before.
pub fn last_bars(line: &str) -> Vec<Bar> {
    let drawn = drawn(line).unwrap_or_default();
    let mut bars: Vec<Bar> = Vec::new();
    for found in BAR.captures_iter(&drawn) {
        let number = |i: usize| found[i].parse().ok();
        let (Some(stage), Some(done), Some(running), Some(total)) =
            (number(1), number(2), number(3), number(4))
        else {
            continue;
        };
        // Where the returns were lost, one drawing stands behind the other.
        bars.retain(|bar| bar.stage != stage);
        if bars.len() == MOST {
            bars.remove(0);
        }
        bars.push(Bar {
            stage,
            done,
            running,
            total,
        });
    }
    bars
}

/// What a line draws last, where it draws any bar.
pub fn drawn(line: &str) -> Option<String> {
    if !line.contains("[Stage ") {
        return None;
    }
    let line = uncolour(line);
    let mut drawings = line.rsplit('\r');
    let last = drawings.find(|piece| piece.contains("[Stage "))?;
    Some(last.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_last_counts() {
        let bar = |stage, done, running, total| Bar {
            stage,
            done,
            running,
            total,
        };
        for (line, bars) in [
            (
                "[Stage 7:====>  (199 + 1) / 200]",
                vec![bar(7, 199, 1, 200)],
            ),
            (
                "[Stage 7:>  (1 + 2) / 20]\r[Stage 7:=>  (2 + 2) / 20]\r",
                vec![bar(7, 2, 2, 20)],
            ),
            (
                "[Stage 7:>  (1 + 2) / 20][Stage 7:=>  (2 + 2) / 20]",
                vec![bar(7, 2, 2, 20)],
            ),
            (
                "[Stage 7:>  (1 + 2) / 20][Stage 8:>  (0 + 0) / 4]",
                vec![bar(7, 1, 2, 20), bar(8, 0, 0, 4)],
            ),
            ("Stage 7 of 9 (1 + 2) / 20", vec![]),
        ] {
            assert_eq!(last_bars(line), bars, "{line}");
        }
    }
}
