//! What to do: where to look where the cause itself is not in the files, and the fixes, the selected one with its steps.
//! Below the best one stand the suspects, where its cause is open, and the evidence to look at first, ticked where it is at
//! hand; below all fixes advice for stages, and ways to see more.

use crate::diagnosis::{Fix, SideEvidence, Sign, Step, StepKind, Suspect};
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
    Notice(usize),
    Question,
    Suspect(usize),
    SpeaksFor(usize, usize),
    SpeaksAgainst(usize, usize),
    /// What to try if it is that suspect, and a line of its code.
    Try(usize),
    TryCode(usize, usize),
    Evidence(usize),
    EvidenceCode(usize, usize),
    NoRule,
}

pub(super) struct Fixes<'a> {
    cx: Context<'a>,
    remedies: Vec<&'a Fix>,
    items: Vec<Item>,
}

impl<'a> Fixes<'a> {
    pub(super) fn new(cx: Context<'a>) -> Self {
        let mut pane = Self {
            cx,
            remedies: cx.remedies(),
            items: Vec::new(),
        };
        if let Some(incident) = cx.incident() {
            if incident.evidence != Evidence::Root {
                pane.items.push(Item::Honesty);
            }
            pane.items.extend((0..incident.next.len()).map(Item::Next));
        }
        for f in 0..pane.remedies.len() {
            pane.fix_items(f);
        }
        let diagnosis = cx.diagnosis();
        let notices = diagnosis.map_or(0, |d| d.notices.len());
        pane.items.extend((0..notices).map(Item::Notice));
        if diagnosis.is_some_and(|d| !d.explanation.is_empty()) {
            pane.items.push(Item::Explanation);
        } else if diagnosis.is_some_and(|d| d.fixes.is_empty()) {
            pane.items.push(Item::NoRule);
        }
        pane
    }

    /// The rows of a fix: its title and, where it is the selected one, all of it.
    fn fix_items(&mut self, f: usize) {
        let fix = self.remedies[f];
        let items = &mut self.items;
        items.push(Item::Title(f));
        if self.cx.selection.fix != Some(f) {
            return;
        }
        if !fix.why.is_empty() {
            items.push(Item::Why(f));
        }
        let lines = |step: &Step| step.code.as_ref().map_or(0, |code| code.lines().count());
        if let Some(diagnosis) = self.cx.diagnosis().filter(|_| f == 0) {
            if let Some(question) = &diagnosis.question {
                items.push(Item::Question);
                for (s, suspect) in question.suspects.iter().enumerate() {
                    items.push(Item::Suspect(s));
                    let signs = 0..suspect.speaks_for.len();
                    items.extend(signs.map(|n| Item::SpeaksFor(s, n)));
                    let signs = 0..suspect.speaks_against.len();
                    items.extend(signs.map(|n| Item::SpeaksAgainst(s, n)));
                    // What to try is told where something speaks for it.
                    if !suspect.speaks_for.is_empty() {
                        items.push(Item::Try(s));
                        items.extend((0..lines(&suspect.step)).map(|n| Item::TryCode(s, n)));
                    }
                }
            }
            for (e, evidence) in diagnosis.evidence.iter().enumerate() {
                items.push(Item::Evidence(e));
                if evidence.held.is_none() {
                    items.extend((0..lines(&evidence.step)).map(|n| Item::EvidenceCode(e, n)));
                }
            }
        }
        for (s, step) in fix.steps.iter().enumerate() {
            items.push(Item::Step(f, s));
            items.extend((0..lines(step)).map(|line| Item::Code(f, s, line)));
        }
        items.push(Item::Rule(f));
    }

