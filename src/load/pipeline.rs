//! In: [`Sources`], and later the same ones grown. Out: the [`Case`] they make.

use super::case::Case;
use super::copies::{copies, refusals};
use super::digest::Digest;
use super::event_logs::EventLogs;
use super::fault::{self, Plan, Spot};
use super::hooks::{Hooks, Progress};
use super::open_log::{Count, OpenLog, Pass, count};
use super::options::Options;
use super::runs::Runs;
use super::standstill::look_for_standstill;
use super::stream;
use super::work::Work;
use crate::incident::Story;
use crate::record::Dress;
use crate::source::{Kind, Refusal, Source, Sources};
use memchr::{memchr, memrchr};
use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

/// Bytes by which a source's dress is told: of its beginning and of its end.
const DRESSED_BY: (u64, u64) = (512 << 10, 64 << 10);
/// So often only sources behind the mark must have grown before the mark moves to them.
const QUIET: u32 = 8;

/// Exports of log stores below so many bytes are read whole: the stores give no larger ones.
const NEWEST_FIRST_BELOW: u64 = 64 << 20;

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
    thread::scope(|scope| {
        options.make_ready(scope);
        let sources = stream::read_to_end(sources);
        fault::read(&mut Reader::once(options, hooks), &Arc::new(sources))
    })
}

/// Reads sources. One that is made for it goes on where they have grown: the same sources make the same case, whether they
/// were read at once or bit by bit.
pub(super) struct Reader<'r> {
    options: &'r Options,
    hooks: Hooks<'r>,
    /// Whether it will read again.
    goes_on: bool,
    /// What was read, and what was counted of it, in the order of its list.
    read: Arc<Sources>,
    counts: Vec<Count>,
    mark: Option<Mark>,
    event_logs: EventLogs,
    /// What is done at all; less after a fault.
    plan: Plan,
    /// The input that is being read, and how far it was.
    reading: Option<usize>,
    reached: Rc<Cell<u64>>,
}

/// Where reading goes on: in the first source that grows. Those behind it are read anew each time, because what they say
/// depends on what was said before them.
struct Mark {
    /// The index of its source.
    at: usize,
    /// What was read of that, up to where its growth can change nothing.
    log: OpenLog,
    /// Bytes that may still be read line by line, from its source on.
    whole_left: u64,
    /// How often only sources behind it had grown.
    quiet: u32,
}

impl<'r> Reader<'r> {
    /// For reading once.
    pub(super) fn once(options: &'r Options, hooks: Hooks<'r>) -> Self {
        Self {
            options,
            hooks,
            goes_on: false,
            read: Arc::default(),
            counts: Vec::new(),
            mark: None,
            event_logs: EventLogs::default(),
            plan: Plan::default(),
            reading: None,
            reached: Rc::default(),
        }
    }

    /// Where a fault met the last reading; `None` where all inputs had been read by then. The next one begins anew, by `plan`.
    pub(super) fn begin_anew(&mut self, plan: Plan) -> Option<Spot> {
        self.mark = None;
        self.counts.clear();
        self.read = Arc::default();
        self.event_logs = EventLogs::default();
        self.plan = plan;
        let source = self.reading.take()?;
        Some(Spot {
            source,
            bytes: self.reached.get(),
        })
    }

    /// What is done at all.
    pub(super) fn plan(&self) -> Plan {
        self.plan
    }

    /// For reading again and again what may have grown meanwhile.
    pub(super) fn going_on(options: &'r Options, hooks: Hooks<'r>) -> Self {
        Self {
            goes_on: true,
            event_logs: EventLogs::kept(),
            ..Self::once(options, hooks)
        }
    }

    /// The whole answer; where it was called off, what was read until then.
    ///
    /// Where several runs were opened, each is read anew.
    pub(super) fn read(&mut self, sources: &Arc<Sources>) -> Case {
        let copies = copies(sources, self.goes_on);
        let is_copy: Vec<bool> = copies.iter().map(Option::is_some).collect();
        let mut case = if let Some(runs) = Runs::of(sources, &is_copy) {
            let case = runs.worst(sources, |of_others| {
                self.begin_anew(self.plan);
                let both = is_copy.iter().zip(of_others);
                let aside: Vec<bool> = both.map(|(copy, other)| *copy || *other).collect();
                self.read_but(sources, &aside)
            });
            self.begin_anew(self.plan);
            case
        } else {
            self.read_but(sources, &is_copy)
        };
        let refusals = refusals(sources, &copies);
        if !refusals.is_empty() {
            Arc::make_mut(&mut case.sources).refused.extend(refusals);
        }
        case
    }

