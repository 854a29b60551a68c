//! In: text as a web page or an editor holds it. Out: [`Bare`], the same without tags around words and with the characters that
//! entities stand for, which knows where everything stood: a secret between `&#61;` and `</b>` is one as much as behind `=`.

use super::pattern::pattern;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// A tag of a word or a line, or an entity of a character that stands between a name and its value.
static DRESSED: LazyLock<Regex> = LazyLock::new(|| {
    let tag = r"</?(?i:b|i|u|a|p|br|em|td|li|tt|div|pre|kbd|span|font|code|mark|strong)(?:\s[^<>]{0,200})?/?>";
    let entity = r"&(?:amp;)?(?:#0*(?P<decimal>\d{2,3})|#[xX]0*(?P<hex>[0-9a-fA-F]{2})|(?P<name>equals|colon|quot|apos|comma|lt|gt|amp));";
    pattern(&format!("{tag}|{entity}")).unwrap_or_else(|error| panic!("a pattern: {error}"))
});

/// Text without its page.
pub(super) struct Bare {
    pub(super) text: String,
    /// Where each stretch begins: here, and in the text it was made from.
    stretches: Vec<(usize, usize)>,
}

impl Bare {
    /// Nothing where the text holds neither tag nor entity.
    pub(super) fn of(text: &str) -> Option<Self> {
        let mut found = DRESSED.captures_iter(text).peekable();
        found.peek()?;
        let mut bare = Self {
            text: String::with_capacity(text.len()),
            stretches: vec![(0, 0)],
        };
        let mut done = 0;
        for captures in found {
            let whole = captures.get_match();
            bare.text.push_str(&text[done..whole.start()]);
            let number = captures.name("decimal").map(|it| it.as_str().parse());
            let hex = captures
                .name("hex")
                .map(|it| u8::from_str_radix(it.as_str(), 16));
            let character = match captures.name("name").map(|it| it.as_str()) {
                Some("equals") => Some('='),
                Some("colon") => Some(':'),
                Some("comma") => Some(','),
                Some("quot") => Some('"'),
                Some("apos") => Some('\''),
                Some("lt") => Some('<'),
                Some("gt") => Some('>'),
                Some("amp") => Some('&'),
                _ => number
                    .or(hex)
                    .and_then(Result::ok)
                    .filter(u8::is_ascii)
                    .map(char::from),
            };
            if let Some(character) = character {
                bare.stretches.push((bare.text.len(), whole.start()));
                bare.text.push(character);
            }
            bare.stretches.push((bare.text.len(), whole.end()));
            done = whole.end();
        }
        bare.text.push_str(&text[done..]);
        Some(bare)
    }

    /// Where a piece of it that is not empty stands in the text it was made from.
    pub(super) fn original(&self, range: &Range<usize>) -> Range<usize> {
        let last = self.at(range.end - 1);
        // A character that an entity stands for is as long as the entity.
        let end = self
            .stretches
            .iter()
            .find(|(here, _)| *here == range.end)
            .filter(|_| self.text.as_bytes()[range.end - 1].is_ascii_punctuation())
            .map_or(last + 1, |(_, there)| *there);
        self.at(range.start)..end
    }

    fn at(&self, here: usize) -> usize {
        let next = self.stretches.partition_point(|(start, _)| *start <= here);
        let (start, there) = self.stretches[next - 1];
        there + (here - start)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn a_piece_is_found_where_it_stood() {
        let text = "a <b>password</b>&#61;<i>hun&quot;ter</i>, é &amp;#x3D; x";
        let bare = Bare::of(text).unwrap();
        assert_eq!(bare.text, "a password=hun\"ter, é = x");
        for (piece, original) in [
            ("password", "password"),
            ("hun\"ter", "hun&quot;ter"),
            ("é", "é"),
            ("x", "x"),
        ] {
            let start = bare.text.rfind(piece).unwrap();
            let range = bare.original(&(start..start + piece.len()));
            assert_eq!(&text[range], original);
        }
        assert!(Bare::of("List<String> a && b; R&D").is_none());
    }
}