    fn fix(&self, f: usize) -> Option<&'a Fix> {
        self.remedies.get(f).copied()
    }

    fn suspect(&self, s: usize) -> Option<&'a Suspect> {
        self.cx.diagnosis()?.question.as_ref()?.suspects.get(s)
    }

    fn evidence(&self, e: usize) -> Option<&'a SideEvidence> {
        self.cx.diagnosis()?.evidence.get(e)
    }

    fn sign(&self, i: usize) -> Option<&'a Sign> {
        match *self.items.get(i)? {
            Item::SpeaksFor(s, n) => self.suspect(s)?.speaks_for.get(n),
            Item::SpeaksAgainst(s, n) => self.suspect(s)?.speaks_against.get(n),
            Item::Evidence(e) => self.evidence(e)?.held.as_ref(),
            Item::Notice(n) => self.cx.diagnosis()?.notices.get(n),
            _ => None,
        }
    }

    /// The step that a row is part of.
    fn step_of(&self, i: usize) -> Option<&'a Step> {
        match *self.items.get(i)? {
            Item::Step(f, s) | Item::Code(f, s, _) => self.step(f, s),
            Item::Try(s) | Item::TryCode(s, _) => Some(&self.suspect(s)?.step),
            Item::Evidence(e) | Item::EvidenceCode(e, _) => Some(&self.evidence(e)?.step),
            _ => None,
        }
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

    /// Whether a step is of the same kind as the one before, and goes on with it.
    fn goes_on(&self, f: usize, s: usize) -> bool {
        let kind = |s: usize| self.step(f, s).map(|step| step.kind);
        s > 0 && kind(s) == kind(s - 1)
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
        let word = if self.goes_on(f, s) {
            ""
        } else {
            step.kind.word()
        };
        Row::prose(
            15,
            Line::from(vec![
                cx.span(role, format!("    {word:<9}  ")),
                cx.span(Role::Text, one_line(&step.text)),
            ]),
        )
    }

    /// A row about a suspect: how it is marked, and what it says.
    fn suspect_row(&self, mark: &str, role: Role, text: &str) -> Row {
        let cx = &self.cx;
        Row::prose(
            15,
            Line::from(vec![
                cx.span(role, format!("    {mark:<9}  ")),
                cx.span(Role::Text, one_line(text)),
            ]),
        )
    }

    fn evidence_row(&self, e: usize) -> Row {
        let Some(evidence) = self.evidence(e) else {
            return Row::default();
        };
        let cx = &self.cx;
        let word = if e == 0 { "evidence" } else { "" };
        let (tick, role) = match evidence.held {
            Some(_) => ("✓ ", Role::Succeeded),
            None => ("○ ", Role::Dim),
        };
        let mut spans = vec![
            cx.span(Role::Check, format!("    {word:<9}  ")),
            cx.span(role, tick),
            cx.span(Role::Text, one_line(&evidence.step.text)),
        ];
        if let Some(held) = &evidence.held {
            spans.push(cx.span(Role::Dim, format!(" {}", one_line(&held.text))));
        }
        Row::prose(17, Line::from(spans))
    }

    fn code_row(&self, step: Option<&Step>, line: usize) -> Row {
        let cx = &self.cx;
        let Some(step) = step else {
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
            Item::Code(.., line) | Item::TryCode(_, line) | Item::EvidenceCode(_, line) => {
                self.code_row(self.step_of(i), line)
            }
            Item::Question => {
                let question = cx.diagnosis().and_then(|d| d.question.as_ref());
                let asks = question.map_or("", |question| &question.asks);
                prose(4, Role::Strong, format!("    {}", one_line(asks)))
            }
            Item::Suspect(s) => {
                let title = self.suspect(s).map_or("", |suspect| &suspect.title);
                self.suspect_row(&format!("{:>9}", s + 1), Role::Key, title)
            }
            Item::SpeaksFor(..) => {
                let text = self.sign(i).map_or("", |sign| &sign.text);
                self.suspect_row("      for", Role::Warning, text)
            }
            Item::SpeaksAgainst(..) => {
                let text = self.sign(i).map_or("", |sign| &sign.text);
                self.suspect_row("  against", Role::Dim, text)
            }
            Item::Try(_) => {
                let text = self.step_of(i).map_or("", |step| &step.text);
                self.suspect_row("      try", Role::Fix, text)
            }
            Item::Evidence(e) => self.evidence_row(e),
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
                "No rule yet. No rule knows this failure; its trace and its place in the log are all there is."
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
            Item::Explanation | Item::Honesty | Item::Next(_) | Item::Notice(_) | Item::NoRule => {
                None
            }
            // They stand below the best fix.
            Item::Question
            | Item::Suspect(_)
            | Item::SpeaksFor(..)
            | Item::SpeaksAgainst(..)
            | Item::Try(_)
            | Item::TryCode(..)
            | Item::Evidence(_)
            | Item::EvidenceCode(..) => Some(Target::Fix(0)),
        }
    }

    fn place(&self, i: usize) -> Option<Place> {
        if let Some(sign) = self.sign(i) {
            return sign.place;
        }
        match self.target(i)? {
            Target::Fix(f) => self.fix(f)?.evidence.first().copied(),
            _ => None,
        }
    }

    fn code(&self, i: usize) -> Option<String> {
        let step = self.step_of(i)?;
        step.code.as_ref()?;
        Some(format!("{}\n", safe_code(step)))
    }

    fn begins(&self, i: usize) -> bool {
        match self.items[i] {
            Item::Title(_) | Item::Suspect(_) | Item::Evidence(0) | Item::Next(0) => true,
            Item::Step(f, s) => !self.goes_on(f, s),
            _ => false,
        }
    }

    fn selected(&self) -> Option<usize> {
        let selected = self.cx.selection.fix?;
        self.items
            .iter()
            .position(|item| matches!(item, Item::Title(f) if *f == selected))
    }
}
