//! [`Hop`]: letters on every row of the screen; typed, they lead there. In: the rows as they were drawn; out: the row.

use super::panes::Pane;
use ratatui::layout::Rect;

/// The letters, those under the fingers first.
const LETTERS: &[u8; 26] = b"fjdkslaghrueiwoqptyvncmbxz";

/// A row of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Landing {
    /// `None` for the log itself.
    pub(super) pane: Option<Pane>,
    pub(super) row: usize,
    /// Where its first line begins.
    pub(super) at: (u16, u16),
}

/// Letters that wait to be typed.
#[derive(Debug, Default)]
pub(super) struct Hop {
    landings: Vec<Landing>,
    typed: String,
}

/// What a letter came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hopped {
    To(Landing),
    /// One more is needed.
    More,
    Nowhere,
}

impl Hop {
    /// Over these rows; as many as there are letters for.
    pub(super) fn new(mut landings: Vec<Landing>) -> Self {
        landings.truncate(LETTERS.len() * LETTERS.len());
        Self {
            landings,
            typed: String::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.landings.is_empty()
    }

    /// Takes a letter.
    pub(super) fn take(&mut self, letter: char) -> Hopped {
        self.typed.push(letter);
        let mut fitting = self.labels().map(|(_, landing)| landing);
        match (fitting.next(), fitting.next()) {
            (None, _) => Hopped::Nowhere,
            (Some(landing), None) => Hopped::To(landing),
            _ => Hopped::More,
        }
    }

    /// The letters that are still to be typed for each row that fits what was typed.
    pub(super) fn labels(&self) -> impl Iterator<Item = (String, Landing)> + '_ {
        let short = self.landings.len() <= LETTERS.len();
        let letter = |n: usize| char::from(LETTERS[n % LETTERS.len()]);
        let labels = self.landings.iter().enumerate().map(move |(n, landing)| {
            let label = if short {
                letter(n).to_string()
            } else {
                [letter(n / LETTERS.len()), letter(n)].iter().collect()
            };
            (label, *landing)
        });
        labels.filter_map(|(label, landing)| {
            let rest = label.strip_prefix(&self.typed)?;
            Some((rest.to_owned(), landing))
        })
    }
}

/// The rows that were drawn within `inside`, each at its first line; `drawn` holds the row on each line.
pub(super) fn landings(
    pane: Option<Pane>,
    inside: Rect,
    drawn: &[usize],
) -> impl Iterator<Item = Landing> + '_ {
    let firsts = (0..drawn.len()).filter(|line| *line == 0 || drawn[line - 1] != drawn[*line]);
    let lines = firsts.filter_map(move |line| {
        let y = inside.y + u16::try_from(line).ok()?;
        (y < inside.bottom()).then_some((y, drawn[line]))
    });
    lines.map(move |(y, row)| Landing {
        pane,
        row,
        at: (inside.x, y),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hop(rows: usize) -> Hop {
        let drawn: Vec<usize> = (0..rows).collect();
        let inside = Rect::new(0, 0, 10, 1_000);
        Hop::new(landings(Some(Pane::Trace), inside, &drawn).collect())
    }

    #[test]
    fn every_row_has_its_own_letters_and_at_most_two() {
        for rows in [1, 26, 27, 60, 676, 900] {
            let hop = hop(rows);
            let labels: Vec<_> = hop.labels().collect();
            assert_eq!(labels.len(), rows.min(676));
            for (label, landing) in labels {
                let mut again = self::hop(rows);
                let mut last = Hopped::Nowhere;
                for letter in label.chars() {
                    last = again.take(letter);
                }
                assert!(label.len() <= 2);
                assert_eq!(last, Hopped::To(landing), "{rows} {label}");
            }
        }
        assert_eq!(hop(3).take('z'), Hopped::Nowhere);
        assert_eq!(hop(60).take('f'), Hopped::More);
    }

    #[test]
    fn a_row_of_several_lines_has_one_mark() {
        let inside = Rect::new(4, 7, 10, 3);
        let found: Vec<_> = landings(None, inside, &[5, 5, 6, 7]).collect();
        let spots: Vec<_> = found.iter().map(|l| (l.row, l.at)).collect();
        assert_eq!(spots, [(5, (4, 7)), (6, (4, 9))]);
    }
}
