//! In: the lines that a record takes, one by one. Out: whether it takes one more, and whether that one says anything anew.
//!
//! Without heads nothing ends a record but its length. It is cut between two traces where one ends soon enough, for half a
//! trace tells of another failure. And where thousands of its lines name the same class, what further ones say of it is
//! beyond all that is told of a record: they are counted, and not kept.

/// A record of so many lines is cut; what follows goes on as a record without a head.
pub(super) const MOST_LINES: usize = 20_000;
/// So many more are taken where that is within a trace.
pub(super) const MORE_LINES: usize = 1_000;
/// A record of more bytes is cut likewise.
pub(super) const MOST_BYTES: usize = 4 << 20;
/// Lines of a record that are kept whatever they say: more than are told of any trace.
const KEPT: usize = 4_096;
/// So many of the last of those must have named one class.
const ALIKE: usize = 3_072;
/// Longer is no name of a class.
const LONGEST_NAME: usize = 200;

/// What a record has taken.
#[derive(Debug, Clone, Default)]
pub(super) struct Extent {
    lines: usize,
    bytes: usize,
    /// The class that the last lines begin with, and its colon; and how many those are.
    class: Vec<u8>,
    alike: usize,
}

impl Extent {
    /// So many lines and bytes.
    pub(super) fn of(lines: usize, bytes: usize) -> Self {
        Self {
            lines,
            bytes,
            ..Self::default()
        }
    }

    pub(super) fn lines(&self) -> usize {
        self.lines
    }

    /// One more line.
    pub(super) fn add(&mut self, text: &str) {
        self.count(text.len());
        if self.lines <= KEPT - ALIKE {
            return;
        }
        if !self.class.is_empty() && text.as_bytes().starts_with(&self.class) {
            self.alike += 1;
            return;
        }
        self.alike = 0;
        self.class.clear();
        self.class.extend_from_slice(class(text).as_bytes());
    }

    /// So many more frames, and their bytes.
    pub(super) fn add_frames(&mut self, frames: usize, bytes: usize) {
        self.lines += frames;
        self.bytes += bytes;
        self.alike = 0;
        self.class.clear();
    }

    /// The same, where there is room for all of them; whether there is.
    pub(super) fn take_frames(&mut self, frames: usize, bytes: usize) -> bool {
        let room =
            self.lines + frames <= MOST_LINES + MORE_LINES && self.bytes + bytes <= MOST_BYTES;
        if room {
            self.add_frames(frames, bytes);
        }
        room
    }

    fn count(&mut self, bytes: usize) {
        self.lines += 1;
        self.bytes += bytes;
    }

    /// Counts a line, where it is one more of thousands that name the same class: it need not be kept.
    pub(super) fn counts(&mut self, line: &[u8]) -> bool {
        let alike = self.lines >= KEPT
            && self.alike >= ALIKE - 1
            && line.starts_with(&self.class)
            && !line.ends_with(b"\r")
            && self.has_room(line.len(), true);
        if alike {
            self.count(line.len());
        }
        alike
    }

    /// Whether there is room for so many bytes more, in one line, which may begin something anew.
    pub(super) fn has_room(&self, bytes: usize, anew: bool) -> bool {
        let more = if anew { 0 } else { MORE_LINES };
        self.lines < MOST_LINES + more && self.bytes + bytes <= MOST_BYTES
    }
}

/// The class that a line begins with, and what is between it and its message.
fn class(text: &str) -> &str {
    let name = text
        .bytes()
        .take(LONGEST_NAME)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'$'))
        .count();
    let is_class = ["Exception", "Error"]
        .iter()
        .any(|end| text[..name].ends_with(end));
    if is_class && text[name..].starts_with(": ") {
        &text[..name + 2]
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::cutter::records;

    #[test]
    fn what_thousands_of_lines_say_of_one_class_is_counted_and_any_other_line_is_kept() {
        let line = "a.b.TideException: 7";
        let mut taken = Extent::default();
        for n in 0..KEPT {
            assert!(!taken.counts(line.as_bytes()), "{n}");
            taken.add(line);
        }
        assert!(!taken.counts(b"a.b.TidesException: 7"));
        assert!(!taken.counts(b"Caused by: a.b.TideException: 7"));
        assert!(taken.counts(b"a.b.TideException: something else"));
        assert_eq!(taken.lines(), KEPT + 1);
        taken.add("\tat a.b.C.d(C.java:1)");
        assert!(!taken.counts(line.as_bytes()));
        let mut full = Extent::of(MOST_LINES, 1);
        (full.class, full.alike) = (b"a.b.TideException: ".to_vec(), ALIKE);
        assert!(!full.counts(line.as_bytes()));
    }

    #[test]
    fn words_before_a_colon_are_no_class() {
        assert_eq!(class("a.b.TideException: ebb"), "a.b.TideException: ");
        assert_eq!(class("ValueError: x: y"), "ValueError: ");
        for text in [
            "ERROR: x",
            "Error x: y",
            "a TideException: ebb",
            "",
            "ValueError:",
        ] {
            assert_eq!(class(text), "", "{text}");
        }
    }

    #[test]
    fn a_record_without_end_is_cut() {
        let most = MOST_LINES + MORE_LINES;
        let log = format!("24/01/02 03:04:05 ERROR X: y\n{}", "z\n".repeat(most));
        let records = records(&log);
        assert_eq!(records.len(), 2);
        assert_eq!(records[0].lines.len(), most);
        assert_eq!(records[1].head, None);
    }

    #[test]
    fn it_is_cut_between_two_traces_where_that_is_near() {
        let traceback = "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    g()\nValueError: x\n";
        let chained = format!(
            "{traceback}\nDuring handling of the above exception, another exception occurred:\n\n"
        );
        let jvm = "a.b.TideException: ebb\n\tat a.B.c(B.java:1)\n\tat a.B.d(B.java:2)\nCaused by: a.E: x\n\tat a.B.e(B.java:3)\n";
        for (trace, begin) in [(traceback, "Traceback "), (&chained, ""), (jvm, "a.b.")] {
            for before in 0..7 {
                let log = "z\n".repeat(before) + &trace.repeat(MOST_LINES / 3);
                let records = records(&log);
                assert!(records.len() > 1);
                for record in &records[1..] {
                    let first = record.lines[0].text.as_str();
                    let begins = if begin.is_empty() {
                        first.is_empty()
                    } else {
                        first.starts_with(begin)
                    };
                    assert!(begins || first.starts_with("Traceback "), "{first}");
                }
            }
        }
    }
}
