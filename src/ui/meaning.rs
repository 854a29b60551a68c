//! What is known, and what is not. In: the row under the cursor. Out: a box with each name in it and its two sentences; for a
//! failure that no rule knows, the wish for a rule to start from.

use super::app::App;
use super::event::Effect;
use super::overlay::Overlay;
use crate::diagnosis::{self, Diagnosis};

/// Whether a rule knows the failure itself, and not only the class of its SQLSTATE.
fn rules_know(diagnosis: &Diagnosis) -> bool {
    let mut fixes = diagnosis.fixes.iter();
    fixes.any(|fix| !fix.rule.starts_with("sqlstate-"))
}

impl App {
    /// Asks for a rule to start from, where no rule knows the failure.
    pub(super) fn begin_rule(&mut self) -> Vec<Effect> {
        let at = self.selection.incident;
        let known = at.and_then(|at| self.case.diagnoses.get(at));
        match (at, known) {
            (Some(at), Some(diagnosis)) if !rules_know(diagnosis) && !self.case.provisional => {
                return vec![Effect::BeginRule(at)];
            }
            (Some(_), Some(diagnosis)) if rules_know(diagnosis) => {
                self.say(
                    "rules know this failure; `causedby rules show ID` prints one to start from",
                );
            }
            _ => self.say("there is no failure to write a rule for"),
        }
        Vec::new()
    }

    /// Explains what the row under the cursor names; where it names nothing known, the root's class and condition.
    pub(super) fn explain(&mut self) {
        let mut text = String::new();
        if self.raw.is_none() {
            let rows = self.view.focus.rows(self.context(), &self.view.folds);
            let at = self.cursor(self.view.focus);
            if at < rows.len() {
                let row = rows.row(at, usize::from(u16::MAX));
                let tag = row.tag.as_ref().map_or("", |tag| tag.content.as_ref());
                text = format!("{} {tag}", row.text());
            }
        }
        let mut terms = diagnosis::explain_names(&text);
        if terms.is_empty()
            && let Some(incident) = self.selection.traced_incident(&self.case)
        {
            let cause = self.selection.cause.unwrap_or(incident.root);
            if let Some(cause) = incident.chain.get(cause) {
                terms = diagnosis::explain_names(&cause.text);
            }
        }
        if terms.is_empty() {
            self.say("no name in this row is known");
        } else {
            self.overlay = Some(Overlay::explain(terms));
        }
    }
}
