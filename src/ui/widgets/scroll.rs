//! [`Scroll`]: where a list stands, and the one way every list moves, scrolls and is clicked on.

/// Where a list stands.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scroll {
    /// The row under the cursor.
    pub(crate) cursor: usize,
    /// The first row on the screen.
    pub(crate) top: usize,
    /// Columns that long lines are scrolled to the right.
    pub(crate) sideways: usize,
    /// A row to be shown together with the cursor's when next drawn, or else one that is nearer to it.
    near: Option<(usize, usize)>,
    /// Rows of which the first gets the cursor where there is no room for both.
    instead: Option<(usize, usize)>,
    /// The row on each line of the screen when last drawn.
    pub(super) drawn: Vec<usize>,
    /// Lines on the screen when last drawn.
    height: usize,
}

impl Scroll {
    /// Moves the cursor by rows.
    pub(crate) fn by(&mut self, rows: isize, len: usize) {
        self.to(self.cursor.saturating_add_signed(rows), len);
    }

    /// Moves the cursor to a row, the last one at most.
    pub(crate) fn to(&mut self, row: usize, len: usize) {
        self.cursor = row.min(len.saturating_sub(1));
    }

    /// A page, in rows: as many as were on the screen, each of which may take several lines, but one.
    pub(crate) fn page(&self) -> isize {
        let shown = self.drawn.first().zip(self.drawn.last());
        let rows = shown.map_or(self.height, |(first, last)| last.abs_diff(*first) + 1);
        isize::try_from(rows.saturating_sub(1).max(1)).unwrap_or(1)
    }

    /// Turns a page: what was shown last comes first, or what was shown first comes last.
    pub(crate) fn turn(&mut self, forward: bool, len: usize) {
        let mut shown = self.drawn.iter().copied().filter(|row| *row >= self.top);
        let (first, last) = (self.top, shown.next_back().unwrap_or(self.top));
        if forward {
            self.to(last.max(first + 1), len);
            self.top = self.cursor;
        } else {
            self.to(first.min(last.saturating_sub(1)), len);
            // As far up as rows of one line each allow; what is too much is taken off when it is drawn.
            self.top = self.cursor.saturating_sub(self.height);
        }
    }

    /// Scrolls without leaving the cursor behind.
    pub(crate) fn wheel(&mut self, rows: isize, len: usize) {
        let last = len.saturating_sub(self.height.max(1));
        self.top = self.top.saturating_add_signed(rows).min(last);
        let end = (self.top + self.height.max(1)).min(len).saturating_sub(1);
        self.cursor = self.cursor.clamp(self.top.min(end), end);
    }

    /// The row on each line when last drawn.
    pub(crate) fn drawn(&self) -> &[usize] {
        &self.drawn
    }

    /// Whether rows above those on the screen were left out when last drawn.
    pub(crate) fn hides_above(&self) -> bool {
        self.top > 0
    }

    /// Whether rows of `len` below those on the screen were left out when last drawn.
    pub(crate) fn hides_below(&self, len: usize) -> bool {
        self.drawn.last().is_some_and(|last| last + 1 < len)
    }

    /// The row that was drawn on a line of the list.
    pub(crate) fn at_line(&self, line: usize) -> Option<usize> {
        self.drawn.get(line).copied()
    }

    /// Puts the cursor on a row. When next drawn, what led to it is seen above it, and the row `near` with it
    /// where the height allows.
    pub(crate) fn reveal(&mut self, row: usize, near: usize) {
        self.reveal_or(row, (near, row), None);
    }

    /// As [`Scroll::reveal`]; where there is no room for the first of the rows that are to be seen with it, the second is, and
    /// where there is none for the row with those that matter most, the cursor goes to these.
    pub(crate) fn reveal_or(
        &mut self,
        row: usize,
        near: (usize, usize),
        instead: Option<(usize, usize)>,
    ) {
        self.cursor = row;
        self.near = Some(near);
        self.instead = instead;
    }

    /// Scrolls so that what led to the cursor's row is seen above it, and the row `near` too where there is room, or else the
    /// one that is nearer.
    fn show_around(
        &mut self,
        (near, nearer): (usize, usize),
        height: usize,
        lines_of: impl Fn(usize) -> usize,
    ) {
        let row = self.cursor;
        let lines =
            |from: usize, to: usize| (from..to).take(height + 1).map(&lines_of).sum::<usize>();
        let below = lines(row, near.max(row) + 1);
        let above = (height * 2 / 3).min(height.saturating_sub(below));
        self.top = row;
        let mut used = 0;
        while self.top > 0 && used < above {
            used += lines_of(self.top - 1);
            if used > above {
                break;
            }
            self.top -= 1;
        }
        let fits = |row_above: &usize| lines(*row_above, row + 1) <= height;
        let above = [near, nearer].into_iter().find(fits);
        self.top = above.map_or(self.top, |above| self.top.min(above));
    }

    /// Scrolls so that the cursor is on the screen and no line is wasted below the last row.
    pub(super) fn settle(&mut self, len: usize, height: usize, lines_of: impl Fn(usize) -> usize) {
        self.height = height;
        self.cursor = self.cursor.min(len.saturating_sub(1));
        let instead = self.instead.take();
        if let Some(near) = self.near.take().filter(|_| len > 0) {
            if let Some((first, last)) = instead {
                let rows = self.cursor..=last.min(len - 1);
                let needed: usize = rows.take(height + 1).map(&lines_of).sum();
                self.cursor = if needed > height { first } else { self.cursor };
            }
            let (near, nearer) = near;
            self.show_around((near.min(len - 1), nearer), height, &lines_of);
        }
        self.top = self.top.min(self.cursor);
        // A row takes a line at least: those further up than the height cannot be seen.
        self.top = self.top.max((self.cursor + 1).saturating_sub(height));
        let mut used: usize = (self.top..=self.cursor.min(len.saturating_sub(1)))
            .take(len)
            .map(&lines_of)
            .sum();
        while used > height && self.top < self.cursor {
            used -= lines_of(self.top);
            self.top += 1;
        }
        let mut below = self.cursor + 1;
        while below < len && used < height {
            used += lines_of(below);
            below += 1;
        }
        while self.top > 0 && used < height {
            let more = lines_of(self.top - 1);
            if used + more > height {
                break;
            }
            used += more;
            self.top -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_to_be_seen_with_a_row_is_seen_as_far_as_there_is_room() {
        let first_row = |height| {
            let mut scroll = Scroll::default();
            scroll.reveal_or(20, (10, 16), None);
            scroll.settle(40, height, |_| 1);
            (scroll.top, scroll.cursor)
        };
        assert_eq!(first_row(12), (10, 20));
        assert_eq!(first_row(6), (16, 20));
        assert_eq!(first_row(4), (18, 20));
    }
}
