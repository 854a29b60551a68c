//! In: the bytes of a line that is read again, and its source's [`Dress`]. Out: what it said when it was read first.

use super::dress::Dress;
use super::shape;
use super::undress::Undressed;
use crate::text::Moment;

/// The text of a place from its bytes and its source's dress: the same as [`Line::text`](super::Line::text) was.
pub fn logical_text(bytes: &[u8], part: u32, dress: Dress) -> String {
    Undressed::new(bytes, dress).text(part)
}

/// The texts of all logical lines of a line.
pub fn logical_texts(bytes: &[u8], dress: Dress) -> Vec<String> {
    let pieces = Undressed::new(bytes, dress).pieces;
    pieces.into_iter().map(|piece| piece.text).collect()
}

/// When a line says that it was written, from its bytes and its source's dress.
pub fn time_of(bytes: &[u8], dress: Dress) -> Option<Moment> {
    Undressed::new(bytes, dress).time()
}

/// Whether a record begins with this line: what stands above it belongs to another.
pub fn is_head(bytes: &[u8], dress: Dress) -> bool {
    // Most lines that are asked about are frames; a head behind a tab is only there in an indented source.
    if bytes.first() == Some(&b'\t') && !dress.is_indented() {
        return false;
    }
    match shape::recall(bytes).filter(|_| dress == Dress::default()) {
        Some((text, shape)) => shape.begins_record(text),
        None => Undressed::new(bytes, dress).begins_record(),
    }
}
