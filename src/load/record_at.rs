//! In: a place. Out: the lines of the record that it lies in, and what each of them is; read again from its source, for a case
//! keeps the trace of a failure once, however often it was logged.

use super::case::Case;
use crate::fact::{self, FactKind, LineKind, TraceLine};
use crate::record::{Cutter, Line, RawLine, Record};
use crate::source::LONGEST_SHOWN;
use crate::text::Place;

/// Lines that are read at most in front of the place, where the record may have begun, and from there on.
const MOST_LINES: [usize; 2] = [200, 400];

impl Case {
    /// The lines of the record that a place lies in: none where it is not a log that can be read again. Of a long record
    /// those near the place.
    pub fn record_at(&self, place: &Place) -> Vec<TraceLine> {
        let source = self.sources.get(place.source);
        let Some(source) = source.filter(|source| source.kind.is_log()) else {
            return Vec::new();
        };
        let dress = self.dresses.get(place.source.0 as usize).copied();
        let mut cutter = Cutter::new(source.id, dress.unwrap_or_default());
        let mut records = Vec::new();
        let holds = |record: &Record| {
            let mut places = record.lines.iter().map(|line| line.place);
            places.any(|at| (at.start, at.part) == (place.start, place.part))
        };
        // Of a long line it is not known where the next one begins.
        let is_whole = |bytes: &[u8]| bytes.len() < LONGEST_SHOWN;
        let mut lines = self
            .sources
            .lines_around(place, MOST_LINES[0], MOST_LINES[1]);
        let ahead = lines.iter().take_while(|(n, _)| *n < place.line);
        let lengths = ahead.map(|(_, bytes)| is_whole(bytes).then_some(bytes.len() as u64 + 1));
        let ahead = lengths.sum::<Option<u64>>();
        if ahead.is_none() {
            lines.retain(|(n, _)| *n >= place.line);
        }
        let mut start = place.start.saturating_sub(ahead.unwrap_or(0));
        for (line, bytes) in lines {
            let raw = RawLine {
                start,
                line,
                bytes: &bytes,
            };
            cutter.feed(raw, &mut records);
            start += bytes.len() as u64 + 1;
            if !is_whole(&bytes) || records.iter().any(holds) {
                break;
            }
        }
        cutter.finish(&mut records);
        let Some(record) = records.iter().find(|record| holds(record)) else {
            return Vec::new();
        };
        let mut facts = Vec::new();
        fact::read(record, &mut facts);
        let traces = facts.iter().filter_map(|fact| match &fact.kind {
            FactKind::Threw { trace, .. } => Some(&trace.lines),
            _ => None,
        });
        let known: Vec<&TraceLine> = traces.flatten().collect();
        let told = |(n, line): (usize, &Line)| {
            let same = known.iter().find(|told| told.place == line.place);
            let otherwise = if n == 0 {
                LineKind::Log
            } else {
                LineKind::Message
            };
            TraceLine {
                place: line.place,
                kind: same.map_or(otherwise, |told| told.kind),
                cause: None,
            }
        };
        record.lines.iter().enumerate().map(told).collect()
    }
}
