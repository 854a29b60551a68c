//! In: an incident's printed trace. Out: it folded: the user's own lines stand out, runs of the others' are one line each.

use super::safe::Safe;
use crate::incident::{Row, fold};
use crate::load::Case;
use crate::text::Lines;

/// Longest line that is told, in characters.
const LINE: usize = 400;

/// The lines of the folded trace of the incident with this index; empty where it has none.
pub(super) fn folded(case: &Case, about: usize) -> Vec<Safe> {
    let Some(incident) = case.story.incidents.get(about) else {
        return Vec::new();
    };
    let mut lines = Lines::default();
    fold(&incident.trace)
        .iter()
        .map(|row| match row {
            Row::Line(index) => {
                let text = case.text(&incident.trace[*index].place);
                Safe::next(&mut lines, text.trim_end(), LINE)
            }
            Row::Fold(fold) => Safe::line(&format!("    ⋯ {}", fold.summary())),
        })
        .collect()
}
