//! In: lines of a source that tells the newest first. Out: the same with the oldest row first; the lines of one row keep
//! their order.

use super::cutter::RawLine;
use super::dress::Dress;

/// So many lines of a source that tells the newest first are turned round together, and so many bytes.
const MOST: (usize, usize) = (200_000, 64 << 20);

/// Lines that wait for those that are older.
#[derive(Debug, Clone, Default)]
pub(super) struct Held {
    lines: Vec<Waiting>,
    bytes: usize,
}

#[derive(Debug, Clone)]
struct Waiting {
    start: u64,
    line: u64,
    bytes: Box<[u8]>,
}

impl Held {
    /// Keeps the next line.
    pub(super) fn add(&mut self, raw: RawLine<'_>) {
        self.bytes += raw.bytes.len();
        self.lines.push(Waiting {
            start: raw.start,
            line: raw.line,
            bytes: raw.bytes.into(),
        });
    }

    /// Whether what waits is to be turned round now.
    pub(super) fn is_full(&self) -> bool {
        self.lines.len() > MOST.0 || self.bytes > MOST.1
    }

    /// Hands over the lines of a source in `dress`.
    pub(super) fn oldest_first(self, dress: Dress, mut take: impl FnMut(RawLine<'_>)) {
        let rows = (self.lines).chunk_by(|_, next| !dress.begins_row(&next.bytes));
        for line in rows.rev().flatten() {
            take(RawLine {
                start: line.start,
                line: line.line,
                bytes: &line.bytes,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Cutter, Record};
    use crate::text::SourceId;

    #[test]
    fn the_newest_first_is_turned_round() {
        let log: Vec<_> = (0..5)
            .map(|i| format!("24/01/02 03:04:0{} INFO X: {i}\n  more", 9 - i))
            .collect();
        let log = log.join("\n");
        let mut cutter = Cutter::new(SourceId(0), Dress::of(log.as_bytes()));
        let mut out = Vec::new();
        for (line, text) in (1..).zip(log.lines()) {
            let bytes = text.as_bytes();
            cutter.feed(
                RawLine {
                    start: 0,
                    line,
                    bytes,
                },
                &mut out,
            );
        }
        cutter.finish(&mut out);
        let messages: Vec<_> = out.iter().map(Record::message).collect();
        assert_eq!(messages, ["4", "3", "2", "1", "0"]);
        assert!(out.iter().all(|r| r.lines.len() == 2));
    }
}
