//! In: a [`Record`]. Out: the profiles that are printed in it, and the record without their lines, which say nothing else.

use super::memory_table::{added, memory_rows};
use super::profile::{Measure, Profile, Profiled};
use super::time_table::{time_row, time_rows};
use crate::record::{Line, Record};
use crate::text::{Place, Symbol};

/// Lines above a table in which its heading is looked for.
const ABOVE: usize = 16;

/// Takes the profiles out of a record; `None` where it holds none, which is nearly always.
pub(in crate::fact) fn take(record: &Record) -> Option<(Vec<Profile>, Record)> {
    let lines = &record.lines;
    // The line with the head stays: it is another's message.
    let first = usize::from(record.head.is_some());
    let behind = lines.get(first..)?;
    let begins = |line: &Line| table(&line.text).is_some() || time_row(line).is_some();
    let mut at = first + behind.iter().position(begins)?;
    let mut profiles = Vec::new();
    let mut rest = lines[..at].to_vec();
    while at < lines.len() {
        let table = match table(&lines[at].text) {
            Some(measure) => {
                let above = heading(lines, at);
                let kept = rest.len().saturating_sub(at - above);
                rest.truncate(kept.max(first));
                Some((
                    measure,
                    Heading::of(&lines[above..at]),
                    lines[above].place,
                    at + 1,
                ))
            }
            None if time_row(&lines[at]).is_some() => {
                let goes_on = Heading {
                    goes_on: true,
                    ..Heading::default()
                };
                Some((Measure::Time, goes_on, lines[at].place, at))
            }
            None => None,
        };
        let Some((measure, heading, place, from)) = table else {
            rest.push(lines[at].clone());
            at += 1;
            continue;
        };
        let (profile, behind) = heading.profile(measure, place, lines, from);
        profiles.push(profile);
        at = behind;
    }
    let rest = Record {
        head: record.head.clone(),
        stream: record.stream.clone(),
        lines: rest,
        message_at: record.message_at,
    };
    Some((profiles, rest))
}

/// Whether a line heads a table, and of what.
fn table(text: &str) -> Option<Measure> {
    let text = text.trim_start();
    if text.starts_with("ncalls ") && text.contains("tottime") {
        Some(Measure::Time)
    } else if text.starts_with("Line #") && text.contains("Mem usage") {
        Some(Measure::Memory)
    } else {
        None
    }
}

/// The first of the lines above a table that belong to it.
fn heading(lines: &[Line], table: usize) -> usize {
    let belongs = |line: &Line| {
        let text = line.text.trim();
        text.is_empty()
            || is_ruler(text)
            || [
                "Profile of ",
                "Filename: ",
                "Ordered by: ",
                "Random listing order",
                "List reduced from ",
            ]
            .iter()
            .any(|beginning| text.starts_with(beginning))
            || text.contains(" function calls ")
    };
    let above = lines[..table].iter().rev().take(ABOVE);
    let start = table - above.take_while(|line| belongs(line)).count();
    // Blank lines above it are nobody's.
    let blank = lines[start..table]
        .iter()
        .take_while(|line| line.text.trim().is_empty());
    start + blank.count()
}

/// Whether a line is made of nothing but `=`.
pub(super) fn is_ruler(text: &str) -> bool {
    text.len() >= 20 && text.bytes().all(|b| b == b'=')
}

/// What stands above a table.
#[derive(Debug, Default)]
struct Heading {
    of: Option<Profiled>,
    file: Option<Symbol>,
    calls: Option<u64>,
    seconds: Option<f64>,
    goes_on: bool,
}

impl Heading {
    fn of(lines: &[Line]) -> Self {
        let mut heading = Self::default();
        for line in lines {
            let text = line.text.trim();
            if let Some(of) = text.strip_prefix("Profile of ") {
                heading.of = profiled(of);
            } else if let Some(file) = text.strip_prefix("Filename: ") {
                heading.file = Some(Symbol::new(file.trim()));
            } else if let Some((calls, rest)) = text.split_once(" function calls ") {
                heading.calls = calls.trim().parse().ok();
                let seconds = rest
                    .rsplit_once(" in ")
                    .map_or(rest, |(_, seconds)| seconds);
                let seconds = seconds.trim_start_matches("in ");
                heading.seconds = seconds.split(' ').next().and_then(|n| n.parse().ok());
            }
        }
        heading
    }

    /// The profile whose rows begin at `from`, and the first line behind it.
    fn profile(
        self,
        measure: Measure,
        place: Place,
        lines: &[Line],
        from: usize,
    ) -> (Profile, usize) {
        let mut profile = Profile {
            measure,
            of: self.of.unwrap_or(Profiled::Program),
            place,
            calls: self.calls,
            total: 0.0,
            rows: Vec::new(),
            left_out: 0,
            goes_on: self.goes_on,
        };
        let behind = match measure {
            Measure::Time => time_rows(&mut profile, lines, from),
            Measure::Memory => memory_rows(&mut profile, lines, from, self.file),
        };
        profile.total = self.seconds.unwrap_or_else(|| match measure {
            Measure::Time => profile.rows.iter().map(|row| row.own).sum(),
            Measure::Memory => added(&profile.rows),
        });
        (profile, behind)
    }
}

/// `UDF<id=2>`, `RDD<id=1>`
fn profiled(text: &str) -> Option<Profiled> {
    let (what, id) = text.trim_end().strip_suffix('>')?.split_once("<id=")?;
    let id = id.parse().ok()?;
    match what {
        "UDF" => Some(Profiled::Udf(id)),
        "RDD" => Some(Profiled::Rdd(id)),
        _ => None,
    }
}

