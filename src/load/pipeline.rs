//! In: [`Sources`]. Out: the [`Case`] they make.

use super::case::Case;
use crate::fact;
use crate::incident::Builder;
use crate::record::{Cutter, Dress, RawLine};
use crate::source::Sources;
use std::sync::Arc;

/// Reads everything and returns the whole answer.
pub fn load(sources: Sources) -> Case {
    let n = sources.list.len();
    let mut builder = Builder::default();
    let mut lines = vec![0; n];
    let mut dresses = vec![Dress::default(); n];
    for (i, source) in sources.list.iter().enumerate() {
        if !source.kind.is_log() {
            continue;
        }
        let mut bytes = vec![0; usize::try_from(source.bytes).unwrap_or(0)];
        let _ = source.fill_at(0, &mut bytes);
        dresses[i] = Dress::of(&bytes[..bytes.len().min(1 << 20)]);
        let mut cutter = Cutter::new(source.id, dresses[i]);
        let mut records = Vec::new();
        let mut facts = Vec::new();
        let mut start = 0u64;
        for line in bytes.split(|b| *b == b'\n') {
            lines[i] += 1;
            cutter.feed(
                RawLine {
                    start,
                    line: lines[i],
                    bytes: line,
                },
                &mut records,
            );
            start += line.len() as u64 + 1;
        }
        cutter.finish(&mut records);
        for record in &records {
            fact::read(record, &mut facts);
        }
        for fact in facts {
            builder.absorb(fact);
        }
    }
    let story = builder.build();
    let diagnoses = story
        .incidents
        .iter()
        .map(|_| crate::diagnosis::Diagnosis::default())
        .collect();
    Case {
        sources: Arc::new(sources),
        story,
        diagnoses,
        dresses,
        lines,
        unread: vec![0; n],
        provisional: false,
    }
}
