//! How a row of [`Fixes`] reads. In: which one. Out: its words and its code, painted.

use super::fixes::{Fixes, Item, safe_code};
use crate::diagnosis::{Step, StepKind};
use crate::incident::Evidence;
use crate::ui::header::spot_of;
use crate::ui::theme::Role;
use crate::ui::widgets::{Row, columns, one_line};
use ratatui::text::Line;

/// Narrower, what a row is for stands in front of it without a column of its own.
const NARROW: usize = 56;

impl Fixes<'_> {
    /// The row of a number.
    pub(super) fn read(&self, i: usize, width: usize) -> Row {
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
                let word = if n == 0 { "look next" } else { "" };
                Row::prose(
                    11,
                    Line::from(vec![
                        cx.span(Role::Key, format!("{word:<9}  ")),
                        cx.span(Role::Text, one_line(next.map_or("", String::as_str))),
                    ]),
                )
            }
            Item::Title(f) => self.title(f),
            Item::Why(f) => {
                let why = self.fix(f).map_or("", |fix| &fix.why);
                prose(4, Role::Text, format!("    {}", one_line(why)))
            }
            Item::Step(f, s) => self.step_row(f, s, width),
            Item::Code(.., line) | Item::TryCode(_, line) | Item::EvidenceCode(_, line) => {
                self.code_row(self.step_of(i), line, width)
            }
            Item::Question => {
                let question = cx.diagnosis().and_then(|d| d.question.as_ref());
                let asks = question.map_or("", |question| &question.asks);
                prose(4, Role::Strong, format!("    {}", one_line(asks)))
            }
            Item::Suspect(s) => {
                let title = self.suspect(s).map_or("", |suspect| &suspect.title);
                self.labelled(&format!("{:>9}", s + 1), Role::Key, title, width)
            }
            Item::SpeaksFor(..) => {
                let text = self.sign(i).map_or("", |sign| &sign.text);
                self.labelled("      for", Role::Warning, text, width)
            }
            Item::SpeaksAgainst(..) => {
                let text = self.sign(i).map_or("", |sign| &sign.text);
                self.labelled("  against", Role::Dim, text, width)
            }
            Item::Try(_) => {
                let text = self.step_of(i).map_or("", |step| &step.text);
                self.labelled("      try", Role::Fix, text, width)
            }
            Item::Evidence(e) => self.evidence_row(e, width),
            Item::Notice(_) => {
                let text = self.sign(i).map_or("", |sign| &sign.text);
                prose(0, Role::Dim, one_line(text))
            }
            Item::Rule(f) => {
                let rule = self.fix(f).map_or("", |fix| &fix.rule);
                prose(4, Role::Dim, format!("    by rule {}", one_line(rule)))
            }
            Item::NoRule => prose(
                0,
                Role::Dim,
                "No rule knows this failure yet; its trace and its place in the log are all there is."
                    .to_owned(),
            ),
        }
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
                .map(|frame| cx.span(Role::OwnCode, spot_of(frame))),
            ..Row::new(Line::from(vec![
                cx.span(Role::Key, format!("{} {mark} ", f + 1)),
                cx.span(Role::Strong, one_line(title)),
            ]))
        }
    }

    fn step_row(&self, f: usize, s: usize, width: usize) -> Row {
        let Some(step) = self.step(f, s) else {
            return Row::default();
        };
        let role = match step.kind {
            StepKind::Check => Role::Check,
            StepKind::Reproduce => Role::Reproduce,
            StepKind::Fix => Role::Fix,
            StepKind::Guard => Role::Guard,
        };
        let word = if self.goes_on(f, s) {
            ""
        } else {
            step.kind.word()
        };
        self.labelled(word, role, &step.text, width)
    }

    /// A row that says in front what it is for.
    fn labelled(&self, word: &str, role: Role, text: &str, width: usize) -> Row {
        let cx = &self.cx;
        let label = label(word, width);
        Row::prose(
            hang(&label, width),
            Line::from(vec![
                cx.span(role, label),
                cx.span(Role::Text, one_line(text)),
            ]),
        )
    }

    fn evidence_row(&self, e: usize, width: usize) -> Row {
        let Some(evidence) = self.evidence(e) else {
            return Row::default();
        };
        let cx = &self.cx;
        let word = if e == 0 { "evidence" } else { "" };
        let (tick, role) = match evidence.held {
            Some(_) => ("✓ ", Role::Succeeded),
            None => ("○ ", Role::Dim),
        };
        let label = label(word, width);
        let hang = hang(&label, width) + 2;
        let mut spans = vec![
            cx.span(Role::Check, label),
            cx.span(role, tick),
            cx.span(Role::Text, one_line(&evidence.step.text)),
        ];
        if let Some(held) = &evidence.held {
            spans.push(cx.span(Role::Dim, format!(" {}", one_line(&held.text))));
        }
        Row::prose(hang, Line::from(spans))
    }

    fn code_row(&self, step: Option<&Step>, line: usize, width: usize) -> Row {
        let cx = &self.cx;
        let Some(step) = step else {
            return Row::default();
        };
        let lang = step.lang.as_deref().unwrap_or("");
        let code = safe_code(step);
        let painted = cx.painter.paint(lang, &code);
        let lead = if width < NARROW {
            "  │ "
        } else {
            "             │ "
        };
        let mut spans = vec![cx.span(Role::Border, lead)];
        for (role, text) in painted.get(line).into_iter().flatten() {
            spans.push(cx.span(*role, text.clone()));
        }
        Row::prose(columns(lead) + 2, Line::from(spans))
    }
}

/// What stands in front of a row.
fn label(word: &str, width: usize) -> String {
    if width < NARROW {
        format!(" {} ", word.trim())
    } else {
        format!("    {word:<9}  ")
    }
}

/// How far in the further lines of such a row stand.
fn hang(label: &str, width: usize) -> usize {
    if width < NARROW { 3 } else { columns(label) }
}
