//! In: the chosen lines of the sources, one source after another. Out: the [`Story`] they tell.

use super::selector::Sink;
use crate::fact::{self, Fact};
use crate::incident::{Builder, Story};
use crate::record::{self, Cutter, Dress, RawLine, Record};
use crate::text::SourceId;

/// What was understood so far. Grows with what is distinct, not with bytes.
#[derive(Debug, Default)]
pub(super) struct Digest {
    builder: Builder,
    records: Vec<Record>,
    facts: Vec<Fact>,
}

impl Digest {
    /// Takes in the lines of a source that wears `dress`.
    pub(super) fn source(&mut self, id: SourceId, dress: Dress) -> SourceDigest<'_> {
        SourceDigest {
            digest: self,
            cutter: Cutter::new(id, dress),
            dress,
        }
    }

    /// What all of it says together.
    pub(super) fn story(self) -> Story {
        self.builder.build()
    }

    fn absorb(&mut self) {
        for record in self.records.drain(..) {
            fact::read(&record, &mut self.facts);
            for fact in self.facts.drain(..) {
                self.builder.absorb(fact);
            }
        }
    }
}

/// A source that is being taken in.
pub(super) struct SourceDigest<'d> {
    digest: &'d mut Digest,
    cutter: Cutter,
    dress: Dress,
}

impl SourceDigest<'_> {
    /// The source has ended.
    pub(super) fn finish(mut self) {
        self.gap();
    }
}

impl Sink for SourceDigest<'_> {
    fn line(&mut self, line: RawLine<'_>) {
        self.cutter.feed(line, &mut self.digest.records);
        self.digest.absorb();
    }

    fn gap(&mut self) {
        self.cutter.finish(&mut self.digest.records);
        self.digest.absorb();
    }

    fn is_head(&self, line: &[u8]) -> bool {
        record::is_head(line, self.dress)
    }
}
