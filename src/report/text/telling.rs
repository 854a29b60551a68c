//! In: a case. Out: the text report.

use super::beside::{advice, evidence, recipes, suspects};
use super::page::{Ink, Page};
use super::profiles::profiles;
use crate::incident::Outcome;
use crate::load::Case;
use crate::report::format::Manner;
use crate::report::outline::{Attempts, FixTold, Link, Mine, Outline, Query, Told};
use crate::report::safe::Safe;
use crate::report::trace;
use crate::text::masked_so_far;

/// How much of each part is told without `--all`; together they keep the report to a screen or two.
pub(super) struct Most {
    /// Whether entries of lists are told in full rather than on one line each.
    pub(super) whole: bool,
    chain: usize,
    attempts: usize,
    stages: usize,
    findings: usize,
    operators: usize,
    fixes: usize,
    pub(super) suspects: usize,
    pub(super) evidence: usize,
    pub(super) code: usize,
    others: usize,
    settings: usize,
    unread: usize,
}

const FEW: Most = Most {
    whole: false,
    chain: 6,
    attempts: 5,
    stages: 4,
    findings: 2,
    operators: 5,
    fixes: 3,
    suspects: 3,
    evidence: 3,
    code: 8,
    others: 4,
    settings: 6,
    unread: 4,
};
const ALL: Most = Most {
    whole: true,
    chain: usize::MAX,
    attempts: usize::MAX,
    stages: usize::MAX,
    findings: usize::MAX,
    operators: usize::MAX,
    fixes: usize::MAX,
    suspects: usize::MAX,
    evidence: usize::MAX,
    code: usize::MAX,
    others: usize::MAX,
    settings: usize::MAX,
    unread: usize::MAX,
};

/// The report of a case about one of its incidents.
pub(in crate::report) fn render(case: &Case, about: usize, manner: Manner) -> String {
    let outline = Outline::of(case, about, manner.all);
    let most = if manner.all { &ALL } else { &FEW };
    let mut page = Page::new(manner.colour);
    opening(&mut page, &outline);
    if let Some(told) = &outline.told {
        root(&mut page, told, most);
        chain(&mut page, &told.chain, most);
        if manner.all {
            let lines = trace::folded(case, about);
            if !lines.is_empty() {
                page.heading("TRACE", "");
            }
            for line in &lines {
                page.code("  ", line.as_str(), usize::MAX);
            }
        }
        if let Some(known) = &told.attempts {
            attempts(&mut page, known, most);
        }
    }
    stages(&mut page, &outline, most);
    executors(&mut page, &outline, most);
    if let Some(told) = &outline.query {
        query(&mut page, told, most);
    }
    profiles(&mut page, &outline, most);
    if let Some(told) = &outline.told {
        suspects(&mut page, &told.beside, most);
        evidence(&mut page, &told.beside, most);
        fixes(&mut page, &told.fixes, most);
        recipes(&mut page, &told.beside.recipes, most);
    }
    advice(&mut page, &outline, most);
    others(&mut page, &outline, most);
    settings(&mut page, &outline, most);
    unread(&mut page, &outline, most);
    masked(&mut page);
    page.finish()
}

/// An entry of a list.
fn entry(page: &mut Page, most: &Most, lead: &str, text: &str, ink: Ink, right: &str) {
    if most.whole {
        page.row(lead, text, ink, right);
    } else {
        page.line_of(lead, text, ink, right);
    }
}

fn opening(page: &mut Page, outline: &Outline) {
    let run: Vec<&str> = outline.run.iter().map(Safe::as_str).collect();
    let ink = match outline.outcome {
        Outcome::Succeeded | Outcome::Recovered => Ink::Good,
        Outcome::Unknown => Ink::Heading,
        Outcome::Failed | Outcome::Stuck | Outcome::Killed => Ink::Bad,
    };
    let outcome = outline.outcome.word().to_uppercase();
    page.hang("", &outcome, ink);
    if !run.is_empty() {
        page.hang("  ", &run.join(" · "), Ink::Plain);
    }
    if outline.told.is_none() || outline.outcome != Outcome::Failed {
        page.hang("  ", outline.verdict, Ink::Plain);
    }
    if let Some((spot, line)) = &outline.shown_by {
        page.row("  ", line.as_str(), Ink::Dim, &spot.to_string());
    }
    if outline.told.is_none() {
        page.hang("  ", "No failure was found in what was opened:", Ink::Plain);
        for input in outline.inputs.iter().take(8) {
            page.hang("    ", input.as_str(), Ink::Plain);
        }
        page.more(
            "    ",
            outline.inputs.len().saturating_sub(8),
            "input",
            "inputs",
        );
    }
}

