//! In: lines that may be bare frames of a JVM's stack trace. Out: the frames that they are, known by what was read before.
//!
//! A failure that repeats itself repeats its stack. So what followed a frame is remembered, as far as it was read frame by
//! frame, and many frames are known by one comparison of all their bytes, without a look for where their lines end. How they
//! are known makes no difference to what they are.

use super::bare_frame;
use super::stack::{FrameText, KnownFrame};
use foldhash::fast::RandomState;
use memchr::memchr;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

/// Frames whose text is kept once: however long a log of failures is, it names few places.
const MOST_KNOWN: usize = 8_192;
/// Longer lines are not kept so, and still longer ones are no frames that anybody would print.
const LONGEST_KNOWN: usize = 256;
const LONGEST: usize = 1_024;
/// Frames of a run: fewer are known as quickly one by one.
const RUN: RangeInclusive<usize> = 4..=128;
/// Bytes of all runs; beyond, all are forgotten and others kept.
const MOST_OF_RUNS: usize = 2 << 20;

/// How many of the lines that were offered were taken.
#[derive(Debug, Clone, Copy, Default)]
pub struct Stretch {
    /// How many.
    pub lines: u64,
    /// Their bytes, line ends included.
    pub bytes: usize,
    /// Where the last one begins in them.
    pub last: usize,
}

impl Stretch {
    /// One more is taken, of so many bytes.
    pub(super) fn take(&mut self, bytes: usize) {
        self.last = self.bytes;
        self.bytes += bytes;
        self.lines += 1;
    }

    /// Several more are taken.
    pub(super) fn take_all(&mut self, frames: &[&'static KnownFrame], bytes: usize) {
        if let Some(last) = frames.last() {
            self.bytes += bytes;
            self.last = self.bytes - last.line();
            self.lines += frames.len() as u64;
        }
    }
}

impl KnownFrame {
    /// The bytes of its line, its end included.
    fn line(&self) -> usize {
        self.text.len() + 1
    }
}

/// Frames that followed one another.
#[derive(Default)]
struct Run {
    /// Their lines, each with its end.
    text: Vec<u8>,
    frames: Vec<&'static KnownFrame>,
    /// Where the line of each ends.
    ends: Vec<usize>,
}

impl Run {
    fn of(frames: &[&'static KnownFrame]) -> Self {
        let mut run = Self::default();
        for frame in frames {
            run.text.extend_from_slice(frame.text.as_bytes());
            run.text.push(b'\n');
            run.frames.push(frame);
            run.ends.push(run.text.len());
        }
        run
    }

    /// Bytes that it takes.
    fn size(&self) -> usize {
        self.text.len() + self.frames.len() * 2 * size_of::<usize>()
    }

    /// Those of its frames behind the first so many with which `lines` begin, and their bytes.
    fn goes_on(&self, from: usize, lines: &[u8]) -> (&[&'static KnownFrame], usize) {
        let start = self.ends[from - 1];
        let end = start + alike(&self.text[start..], lines);
        let to = self.ends.partition_point(|known| *known <= end);
        (&self.frames[from..to], self.ends[to - 1] - start)
    }
}

/// How many bytes two texts begin with that are the same.
fn alike(a: &[u8], b: &[u8]) -> usize {
    const PIECE: usize = 64;
    let pieces = a.chunks_exact(PIECE).zip(b.chunks_exact(PIECE));
    let whole = PIECE * pieces.take_while(|(a, b)| a == b).count();
    let rest = a[whole..].iter().zip(&b[whole..]);
    whole + rest.take_while(|(a, b)| a == b).count()
}

/// The frames that were seen so far.
#[derive(Default)]
struct Seen {
    /// For each a run in which others followed it, and how many of its frames it is the last of.
    after: Vec<Option<(Arc<Run>, usize)>>,
    /// Bytes of the runs that were made.
    size: usize,
    by_text: HashMap<&'static [u8], &'static KnownFrame, RandomState>,
    /// Room for those that are read one by one.
    path: Vec<&'static KnownFrame>,
}

impl Seen {
    /// The frame that a line is, known or new.
    fn find(&mut self, line: &[u8]) -> Option<FrameText> {
        if let Some(known) = self.by_text.get(line) {
            return Some(FrameText::Known(known));
        }
        let text = bare_frame::text(line)?;
        if text.len() > LONGEST_KNOWN || self.after.len() >= MOST_KNOWN {
            return Some(FrameText::Own(text.into()));
        }
        let known: &'static KnownFrame = Box::leak(Box::new(KnownFrame {
            number: self.after.len(),
            text: text.into(),
        }));
        self.after.push(None);
        self.by_text.insert(known.text.as_bytes(), known);
        Some(FrameText::Known(known))
    }

