//! What a copy is about. In: an [`Action`] that copies, and where the screen stands. Out: the text, or which lines of the log.

use super::action::Action;
use super::app::App;
use super::event::Wanted;
use super::panes::{Pane, safe_code};
use crate::diagnosis::StepKind;
use crate::incident::Cause;

/// Lines of a message that are copied with the line that says it: of a longer one, such as a plan, that line tells enough.
const MOST_LINES: usize = 30;

/// What a cause says, in all its lines.
fn whole(cause: &Cause) -> String {
    let lines: Vec<&str> = cause.message.lines().collect();
    let first = lines.first().copied().unwrap_or("").trim_end();
    if lines.len() > MOST_LINES || !cause.text.trim_end().ends_with(first) {
        return cause.text.to_string();
    }
    let further = lines.iter().skip(1).map(|line| line.trim_end());
    let all: Vec<&str> = std::iter::once(cause.text.trim_end())
        .chain(further)
        .collect();
    all.join("\n").trim_end().to_owned()
}

impl App {
    /// The code that the row under the cursor is part of.
    pub(super) fn code_at_cursor(&self) -> Option<String> {
        if self.raw.is_some() {
            return None;
        }
        let rows = self.view.focus.rows(self.context(), &self.view.folds);
        let row = self.cursor(self.view.focus);
        if row < rows.len() {
            rows.code(row)
        } else {
            None
        }
    }

    /// The code of the step under the cursor; elsewhere that of the selected fix's first step that mends.
    fn code_of_step(&self) -> Option<String> {
        if self.view.focus == Pane::Fixes
            && let Some(code) = self.code_at_cursor()
        {
            return Some(code);
        }
        let remedies = self.case.remedies(self.selection.incident);
        let steps = &remedies.get(self.selection.fix?)?.steps;
        let with_code = || steps.iter().filter(|step| step.code.is_some());
        let step = with_code()
            .find(|step| step.kind == StepKind::Fix)
            .or_else(|| with_code().next())?;
        Some(format!("{}\n", safe_code(step)))
    }

    /// What a copy is of, for a person.
    pub(super) fn copied(&self, action: Action) -> &'static str {
        match action {
            Action::CopyRoot if self.code_at_cursor().is_some() => "the code of the step",
            Action::CopyRoot => "the root cause",
            Action::CopyStep => "the code of a step",
            Action::CopyChain => "the chain of causes",
            Action::CopyTrace => "the trace",
            Action::CopyRaw => "the trace as it stands",
            Action::CopyTicket => "the ticket",
            Action::CopyFix => "the code of the fix",
            _ => "the row",
        }
    }

    /// The text that a copy is about.
    pub(super) fn wanted(&self, action: Action) -> Option<Wanted> {
        if action == Action::CopyRoot
            && let Some(code) = self.code_at_cursor()
        {
            return Some(Wanted::Text(code));
        }
        if action == Action::CopyStep {
            return self.code_of_step().map(Wanted::Text);
        }
        let n = self.selection.incident?;
        let incident = self.selection.incident(&self.case)?;
        Some(match action {
            Action::CopyRoot => Wanted::Text(whole(incident.root())),
            Action::CopyChain => {
                let links = self
                    .selection
                    .traced_incident(&self.case)?
                    .chain
                    .iter()
                    .map(|cause| {
                        let class = if cause.class.is_empty() {
                            ""
                        } else {
                            &*cause.class
                        };
                        let separator = if class.is_empty() || cause.message.is_empty() {
                            ""
                        } else {
                            ": "
                        };
                        format!("{class}{separator}{}", cause.message)
                    });
                Wanted::Text(links.collect::<Vec<_>>().join("\ncaused by: "))
            }
            Action::CopyTrace => Wanted::Trace(self.selection.traced()?),
            Action::CopyRaw => Wanted::Raw(self.selection.traced()?),
            Action::CopyTicket => Wanted::Ticket(n),
            Action::CopyFix => {
                let remedies = self.case.remedies(Some(n));
                let fix = remedies.get(self.selection.fix?)?;
                let code: Vec<String> = fix
                    .steps
                    .iter()
                    .filter(|step| step.code.is_some())
                    .map(|step| format!("{}\n", safe_code(step)))
                    .collect();
                if code.is_empty() {
                    return None;
                }
                Wanted::Text(code.join("\n"))
            }
            _ => {
                let rows = self.view.focus.rows(self.context(), &self.view.folds);
                let row = self.cursor(self.view.focus);
                if row >= rows.len() {
                    return None;
                }
                let text = rows.row(row, usize::MAX).text();
                Wanted::Text(text.trim_matches([' ', '▶']).to_owned())
            }
        })
    }
}
