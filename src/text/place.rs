//! In: where a line was read. Out: [`Place`], by which it can be found, read and shown again.

/// Which of the opened inputs a place lies in: the index of the input in the order of opening.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub u32);

/// One logical line of a source.
///
/// A logical line is nearly always one line of the file. Where a shipper joined lines (a trace inside
/// one JSON string), several logical lines lie in one line of the file and differ in `part`; where
/// it split one, `bytes` covers all the pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The input.
    pub source: SourceId,
    /// Offset of the line's first byte in the decoded input.
    pub start: u64,
    /// Length in bytes, without the line's end.
    pub bytes: u32,
    /// 1-based number of the line; lines end at `\n` only.
    pub line: u64,
    /// Which logical line within these bytes, from 0.
    pub part: u32,
}

impl Place {
    /// Of what was not read from any line.
    pub const NOWHERE: Self = Self {
        source: SourceId(0),
        start: 0,
        bytes: 0,
        line: 0,
        part: 0,
    };

    /// Whether both name the same line of the same file.
    pub fn same_line(&self, other: &Self) -> bool {
        self.source == other.source && self.line == other.line
    }
}
