//! In: a place. Out: a [`Spot`]: the input's name and the line, as people and scripts find it again.

use super::safe::Safe;
use crate::load::Case;
use crate::text::Place;
use std::fmt;

/// Where something is printed: `driver.log:10412`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// Name of the input.
    pub input: Safe,
    /// 1-based line; lines end at `\n` only.
    pub line: u64,
}

impl Spot {
    /// Of a place in a case; `None` where the case has no such source.
    pub fn of(case: &Case, place: &Place) -> Option<Self> {
        let source = case.sources.get(place.source)?;
        Some(Self {
            input: Safe::line(&source.name),
            line: place.line,
        })
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.input, self.line)
    }
}
