//! In: a sample of a source. Out: its [`Dress`]: which of the ambiguous wrappings the whole source wears.

use super::damage;
use super::escapes;
use super::hard_wrap;
use super::json::{self, Carrier, Event, Member};
use super::layout::compile;
use super::learned::Learned;
use super::order::{Order, Steps};
use super::shipper::{SHIPPERS, When};
use super::speaks::{speaks, speaks_behind_any, speaks_or_carries, speaks_somehow};
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
    indent: u8,
    /// Whether `<` and its like are written as entities.
    entities: bool,
    /// Whether it is the source of a web page, with tags around its lines.
    tags: bool,
    /// Whether the source is a CSV export, in which one quoted message may go over several lines.
    csv: bool,
    /// In which order it tells.
    order: Order,
    /// The rules for shippers that hold, one bit each.
    shippers: u64,
    /// What stands in front of the lines where no rule knows it.
    learned: Option<Learned>,
    /// The member of the source's JSON objects that carries its lines, where it has no known name.
    carrier: Option<Carrier>,
    /// The columns of a log store's export in CSV, where no rule knows it.
    table: Option<Table>,
    /// The column at which longer lines were broken, where they were.
    wrapped_at: Option<u16>,
    /// Whether all that speaks stands in blocks of code.
    fenced: bool,
}

/// So many bytes at the beginning of a sample are looked at, and so many at its end.
const LOOKED_AT: (usize, usize) = (192 << 10, 64 << 10);
/// So many lines show in which direction time goes.
const MOST_TIMES: usize = 500;
/// Wrappings in wrappings are found to this depth.
const DEEPEST: usize = 3;

/// Names in angle brackets, and the arrow before an inner exception, written as HTML.
static ENTITIES: LazyLock<Regex> = LazyLock::new(|| {
    compile(concat!(
        r"---&gt; |&lt;(?:init|clinit|module|lambda|listcomp|genexpr|stdin)&gt;",
        r"|(?:File|thread|option) &(?:quot|apos|#34|#39|#x2[27]);"
    ))
    .expect("a valid pattern")
});

/// Quotes as entities.
static QUOTES: LazyLock<Regex> =
    LazyLock::new(|| compile("&(?:quot|apos|#34|#39|#x2[27]);").expect("a valid pattern"));

/// The rule for the frames of terminal programs.
static FRAME: LazyLock<Option<u32>> = LazyLock::new(|| SHIPPERS.number("box"));

/// The rule for quoted mail.
static QUOTE: LazyLock<Option<u32>> = LazyLock::new(|| SHIPPERS.number("quote"));

