//! [`Case`]: the whole answer, immutable.

use crate::diagnosis::Diagnosis;
use crate::incident::Story;
use crate::record::{self, Dress};
use crate::source::Sources;
use crate::text::Place;
use std::sync::Arc;

/// Everything that is known of what was opened.
#[derive(Debug, Clone)]
pub struct Case {
    /// What was opened.
    pub sources: Arc<Sources>,
    /// What happened.
    pub story: Story,
    /// What the rules say: one for each of `story.incidents`, in the same order.
    pub diagnoses: Vec<Diagnosis>,
    /// What each source is wrapped in, in the order of `sources.list`.
    pub dresses: Vec<Dress>,
    /// Lines of each source, in the order of `sources.list`; 0 while not counted.
    pub lines: Vec<u64>,
    /// Bytes of each source that were not understood as text.
    pub unread: Vec<u64>,
    /// Whether more is still being read: a later case may say otherwise.
    pub provisional: bool,
}

impl Case {
    /// The text of a place, read again from its source; not sanitised.
    pub fn text(&self, place: &Place) -> String {
        let dress = self.dresses.get(place.source.0 as usize).copied();
        record::logical_text(
            &self.sources.bytes(place),
            place.part,
            dress.unwrap_or_default(),
        )
    }
}
