//! The stages of the run; the selected one with its figures and what is remarkable about it.

use crate::incident::{Attempt, Severity, Spread, Stage, StageStatus};
use crate::text::Place;
use crate::ui::context::Context;
use crate::ui::selection::Target;
use crate::ui::theme::Role;
use crate::ui::widgets::{Row, Rows, bars, one_line};
use ratatui::text::Line;

#[derive(Debug, Clone, Copy)]
enum Item {
    Stage(usize),
    Failure(usize),
    Histogram(usize),
    Mark(usize),
    Figure(usize, usize),
    Finding(usize, usize),
}

impl Item {
    fn stage(self) -> usize {
        match self {
            Self::Stage(s)
            | Self::Failure(s)
            | Self::Histogram(s)
            | Self::Mark(s)
            | Self::Figure(s, _)
            | Self::Finding(s, _) => s,
        }
    }
}

pub(super) struct Stages<'a> {
    cx: Context<'a>,
    items: Vec<Item>,
}

impl<'a> Stages<'a> {
    pub(super) fn new(cx: Context<'a>) -> Self {
        let mut items = Vec::new();
        for (s, stage) in cx.case.story.stages.iter().enumerate() {
            items.push(Item::Stage(s));
            if cx.selection.stage == Some(s) {
                items.extend((0..stage.findings.len()).map(|f| Item::Finding(s, f)));
                if stage.figures.is_some() {
                    items.push(Item::Histogram(s));
                    items.extend(failing(&cx, stage).map(|_| Item::Mark(s)));
                    items.extend((0..figures(stage).len()).map(|f| Item::Figure(s, f)));
                }
                if stage.failure.is_some() {
                    items.push(Item::Failure(s));
                }
            }
        }
        Self { cx, items }
    }

    fn stage_row(&self, stage: &Stage) -> Row {
        let cx = &self.cx;
        let (glyph, role) = match stage.status {
            StageStatus::Succeeded => ("✓", Role::Succeeded),
            StageStatus::Failed => ("✗", Role::Failed),
            StageStatus::Running => ("…", Role::Warning),
            StageStatus::Skipped => ("-", Role::Dim),
            StageStatus::Unknown => ("?", Role::Unknown),
        };
        let number = if stage.attempt > 0 {
            format!("{}.{}", stage.id, stage.attempt)
        } else {
            stage.id.to_string()
        };
        let mut spans = vec![
            cx.span(Role::Strong, format!("{number:>4} ")),
            cx.span(role, format!("{glyph} ")),
        ];
        if !stage.findings.is_empty() {
            let worst = stage.findings.iter().map(|f| f.severity).max();
            spans.push(cx.span(severity_role(worst.unwrap_or_default()), "! "));
        }
        spans.push(cx.span(Role::Text, one_line(short_name(&stage.name))));
        let mut tag = String::new();
        if let Some(total) = stage.tasks.total {
            tag = match stage.tasks.failed {
                Some(failed) if failed > 0 => format!("{failed}✗/{total}"),
                _ => total.to_string(),
            };
        }
        if let Some(ms) = stage.duration_ms {
            tag = format!("{tag}  {}", duration(f64_of(ms)));
        }
        Row {
            tag: Some(cx.span(Role::Dim, tag)),
            keeps_tag: true,
            ..Row::new(Line::from(spans)).keeping(2)
        }
    }
}

impl Rows for Stages<'_> {
    fn len(&self) -> usize {
        self.items.len()
    }

    fn row(&self, i: usize, _width: usize) -> Row {
        let cx = &self.cx;
        let item = self.items[i];
        let stage = &cx.case.story.stages[item.stage()];
        match item {
            Item::Stage(_) => self.stage_row(stage),
            Item::Failure(_) => {
                let failure = one_line(stage.failure.as_deref().unwrap_or(""));
                // What every failed stage says says nothing.
                let told = failure
                    .strip_prefix("Job aborted due to stage failure: ")
                    .unwrap_or(&failure);
                Row::prose(7, cx.span(Role::Dim, format!("       {told}")))
            }
            Item::Histogram(_) => {
                let Some(figures) = &stage.figures else {
                    return Row::default();
                };
                let (min, max) = (figures.task_ms.min, figures.task_ms.max);
                Row::new(Line::from(vec![
                    cx.span(Role::Dim, format!("{:>BARS_AT$} ", duration(min))),
                    cx.span(Role::Bar, bars(&figures.histogram)),
                    cx.span(Role::Dim, format!(" {}", duration(max))),
                ]))
            }
            Item::Mark(_) => {
                let Some((bar, told)) = failing(cx, stage) else {
                    return Row::default();
                };
                let lead = " ".repeat(BARS_AT + 1 + bar);
                Row::new(Line::from(vec![
                    cx.span(Role::Failed, format!("{lead}▲ ")),
                    cx.span(Role::Text, told),
                ]))
            }
            Item::Figure(_, f) => {
                let (name, text) = figures(stage).swap_remove(f);
                Row::prose(
                    9,
                    Line::from(vec![
                        cx.span(Role::Dim, format!("       {name:<13} ")),
                        cx.span(Role::Text, text),
                    ]),
                )
            }
            Item::Finding(_, f) => Row::prose(
                7,
                Line::from(vec![
                    cx.span(severity_role(stage.findings[f].severity), "     ! "),
                    cx.span(Role::Text, one_line(&stage.findings[f].text)),
                ]),
            ),
        }
    }

    fn target(&self, i: usize) -> Option<Target> {
        self.items.get(i).map(|item| Target::Stage(item.stage()))
    }

    fn place(&self, i: usize) -> Option<Place> {
        let item = *self.items.get(i)?;
        let stage = &self.cx.case.story.stages[item.stage()];
        match item {
            Item::Finding(_, f) => stage.findings[f].evidence.first().copied().or(stage.place),
            _ => stage.place,
        }
    }

    fn selected(&self) -> Option<usize> {
        let selected = self.cx.selection.stage?;
        self.items
            .iter()
            .position(|item| matches!(item, Item::Stage(s) if *s == selected))
    }
}

