//! In: a case. Out: the Markdown report: a ticket that a colleague can act on without the logs.

use super::beside;
use super::profiles::profiles;
use crate::incident::Outcome;
use crate::load::Case;
use crate::report::format::Manner;
use crate::report::outline::{FixTold, Mine, OperatorTold, Outline, Query, StepTold, Told};
use crate::report::safe::Safe;
use crate::report::spot::Spot;
use crate::report::trace;
use crate::text::masked_so_far;
use std::fmt::Write as _;

/// Lines of the folded trace that a ticket carries; more are cut in the middle.
const TRACE: usize = 60;
/// Entries of a list without `--all`.
const LIST: usize = 12;

/// The report of a case about one of its incidents.
pub(in crate::report) fn render(case: &Case, about: usize, manner: Manner) -> String {
    let outline = Outline::of(case, about, manner.all);
    let most = if manner.all { usize::MAX } else { LIST };
    let mut out = String::new();
    let title = outline
        .told
        .as_ref()
        .map_or(outline.verdict, |told| told.title.as_str());
    let _ = writeln!(out, "# {}\n", inline(title));
    summary(&mut out, &outline);
    if let Some(told) = &outline.told {
        root(&mut out, told);
        chain(&mut out, told);
        folded(&mut out, case, about, manner.all);
        attempts(&mut out, told);
    }
    stages(&mut out, &outline, most);
    executors(&mut out, &outline, most);
    if let Some(told) = &outline.query {
        query(&mut out, told, most);
    }
    profiles(&mut out, &outline, most);
    if let Some(told) = &outline.told {
        beside::evidence(&mut out, &told.beside);
        beside::suspects(&mut out, &told.beside);
        fixes(&mut out, &told.fixes);
        beside::recipes(&mut out, &told.beside);
    }
    beside::advice(&mut out, &outline.advice);
    beside::not_known(&mut out, &outline.not_known);
    others(&mut out, &outline, most);
    closing(&mut out, &outline, most);
    out
}

fn summary(out: &mut String, outline: &Outline) {
    let _ = write!(out, "**{}**", outline.outcome.word());
    for part in &outline.run {
        let _ = write!(out, " · {}", inline(part.as_str()));
    }
    out.push_str("\n\n");
    if outline.told.is_none() || outline.outcome != Outcome::Failed {
        let _ = writeln!(out, "{}\n", outline.verdict);
    }
    if let Some((spot, line)) = &outline.shown_by {
        let _ = writeln!(out, "Shown by {}:\n", code(&spot.to_string()));
        fence(out, "text", line.as_str());
    }
}

fn root(out: &mut String, told: &Told) {
    let _ = writeln!(out, "## Root cause{}\n", at(told.spot.as_ref()));
    let more = told.root_more.as_str();
    let gap = if more.is_empty() { "" } else { "\n" };
    fence(out, "text", &format!("{}{gap}{more}", told.root));
    for (name, mine) in [("Your code", &told.yours), ("Started by", &told.started)] {
        if let Some(mine) = mine {
            own(out, name, mine);
        }
    }
    if !told.kind.is_empty() {
        let _ = writeln!(out, "- **Kind:** {}", inline(&told.kind));
    }
    let why: Vec<&str> = told.why.iter().map(Safe::as_str).collect();
    let _ = writeln!(out, "- **Why this one:** {}", inline(&why.join(" ")));
    if !told.meaning.as_str().is_empty() {
        let _ = writeln!(out, "- **Meaning:** {}", inline(told.meaning.as_str()));
    }
    out.push('\n');
    if !told.next.is_empty() {
        out.push_str("## Still to collect\n\n");
        for next in &told.next {
            let _ = writeln!(out, "- [ ] {}", inline(next.as_str()));
        }
        out.push('\n');
    }
}

fn own(out: &mut String, name: &str, mine: &Mine) {
    let _ = write!(out, "- **{name}:** {}", code(mine.at.as_str()));
    if let Some(line) = &mine.code {
        let _ = write!(out, ": {}", code(line.as_str()));
    }
    out.push('\n');
}

