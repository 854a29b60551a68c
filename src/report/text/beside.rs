//! In: what stands beside the fixes in an outline. Out: its lines of the text report: suspects, evidence, advice, ways to see
//! more.

use super::page::{Ink, Page};
use super::telling::{Most, steps};
use crate::report::outline::{Beside, EvidenceTold, FixTold, Outline, SignTold, SuspectTold};

pub(super) fn suspects(page: &mut Page, beside: &Beside, most: &Most) {
    let Some(question) = &beside.question else {
        return;
    };
    page.heading("SUSPECTS", question.asks.as_str());
    let told = question.suspects.iter().take(most.suspects);
    for (number, suspect) in (1..).zip(told) {
        one(page, number, suspect, most);
    }
    let left_out = question.suspects.len().saturating_sub(most.suspects);
    page.more("  ", left_out, "suspect", "suspects");
}

fn one(page: &mut Page, number: usize, suspect: &SuspectTold, most: &Most) {
    let lead = format!("  {number}  ");
    page.row(&lead, suspect.title.as_str(), Ink::Heading, "");
    for (lead, signs, ink) in [
        ("     for        ", &suspect.speaks_for, Ink::Yours),
        ("     against    ", &suspect.speaks_against, Ink::Plain),
    ] {
        for sign in signs {
            page.row(lead, sign.text.as_str(), ink, &spot(sign));
        }
    }
    if most.whole {
        page.hang("     try        ", suspect.step.text.as_str(), Ink::Plain);
        page.code("                  ", suspect.step.code.as_str(), most.code);
    }
}

fn spot(sign: &SignTold) -> String {
    sign.spot
        .as_ref()
        .map(ToString::to_string)
        .unwrap_or_default()
}

pub(super) fn evidence(page: &mut Page, beside: &Beside, most: &Most) {
    if beside.evidence.is_empty() && beside.notices.is_empty() {
        return;
    }
    page.heading("EVIDENCE", "look at it before anything is changed");
    for evidence in beside.evidence.iter().take(most.evidence) {
        let EvidenceTold { held, step } = evidence;
        if let Some(held) = held {
            let text = format!("{} {}", step.text, held.text);
            page.row("  ✓  ", &text, Ink::Plain, &spot(held));
            continue;
        }
        page.row("  ○  ", step.text.as_str(), Ink::Plain, "");
        if most.whole {
            page.code("        ", step.code.as_str(), most.code);
        }
    }
    let left_out = beside.evidence.len().saturating_sub(most.evidence);
    page.more("  ", left_out, "piece of evidence", "pieces of evidence");
    for notice in &beside.notices {
        page.hang("     ", notice.text.as_str(), Ink::Dim);
    }
}

pub(super) fn recipes(page: &mut Page, recipes: &[FixTold], most: &Most) {
    if recipes.is_empty() {
        return;
    }
    let hint = if most.whole { "" } else { "--all tells how" };
    page.heading("TO SEE MORE", hint);
    for recipe in recipes {
        page.row(
            "  ·  ",
            recipe.title.as_str(),
            Ink::Plain,
            recipe.rule.as_str(),
        );
        if most.whole {
            page.hang("     ", recipe.why.as_str(), Ink::Plain);
            for step in &recipe.steps {
                page.hang("     ", step.text.as_str(), Ink::Plain);
                page.code("                  ", step.code.as_str(), most.code);
            }
        }
    }
}

pub(super) fn advice(page: &mut Page, outline: &Outline, most: &Most) {
    if outline.advice.is_empty() {
        return;
    }
    page.heading("ADVICE", "");
    for (index, (about, fix)) in outline.advice.iter().enumerate() {
        page.row(
            &format!("  {about}  "),
            fix.title.as_str(),
            Ink::Heading,
            fix.rule.as_str(),
        );
        // Where nothing failed, the first is what the report is for.
        if most.whole || index == 0 && outline.told.is_none() {
            steps(page, fix, most);
        }
    }
}
