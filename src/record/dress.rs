//! In: a sample of a source. Out: its [`Dress`]: which of the ambiguous wrappings the whole source wears.

use super::damage;
use super::layout::{LAYOUTS, compile};
use super::shipper::{SHIPPERS, When};
use super::undress::Undressed;
use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// What a source as a whole is wrapped in, where one line alone cannot tell: quoted mail, a code block's
/// indentation, a service's name before a bar.
///
/// Decided once for each source; the text of a line is a pure function of its bytes and this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dress {
    /// Blanks before every line of the log.
    indent: u8,
    /// Whether `<` and its like are written as entities.
    entities: bool,
    /// Whether the source is a CSV export, in which one quoted message may go over several lines.
    csv: bool,
    /// Whether the source tells the newest first, as the tables of log stores do.
    newest_first: bool,
    /// The rules for shippers that hold, one bit each.
    shippers: u64,
}

/// So many bytes at the beginning of a sample are looked at, and so many at its end.
const LOOKED_AT: (usize, usize) = (192 << 10, 64 << 10);
/// So many lines show in which direction time goes.
const MOST_TIMES: usize = 500;
/// Wrappings in wrappings are found to this depth.
const DEEPEST: usize = 3;

/// What shows that a line was taken out of its wrapping: beginnings of traces, causes, frames.
static TRACE: LazyLock<Regex> = LazyLock::new(|| {
    compile(concat!(
        r"^(?:\s*at [\w.$<>/]+\(|Traceback \(most recent call last\):|Caused by: |\s+File .*, line \d+",
        r#"|Exception in thread "|(?:[\w$]+\.)*[A-Z][\w$]*(?:Exception|Error)(?:: |$)|\{"ts": ?")"#
    ))
    .expect("a valid pattern")
});

/// Names in angle brackets, written as HTML.
static ENTITIES: LazyLock<Regex> = LazyLock::new(|| {
    compile(concat!(
        r"&lt;(?:init|clinit|module|lambda|listcomp|genexpr|stdin)&gt;",
        r"|(?:File|thread|option) &(?:quot|apos|#34|#39|#x2[27]);"
    ))
    .expect("a valid pattern")
});

/// The rule for quoted mail.
static QUOTE: LazyLock<Option<u32>> = LazyLock::new(|| SHIPPERS.number("quote"));

impl Dress {
    /// What `sample` wears: the first bytes of a source (256 KiB are enough), best with some of its end.
    pub fn of(sample: &[u8]) -> Self {
        let (head, rest) = sample.split_at(sample.len().min(LOOKED_AT.0));
        let tail = &rest[rest.len().saturating_sub(LOOKED_AT.1)..];
        let decoded: Vec<Cow<'_, str>> = [head, tail]
            .into_iter()
            .flat_map(|part| part.split(|&b| b == b'\n'))
            .map(damage::decode)
            .collect();
        let lines: Vec<String> = decoded
            .iter()
            .flat_map(|line| {
                damage::mend(line)
                    .into_iter()
                    .map(Cow::into_owned)
                    .collect::<Vec<_>>()
            })
            .filter(|line| !line.trim().is_empty())
            .collect();
        let mut dress = Self {
            indent: indent(&decoded),
            entities: lines.iter().any(|line| ENTITIES.is_match(line)),
            csv: false,
            newest_first: false,
            shippers: 0,
        };
        if let Some(rule) = SHIPPERS.number("cloudwatch-csv") {
            let mut exported = lines
                .iter()
                .filter(|l| SHIPPERS.strip_by(rule, l).is_some());
            dress.csv = exported.next().is_some();
        }
        for _ in 0..DEEPEST {
            let more = dress.shippers_of(&lines);
            if more == dress.shippers {
                break;
            }
            dress.shippers = more;
        }
        dress.newest_first = dress.runs_back(&lines);
        dress
    }

    /// Whether the source tells the newest first.
    pub(super) fn is_newest_first(self) -> bool {
        self.newest_first
    }

    /// Whether a line stands outside of the quotes that the source's log is in.
    pub(super) fn is_outside(self, line: &[u8]) -> bool {
        line.trim_ascii_start().first() != Some(&b'>') && QUOTE.is_some_and(|rule| self.wears(rule))
    }

    /// Whether the times of the lines go back again and again, and hardly ever on.
    fn runs_back(self, lines: &[String]) -> bool {
        let (mut back, mut on) = (0, 0);
        let mut before = None;
        for line in lines.iter().take(MOST_TIMES) {
            let time = Undressed::new(line.as_bytes(), self).time();
            match time.zip(before) {
                Some((time, before)) if time < before => back += 1,
                Some((time, before)) if time > before => on += 1,
                _ => {}
            }
            before = time.or(before);
        }
        back >= 3 && back >= 5 * on
    }

    fn shippers_of(self, lines: &[String]) -> u64 {
        let mut found = self.shippers;
        let stripped: Vec<String> = lines.iter().map(|line| self.strip(line)).collect();
        for (rule, when) in SHIPPERS.of_sources().filter(|&(rule, _)| !self.wears(rule)) {
            let (mut with, mut speaking) = (0, 0);
            for line in &stripped {
                if let Some(rest) = SHIPPERS.strip_by(rule, line) {
                    with += 1;
                    speaking += usize::from(speaks(&self.strip(&rest.rest)));
                }
            }
            let most = with * 10 >= stripped.len() * 6;
            if match when {
                When::Mostly => with >= 3 && most,
                _ => speaking >= 2 || speaking == 1 && most,
            } {
                found |= 1 << rule;
            }
        }
        found
    }