fn chain(out: &mut String, told: &Told) {
    if told.chain.len() < 2 {
        return;
    }
    out.push_str("## Exception chain\n\n");
    for (index, link) in told.chain.iter().enumerate() {
        let mark = if link.root { " **← root**" } else { "" };
        let _ = writeln!(
            out,
            "{}. {} {}{}{mark}",
            index + 1,
            link.tie,
            code(link.text.as_str()),
            at(link.spot.as_ref())
        );
    }
    out.push('\n');
}

fn folded(out: &mut String, case: &Case, about: usize, all: bool) {
    let lines = trace::folded(case, about);
    if lines.is_empty() {
        return;
    }
    let text: Vec<&str> = lines.iter().map(Safe::as_str).collect();
    let text = if all || text.len() <= TRACE {
        text.join("\n")
    } else {
        let half = TRACE / 2;
        let (head, tail) = (&text[..half], &text[text.len() - half..]);
        let between = format!("… {} lines left out …", text.len() - TRACE);
        format!("{}\n{between}\n{}", head.join("\n"), tail.join("\n"))
    };
    out.push_str("<details><summary>Trace, folded</summary>\n\n");
    fence(out, "text", &text);
    out.push_str("</details>\n\n");
}

fn attempts(out: &mut String, told: &Told) {
    let Some(known) = &told.attempts else { return };
    let colon = if known.task.is_empty() { "" } else { ": " };
    let _ = writeln!(
        out,
        "## Attempts\n\n{}{colon}{}\n",
        known.task, known.verdict
    );
    out.push_str("| attempt | outcome | where | own cause | line |\n|---|---|---|---|---|\n");
    for row in &known.rows {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} |",
            row.number,
            row.outcome,
            cell(row.where_.as_str()),
            cell(row.cause.as_str()),
            row.spot
                .as_ref()
                .map_or_else(String::new, |s| cell(&s.to_string()))
        );
    }
    out.push('\n');
}

fn stages(out: &mut String, outline: &Outline, most: usize) {
    if outline.stages.is_empty() {
        return;
    }
    out.push_str("## Stages\n\n");
    for stage in outline.stages.iter().take(most) {
        let _ = write!(out, "- **{}** {}", stage.id, stage.status);
        for part in [stage.tasks.as_str(), stage.name.as_str()] {
            if !part.is_empty() {
                let _ = write!(out, " · {}", inline(part));
            }
        }
        out.push('\n');
        for finding in &stage.findings {
            let _ = writeln!(out, "  - {}", inline(finding.as_str()));
        }
    }
    more(out, outline.stages.len(), most);
    out.push('\n');
    beside::figures(out, &outline.stages[..outline.stages.len().min(most)]);
}

fn executors(out: &mut String, outline: &Outline, most: usize) {
    if outline.executors.is_empty() {
        return;
    }
    out.push_str("## Executors that were lost\n\n");
    for executor in outline.executors.iter().take(most) {
        let (id, text) = (executor.id.as_str(), executor.text.as_str());
        let _ = writeln!(out, "- **{}** {}", inline(id), inline(text));
    }
    more(out, outline.executors.len(), most);
    out.push('\n');
}

fn query(out: &mut String, told: &Query, most: usize) {
    let _ = writeln!(out, "## SQL\n\n{}\n", inline(told.head.as_str()));
    if let Some(text) = &told.text {
        fence(out, "sql", text.as_str());
    }
    if told.rows.is_empty() {
        return;
    }
    let row = |row: &OperatorTold| {
        let mark = if row.failed { "▶ " } else { "  " };
        format!("{mark}{}", row.text)
    };
    let rows: Vec<String> = told.rows.iter().take(most).map(row).collect();
    fence(out, "", &rows.join("\n"));
}

fn fixes(out: &mut String, fixes: &[FixTold]) {
    out.push_str("## Suggested fixes\n\n");
    if fixes.is_empty() {
        out.push_str("No rule yet: no rule knows this failure.\n\n");
    }
    for (index, fix) in fixes.iter().enumerate() {
        let _ = writeln!(out, "### {}. {}\n", index + 1, prose(fix.title.as_str()));
        one_fix(out, fix);
    }
}

