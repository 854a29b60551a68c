//! In: a stream of compress-lzf chunks, which is Spark's `lzf`. Out: its plain bytes.
//!
//! A chunk is `ZV`, a type, and its lengths of two bytes each, so it holds less than 64 KiB.

use super::blocks::{BlockFormat, cut, fill, fill_or_end, lies, read_exactly};
use std::io::{self, Read};

/// The first bytes of every chunk.
pub(super) const MAGIC: &[u8; 2] = b"ZV";

const STORED: u8 = 0;
const PACKED: u8 = 1;

#[derive(Debug, Default)]
pub(super) struct Lzf {
    packed: Vec<u8>,
}

impl BlockFormat for Lzf {
    fn next(&mut self, input: &mut dyn Read, plain: &mut Vec<u8>) -> io::Result<bool> {
        let mut head = [0; 5];
        if !fill_or_end(input, &mut head)? {
            return Ok(false);
        }
        if !head.starts_with(MAGIC) {
            return Err(lies("no LZF chunk where one should begin"));
        }
        let length = usize::from(u16::from_be_bytes([head[3], head[4]]));
        match head[2] {
            STORED => read_exactly(input, length, plain)?,
            PACKED => {
                let mut plain_length = [0; 2];
                if fill(input, &mut plain_length)? < 2 {
                    return Err(cut());
                }
                read_exactly(input, length, &mut self.packed)?;
                let plain_length = usize::from(u16::from_be_bytes(plain_length));
                if unpack(&self.packed, plain_length, plain).is_none()
                    || plain.len() != plain_length
                {
                    return Err(lies("an LZF chunk does not unpack"));
                }
            }
            _ => return Err(lies("an LZF chunk of an unknown type")),
        }
        Ok(true)
    }
}

/// Unpacks one chunk: a control byte below 32 goes before that many literals and one more; a larger one
/// holds in its upper three bits how much to repeat and in the rest how far back. `None` where it reaches
/// out of the packed or the plain bytes.
fn unpack(packed: &[u8], most: usize, plain: &mut Vec<u8>) -> Option<()> {
    let mut bytes = packed.iter().copied().map(usize::from);
    let mut at = 0;
    while at < packed.len() {
        let control = bytes.next()?;
        at += 1;
        if control < 32 {
            let literals = packed.get(at..=at + control)?;
            plain.extend_from_slice(literals);
            at += literals.len();
            bytes = packed.get(at..)?.iter().copied().map(usize::from);
        } else {
            let mut length = (control >> 5) + 2;
            if length == 9 {
                length += bytes.next()?;
                at += 1;
            }
            let back = ((control & 0x1f) << 8) + bytes.next()? + 1;
            at += 1;
            let from = plain.len().checked_sub(back)?;
            // The repeated bytes may overlap the ones being written, so they are copied one by one.
            for i in from..from + length {
                plain.push(plain[i]);
            }
        }
        if plain.len() > most {
            return None;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::blocks::{Blocks, check::survives};
    use super::*;

    fn decode(packed: Vec<u8>) -> Blocks<io::Cursor<Vec<u8>>, Lzf> {
        Blocks::new(io::Cursor::new(packed), Lzf::default())
    }

    #[test]
    fn chunks_follow_one_another() {
        // "ab", then ten bytes from two back, stored "!\n".
        let packed = [
            b"ZV\x01\0\x06\0\x0c".as_slice(),
            &[1, b'a', b'b', 7 << 5, 1, 1],
            b"ZV\x00\0\x02!\n",
        ]
        .concat();
        survives(&packed, b"abababababab!\n", false, decode);
    }
}
