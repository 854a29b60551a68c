//! In: the lines of a printed trace. Out: the rows that show it short: runs of frames that are nobody's
//! concern become one row, everything that says something stays a row of its own.

use crate::fact::Owner;
use crate::fact::{LineKind, TraceLine};
use std::ops::Range;

/// One row of a folded trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    /// The line of this index.
    Line(usize),
    /// A run of frames that stand behind one row.
    Fold(Fold),
}

/// A run of frames of Spark, the JVM, Py4J and the like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fold {
    /// The indexes of its lines.
    pub lines: Range<usize>,
    /// How many frames of whom, most first.
    pub counts: Vec<(Owner, usize)>,
}

/// Fewer lines are shown as they are: a row in their place would save nothing.
const SHORTEST: usize = 2;
/// Names of owners in a fold's summary; further ones are "other".
const MOST_NAMES: usize = 2;

/// Folds runs of frames that are neither the user's nor a library's. Headers, messages and records are never folded.
pub fn fold(trace: &[TraceLine]) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut at = 0;
    while at < trace.len() {
        let run = trace[at..].iter().take_while(|l| is_boilerplate(l)).count();
        if run < SHORTEST {
            rows.extend((at..at + run.max(1)).map(Row::Line));
            at += run.max(1);
        } else {
            let lines = at..at + run;
            rows.push(Row::Fold(Fold {
                counts: counts(&trace[lines.clone()]),
                lines,
            }));
            at += run;
        }
    }
    rows
}

impl Row {
    /// The indexes of the lines behind the row.
    pub fn lines(&self) -> Range<usize> {
        match self {
            Self::Line(i) => *i..i + 1,
            Self::Fold(fold) => fold.lines.clone(),
        }
    }
}

impl Fold {
    /// How many frames it holds.
    pub fn frames(&self) -> usize {
        self.counts.iter().map(|(_, n)| n).sum()
    }

    /// What stands in their place, without a mark before it: `40 Spark and Scala frames`.
    pub fn summary(&self) -> String {
        let frames = self.frames();
        let noun = if frames == 1 { "frame" } else { "frames" };
        let mut names: Vec<&str> = self
            .counts
            .iter()
            .take(MOST_NAMES)
            .map(|(owner, _)| owner.name())
            .collect();
        if self.counts.len() > MOST_NAMES {
            names.push("other");
        }
        match names.split_last() {
            None => format!("{} elided lines", self.lines.len()),
            Some((last, [])) => format!("{frames} {last} {noun}"),
            Some((last, rest)) => format!("{frames} {} and {last} {noun}", rest.join(", ")),
        }
    }
}

fn is_boilerplate(line: &TraceLine) -> bool {
    match line.kind {
        LineKind::Frame(owner) | LineKind::Code(owner) => {
            !matches!(owner, Owner::User | Owner::Library)
        }
        LineKind::Elided => true,
        LineKind::Log | LineKind::Connector | LineKind::Header | LineKind::Message => false,
    }
}

fn counts(run: &[TraceLine]) -> Vec<(Owner, usize)> {
    let mut counts: Vec<(Owner, usize)> = Vec::new();
    for line in run {
        if let LineKind::Frame(owner) = line.kind {
            match counts.iter_mut().find(|(o, _)| *o == owner) {
                Some((_, n)) => *n += 1,
                None => counts.push((owner, 1)),
            }
        }
    }
    // A stable sort: equal numbers stay in the order of the trace.
    counts.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Place;
    use proptest::prelude::*;

    fn line(kind: LineKind) -> TraceLine {
        TraceLine {
            place: Place::NOWHERE,
            kind,
            cause: None,
        }
    }

    fn kinds() -> impl Strategy<Value = LineKind> {
        let owner = prop_oneof![
            Just(Owner::User),
            Just(Owner::Library),
            Just(Owner::Spark),
            Just(Owner::Scala),
            Just(Owner::Jvm),
        ];
        (0..6u8, owner).prop_map(|(kind, owner)| match kind {
            0 => LineKind::Log,
            1 => LineKind::Header,
            2 => LineKind::Message,
            3 => LineKind::Code(owner),
            4 => LineKind::Elided,
            _ => LineKind::Frame(owner),
        })
    }

    proptest! {
        #[test]
        fn unfolding_gives_every_line_back_in_order(kinds in prop::collection::vec(kinds(), 0..80)) {
            let trace: Vec<_> = kinds.into_iter().map(line).collect();
            let unfolded: Vec<_> = fold(&trace).iter().flat_map(Row::lines).collect();
            prop_assert_eq!(unfolded, (0..trace.len()).collect::<Vec<_>>());
        }

        #[test]
        fn what_says_something_is_never_folded(kinds in prop::collection::vec(kinds(), 0..80)) {
            let trace: Vec<_> = kinds.into_iter().map(line).collect();
            for row in fold(&trace) {
                if let Row::Fold(fold) = row {
                    prop_assert!(trace[fold.lines].iter().all(is_boilerplate));
                }
            }
        }
    }

    #[test]
    fn a_fold_says_whose_frames_it_hides() {
        let frames = |owners: &[Owner]| -> Vec<TraceLine> {
            owners.iter().map(|o| line(LineKind::Frame(*o))).collect()
        };
        let summary = |owners: &[Owner]| match fold(&frames(owners)).remove(0) {
            Row::Fold(fold) => fold.summary(),
            Row::Line(_) => "a line".to_owned(),
        };
        assert_eq!(summary(&[Owner::Spark; 40]), "40 Spark frames");
        assert_eq!(
            summary(&[Owner::Spark, Owner::Py4j, Owner::Py4j]),
            "3 Py4J and Spark frames"
        );
        assert_eq!(
            summary(&[Owner::Scala, Owner::Jvm, Owner::Spark, Owner::Spark]),
            "4 Spark, Scala and other frames"
        );
        assert_eq!(summary(&[Owner::Spark]), "a line");
    }
}
