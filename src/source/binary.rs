//! In: the first bytes of an input. Out: why it is no text, if it is none.
//!
//! A NUL alone does not make a log binary: a file that was cut while its writer went on begins with a hole of them, and
//! a machine that lost its power leaves blocks of them. What is no text has them everywhere, or is none between them.

/// Text holds no NUL; what is not text nearly always has one this early.
const NUL_WITHIN: usize = 1 << 10;
/// Between two holes of NULs in a log there are at least this many bytes of text, on average.
const TEXT_TO_A_HOLE: usize = 64;
/// One character in so many of a text may be one that no text has.
const ODD_ONES: usize = 20;
/// Fewer bytes without a NUL are not called noise.
const NOISE_FROM: usize = 256;
/// What is packed or encrypted has a control character among so many bytes at least; no text has, in whichever encoding.
const NOISE: usize = 24;

/// Why an input that begins with `head` and ends in `tail` is no text; `None` where it is, or may be.
pub(super) fn binary(head: &[u8], tail: &[u8]) -> Option<String> {
    let known: &[(&[u8], &str)] = &[
        (b"\x89PNG", "an image; open the text it shows"),
        (b"\xff\xd8\xff", "an image; open the text it shows"),
        (b"GIF8", "an image; open the text it shows"),
        (b"%PDF-", "a PDF document; save its text and open that"),
        (b"PAR1", "a Parquet file: data, not a log"),
        (b"ORC", "an ORC file: data, not a log"),
        (b"Obj\x01", "an Avro file: data, not a log"),
        (b"\xca\xfe\xba\xbe", "compiled code"),
        (b"\x7fELF", "a program"),
        (b"JAVA PROFILE", "a heap dump; open it in a heap analyser"),
        (b"\xfd7zXZ\0", "packed by xz; unpack it first: xz -dk"),
        (
            b"BZh91AY&SY",
            "packed by bzip2; unpack it first: bunzip2 -k",
        ),
        (
            b"\x04\x22\x4d\x18",
            "packed by lz4; unpack it first: lz4 -d",
        ),
        (b"7z\xbc\xaf", "a 7z archive; unpack it first"),
        (b"Rar!\x1a", "a RAR archive; unpack it first"),
    ];
    let early = &head[..head.len().min(NUL_WITHIN)];
    let has_nul = memchr::memchr(0, early).is_some();
    if let Some((magic, what)) = known.iter().find(|(magic, _)| head.starts_with(magic))
        && (has_nul || !is_word(magic) || magic.starts_with(b"%PDF") || magic.starts_with(b"BZh"))
    {
        return Some(format!("it is {what}"));
    }
    if !has_nul {
        return is_noise(head).then(|| "it is binary data, not text".to_owned());
    }
    if is_text_with_holes(head) {
        return None;
    }
    if head.iter().any(|byte| *byte != 0) {
        return Some("it is binary data, not text".to_owned());
    }
    // The hole may be larger than what was looked at.
    (!is_text_with_holes(tail)).then(|| {
        "it begins with nothing but NUL bytes: a hole in a file that was cut while it was written to; where text follows \
         in it, open that without the hole: tr -d '\\0'"
            .to_owned()
    })
}

/// Whether a text may begin with these bytes as well.
fn is_word(magic: &[u8]) -> bool {
    magic.iter().all(|byte| matches!(byte, b' '..=b'~'))
}

/// Whether bytes are text but for few runs of NULs.
fn is_text_with_holes(bytes: &[u8]) -> bool {
    let text: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
    let holes = bytes
        .chunk_by(|a, b| (*a == 0) == (*b == 0))
        .filter(|run| run[0] == 0)
        .count();
    let decoded = String::from_utf8_lossy(&text);
    let odd = decoded.chars().filter(|c| is_odd(*c)).count();
    !text.is_empty()
        && holes.saturating_mul(TEXT_TO_A_HOLE) <= text.len()
        && odd.saturating_mul(ODD_ONES) <= decoded.chars().count()
}

/// Whether bytes without a NUL are of nothing that is written: full of control characters, and of bytes that no UTF-8 has.
fn is_noise(bytes: &[u8]) -> bool {
    let controls = bytes
        .iter()
        .filter(|byte| byte.is_ascii_control() && is_odd(char::from(**byte)))
        .count();
    bytes.len() >= NOISE_FROM
        && controls.saturating_mul(NOISE) >= bytes.len()
        && String::from_utf8_lossy(bytes).contains('\u{fffd}')
}

fn is_odd(c: char) -> bool {
    c == '\u{fffd}' || c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\x0c' | '\x08' | '\x1b')
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &[u8] =
        b"24/01/02 03:04:05 ERROR Job: failed\njava.io.IOException: gone\n\tat a.B.c(B.java:1)\n";

    fn hole(n: usize) -> Vec<u8> {
        vec![0; n]
    }

    #[test]
    fn a_log_with_holes_is_a_log() {
        for log in [
            [&hole(5_000), LOG].concat(),
            [LOG, &hole(900), LOG].concat(),
            [LOG, &hole(1), LOG].concat(),
        ] {
            assert_eq!(binary(&log, &log), None);
        }
        assert_eq!(binary(&hole(64 << 10), LOG), None);
    }

    #[test]
    fn what_else_packs_is_named_with_what_unpacks_it() {
        for (head, command) in [
            (&b"\xfd7zXZ\0\0\x04"[..], "xz -dk"),
            (b"BZh91AY&SYabc", "bunzip2 -k"),
            (b"\x04\x22\x4d\x18\x64", "lz4 -d"),
        ] {
            assert!(binary(head, head).is_some_and(|why| why.ends_with(command)));
        }
    }

    #[test]
    fn noise_is_told_where_it_happens_to_hold_no_nul() {
        // A generator of a few lines: what is packed looks alike.
        let mut state = 7_u32;
        let mut noise = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        let noise: Vec<u8> = std::iter::repeat_with(&mut noise)
            .filter(|b| *b != 0)
            .take(4_096)
            .collect();
        assert!(binary(&noise, &noise).is_some());
        let latin = [LOG, &b"ERROR Job: caf\xe9 n\xe3o \xfcber\n".repeat(40)].concat();
        let gbk = [
            LOG,
            &b"ERROR \xce\xc4\xbc\xfe\xb2\xbb\xb4\xe6\xd4\xda\n".repeat(40),
        ]
        .concat();
        let fields = b"a\x01b\x01c\x01d\x02e\n".repeat(80);
        for text in [latin, gbk, fields] {
            assert_eq!(binary(&text, &text), None);
        }
    }

    #[test]
    fn what_has_nuls_everywhere_is_none() {
        let numbers: Vec<u8> = (0..2_000_u32).flat_map(u32::to_le_bytes).collect();
        let odd: Vec<u8> = (1..=255).cycle().take(3_000).chain([0]).collect();
        for bytes in [&b"a\0b"[..], &numbers, &[&hole(9), &odd[..]].concat()] {
            assert!(
                binary(bytes, bytes).is_some_and(|why| why.contains("binary")),
                "{bytes:?}"
            );
        }
        let nothing = binary(&hole(9), &hole(9)).unwrap_or_default();
        assert!(nothing.contains("NUL"), "{nothing}");
    }
}
