//! In: a block of an event log. Out: [`Skim`]: where its whole lines are, and of those that tell of a task that started or
//! finished what they tell. Nearly all lines of a large log are of these two kinds.
//!
//! Spark writes their keys in one order, so what is used of them is read from left to right, and what is not is jumped
//! over. A line that is written in any other way, or tells of anything else, is left to the parser of JSON.

use super::event::{EndReason, Input, Output, ShuffleRead, ShuffleWrite, TaskEnd, TaskInfo};
use super::event::{TaskMetrics, TaskStart};
use memchr::memmem::Finder;
use memchr::{memchr, memchr_iter};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

/// How the two kinds of lines begin.
const STARTED: &[u8] = b"{\"Event\":\"SparkListenerTaskStart\",\"Stage ID\":";
const FINISHED: &[u8] = b"{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":";

/// Quotes within a text have a backslash in front, so no mark can be part of one.
static ACCUMULATED: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("]},\"Task "));
static METRICS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("},\"Task Metrics\":{"));
static WRITTEN: LazyLock<Finder<'static>> =
    LazyLock::new(|| Finder::new("},\"Shuffle Write Metrics\":{"));

/// What the whole lines of a block tell.
#[derive(Debug, Default)]
pub struct Skim {
    pub(super) lines: Vec<SkimmedLine>,
    /// How many lines end in the block.
    line_ends: u64,
    /// The names that they tell, one behind the other: the block itself is in another processor's cache by then.
    pub(super) names: String,
}

/// A line that begins and ends in a block.
#[derive(Debug)]
pub(super) struct SkimmedLine {
    /// Where in the block it is, without its end.
    pub(super) at: Range<usize>,
    pub(super) told: Told,
}

/// What a line tells.
#[derive(Debug)]
pub(super) enum Told {
    /// That a task started.
    Started(Task),
    /// That a task finished.
    Finished(Task, TaskMetrics),
    /// It has to be parsed.
    Unknown,
}

/// A task of a line; its names are where they stand in [`Skim::names`].
#[derive(Debug)]
pub(super) struct Task {
    stage: u32,
    stage_attempt: u32,
    tid: u64,
    index: u32,
    attempt: u32,
    launched: i64,
    finished: i64,
    executor: Range<usize>,
    host: Range<usize>,
    speculative: bool,
}

impl Skim {
    /// Reads the lines of `block` that begin behind its first line's end: where the block begins, nothing tells.
    pub fn read(&mut self, block: &[u8]) {
        self.lines.clear();
        self.names.clear();
        self.line_ends = 0;
        let mut start = None;
        for end in memchr_iter(b'\n', block) {
            if let Some(start) = start {
                let told = told(&block[start..end], &mut self.names);
                self.lines.push(SkimmedLine {
                    at: start..end,
                    told,
                });
            }
            start = Some(end + 1);
            self.line_ends += 1;
        }
    }

    /// How many lines end in the block.
    pub fn line_ends(&self) -> u64 {
        self.line_ends
    }
}

impl Task {
    fn info<'n>(&self, names: &'n str) -> TaskInfo<'n> {
        let name = |at: &Range<usize>| Cow::Borrowed(names.get(at.clone()).unwrap_or_default());
        TaskInfo {
            tid: self.tid,
            index: self.index,
            attempt: self.attempt,
            launched: self.launched,
            finished: self.finished,
            executor: name(&self.executor),
            host: name(&self.host),
            speculative: self.speculative,
        }
    }

    /// As the parser of its line would tell that it started.
    pub(super) fn start<'n>(&self, names: &'n str) -> TaskStart<'n> {
        TaskStart {
            stage: self.stage,
            stage_attempt: self.stage_attempt,
            task: self.info(names),
        }
    }

    /// As the parser of its line would tell that it finished.
    pub(super) fn end<'n>(&self, metrics: &TaskMetrics, names: &'n str) -> TaskEnd<'n> {
        TaskEnd {
            stage: self.stage,
            stage_attempt: self.stage_attempt,
            reason: EndReason {
                reason: Cow::Borrowed("Success"),
                ..EndReason::default()
            },
            task: self.info(names),
            metrics: Some(*metrics),
        }
    }
}

