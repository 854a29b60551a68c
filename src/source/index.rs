//! In: how many lines the blocks of a source hold. Out: [`LineIndex`]: which line is at which offset, roughly, in little memory.

/// Offsets of lines, sparse: one every so many bytes, never more than [`LineIndex::MOST_MARKS`] in all.
#[derive(Debug, Clone, Default)]
pub struct LineIndex {
    /// In ascending order: an offset, and how many lines end before it.
    marks: Vec<Mark>,
    /// Every how many offered marks one is kept.
    stride: u64,
    offered: u64,
}

#[derive(Debug, Clone, Copy)]
struct Mark {
    offset: u64,
    ended_before: u64,
}

impl LineIndex {
    /// Marks that are kept: 1 MiB of memory. Past that, every other one is dropped.
    pub const MOST_MARKS: usize = 1 << 16;

    /// The next mark: at `offset`, `ended_before` lines have ended. Offsets must not go down.
    pub fn mark(&mut self, offset: u64, ended_before: u64) {
        let stride = self.stride.max(1);
        if self.offered.is_multiple_of(stride) {
            self.marks.push(Mark {
                offset,
                ended_before,
            });
        }
        self.offered += 1;
        if self.marks.len() > Self::MOST_MARKS {
            let mut kept = false;
            self.marks.retain(|_| {
                kept = !kept;
                kept
            });
            self.stride = stride * 2;
        }
    }

    /// The last mark at or before the start of line `line` (1-based): an offset, and how many lines end before it.
    pub fn before_line(&self, line: u64) -> (u64, u64) {
        // A line starts behind the end of the line before it, so fewer lines than that must have ended.
        let i = self
            .marks
            .partition_point(|mark| mark.ended_before + 1 < line);
        self.at(i)
    }

    /// The last mark at or before `offset`: an offset, and how many lines end before it.
    pub fn before_offset(&self, offset: u64) -> (u64, u64) {
        let i = self.marks.partition_point(|mark| mark.offset <= offset);
        self.at(i)
    }

    fn at(&self, after: usize) -> (u64, u64) {
        match after.checked_sub(1).and_then(|i| self.marks.get(i)) {
            Some(mark) => (mark.offset, mark.ended_before),
            None => (0, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_by_line_and_by_offset() {
        let mut index = LineIndex::default();
        index.mark(100, 3);
        index.mark(200, 3);
        index.mark(300, 9);
        assert_eq!(index.before_line(1), (0, 0));
        assert_eq!(index.before_line(4), (0, 0));
        assert_eq!(index.before_line(5), (200, 3));
        assert_eq!(index.before_line(11), (300, 9));
        assert_eq!(index.before_offset(99), (0, 0));
        assert_eq!(index.before_offset(250), (200, 3));
    }

    #[test]
    fn it_stays_small() {
        let mut index = LineIndex::default();
        for i in 0..1_000_000_u64 {
            index.mark(i * 10, i);
        }
        assert!(index.marks.len() <= LineIndex::MOST_MARKS);
        let (offset, ended) = index.before_line(777_777);
        assert_eq!(offset, ended * 10);
        assert!(ended < 777_777 && ended > 777_777 - 64);
    }
}
