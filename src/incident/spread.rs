//! In: one figure of each task. Out: its [`Spread`] and its histogram.

use super::stage::Spread;
use crate::fact::event_log::Column;

/// Bars of a histogram.
const BARS: usize = 16;

impl Spread {
    /// Of all `values`; all zero where there are none.
    pub fn of(values: impl Iterator<Item = u64>) -> Self {
        let mut sorted: Vec<u64> = values.collect();
        sorted.sort_unstable();
        let (Some(min), Some(max)) = (sorted.first(), sorted.last()) else {
            return Self::default();
        };
        let n = sorted.len();
        let middle = if n.is_multiple_of(2) {
            f64::midpoint(float(sorted[n / 2 - 1]), float(sorted[n / 2]))
        } else {
            float(sorted[n / 2])
        };
        // The smallest value that is not exceeded by that many of a hundred.
        let percentile = |percent: usize| float(sorted[(n * percent).div_ceil(100).max(1) - 1]);
        Self {
            min: float(*min),
            median: middle,
            p75: percentile(75),
            p95: percentile(95),
            max: float(*max),
            sum: sorted.iter().copied().map(float).sum(),
            n: n as u64,
        }
    }

    /// How far the largest lies above the middle; `None` where the middle is zero.
    pub fn ratio(&self) -> Option<f64> {
        (self.median > 0.0).then(|| self.max / self.median)
    }
}

/// How many of `values` fall into each of equal parts of their range; empty where they are all the same.
pub(super) fn histogram(values: impl Iterator<Item = u64> + Clone) -> Vec<u32> {
    let (Some(min), Some(max)) = (values.clone().min(), values.clone().max()) else {
        return Vec::new();
    };
    if min == max {
        return Vec::new();
    }
    let mut bars = vec![0_u32; BARS];
    for value in values {
        let bar = u128::from(value - min) * BARS as u128 / (u128::from(max - min) + 1);
        if let Some(bar) = usize::try_from(bar).ok().and_then(|bar| bars.get_mut(bar)) {
            *bar = bar.saturating_add(1);
        }
    }
    bars
}

/// All numbers of a column together.
pub(super) fn sum(column: &Column) -> f64 {
    column.iter().map(float).sum()
}

/// Figures are shown and compared, never counted on: above 2^53 they may be off by one.
#[expect(clippy::cast_precision_loss, reason = "see above")]
pub(super) fn float(value: u64) -> f64 {
    value as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[u64]) -> Spread {
        Spread::of(values.iter().copied())
    }

    #[test]
    fn the_middle_of_an_even_number_is_the_mean_of_the_middle_two() {
        fn check(spread: Spread, median: f64, p75: f64, p95: f64) {
            assert_eq!((spread.median, spread.p75, spread.p95), (median, p75, p95));
        }
        check(of(&[3, 1, 2, 10]), 2.5, 3.0, 10.0);
        check(of(&[5]), 5.0, 5.0, 5.0);
        check(of(&(1..=100).collect::<Vec<_>>()), 50.5, 75.0, 95.0);
        assert_eq!(of(&[]), Spread::default());
        assert_eq!(of(&[0, 0, 9]).ratio(), None);
        assert_eq!(of(&[2, 2, 9]).ratio(), Some(4.5));
    }

    #[test]
    fn bars_hold_every_value() {
        let values = [0, 1, 15, 16, 31, u64::MAX];
        let bars = histogram(values.iter().copied());
        assert_eq!(bars.iter().sum::<u32>(), 6);
        assert_eq!((bars[0], bars[15]), (5, 1));
        assert!(histogram([7, 7].into_iter()).is_empty());
    }
}
