//! In: the lines of a source's sample. Out: [`Table`], where the source is a log store's export in CSV: which column
//! holds the lines of the log. Each store names and orders the columns in its own way, so they are told by what is in them.

use super::learned::Learned;
use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

/// So many lines of a sample are looked at.
const MOST_LINES: usize = 600;
/// An export has at most so many columns; a line of a log with more commas is none.
const MOST_COLUMNS: usize = 64;
/// A column's name is at most so many bytes long.
const LONGEST_NAME: usize = 60;
/// So many signs of a row's first cell tell it from a line with as many commas.
const TOLD_BY: usize = 5;

/// The columns of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Table {
    /// How many there are, and which holds the log.
    columns: usize,
    column: usize,
    /// What the first cell of a row begins with, where that is not the log's.
    first: Option<Learned>,
    /// The line that names the columns, hashed.
    names: u64,
}

/// What a row tells.
#[derive(Debug, PartialEq)]
pub(super) struct Row<'l> {
    /// The line of the log, or its beginning where it goes on in the source's next line.
    pub(super) text: Cow<'l, str>,
    /// The first cell, where it is not the log's: the time that the store keeps.
    pub(super) stamp: Option<&'l str>,
}

impl Table {
    /// The columns that the first of `lines` names, when one of them holds what `speaks` in at least two rows, or within quotes in one.
    pub(super) fn of<'l>(
        lines: impl IntoIterator<Item = &'l str>,
        speaks: impl Fn(&str) -> bool,
    ) -> Option<Self> {
        let mut lines = lines.into_iter().take(MOST_LINES);
        let named = lines.next().filter(|line| !speaks(line))?;
        let names: Vec<_> = cells(named).collect();
        let is_name = |cell: &Cell<'_>| {
            let text = cell.text;
            cell.closed
                && text.len() <= LONGEST_NAME
                && text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '@'))
        };
        if !(2..=MOST_COLUMNS).contains(&names.len()) || !names.iter().all(is_name) {
            return None;
        }
        let mut told = vec![0; names.len()];
        let mut first = None;
        let mut quoted = false;
        for line in lines {
            let row: Vec<_> = cells(line).take(names.len() + 1).collect();
            let cut = row.last().is_some_and(|cell| !cell.closed);
            if row.len() == names.len() || cut && row.len() < names.len() {
                let speaking = row.iter().position(|cell| speaks(&cell.plain()));
                if let Some(at) = speaking {
                    told[at] += 1;
                    quoted |= row[at].quoted;
                    first = first.or(Some(row[0].text).filter(|_| at > 0));
                }
            }
        }
        let (column, rows) = (0..).zip(told).max_by_key(|&(_, rows)| rows)?;
        (rows >= 2 || rows == 1 && quoted).then(|| Self {
            columns: names.len(),
            column,
            first: first.and_then(|text| Learned::beginning(text, TOLD_BY)),
            names: hash(named.trim_end()),
        })
    }

    /// Whether a line names the columns.
    pub(super) fn is_named_by(&self, line: &str) -> bool {
        hash(line.trim_end()) == self.names
    }

    /// What a row tells that begins in this line; `None` where none does.
    pub(super) fn row<'l>(&self, line: &'l str) -> Option<Row<'l>> {
        let mut found = None;
        let mut first = None;
        let mut count = 0;
        let mut closed = true;
        for cell in cells(line).take(self.columns + 1) {
            first = first.or(Some(cell.text));
            if count == self.column {
                found = Some(cell.plain());
            }
            closed = cell.closed;
            count += 1;
        }
        let first = first.filter(|_| self.column > 0);
        let whole = count == self.columns && closed || !closed && count <= self.columns;
        let alike = match (&self.first, first) {
            (Some(shape), Some(cell)) => shape.strip(cell).is_some(),
            // Where the log's own column is the first, only its quote tells.
            _ => line.starts_with('"') || closed,
        };
        let text = found.filter(|_| whole && alike)?;
        Some(Row { text, stamp: first })
    }

    /// A later line of a cell of any table, without what ends the cell.
    pub(super) fn later_line(line: &str) -> Cow<'_, str> {
        let end = end_of_quoted(line).filter(|end| {
            let behind = &line[end + 1..];
            behind.is_empty() || behind.starts_with(',') || behind == "\r"
        });
        undoubled(&line[..end.unwrap_or(line.len())])
    }
}

