//! In: UTF-16, as Windows shells write it, with a byte order mark or cut so that it has none. Out: the same text in UTF-8.

use std::io::{self, Read};

/// Which of the two bytes of a unit comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Little,
    Big,
}

/// Bytes by which text without a mark is told.
const UNMARKED: usize = 4 << 10;

/// The byte order that the mark at the beginning tells; without one, that of text most of whose letters are of English.
pub(super) fn told_by(head: &[u8]) -> Option<Order> {
    match head {
        // Two zero units behind the mark make it UTF-32, which no log is written in.
        [0xff, 0xfe, 0, 0, ..] => None,
        [0xff, 0xfe, ..] => Some(Order::Little),
        [0xfe, 0xff, ..] => Some(Order::Big),
        _ => unmarked(&head[..head.len().min(UNMARKED)]),
    }
}

/// In most units one byte is NUL, always the same one, and the other is text.
fn unmarked(head: &[u8]) -> Option<Order> {
    if head.len() < 32 {
        return None;
    }
    let is_text = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t');
    let units = head.len() / 2;
    let fit = |nul: usize| {
        let plain = |unit: &&[u8]| unit[nul] == 0 && is_text(unit[1 - nul]);
        head.chunks_exact(2).filter(plain).count()
    };
    [(Order::Little, fit(1)), (Order::Big, fit(0))]
        .into_iter()
        .find(|(_, fit)| fit * 10 >= units * 9)
        .map(|(order, _)| order)
}

/// Decodes a stream; what is no text becomes U+FFFD.
pub(super) struct Utf16<R> {
    stream: R,
    order: Order,
    /// A byte or a high surrogate that waits for what belongs to it.
    rest: Vec<u8>,
    plain: Vec<u8>,
    at: usize,
    started: bool,
    ended: bool,
}

impl<R: Read> Utf16<R> {
    /// Reads from `stream`, which stands at its byte order mark.
    pub(super) fn new(stream: R, order: Order) -> Self {
        Self {
            stream,
            order,
            rest: Vec::new(),
            plain: Vec::new(),
            at: 0,
            started: false,
            ended: false,
        }
    }

    fn decode_more(&mut self) -> io::Result<()> {
        let mut bytes = std::mem::take(&mut self.rest);
        let kept = bytes.len();
        bytes.resize(kept + (32 << 10), 0);
        let n = self.stream.read(&mut bytes[kept..])?;
        bytes.truncate(kept + n);
        self.ended = n == 0;
        let mut units: Vec<u16> = bytes
            .chunks_exact(2)
            .map(|pair| match self.order {
                Order::Little => u16::from_le_bytes([pair[0], pair[1]]),
                Order::Big => u16::from_be_bytes([pair[0], pair[1]]),
            })
            .collect();
        let waits = units.last().is_some_and(|u| (0xd800..0xdc00).contains(u)) && !self.ended;
        units.truncate(units.len() - usize::from(waits));
        self.rest = bytes.split_off(units.len() * 2);
        self.plain.clear();
        self.at = 0;
        let skip = usize::from(!self.started && units.first() == Some(&0xfeff));
        self.started |= !units.is_empty();
        for c in char::decode_utf16(units.into_iter().skip(skip)) {
            let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
            self.plain
                .extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
        Ok(())
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.plain.len() && !self.ended {
            self.decode_more()?;
        }
        let n = buffer.len().min(self.plain.len() - self.at);
        buffer[..n].copy_from_slice(&self.plain[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn both_orders_give_the_same_text_however_it_arrives() {
        struct Dribble<'b>(&'b [u8]);
        impl Read for Dribble<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let n = self.0.len().min(1);
                buffer[..n].copy_from_slice(&self.0[..n]);
                self.0 = &self.0[n..];
                Ok(n)
            }
        }
        let text = "ERROR größer 🚨\n";
        let units: Vec<u16> = std::iter::once(0xfeff).chain(text.encode_utf16()).collect();
        let little: Vec<u8> = units.iter().flat_map(|u| u.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|u| u.to_be_bytes()).collect();
        for bytes in [little, big] {
            let order = told_by(&bytes).unwrap();
            let mut decoded = String::new();
            Utf16::new(Dribble(&bytes), order)
                .read_to_string(&mut decoded)
                .unwrap();
            assert_eq!(decoded, text);
        }
    }

    #[test]
    fn text_that_lost_its_mark_is_told_by_its_shape() {
        let units = |text: &str| text.encode_utf16().collect::<Vec<_>>();
        let text = units("24/01/02 03:04:05 ERROR Job: größer\r\n");
        let little: Vec<u8> = text.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = text.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        assert_eq!(told_by(&little), Some(Order::Little));
        assert_eq!(told_by(&big), Some(Order::Big));
        let utf32: Vec<u8> = "24/01/02 03:04:05 ERROR"
            .chars()
            .flat_map(|c| u32::from(c).to_le_bytes())
            .collect();
        assert_eq!(told_by(&utf32), None);
        assert_eq!(told_by(b"24/01/02 03:04:05 ERROR Job: failed"), None);
        assert_eq!(told_by(&[0; 99]), None);
    }
}
