//! In: a text. Out: the sequence that asks a terminal to put it into its clipboard.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Longer payloads, in encoded bytes, are dropped by widespread terminals without a word.
pub(super) const SURE_TO_FIT: usize = 74_994;

/// `ESC ] 52 ; c ; BASE64 BEL`. The selector is `c` alone, since some terminals read one letter only; the
/// end is BEL because GNU screen takes ESC \ for the end of its own wrapper.
pub(super) fn sequence(text: &str) -> Vec<u8> {
    let mut bytes = b"\x1b]52;c;".to_vec();
    bytes.extend_from_slice(STANDARD.encode(text).as_bytes());
    bytes.push(b'\x07');
    bytes
}

/// Whether the text, encoded, is longer than every common terminal takes.
pub(super) fn may_be_refused(text: &str) -> bool {
    text.len().div_ceil(3) * 4 > SURE_TO_FIT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_are_exact() {
        assert_eq!(sequence("a\nü"), b"\x1b]52;c;YQrDvA==\x07");
        assert_eq!(sequence(""), b"\x1b]52;c;\x07");
    }

    #[test]
    fn the_limit_counts_encoded_bytes() {
        let fits = "x".repeat(SURE_TO_FIT / 4 * 3);
        assert!(!may_be_refused(&fits));
        assert!(may_be_refused(&(fits + "xyz")));
    }
}
