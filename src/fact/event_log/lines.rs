//! In: the blocks of a stream, in order, with what was skimmed of each. Out: its lines, each with its number and offset;
//! holds one line at a time.

use super::skim::{Skim, Told};
use memchr::memchr;

/// Longer lines are passed over: a plan that large is of no use, and a line that never ends is no event log.
const LONGEST_LINE: usize = 64 << 20;

/// One line.
#[derive(Debug, Clone, Copy)]
pub(super) struct RawLine<'b> {
    /// Its bytes, without the line's end; empty where it is longer than [`LONGEST_LINE`].
    pub(super) bytes: &'b [u8],
    /// Offset of its first byte.
    pub(super) start: u64,
    /// 1-based number.
    pub(super) number: u64,
    /// How many bytes it takes, with its end.
    pub(super) length: u64,
}

/// How far the lines of a stream have come.
#[derive(Debug)]
pub(super) struct Lines {
    /// The beginning of a line whose end lies in a later block.
    open: Vec<u8>,
    open_length: u64,
    start: u64,
    number: u64,
}

impl Default for Lines {
    fn default() -> Self {
        Self {
            open: Vec::new(),
            open_length: 0,
            start: 0,
            number: 1,
        }
    }
}

impl Lines {
    /// Gives `visit` each line that ends in the next block, and what is known of it from `skim`, that block's.
    pub(super) fn block(
        &mut self,
        block: &[u8],
        skim: &Skim,
        mut visit: impl FnMut(RawLine<'_>, &Told),
    ) {
        let Some(end) = memchr(b'\n', block) else {
            return self.extend(block);
        };
        self.extend(&block[..end]);
        let mut first = std::mem::take(&mut self.open);
        visit(self.next(&first, self.open_length + 1), &Told::Unknown);
        first.clear();
        self.open = first;
        self.open_length = 0;
        let mut behind = end + 1;
        for line in &skim.lines {
            let bytes = &block[line.at.clone()];
            visit(self.next(bytes, bytes.len() as u64 + 1), &line.told);
            behind = line.at.end + 1;
        }
        self.extend(&block[behind..]);
    }

    /// The stream has ended: its last line may have no end.
    pub(super) fn finish(mut self, mut visit: impl FnMut(RawLine<'_>, &Told)) {
        if self.open_length > 0 {
            let last = std::mem::take(&mut self.open);
            visit(self.next(&last, self.open_length), &Told::Unknown);
        }
    }

    /// The line that comes next, of so many bytes with its end.
    fn next<'b>(&mut self, bytes: &'b [u8], length: u64) -> RawLine<'b> {
        let line = RawLine {
            bytes,
            start: self.start,
            number: self.number,
            length,
        };
        self.start += length;
        self.number += 1;
        line
    }

    /// Adds to the open line; one that grows too long is dropped and stays dropped until its end.
    fn extend(&mut self, bytes: &[u8]) {
        self.open_length += bytes.len() as u64;
        if self.open_length <= LONGEST_LINE as u64 {
            self.open.extend_from_slice(bytes);
        } else {
            self.open = Vec::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of what comes in such blocks: how long each is without its end, its offset, number and length.
    fn lines<'b>(blocks: impl IntoIterator<Item = &'b [u8]>) -> Vec<(usize, u64, u64, u64)> {
        let mut seen = Vec::new();
        let mut note = |line: RawLine<'_>, _: &Told| {
            seen.push((line.bytes.len(), line.start, line.number, line.length));
        };
        let (mut lines, mut skim) = (Lines::default(), Skim::default());
        for block in blocks {
            skim.read(block);
            lines.block(block, &skim, &mut note);
        }
        lines.finish(&mut note);
        seen
    }

    #[test]
    fn lines_do_not_depend_on_blocks() {
        let text = b"one\n\nthree three\nlast";
        let expected = [(3, 0, 1, 4), (0, 4, 2, 1), (11, 5, 3, 12), (4, 17, 4, 4)];
        for step in 1..=text.len() {
            assert_eq!(lines(text.chunks(step)), expected, "{step} bytes at a time");
        }
    }

    #[test]
    fn a_line_that_never_ends_takes_no_memory_and_hides_no_other() {
        let endless = vec![b'x'; 1 << 20];
        let blocks = std::iter::repeat_n(&endless[..], LONGEST_LINE >> 19);
        let lines = lines(blocks.chain([&b"\nnext\n"[..]]));
        let lines: Vec<_> = lines
            .iter()
            .map(|(n, _, number, _)| (*n, *number))
            .collect();
        assert_eq!(lines, [(0, 1), (4, 2)]);
    }
}
