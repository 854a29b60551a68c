//! In: the lines of a cProfile's table. Out: its rows, each with whose code it is.

use super::profile::{Profile, ProfileRow};
use super::take::behind_blanks;
use crate::fact::{Owner, owner};
use crate::record::Line;
use crate::text::Symbol;

/// Reads the rows from `from` on into a profile; returns the first line behind them.
pub(super) fn time_rows(profile: &mut Profile, lines: &[Line], from: usize) -> usize {
    let rows: Vec<ProfileRow> = lines[from..].iter().map_while(time_row).collect();
    let behind = from + rows.len();
    for row in rows {
        profile.add(row);
    }
    name_owners(&mut profile.rows);
    behind_blanks(lines, behind)
}

/// Spark prints files without their folders: the user's is the one whose function takes most with all that it calls, and
/// that is none of those in between.
fn name_owners(rows: &mut [ProfileRow]) {
    const BETWEEN: [&str; 12] = [
        "cProfile.py",
        "profile.py",
        "profiler.py",
        "memory_profiler.py",
        "worker.py",
        "worker_util.py",
        "daemon.py",
        "serializers.py",
        "rdd.py",
        "shuffle.py",
        "util.py",
        "utils.py",
    ];
    let is_bare = |row: &&ProfileRow| {
        row.owner == Owner::User
            && !row.file.contains(['/', '\\'])
            && !BETWEEN.contains(&&*row.file)
    };
    let own = rows
        .iter()
        .filter(is_bare)
        .max_by(|a, b| a.cumulative.total_cmp(&b.cumulative))
        .map(|row| row.file.clone());
    for row in rows {
        let bare = row.owner == Owner::User && !row.file.contains(['/', '\\']);
        if bare && own.as_ref() != Some(&row.file) {
            row.owner = Owner::Library;
        }
    }
}

/// `  20000/1    0.120    0.000    1.340    0.000 /jobs/tides.py:12(smooth)`
pub(super) fn time_row(line: &Line) -> Option<ProfileRow> {
    let text = line.text.trim_start();
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut rest = text;
    let mut word = || {
        let (word, behind) = rest.split_once(' ')?;
        rest = behind.trim_start();
        Some(word)
    };
    let calls = word()?;
    let calls: u64 = calls.split('/').next()?.parse().ok()?;
    let mut figures = [0.0_f64; 4];
    for figure in &mut figures {
        let word = word()?;
        *figure = word.parse().ok().filter(|_| word.contains('.'))?;
    }
    let [own, _, cumulative, _] = figures;
    let rest = rest.trim_end();
    let (file, number, function) = spot(rest)?;
    let owner = if file.is_empty() || file == "<string>" || file == "~" {
        Owner::Python
    } else {
        owner::of_file(file)
    };
    Some(ProfileRow {
        place: line.place,
        file: Symbol::new(file),
        line: number.filter(|number| *number > 0),
        function: Symbol::new(function),
        owner,
        calls: Some(calls),
        own,
        cumulative,
        code: None,
    })
}

/// `/jobs/tides.py:12(smooth)`, `{method 'append' of 'list' objects}`: file, line and function.
fn spot(text: &str) -> Option<(&str, Option<u32>, &str)> {
    if let Some(built_in) = text.strip_prefix('{') {
        return Some(("", None, built_in.strip_suffix('}')?));
    }
    let (before, function) = text.strip_suffix(')')?.rsplit_once('(')?;
    let (file, line) = before.rsplit_once(':')?;
    Some((file, Some(line.parse().ok()?), function))
}