    /// Reads what is not set `aside`.
    fn read_but(&mut self, sources: &Arc<Sources>, aside: &[bool]) -> Case {
        let is_aside = |i: usize| aside.get(i).is_some_and(|aside| *aside);
        let is_read = |i: usize| sources.list[i].kind.is_log() && !is_aside(i);
        let before = std::mem::replace(&mut self.read, Arc::clone(sources));
        let unchanged = |i: usize| {
            before
                .list
                .get(i)
                .is_some_and(|old| sources.list[i].is_same_as(old))
        };
        let grown = (0..sources.list.len()).find(|i| !unchanged(*i));
        let mut resumed = self.mark.take().filter(|mark| self.holds(mark, &before));
        let mut keep = self.keep_at(resumed.as_ref(), grown);
        let first = resumed.as_ref().map_or(0, |mark| mark.at);
        let mut whole_left = resumed
            .as_ref()
            .map_or(self.options.whole_in_all, |mark| mark.whole_left);
        let quiet = resumed.as_ref().map_or(0, |mark| mark.quiet);
        let mut case = Case::empty(sources);
        let mut digest = Digest::default();
        let reached = Rc::clone(&self.reached);
        let options = self.options_by_plan();
        let mut pass = Pass {
            options: &options,
            hooks: self.hooks,
            progress: Progress {
                total: sources.list[first..]
                    .iter()
                    .map(|source| source.bytes)
                    .sum(),
                ..Progress::default()
            },
            blocks: 0,
            broken: Vec::new(),
            reached: &reached,
            // A fault is met where it is only if nobody reads ahead of it.
            beside: self.plan.block.is_none(),
        };
        let mut counts = Vec::with_capacity(sources.list.len());
        for (i, source) in sources.list.iter().enumerate() {
            self.reading = Some(i);
            self.reached.set(0);
            let known = self
                .counts
                .get(i)
                .filter(|_| unchanged(i) && source.line_index().is_some());
            let counted = match known {
                Some(known) if i < first || !is_read(i) => *known,
                // Read behind the logs, to whose story it is joined.
                _ if source.kind == Kind::EventLog && self.plan.event_logs && !is_aside(i) => {
                    Count::default()
                }
                _ if !is_read(i) => count(source, &mut pass),
                _ => {
                    let known = resumed.as_ref().map(|mark| mark.log.dress);
                    let dress = known.unwrap_or_else(|| Dress::of(&sample(source)));
                    let whole = self.is_whole(source, dress, whole_left);
                    let mut log = if let Some(mark) = resumed.take() {
                        mark.log
                    } else {
                        OpenLog::new(source, sources, dress, whole, self.options, digest)
                    };
                    if keep.take_if(|keep| *keep == i).is_some() {
                        log.read_settled(source, &mut pass);
                        self.mark = Some(Mark {
                            at: i,
                            log: log.clone(),
                            whole_left,
                            quiet: if grown == Some(i) { 0 } else { quiet + 1 },
                        });
                    }
                    if whole {
                        whole_left -= source.bytes;
                    }
                    let counted;
                    (counted, digest) = log.finish(source, &mut pass);
                    counted
                }
            };
            counts.push(counted);
        }
        self.reading = None;
        let work = digest.work();
        let mut story = digest.story(self.options.follow);
        if self.plan.event_logs {
            let others = (self.event_logs).join(&mut story, sources, aside, &mut pass, &mut counts);
            pass.broken.extend(others);
        }
        case.work = Work {
            blocks: pass.blocks,
            ..work
        };
        case.count(&counts);
        self.counts = counts;
        pass.broken.extend(left_out(&story));
        if !pass.broken.is_empty() {
            Arc::make_mut(&mut case.sources)
                .refused
                .append(&mut pass.broken);
        }
        case.provisional = self.hooks.cancelled();
        look_for_standstill(&case, &mut story);
        case.told(story, self.options.rules().filter(|_| self.plan.rules))
    }

    /// The options, with the blocks that are read where a fault is looked for.
    fn options_by_plan(&self) -> Cow<'r, Options> {
        match self.plan.block {
            Some(block) => Cow::Owned(Options {
                block,
                ..self.options.clone()
            }),
            None => Cow::Borrowed(self.options),
        }
    }

    /// Whether a source is read line by line: a small one, and one that tells the newest first, which is turned round.
    fn is_whole(&self, source: &Source, dress: Dress, whole_left: u64) -> bool {
        let below = if dress.is_newest_first() {
            NEWEST_FIRST_BELOW
        } else {
            self.options.whole_below
        };
        source.bytes < below && source.bytes <= whole_left
    }

    /// Whether what was read up to a mark would be read the same way now.
    fn holds(&self, mark: &Mark, before: &Sources) -> bool {
        let alike = |i: usize| match (before.list.get(i), self.read.list.get(i)) {
            (Some(old), Some(new)) => new.kind == old.kind && new.goes_on_from(old),
            _ => false,
        };
        let unchanged = |i: usize| alike(i) && self.read.list[i].bytes == before.list[i].bytes;
        if !(0..mark.at).all(unchanged) || !alike(mark.at) {
            return false;
        }
        let source = &self.read.list[mark.at];
        let dress = Dress::of(&sample(source));
        mark.log.dress == dress && mark.log.whole == self.is_whole(source, dress, mark.whole_left)
    }

    /// The source to leave a mark in, if any.
    fn keep_at(&self, resumed: Option<&Mark>, grown: Option<usize>) -> Option<usize> {
        if !self.goes_on {
            return None;
        }
        let is_log = |i: &usize| self.read.list[*i].kind.is_log();
        let grown = grown.filter(is_log);
        match resumed {
            Some(mark) if mark.quiet < QUIET => Some(mark.at),
            Some(mark) => Some(grown.unwrap_or(mark.at).max(mark.at)),
            // At first all that was opened is new: what can grow is first in the list.
            None => grown.filter(|_| !self.counts.is_empty()).or_else(|| {
                (0..self.read.list.len()).find(|i| is_log(i) && self.read.list[*i].may_grow())
            }),
        }
    }
}

/// What of a run is not told, because there is too much of it.
fn left_out(story: &Story) -> impl Iterator<Item = Refusal> {
    let left_out = story.left_out.told();
    left_out.map(|(name, reason)| Refusal {
        name: name.to_owned(),
        reason,
        fault: false,
    })
}

/// Bytes of a log by which its dress is told; whole lines only.
pub(super) fn sample(source: &Source) -> Vec<u8> {
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