    /// Remembers frames that were read one by one.
    fn learn(&mut self, path: &[&'static KnownFrame]) {
        if path.len() < *RUN.start() {
            return;
        }
        let run = Arc::new(Run::of(path));
        self.size += run.size();
        if self.size > MOST_OF_RUNS {
            self.after.fill_with(|| None);
            self.size = run.size();
        }
        // Where a frame is there more than once, more follows the first.
        for (at, frame) in (1..path.len()).zip(path).rev() {
            self.after[frame.number] = Some((Arc::clone(&run), at));
        }
    }
}

static SEEN: LazyLock<Mutex<Seen>> = LazyLock::new(Mutex::default);

/// Reads the frames of one stack.
pub(super) struct Frames {
    seen: MutexGuard<'static, Seen>,
    /// Those that were read one by one since the last run, and the one before them.
    path: Vec<&'static KnownFrame>,
}

impl Frames {
    /// Begins.
    pub(super) fn begin() -> Self {
        let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
        let path = std::mem::take(&mut seen.path);
        Self { seen, path }
    }

    /// The frame that `lines` begin with, and its bytes with the end of its line; `None` where they begin with
    /// something else.
    pub(super) fn next(&mut self, lines: &[u8]) -> Option<(FrameText, usize)> {
        let frame = self.seen.find(line(lines)?)?;
        match &frame {
            FrameText::Known(known) => self.path.push(known),
            FrameText::Own(_) => self.learn(),
        }
        if self.path.len() == *RUN.end() {
            self.learn();
        }
        let whole = frame.text().len() + 1;
        Some((frame, whole.min(lines.len())))
    }

    /// The frames with which `lines` begin as they did before, behind the last one that was read, and their bytes; `None`
    /// where so many, with so many bytes of text, are not wanted.
    pub(super) fn run(
        &mut self,
        lines: &[u8],
        wanted: impl FnOnce(usize, usize) -> bool,
    ) -> Option<(&[&'static KnownFrame], usize)> {
        let before = self.path.last()?;
        let (run, at) = self.seen.after[before.number].as_ref()?;
        let (frames, bytes) = run.goes_on(*at, lines);
        let last = frames.last()?;
        if !wanted(frames.len(), bytes - frames.len()) {
            return None;
        }
        self.path.clear();
        self.path.push(last);
        Some((frames, bytes))
    }

    fn learn(&mut self) {
        self.seen.learn(&self.path);
        self.path.clear();
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        self.learn();
        self.seen.path = std::mem::take(&mut self.path);
    }
}

/// The first of `lines`, where it may be a bare frame.
fn line(lines: &[u8]) -> Option<&[u8]> {
    if !lines.starts_with(bare_frame::BEGINS) {
        return None;
    }
    let most = lines.len().min(LONGEST + 1);
    let end = memchr(b'\n', &lines[..most]).unwrap_or(most);
    (end <= LONGEST).then(|| &lines[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The frames with which `lines` begin, and their bytes: by what followed what, or one by one.
    fn frames(lines: &[u8], by_runs: bool) -> (Vec<String>, Stretch) {
        let (mut texts, mut taken) = (Vec::new(), Stretch::default());
        let mut frames = Frames::begin();
        loop {
            let rest = &lines[taken.bytes..];
            if let Some((run, bytes)) = frames.run(rest, |_, _| by_runs) {
                texts.extend(run.iter().map(|frame| frame.text.to_string()));
                taken.take_all(run, bytes);
            } else if let Some((frame, bytes)) = frames.next(rest) {
                texts.push(frame.text().to_owned());
                taken.take(bytes);
            } else {
                return (texts, taken);
            }
        }
    }

    fn line() -> impl Strategy<Value = String> {
        let numbered = (0..6_u32).prop_map(|n| format!("\tat a.B.c(C.java:{n})"));
        let others = prop::sample::select(vec![
            "\tat a.B.c(C.java:11)",
            "\tat a.B.c(C.java:1",
            "\tat a.B.c(C.java:1) ~[c.jar]",
            "\t... 3 more",
            "Caused by: a.B: c",
            "",
        ]);
        prop_oneof![20 => numbered, 1 => others.prop_map(str::to_owned)]
    }

    proptest! {
        #[test]
        fn frames_are_the_same_however_they_are_known(
            stacks in prop::collection::vec(prop::collection::vec(line(), 0..40), 1..12),
            end in prop_oneof![Just(""), Just("\n")],
        ) {
            for stack in stacks {
                let lines = stack.join("\n") + end;
                let by_runs = frames(lines.as_bytes(), true);
                let singly = frames(lines.as_bytes(), false);
                prop_assert_eq!(format!("{by_runs:?}"), format!("{singly:?}"));
                let bare = lines.lines().take_while(|line| bare_frame::text(line.as_bytes()).is_some());
                prop_assert_eq!(by_runs.0, bare.collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn a_stack_that_was_read_before_is_known_at_its_second_frame() {
        let stack: Vec<String> = (0..40)
            .map(|n| format!("\tat known.As.one(Run.java:{n})"))
            .collect();
        let stack = stack.join("\n") + "\n";
        frames(stack.as_bytes(), true);
        let mut again = Frames::begin();
        let (_, first) = again.next(stack.as_bytes()).expect("a frame");
        let run = again.run(&stack.as_bytes()[first..], |_, _| true);
        assert_eq!(run.map(|(run, _)| run.len()), Some(39));
    }
}
