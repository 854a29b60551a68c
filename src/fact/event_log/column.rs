//! In: one number of each task, task by task. Out: a [`Column`] of them.

use crate::text::Place;

/// One number of each task of a stage attempt. Takes no memory while all of them are zero: most stages
/// spill nothing and read from one side only.
#[derive(Debug, Clone, Default)]
pub struct Column {
    values: Vec<u64>,
    zeros: usize,
    largest: Option<(usize, u64, Place)>,
}

impl Column {
    /// Adds the number of the next task, told by the line at `place`.
    pub(super) fn push(&mut self, value: u64, place: Place) {
        if self.largest.is_none_or(|(_, most, _)| value > most) {
            self.largest = Some((self.len(), value, place));
        }
        if value == 0 && self.values.is_empty() {
            self.zeros += 1;
        } else {
            if self.values.is_empty() {
                self.values.resize(self.zeros, 0);
            }
            self.values.push(value);
        }
    }

    /// How many tasks.
    pub fn len(&self) -> usize {
        self.values.len().max(self.zeros)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether no task has another number than zero.
    pub fn is_zero(&self) -> bool {
        self.values.is_empty()
    }

    /// The number of the task in that row; zero past the end.
    pub fn get(&self, row: usize) -> u64 {
        self.values.get(row).copied().unwrap_or(0)
    }

    /// All numbers, in the order of the log.
    pub fn iter(&self) -> impl Iterator<Item = u64> + Clone + '_ {
        (0..self.len()).map(|row| self.get(row))
    }

    /// The row of the first largest number, and the line that tells it.
    pub fn largest(&self) -> Option<(usize, Place)> {
        self.largest.map(|(row, _, place)| (row, place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_before_the_first_number_count() {
        let mut column = Column::default();
        for value in [0, 0, 5, 0, 7, 7] {
            column.push(value, Place::NOWHERE);
        }
        assert_eq!(column.iter().collect::<Vec<_>>(), [0, 0, 5, 0, 7, 7]);
        assert_eq!(column.largest().map(|(row, _)| row), Some(4));
        assert_eq!((column.len(), column.is_zero()), (6, false));
    }
}
