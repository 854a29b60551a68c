//! In: physical lines in order, with gaps where nothing was of interest. Out: [`Record`]s.

use super::dress::Dress;
use super::layout::LAYOUTS;
use super::record::{Line, Record};
use super::undress::{Role, Undressed};
use crate::text::{Place, SourceId, Symbol};

/// A record of more lines is cut; what follows goes on as a record without a head.
const MOST_LINES: usize = 20_000;
/// A record of more bytes is cut likewise.
const MOST_BYTES: usize = 4 << 20;
/// So many streams have a record open at once; one more closes the one that was quiet longest.
const MOST_OPEN: usize = 256;

/// A line as it stands in the file, without its `\n`.
#[derive(Debug, Clone, Copy)]
pub struct RawLine<'b> {
    /// Offset of its first byte.
    pub start: u64,
    /// 1-based number.
    pub line: u64,
    /// Its bytes.
    pub bytes: &'b [u8],
}

/// Cuts the lines of one source into records, for each stream on its own where a shipper mixed several.
#[derive(Debug)]
pub struct Cutter {
    source: SourceId,
    dress: Dress,
    /// The open records, the one written to last at the end.
    open: Vec<Open>,
}

/// A record that may go on.
#[derive(Debug)]
struct Open {
    lane: String,
    record: Record,
    bytes: usize,
}

impl Cutter {
    /// For a source that wears `dress`.
    pub fn new(source: SourceId, dress: Dress) -> Self {
        Self {
            source,
            dress,
            open: Vec::new(),
        }
    }

    /// The next line; records that are complete go to `out`. They are in order within a stream; of two
    /// streams, the one that ended first comes first.
    pub fn feed(&mut self, raw: RawLine<'_>, out: &mut Vec<Record>) {
        let undressed = Undressed::new(raw.bytes, self.dress);
        let place = Place {
            source: self.source,
            start: raw.start,
            bytes: u32::try_from(raw.bytes.len()).unwrap_or(u32::MAX),
            line: raw.line,
            part: 0,
        };
        let Undressed {
            stream,
            lane,
            pieces,
        } = undressed;
        let mut open = self.take(&lane);
        for (part, piece) in (0..).zip(pieces) {
            let (head, message_at) = match piece.role {
                Role::First(head) => (Some(head), 0),
                Role::Plain => LAYOUTS
                    .find(&piece.text)
                    .map_or((None, 0), |(head, at)| (Some(head), at)),
                Role::Rest => (None, 0),
            };
            let bytes = piece.text.len();
            let line = Line {
                place: Place { part, ..place },
                text: piece.text,
            };
            match &mut open {
                Some(open) if head.is_none() && open.has_room(bytes) => {
                    open.bytes += bytes;
                    open.record.lines.push(line);
                }
                _ => {
                    let next = Open {
                        lane: lane.clone(),
                        record: Record {
                            head,
                            stream: Symbol::new(&stream),
                            lines: vec![line],
                            message_at,
                        },
                        bytes,
                    };
                    out.extend(open.replace(next).map(|done| done.record));
                }
            }
        }
        self.open.extend(open);
        if self.open.len() > MOST_OPEN {
            out.push(self.open.remove(0).record);
        }
    }

    /// Closes what is open: the end of the source, or a gap.
    pub fn finish(&mut self, out: &mut Vec<Record>) {
        let from = out.len();
        out.extend(self.open.drain(..).map(|open| open.record));
        out[from..].sort_by_key(|record| record.lines.first().map(|line| line.place));
    }

    fn take(&mut self, lane: &str) -> Option<Open> {
        let at = self.open.iter().rposition(|open| open.lane == lane)?;
        Some(self.open.remove(at))
    }
}

impl Open {
    fn has_room(&self, bytes: usize) -> bool {
        self.record.lines.len() < MOST_LINES && self.bytes + bytes <= MOST_BYTES
    }
}

/// The text of a place from its bytes and its source's dress: the same as [`Line::text`] was.
pub fn logical_text(bytes: &[u8], part: u32, dress: Dress) -> String {
    Undressed::new(bytes, dress).text(part)
}

/// Whether a record begins with this line: what stands above it belongs to another.
pub fn is_head(bytes: &[u8], dress: Dress) -> bool {
    Undressed::new(bytes, dress).begins_record()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Level;

    /// The records of a log, without anything left out.
    fn records(log: &str) -> Vec<Record> {
        let mut cutter = Cutter::new(SourceId(0), Dress::default());
        let (mut out, mut start) = (Vec::new(), 0);
        for (line, text) in (1..).zip(log.split('\n')) {
            let raw = RawLine {
                start,
                line,
                bytes: text.as_bytes(),
            };
            cutter.feed(raw, &mut out);
            start += text.len() as u64 + 1;
        }
        cutter.finish(&mut out);
        out
    }

    fn texts(record: &Record) -> Vec<&str> {
        record.lines.iter().map(|l| l.text.as_str()).collect()
    }

    #[test]
    fn lines_without_a_head_continue_the_record() {
        let log = "mid\n24/01/02 03:04:05 ERROR Tides: ebb\n\tat a.B.c(B.java:1)\n\n24/01/02 03:04:06 INFO X: y";
        let records = records(log);
        assert_eq!(records.len(), 3);
        assert_eq!(records[0].head, None);
        assert_eq!(records[1].message(), "ebb");
        assert_eq!(texts(&records[1])[1..], ["\tat a.B.c(B.java:1)", ""]);
        assert_eq!(records[2].lines[0].place.line, 5);
    }

    #[test]
    fn an_event_in_json_is_one_record_whatever_its_message_says() {
        let log = concat!(
            r#"{"ts":"2024-01-02T03:04:05.678Z","level":"ERROR","msg":"a\n24/01/02 03:04:05 ERROR X: quoted","logger":"Tides"}"#,
            "\nTraceback (most recent call last):"
        );
        let records = records(log);
        assert_eq!(records.len(), 1);
        let head = records[0].head.as_ref().unwrap();
        assert_eq!(head.level, Some(Level::Error));
        assert_eq!(texts(&records[0])[1], "24/01/02 03:04:05 ERROR X: quoted");
        assert_eq!(records[0].lines[1].place.part, 1);
        assert_eq!(records[0].lines[2].place.line, 2);
    }

    #[test]
    fn a_record_without_end_is_cut() {
        let log = format!("24/01/02 03:04:05 ERROR X: y\n{}", "z\n".repeat(MOST_LINES));
        let records = records(&log);
        assert_eq!(records.len(), 2);
        assert_eq!(records[0].lines.len(), MOST_LINES);
        assert_eq!(records[1].head, None);
    }
}