impl Dress {
    /// What `sample` wears: the first bytes of a source (256 KiB are enough), best with some of its end.
    pub fn of(sample: &[u8]) -> Self {
        let (head, rest) = sample.split_at(sample.len().min(LOOKED_AT.0));
        let tail = &rest[rest.len().saturating_sub(LOOKED_AT.1)..];
        let mut decoded: Vec<Cow<'_, str>> = [head, tail]
            .into_iter()
            .flat_map(|part| part.split(|&b| b == b'\n'))
            .map(damage::decode)
            .collect();
        let wrapped_at = hard_wrap::width(&decoded, speaks);
        if let Some(width) = wrapped_at {
            decoded = hard_wrap::join(decoded, width);
        }
        let mut lines = mended(&decoded);
        let tags = tags::are_in(lines.iter().map(String::as_str), speaks_somehow);
        if tags {
            lines = lines.iter().flat_map(|line| tags::lines_of(line)).collect();
        }
        let mut dress = Self {
            indent: indent(&decoded),
            tags,
            entities: tags || has_entities(&lines),
            wrapped_at,
            ..Self::default()
        };
        let texts = lines.iter().map(String::as_str);
        dress.carrier = Carrier::of(texts, |text| {
            speaks_or_carries(&dress.strip(text)) || speaks_behind_any(text)
        });
        if let Some(rule) = SHIPPERS.number("cloudwatch-csv") {
            let mut exported = lines
                .iter()
                .filter(|l| SHIPPERS.strip_by(rule, l).is_some());
            dress.csv = exported.next().is_some();
        }
        if !dress.csv {
            let texts = lines.iter().map(String::as_str);
            dress.table = Table::of(texts, speaks_somehow);
        }
        let mut bare = dress.bare(&lines);
        for _ in 0..DEEPEST {
            let more = dress.shippers_of(&bare);
            if more != dress.shippers {
                dress.shippers = more;
            } else if dress.learned.is_none() {
                let (within, without) = by_fences(&bare);
                let lines = if within.is_empty() { without } else { within };
                let lines = lines.into_iter();
                dress.learned = Learned::of(lines, speaks_or_carries);
                if dress.learned.is_none() {
                    break;
                }
            } else {
                break;
            }
            bare = dress.bare(&lines);
        }
        let (within, without) = by_fences(&bare);
        let speaks = |lines: &[&str]| lines.iter().any(|line| speaks_or_carries(line));
        dress.fenced = speaks(&within) && !speaks(&without);
        dress.order = dress.order_of(&lines);
        dress
    }

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
        let line = line.trim_ascii_start();
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
            let printed = std::str::from_utf8(line).ok().and_then(Member::of);
            !printed.is_some_and(|printed| carrier.is(&printed))
        })
    }

    /// Whether the times of the lines go back again and again, and hardly ever on: a store's own times, or those of the
    /// log's heads.
    fn order_of(self, lines: &[String]) -> Order {
        let (mut stamps, mut heads) = (Steps::default(), Steps::default());
        let (mut before, mut stamp_before) = (None, None);
        for line in lines.iter().take(MOST_TIMES) {
            let line = Undressed::new(line.as_bytes(), self);
            let time = line.time();
            if let Some((time, before)) = time.zip(before) {
                heads.count(time.cmp(&before));
            }
            before = time.or(before);
            if let Some(stamp) = line.stamp {
                // Stamps of one store are of one form: their text sorts as their times do.
                if let Some(before) = &stamp_before {
                    stamps.count(stamp.cmp(before));
                }
                stamp_before = Some(stamp);
            }
        }
        Order::of(stamp_before.map(|_| &stamps), &heads)
    }

    /// The lines without what is known of their wrapping so far, and those in envelopes out of them.
    fn bare(self, lines: &[String]) -> Vec<String> {
        let mut bare = Vec::with_capacity(lines.len());
        for line in lines {
            self.open(line, DEEPEST, &mut bare);
        }
        bare
    }

    fn open(self, line: &str, depth: usize, bare: &mut Vec<String>) {
        let line = self.strip(line);
        match json::read(&line, self.carrier).filter(|_| depth > 0) {
            Some(Event::Shipped { text, .. }) => {
                let inner = text.split('\n').filter(|line| !line.trim().is_empty());
                inner.for_each(|line| self.open(line, depth - 1, bare));
            }
            _ => match escapes::unlist(&line).filter(|_| depth > 0) {
                Some(lines) => lines
                    .iter()
                    .for_each(|line| self.open(line, depth - 1, bare)),
                None => bare.push(line),
            },
        }
    }

    fn shippers_of(self, stripped: &[String]) -> u64 {
        let mut found = self.shippers;
        for (rule, when) in SHIPPERS.of_sources().filter(|&(rule, _)| !self.wears(rule)) {
            let (mut with, mut speaking) = (0, 0);
            // What one service runs in another's container is shipped twice in the same way.
            let wearing = Self {
                shippers: self.shippers | 1 << rule,
                ..self
            };
            for line in stripped {
                if let Some(rest) = SHIPPERS.strip_by(rule, line) {
                    with += 1;
                    speaking += usize::from(speaks_or_carries(&wearing.strip(&rest.rest)));
                }
            }
            let most = with * 10 >= stripped.len() * 6;
            if match when {
                When::Mostly => with >= 3 && most,
                _ => {
                    speaking >= 2
                        || speaking == 1 && (most || with >= 3)
                        || with >= 3 && with == stripped.len()
                }
            } {
                found |= 1 << rule;
            }
        }
        found
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

/// The lines within blocks of code, and those around them.
fn by_fences(lines: &[String]) -> (Vec<&str>, Vec<&str>) {
    let mut inside = false;
    let (mut within, mut without) = (Vec::new(), Vec::new());
    for line in lines.iter().map(String::as_str) {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if inside {
            within.push(line);
        } else {
            without.push(line);
        }
    }
    (within, without)
}

/// The lines without colours and progress bars; empty ones say nothing of a wrapping.
fn mended(decoded: &[Cow<'_, str>]) -> Vec<String> {
    let pieces = decoded.iter().flat_map(|line| damage::mend(line));
    let lines = pieces.filter(|line| !line.trim().is_empty());
    lines.map(Cow::into_owned).collect()
}

/// Whether the lines are written with entities: names in brackets are, or quotes are and nothing is bare.
fn has_entities(lines: &[String]) -> bool {
    lines.iter().any(|line| ENTITIES.is_match(line))
        || lines.iter().any(|line| QUOTES.is_match(line))
            && !lines.iter().any(|line| line.contains(['<', '>', '"']))
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
