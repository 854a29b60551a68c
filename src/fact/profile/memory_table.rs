//! In: the lines of a `memory_profiler`'s table. Out: its rows: what each line of code added.

use super::profile::{Profile, ProfileRow, Profiled};
use super::take::{behind_blanks, is_ruler};
use crate::fact::owner;
use crate::record::Line;
use crate::text::Symbol;

/// MiB that the lines of a memory profile added: the first one tells what was there before.
pub(super) fn added(rows: &[ProfileRow]) -> f64 {
    let grew = rows.iter().filter(|row| row.own > 0.0);
    let sum: f64 = grew.map(|row| row.own).sum();
    // No finer than it is printed.
    (sum * 1_000.0).round() / 1_000.0
}

/// Reads the rows from `from` on into a profile; returns the first line behind them.
pub(super) fn memory_rows(
    profile: &mut Profile,
    lines: &[Line],
    from: usize,
    file: Option<Symbol>,
) -> usize {
    let file = file.unwrap_or_else(|| Symbol::new(""));
    let owner = owner::of_file(&file);
    let mut function = Symbol::new("");
    // Spark adds up what was in use in each call of a UDF.
    let mut calls = None;
    let mut at = from;
    // The table's own ruler.
    at += usize::from(lines.get(at).is_some_and(|line| is_ruler(line.text.trim())));
    let mut last = None;
    while let Some((number, rest)) = lines.get(at).and_then(|line| numbered(&line.text)) {
        let figures = memory_figures(rest);
        // What else begins with a number is the program's.
        if figures.is_none() && last.is_some_and(|last: u32| last.checked_add(1) != Some(number)) {
            break;
        }
        last = Some(number);
        let line = &lines[at];
        at += 1;
        let code = figures.as_ref().map_or(rest, |(_, code)| code);
        let code = code.trim_end();
        if let Some(name) = defined(code) {
            function = Symbol::new(name);
        }
        let Some((figures, _)) = figures else {
            continue;
        };
        // What was in use before is no line's doing.
        let was_there = calls.is_none() && figures.added >= figures.used;
        let first = figures.times.filter(|_| profile.of != Profiled::Program);
        let calls = *calls.get_or_insert(first.unwrap_or(1).max(1));
        profile.add(ProfileRow {
            place: line.place,
            file: file.clone(),
            line: Some(number),
            function: function.clone(),
            owner,
            calls: figures.times,
            own: if was_there { 0.0 } else { figures.added },
            cumulative: figures.used / float(calls),
            code: Some(code.trim_start().into()),
        });
    }
    behind_blanks(lines, at)
}

#[expect(clippy::cast_precision_loss, reason = "told with two digits")]
fn float(n: u64) -> f64 {
    n as f64
}

/// `    12     84.7 MiB …`: the number of a line of code, and what follows it.
fn numbered(text: &str) -> Option<(u32, &str)> {
    let text = text.trim_start();
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let rest = &text[end..];
    let number = text[..end].parse().ok()?;
    (rest.is_empty() || rest.starts_with(' ')).then_some((number, rest))
}

struct MemoryFigures {
    used: f64,
    added: f64,
    times: Option<u64>,
}

/// `84.7 MiB      0.3 MiB       1000   x = f(y)`: the figures, where there are any, and the code.
fn memory_figures(text: &str) -> Option<(MemoryFigures, &str)> {
    let (used, rest) = amount(text)?;
    let (added, rest) = amount(rest)?;
    // Until memory_profiler 0.57 nothing told how often a line ran.
    let (times, code) = match numbered(rest) {
        Some((times, code)) => (Some(u64::from(times)), code),
        None => (None, rest),
    };
    Some((MemoryFigures { used, added, times }, code))
}

fn amount(text: &str) -> Option<(f64, &str)> {
    let text = text.trim_start();
    let (number, rest) = text.split_once(' ')?;
    let rest = rest.trim_start();
    let rest = rest
        .strip_prefix("MiB")
        .or_else(|| rest.strip_prefix("MB"))?;
    Some((number.parse().ok()?, rest))
}

/// The name of a function that a line of code begins.
fn defined(code: &str) -> Option<&str> {
    let code = code.trim_start();
    let code = code.strip_prefix("async ").unwrap_or(code);
    let name = code.strip_prefix("def ")?.split('(').next()?;
    Some(name.trim())
}
