//! In: the selected attempt, where the trace that is shown is another one's. Out: rows below that trace: whose it is, how the
//! attempt ended, and the attempt's own lines, where what was opened has them.

use super::excerpt::NARROW;
use super::printed::kind_row;
use crate::incident::{self, Attempt, AttemptOutcome, Incident, LineKind, TraceLine};
use crate::text::Place;
use crate::ui::context::Context;
use crate::ui::theme::Role;
use crate::ui::widgets::{Row, one_line};
use std::rc::Rc;

/// Attempts among which the one is looked for that printed the trace.
const MOST_LOOKED_AT: usize = 64;

/// What is known of the attempt.
pub(in crate::ui) struct Retold {
    /// Which attempt the trace is of, from 0.
    pub(in crate::ui) shown: usize,
    heading: String,
    /// Of few words, where there is room for no more.
    short: String,
    place: Option<Place>,
    lines: Rc<[TraceLine]>,
    rows: Vec<incident::Row>,
}

impl Retold {
    /// `None` where the trace that is shown is the selected attempt's.
    pub(in crate::ui) fn of(cx: &Context<'_>) -> Option<Self> {
        let incident = cx.incident().filter(|_| cx.selection.other.is_none())?;
        let selected = cx.selection.attempt?;
        let failed = |attempt: &&Attempt| attempt.outcome != AttemptOutcome::Succeeded;
        let attempt = incident.attempts.get(selected).filter(failed)?;
        let shown = shown(incident, selected).filter(|shown| *shown != selected)?;
        let place = attempt.own_log.or(attempt.place);
        let lines = place.map_or_else(|| Rc::from([]), |at| cx.texts.record(cx.case, &at));
        Some(Self {
            shown,
            short: short(incident, selected, shown),
            heading: heading(cx, incident, selected, shown, place, !lines.is_empty()),
            place,
            rows: incident::fold(&lines),
            lines,
        })
    }

    /// A blank row, the heading, and the lines.
    pub(super) fn len(&self) -> usize {
        2 + self.rows.len()
    }

    pub(super) fn row(&self, cx: &Context<'_>, i: usize, width: usize) -> Row {
        let Some(i) = i.checked_sub(1) else {
            return Row::default();
        };
        match i.checked_sub(1).and_then(|i| self.rows.get(i)) {
            None => {
                let heading = if width < NARROW {
                    &self.short
                } else {
                    &self.heading
                };
                Row::prose(4, cx.span(Role::Strong, format!("  {heading}")))
            }
            Some(incident::Row::Fold(fold)) => {
                Row::new(cx.span(Role::Fold, format!("      ⋯ {}", fold.summary())))
            }
            Some(incident::Row::Line(line)) => {
                let line = &self.lines[*line];
                let row = kind_row(cx, line.kind, &cx.text(&line.place), width);
                match line.kind {
                    // It says why, so that it is told whole.
                    LineKind::Log | LineKind::Header | LineKind::Connector => Row {
                        hang: Some(4),
                        ..row
                    },
                    _ => row,
                }
            }
        }
    }

    pub(super) fn place(&self, i: usize) -> Option<Place> {
        let row = i.checked_sub(2).and_then(|i| self.rows.get(i));
        row.map_or(self.place, |row| Some(self.lines[row.lines().start].place))
    }
}

/// Which attempt the trace is of: the one whose record it stands in, else the last that ended so, for the driver tells of
/// that one when it gives up.
fn shown(incident: &Incident, selected: usize) -> Option<usize> {
    let is_shown = |attempt: &Attempt| {
        let places = [attempt.place, attempt.own_log];
        places.into_iter().flatten().any(|place| {
            let mut lines = incident.trace.iter();
            lines.any(|line| line.place.same_line(&place))
        })
    };
    if is_shown(&incident.attempts[selected]) {
        return Some(selected);
    }
    let looked_at = incident.attempts.iter().take(MOST_LOOKED_AT);
    let same = |attempt: &Attempt| attempt.same_cause != Some(false);
    looked_at
        .clone()
        .position(is_shown)
        .or_else(|| incident.attempts.iter().rposition(same))
}

/// `Attempt 3 of 4, as 4 above:`
fn short(incident: &Incident, selected: usize, shown: usize) -> String {
    let as_shown = match incident.attempts[selected].same_cause {
        Some(true) => "as",
        _ => "not as",
    };
    let all = incident.attempts.len();
    format!(
        "Attempt {} of {all}, {as_shown} {} above:",
        selected + 1,
        shown + 1
    )
}

/// `attempt 3 of 4 ended for the same reason as attempt 4, whose trace is above. Its own lines, executor-2.log:120:`
fn heading(
    cx: &Context<'_>,
    incident: &Incident,
    selected: usize,
    shown: usize,
    place: Option<Place>,
    has_lines: bool,
) -> String {
    let attempt = &incident.attempts[selected];
    let which = format!("Attempt {} of {}", selected + 1, incident.attempts.len());
    let shown = shown + 1;
    let ended = match attempt.same_cause {
        Some(true) => {
            format!("{which} ended for the same reason as attempt {shown}, whose trace is above.")
        }
        Some(false) => format!("{which} ended otherwise; the trace above is of attempt {shown}."),
        None => format!(
            "{which}: {}; the trace above is of attempt {shown}.",
            attempt.outcome.word()
        ),
    };
    match place {
        Some(place) if has_lines => format!("{ended} Its own lines, {}:", cx.spot(&place)),
        Some(place) => format!("{ended} It is told of in {}.", cx.spot(&place)),
        None if attempt.message.is_empty() => {
            format!("{ended} No line of its own is in what was opened.")
        }
        None => format!("{ended} It is told of with: {}", one_line(&attempt.message)),
    }
}
