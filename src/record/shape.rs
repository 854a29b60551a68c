//! In: the bytes of a line of a source that wears nothing. Out: its [`Shape`], where a line was read before that differs
//! from it in its digits and hashes only: that there is nothing to take off from it, and where its head is.
//!
//! Patterns tell a digit from what is none, and never one digit from another, nor one hash from another that is as long. So
//! what they said of one line they say of every line of its shape, and a log that repeats itself costs a look into a table for each line instead of all patterns.
//!
//! The number of a frame's line is no digit like others, nor is one in the code below it: such lines have a shape of their
//! own, so that whoever remembers by shapes what traces tell need not look at their frames.

use super::aggregate;
use super::layout::LAYOUTS;
use super::open_record::Speech;
use super::record::Head;
use super::shipper::SHIPPERS;
use super::spans::Spans;
use crate::text::hex_words;
use foldhash::fast::RandomState;
use memchr::memmem::Finder;
use std::cell::RefCell;
use std::collections::HashMap;
use std::num::NonZeroU32;
use std::rc::Rc;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Shapes that are kept; beyond so many, those are forgotten and others kept.
const MOST: usize = 4_096;
/// Longer lines are read as they come: few of them repeat one another.
const LONGEST: usize = 512;

/// What stands in a form for the bytes of a hash: whether it begins with a digit is seen, as a name does not.
const HEX_DIGIT: u8 = 1;
const HEX_LETTER: u8 = 2;

fn is_mark(b: u8) -> bool {
    b == HEX_DIGIT || b == HEX_LETTER
}

/// How the codes of colours end.
static COLOUR: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("0m"));

/// What lines have in common that differ in their digits and hashes only.
#[derive(Debug)]
pub(super) struct Shape {
    /// Unlike that of any other shape.
    pub(super) number: NonZeroU32,
    pub(super) speech: Speech,
    head: Option<Spans<'static>>,
}

impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Shape {
    /// The head of a line of this shape, and where its message begins.
    pub(super) fn head(&self, text: &str) -> Option<(Head, usize)> {
        self.head.as_ref().map(|spans| spans.whole_head(text))
    }

    /// Whether a record begins with a line of this shape.
    pub(super) fn begins_record(&self, text: &str) -> bool {
        self.head.is_some() || aggregate::heading(text).is_some()
    }
}

#[derive(Default)]
struct Shapes {
    known: HashMap<Box<[u8]>, Rc<Shape>, RandomState>,
    /// Room for the form of a line.
    form: Vec<u8>,
}

thread_local! {
    static SHAPES: RefCell<Shapes> = RefCell::default();
}

static NEXT: AtomicU32 = AtomicU32::new(1);

/// A line as text and its shape, where that is known.
pub(super) fn recall(bytes: &[u8]) -> Option<(&str, Rc<Shape>)> {
    SHAPES.with_borrow_mut(|Shapes { known, form }| {
        let known = known.get(write(bytes, form)?)?;
        Some((std::str::from_utf8(bytes).ok()?, Rc::clone(known)))
    })
}

/// Learns the shape of a line from which there is nothing to take off; `None` where it is not kept.
pub(super) fn learn(text: &str) -> Option<Rc<Shape>> {
    if LAYOUTS.has_own() || SHIPPERS.has_own() {
        return None;
    }
    SHAPES.with_borrow_mut(|Shapes { known, form }| {
        let form = write(text.as_bytes(), form)?;
        if known.len() >= MOST {
            known.clear();
        }
        let shape = Rc::new(Shape {
            number: NonZeroU32::new(NEXT.fetch_add(1, Ordering::Relaxed))?,
            speech: Speech::of(text),
            head: LAYOUTS.spans(text),
        });
        known.insert(form.into(), Rc::clone(&shape));
        Some(shape)
    })
}

/// Whether the shape of a line tells its digits as well: it is a frame, of the JVM, of Python or of a notebook, or the code
/// that Python prints below one.
pub fn keeps_digits(text: &str) -> bool {
    let rest = text.trim_start_matches([' ', '\t']);
    is_of_code(text.len() - rest.len(), rest.as_bytes())
}

fn is_of_code(blanks: usize, rest: &[u8]) -> bool {
    blanks >= 4 || rest.starts_with(b"at ") || rest.starts_with(b"File ")
}

