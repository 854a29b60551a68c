//! In: a log, and what is filtered by. Out: [`Sifted`]: its records that pass, each whole with its trace, as runs of lines.

use super::query::Query;
use crate::record::{Dress, is_head};
use crate::source::Source;
use crate::text::Place;
use std::io::{BufRead as _, BufReader, Read as _};

/// Runs that are kept; a filter that lets more pass filters little.
const MOST_RUNS: usize = 1 << 16;
/// Of a longer line the rest is not looked at by itself.
const LONGEST: u64 = 1 << 20;
/// Lines between two looks whether the answer is still wanted.
const LOOK_EVERY: u64 = 4_096;

/// Lines one behind the other that pass.
#[derive(Debug, Clone, Copy)]
struct Run {
    first: Place,
    lines: u64,
    /// How many lines pass before it.
    before: u64,
}

/// The lines of a log that are shown while it is filtered.
#[derive(Debug, Clone, Default)]
pub struct Sifted {
    runs: Vec<Run>,
}

impl Sifted {
    /// How many lines pass.
    pub(super) fn len(&self) -> u64 {
        self.runs.last().map_or(0, |run| run.before + run.lines)
    }

    /// The number in the file of a line that passes, these counted from 0; the last one's beyond the end.
    pub(super) fn line(&self, n: u64) -> Option<u64> {
        let n = n.min(self.len().checked_sub(1)?);
        let run = self.runs[self.runs.partition_point(|run| run.before <= n) - 1];
        Some(run.first.line + n - run.before)
    }

    /// Which of the lines that pass a line of the file is, or else the next one behind it, or else the last.
    pub(super) fn position(&self, line: u64) -> u64 {
        let behind = |run: &Run| run.first.line + run.lines <= line;
        match self.runs.get(self.runs.partition_point(behind)) {
            Some(run) => run.before + line.saturating_sub(run.first.line),
            None => self.len().saturating_sub(1),
        }
    }

    /// The pieces that lines `from..to` of those that pass consist of: where a piece begins, and its lines.
    pub(super) fn pieces(
        &self,
        from: u64,
        to: u64,
    ) -> impl Iterator<Item = (Place, u64, u64)> + '_ {
        let first = self
            .runs
            .partition_point(|run| run.before + run.lines <= from);
        let shown = self.runs[first..]
            .iter()
            .take_while(move |run| run.before < to);
        shown.map(move |run| {
            let skipped = from.saturating_sub(run.before);
            let end = run.lines.min(to - run.before);
            (run.first, run.first.line + skipped, run.first.line + end)
        })
    }
}

/// Reads a whole log; `None` where `wanted` says no more.
pub(super) fn sift(
    source: &Source,
    dress: Dress,
    query: &Query,
    wanted: impl Fn() -> bool,
) -> Option<Sifted> {
    let mut sifted = Sifted::default();
    let mut reader = BufReader::with_capacity(1 << 18, source.reader());
    let mut bytes = Vec::new();
    let mut record = Record::new(source);
    let (mut at, mut line) = (0, 1);
    loop {
        bytes.clear();
        let read = reader.by_ref().take(LONGEST).read_until(b'\n', &mut bytes);
        let read = read.ok().filter(|read| *read > 0);
        let ended = bytes.last() == Some(&b'\n');
        // The last line of a file may have no end.
        let last = read.is_none() && record.open;
        if read.is_none() || is_head(bytes.trim_ascii_end(), dress) {
            record.end(&mut sifted, line + u64::from(last), query);
            record.begin(at, line);
        }
        let Some(read) = read else {
            return Some(sifted);
        };
        record.open = !ended;
        record.matched |= query.finds(&String::from_utf8_lossy(&bytes));
        at += read as u64;
        line += u64::from(ended);
        if line.is_multiple_of(LOOK_EVERY) && !wanted() {
            return None;
        }
    }
}

/// The record that is being read.
struct Record {
    first: Place,
    matched: bool,
    /// Whether its last line goes on.
    open: bool,
}

impl Record {
    fn new(source: &Source) -> Self {
        Self {
            first: Place {
                source: source.id,
                start: 0,
                bytes: 0,
                line: 1,
                part: 0,
            },
            matched: false,
            open: false,
        }
    }

    fn begin(&mut self, start: u64, line: u64) {
        (self.first.start, self.first.line, self.matched) = (start, line, false);
    }

    /// It reaches up to `line`.
    fn end(&mut self, sifted: &mut Sifted, line: u64, query: &Query) {
        let lines = line - self.first.line;
        if lines == 0 || self.matched == query.is_negated() {
            return;
        }
        let before = sifted.len();
        let grown = sifted.runs.last_mut();
        if let Some(run) = grown.filter(|run| run.first.line + run.lines == self.first.line) {
            run.lines += lines;
        } else if sifted.runs.len() < MOST_RUNS {
            sifted.runs.push(Run {
                first: self.first,
                lines,
                before,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use crate::source::Sources;

    const LOG: &str = "\
24/05/01 10:00:00 INFO A: one
24/05/01 10:00:01 ERROR B: two
java.lang.IllegalStateException: no such table
\tat com.acme.Job.main(Job.scala:12)
24/05/01 10:00:02 INFO C: three
24/05/01 10:00:03 ERROR D: four
java.lang.IllegalStateException: other
\tat com.acme.Job.main(Job.scala:12)";

    fn lines(filter: &str) -> Vec<u64> {
        let mut sources = Sources::default();
        sources.add_memory("driver.log", LOG.as_bytes().to_vec());
        let source = &sources.list[0];
        let dress = Dress::of(LOG.as_bytes());
        let query = Query::filter(filter).unwrap();
        let sifted = sift(source, dress, &query, || true).unwrap();
        let all: Vec<u64> = (0..sifted.len()).filter_map(|n| sifted.line(n)).collect();
        for (n, line) in (0u64..).zip(&all) {
            assert_eq!(sifted.position(*line), n);
        }
        let pieces = sifted.pieces(0, sifted.len());
        assert_eq!(
            pieces
                .flat_map(|(_, from, to)| from..to)
                .collect::<Vec<_>>(),
            all
        );
        all
    }

    #[test]
    fn a_record_passes_whole_with_its_trace() {
        assert_eq!(lines("no such table"), [2, 3, 4]);
        assert_eq!(lines("ERROR"), [2, 3, 4, 6, 7, 8]);
        assert_eq!(lines("Job.scala"), [2, 3, 4, 6, 7, 8]);
        assert_eq!(lines("!com.acme"), [1, 5]);
        assert_eq!(lines("nowhere"), [0; 0]);
    }

    #[test]
    fn what_does_not_pass_leads_to_the_next_line_that_does() {
        let mut sources = Sources::default();
        sources.add_memory("driver.log", LOG.as_bytes().to_vec());
        let query = Query::filter("ERROR").unwrap();
        let dress = Dress::of(LOG.as_bytes());
        let sifted = sift(&sources.list[0], dress, &query, || true).unwrap();
        assert_eq!(
            (sifted.position(1), sifted.position(5), sifted.position(99)),
            (0, 3, 5)
        );
        assert_eq!(sifted.line(99), Some(8));
        assert_eq!(Sifted::default().line(0), None);
        assert!(
            sift(&sources.list[0], dress, &query, || false).is_some(),
            "short logs are read at once"
        );
    }
}
