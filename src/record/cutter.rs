//! In: physical lines in order, with gaps where nothing was of interest. Out: [`Record`]s.

use super::dress::Dress;
use super::record::{Head, Level, Line, Record};
use crate::text::{Moment, Place, SourceId, Symbol};
use regex::Regex;
use std::sync::LazyLock;

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

/// Cuts the lines of one source into records.
#[derive(Debug)]
pub struct Cutter {
    source: SourceId,
    dress: Dress,
    open: Option<Record>,
}

static HEAD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(\d\d)/(\d\d)/(\d\d) (\d\d):(\d\d):(\d\d) (TRACE|DEBUG|INFO|WARN|ERROR|FATAL) ([^\s:]+): ").expect("a valid pattern")
});

impl Cutter {
    /// For a source that wears `dress`.
    pub fn new(source: SourceId, dress: Dress) -> Self {
        Self {
            source,
            dress,
            open: None,
        }
    }

    /// The next line; records that are complete go to `out`.
    pub fn feed(&mut self, raw: RawLine<'_>, out: &mut Vec<Record>) {
        let text = logical_text(raw.bytes, 0, self.dress);
        let place = Place {
            source: self.source,
            start: raw.start,
            bytes: u32::try_from(raw.bytes.len()).unwrap_or(u32::MAX),
            line: raw.line,
            part: 0,
        };
        if let Some(found) = HEAD.captures(&text) {
            let n = |i: usize| found[i].parse::<u32>().unwrap_or(0);
            let head = Head {
                time: Moment::from_parts(2000 + i64::from(n(1)), n(2), n(3), n(4), n(5), n(6), 0),
                level: Some(match &found[7] {
                    "TRACE" | "DEBUG" => Level::Debug,
                    "INFO" => Level::Info,
                    "WARN" => Level::Warn,
                    "ERROR" => Level::Error,
                    _ => Level::Fatal,
                }),
                thread: None,
                logger: Some(Symbol::new(&found[8])),
                layout: "spark",
            };
            let message_at = found[0].len();
            self.finish(out);
            self.open = Some(Record {
                head: Some(head),
                stream: Symbol::new(""),
                lines: vec![Line { place, text }],
                message_at,
            });
        } else if let Some(open) = &mut self.open {
            open.lines.push(Line { place, text });
        } else {
            self.open = Some(Record {
                head: None,
                stream: Symbol::new(""),
                lines: vec![Line { place, text }],
                message_at: 0,
            });
        }
    }

    /// Closes what is open: the end of the source, or a gap.
    pub fn finish(&mut self, out: &mut Vec<Record>) {
        out.extend(self.open.take());
    }
}

/// The text of a place from its bytes and its source's dress: the same as [`Line::text`] was.
pub fn logical_text(bytes: &[u8], _part: u32, _dress: Dress) -> String {
    String::from_utf8_lossy(bytes)
        .trim_end_matches('\r')
        .to_owned()
}

/// Whether a record begins with this line: what stands above it belongs to another.
pub fn is_head(bytes: &[u8], dress: Dress) -> bool {
    HEAD.is_match(&logical_text(bytes, 0, dress))
}
