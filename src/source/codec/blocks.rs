//! In: a compressed stream cut into blocks, and a [`BlockFormat`] that knows how. Out: its plain bytes, by [`Read`].

use std::io::{self, ErrorKind, Read};

/// No block of any format may claim to be larger than this, packed or plain: a length is read from
/// the stream before anything is known of what follows.
pub(super) const LARGEST_BLOCK: usize = 32 << 20;

/// How one codec cuts its stream into blocks.
pub(super) trait BlockFormat {
    /// Reads one block and puts its plain bytes into `plain`, which is empty; false at the stream's end.
    /// A block may be empty.
    fn next(&mut self, input: &mut dyn Read, plain: &mut Vec<u8>) -> io::Result<bool>;
}

/// The plain bytes of a stream of blocks; holds one block at a time.
///
/// A damaged stream gives everything before the damage, then one error ([`ErrorKind::UnexpectedEof`]
/// where it is cut, [`ErrorKind::InvalidData`] where it lies), then its end.
#[derive(Debug)]
pub(super) struct Blocks<R, F> {
    input: R,
    format: F,
    plain: Vec<u8>,
    at: usize,
    ended: bool,
}

impl<R: Read, F: BlockFormat> Blocks<R, F> {
    pub(super) fn new(input: R, format: F) -> Self {
        Self {
            input,
            format,
            plain: Vec::new(),
            at: 0,
            ended: false,
        }
    }
}

impl<R: Read, F: BlockFormat> Read for Blocks<R, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.plain.len() && !self.ended {
            self.plain.clear();
            self.at = 0;
            match self.format.next(&mut self.input, &mut self.plain) {
                Ok(more) => self.ended = !more,
                Err(error) => {
                    self.plain.clear();
                    self.ended = true;
                    return Err(error);
                }
            }
        }
        let n = buffer.len().min(self.plain.len() - self.at);
        buffer[..n].copy_from_slice(&self.plain[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}

/// Fills `buffer` as far as the stream reaches; returns how many bytes it gave.
pub(super) fn fill(input: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Fills `buffer`; false where the stream ends before its first byte, an error where it ends within.
pub(super) fn fill_or_end(input: &mut dyn Read, buffer: &mut [u8]) -> io::Result<bool> {
    match fill(input, buffer)? {
        0 if !buffer.is_empty() => Ok(false),
        n if n == buffer.len() => Ok(true),
        _ => Err(cut()),
    }
}

/// Reads `length` bytes into `bytes`, growing it as they come: a length that lies costs no memory.
pub(super) fn read_exactly(
    input: &mut dyn Read,
    length: usize,
    bytes: &mut Vec<u8>,
) -> io::Result<()> {
    bytes.clear();
    let n = input.take(length as u64).read_to_end(bytes)?;
    if n == length { Ok(()) } else { Err(cut()) }
}

/// The stream ends in the middle of a block.
pub(super) fn cut() -> io::Error {
    io::Error::new(ErrorKind::UnexpectedEof, "the stream is cut")
}

/// The stream is not what it says.
pub(super) fn lies(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

#[cfg(test)]
pub(super) mod check {
    //! What every decoder must hold, whatever bytes it gets.

    use std::io::{ErrorKind, Read};

    /// What `reader` gives, and whether it ended well.
    pub(in crate::source) fn all(mut reader: impl Read) -> (Vec<u8>, Option<ErrorKind>) {
        let mut plain = Vec::new();
        let error = reader.read_to_end(&mut plain).err().map(|e| e.kind());
        (plain, error)
    }

    /// Cuts `packed` at every offset and flips a bit at every offset: whatever comes out before the damage
    /// is a beginning of `plain`, and nothing panics. `checked` says that the codec notices wrong bytes.
    pub(in crate::source) fn survives<R: Read>(
        packed: &[u8],
        plain: &[u8],
        checked: bool,
        decode: impl Fn(Vec<u8>) -> R,
    ) {
        assert_eq!(all(decode(packed.to_vec())), (plain.to_vec(), None));
        for at in 0..packed.len() {
            let (got, _) = all(decode(packed[..at].to_vec()));
            assert!(plain.starts_with(&got), "cut at {at}");
            let mut flipped = packed.to_vec();
            flipped[at] ^= 1 << (at % 8);
            let (got, error) = all(decode(flipped));
            assert!(
                !checked || error.is_none() || plain.starts_with(&got),
                "flipped at {at}"
            );
        }
    }
}
