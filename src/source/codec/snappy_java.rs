//! In: a stream as snappy-java's `SnappyOutputStream` writes it, which is Spark's `snappy`. Out: its plain bytes.
//!
//! Neither the standard snappy frames nor one raw block: a head of 16 bytes, then blocks, each with its packed
//! length in front; where streams were joined the head comes again between two blocks.

use super::blocks::{BlockFormat, LARGEST_BLOCK, cut, fill, fill_or_end, lies, read_exactly};
use std::io::{self, Read};

/// The first bytes of the head.
pub(super) const MAGIC: &[u8; 8] = b"\x82SNAPPY\0";
/// What follows the magic: two versions of four bytes.
const VERSIONS: usize = 8;

#[derive(Debug, Default)]
pub(super) struct SnappyJava {
    packed: Vec<u8>,
    begun: bool,
}

impl BlockFormat for SnappyJava {
    fn next(&mut self, input: &mut dyn Read, plain: &mut Vec<u8>) -> io::Result<bool> {
        let mut length = [0; 4];
        if !fill_or_end(input, &mut length)? {
            return Ok(false);
        }
        if length == MAGIC[..4] {
            let mut rest = [0; 4 + VERSIONS];
            if fill(input, &mut rest)? < rest.len() {
                return Err(cut());
            }
            if rest[..4] != MAGIC[4..] {
                return Err(lies("no snappy head where one should be"));
            }
            self.begun = true;
            return Ok(true);
        }
        let length = u32::from_be_bytes(length) as usize;
        if !self.begun || length > LARGEST_BLOCK {
            return Err(lies("a snappy block claims to be too large"));
        }
        read_exactly(input, length, &mut self.packed)?;
        let plain_length = snap::raw::decompress_len(&self.packed).unwrap_or(usize::MAX);
        if plain_length > LARGEST_BLOCK {
            return Err(lies("a snappy block claims to be too large"));
        }
        plain.resize(plain_length, 0);
        snap::raw::Decoder::new()
            .decompress(&self.packed, plain)
            .map_err(|_| lies("a snappy block does not unpack"))?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by it")]

    use super::super::blocks::{
        Blocks,
        check::{all, survives},
    };
    use super::*;

    const HEAD: &[u8] = b"\x82SNAPPY\0\0\0\0\x01\0\0\0\x01";

    fn block(plain: &[u8]) -> Vec<u8> {
        let packed = snap::raw::Encoder::new().compress_vec(plain).unwrap();
        let mut bytes = u32::try_from(packed.len()).unwrap().to_be_bytes().to_vec();
        bytes.extend(packed);
        bytes
    }

    fn decode(packed: Vec<u8>) -> Blocks<io::Cursor<Vec<u8>>, SnappyJava> {
        Blocks::new(io::Cursor::new(packed), SnappyJava::default())
    }

    #[test]
    fn the_head_may_come_again() {
        let first = b"{\"Event\":\"x\"}\n".repeat(20);
        let packed = [HEAD, &block(&first), &block(b"tail"), HEAD, &block(&first)].concat();
        survives(
            &packed,
            &[&first[..], b"tail", &first].concat(),
            false,
            decode,
        );
    }

    #[test]
    fn a_block_that_lies_about_its_length_ends_the_stream() {
        let packed = [HEAD, &block(b"good"), &[0x7f, 0xff, 0xff, 0xff, 1, 2]].concat();
        assert_eq!(
            all(decode(packed)),
            (b"good".to_vec(), Some(io::ErrorKind::InvalidData))
        );
        // A block whose plain length claims four gigabytes.
        let packed = [HEAD, &[0, 0, 0, 6, 0xff, 0xff, 0xff, 0xff, 0x0f, 0]].concat();
        assert_eq!(
            all(decode(packed)),
            (Vec::new(), Some(io::ErrorKind::InvalidData))
        );
    }
}
