//! In: the blocks of a source in order, and from where on their bytes may still be needed. Out: those bytes in one piece,
//! by their offsets in the source.

use memchr::{memchr, memrchr};

/// Bytes in front of a block that the selector may write to: what it still needs of those before, which is seldom more.
pub(super) const LEAD: usize = 128 << 10;

/// The last block, and what is still needed of those before it.
#[derive(Debug, Clone, Default)]
pub(super) struct Window {
    /// What may still be needed begins at `front`, and at the offset `base` of the source.
    bytes: Vec<u8>,
    front: usize,
    base: u64,
}

impl Window {
    /// Of a source that is read from `base` on.
    pub(super) fn from(base: u64) -> Self {
        Self {
            base,
            ..Self::default()
        }
    }

    /// The next block, behind [`LEAD`] other bytes: puts what is still needed in front of it and keeps both, without moving
    /// the block. What `block` holds afterwards is of no use but as room for another.
    pub(super) fn push(&mut self, block: &mut Vec<u8>) {
        if let Some(front) = LEAD.checked_sub(self.held().len()) {
            block[front..LEAD].copy_from_slice(&self.bytes[self.front..]);
            self.front = front;
        } else {
            *block = [self.held(), &block[LEAD..]].concat();
            self.front = 0;
        }
        std::mem::swap(&mut self.bytes, block);
    }

    fn held(&self) -> &[u8] {
        &self.bytes[self.front..]
    }

    /// The offset of the first byte.
    pub(super) fn base(&self) -> u64 {
        self.base
    }

    /// The offset behind the last byte.
    pub(super) fn end(&self) -> u64 {
        self.base + self.held().len() as u64
    }

    /// The bytes from `offset` on.
    pub(super) fn behind(&self, offset: u64) -> &[u8] {
        &self.held()[self.index(offset)..]
    }

    /// The line that begins at `start`, as far as it has come, without its `\n`; at most so many bytes of it.
    pub(super) fn line(&self, start: u64, most: usize) -> &[u8] {
        let rest = self.behind(start);
        let rest = &rest[..rest.len().min(most)];
        &rest[..memchr(b'\n', rest).unwrap_or(rest.len())]
    }

    /// Where the line begins that holds the byte at `offset`, its `\n` included; `None` where its beginning is gone.
    pub(super) fn start_of_line(&self, offset: u64) -> Option<u64> {
        let before = &self.held()[..self.index(offset)];
        memrchr(b'\n', before).map(|n| self.base + n as u64 + 1)
    }

    fn index(&self, offset: u64) -> usize {
        usize::try_from(offset.saturating_sub(self.base))
            .unwrap_or(usize::MAX)
            .min(self.held().len())
    }

    /// What stands before this offset is needed no longer.
    pub(super) fn forget(&mut self, before: u64) {
        let gone = self.index(before);
        self.front += gone;
        self.base += gone as u64;
    }
}
