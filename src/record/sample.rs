//! In: a sample of a source. Out: the [`Dress`] that the whole source wears.

use super::damage;
use super::dress::{DEEPEST, Dress, ENTITIES};
use super::escapes;
use super::hard_wrap;
use super::json::{self, Carrier, Event};
use super::learned::Learned;
use super::order::{Order, Steps};
use super::pattern::compile;
use super::shipper::{SHIPPERS, When};
use super::speaks::{speaks, speaks_behind_any, speaks_or_carries, speaks_somehow};
use super::table::Table;
use super::tags;
use super::undress::Undressed;
use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// So many bytes at the beginning of a sample are looked at, and so many at its end.
const LOOKED_AT: (usize, usize) = (192 << 10, 64 << 10);
/// So many lines show in which direction time goes.
const MOST_TIMES: usize = 500;
/// Quotes as entities.
static QUOTES: LazyLock<Regex> =
    LazyLock::new(|| compile("&(?:quot|apos|#34|#39|#x2[27]);").expect("a valid pattern"));

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
            let text = damage::uncolour(text);
            speaks_or_carries(&dress.strip(&text)) || speaks_behind_any(&text)
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
                dress.learned = Learned::of(&lines, speaks_or_carries);
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
            // Whether no line without it speaks.
            let (mut alone, mut announced) = (true, false);
            // What one service runs in another's container is shipped twice in the same way.
            let wearing = Self {
                shippers: self.shippers | 1 << rule,
                ..self
            };
            for line in stripped {
                if let Some(rest) = SHIPPERS.strip_by(rule, line) {
                    with += 1;
                    speaking += usize::from(speaks_or_carries(&wearing.strip(&rest.rest)));
                } else {
                    alone &= !speaks_or_carries(line);
                    announced |= with == 0 && SHIPPERS.announces(rule, line);
                }
            }
            let most = with * 10 >= stripped.len() * 6;
            if match when {
                When::Mostly => with >= 3 && most,
                When::Spoken => {
                    with >= 3 && most || with >= 2 && alone && (speaking >= 1 || announced)
                }
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

/// The lines without colours and progress bars; empty ones say nothing of a wrapping. A prefix in front of bars stands in
/// front of what they were overwritten with again.
fn mended(decoded: &[Cow<'_, str>]) -> Vec<String> {
    let mut lines = Vec::with_capacity(decoded.len());
    for line in decoded {
        let mut pieces = damage::mend(line).into_iter().peekable();
        let prefix = pieces.next_if(|first| first.ends_with([' ', '\t', ':']));
        match (prefix, pieces.peek()) {
            (Some(prefix), Some(_)) => lines.extend(pieces.map(|piece| format!("{prefix}{piece}"))),
            (Some(only), None) => lines.push(only.into_owned()),
            (None, _) => lines.extend(pieces.map(Cow::into_owned)),
        }
    }
    lines.retain(|line| !line.trim().is_empty());
    lines
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
    fn what_a_letter_quotes_is_found_by_what_announces_it() {
        let quoted = "> the job stopped\n> and nobody knows why";
        let letter = |head: &str| Dress::of(format!("{head}\n{quoted}\nBest").as_bytes());
        let dress = letter("On Tue, Jan 2, 2024 Oncall <oncall@shop.example> wrote:");
        assert_eq!(dress.strip("> \tat x"), "\tat x");
        assert_eq!(letter("I typed this:"), Dress::default());
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