/// All of a fix below its heading.
pub(super) fn one_fix(out: &mut String, fix: &FixTold) {
    if !fix.why.as_str().is_empty() {
        let _ = writeln!(out, "{}\n", prose(fix.why.as_str()));
    }
    for step in &fix.steps {
        one_step(out, capital(step.kind.word()).as_str(), step);
    }
    let lines: Vec<String> = fix
        .spots
        .iter()
        .take(LIST)
        .map(|s| code(&s.to_string()))
        .collect();
    let because = if lines.is_empty() {
        String::new()
    } else {
        format!(", because of {}", lines.join(", "))
    };
    let _ = writeln!(out, "_Rule {}{because}_\n", code(fix.rule.as_str()));
}

/// A step behind the word for its kind.
pub(super) fn one_step(out: &mut String, word: &str, step: &StepTold) {
    let _ = writeln!(out, "**{word}:** {}\n", prose(step.text.as_str()));
    if !step.code.as_str().is_empty() {
        fence(out, step.lang.as_str(), step.code.as_str());
    }
}

fn others(out: &mut String, outline: &Outline, most: usize) {
    if outline.others.is_empty() {
        return;
    }
    out.push_str("## Other incidents\n\n");
    for other in outline.others.iter().take(most) {
        let times = if other.count > 1 {
            format!(" ×{}", other.count)
        } else {
            String::new()
        };
        let _ = writeln!(
            out,
            "- {}{times}: {}{}",
            other.role,
            code(other.title.as_str()),
            at(other.spot.as_ref())
        );
    }
    more(out, outline.others.len(), most);
    out.push('\n');
}

fn closing(out: &mut String, outline: &Outline, most: usize) {
    for (heading, lines) in [
        ("Settings other than Spark's own", &outline.settings),
        ("Read", &outline.inputs),
        ("Not read", &outline.unread),
    ] {
        if lines.is_empty() {
            continue;
        }
        let _ = writeln!(out, "## {heading}\n");
        for line in lines.iter().take(most) {
            let _ = writeln!(out, "- {}", inline(line.as_str()));
        }
        more(out, lines.len(), most);
        out.push('\n');
    }
    let masked = masked_so_far();
    if masked.total() > 0 {
        let _ = writeln!(out, "_Masked: {}._\n", inline(&masked.to_string()));
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
}

pub(super) fn more(out: &mut String, known: usize, most: usize) {
    if known > most {
        let _ = writeln!(out, "- … {} more", known - most);
    }
}

pub(super) fn at(spot: Option<&Spot>) -> String {
    spot.map_or_else(String::new, |spot| {
        format!(" ({})", code(&spot.to_string()))
    })
}

pub(super) fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars
        .next()
        .map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

/// Text of a log as plain words: no markup, no link, no mention of a person comes of it.
pub(super) fn inline(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' => {
                safe.push('\\');
                safe.push(c);
            }
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            // A word joiner's visible cousin: keeps `@name` from calling somebody.
            '@' => safe.push_str("&#64;"),
            '\n' => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}

/// A sentence of the program's own, where what stands between ticks is code.
pub(super) fn prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let inside = |at: usize| at % 2 == 1;
    let paired = parts.len() % 2 == 1;
    if !paired || (0..parts.len()).any(|at| inside(at) && parts[at].trim().is_empty()) {
        return inline(text);
    }
    let parts = parts.into_iter().enumerate();
    parts
        .map(|(at, part)| if inside(at) { code(part) } else { inline(part) })
        .collect()
}

/// Text of a log within a table's cell.
pub(super) fn cell(text: &str) -> String {
    inline(text)
}

/// Text as code within a line, behind as many ticks as it needs.
pub(super) fn code(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{ticks}{pad}{}{pad}{ticks}", text.replace('\n', " "))
}

/// A block of code, behind as many ticks as it needs.
fn fence(out: &mut String, lang: &str, text: &str) {
    let ticks = "`".repeat((longest_run(text) + 1).max(3));
    let _ = writeln!(out, "{ticks}{lang}\n{text}\n{ticks}\n");
}

/// The longest run of ticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_cannot_leave_its_fence_or_write_markup() {
        let mut out = String::new();
        fence(&mut out, "text", "a\n````\n# b");
        assert!(out.starts_with("`````text\n") && out.ends_with("\n`````\n\n"));
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(
            prose("Handle `<lambda>` *now*"),
            "Handle `<lambda>` \\*now\\*"
        );
        assert_eq!(prose("a ` b"), "a \\` b");
        assert_eq!(inline("<b>@joe *x*"), "&lt;b&gt;&#64;joe \\*x\\*");
    }
}
