//! In: the bytes of a line. Out: its text without what terminals and editors put into it: colours, progress
//! bars, byte order marks, non-breaking blanks; the pieces that a carriage return or a bar kept apart.

use super::pattern::compile;
use super::quoted;
use super::record::LastBar;
use memchr::memmem::Finder;
use memchr::{memchr, memchr_iter};
use regex::{Captures, Regex};
use std::borrow::Cow;
use std::sync::LazyLock;

/// A line is read up to here, in bytes; of a longer one the rest is only counted.
const LONGEST: usize = 1 << 20;

/// What a terminal obeys instead of showing: CSI and OSC sequences, and the short ones.
static ESCAPES: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        "\x1b(?:\\[[0-9:;<=>?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|[PX^_][^\x1b]*\x1b\\\\|[ -/]*[0-~])?",
    )
    .expect("a valid pattern")
});

/// Colours whose escape character got lost on the way.
static LOST_ESCAPES: LazyLock<Regex> =
    LazyLock::new(|| compile(r"\[(?:\d{1,3}(?:;\d{1,3})*)m").expect("a valid pattern"));

/// Spark's console progress bar.
static BAR: LazyLock<Regex> = LazyLock::new(|| {
    compile(r"\[Stage \d+:[=>]* *\(\d+ \+ -?\d+\) / \d+\]").expect("a valid pattern")
});

static BAR_BEGINS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("[Stage "));

/// The text of a line: decoded, with replacement characters where it is not UTF-8; cut where it is longer
/// than a MiB, with a note of how much is missing.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.len() > LONGEST {
        // A character cut in two becomes a replacement character, as any other damage does.
        let kept = String::from_utf8_lossy(&bytes[..LONGEST]);
        return Cow::Owned(format!("{kept} … {} more bytes", bytes.len() - LONGEST));
    }
    let text =
        std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed);
    if text.is_ascii() || !text.contains('\u{a0}') {
        return text;
    }
    Cow::Owned(text.replace('\u{a0}', " "))
}

/// Cuts a line at carriage returns and progress bars and takes off colours; empty pieces are left out.
pub(super) fn mend(text: &str) -> Vec<Cow<'_, str>> {
    let text = uncolour(text);
    let bytes = text.as_bytes();
    if memchr(b'\r', bytes).is_none() && BAR_BEGINS.find(bytes).is_none() {
        return vec![text];
    }
    let mut pieces = Vec::new();
    // What an encoder quoted is taken apart after it was decoded.
    let opened = text.trim_start().trim_start_matches(['[', '(']);
    let quoted = opened.starts_with(['{', '"', '\''])
        || opened.contains("b'") && quoted::has_bytes(opened)
        || opened.contains("b\"") && quoted::has_bytes(opened);
    for segment in text.split('\r') {
        if quoted {
            pieces.push(segment);
        } else {
            pieces.extend(BAR.split(segment));
        }
    }
    let pieces = pieces.into_iter().filter(|piece| !piece.trim().is_empty());
    pieces.map(|piece| Cow::Owned(piece.to_owned())).collect()
}

/// Whether a line begins with a progress bar, which the console draws from the line's start.
pub(super) fn begins_with_bar(text: &str) -> bool {
    text.trim_start().starts_with("[Stage ")
}

/// Levels of the records that are found within a line.
static LOUD: LazyLock<[Finder<'static>; 3]> =
    LazyLock::new(|| [" INFO ", " WARN ", " ERROR "].map(Finder::new));

/// Where a log record begins that another process wrote into the middle of a line: an interpreter prints an
/// exception's class, its message and the line's end one after the other, and the JVM may come between.
pub(super) fn glued(text: &str) -> Option<usize> {
    const CLOCK: &[u8] = b"00/00/00 00:00:00";
    let bytes = text.as_bytes();
    let level = LOUD.iter().filter_map(|word| word.find(bytes)).min()?;
    let at = level.checked_sub(CLOCK.len()).filter(|at| *at > 0)?;
    let mut clock = bytes[at..level].iter().zip(CLOCK);
    let is_clock = clock.all(|(byte, like)| match like {
        b'0' => byte.is_ascii_digit(),
        like => byte == like,
    });
    let before = bytes[at - 1];
    let torn =
        before.is_ascii_graphic() && !matches!(before, b'"' | b'\'' | b'[' | b'(' | b'|' | b'>');
    (is_clock && torn && text.is_char_boundary(at)).then_some(at)
}

/// Fewer blanks than this are no bar's width.
const WIDTH: usize = 20;

/// What a line that begins with progress bars shows of them: whether one was overwritten with blanks.
pub(super) fn bar_before(text: &str) -> LastBar {
    let cleared = |piece: &str| piece.len() > WIDTH && piece.trim().is_empty();
    if uncolour(text).split('\r').any(cleared) {
        LastBar::Cleared
    } else {
        LastBar::AtWork
    }
}

/// What the end of a line shows of a progress bar.
pub(super) fn last_bar(text: &str) -> LastBar {
    let returns = memchr(b'\r', text.as_bytes()).is_some();
    if !returns && BAR_BEGINS.find(text.as_bytes()).is_none() {
        return LastBar::None;
    }
    let text = uncolour(text);
    let piece = text.rsplit('\r').find(|piece| !piece.is_empty());
    let piece = piece.unwrap_or_default();
    let drawn = piece.rfind('[').map_or("", |at| &piece[at..]);
    if drawn.starts_with("[Stage ") && drawn.trim_end().ends_with(']') {
        LastBar::AtWork
    } else if returns && piece.len() > WIDTH && piece.trim().is_empty() {
        LastBar::Cleared
    } else {
        LastBar::None
    }
}

/// Entities of HTML: the few names that logs are written with, and any number.
static ENTITY: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"&(?:(?<name>lt|gt|quot|apos|nbsp)|#(?<decimal>\d{1,7})|#[xX](?<hex>[0-9a-fA-F]{1,6}));",
    )
    .expect("a valid pattern")
});

