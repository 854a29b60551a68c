//! In: [`Sources`]. Out: the [`Case`] they make.

use super::case::Case;
use super::digest::Digest;
use super::event_logs;
use super::hooks::{Hooks, Progress};
use super::options::Options;
use super::pass::{Block, each_block};
use super::selector::{Limits, Selector};
use super::stream;
use crate::record::Dress;
use crate::source::{LineIndex, Refusal, Source, Sources};
use memchr::{memchr, memrchr};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Bytes by which a source's dress is told: of its beginning and of its end.
const DRESSED_BY: (u64, u64) = (512 << 10, 64 << 10);

/// Reads everything on this thread's time and returns the whole answer. Streams are read to their end first.
///
/// Never fails: what cannot be read is in `sources.refused`, what is no text is counted in `unread`.
pub fn load(sources: Sources, options: &Options) -> Case {
    let never = AtomicBool::new(false);
    let hooks = Hooks {
        cancel: &never,
        progress: &|_| {},
        draft: &|_| {},
    };
    let sources = stream::read_to_end(sources);
    read_all(&Arc::new(sources), options, hooks)
}

/// The whole answer; where it was called off, what was read until then.
pub(super) fn read_all(sources: &Arc<Sources>, options: &Options, hooks: Hooks<'_>) -> Case {
    let mut case = Case::empty(sources);
    let mut digest = Digest::default();
    let mut pass = Pass {
        sources,
        options,
        hooks,
        progress: Progress {
            total: sources.list.iter().map(|source| source.bytes).sum(),
            ..Progress::default()
        },
        broken: Vec::new(),
    };
    let mut whole_left = options.whole_in_all;
    for (source, i) in sources.list.iter().zip(0..) {
        let (lines, understood) = if source.kind.is_log() {
            let whole = source.bytes < options.whole_below && source.bytes <= whole_left;
            if whole {
                whole_left -= source.bytes;
            }
            case.dresses[i] = Dress::of(&sample(source));
            pass.read(source, case.dresses[i], whole, &mut digest)
        } else {
            pass.count(source)
        };
        case.lines[i] = lines;
        case.unread[i] = source.bytes.saturating_sub(understood);
    }
    let mut story = digest.story();
    event_logs::join(&mut story, sources, hooks, &mut case.unread);
    if !pass.broken.is_empty() {
        Arc::make_mut(&mut case.sources)
            .refused
            .append(&mut pass.broken);
    }
    case.provisional = hooks.cancelled();
    case.told(story, options.rules())
}

/// One pass over everything.
struct Pass<'p> {
    sources: &'p Sources,
    options: &'p Options,
    hooks: Hooks<'p>,
    progress: Progress,
    /// Inputs that were not read to their end.
    broken: Vec<Refusal>,
}

impl Pass<'_> {
    /// Reads a log; returns how many lines it has, and how many of its bytes are text.
    fn read(
        &mut self,
        source: &Source,
        dress: Dress,
        whole: bool,
        digest: &mut Digest,
    ) -> (u64, u64) {
        let head = if whole { u64::MAX } else { self.options.head };
        let mut selector = Selector::new(Limits::default(), source.bytes, head, self.options.tail);
        let mut sink = digest.source(source, self.sources, dress);
        let understood = self.blocks(source, selector.tail_begins(), |block| {
            let scan = &block.scan;
            selector.push(block.own(), &scan.hits, scan.line_ends, &mut sink);
        });
        let lines = selector.finish(&mut sink);
        sink.finish();
        (lines, understood)
    }

    /// Counts the same of a source that is no log.
    fn count(&mut self, source: &Source) -> (u64, u64) {
        let mut ends = 0;
        let mut last = b'\n';
        let understood = self.blocks(source, u64::MAX, |block| {
            ends += block.scan.line_ends;
            last = block.own().last().copied().unwrap_or(last);
        });
        (ends + u64::from(last != b'\n'), understood)
    }

    /// Hands over the blocks of a source, keeps where its lines are, and returns how many bytes are text.
    fn blocks(&mut self, source: &Source, also: u64, mut take: impl FnMut(&Block)) -> u64 {
        let mut index = LineIndex::default();
        let (mut end, mut line_ends, mut understood) = (0, 0, 0);
        let (size, options, hooks) = (source.bytes, self.options, self.hooks);
        let mut error = None;
        let whole = each_block(source, size, also, options, hooks.cancel, |block| {
            take(block);
            let length = block.own().len() as u64;
            end += length;
            line_ends += block.scan.line_ends;
            understood += block.scan.understood;
            index.mark(end, line_ends);
            error = error.take().or_else(|| block.error.clone());
            self.progress.done += length;
            (hooks.progress)(self.progress);
        });
        if whole {
            source.set_line_index(index);
        }
        let missing = if whole { size.saturating_sub(end) } else { 0 };
        if missing > 0 {
            let why = error.unwrap_or_else(|| "it got shorter meanwhile; open it again".into());
            self.broken.push(Refusal {
                name: source.name.clone(),
                reason: format!("{missing} of its {size} bytes could not be read: {why}"),
            });
        }
        // What is missing is told as such, and not as bytes that are no text.
        understood + missing
    }
}