    /// A line without indentation and all prefixes that are known so far.
    fn strip(self, line: &str) -> String {
        let line = self.unentitled(line);
        let mut text = line[self.indent_of(&line)..].to_owned();
        for _ in 0..DEEPEST {
            let Some(stripped) = SHIPPERS.strip(&text, self) else {
                break;
            };
            text = stripped.rest.into_owned();
        }
        text
    }

    /// Whether the rule of a shipper holds.
    pub(super) fn wears(self, rule: u32) -> bool {
        rule < u64::BITS && self.shippers >> rule & 1 == 1
    }

    /// Whether the whole source is indented.
    pub(super) fn is_indented(self) -> bool {
        self.indent > 0
    }

    /// How many bytes at the beginning of `text` are the source's indentation.
    pub(super) fn indent_of(self, text: &str) -> usize {
        let blanks = text.bytes().take_while(|b| matches!(b, b' ' | b'\t'));
        blanks.take(usize::from(self.indent)).count()
    }

    /// A line with its entities resolved, where the source, or a name in this line, is written with them.
    pub(super) fn unentitled(self, text: &str) -> Cow<'_, str> {
        if text.contains('&') && (self.entities || ENTITIES.is_match(text)) {
            return Cow::Owned(damage::resolve_entities(text));
        }
        Cow::Borrowed(text)
    }

    /// A later line of a quoted message of a CSV export, without its doubled quotes and the last one.
    pub(super) fn unquoted(self, text: &str) -> Cow<'_, str> {
        if !self.csv || !text.contains('"') {
            return Cow::Borrowed(text);
        }
        let odd = text.bytes().filter(|&b| b == b'"').count() % 2 == 1;
        let text = text.strip_suffix('"').filter(|_| odd).unwrap_or(text);
        Cow::Owned(text.replace("\"\"", "\""))
    }

    #[cfg(test)]
    pub(super) fn with(mut self, rule: u32) -> Self {
        self.shippers |= 1 << rule;
        self
    }
}

fn speaks(text: &str) -> bool {
    TRACE.is_match(text) || LAYOUTS.fits(text)
}

/// The least indentation of the lines that begin something at the left margin, when a log is not indented. Where
/// none does, for a prefix that is not known yet stands in front: that of all lines.
fn indent(lines: &[Cow<'_, str>]) -> u8 {
    let (mut least, mut margin) = (usize::MAX, Some(usize::MAX));
    for line in lines {
        let text = line.trim_start();
        let blanks = line.len() - text.len();
        // Behind a carriage return, a margin shows nothing.
        if text.trim_end().contains('\r') || line[..blanks].contains('\r') {
            continue;
        }
        let frame = text.starts_with("at ") || text.starts_with("File ");
        if blanks < least && !frame && speaks(text) {
            least = blanks;
        }
        if !text.is_empty() {
            // A trace without its beginning is indented as well, and must stay so.
            margin = margin.map(|m| m.min(blanks)).filter(|_| !frame);
        }
    }
    if least == usize::MAX {
        least = margin.unwrap_or(0);
    }
    u8::try_from(least).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "24/01/02 03:04:05 ERROR Tides: ebb\njava.io.IOException: gone\n\tat a.B.c(B.java:1)\nCaused by: x";

    fn wrapped(prefix: &str) -> Dress {
        let lines: Vec<_> = LOG.lines().map(|l| format!("{prefix}{l}")).collect();
        Dress::of(lines.join("\n").as_bytes())
    }

    #[test]
    fn a_plain_log_wears_nothing() {
        assert_eq!(Dress::of(LOG.as_bytes()), Dress::default());
        assert_eq!(Dress::of(b""), Dress::default());
        assert_eq!(
            Dress::of(
                b"Error from python worker:\n  Traceback (most recent call last):\nCaused by: x"
            ),
            Dress::default()
        );
    }

    #[test]
    fn wrappings_are_found_within_each_other() {
        assert_eq!(wrapped("    ").indent, 4);
        for prefix in ["> ", "E   ", "tide_1  | ", "> tide_1 | ", "[info] "] {
            let dress = wrapped(prefix);
            assert_eq!(
                dress.strip(&format!("{prefix}\tat x")),
                "\tat x",
                "{prefix}"
            );
        }
    }

    #[test]
    fn a_margin_in_front_of_a_prefix_is_found() {
        assert_eq!(wrapped("    tide_1  | ").indent, 4);
        assert_eq!(
            Dress::of(b"    at a.B.c(B.java:1)\n    at a.B.d(B.java:2)"),
            Dress::default()
        );
        assert_eq!(Dress::of(b"  x\n  File \"a.py\", line 1"), Dress::default());
    }

    #[test]
    fn a_table_of_a_log_store_tells_the_newest_first() {
        let rows: Vec<_> = (0..6)
            .map(|i| format!("| 2024-01-02 03:04:0{i}.000 | 24/01/02 03:04:0{i} INFO Tides: ebb |"))
            .collect();
        let forth = rows.join("\n");
        let back: Vec<_> = rows.into_iter().rev().collect();
        assert!(Dress::of(back.join("\n").as_bytes()).is_newest_first());
        assert!(!Dress::of(forth.as_bytes()).is_newest_first());
    }

    #[test]
    fn a_table_or_a_quote_in_a_log_is_none() {
        let log = format!("{LOG}\nstatus | count\n> df.show()\nopen   | 3");
        assert_eq!(Dress::of(log.as_bytes()), Dress::default());
    }
}
