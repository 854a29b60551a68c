//! In: the lines of a source's sample. Out: the column at which a terminal or a printer broke every longer line.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// Narrower and wider than this, nobody's terminal breaks lines.
const COLUMNS: std::ops::RangeInclusive<usize> = 60..=400;
/// So many full lines show a width, and at least one in so many lines is one.
const FULL: (usize, usize) = (5, 40);

/// The column, where the longest lines are all of one length, and what stands behind them are pieces of text: hardly
/// any begins something, and they do not begin alike, as the rows of a table do.
pub(super) fn width(lines: &[Cow<'_, str>], speaks: impl Fn(&str) -> bool) -> Option<u16> {
    let widest = lines.iter().map(|line| columns(line)).max()?;
    if !COLUMNS.contains(&widest) {
        return None;
    }
    let behind = lines.windows(2).filter(|pair| columns(&pair[0]) == widest);
    let mut firsts: BTreeMap<Option<char>, usize> = BTreeMap::new();
    let (mut full, mut speaking) = (0, 0);
    for pair in behind {
        full += 1;
        speaking += usize::from(speaks(&pair[1]));
        *firsts.entry(pair[1].chars().next()).or_default() += 1;
    }
    let enough = full >= FULL.0 && full * FULL.1 >= lines.len();
    let alike = firsts.values().max().is_some_and(|most| most * 3 > full);
    let wrapped = enough && !alike && speaking * 5 <= full;
    wrapped.then(|| u16::try_from(widest).ok())?
}

/// The sample's lines as they were before.
pub(super) fn join<'t>(lines: Vec<Cow<'t, str>>, width: u16) -> Vec<Cow<'t, str>> {
    let mut whole: Vec<Cow<'t, str>> = Vec::with_capacity(lines.len());
    let mut full = false;
    for line in lines {
        let next = is_full(&line, width);
        match whole.last_mut().filter(|_| full) {
            Some(last) => last.to_mut().push_str(&line),
            None => whole.push(line),
        }
        full = next;
    }
    whole
}

/// Whether a line goes on in the next.
pub(super) fn is_full(line: &str, width: u16) -> bool {
    columns(line) == usize::from(width)
}

fn columns(line: &str) -> usize {
    line.trim_end_matches('\r').chars().count()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;

    fn broken(log: &str, at: usize) -> Vec<Cow<'static, str>> {
        let cut = |line: &str| -> Vec<Cow<'static, str>> {
            let chars: Vec<char> = line.chars().collect();
            let pieces = chars.chunks(at).map(|c| Cow::Owned(c.iter().collect()));
            pieces.collect()
        };
        log.lines().flat_map(cut).collect()
    }

    #[test]
    fn lines_broken_at_one_column_are_joined() {
        let log: Vec<String> = (0..20)
            .map(|i| {
                let letters =
                    (0..i * 13).map(|n| char::from(b"tideflow "[(n * n + n / 7 + i) % 9]));
                format!("INFO {}", letters.collect::<String>())
            })
            .collect();
        let lines = broken(&log.join("\n"), 80);
        let width = width(&lines, |text| text.starts_with("INFO")).unwrap();
        assert_eq!(join(lines, width), log);
    }

    #[test]
    fn long_lines_alone_are_not_broken() {
        let speaks = |text: &str| text.starts_with("INFO");
        let same: Vec<_> = (0..20)
            .map(|_| Cow::Owned(format!("INFO {}", "x".repeat(75))))
            .collect();
        assert_eq!(width(&same, speaks), None);
        let ruled: Vec<_> = (0..20)
            .map(|i| {
                Cow::Owned(if i % 2 == 0 {
                    "+-".repeat(40)
                } else {
                    "|x".repeat(i)
                })
            })
            .collect();
        assert_eq!(width(&ruled, speaks), None);
    }
}