fn told(line: &[u8], names: &mut String) -> Told {
    // All that is used may be there and the end of the line not: then it was cut.
    if !line.ends_with(b"}}") {
        return Told::Unknown;
    }
    let skimmed = if line.starts_with(STARTED) {
        started(line, names).map(Told::Started)
    } else if line.starts_with(FINISHED) {
        finished(line, names).map(|(task, metrics)| Told::Finished(task, metrics))
    } else {
        None
    };
    skimmed.unwrap_or(Told::Unknown)
}

fn started(line: &[u8], names: &mut String) -> Option<Task> {
    let mut at = Reader {
        line,
        at: STARTED.len(),
    };
    let stage = at.number()?;
    let stage_attempt = at.number_of(",\"Stage Attempt ID\":")?;
    at.word(",\"Task Info\":{")?;
    at.task(stage, stage_attempt, names)
}

fn finished(line: &[u8], names: &mut String) -> Option<(Task, TaskMetrics)> {
    let mut at = Reader {
        line,
        at: FINISHED.len(),
    };
    let stage = at.number()?;
    let stage_attempt = at.number_of(",\"Stage Attempt ID\":")?;
    at.word(",\"Task Type\":")?;
    at.text()?;
    at.word(",\"Task End Reason\":{\"Reason\":\"Success\"},\"Task Info\":{")?;
    let task = at.task(stage, stage_attempt, names)?;
    at.jump_to_metrics()?;
    at.skip_number("\"Executor Deserialize Time\":");
    at.skip_number(",\"Executor Deserialize CPU Time\":");
    let run_ms = at.number_of(",\"Executor Run Time\":")?;
    at.skip_number(",\"Executor CPU Time\":");
    let peak_memory = at.number_of(",\"Peak Execution Memory\":").unwrap_or(0);
    at.skip_number(",\"Result Size\":");
    let gc_ms = at.number_of(",\"JVM GC Time\":")?;
    at.skip_number(",\"Result Serialization Time\":");
    let spill_memory = at.number_of(",\"Memory Bytes Spilled\":")?;
    let spill_disk = at.number_of(",\"Disk Bytes Spilled\":")?;
    at.number_of::<i64>(",\"Shuffle Read Metrics\":{\"Remote Blocks Fetched\":")?;
    at.skip_number(",\"Local Blocks Fetched\":");
    at.skip_number(",\"Fetch Wait Time\":");
    let remote = at.number_of(",\"Remote Bytes Read\":")?;
    at.skip_number(",\"Remote Bytes Read To Disk\":");
    let local = at.number_of(",\"Local Bytes Read\":")?;
    let records = at.number_of(",\"Total Records Read\":")?;
    let shuffle_read = ShuffleRead {
        remote,
        local,
        records,
    };
    at.jump(&WRITTEN)?;
    let bytes = at.number_of("\"Shuffle Bytes Written\":")?;
    at.skip_number(",\"Shuffle Write Time\":");
    let records = at.number_of(",\"Shuffle Records Written\":")?;
    let shuffle_write = ShuffleWrite { bytes, records };
    let bytes = at.number_of("},\"Input Metrics\":{\"Bytes Read\":")?;
    let records = at.number_of(",\"Records Read\":")?;
    let input = Input { bytes, records };
    let bytes = at.number_of("},\"Output Metrics\":{\"Bytes Written\":")?;
    let records = at.number_of(",\"Records Written\":")?;
    let output = Output { bytes, records };
    let metrics = TaskMetrics {
        run_ms,
        gc_ms,
        peak_memory,
        spill_memory,
        spill_disk,
        shuffle_read,
        shuffle_write,
        input,
        output,
    };
    Some((task, metrics))
}