/// Bytes of a log by which its dress is told; whole lines only.
fn sample(source: &Source) -> Vec<u8> {
    let (head, tail) = DRESSED_BY;
    let mut bytes = source.some(0, head);
    if source.bytes > head + tail {
        bytes.truncate(memrchr(b'\n', &bytes).map_or(0, |n| n + 1));
        let end = source.some(source.bytes - tail, tail);
        let from = memchr(b'\n', &end).map_or(end.len(), |n| n + 1);
        bytes.extend_from_slice(&end[from..]);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn loaded(text: &str, options: &Options) -> String {
        let mut sources = Sources::default();
        sources.add_memory("driver.log", text.as_bytes().to_vec());
        sources.add_memory("spark-defaults.conf", b"spark.master yarn\n".to_vec());
        let case = load(sources, options);
        format!("{:#?} {:?} {:?}", case.story, case.lines, case.unread)
    }

    fn searched(block: usize, threads: usize) -> Options {
        Options {
            block,
            threads,
            whole_below: 0,
            head: 300,
            tail: 300,
            ..Options::default()
        }
    }

    fn piece() -> impl Strategy<Value = &'static str> {
        prop_oneof![
            8 => Just("24/01/02 03:04:05 INFO TaskSetManager: Starting task 1.0 in stage 0.0 (TID 1) (h, executor 1, partition 1, ANY, 9 bytes)\n"),
            1 => Just("24/01/02 03:04:05 INFO SparkContext: Running Spark version 3.5.1\n"),
            1 => Just("24/01/02 03:04:05 INFO DAGScheduler: Job 0 finished: count at a.py:1, took 1.0 s\n"),
            2 => Just("24/01/02 03:04:05 WARN TaskSetManager: Lost task 1.0 in stage 0.0 (TID 1) (h executor 1): java.io.IOException: gone\n\tat a.b.C.d(C.java:1)\nCaused by: java.net.SocketException: reset\n\t... 9 more\n"),
            1 => Just("24/01/02 03:04:05 ERROR TaskSetManager: Task 1 in stage 0.0 failed 4 times; aborting job\n"),
            1 => Just("Traceback (most recent call last):\n  File \"/srv/größe.py\", line 3, in f\n    g()\nValueError: a\nb\n"),
            1 => Just("output \u{1f6a8} of the program\n"),
            1 => Just("\r[Stage 3:>   (0 + 1) / 1]"),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn the_case_does_not_depend_on_blocks_and_threads(
            pieces in prop::collection::vec(piece(), 0..40),
            block in 1_usize..400,
            threads in 1_usize..4,
        ) {
            let text = pieces.concat();
            prop_assert_eq!(
                loaded(&text, &searched(1 << 20, 1)),
                loaded(&text, &searched(block, threads))
            );
        }
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_strange(
            pieces in prop::collection::vec(prop_oneof![
                prop::collection::vec(any::<u8>(), 0..40),
                piece().prop_map(|piece| piece.as_bytes().to_vec()),
            ], 0..20),
        ) {
            let bytes = pieces.concat();
            let mut sources = Sources::default();
            sources.add_memory("driver.log", bytes.clone());
            let case = load(sources, &searched(64, 2));
            if let Some(source) = case.sources.list.first().filter(|s| s.bytes == bytes.len() as u64) {
                let lines = bytes.split(|b| *b == b'\n').count() - usize::from(bytes.ends_with(b"\n"));
                let lines = if bytes.is_empty() { 0 } else { lines as u64 };
                prop_assert_eq!(case.lines[0], lines, "{}", source.name);
            }
        }
    }

    #[test]
    fn what_is_no_text_is_counted() {
        let mut sources = Sources::default();
        sources.add_memory("driver.log", b"Error \xff\xfe x\nlast".to_vec());
        let case = load(sources, &Options::default());
        assert_eq!((case.lines, case.unread), (vec![2], vec![2]));
    }

    #[test]
    fn a_file_that_got_shorter_is_told_as_such() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), "ValueError: x\n".repeat(9_000)).expect("a log");
        let sources = Sources::open(&[file.path().to_owned()]);
        file.as_file().set_len(1_400).expect("a shorter log");
        let case = load(sources, &Options::default());
        assert_eq!((&case.lines, &case.unread), (&vec![100], &vec![0]));
        let reason = &case.sources.refused[0].reason;
        assert!(reason.contains("124600 of its 126000 bytes"), "{reason}");
        assert!(reason.contains("shorter"), "{reason}");
    }
}
