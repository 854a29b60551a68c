//! The attempts of the task that failed, and what they say together.

use crate::incident::{Attempt, AttemptOutcome, Verdict};
use crate::text::Place;
use crate::ui::context::Context;
use crate::ui::selection::Target;
use crate::ui::theme::Role;
use crate::ui::widgets::{Row, Rows, one_line};
use ratatui::text::Line;

/// Narrower, hosts go without their domain, and the task id goes.
const NARROW: usize = 60;

pub(super) struct Attempts<'a>(pub(super) Context<'a>);

impl Attempts<'_> {
    fn attempts(&self) -> &[Attempt] {
        self.0.incident().map_or(&[], |i| &i.attempts)
    }
}

impl Rows for Attempts<'_> {
    fn len(&self) -> usize {
        let incident = self.0.incident();
        self.attempts().len() + usize::from(incident.is_some_and(|i| i.verdict.is_some()))
    }

    fn row(&self, i: usize, width: usize) -> Row {
        let cx = &self.0;
        let Some(attempt) = self.attempts().get(i) else {
            return self.verdict();
        };
        let (glyph, role) = match attempt.outcome {
            AttemptOutcome::Succeeded => ("✓", Role::Succeeded),
            AttemptOutcome::Failed => ("✗", Role::Failed),
            AttemptOutcome::Lost => ("†", Role::Failed),
            AttemptOutcome::Killed => ("⊘", Role::Warning),
            AttemptOutcome::Unknown => ("?", Role::Unknown),
        };
        let mut spans = vec![
            cx.span(
                Role::Strong,
                format!(
                    "{:>4} ",
                    format!("{}.{}", attempt.task.partition, attempt.number)
                ),
            ),
            cx.span(role, format!("{glyph} ")),
        ];
        let before = i.checked_sub(1).and_then(|i| self.attempts().get(i)?.ended);
        if let Some(time) = cx.times.shown(attempt.ended, cx.case.story.first, before) {
            spans.push(cx.span(Role::Dim, format!("{time} ")));
        }
        if let Some(executor) = &attempt.executor {
            let on = if &**executor == "driver" { "" } else { "exec " };
            spans.push(cx.span(Role::Text, format!("{on}{} ", one_line(executor))));
        }
        let narrow = width < NARROW;
        if let Some(host) = &attempt.host {
            // An address stays whole: its first number alone says nothing.
            let short = host
                .split('.')
                .next()
                .filter(|h| narrow && h.contains(char::is_alphabetic));
            spans.push(cx.span(Role::Dim, format!("{} ", one_line(short.unwrap_or(host)))));
        }
        if let Some(tid) = attempt.tid.filter(|_| !narrow) {
            spans.push(cx.span(Role::Dim, format!("TID {tid} ")));
        }
        // The class is in the root's line already where it is the same.
        let class = one_line(attempt.class.rsplit(['.', '$']).next().unwrap_or(""));
        let what = [class, one_line(&attempt.message)];
        let what: Vec<&str> = what
            .iter()
            .map(String::as_str)
            .filter(|w| !w.is_empty())
            .collect();
        spans.push(cx.span(Role::Dim, what.join(": ")));
        let differs = attempt.same_cause == Some(false);
        let tag = match (differs, attempt.number) {
            (true, _) => Some(cx.span(Role::Warning, "another cause")),
            (false, 0) => None,
            (false, n) => Some(cx.span(Role::Dim, format!("retry {n}"))),
        };
        Row {
            // The message is told by the root's line already.
            keeps_tag: !differs,
            tag,
            ..Row::new(Line::from(spans))
        }
    }

    fn target(&self, i: usize) -> Option<Target> {
        (i < self.attempts().len()).then_some(Target::Attempt(i))
    }

    fn place(&self, i: usize) -> Option<Place> {
        self.attempts().get(i)?.place
    }

    fn selected(&self) -> Option<usize> {
        self.0.selection.attempt
    }
}

impl Attempts<'_> {
    fn verdict(&self) -> Row {
        let cx = &self.0;
        let text = cx.incident().and_then(verdict_line).unwrap_or_default();
        Row::new(cx.span(Role::Strong, format!("  {text}")))
    }
}

/// `same cause, 4 of 4: data or code`
pub(in crate::ui) fn verdict_line(incident: &crate::incident::Incident) -> Option<String> {
    let all = incident.attempts.len();
    let same = incident
        .attempts
        .iter()
        .filter(|a| a.same_cause == Some(true))
        .count();
    Some(match incident.verdict? {
        Verdict::Deterministic if all > 1 => {
            format!("same cause, {same} of {all}: data or code")
        }
        Verdict::Deterministic => "same cause each time: data or code".to_owned(),
        Verdict::Flaky => format!("this cause in {same} of {all} only"),
        Verdict::Infrastructure => "executors or nodes went away".to_owned(),
    })
}
