//! In: a stream as lz4-java's `LZ4BlockOutputStream` writes it, which is Spark's `lz4`. Out: its plain bytes.
//!
//! This is not the LZ4 frame format: each block has a head of its own ([`HEAD`] bytes) with a magic, a token,
//! both lengths and a checksum; an empty block ends a stream, after which another may follow.

use super::blocks::{BlockFormat, LARGEST_BLOCK, fill_or_end, lies, read_exactly};
use std::io::{self, Read};
use twox_hash::XxHash32;

/// The first bytes of every block.
pub(super) const MAGIC: &[u8; 8] = b"LZ4Block";

/// Bytes before a block's data: magic, token, packed length, plain length, checksum.
const HEAD: usize = 8 + 1 + 4 + 4 + 4;
const STORED: u8 = 0x10;
const LZ4: u8 = 0x20;
const SEED: u32 = 0x9747_B28C;
/// lz4-java keeps 28 bits of the checksum.
const CHECKSUM_BITS: u32 = 0x0FFF_FFFF;

#[derive(Debug, Default)]
pub(super) struct Lz4Block {
    packed: Vec<u8>,
}

impl BlockFormat for Lz4Block {
    fn next(&mut self, input: &mut dyn Read, plain: &mut Vec<u8>) -> io::Result<bool> {
        let mut head = [0; HEAD];
        if !fill_or_end(input, &mut head)? {
            return Ok(false);
        }
        if !head.starts_with(MAGIC) {
            return Err(lies("no LZ4 block where one should begin"));
        }
        let number = |at: usize| {
            u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]) as usize
        };
        let (token, packed_length, plain_length) = (head[8], number(9), number(13));
        let largest = 1_usize << (10 + (token & 0x0f));
        if plain_length > largest || packed_length > LARGEST_BLOCK {
            return Err(lies("an LZ4 block claims to be too large"));
        }
        if plain_length == 0 {
            return Ok(true);
        }
        read_exactly(input, packed_length, &mut self.packed)?;
        match token & 0xf0 {
            STORED => plain.extend_from_slice(&self.packed),
            LZ4 => {
                plain.resize(plain_length, 0);
                let n = lz4_flex::block::decompress_into(&self.packed, plain)
                    .map_err(|_| lies("an LZ4 block does not unpack"))?;
                plain.truncate(n);
            }
            _ => return Err(lies("an LZ4 block of an unknown method")),
        }
        let checksum = XxHash32::oneshot(SEED, plain) & CHECKSUM_BITS;
        if plain.len() != plain_length || checksum as usize != number(17) {
            return Err(lies("an LZ4 block is not what its checksum says"));
        }
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

    fn block(method: u8, plain: &[u8]) -> Vec<u8> {
        let packed = match method {
            LZ4 => lz4_flex::block::compress(plain),
            _ => plain.to_vec(),
        };
        let mut bytes = MAGIC.to_vec();
        bytes.push(method | 5);
        for number in [packed.len(), plain.len()] {
            bytes.extend(u32::try_from(number).unwrap().to_le_bytes());
        }
        bytes.extend((XxHash32::oneshot(SEED, plain) & CHECKSUM_BITS).to_le_bytes());
        bytes.extend(packed);
        bytes
    }

    fn decode(packed: Vec<u8>) -> Blocks<io::Cursor<Vec<u8>>, Lz4Block> {
        Blocks::new(io::Cursor::new(packed), Lz4Block::default())
    }

    #[test]
    fn blocks_of_joined_streams_follow_one_another() {
        let first = br#"{"Event":"SparkListenerLogStart"}"#.repeat(9);
        let packed = [
            block(LZ4, &first),
            block(STORED, b"tail\n"),
            block(STORED, b""),
            block(LZ4, &first),
            block(STORED, b""),
        ]
        .concat();
        let plain = [&first[..], b"tail\n", &first].concat();
        survives(&packed, &plain, true, decode);
    }

    #[test]
    fn a_head_that_lies_ends_the_stream() {
        let mut packed = block(STORED, b"abc");
        let second = packed.len();
        packed.extend(block(STORED, b"def"));
        let packed_length = MAGIC.len() + 1;
        packed[second + packed_length..][..4].fill(0xff);
        assert_eq!(
            all(decode(packed)),
            (b"abc".to_vec(), Some(io::ErrorKind::InvalidData))
        );
    }
}
