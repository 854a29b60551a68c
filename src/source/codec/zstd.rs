//! In: a stream of Zstandard frames, the last of which may be unfinished. Out: its plain bytes.
//!
//! An event log of a killed driver ends within a frame. The decoder holds back as much as the frame's window
//! until the frame ends, which can be all of a log, so this reader hands it whole blocks only and, where the
//! stream is cut, closes the frame with an empty last block: what was written before is then given out.

use super::blocks::{BlockFormat, cut, fill, fill_or_end, lies, read_exactly};
use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, Read};

/// The first bytes of a frame.
pub(super) const MAGIC: &[u8; 4] = b"\x28\xb5\x2f\xfd";

/// The first byte of the sixteen magics of frames that hold no data is 0x50 to 0x5f; then come these.
const SKIPPED_MAGIC_TAIL: &[u8; 3] = b"\x2a\x4d\x18";
/// Bytes of a block as stored, at most.
const LARGEST_BLOCK: usize = 128 << 10;
const BLOCK_HEAD: usize = 3;
const RUN_LENGTH: usize = 1;
/// An empty last block, and room for the checksum that may follow it.
const CLOSING_BLOCK: &[u8; BLOCK_HEAD + CHECKSUM] = b"\x01\0\0\0\0\0\0";
const CHECKSUM: usize = 4;

#[derive(Default)]
pub(super) struct Zstd {
    decoder: FrameDecoder,
    packed: Vec<u8>,
    within_frame: bool,
    has_checksum: bool,
    /// What went wrong: told after what was decoded before it.
    error: Option<io::Error>,
}

impl BlockFormat for Zstd {
    fn next(&mut self, input: &mut dyn Read, plain: &mut Vec<u8>) -> io::Result<bool> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        if !self.within_frame {
            return self.begin_frame(input);
        }
        if let Err(error) = self.decode_block(input) {
            self.error = Some(error);
            self.within_frame = false;
            let _ = self
                .decoder
                .decode_blocks(&CLOSING_BLOCK[..], BlockDecodingStrategy::UptoBlocks(1));
        }
        self.decoder.collect_to_writer(plain)?;
        Ok(true)
    }
}

impl Zstd {
    /// Reads the head of the next frame, or passes over a frame without data.
    fn begin_frame(&mut self, input: &mut dyn Read) -> io::Result<bool> {
        let mut magic = [0; 4];
        if !fill_or_end(input, &mut magic)? {
            return Ok(false);
        }
        if (0x50..0x60).contains(&magic[0]) && magic[1..] == SKIPPED_MAGIC_TAIL[..] {
            let mut length = [0; 4];
            if fill(input, &mut length)? < length.len() {
                return Err(cut());
            }
            let length = u64::from(u32::from_le_bytes(length));
            if io::copy(&mut input.take(length), &mut io::sink())? < length {
                return Err(cut());
            }
            return Ok(true);
        }
        if magic != *MAGIC {
            return Err(lies("no Zstandard frame where one should begin"));
        }
        let mut descriptor = [0];
        if fill(input, &mut descriptor)? == 0 {
            return Err(cut());
        }
        let descriptor = descriptor[0];
        let single_segment = descriptor & 0x20 != 0;
        let content_size = match descriptor >> 6 {
            0 => usize::from(single_segment),
            n => 1 << n,
        };
        let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
        let mut head = [MAGIC, &[descriptor][..]].concat();
        read_exactly(
            input,
            usize::from(!single_segment) + dictionary + content_size,
            &mut self.packed,
        )?;
        head.extend_from_slice(&self.packed);
        self.decoder
            .reset(&head[..])
            .map_err(|error| lies(&in_words(&error)))?;
        self.has_checksum = descriptor & 4 != 0;
        self.within_frame = true;
        Ok(true)
    }