/// The form of a line, with all its digits and hashes alike unless it is of code; `None` where something in it may be told by its
/// very digits: a colour, an escape that is written out, a value of JSON.
fn write<'f>(bytes: &[u8], form: &'f mut Vec<u8>) -> Option<&'f [u8]> {
    if bytes.len() > LONGEST {
        return None;
    }
    form.clear();
    let blanks = bytes.iter().take_while(|b| matches!(b, b' ' | b'\t'));
    let blanks = blanks.count();
    let rest = &bytes[blanks..];
    if is_of_code(blanks, rest) {
        form.extend_from_slice(bytes);
        return Some(form);
    }
    let begins =
        |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'@' | b'^' | b'~');
    if !rest.first().is_none_or(begins) {
        return None;
    }
    let alike = |b: &u8| if b.is_ascii_digit() { b'0' } else { *b };
    form.extend(bytes.iter().map(alike));
    let odd = |b: &u8| matches!(*b, b'\\' | b'#' | b'&' | 0x1b | b'\r' | 0x80..) || is_mark(*b);
    let plain = !form.iter().fold(false, |any, b| any | odd(b));
    if !plain || COLOUR.find(form).is_some() {
        return None;
    }
    for word in hex_words(bytes) {
        let begins = if bytes[word.start].is_ascii_digit() {
            HEX_DIGIT
        } else {
            HEX_LETTER
        };
        form[word].fill(begins);
    }
    Some(form)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::dress::Dress;
    use crate::record::undress::Undressed;
    use proptest::prelude::*;

    /// Lines of all layouts and shippers, and what is told by its digits.
    fn line() -> impl Strategy<Value = String> {
        let samples = LAYOUTS
            .samples()
            .chain(SHIPPERS.samples())
            .map(str::to_owned);
        let others = [
            "java.io.IOException: block 7 of 12 is gone",
            "\t... 27 more",
            "",
            "   ",
            "  File \"/jobs/a.py\", line 12, in parse",
            "    return [(1, 'a'), (2, 'b'), (3, 'c')][int(row)]",
            "    ^^^^^^^^",
            "    [(1, \"größe\")] # \\u0041 \u{1b}[31m",
            "  24/01/02 03:04:05 ERROR Tides: b'1' \u{1f6a8}",
            "   12\tjava.io.IOException: 7",
            "\t{\"level\": 30, \"msg\": \"Error\", \"time\": 1700000000000}",
            "  at a.B.c(B.java:12) at a.B.d(B.java:3) ... 7 more",
            "took 12ms [31mred[0m and [22mx[39m",
            r"\033[31mred\033[0m",
            "Container: container_1700000000000_0042_01_000003 on dn7",
            "x #011 y",
            "block 5f2d9c1a-0b1c-4e5f-8a9b-0123456789ab is gone",
            "5f2d9c1a0b: java.io.IOException: c5f2d9c1a0b is gone",
            "24/01/02 03:04:05 ERROR Tides: d41d8cd98f00b204e9800998ecf8427e",
            "ab12cd34: x",
        ];
        let lines: Vec<_> = samples.chain(others.map(str::to_owned)).collect();
        (
            prop::sample::select(lines),
            prop::collection::vec(0..10_u8, 64),
        )
            .prop_map(|(line, digits)| {
                let hashed = hex_words(line.as_bytes()).next().is_some();
                let mut digits = digits.iter().cycle();
                line.chars()
                    .map(|c| match digits.next() {
                        Some(digit) if c.is_ascii_digit() => char::from(b'0' + digit),
                        // Now and then a hash stays one, and now and then it becomes none.
                        Some(digit) if matches!(c, 'a'..='f') && hashed => {
                            char::from(b'a' + digit % 6)
                        }
                        _ => c,
                    })
                    .collect()
            })
    }

    proptest! {
        #[test]
        fn lines_are_read_the_same_by_their_shapes(lines in prop::collection::vec(line(), 1..6)) {
            for line in lines.iter().chain(&lines) {
                let long = Undressed::new(line.as_bytes(), Dress::default());
                let mut short = Undressed::by_shape(line.as_bytes(), Dress::default());
                let shape = short.shape.take();
                prop_assert_eq!(&short, &long, "{}", line);
                if let Some(shape) = shape {
                    prop_assert_eq!(shape.head(line), LAYOUTS.find(line), "{}", line);
                    prop_assert_eq!(shape.begins_record(line), long.begins_record(), "{}", line);
                }
            }
        }
    }

    #[test]
    fn lines_that_differ_in_their_digits_only_have_one_shape() {
        let shape = |line: &str| {
            let undressed = Undressed::by_shape(line.as_bytes(), Dress::default());
            undressed.shape.map(|shape| shape.number)
        };
        let first = shape("24/01/02 03:04:05 ERROR Tides: block 17 is gone");
        assert!(first.is_some());
        assert_eq!(
            first,
            shape("24/01/02 03:04:06 ERROR Tides: block 42 is gone")
        );
        assert_ne!(
            first,
            shape("24/01/02 03:04:06 ERROR Tides: block 4 is gone")
        );
        assert_ne!(
            first,
            shape("24/01/02 03:04:06 ERROR Tides: block 42 is here")
        );
        assert_eq!(shape("{\"a\": 1}"), None);
        assert_eq!(
            shape("block 5f2d9c1a0b is gone"),
            shape("block 9a1b2c3d4e is gone")
        );
        assert_ne!(
            shape("block 5f2d9c1a0b is gone"),
            shape("block 5f2d9c1a0b1 is gone")
        );
        assert_ne!(
            shape("block 5f2d9c1a0b is gone"),
            shape("block 5020901000 is gone")
        );
        assert_ne!(
            shape("block 5f2d9c1a0b is gone"),
            shape("block a02d9c1a0b is gone")
        );
    }
}
