//! In: the chosen lines of the sources, one source after another. Out: the [`Story`] they tell.

use super::selector::Sink;
use super::work::Work;
use crate::fact::{self, Fact};
use crate::incident::{Builder, Story};
use crate::record::{self, Cutter, Dress, RawLine, Record};
use crate::source::{Kind, Source, Sources};

/// What was understood so far. Grows with what is distinct, not with bytes.
#[derive(Debug, Default, Clone)]
pub(super) struct Digest {
    builder: Builder,
    records: Vec<Record>,
    facts: Vec<Fact>,
    work: Work,
}

impl Digest {
    /// Takes in the lines of a source that wears `dress`.
    ///
    /// How the run ended is told by its driver's log: beside one, all other logs stand aside.
    pub(super) fn source(mut self, source: &Source, all: &Sources, dress: Dress) -> SourceDigest {
        let beside_driver = || all.list.iter().any(|s| s.kind == Kind::DriverLog);
        let aside = match source.kind {
            Kind::DriverLog | Kind::Trace => false,
            Kind::ExecutorLog => true,
            _ => beside_driver(),
        };
        self.builder
            .begin_source(aside, source.kind == Kind::DriverLog);
        SourceDigest {
            digest: self,
            cutter: Cutter::new(source.id, dress),
            aside,
            dress,
        }
    }

    /// What was done for it.
    pub(super) fn work(&self) -> Work {
        self.work
    }

    /// What all of it says together.
    pub(super) fn story(self) -> Story {
        self.builder.build()
    }

    fn absorb(&mut self) {
        self.work.records += self.records.len() as u64;
        for record in self.records.drain(..) {
            fact::read(&record, &mut self.facts);
            for fact in self.facts.drain(..) {
                self.builder.absorb(&fact);
            }
        }
    }
}

/// A source that is being taken in.
#[derive(Debug, Clone)]
pub(super) struct SourceDigest {
    digest: Digest,
    cutter: Cutter,
    dress: Dress,
    /// Whether it is an executor's log.
    aside: bool,
}

impl SourceDigest {
    /// The source has ended.
    pub(super) fn finish(mut self) -> Digest {
        self.gap();
        if !self.aside {
            self.digest.builder.end_of_log(self.cutter.last_bar());
        }
        self.digest
    }
}

impl Sink for SourceDigest {
    fn line(&mut self, line: RawLine<'_>) {
        self.digest.work.lines += 1;
        self.digest.work.bytes += line.bytes.len() as u64;
        self.cutter.feed(line, &mut self.digest.records);
        self.digest.absorb();
    }

    fn gap(&mut self) {
        self.cutter.finish(&mut self.digest.records);
        self.digest.absorb();
    }

    fn is_head(&self, line: &[u8]) -> bool {
        !self.cutter.waits() && record::is_head(line, self.dress)
    }
}