/// Columns before the bars: what the fastest task took stands there.
const BARS_AT: usize = 11;

/// The bar that the selected incident's task belongs to by the time of its last attempt, and what to say of it; `None`
/// where the task is of another stage or nothing tells how long it ran.
fn failing(cx: &Context<'_>, stage: &Stage) -> Option<(usize, String)> {
    let incident = cx.incident()?;
    let task = incident.task?;
    let figures = stage.figures.as_ref()?;
    if (task.stage, task.stage_attempt) != (stage.id, stage.attempt) || figures.histogram.is_empty()
    {
        return None;
    }
    let ms = incident
        .attempts
        .iter()
        .rev()
        .find_map(Attempt::duration_ms)?;
    let bar = bar_of(f64_of(ms), &figures.task_ms, figures.histogram.len());
    Some((
        bar,
        format!("task {} {}", task.partition, duration(f64_of(ms))),
    ))
}

/// The bar of a range in which a time falls; the first or the last where it lies outside.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between 0 and the number of bars"
)]
fn bar_of(ms: f64, range: &Spread, bars: usize) -> usize {
    let last = bars.saturating_sub(1);
    let share = (ms - range.min) / (range.max - range.min + 1.0);
    ((share * f64_of(bars as u64)).clamp(0.0, f64_of(last as u64)) as usize).min(last)
}

fn severity_role(severity: Severity) -> Role {
    match severity {
        Severity::Notable => Role::Warning,
        Severity::Severe | Severity::Critical => Role::Failed,
    }
}

/// The name without a call site that every action from Python has.
fn short_name(name: &str) -> &str {
    name.strip_suffix(" at NativeMethodAccessorImpl.java:0")
        .filter(|short| !short.is_empty())
        .unwrap_or(name)
}

/// The figures worth a row: those that are not nothing everywhere.
fn figures(stage: &Stage) -> Vec<(&'static str, String)> {
    let Some(figures) = &stage.figures else {
        return Vec::new();
    };
    [
        ("task time", figures.task_ms, duration as fn(f64) -> String),
        ("shuffle read", figures.shuffle_read_bytes, bytes),
        ("shuffle write", figures.shuffle_write_bytes, bytes),
        ("spilled", figures.spill_disk_bytes, bytes),
        ("GC time", figures.gc_ms, duration),
        ("input", figures.input_bytes, bytes),
    ]
    .into_iter()
    .filter(|(_, spread, _)| spread.n > 0 && spread.max > 0.0)
    .map(|(name, spread, unit)| {
        let share = figures
            .gc_share
            .filter(|share| name == "GC time" && *share >= 0.01);
        let share = share.map_or_else(String::new, |share| {
            format!(" · {:.0} % of the run time", share * 100.0)
        });
        (name, format!("{}{share}", told(&spread, unit)))
    })
    .collect()
}

fn told(spread: &Spread, unit: fn(f64) -> String) -> String {
    format!(
        "median {} · p75 {} · p95 {} · max {}",
        unit(spread.median),
        unit(spread.p75),
        unit(spread.p95),
        unit(spread.max)
    )
}

/// Milliseconds for people: `840 ms`, `1.2 s`, `3 min 20 s`, `2 h 5 min`.
pub(super) fn duration(ms: f64) -> String {
    match ms / 1_000.0 {
        s if s < 1.0 => format!("{ms:.0} ms"),
        s if s < 100.0 => format!("{s:.1} s"),
        s if s < 6_000.0 => format!("{:.0} min {:.0} s", (s / 60.0).floor(), (s % 60.0).floor()),
        s => format!(
            "{:.0} h {:.0} min",
            (s / 3_600.0).floor(),
            (s / 60.0 % 60.0).floor()
        ),
    }
}

/// Bytes for people, in powers of 1024: `4.1 GiB`.
pub(super) fn bytes(bytes: f64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes;
    let mut unit = 0;
    while value >= 1_024.0 && unit + 1 < UNITS.len() {
        value /= 1_024.0;
        unit += 1;
    }
    if unit == 0 {
        format!("{value:.0} B")
    } else {
        format!("{value:.1} {}", UNITS[unit])
    }
}

#[expect(clippy::cast_precision_loss, reason = "shown with two digits")]
fn f64_of(n: u64) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_falls_into_the_bar_that_counts_it() {
        let range = Spread {
            min: 100.0,
            max: 259.0,
            ..Spread::default()
        };
        let bars = [0.0, 100.0, 109.0, 110.0, 259.0, 9_000.0].map(|ms| bar_of(ms, &range, 16));
        assert_eq!(bars, [0, 0, 0, 1, 15, 15]);
        assert_eq!(bar_of(5.0, &Spread::default(), 0), 0);
    }

    #[test]
    fn figures_are_for_people() {
        let durations = [0.0, 840.0, 1_234.0, 99_900.0, 200_000.0, 7_500_000.0].map(duration);
        assert_eq!(
            durations,
            [
                "0 ms",
                "840 ms",
                "1.2 s",
                "99.9 s",
                "3 min 20 s",
                "2 h 5 min"
            ]
        );
        assert_eq!(
            [12.0, 2_048.0, 4.4e9].map(bytes),
            ["12 B", "2.0 KiB", "4.1 GiB"]
        );
    }
}