fn root(page: &mut Page, told: &Told, most: &Most) {
    let spot = told.spot.as_ref().map(ToString::to_string);
    let name = match told.role {
        "fatal" => "ROOT CAUSE",
        "recovered" => "ROOT CAUSE (recovered)",
        "attempt" => "ROOT CAUSE (of an earlier attempt)",
        _ => "WHAT WAS LOGGED (noise)",
    };
    page.heading(name, &spot.unwrap_or_default());
    page.hang("  ", told.root.as_str(), Ink::Bad);
    page.code("    ", told.root_more.as_str(), most.code);
    mine(page, "  your code    ", told.yours.as_ref());
    mine(page, "  started by   ", told.started.as_ref());
    if !told.kind.is_empty() {
        page.hang("  kind         ", &told.kind, Ink::Plain);
    }
    let why: Vec<&str> = told.why.iter().map(Safe::as_str).collect();
    page.hang("  why          ", &why.join(" "), Ink::Plain);
    if !told.meaning.as_str().is_empty() {
        page.hang("  meaning      ", told.meaning.as_str(), Ink::Plain);
    }
    for (index, next) in told.next.iter().enumerate() {
        let lead = if index == 0 {
            "  collect      "
        } else {
            "               "
        };
        page.hang(lead, next.as_str(), Ink::Plain);
    }
}

fn mine(page: &mut Page, lead: &str, mine: Option<&Mine>) {
    let Some(mine) = mine else { return };
    page.hang(lead, mine.at.as_str(), Ink::Yours);
    if let Some(code) = &mine.code {
        page.code(&" ".repeat(lead.len() + 2), code.as_str(), 1);
    }
}

fn chain(page: &mut Page, links: &[Link], most: &Most) {
    if links.len() < 2 {
        return;
    }
    page.heading("CHAIN", "");
    // The ends of a long chain say most: what the user saw, and the root.
    let (head, tail) = (most.chain / 2, most.chain - most.chain / 2);
    let tail_from = links.len().saturating_sub(tail);
    let mut left_out = 0;
    for (index, link) in links.iter().enumerate() {
        if (head..tail_from).contains(&index) && !link.root {
            left_out += 1;
            continue;
        }
        page.more("  ", std::mem::take(&mut left_out), "cause", "causes");
        let spot = link.spot.as_ref().map(ToString::to_string);
        let mark = if link.root { "▶ " } else { "  " };
        let ink = if link.root { Ink::Bad } else { Ink::Plain };
        entry(
            page,
            most,
            &format!("{mark}{:<13}", link.tie),
            link.text.as_str(),
            ink,
            &spot.unwrap_or_default(),
        );
    }
}

fn attempts(page: &mut Page, known: &Attempts, most: &Most) {
    page.heading("ATTEMPTS", &known.task);
    page.hang("  ", &known.verdict, Ink::Plain);
    for row in known.rows.iter().take(most.attempts) {
        let spot = row.spot.as_ref().map(ToString::to_string);
        let text = [row.where_.as_str(), row.cause.as_str()]
            .into_iter()
            .filter(|s| !s.is_empty())
            .collect::<Vec<_>>()
            .join("  ");
        let lead = format!("  {:<6}{:<10}", row.number, row.outcome);
        entry(
            page,
            most,
            &lead,
            &text,
            Ink::Plain,
            &spot.unwrap_or_default(),
        );
    }
    page.more(
        "  ",
        known.rows.len().saturating_sub(most.attempts),
        "attempt",
        "attempts",
    );
}

fn stages(page: &mut Page, outline: &Outline, most: &Most) {
    if outline.stages.is_empty() {
        return;
    }
    page.heading("STAGES", "");
    for stage in outline.stages.iter().take(most.stages) {
        let ink = if stage.status == "failed" {
            Ink::Bad
        } else {
            Ink::Plain
        };
        let lead = format!("  {:<6}", stage.id);
        let text = [stage.status, &stage.tasks, stage.name.as_str()]
            .into_iter()
            .filter(|s| !s.is_empty())
            .collect::<Vec<_>>()
            .join(" · ");
        entry(page, most, &lead, &text, ink, "");
        for finding in stage.findings.iter().take(most.findings) {
            page.hang("        ", finding.as_str(), Ink::Yours);
        }
        page.more(
            "        ",
            stage.findings.len().saturating_sub(most.findings),
            "finding",
            "findings",
        );
    }
    page.more(
        "  ",
        outline.stages.len().saturating_sub(most.stages),
        "stage",
        "stages",
    );
}

