//! In: a line of a source whose [`Dress`] is known. Out: the same without what the source as a whole is wrapped in.

use super::damage;
use super::hard_wrap;
use super::json::Carrier;
use super::learned::Learned;
use super::order::Order;
use super::pattern::compile;
use super::shipper::SHIPPERS;
use super::table::Table;
use super::tags;
use super::undress::Undressed;
use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// What a source as a whole is wrapped in, where one line alone cannot tell: quoted mail, a code block's
/// indentation, a service's name before a bar.
///
/// Decided once for each source; the text of a line is a pure function of its bytes and this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one way of being wrapped, in any combination"
)]
pub struct Dress {
    /// Blanks before every line of the log.
    pub(super) indent: u8,
    /// Whether `<` and its like are written as entities.
    pub(super) entities: bool,
    /// Whether it is the source of a web page, with tags around its lines.
    pub(super) tags: bool,
    /// Whether the source is a CSV export, in which one quoted message may go over several lines.
    pub(super) csv: bool,
    /// In which order it tells.
    pub(super) order: Order,
    /// The rules for shippers that hold, one bit each.
    pub(super) shippers: u64,
    /// What stands in front of the lines where no rule knows it.
    pub(super) learned: Option<Learned>,
    /// The member of the source's JSON objects that carries its lines, where it has no known name.
    pub(super) carrier: Option<Carrier>,
    /// The columns of a log store's export in CSV, where no rule knows it.
    pub(super) table: Option<Table>,
    /// The column at which longer lines were broken, where they were.
    pub(super) wrapped_at: Option<u16>,
    /// Whether all that speaks stands in blocks of code.
    pub(super) fenced: bool,
}

/// Wrappings in wrappings are found to this depth.
pub(super) const DEEPEST: usize = 3;

/// Names in angle brackets, and the arrow before an inner exception, written as HTML.
pub(super) static ENTITIES: LazyLock<Regex> = LazyLock::new(|| {
    compile(concat!(
        r"---&gt; |&lt;(?:init|clinit|module|lambda|listcomp|genexpr|stdin)&gt;",
        r"|(?:File|thread|option) &(?:quot|apos|#34|#39|#x2[27]);"
    ))
    .expect("a valid pattern")
});

/// The rule for the frames of terminal programs.
static FRAME: LazyLock<Option<u32>> = LazyLock::new(|| SHIPPERS.number("box"));

/// The rule for quoted mail.
static QUOTE: LazyLock<Option<u32>> = LazyLock::new(|| SHIPPERS.number("quote"));

impl Dress {
    /// Whether the source tells the newest first.
    pub fn is_newest_first(self) -> bool {
        self.order != Order::Forth
    }

    /// Whether a row of such a source begins with this line: those behind it that do not are its own.
    pub(super) fn begins_row(self, line: &[u8]) -> bool {
        let line = Undressed::new(line, self);
        if self.order == Order::RowsBack {
            line.stamp.is_some()
        } else {
            line.begins_record()
        }
    }

    /// Whether a line stands around the rows of such a table, not in one.
    pub(super) fn is_around_rows(self, stamped: bool) -> bool {
        self.order == Order::RowsBack && !self.csv && !stamped
    }

    /// A line without the right side of the frame that a terminal program drew around the log: what stands in the line
    /// may be cut into pieces, of which only the first has the left side.
    pub(super) fn unframed(self, text: &str) -> &str {
        if FRAME.is_some_and(|rule| self.wears(rule)) {
            let inner = text.trim_end().trim_end_matches('│');
            // The blanks behind a carriage return are a terminal's own.
            if inner.contains('\r') {
                inner
            } else {
                inner.trim_end()
            }
        } else {
            text
        }
    }

    /// Whether a line stands outside of the quotes that the source's log is in, begins or ends a block of code, or
    /// names the columns of an export.
    pub(super) fn is_outside(self, line: &[u8]) -> bool {
        let blanks = line
            .iter()
            .take_while(|b| matches!(b, b' ' | b'\t'))
            .count();
        let line = line.trim_ascii_start();
        if blanks < usize::from(self.indent) && !line.is_empty() {
            return true;
        }
        line.starts_with(b"```")
            || line.starts_with(b"timestamp,")
            || line.starts_with(b"@timestamp,")
            || self.table.is_some_and(|table| {
                std::str::from_utf8(line).is_ok_and(|line| table.is_named_by(line))
            })
            || line.first() != Some(&b'>') && QUOTE.is_some_and(|rule| self.wears(rule))
    }

    /// Whether a line is another member of an object that was printed over several lines, and says nothing of the log.
    pub(super) fn is_beside(self, line: &[u8]) -> bool {
        let carrier = self.carrier.filter(|carrier| carrier.has_own_line());
        carrier.is_some_and(|carrier| {
            let line = std::str::from_utf8(line).ok();
            let printed = line.and_then(|line| Carrier::member_in(Some(carrier), line));
            !printed.is_some_and(|printed| carrier.is(&printed))
        })
    }

    /// A line without indentation and all prefixes that are known so far.
    pub(super) fn strip(self, line: &str) -> String {
        let line = self.unentitled(line);
        let text = &line[self.indent_of(&line)..];
        let mut text = match self.table.and_then(|table| table.row(text)) {
            Some(row) => row.text.into_owned(),
            None => text.to_owned(),
        };
        let mut learned = false;
        for _ in 0..DEEPEST {
            text = match SHIPPERS.strip(&text, self) {
                Some(stripped) => stripped.rest.into_owned(),
                None => match self.unlearned(&text).filter(|_| !learned) {
                    Some(rest) => {
                        learned = true;
                        rest.to_owned()
                    }
                    None => break,
                },
            };
        }
        text
    }

    /// A line without the prefix that was learned of this source.
    pub(super) fn unlearned(self, text: &str) -> Option<&str> {
        self.learned?.strip(text)
    }

    /// The member of the source's JSON objects that carries its lines.
    pub(super) fn carrier(self) -> Option<Carrier> {
        self.carrier
    }

    /// Whether a line was broken, and goes on in the next.
    pub(super) fn is_full(self, line: &str) -> bool {
        self.wrapped_at
            .is_some_and(|width| hard_wrap::is_full(line, width))
    }

    /// Whether all that speaks in the source stands in blocks of code: what is around them, somebody wrote.
    pub(super) fn is_fenced(self) -> bool {
        self.fenced
    }

    /// Whether the rule of a shipper holds.
    pub(super) fn wears(self, rule: u32) -> bool {
        rule < u64::BITS && self.shippers >> rule & 1 == 1
    }

    /// The lines of text in a line of a web page; any other line as it is.
    pub(super) fn untagged(self, text: &str) -> Vec<Cow<'_, str>> {
        if self.tags {
            return tags::lines_of(text).into_iter().map(Cow::Owned).collect();
        }
        vec![Cow::Borrowed(text)]
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

    /// The columns of the export that the source is.
    pub(super) fn table(self) -> Option<Table> {
        self.table
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
