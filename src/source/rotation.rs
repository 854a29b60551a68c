//! In: names of logs. Out: which of them are pieces of one log that was rotated, and in which order they were written.
//!
//! `driver.log.2`, `driver.log.1.gz`, `driver.log` · `stderr--2024-05-01--10-00`, `stderr` ·
//! `log4j-2024-05-01-10.log.gz`, `log4j-active.log`

use crate::text::pattern;
use regex::Regex;
use std::cmp::Reverse;
use std::sync::LazyLock;

/// When it is a piece's turn: the one that is being written comes last.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Turn {
    /// By the day and hour in its name.
    Dated(String),
    /// By its number, which grows while it gets older.
    Numbered(Reverse<u32>),
    /// The newest.
    Newest,
}

static DATED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(.*?[^-._])[-._]+(\d{4}-?\d{2}-?\d{2}(?:[-_T]{1,2}\d{2}(?:[-:]?\d{2}){0,2})?)(\.[A-Za-z]\w*)?$")
        .expect("a valid pattern")
});

/// The log that a piece of that name belongs to, and its turn in it.
pub(super) fn piece_of(name: &str) -> (String, Turn) {
    let start = name.rfind(['/', '!']).map_or(0, |at| at + 1);
    let (folder, file) = name.split_at(start);
    let packed = [".gz", ".bz2", ".zst", ".xz", ".lz4"];
    let file = packed
        .iter()
        .find_map(|end| file.strip_suffix(end))
        .unwrap_or(file);
    if let Some((log, number)) = file.rsplit_once('.')
        && !log.is_empty()
        && number.len() <= 4
        && let Ok(number) = number.parse()
    {
        return (format!("{folder}{log}"), Turn::Numbered(Reverse(number)));
    }
    if let Some(dated) = DATED.captures(file) {
        let ending = dated.get(3).map_or("", |ending| ending.as_str());
        return (
            format!("{folder}{}{ending}", &dated[1]),
            Turn::Dated(dated[2].to_owned()),
        );
    }
    let active = file
        .split_once("-active")
        .map(|(log, ending)| format!("{folder}{log}{ending}"));
    (
        active.unwrap_or_else(|| format!("{folder}{file}")),
        Turn::Newest,
    )
}

/// The log that a piece of that name belongs to.
pub fn log_of_piece(name: &str) -> String {
    piece_of(name).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_stand_in_the_order_of_writing() {
        for (pieces, log) in [
            (
                &[
                    "a/driver.log.10.gz",
                    "a/driver.log.2",
                    "a/driver.log.1",
                    "a/driver.log",
                ][..],
                "a/driver.log",
            ),
            (
                &[
                    "stderr--2024-05-01--10-00",
                    "stderr--2024-05-01--11-00",
                    "stderr",
                ],
                "stderr",
            ),
            (
                &[
                    "log4j-2024-05-01-09.log.gz",
                    "log4j-2024-05-01-10.log.gz",
                    "log4j-active.log",
                ],
                "log4j.log",
            ),
            (
                &[
                    "x!spark.log.2024-05-01",
                    "x!spark.log.2024-05-02",
                    "x!spark.log",
                ],
                "x!spark.log",
            ),
        ] {
            let told: Vec<_> = pieces.iter().map(|name| piece_of(name)).collect();
            assert!(told.iter().all(|(of, _)| of == log), "{told:?}");
            assert!(told.is_sorted_by(|a, b| a.1 < b.1), "{told:?}");
        }
        for alone in [
            "driver.log",
            "container_1700000000000_0042_01_000001/stderr",
            "part-00000",
        ] {
            assert_eq!(piece_of(alone), (alone.to_owned(), Turn::Newest));
        }
    }
}