/// The first line behind a table that is not blank: the blank ones were printed to end it.
pub(super) fn behind_blanks(lines: &[Line], at: usize) -> usize {
    let blank = lines[at..]
        .iter()
        .take_while(|line| line.text.trim().is_empty());
    at + blank.count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::Owner;
    use crate::record::{Cutter, Dress, RawLine};
    use crate::text::SourceId;

    const TIME: &str = "============================================================
Profile of UDF<id=2>
============================================================
         60000 function calls (59000 primitive calls) in 0.715 seconds

   Ordered by: internal time, cumulative time

   ncalls  tottime  percall  cumtime  percall filename:lineno(function)
    20000    0.452    0.000    0.452    0.000 tides.py:22(smooth)
20000/1000    0.131    0.000    0.131    0.000 tides.py:33(<listcomp>)
    20000    0.109    0.000    0.714    0.000 tides.py:29(corrected)
        1    0.014    0.014    0.014    0.014 concat.py:56(fail_error)
    20000    0.001    0.000    0.001    0.000 {method 'disable' of '_lsprof.Profiler' objects}


";
    const MEMORY: &str = "Filename: /jobs/tides.py

Line #    Mem usage    Increment  Occurrences   Line Contents
=============================================================
    37    255.6 MiB    255.6 MiB           1   @profile
    38                                         def scaled(levels):
    39    267.1 MiB     11.5 MiB           1       big = [levels] * 20
    40                                         
    41    267.1 MiB      0.0 MiB           1       return 'error'


";

    /// The profiles of a log, and the texts of the lines that are none of theirs.
    fn taken(log: &str) -> (Vec<Profile>, Vec<String>) {
        let mut cutter = Cutter::new(SourceId(0), Dress::default());
        let mut records = Vec::new();
        let mut start = 0;
        for (i, line) in log.lines().enumerate() {
            let (line_no, bytes) = (i as u64 + 1, line.as_bytes());
            cutter.feed(
                RawLine {
                    start,
                    line: line_no,
                    bytes,
                },
                &mut records,
            );
            start += line.len() as u64 + 1;
        }
        cutter.finish(&mut records);
        let (mut profiles, mut rest) = (Vec::new(), Vec::new());
        for record in records {
            let (found, left) = take(&record).unwrap_or((Vec::new(), record));
            profiles.extend(found);
            rest.extend(left.lines.into_iter().map(|line| line.text));
        }
        (profiles, rest)
    }

    fn told(profile: &Profile) -> Vec<(u64, String, &str, Owner, f64)> {
        let rows = profile.rows.iter();
        rows.map(|r| (r.place.line, r.spot(), &*r.function, r.owner, r.own))
            .collect()
    }

    #[test]
    fn a_profile_of_a_udf_is_read_and_nothing_else_is() {
        use Owner::{Library, Python, User};
        let log = format!("24/01/02 03:04:05 WARN Utils: x\nlevels written\n{TIME}done");
        let (profiles, rest) = taken(&log);
        assert_eq!(
            rest,
            ["24/01/02 03:04:05 WARN Utils: x", "levels written", "done"]
        );
        let [profile] = profiles.as_slice() else {
            panic!("{profiles:#?}");
        };
        let figures = (profile.of, profile.calls, profile.total, profile.place.line);
        assert_eq!(figures, (Profiled::Udf(2), Some(60_000), 0.715, 3));
        let rows = told(profile);
        assert_eq!(rows[0], (11, "tides.py:22".into(), "smooth", User, 0.452));
        assert_eq!(rows[2].3, User);
        assert_eq!(rows[3].3, Library);
        assert_eq!(rows[4].3, Python);
        assert_eq!(rows.len(), 5);
    }

    #[test]
    fn lines_of_memory_are_read_with_what_they_added() {
        let (profiles, rest) = taken(&format!("7 rows\n{MEMORY}20 rows read"));
        assert_eq!(rest, ["7 rows", "20 rows read"]);
        let profile = &profiles[0];
        assert_eq!(
            (profile.measure, profile.of),
            (Measure::Memory, Profiled::Program)
        );
        // A blank line of code ends nothing that is numbered, a blank line of the log does.
        let rows = told(profile);
        let first = (6, "tides.py:37".to_owned(), "", Owner::User, 0.0);
        assert_eq!(rows[0], first);
        assert_eq!(
            rows[1],
            (8, "tides.py:39".into(), "scaled", Owner::User, 11.5)
        );
        assert_eq!(profile.rows[1].code.as_deref(), Some("big = [levels] * 20"));
    }

    #[test]
    fn a_profile_goes_on_behind_a_line_of_the_log() {
        let torn = TIME.replacen(
            "        1    0.014",
            "24/01/02 03:04:05 WARN Utils: x\n        1    0.014",
            1,
        );
        let (profiles, rest) = taken(&torn);
        let rows: Vec<_> = profiles.iter().map(|p| (p.goes_on, p.rows.len())).collect();
        assert_eq!(rows, [(false, 3), (true, 2)]);
        assert_eq!(rest, ["24/01/02 03:04:05 WARN Utils: x"]);
    }

    #[test]
    fn numbers_alone_are_no_profile() {
        let (profiles, rest) = taken("1 0.5 0.5 0.5 rows\n12 tides.py:3(f)\n3 1.0 2.0 3.0 4.0 x");
        assert!(profiles.is_empty());
        assert_eq!(rest.len(), 3);
    }
}
