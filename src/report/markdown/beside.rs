//! In: what stands beside the fixes in an outline. Out: its Markdown: evidence as a list to be ticked, suspects with what speaks
//! for and against each, figures of stages as a table, and what was not known.

use super::ticket::{at, capital, cell, code, inline, one_fix, one_step, prose};
use crate::report::outline::{Beside, FixTold, SignTold, StageTold};
use crate::report::safe::Safe;
use std::fmt::Write as _;

pub(super) fn evidence(out: &mut String, beside: &Beside) {
    if beside.evidence.is_empty() {
        return;
    }
    out.push_str("## Evidence to look at\n\n");
    for evidence in &beside.evidence {
        let tick = if evidence.held.is_some() { "x" } else { " " };
        let _ = write!(out, "- [{tick}] {}", inline(evidence.step.text.as_str()));
        if let Some(held) = &evidence.held {
            let _ = write!(
                out,
                " {}{}",
                inline(held.text.as_str()),
                at(held.spot.as_ref())
            );
        } else if let [line] = evidence.step.code.as_str().lines().collect::<Vec<_>>()[..] {
            let _ = write!(out, " {}", code(line));
        }
        out.push('\n');
    }
    out.push('\n');
    for notice in &beside.notices {
        let _ = writeln!(out, "{}\n", inline(notice.text.as_str()));
    }
}

pub(super) fn suspects(out: &mut String, beside: &Beside) {
    let Some(question) = &beside.question else {
        return;
    };
    let _ = writeln!(out, "## {}\n", inline(question.asks.as_str()));
    for (index, suspect) in question.suspects.iter().enumerate() {
        let _ = writeln!(out, "{}. **{}**", index + 1, inline(suspect.title.as_str()));
        for (word, signs) in [
            ("for", &suspect.speaks_for),
            ("against", &suspect.speaks_against),
        ] {
            for sign in signs {
                let _ = writeln!(out, "   - {word}: {}", signed(sign));
            }
        }
        if suspect.speaks_for.is_empty() && suspect.speaks_against.is_empty() {
            out.push_str("   - nothing that was opened speaks for or against it\n");
        }
    }
    out.push('\n');
    // What to try for the one that most speaks for.
    if let Some(first) = question.suspects.first()
        && !first.speaks_for.is_empty()
    {
        one_step(out, "Try for the first", &first.step);
    }
}

fn signed(sign: &SignTold) -> String {
    format!("{}{}", inline(sign.text.as_str()), at(sign.spot.as_ref()))
}

pub(super) fn recipes(out: &mut String, beside: &Beside) {
    if beside.recipes.is_empty() {
        return;
    }
    out.push_str("## To see more\n\n");
    for recipe in &beside.recipes {
        // A summary is HTML: ticks would be told as such.
        let title = inline(&recipe.title.as_str().replace('`', ""));
        let _ = writeln!(out, "<details><summary>{title}</summary>\n");
        let _ = writeln!(out, "{}\n", prose(recipe.why.as_str()));
        for (index, step) in recipe.steps.iter().enumerate() {
            one_step(out, &(index + 1).to_string(), step);
        }
        out.push_str("</details>\n\n");
    }
}

pub(super) fn advice(out: &mut String, advice: &[(String, FixTold)]) {
    if advice.is_empty() {
        return;
    }
    out.push_str("## Advice\n\n");
    for (about, fix) in advice {
        let _ = writeln!(
            out,
            "### {}: {}\n",
            capital(about),
            prose(fix.title.as_str())
        );
        one_fix(out, fix);
    }
}

pub(super) fn not_known(out: &mut String, not_known: &[Safe]) {
    if not_known.is_empty() {
        return;
    }
    out.push_str("## Not known\n\n");
    for line in not_known {
        let _ = writeln!(out, "- {}", inline(line.as_str()));
    }
    out.push('\n');
}

pub(super) fn figures(out: &mut String, stages: &[StageTold]) {
    let told = stages
        .iter()
        .filter_map(|stage| Some((stage, stage.figures.as_ref()?)));
    let told: Vec<_> = told.collect();
    if told.is_empty() {
        return;
    }
    out.push_str("| stage | middle task | longest | read | shuffled | spilled | gc |\n|---|---|---|---|---|---|---|\n");
    for (stage, figures) in told {
        let cells = [
            &stage.id,
            &figures.task.0,
            &figures.task.1,
            &figures.input,
            &figures.shuffled,
            &figures.spilled,
            &figures.gc,
        ];
        for text in cells {
            let _ = write!(out, "| {} ", cell(text));
        }
        out.push_str("|\n");
    }
    out.push('\n');
}
