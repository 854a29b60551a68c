//! In: the chosen lines of the sources, one source after another. Out: the [`Story`] they tell.

use super::selector::Sink;
use super::work::Work;
use crate::fact::{self, Fact, FactKind, Memory};
use crate::incident::{Builder, Story};
use crate::record::{self, Cutter, Dress, RawLine, Record, Room, Stretch};
use crate::source::{Kind, Source, Sources};
use crossbeam_channel::bounded;
use std::thread;

/// Bytes of lines whose records are handed on together, and how many such batches may wait: so many that a thread which is
/// woken late on a busy machine does not hold up the other.
const BATCH: usize = 128 << 10;
const WAITING: usize = 16;

/// What was understood so far. Grows with what is distinct, not with bytes.
#[derive(Debug, Default, Clone)]
pub(super) struct Digest {
    builder: Builder,
    memory: Memory,
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
        Work {
            read: self.memory.read(),
            ..self.work
        }
    }

    /// What all of it says together; what is read may still go on.
    pub(super) fn story(mut self, goes_on: bool) -> Story {
        if goes_on {
            self.builder.goes_on();
        }
        self.builder.build()
    }

    /// Takes records in; returns the room that they took.
    fn absorb(&mut self, records: Vec<Record>) -> Room {
        self.work.records += records.len() as u64;
        for record in &records {
            self.builder.in_stream(&record.stream);
            fact::read_by(&mut self.memory, record, &mut self.facts);
            for mut fact in self.facts.drain(..) {
                if matches!(fact.kind, FactKind::ThrewAgain { .. }) {
                    if self.builder.knows(&fact) {
                        self.work.repeated += 1;
                    } else {
                        fact = fact.in_full(record);
                    }
                }
                self.builder.absorb(&fact);
            }
        }
        Room::of(records)
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
            let (give_back, take_back) = bounded(WAITING);
            let (digest, cutter) = (&mut self.digest, &mut self.cutter);
            taken = thread::scope(|scope| {
                let reader = move || {
                    for records in take {
                        let _ = give_back.try_send(digest.absorb(records));
                    }
                };
                // Where the system gives no thread, this one does both.
                thread::Builder::new().spawn_scoped(scope, reader).ok()?;
                let mut give = move |records| {
                    let _ = give.send(records);
                    take_back.try_recv().ok()
                };
                let mut cutting = Cutting::new(cutter, self.dress, &mut give);
                let taken = lines.take().map(|lines| lines(&mut cutting));
                cutting.hand_on();
                taken.map(|taken| (taken, cutting.work))
            });
        }
        let (taken, work) = taken.unwrap_or_else(|| {
            let mut absorb = |records| Some(self.digest.absorb(records));
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

type Give<'s> = dyn FnMut(Vec<Record>) -> Option<Room> + 's;

/// Cuts lines into records and hands those on, batch by batch.
pub(super) struct Cutting<'s> {
    cutter: &'s mut Cutter,
    dress: Dress,
    records: Vec<Record>,
    /// Bytes of the lines since the last batch.
    bytes: usize,
    /// Hands a batch on, and gets room back of one that was read.
    give: &'s mut Give<'s>,
    work: Work,
}

impl<'s> Cutting<'s> {
    fn new(cutter: &'s mut Cutter, dress: Dress, give: &'s mut Give<'s>) -> Self {
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
            // The next batch is about as large.
            let next = Vec::with_capacity(self.records.len());
            let room = (self.give)(std::mem::replace(&mut self.records, next));
            self.cutter.make_room(room.unwrap_or_default());
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

    fn frames(&mut self, lines: RawLine<'_>) -> Stretch {
        let taken = self.cutter.frames(lines, &mut self.records);
        let bytes = taken.bytes - usize::try_from(taken.lines).unwrap_or(0);
        self.work.lines += taken.lines;
        self.work.bytes += bytes as u64;
        self.bytes += bytes;
        if self.bytes >= BATCH {
            self.hand_on();
        }
        taken
    }

    fn gap(&mut self) {
        self.cutter.finish(&mut self.records);
    }

    fn is_head(&self, line: &[u8]) -> bool {
        !self.cutter.waits() && record::is_head(line, self.dress)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::records;
    use proptest::prelude::*;

    /// The story of a log, and how many of its records repeated a failure; or as if no line were like another.
    fn story(log: &str, by_memory: bool) -> (String, u64) {
        let mut digest = Digest::default();
        let mut records = records(log);
        for line in records.iter_mut().flat_map(|record| &mut record.lines) {
            line.shape = line.shape.filter(|_| by_memory);
        }
        digest.absorb(records);
        let repeated = digest.work.repeated;
        (format!("{:#?}", digest.story(false)), repeated)
    }

    /// One of a few hashes, some of which begin with a letter.
    fn hash(n: u64) -> String {
        format!("{:x}", 0x00a1_b2c3_d4e5_u64 * (n + 1))
    }

    fn failure() -> impl Strategy<Value = String> {
        let head = prop_oneof![
            4 => (0..3_u32, 0..30_u32).prop_map(|(n, tid)| format!("ERROR Executor: Exception in task {n}.{n} in stage 1.0 (TID {tid})")),
            2 => (0..3_u32, 1..3_u32).prop_map(|(n, e)| format!("WARN TaskSetManager: Lost task {n}.0 in stage 1.0 (TID {n}) (dn{e} executor {e}): a.B: gone {n}")),
            1 => Just("WARN Tides: it failed".to_owned()),
            1 => Just("INFO DAGScheduler: ResultStage 1 (collect at x.py:1) failed in 1.2 s due to a.B: m 1".to_owned()),
            1 => (0..30_u32).prop_map(|n| format!("ERROR Tides: Job aborted: Task {n} in stage 1.0 failed 4 times, most recent failure: Lost task {n}.3 in stage 1.0 (TID {n}) (dn1 executor 1): a.B: m")),
        ];
        let thrown = prop_oneof![
            (0..12_u32).prop_map(|n| format!("org.apache.spark.SparkException: [TASK_WRITE_FAILED] Task failed while writing rows to part-{n}")),
            (0..12_u32).prop_map(|n| format!("java.io.IOException: block {n} is gone")),
            (0..12_u64).prop_map(|n| format!("java.io.IOException: block {} is gone", hash(n))),
            (0..3_u32).prop_map(|n| format!("a.B{n}Exception: x")),
            Just("output".to_owned()),
            (0..12_u32).prop_map(|n| format!("ExecutorLostFailure (executor {n} exited caused by one of the running tasks) Reason: Command exited with code {n}")),
        ];
        let stack = || {
            prop::collection::vec(
                prop::sample::select(vec![
                    "\tat com.acme.Orders.parse(Orders.scala:3)",
                    "\tat com.acme.Orders.parse(Orders.scala:7)",
                    "\tat com.acme.Rates.of(Rates.scala:3) ~[rates.jar:1.2]",
                    "\tat com.acme.Rates.of(Rates.scala:7) ~[rates.jar:1.2]",
                    "\tat org.apache.spark.scheduler.Task.run(Task.scala:1)",
                    "\tat org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver.main(S.scala:1)",
                    "\tat java.lang.Thread.run(Thread.java:840)",
                ]),
                0..3,
            )
        };
        let cause = prop_oneof![
            3 => (0..12_u32).prop_map(|n| format!("Caused by: java.lang.NumberFormatException: For input string: {n}")),
            1 => (0..12_u32).prop_map(|n| format!("Caused by: java.io.IOException: block {n} is gone")),
            1 => Just("\t... 9 more".to_owned()),
            1 => Just("Process completed with exit code 1".to_owned()),
        ];
        (head, thrown, stack(), cause, stack(), 10..60_u32).prop_map(
            |(head, thrown, stack, cause, below, second)| {
                let lines = [&[thrown.as_str()][..], &stack, &[cause.as_str()], &below].concat();
                format!("24/01/02 03:04:{second} {head}\n{}\n", lines.join("\n"))
            },
        )
    }

    /// What an interpreter prints, and who is around it: in one record, where nothing has a head.
    fn printed() -> impl Strategy<Value = String> {
        let n = 0..12_u32;
        let traceback = (0..2_u32, 0..3_u32, n.clone(), 0..6_u32).prop_map(|(file, line, n, kind)| {
            let raised = match kind {
                0 => format!("ValueError: bad value {n}"),
                1 => format!("pyspark.errors.exceptions.base.PySparkValueError: [BAD] {n}\n  row {n}"),
                2 => "KeyError".to_owned(),
                3 if line > 0 => format!("ValueError: no rows in {}", hash(n.into())),
                3 => format!("org.apache.spark.api.python.PythonException: python {n}"),
                4 => format!("a.B{n}Error: x"),
                _ => format!("RuntimeError: java.io.IOException: block {n} is gone"),
            };
            format!(
                "Traceback (most recent call last):\n  File \"/jobs/{file}.py\", line {line}, in f\n    g(row[{n}])\n{raised}\n"
            )
        });
        let between = prop_oneof![
            Just("\nDuring handling of the above exception, another exception occurred:\n\n".to_owned()),
            Just("Exception ignored in: <function f>\n".to_owned()),
            n.clone().prop_map(|n| format!("Exception in thread Thread-{n} (f):\n")),
            n.clone().prop_map(|n| format!("java.io.IOException: block {n} is gone\n")),
            n.clone().prop_map(|n| format!("words\nwords {n}\n\tat a.b.C.d(C.java:{n})\n")),
            n.clone().prop_map(|n| format!("words {n}\n    at a.b.C.d(C.java:{n}) ~[c.jar:{n}]\n")),
            n.clone().prop_map(|n| format!("Process completed with exit code {n}\n")),
            n.clone().prop_map(|n| format!("24/01/02 03:04:{:02} ERROR Tides: it failed\n", n + 10)),
            n.clone().prop_map(|n| format!("24/01/02 03:04:{:02} INFO DAGScheduler: ResultStage 1 (f at x.py:1) failed in 1 s due to a.B: m\n", n + 10)),
            n.prop_map(|n| format!("2024-01-02 03:04:05 own words {n}\n")),
            Just("\n".to_owned()),
        ];
        prop_oneof![3 => traceback, 2 => between]
    }

    proptest! {
        #[test]
        fn what_repeats_itself_tells_the_same_without_being_read(failures in prop::collection::vec(failure(), 0..40)) {
            let log = failures.concat();
            prop_assert_eq!(story(&log, true).0, story(&log, false).0);
        }

        #[test]
        fn so_does_what_an_interpreter_prints(printed in prop::collection::vec(printed(), 0..40)) {
            let log = printed.concat();
            prop_assert_eq!(story(&log, true).0, story(&log, false).0);
        }
    }

    #[test]
    fn a_failure_that_repeats_itself_is_read_once() {
        let failure = |n: u32| {
            format!(
                "24/01/02 03:04:05 ERROR Executor: Exception in task {n}.0 in stage 1.0 (TID {n})\n\
                 java.io.IOException: block {n} is gone\n\tat a.b.C.d(C.java:1)\nCaused by: a.X: y\n\t... 9 more\n"
            )
        };
        let log: String = (10..60).map(failure).collect();
        let (told, repeated) = story(log.trim_end(), true);
        assert_eq!(repeated, 49);
        assert_eq!(told, story(log.trim_end(), false).0);
    }
}
