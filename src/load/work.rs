//! [`Work`]: what reading took, in steps instead of time.

/// What reading took. The same for the same input and options on every machine and with any number of threads, so that
/// a test can tell when more is done than was needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
    /// Blocks that were read and searched.
    pub blocks: u64,
    /// Lines that were chosen and parsed.
    pub lines: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Records that were made of them.
    pub records: u64,
    /// Failures in them that were told as one before was, so that their trace was not read again.
    pub repeated: u64,
    /// Lines that were read for traces: those of failures that were not told so before, and what is no failure at all.
    pub read: u64,
}
