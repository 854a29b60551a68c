//! What to do: where to look where the cause itself is not in the files, and the fixes, the selected one with its steps.

use crate::diagnosis::{Fix, Step, StepKind};
use crate::incident::Evidence;
use crate::text::{Place, sanitise_line};
use crate::ui::context::Context;
use crate::ui::selection::Target;
use crate::ui::theme::Role;
use crate::ui::widgets::{Row, Rows, expand_tabs, one_line};
use ratatui::text::Line;

#[derive(Debug, Clone, Copy)]
enum Item {
    Explanation,
    /// Why one must look elsewhere.
    Honesty,
    Next(usize),
    Title(usize),
    Why(usize),
    Step(usize, usize),
    Code(usize, usize, usize),
    Rule(usize),
    NoRule,
}

pub(super) struct Fixes<'a> {
    cx: Context<'a>,
    items: Vec<Item>,
}

impl<'a> Fixes<'a> {
    pub(super) fn new(cx: Context<'a>) -> Self {
        let mut items = Vec::new();
        let Some(incident) = cx.incident() else {
            return Self { cx, items };
        };
        if incident.evidence != Evidence::Root {
            items.push(Item::Honesty);
        }
        items.extend((0..incident.next.len()).map(Item::Next));
        let diagnosis = cx.diagnosis();
        let fixes = diagnosis.map_or(&[][..], |d| &d.fixes);
        for (f, fix) in fixes.iter().enumerate() {
            items.push(Item::Title(f));
            if cx.selection.fix != Some(f) {
                continue;
            }
            if !fix.why.is_empty() {
                items.push(Item::Why(f));
            }
            for (s, step) in fix.steps.iter().enumerate() {
                items.push(Item::Step(f, s));
                let lines = step.code.as_ref().map_or(0, |code| code.lines().count());
                items.extend((0..lines).map(|line| Item::Code(f, s, line)));
            }
            items.push(Item::Rule(f));
        }
        if diagnosis.is_some_and(|d| !d.explanation.is_empty()) {
            items.push(Item::Explanation);
        } else if fixes.is_empty() {
            items.push(Item::NoRule);
        }
        Self { cx, items }
    }

    fn fix(&self, f: usize) -> Option<&'a Fix> {
        self.cx.diagnosis()?.fixes.get(f)
    }

    fn step(&self, f: usize, s: usize) -> Option<&'a Step> {
        self.fix(f)?.steps.get(s)
    }

    fn title(&self, f: usize) -> Row {
        let cx = &self.cx;
        let title = self.fix(f).map_or("", |fix| &fix.title);
        let mark = if cx.selection.fix == Some(f) {
            "▾"
        } else {
            "▸"
        };
        let frame = cx.incident().and_then(|i| i.user_frame.as_ref());
        Row {
            tag: frame
                .filter(|_| cx.selection.fix == Some(f))
                .map(|frame| cx.span(Role::OwnCode, crate::ui::header::spot_of(frame))),
            ..Row::new(Line::from(vec![
                cx.span(Role::Key, format!("{} {mark} ", f + 1)),
                cx.span(Role::Strong, one_line(title)),
            ]))
        }
    }

    fn step_row(&self, f: usize, s: usize) -> Row {
        let cx = &self.cx;
        let Some(step) = self.step(f, s) else {
            return Row::default();
        };
        let role = match step.kind {
            StepKind::Check => Role::Check,
            StepKind::Reproduce => Role::Reproduce,
            StepKind::Fix => Role::Fix,
            StepKind::Guard => Role::Guard,
        };
        // A step of the same kind as the one before goes on with it.
        let goes_on = s > 0 && self.step(f, s - 1).is_some_and(|b| b.kind == step.kind);
        let word = if goes_on { "" } else { step.kind.word() };
        Row::prose(
            15,
            Line::from(vec![
                cx.span(role, format!("    {word:<9}  ")),
                cx.span(Role::Text, one_line(&step.text)),
            ]),
        )
    }

    fn code_row(&self, f: usize, s: usize, line: usize) -> Row {
        let cx = &self.cx;
        let Some(step) = self.step(f, s) else {
            return Row::default();
        };
        let lang = step.lang.as_deref().unwrap_or("");
        let code = safe_code(step);
        let painted = cx.painter.paint(lang, &code);
        let mut spans = vec![cx.span(Role::Border, "             │ ")];
        for (role, text) in painted.get(line).into_iter().flatten() {
            spans.push(cx.span(*role, text.clone()));
        }
        Row::prose(17, Line::from(spans))
    }
}

/// The code of a step, without tabs and controls.
pub(in crate::ui) fn safe_code(step: &Step) -> String {
    let lines = step.code.as_deref().unwrap_or("").lines();
    lines
        .map(|line| expand_tabs(&sanitise_line(line)))
        .collect::<Vec<_>>()
        .join("\n")
}

impl Rows for Fixes<'_> {
    fn len(&self) -> usize {
        self.items.len()
    }

    fn row(&self, i: usize, _width: usize) -> Row {
        let cx = &self.cx;
        let prose = |hang, role, text: String| Row::prose(hang, cx.span(role, text));
        match self.items[i] {
            Item::Explanation => {
                let text = cx.diagnosis().map_or("", |d| &d.explanation);
                prose(0, Role::Dim, one_line(text))
            }
            Item::Honesty => {
                let inferred = cx.incident().map(|i| i.evidence) == Some(Evidence::Inferred);
                let text = if inferred {
                    "No single line says this: it was concluded from several."
                } else {
                    "Only a symptom is in what was opened; the cause itself is elsewhere."
                };
                prose(0, Role::Warning, text.to_owned())
            }
            Item::Next(n) => {
                let next = cx.incident().and_then(|i| i.next.get(n));
                Row::prose(
                    11,
                    Line::from(vec![
                        cx.span(Role::Key, "look next  "),
                        cx.span(Role::Text, one_line(next.map_or("", String::as_str))),
                    ]),
                )
            }
            Item::Title(f) => self.title(f),
            Item::Why(f) => {
                let why = self.fix(f).map_or("", |fix| &fix.why);
                prose(4, Role::Text, format!("    {}", one_line(why)))
            }
            Item::Step(f, s) => self.step_row(f, s),
            Item::Code(f, s, line) => self.code_row(f, s, line),
            Item::Rule(f) => {
                let rule = self.fix(f).map_or("", |fix| &fix.rule);
                prose(4, Role::Dim, format!("    by rule {}", one_line(rule)))
            }
            Item::NoRule => prose(
                0,
                Role::Dim,
                "No rule knows this failure; its trace and its place in the log are all there is."
                    .to_owned(),
            ),
        }
    }

    fn target(&self, i: usize) -> Option<Target> {
        match *self.items.get(i)? {
            Item::Title(f)
            | Item::Why(f)
            | Item::Step(f, _)
            | Item::Code(f, ..)
            | Item::Rule(f) => Some(Target::Fix(f)),
            Item::Explanation | Item::Honesty | Item::Next(_) | Item::NoRule => None,
        }
    }

    fn place(&self, i: usize) -> Option<Place> {
        match self.target(i)? {
            Target::Fix(f) => self.fix(f)?.evidence.first().copied(),
            _ => None,
        }
    }

    fn selected(&self) -> Option<usize> {
        let selected = self.cx.selection.fix?;
        self.items
            .iter()
            .position(|item| matches!(item, Item::Title(f) if *f == selected))
    }
}