/// A cell of a line.
#[derive(Debug)]
struct Cell<'l> {
    /// Without the quotes around it, those in it doubled.
    text: &'l str,
    quoted: bool,
    /// Whether it ends in the line.
    closed: bool,
}

impl<'l> Cell<'l> {
    fn plain(&self) -> Cow<'l, str> {
        if self.quoted {
            undoubled(self.text)
        } else {
            Cow::Borrowed(self.text)
        }
    }
}

fn cells(line: &str) -> impl Iterator<Item = Cell<'_>> {
    let mut rest = Some(line.trim_end_matches('\r'));
    std::iter::from_fn(move || {
        let text = rest.take()?;
        if let Some(inner) = text.strip_prefix('"') {
            let Some(end) = end_of_quoted(inner) else {
                return Some(Cell {
                    text: inner,
                    quoted: true,
                    closed: false,
                });
            };
            rest = inner[end + 1..].strip_prefix(',');
            return Some(Cell {
                text: &inner[..end],
                quoted: true,
                closed: true,
            });
        }
        let (text, behind) = match text.split_once(',') {
            Some((text, behind)) => (text, Some(behind)),
            None => (text, None),
        };
        rest = behind;
        Some(Cell {
            text,
            quoted: false,
            closed: true,
        })
    })
}

/// Where the quote is that ends a quoted text: the first that is not doubled.
fn end_of_quoted(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += memchr::memchr(b'"', bytes.get(at..)?)?;
        if bytes.get(at + 1) != Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}

fn undoubled(text: &str) -> Cow<'_, str> {
    if text.contains("\"\"") {
        Cow::Owned(text.replace("\"\"", "\""))
    } else {
        Cow::Borrowed(text)
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;

    const EXPORT: [&str; 6] = [
        "Date,Host,Message,Service",
        r#""2024-06-02T03:04:05.678Z","dn7","INFO a: say ""ebb""","tides""#,
        r"2024-06-02T03:04:06.001Z,dn7,INFO b: flow,tides",
        r#""2024-06-02T03:04:07.345Z","dn7","INFO c: two"#,
        r"	at a.B.c(B.java:1), and on",
        r#"the ""end""","tides""#,
    ];

    fn told(lines: &[&str]) -> Option<Table> {
        Table::of(lines.iter().copied(), |text| text.starts_with("INFO "))
    }

    #[test]
    fn the_column_of_the_log_is_found_whatever_its_name() {
        let table = told(&EXPORT).unwrap();
        assert!(table.is_named_by(EXPORT[0]));
        let text = |line| table.row(line).map(|row| row.text.into_owned());
        assert_eq!(text(EXPORT[1]).as_deref(), Some("INFO a: say \"ebb\""));
        assert_eq!(text(EXPORT[2]).as_deref(), Some("INFO b: flow"));
        assert_eq!(text(EXPORT[3]).as_deref(), Some("INFO c: two"));
        let stamp = table.row(EXPORT[1]).unwrap().stamp;
        assert_eq!(stamp, Some("2024-06-02T03:04:05.678Z"));
    }

    #[test]
    fn what_goes_on_in_the_next_line_ends_with_its_quote() {
        let table = told(&EXPORT).unwrap();
        assert_eq!(table.row(EXPORT[4]), None);
        assert_eq!(table.row("x, y, z, of four"), None);
        assert_eq!(Table::later_line(EXPORT[4]), EXPORT[4]);
        assert_eq!(Table::later_line(EXPORT[5]), "the \"end\"");
    }

    #[test]
    fn a_log_is_no_table() {
        assert_eq!(told(&["INFO a, b", "INFO c, d", "INFO e, f"]), None);
        assert_eq!(told(&["one, two", "three", "INFO a", "INFO b"]), None);
        assert_eq!(told(&["a,b", "1,x", "2,y"]), None);
    }
}