/// A line that is read from left to right.
struct Reader<'l> {
    line: &'l [u8],
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &[u8] {
        &self.line[self.at..]
    }

    /// Goes behind `word`, which has to be next.
    fn word(&mut self, word: &str) -> Option<()> {
        self.rest().starts_with(word.as_bytes()).then(|| {
            self.at += word.len();
        })
    }

    /// Goes behind the next `mark`.
    fn jump(&mut self, mark: &Finder<'_>) -> Option<()> {
        self.at += mark.find(self.rest())? + mark.needle().len();
        Some(())
    }

    /// Over what accumulators counted in a task, and the peaks that its executor had seen, where they are told.
    fn jump_to_metrics(&mut self) -> Option<()> {
        self.at += ACCUMULATED.find(self.rest())?;
        self.word("]}")?;
        if self.word(",\"Task Executor Metrics\":{").is_some() {
            return self.jump(&METRICS);
        }
        self.word(",\"Task Metrics\":{")
    }

    /// A number as JSON writes it, without fraction and exponent, and not of the longest.
    fn number<T: TryFrom<i64>>(&mut self) -> Option<T> {
        let rest = self.rest();
        let negative = rest.first() == Some(&b'-');
        let digits = &rest[usize::from(negative)..];
        let mut value = 0_i64;
        let mut n = 0;
        while let Some(digit @ b'0'..=b'9') = digits.get(n) {
            if n == 18 {
                return None;
            }
            value = value * 10 + i64::from(digit - b'0');
            n += 1;
        }
        let padded = n > 1 && digits[0] == b'0';
        if n == 0 || padded || !matches!(digits.get(n), Some(b',' | b'}')) {
            return None;
        }
        self.at += n + usize::from(negative);
        T::try_from(if negative { -value } else { value }).ok()
    }

    /// The number behind `word`, which has to be next.
    fn number_of<T: TryFrom<i64>>(&mut self, word: &str) -> Option<T> {
        self.word(word)?;
        self.number()
    }

    /// Goes over a number that some versions write here.
    fn skip_number(&mut self, word: &str) {
        let _ = self.number_of::<i64>(word);
    }

    /// A text that needs no unescaping.
    fn text(&mut self) -> Option<&str> {
        self.word("\"")?;
        let from = self.at;
        self.at += memchr(b'"', self.rest())? + 1;
        let text = &self.line[from..self.at - 1];
        let plain = |b: &u8| matches!(b, b' '..=b'~') && *b != b'\\';
        let text = text.iter().all(plain).then_some(text)?;
        std::str::from_utf8(text).ok()
    }

    /// Such a text, kept; where it is in `names`.
    fn name(&mut self, names: &mut String) -> Option<Range<usize>> {
        let from = names.len();
        names.push_str(self.text()?);
        Some(from..names.len())
    }

    fn flag(&mut self) -> Option<bool> {
        if self.word("false").is_some() {
            return Some(false);
        }
        self.word("true").map(|()| true)
    }

    /// What is used of a task's own keys.
    fn task(&mut self, stage: u32, stage_attempt: u32, names: &mut String) -> Option<Task> {
        let tid = self.number_of("\"Task ID\":")?;
        let index = self.number_of(",\"Index\":")?;
        let attempt = self.number_of(",\"Attempt\":")?;
        self.skip_number(",\"Partition ID\":");
        let launched = self.number_of(",\"Launch Time\":")?;
        self.word(",\"Executor ID\":")?;
        let executor = self.name(names)?;
        self.word(",\"Host\":")?;
        let host = self.name(names)?;
        self.word(",\"Locality\":")?;
        self.text()?;
        self.word(",\"Speculative\":")?;
        let speculative = self.flag()?;
        self.skip_number(",\"Getting Result Time\":");
        let finished = self.number_of(",\"Finish Time\":")?;
        Some(Task {
            stage,
            stage_attempt,
            tid,
            index,
            attempt,
            launched,
            finished,
            executor,
            host,
            speculative,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::event::{Event, Line};
    use super::*;
    use proptest::prelude::*;

    /// What is told of the line, as the parser would tell it.
    fn skimmed(line: &str) -> Option<String> {
        let mut names = String::from("before");
        match told(line.as_bytes(), &mut names) {
            Told::Started(task) => Some(format!("{:?}", task.start(&names))),
            Told::Finished(task, metrics) => Some(format!("{:?}", task.end(&metrics, &names))),
            Told::Unknown => None,
        }
    }

    fn parsed(line: &str) -> Option<String> {
        match Line::parse(line.as_bytes()) {
            Line::Event(Event::TaskStart(start)) => Some(format!("{start:?}")),
            Line::Event(Event::TaskEnd(end)) => Some(format!("{end:?}")),
            _ => None,
        }
    }

    fn number() -> impl Strategy<Value = i64> {
        prop_oneof![0_i64..2_000, Just(-1), any::<i64>()]
    }

    fn info(n: &[i64], host: &str, old: bool) -> String {
        let partition = if old {
            String::new()
        } else {
            format!("\"Partition ID\":{},", n[1])
        };
        format!(
            "\"Task ID\":{},\"Index\":{},\"Attempt\":{},{partition}\"Launch Time\":{},\"Executor ID\":\"{}\",\"Host\":\"{host}\",\"Locality\":\"ANY\",\"Speculative\":{},\"Getting Result Time\":0,\"Finish Time\":{},\"Failed\":false,\"Killed\":false",
            n[0],
            n[1],
            n[2],
            n[3],
            n[4],
            n[5] % 2 == 0,
            n[6]
        )
    }

    /// The two lines of a task as Spark writes them; versions before 3.0 leave some keys out.
    fn lines(n: &[i64], host: &str, old: bool) -> [String; 2] {
        let task = info(n, host, old);
        let peaks = if old {
            ""
        } else {
            ",\"Task Executor Metrics\":{\"JVMHeapMemory\":1,\"TotalGCTime\":2}"
        };
        let peak = if old {
            String::new()
        } else {
            format!("\"Peak Execution Memory\":{},", n[7])
        };
        [
            format!(
                "{{\"Event\":\"SparkListenerTaskStart\",\"Stage ID\":{},\"Stage Attempt ID\":{},\"Task Info\":{{{task},\"Accumulables\":[]}}}}",
                n[8], n[9]
            ),
            format!(
                "{{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":{},\"Stage Attempt ID\":{},\"Task Type\":\"ResultTask\",\"Task End Reason\":{{\"Reason\":\"Success\"}},\"Task Info\":{{{task},\"Accumulables\":[{{\"ID\":1,\"Name\":\"a \\\"Task b\",\"Update\":[[3]]}}]}}{peaks},\"Task Metrics\":{{\"Executor Deserialize Time\":1,\"Executor Run Time\":{},\"Executor CPU Time\":3,{peak}\"Result Size\":4,\"JVM GC Time\":{},\"Result Serialization Time\":0,\"Memory Bytes Spilled\":{},\"Disk Bytes Spilled\":{},\"Shuffle Read Metrics\":{{\"Remote Blocks Fetched\":1,\"Local Blocks Fetched\":2,\"Fetch Wait Time\":3,\"Remote Bytes Read\":{},\"Local Bytes Read\":{},\"Total Records Read\":{},\"Push Based Shuffle\":{{\"Merged Bytes\":1}}}},\"Shuffle Write Metrics\":{{\"Shuffle Bytes Written\":{},\"Shuffle Write Time\":1,\"Shuffle Records Written\":{}}},\"Input Metrics\":{{\"Bytes Read\":{},\"Records Read\":{}}},\"Output Metrics\":{{\"Bytes Written\":{},\"Records Written\":{}}},\"Updated Blocks\":[]}}}}",
                n[8],
                n[9],
                n[10],
                n[11],
                n[12],
                n[13],
                n[14],
                n[15],
                n[16],
                n[17],
                n[18],
                n[19],
                n[20],
                n[21],
                n[22]
            ),
        ]
    }

    #[test]
    fn what_spark_writes_is_skimmed() {
        for old in [false, true] {
            for line in lines(&(0..23).collect::<Vec<_>>(), "dn7", old) {
                assert!(skimmed(&line).is_some(), "{line}");
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_skimmed_is_what_a_parser_reads(
            n in prop::collection::vec(number(), 23),
            host in prop_oneof![3 => "[a-z0-9.-]{0,12}", 1 => Just("a\\\"b".to_owned()), 1 => Just("größe".to_owned())],
            old in any::<bool>(),
            cut in any::<prop::sample::Index>(),
        ) {
            for line in lines(&n, &host, old) {
                let whole = parsed(&line);
                if let Some(skimmed) = skimmed(&line) {
                    prop_assert_eq!(Some(skimmed), whole);
                }
                prop_assert_eq!(skimmed(&line[..line.floor_char_boundary(cut.index(line.len()))]), None);
            }
        }
    }
}