fn executors(page: &mut Page, outline: &Outline, most: &Most) {
    if outline.executors.is_empty() {
        return;
    }
    page.heading("EXECUTORS", "that were lost");
    for executor in outline.executors.iter().take(most.stages) {
        let spot = executor.spot.as_ref().map(ToString::to_string);
        let lead = format!("  {:<6}", executor.id.as_str());
        let spot = spot.unwrap_or_default();
        entry(page, most, &lead, executor.text.as_str(), Ink::Plain, &spot);
    }
    page.more(
        "  ",
        outline.executors.len().saturating_sub(most.stages),
        "executor",
        "executors",
    );
}

fn query(page: &mut Page, told: &Query, most: &Most) {
    page.heading("SQL", told.head.as_str());
    if let Some(text) = &told.text {
        page.code("  ", text.as_str(), most.code);
    }
    for row in told.rows.iter().take(most.operators) {
        let (mark, ink) = match (row.failed, row.in_stage) {
            (true, _) => ("▶ ", Ink::Bad),
            (false, true) => ("│ ", Ink::Plain),
            (false, false) => ("  ", Ink::Dim),
        };
        entry(page, most, mark, row.text.as_str(), ink, "");
    }
    let left_out = told.left_out + told.rows.len().saturating_sub(most.operators);
    page.more(
        "  ",
        left_out,
        "operator of the plan",
        "operators of the plan",
    );
}

fn fixes(page: &mut Page, fixes: &[FixTold], most: &Most) {
    if fixes.is_empty() {
        page.heading("FIXES", "");
        page.hang("  ", "No rule yet: no rule knows this failure.", Ink::Dim);
        return;
    }
    page.heading("FIXES", "best first");
    for (index, fix) in fixes.iter().take(most.fixes).enumerate() {
        let lead = format!("  {}  ", index + 1);
        page.row(&lead, fix.title.as_str(), Ink::Heading, fix.rule.as_str());
        // The best one is told with its steps; the others are a pointer.
        if index > 0 && !most.whole {
            continue;
        }
        steps(page, fix, most);
    }
    page.more("  ", fixes.len().saturating_sub(most.fixes), "fix", "fixes");
}

/// Why a fix applies, and its steps.
pub(super) fn steps(page: &mut Page, fix: &FixTold, most: &Most) {
    page.hang("     ", fix.why.as_str(), Ink::Plain);
    for step in &fix.steps {
        let lead = format!("     {:<11}", step.kind.word());
        page.hang(&lead, step.text.as_str(), Ink::Plain);
        page.code("                  ", step.code.as_str(), most.code);
    }
}

fn others(page: &mut Page, outline: &Outline, most: &Most) {
    if outline.others.is_empty() {
        return;
    }
    page.heading("OTHER INCIDENTS", "--incident N tells of one");
    for other in outline.others.iter().take(most.others) {
        let spot = other.spot.as_ref().map(ToString::to_string);
        let times = if other.count > 1 {
            format!("×{} ", other.count)
        } else {
            String::new()
        };
        let lead = format!("  {:<3}{:<10}", other.number, other.role);
        entry(
            page,
            most,
            &lead,
            &format!("{times}{}", other.title),
            Ink::Plain,
            &spot.unwrap_or_default(),
        );
    }
    page.more(
        "  ",
        outline.others.len().saturating_sub(most.others),
        "incident",
        "incidents",
    );
}

fn settings(page: &mut Page, outline: &Outline, most: &Most) {
    if outline.settings.is_empty() {
        return;
    }
    page.heading("SETTINGS", "other than Spark's own");
    for setting in outline.settings.iter().take(most.settings) {
        entry(page, most, "  ", setting.as_str(), Ink::Plain, "");
    }
    page.more(
        "  ",
        outline.settings.len().saturating_sub(most.settings),
        "setting",
        "settings",
    );
}

fn unread(page: &mut Page, outline: &Outline, most: &Most) {
    if outline.unread.is_empty() {
        return;
    }
    page.heading("NOT READ", "");
    for line in outline.unread.iter().take(most.unread) {
        page.hang("  ", line.as_str(), Ink::Plain);
    }
    page.more(
        "  ",
        outline.unread.len().saturating_sub(most.unread),
        "input",
        "inputs",
    );
}

/// What is missing in the report on purpose; told at its end, when it is known.
fn masked(page: &mut Page) {
    let masked = masked_so_far();
    if masked.total() > 0 {
        page.heading("MASKED", "");
        let told = format!("{masked}; `--show-secrets` tells them");
        page.hang("  ", &told, Ink::Plain);
    }
}
