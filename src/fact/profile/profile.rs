//! [`Profile`]: what was measured of Python code, by function or by line.

use crate::fact::Owner;
use crate::text::{Place, Symbol};

/// Rows of one profile that are kept; the rest is counted.
pub const PROFILE_ROWS_CAP: usize = 500;

/// What a profile measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// Seconds, by function: cProfile.
    Time,
    /// MiB, by line: `memory_profiler`.
    Memory,
}

/// Whose profile it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Profiled {
    /// A Python UDF, by the id that its plan shows behind it: `f(x#1)#12`.
    Udf(u64),
    /// An RDD, by its id.
    Rdd(u64),
    /// A program's own, made without Spark.
    Program,
}

/// A profile, as printed.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// What it measures.
    pub measure: Measure,
    /// Whose it is.
    pub of: Profiled,
    /// Where it begins.
    pub place: Place,
    /// How many calls of functions were counted.
    pub calls: Option<u64>,
    /// Seconds in all; for memory, what all lines added to what was there.
    pub total: f64,
    /// Its rows in the order of the print.
    pub rows: Vec<ProfileRow>,
    /// Rows past the cap.
    pub left_out: usize,
    /// Whether it goes on with one that began before a line of the log was written into it.
    pub goes_on: bool,
}

/// A function of a cProfile, a line of a memory profile.
#[derive(Debug, Clone, PartialEq)]
pub struct ProfileRow {
    /// Where it is printed.
    pub place: Place,
    /// The file as printed; empty for what is built into Python.
    pub file: Symbol,
    /// The line in it: of a function the first.
    pub line: Option<u32>,
    /// The function; of a line, the one it lies in.
    pub function: Symbol,
    /// Whose code it is.
    pub owner: Owner,
    /// How often it was called, or ran.
    pub calls: Option<u64>,
    /// Seconds in the function itself; MiB that the line added.
    pub own: f64,
    /// Seconds with all that it called; MiB in use behind the line, on average of a UDF's calls.
    pub cumulative: f64,
    /// The line of code, where it is printed.
    pub code: Option<Box<str>>,
}

impl ProfileRow {
    /// The file's own name, without folders.
    pub fn file_name(&self) -> &str {
        self.file.rsplit(['/', '\\']).next().unwrap_or("")
    }

    /// `tides.py:22`; empty for what is built into Python.
    pub fn spot(&self) -> String {
        match self.line {
            Some(line) => format!("{}:{line}", self.file_name()),
            None => self.file_name().to_owned(),
        }
    }
}

impl Profile {
    /// Adds a row, or counts it where there are enough.
    pub(super) fn add(&mut self, row: ProfileRow) {
        if self.rows.len() < PROFILE_ROWS_CAP {
            self.rows.push(row);
        } else {
            self.left_out += 1;
        }
    }
}
