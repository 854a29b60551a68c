//! In: an OSC 52 sequence. Out: the same in pieces that GNU screen passes on to its terminal.

/// GNU screen drops a string longer than some hundred bytes whole; short pieces arrive in any number.
const PIECE: usize = 76;

/// Each piece as a device control string, whose content GNU screen hands on unread.
pub(super) fn wrap(sequence: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(sequence.len() + sequence.len() / PIECE * 4 + 4);
    for piece in sequence.chunks(PIECE) {
        bytes.extend_from_slice(b"\x1bP");
        bytes.extend_from_slice(piece);
        bytes.extend_from_slice(b"\x1b\\");
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_are_exact() {
        assert_eq!(
            wrap(b"\x1b]52;c;YQ==\x07"),
            b"\x1bP\x1b]52;c;YQ==\x07\x1b\\"
        );
    }

    #[test]
    fn the_pieces_are_short_and_make_up_the_whole() {
        let sequence = [b"\x1b]52;c;".as_slice(), &[b'A'; 8_000], b"\x07"].concat();
        let wrapped = wrap(&sequence);
        let mut rest = wrapped.as_slice();
        let mut whole = Vec::new();
        while let Some(content) = rest.strip_prefix(b"\x1bP") {
            let end = content
                .windows(2)
                .position(|pair| pair == b"\x1b\\")
                .expect("an end");
            assert!(end <= PIECE);
            whole.extend_from_slice(&content[..end]);
            rest = &content[end + 2..];
        }
        assert!(rest.is_empty());
        assert_eq!(whole, sequence);
    }
}
