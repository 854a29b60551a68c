//! In: a pane. Out: what stands beside its rows: what its title says, which of how many things the cursor is on, and, where it
//! has no rows, what would fill it.

use super::context::Context;
use super::panes::{Pane, Retold};
use super::selection::Target;
use super::theme::Role;
use super::widgets::{Rows, columns, wrap};
use ratatui::text::Line;

/// What a pane's title says beside its name, in `room` columns where it can choose.
pub(super) fn about(cx: &Context<'_>, pane: Pane, room: usize) -> Option<String> {
    match pane {
        Pane::Attempts => {
            let incident = cx.incident()?;
            let task = incident.task?;
            let n = task.partition;
            let retries = match incident.attempts.len() {
                0 | 1 => String::new(),
                2 => " · 1 retry".to_owned(),
                tries => format!(" · {} retries", tries - 1),
            };
            // Which stage it is of stands in the pane Stages, too.
            let ways = [
                format!("· {task}{retries}"),
                format!("· task {n}{retries}"),
                format!("· task {n}"),
            ];
            ways.into_iter().find(|told| columns(told) <= room)
        }
        Pane::Fixes => {
            let diagnosis = cx.diagnosis()?;
            let bucket = diagnosis.bucket?;
            Some(format!("· {}", bucket.word()))
        }
        Pane::Causes | Pane::Trace => {
            // The trace of one, and below it what is told of the other.
            let retold = || {
                let (shown, selected) = (Retold::of(cx)?.shown + 1, cx.selection.attempt? + 1);
                Some(format!("· of attempts {shown} and {selected}"))
            };
            let other = cx.selection.other.map(|_| of_attempt(cx));
            let other = other.or_else(|| retold().filter(|_| pane == Pane::Trace));
            let filtered =
                (cx.filter.is_some() && pane == Pane::Trace).then(|| "filtered".to_owned());
            let told: Vec<String> = other.into_iter().chain(filtered).collect();
            (!told.is_empty()).then(|| told.join(" "))
        }
        Pane::Profiles => Some(format!("· {}", cx.order.name())),
        Pane::Incidents => {
            let incidents = &cx.case.story.incidents;
            let told = "· ×: times logged";
            let counted = incidents.iter().any(|incident| incident.count > 1);
            (counted && columns(told) <= room).then(|| told.to_owned())
        }
        Pane::Stages | Pane::Sql => None,
    }
}

/// Which of how many it is that the cursor stands on, where that is not seen at once. Where a thing takes several rows,
/// things are counted and not rows.
pub(super) fn whereabouts(
    cx: &Context<'_>,
    pane: Pane,
    rows: &dyn Rows,
    cursor: usize,
    all_seen: bool,
) -> String {
    let counts_rows = matches!(
        pane,
        Pane::Incidents | Pane::Causes | Pane::Sql | Pane::Profiles
    );
    let (word, i, n) = match rows.target(cursor) {
        _ if counts_rows && (all_seen || rows.len() == 0) => return String::new(),
        _ if counts_rows => return format!(" {}/{} ", cursor + 1, rows.len()),
        Some(Target::Fix(f)) => ("fix", f, cx.remedies().len()),
        Some(Target::Stage(s)) => ("stage", s, cx.case.story.stages.len()),
        Some(Target::Attempt(a)) => ("attempt", a, cx.incident().map_or(0, |i| i.attempts.len())),
        _ => return String::new(),
    };
    let which = (n > 1 && !(all_seen && word != "fix")).then(|| format!("{word} {} of {n}", i + 1));
    let told: Vec<String> = which.into_iter().chain(rows.part(cursor)).collect();
    if told.is_empty() {
        return String::new();
    }
    format!(" {} ", told.join(" · "))
}

/// `of attempt 2 of 4`: whose chain and trace are shown, where they are not the incident's own.
fn of_attempt(cx: &Context<'_>) -> String {
    let all = cx.incident().map_or(0, |i| i.attempts.len());
    format!(
        "of attempt {} of {all}",
        cx.selection.attempt.map_or(0, |a| a + 1)
    )
}

/// What a pane says that has no rows.
pub(super) fn empty(cx: &Context<'_>, pane: Pane, width: usize) -> Vec<Line<'static>> {
    let text = format!(" {}", nothing_in(cx, pane));
    wrap(&Line::from(cx.span(Role::Dim, text)), width, 1)
}

/// Why it has none, and what would fill it.
pub(super) fn nothing_in(cx: &Context<'_>, pane: Pane) -> &'static str {
    let failed = cx.incident().is_some();
    match pane {
        _ if cx.case.provisional => "still reading",
        Pane::Trace if cx.filter.is_some() => {
            "no record of this trace passes the filter; Esc ends it"
        }
        Pane::Incidents => "no failure is in what was opened",
        Pane::Causes => "no failure, so no chain of causes",
        Pane::Trace => "no trace",
        Pane::Attempts if failed => "no attempt of a task is told of that ended with this failure",
        Pane::Attempts => "the tries and retries of a task that failed stand here",
        Pane::Stages => "no stages are told of; an event log lists them all",
        Pane::Fixes => "no failure, so nothing to fix",
        Pane::Sql => "no plan is told of; an event log holds those of SQL and DataFrames",
        Pane::Profiles => "no profile is printed; spark.python.profile=true prints one of each UDF",
    }
}
