//! What is known, and what is not. In: the row under the cursor. Out: a box with each name in it and its two sentences; for a
//! failure that no rule knows, the wish for a rule to start from.

use super::app::App;
use super::event::Effect;
use super::overlay::Overlay;
use crate::diagnosis::{self, Fix};
use crate::incident::Role;

/// Why no rule is begun for a failure.
enum Known {
    /// A rule says what to do, and not only what the class of its SQLSTATE tells.
    Fix,
    /// It follows from another failure: a rule belongs to that one.
    Effect,
    Nothing,
}

impl App {
    /// Whether a rule of one's own is to be offered.
    pub(super) fn may_begin_rule(&self) -> bool {
        !self.case.provisional && self.known().is_none()
    }

    /// What is known of the failure in view; `None` where that is nothing.
    fn known(&self) -> Option<Known> {
        let of = |at: usize| {
            self.case
                .story
                .incidents
                .get(at)
                .zip(self.case.diagnoses.get(at))
        };
        let Some((incident, diagnosis)) = self.selection.incident.and_then(of) else {
            return Some(Known::Nothing);
        };
        let says = |fix: &Fix| !fix.rule.starts_with("sqlstate-") && !fix.steps.is_empty();
        if diagnosis.fixes.iter().any(says) {
            return Some(Known::Fix);
        }
        let effect = incident.role == Role::Noise || incident.effect_of.is_some();
        effect.then_some(Known::Effect)
    }

    /// Asks for a rule to start from, where no rule knows the failure.
    pub(super) fn begin_rule(&mut self) -> Vec<Effect> {
        match self.known() {
            None if !self.case.provisional => {
                return self
                    .selection
                    .incident
                    .map(Effect::BeginRule)
                    .into_iter()
                    .collect();
            }
            Some(Known::Fix) => {
                self.say(
                    "rules know this failure; `causedby rules show ID` prints one to start from",
                );
            }
            Some(Known::Effect) => {
                self.say("this failure follows from another one; a rule belongs to that one");
            }
            Some(Known::Nothing) | None => self.say("there is no failure to write a rule for"),
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
