//! In: the chosen lines of the sources, one source after another. Out: the [`Story`] they tell.

use super::selector::Sink;
use super::work::Work;
use crate::fact::{self, Fact};
use crate::incident::{Builder, Story};
use crate::record::{self, Cutter, Dress, RawLine, Record};
use crate::source::{Kind, Source, Sources};
use crossbeam_channel::bounded;
use std::thread;

/// Bytes of lines whose records are handed on together, and how many such batches may wait.
const BATCH: usize = 128 << 10;
const WAITING: usize = 4;

/// What was understood so far. Grows with what is distinct, not with bytes.
#[derive(Debug, Default, Clone)]
pub(super) struct Digest {
    builder: Builder,
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
        let is_driver = source.kind == Kind::DriverLog;
        self.builder
            .begin_source(aside, is_driver, source.labels.executor.as_ref());
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

    /// What all of it says together; what is read may still go on.
    pub(super) fn story(mut self, goes_on: bool) -> Story {
        if goes_on {
            self.builder.goes_on();
        }
        self.builder.build()
    }

    fn absorb(&mut self, records: &[Record]) {
        self.work.records += records.len() as u64;
        for record in records {
            self.builder.in_stream(is_executors(&record.stream));
            fact::read(record, &mut self.facts);
            for fact in self.facts.drain(..) {
                self.builder.absorb(&fact);
            }
        }
    }
}

/// Whether a stream of aggregated logs is of a container that runs an executor: the first one runs the driver, or what
/// asks for the others.
fn is_executors(stream: &str) -> bool {
    let container = stream.split(' ').next().unwrap_or("");
    let number = container
        .strip_prefix("container_")
        .and_then(|id| id.rsplit('_').next());
    number.is_some_and(|number| number.parse::<u32>().is_ok_and(|number| number > 1))
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
    /// Takes in the lines that `lines` gives: `beside` one another, where that is worth a thread, they are cut into
    /// records on this one and read on the other.
    pub(super) fn take_in<T>(
        &mut self,
        beside: bool,
        lines: impl FnOnce(&mut Cutting<'_>) -> T,
    ) -> T {
        let mut lines = Some(lines);
        let mut taken = None;
        if beside {
            let (give, take) = bounded::<Vec<Record>>(WAITING);
            let (digest, cutter) = (&mut self.digest, &mut self.cutter);
            taken = thread::scope(|scope| {
                let reader = move || take.iter().for_each(|records| digest.absorb(&records));
                // Where the system gives no thread, this one does both.
                thread::Builder::new().spawn_scoped(scope, reader).ok()?;
                let mut give = move |records| drop(give.send(records));
                let mut cutting = Cutting::new(cutter, self.dress, &mut give);
                let taken = lines.take().map(|lines| lines(&mut cutting));
                cutting.hand_on();
                taken.map(|taken| (taken, cutting.work))
            });
        }
        let (taken, work) = taken.unwrap_or_else(|| {
            let mut absorb = |records: Vec<Record>| self.digest.absorb(&records);
            let mut cutting = Cutting::new(&mut self.cutter, self.dress, &mut absorb);
            let taken = lines.take().map(|lines| lines(&mut cutting));
            cutting.hand_on();
            (taken.expect("nobody else has called it"), cutting.work)
        });
        self.digest.work.lines += work.lines;
        self.digest.work.bytes += work.bytes;
        taken
    }

    /// The source has ended.
    pub(super) fn finish(mut self) -> Digest {
        self.take_in(false, |sink| sink.gap());
        if !self.aside {
            self.digest.builder.end_of_log(self.cutter.last_bar());
        }
        self.digest
    }
}

/// Cuts lines into records and hands those on, batch by batch.
pub(super) struct Cutting<'s> {
    cutter: &'s mut Cutter,
    dress: Dress,
    records: Vec<Record>,
    /// Bytes of the lines since the last batch.
    bytes: usize,
    give: &'s mut dyn FnMut(Vec<Record>),
    work: Work,
}

impl<'s> Cutting<'s> {
    fn new(cutter: &'s mut Cutter, dress: Dress, give: &'s mut dyn FnMut(Vec<Record>)) -> Self {
        Self {
            cutter,
            dress,
            records: Vec::new(),
            bytes: 0,
            give,
            work: Work::default(),
        }
    }

    fn hand_on(&mut self) {
        self.bytes = 0;
        if !self.records.is_empty() {
            (self.give)(std::mem::take(&mut self.records));
        }
    }
}

impl Sink for Cutting<'_> {
    fn line(&mut self, line: RawLine<'_>) {
        self.work.lines += 1;
        self.work.bytes += line.bytes.len() as u64;
        self.bytes += line.bytes.len();
        self.cutter.feed(line, &mut self.records);
        if self.bytes >= BATCH {
            self.hand_on();
        }
    }

    fn gap(&mut self) {
        self.cutter.finish(&mut self.records);
    }

    fn is_head(&self, line: &[u8]) -> bool {
        !self.cutter.waits() && record::is_head(line, self.dress)
    }
}