    fn decode_block(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let mut head = [0; BLOCK_HEAD];
        if !fill_or_end(input, &mut head)? {
            return Err(cut());
        }
        let bits = u32::from_le_bytes([head[0], head[1], head[2], 0]) as usize;
        let (last, method) = (bits & 1 == 1, bits >> 1 & 3);
        let stored = if method == RUN_LENGTH { 1 } else { bits >> 3 };
        if stored > LARGEST_BLOCK {
            return Err(lies("a Zstandard block claims to be too large"));
        }
        let checksum = if last && self.has_checksum {
            CHECKSUM
        } else {
            0
        };
        read_exactly(input, stored + checksum, &mut self.packed)?;
        self.decoder
            .decode_blocks(
                (&head[..]).chain(&self.packed[..]),
                BlockDecodingStrategy::UptoBlocks(1),
            )
            .map_err(|error| lies(&in_words(&error)))?;
        self.within_frame = !last;
        Ok(())
    }
}

/// What is wrong with a frame, for a person: the decoder's own words name its parts.
fn in_words(error: &FrameDecoderError) -> String {
    match error {
        FrameDecoderError::WindowSizeTooBig { requested, max } => format!(
            "a Zstandard frame asks for {} MiB of memory, {} are allowed: pack it anew without --long",
            requested >> 20,
            max >> 20
        ),
        FrameDecoderError::DictNotProvided { .. } => {
            "a Zstandard frame needs a dictionary, which is not here".to_owned()
        }
        FrameDecoderError::ReadFrameHeaderError(_)
        | FrameDecoderError::FrameHeaderError(_)
        | FrameDecoderError::FailedToInitialize(_) => {
            "the head of a Zstandard frame makes no sense".to_owned()
        }
        _ => "a Zstandard block is damaged".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::blocks::{
        Blocks,
        check::{all, survives},
    };
    use super::*;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use std::io::ErrorKind;

    fn decode(packed: Vec<u8>) -> Blocks<io::Cursor<Vec<u8>>, Zstd> {
        Blocks::new(io::Cursor::new(packed), Zstd::default())
    }

    fn frame(plain: &[u8]) -> Vec<u8> {
        compress_to_vec(plain, CompressionLevel::Fastest)
    }

    #[test]
    fn frames_follow_one_another() {
        let first: Vec<u8> = (0..40)
            .flat_map(|i| format!("{i} lines\n").into_bytes())
            .collect();
        let skipped = [0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
        let packed = [&frame(&first)[..], &skipped, &frame(b"tail\n")].concat();
        survives(&packed, &[&first[..], b"tail\n"].concat(), false, decode);
    }

    #[test]
    fn a_cut_frame_gives_all_its_whole_blocks() {
        let plain: Vec<u8> = (0..90_000)
            .flat_map(|i: u32| format!("{}\n", i.wrapping_mul(i)).into_bytes())
            .collect();
        let packed = frame(&plain);
        let (got, error) = all(decode(packed[..packed.len() * 9 / 10].to_vec()));
        assert!(plain.starts_with(&got));
        assert!(
            got.len() > plain.len() / 2,
            "{} of {}",
            got.len(),
            plain.len()
        );
        assert_eq!(error, Some(ErrorKind::UnexpectedEof));
    }
    /// What is said of a stream that ends in an error.
    fn said(packed: Vec<u8>) -> String {
        let error = decode(packed).read_to_end(&mut Vec::new());
        error.expect_err("it is damaged").to_string()
    }

    #[test]
    fn what_is_wrong_is_told_in_words_for_a_person() {
        // A window of 2 GiB; the dictionary 7; a block of a kind that there is not.
        let frame = |rest: &[u8]| [&MAGIC[..], rest].concat();
        let asks = said(frame(&[0, 0xa8]));
        assert!(asks.contains("asks for 2048 MiB of memory"), "{asks}");
        let needs = said(frame(&[1, 0x50, 7, 1, 0, 0]));
        assert!(needs.contains("needs a dictionary"), "{needs}");
        let damaged = said(frame(&[0, 0x50, 7, 0, 0]));
        assert_eq!(damaged, "a Zstandard block is damaged");
    }
}
