//! [`Case`]: the whole answer, immutable.

use super::work::Work;
use crate::diagnosis::{Diagnosis, Rulebook};
use crate::fact::event_log;
use crate::incident::Story;
use crate::record::{self, Dress};
use crate::source::{Kind, Sources};
use crate::text::Place;
use std::sync::Arc;

/// Everything that is known of what was opened.
#[derive(Debug, Clone)]
pub struct Case {
    /// What was opened.
    pub sources: Arc<Sources>,
    /// What happened.
    pub story: Story,
    /// What the rules say: one for each of `story.incidents`, in the same order; none where
    /// [`Options::diagnose`](super::Options::diagnose) is off.
    pub diagnoses: Vec<Diagnosis>,
    /// What each source is wrapped in, in the order of `sources.list`.
    pub dresses: Vec<Dress>,
    /// Lines of each source, in the order of `sources.list`; 0 while not counted. While it is 0, the `line` of
    /// a place in that source tells lines apart but is not their number in the file.
    pub lines: Vec<u64>,
    /// Bytes of each source that were not understood as text.
    pub unread: Vec<u64>,
    /// What reading took.
    pub work: Work,
    /// Whether more is still being read: a later case may say otherwise.
    pub provisional: bool,
}

impl Case {
    /// Nothing is known yet of `sources`.
    pub(super) fn empty(sources: &Arc<Sources>) -> Self {
        let n = sources.list.len();
        Self {
            sources: Arc::clone(sources),
            story: Story::default(),
            diagnoses: Vec::new(),
            dresses: vec![Dress::default(); n],
            lines: vec![0; n],
            unread: vec![0; n],
            work: Work::default(),
            provisional: false,
        }
    }

    /// With what happened, and what the rules say of it, where they are asked.
    pub(super) fn told(mut self, story: Story, rules: Option<&Rulebook>) -> Self {
        self.diagnoses = rules.map_or_else(Vec::new, |rules| rules.diagnose(&story));
        self.story = story;
        self
    }

    /// The same, by other rules.
    #[must_use]
    pub fn judged_by(&self, rules: &Rulebook) -> Self {
        self.clone().told(self.story.clone(), Some(rules))
    }

    /// The text of a place, read again from its source; not sanitised.
    pub fn text(&self, place: &Place) -> String {
        let bytes = self.sources.bytes(place);
        let source = self.sources.get(place.source);
        if source.is_some_and(|source| source.kind == Kind::EventLog) {
            return event_log::logical_text(&bytes, place.part);
        }
        let dress = self.dresses.get(place.source.0 as usize).copied();
        record::logical_text(&bytes, place.part, dress.unwrap_or_default())
    }
}
