//! What to do: where to look where the cause itself is not in the files, and the fixes, the selected one with its steps.
//! Below the best one stand the suspects, where its cause is open, and the evidence to look at first, ticked where it is at
//! hand; below all fixes advice for stages, and ways to see more.

use crate::diagnosis::{Fix, SideEvidence, Sign, Step, StepKind, Suspect};
use crate::incident::Evidence;
use crate::text::{Place, expand_tabs, sanitise_line};
use crate::ui::context::Context;
use crate::ui::selection::Target;
use crate::ui::widgets::{Row, Rows};

#[derive(Debug, Clone, Copy)]
pub(super) enum Item {
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
    pub(super) cx: Context<'a>,
    remedies: Vec<&'a Fix>,
    pub(super) items: Vec<Item>,
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

    pub(super) fn fix(&self, f: usize) -> Option<&'a Fix> {
        self.remedies.get(f).copied()
    }

    pub(super) fn suspect(&self, s: usize) -> Option<&'a Suspect> {
        self.cx.diagnosis()?.question.as_ref()?.suspects.get(s)
    }

    pub(super) fn evidence(&self, e: usize) -> Option<&'a SideEvidence> {
        self.cx.diagnosis()?.evidence.get(e)
    }

    pub(super) fn sign(&self, i: usize) -> Option<&'a Sign> {
        match *self.items.get(i)? {
            Item::SpeaksFor(s, n) => self.suspect(s)?.speaks_for.get(n),
            Item::SpeaksAgainst(s, n) => self.suspect(s)?.speaks_against.get(n),
            Item::Evidence(e) => self.evidence(e)?.held.as_ref(),
            Item::Notice(n) => self.cx.diagnosis()?.notices.get(n),
            _ => None,
        }
    }

    /// The step that a row is part of.
    pub(super) fn step_of(&self, i: usize) -> Option<&'a Step> {
        match *self.items.get(i)? {
            Item::Step(f, s) | Item::Code(f, s, _) => self.step(f, s),
            Item::Try(s) | Item::TryCode(s, _) => Some(&self.suspect(s)?.step),
            Item::Evidence(e) | Item::EvidenceCode(e, _) => Some(&self.evidence(e)?.step),
            _ => None,
        }
    }

    pub(super) fn step(&self, f: usize, s: usize) -> Option<&'a Step> {
        self.fix(f)?.steps.get(s)
    }

    /// Whether a step is of the same kind as the one before, and goes on with it.
    pub(super) fn goes_on(&self, f: usize, s: usize) -> bool {
        let kind = |s: usize| self.step(f, s).map(|step| step.kind);
        s > 0 && kind(s) == kind(s - 1)
    }
}

/// The code of a step, without tabs and controls.
pub(in crate::ui) fn safe_code(step: &Step) -> String {
    let lines = step.code.as_deref().unwrap_or("").lines();
    lines
        .map(|line| expand_tabs(&sanitise_line(line)).into_owned())
        .collect::<Vec<_>>()
        .join("\n")
}

impl Rows for Fixes<'_> {
    fn len(&self) -> usize {
        self.items.len()
    }

    fn row(&self, i: usize, width: usize) -> Row {
        self.read(i, width)
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

    /// Where only a symptom is known, at where to look; else at the code that mends, all of it in view.
    fn opens_at(&self) -> Option<(usize, usize)> {
        let symptom = self.cx.incident().map(|i| i.evidence) == Some(Evidence::SymptomOnly)
            && self.cx.selection.fix.is_none_or(|fix| fix == 0);
        let next = || (self.items.iter()).position(|item| matches!(item, Item::Next(0)));
        if let Some(row) = symptom.then(next).flatten() {
            return Some((row, row));
        }
        self.mends_at()
    }

    fn mends_at(&self) -> Option<(usize, usize)> {
        let row = self.mends().or_else(|| self.selected())?;
        let end = (row + 1..self.items.len()).find(|i| self.begins(*i));
        let last = end.unwrap_or(self.items.len()) - 1;
        // Below the last step stands which rule it is by.
        let last = (row..=last)
            .rev()
            .find(|i| !matches!(self.items[*i], Item::Rule(_)));
        Some((row, last.unwrap_or(row)))
    }

    fn code_below(&self, row: usize) -> Option<(usize, usize)> {
        let is_code = |i: &usize| {
            let item = self.items[*i];
            matches!(
                item,
                Item::Code(..) | Item::TryCode(..) | Item::EvidenceCode(..)
            )
        };
        let mut below = (row + 1..self.items.len()).take_while(|i| !self.begins(*i));
        let first = below.find(is_code)?;
        let last = (first..self.items.len()).take_while(is_code).last();
        Some((first, last.unwrap_or(first)))
    }

    fn heading(&self, i: usize) -> Option<usize> {
        let Some(Target::Fix(f)) = self.target(i) else {
            return None;
        };
        self.selected().filter(|_| self.cx.selection.fix == Some(f))
    }

    fn part(&self, i: usize) -> Option<String> {
        let title = self.heading(i).filter(|title| *title < i)?;
        let begin = (title + 1..=i).rev().find(|row| self.begins(*row))?;
        let is_suspect = |row: &usize| matches!(self.items[*row], Item::Suspect(_));
        let suspect = is_suspect(&begin);
        let word = if suspect { "suspect" } else { "step" };
        let of_kind = |row: &usize| {
            self.begins(*row) && self.heading(*row) == Some(title) && is_suspect(row) == suspect
        };
        let before = (title + 1..=begin).filter(of_kind).count();
        let all = (title + 1..self.items.len()).filter(of_kind).count();
        Some(format!("{word} {before} of {all}"))
    }
}

impl Fixes<'_> {
    /// The row where the code begins that mends it: what to try if it is the likeliest suspect, else the first step that
    /// changes something, else the first with code.
    fn mends(&self) -> Option<usize> {
        let has_code = |i: &usize| self.step_of(*i).is_some_and(|step| step.code.is_some());
        let rows = || (0..self.items.len()).filter(has_code);
        let suspected = |i: &usize| matches!(self.items[*i], Item::Try(_));
        let mending = |i: &usize| {
            let step = matches!(self.items[*i], Item::Step(..)).then(|| self.step_of(*i));
            step.flatten()
                .is_some_and(|step| step.kind == StepKind::Fix)
        };
        let first = || rows().find(|i| matches!(self.items[*i], Item::Step(..)));
        rows()
            .find(suspected)
            .or_else(|| rows().find(mending))
            .or_else(first)
    }
}
