//! In: facts that tell that something failed, and not what. Out: the failure that they make where a log holds nothing else.

use super::builder::Builder;
use super::telling::Telling;
use crate::fact::{Fact, FactKind, Language, Said, Stand, Weight};
use crate::record::Level;

/// The last of such facts.
#[derive(Debug, Clone)]
pub(super) struct Remnant {
    fact: Fact,
    order: u64,
}

impl Builder {
    /// A traceback that was cut before its exception, or a task that the scheduler gave up.
    pub(super) fn remember(&mut self, fact: &Fact) {
        if fact.level.is_some_and(|level| level < Level::Error) {
            return;
        }
        self.remnant = Some(Remnant {
            fact: fact.clone(),
            order: self.order,
        });
    }

    /// Makes a failure of what was remembered, where nothing says more and no work followed.
    pub(super) fn tell_remnant(&mut self) {
        let Some(Remnant { fact, order }) = self.remnant.take() else {
            return;
        };
        // What came after a task was given up, and ended nothing itself, is not why.
        let given_up = matches!(fact.kind, FactKind::GaveUp { .. });
        let told = self.failures.iter().any(|failure| {
            let after = failure.first_order > order && failure.last_word.is_none();
            self.counts(failure) && !(given_up && after)
        });
        if told || self.life.work > order || self.ledger.end.is_some() {
            return;
        }
        if let FactKind::Threw { trace, .. } = &fact.kind {
            // Frames below words may be what a program shows of itself.
            if trace.chain[0].language == Language::Jvm && self.life.output > order {
                return;
            }
            self.threw(&fact, &Telling::of(trace), Some(trace), None);
        } else {
            let (weight, stand) = (Weight::Symptom, Stand::Cluster);
            self.say(
                &fact,
                Said {
                    weight,
                    stand,
                    class: "",
                },
            );
        }
    }
}