/// Resolves the entities that editors and web pages put into logs, also those written twice.
pub(super) fn resolve_entities(text: &str) -> String {
    let text = text.replace("&amp;", "&");
    let resolved = ENTITY.replace_all(&text, |found: &Captures<'_>| {
        let group = |name| found.name(name).map(|m| m.as_str());
        let code = group("decimal").and_then(|n| n.parse().ok());
        let code = code.or_else(|| u32::from_str_radix(group("hex")?, 16).ok());
        let character = match (group("name"), code.and_then(char::from_u32)) {
            (Some("lt"), _) => '<',
            (Some("gt"), _) => '>',
            (Some("quot"), _) => '"',
            (Some("apos"), _) => '\'',
            (Some(_), _) | (_, Some('\u{a0}')) => ' ',
            // A line is one line, whatever is written in it.
            (_, Some(character)) if character != '\n' => character,
            _ => '\u{fffd}',
        };
        character.to_string()
    });
    resolved.into_owned()
}

/// A line without colours.
pub(super) fn uncolour(text: &str) -> Cow<'_, str> {
    if memchr(0x1b, text.as_bytes()).is_some() {
        return ESCAPES.replace_all(text, "");
    }
    if lost_escapes(text) {
        return LOST_ESCAPES.replace_all(text, "");
    }
    Cow::Borrowed(text)
}

/// Whether a line is coloured although it holds no escape character: at least two colours, one of them the
/// one that ends colours. `rate(x[5m])` has none.
fn lost_escapes(text: &str) -> bool {
    // Nearly every line fails here: in few does an `m` follow a digit.
    let bytes = text.as_bytes();
    if !memchr_iter(b'm', bytes).any(|at| at > 0 && bytes[at - 1].is_ascii_digit()) {
        return false;
    }
    // An encoder that wrote the escape character down lost none: the colours go when the text is decoded.
    if ["u001b[", "u001B[", "x1b[", "x1B[", "033["]
        .iter()
        .any(|written| text.contains(written))
    {
        return false;
    }
    let resets = ["[0m", "[39m", "[00m", "[39;00m", "[22m"];
    if !resets.iter().any(|reset| text.contains(reset)) {
        return false;
    }
    LOST_ESCAPES.find_iter(text).take(2).count() == 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(text: &str) -> Vec<String> {
        mend(text).into_iter().map(Cow::into_owned).collect()
    }

    #[test]
    fn colours_go_with_and_without_their_escape() {
        assert_eq!(mended("\x1b[91mValueError\x1b[39m: x"), ["ValueError: x"]);
        assert_eq!(mended("\x1b]0;tides\x07ebb"), ["ebb"]);
        assert_eq!(mended("[0;31mValueError[0m: x"), ["ValueError: x"]);
        assert_eq!(mended("rate(tide[5m]) + [10m]"), ["rate(tide[5m]) + [10m]"]);
        assert_eq!(mended("x\x1b"), ["x"]);
        let written = r#"{"log":"\u001b[0;31mTides\u001b[0m"}"#;
        assert_eq!(mended(written), [written]);
    }

    #[test]
    fn bars_go_and_what_they_kept_apart_stays_apart() {
        let bar = "[Stage 3:=====>            (7 + 1) / 8]";
        let line = "26/11/30 04:26:37 ERROR Executor: x";
        let blank = " ".repeat(80);
        assert_eq!(
            mended(&format!("\r{bar}\r{bar}\r{blank}\r{line}\r")),
            [line]
        );
        assert_eq!(mended(&format!("{bar}{line}")), [line]);
        assert_eq!(mended(&format!("done{bar}{bar}\r{line}")), ["done", line]);
        assert_eq!(mended(&format!("\r{bar}")), [""; 0]);
        let encoded = format!("{{\"log\":\"{bar}\"}}");
        assert_eq!(mended(&encoded), [encoded]);
        assert_eq!(mended("[Stage fright] (1 + 1)"), ["[Stage fright] (1 + 1)"]);
    }

    #[test]
    fn a_record_within_a_line_is_found() {
        let record = "26/11/30 04:26:37 WARN Tides: ebb";
        assert_eq!(glued(&format!("a.EbbError{record}")), Some(10));
        assert_eq!(glued(record), None);
        assert_eq!(glued(&format!("quoted: {record}")), None);
        assert_eq!(glued(&format!("log=\"{record}")), None);
    }

    #[test]
    fn entities_are_resolved() {
        assert_eq!(
            resolve_entities("a.B.&lt;init&gt; &amp;lt;x&#39;"),
            "a.B.<init> <x'"
        );
    }

    #[test]
    fn long_and_broken_bytes_are_decoded() {
        assert_eq!(decode(b"\xef\xbb\xbfx\xc2\xa0y"), "x y");
        assert_eq!(decode(b"\xff"), "\u{fffd}");
        let long = decode(&vec![b'a'; LONGEST + 3]).into_owned();
        assert!(long.ends_with("a … 3 more bytes"));
    }
}
