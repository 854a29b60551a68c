//! In: a source. Out: its blocks in order, each searched: by several threads, in bounded memory.

use super::options::Options;
use super::scan::{OVERHANG, Scan};
use super::window::LEAD;
use crate::fact::event_log::Skim;
use crate::source::Source;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// What is looked for in a block.
#[derive(Debug, Clone, Copy)]
pub(super) enum Look {
    /// Nothing: its lines are counted.
    Count,
    /// Events; its lines are counted, too.
    Events,
    /// Needles; `also` is an offset of interest in any case.
    Search { also: u64 },
}

/// A block that was read and searched.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// What was read, behind [`LEAD`] others: the block and what follows it, as far as it may be part of a needle.
    bytes: Vec<u8>,
    length: usize,
    /// What it holds.
    pub(super) scan: Scan,
    /// What its lines tell, where events were looked for.
    pub(super) skim: Skim,
    /// Why it could not be read.
    pub(super) error: Option<String>,
}

impl Block {
    /// How many bytes it has.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// The block's own bytes.
    pub(super) fn own(&self) -> &[u8] {
        &self.bytes[LEAD..LEAD + self.length]
    }

    /// The block's own bytes behind [`LEAD`] others, to be taken or changed, and what it holds.
    pub(super) fn give(&mut self) -> (&mut Vec<u8>, &Scan) {
        self.bytes.truncate(LEAD + self.length);
        (&mut self.bytes, &self.scan)
    }

    fn read(&mut self, source: &Source, start: u64, most: usize, look: Look) {
        self.error = None;
        self.bytes.resize(LEAD + most + OVERHANG, 0);
        let read = source.fill_at(start, &mut self.bytes[LEAD..]);
        let n = read.unwrap_or_else(|error| {
            self.error = Some(error.to_string());
            0
        });
        self.bytes.truncate(LEAD + n);
        self.length = n.min(most);
        let bytes = &self.bytes[LEAD..];
        match look {
            Look::Count => self.scan.count(bytes, self.length),
            Look::Events => {
                self.skim.read(&bytes[..self.length]);
                let line_ends = self.skim.line_ends();
                self.scan.is_counted(bytes, self.length, line_ends);
            }
            Look::Search { also } => {
                let also = also.checked_sub(start);
                let also = also.and_then(|at| usize::try_from(at).ok());
                self.scan.search(bytes, self.length, also);
            }
        }
    }
}

/// Hands the blocks of a range of `source` to `take`, in order, on this thread.
///
/// Ends early, with false, once `cancel` is set.
pub(super) fn each_block(
    source: &Source,
    range: Range<u64>,
    look: Look,
    options: &Options,
    cancel: &AtomicBool,
    mut take: impl FnMut(&mut Block),
) -> bool {
    let block = options.block.max(1);
    let size = range.end.saturating_sub(range.start);
    let blocks = size.div_ceil(block as u64);
    let threads = u64::try_from(options.threads).map_or(1, |n| n.clamp(1, blocks.max(1)));
    let starts = |i: u64| {
        let start = range.start + i * block as u64;
        let most = usize::try_from(range.end - start).map_or(block, |rest| rest.min(block));
        (start, most)
    };
    let alone = |take: &mut dyn FnMut(&mut Block)| {
        let mut one = Block::default();
        for i in 0..blocks {
            let (start, most) = starts(i);
            one.read(source, start, most, look);
            take(&mut one);
            if cancel.load(Ordering::Relaxed) {
                return false;
            }
        }
        true
    };
    if threads == 1 {
        return alone(&mut take);
    }
    // A searcher takes an empty block before it takes a number. So the lowest number that is out always
    // has a block, and there are never more blocks than these.
    let spare = usize::try_from(threads * 4).unwrap_or(32);
    let (give_empty, take_empty) = bounded(spare);
    let (give_full, take_full) = bounded(spare);
    for _ in 0..spare {
        let _ = give_empty.send(Block::default());
    }
    let next = Mutex::new(0..blocks);
    let read = |i, block: &mut Block| {
        let (start, most) = starts(i);
        block.read(source, start, most, look);
    };
    thread::scope(|scope| {
        let mut started = 0;
        // This thread is one of them.
        for _ in 1..threads {
            let (empty, full) = (take_empty.clone(), give_full.clone());
            let next = &next;
            let searcher = move || search(&empty, &full, next, read);
            // Where the system gives no thread, those that it gave do, and this one where it gave none.
            let builder = thread::Builder::new();
            started += u32::from(builder.spawn_scoped(scope, searcher).is_ok());
        }
        drop(give_full);
        if started == 0 {
            return alone(&mut take);
        }
        let ends = Ends {
            full: take_full,
            empty: (give_empty, take_empty),
        };
        in_order(ends, (&next, blocks), read, cancel, &mut take)
    })
}

/// The number of the next block that nobody reads yet.
fn number(next: &Mutex<Range<u64>>) -> Option<u64> {
    next.lock().unwrap_or_else(PoisonError::into_inner).next()
}

fn search(
    empty: &Receiver<Block>,
    full: &Sender<(u64, Block)>,
    next: &Mutex<Range<u64>>,
    read: impl Fn(u64, &mut Block),
) {
    // Blocks no longer come back, or go out, once the taker has gone: after the last, or a cancel.
    while let Ok(mut block) = empty.recv() {
        let Some(i) = number(next) else {
            return;
        };
        read(i, &mut block);
        if full.send((i, block)).is_err() {
            return;
        }
    }
}

/// The taker's ends of the channels. Once they are gone, the searchers stop.
struct Ends {
    full: Receiver<(u64, Block)>,
    empty: (Sender<Block>, Receiver<Block>),
}

/// Takes the blocks in order, and reads one where the next has not come: to be woken for each costs more.
fn in_order(
    Ends { full, empty }: Ends,
    (next, blocks): (&Mutex<Range<u64>>, u64),
    read: impl Fn(u64, &mut Block),
    cancel: &AtomicBool,
    take: &mut impl FnMut(&mut Block),
) -> bool {
    let (give_empty, take_empty) = empty;
    let mut early = BTreeMap::new();
    for wanted in 0..blocks {
        let mut block = loop {
            early.extend(full.try_iter());
            if let Some(block) = early.remove(&wanted) {
                break block;
            }
            // An empty block before a number, here as well.
            if let Ok(mut block) = take_empty.try_recv()
                && let Some(i) = number(next)
            {
                read(i, &mut block);
                early.insert(i, block);
            } else if let Ok((i, block)) = full.recv() {
                early.insert(i, block);
            } else {
                // A searcher met a fault, which its scope tells.
                return true;
            }
        };
        take(&mut block);
        let _ = give_empty.send(block);
        if cancel.load(Ordering::Relaxed) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    fn source(bytes: &[u8]) -> Sources {
        let mut sources = Sources::default();
        sources.add_memory("log", bytes.to_vec());
        sources
    }

    fn options(block: usize, threads: usize) -> Options {
        Options {
            block,
            threads,
            ..Options::default()
        }
    }

    #[test]
    fn blocks_come_in_order_whoever_reads_them() {
        let text = (0..5_000)
            .map(|n| format!("{n}\n"))
            .collect::<Vec<_>>()
            .concat();
        let sources = source(text.as_bytes());
        for threads in [1, 2, 5] {
            let mut got = Vec::new();
            let mut ends = 0;
            let size = text.len() as u64;
            let options = options(97, threads);
            let whole = each_block(
                &sources.list[0],
                0..size,
                Look::Search { also: 0 },
                &options,
                &AtomicBool::new(false),
                |block| {
                    got.extend_from_slice(block.own());
                    ends += block.scan.line_ends;
                },
            );
            assert!(whole);
            assert_eq!((got, ends), (text.clone().into_bytes(), 5_000));
        }
    }

    #[test]
    fn a_cancel_ends_it_early() {
        let sources = source(&vec![b'a'; 100_000]);
        for threads in [1, 3] {
            let cancel = AtomicBool::new(false);
            let mut seen = 0;
            let whole = each_block(
                &sources.list[0],
                0..100_000,
                Look::Search { also: 0 },
                &options(100, threads),
                &cancel,
                |_| {
                    seen += 1;
                    cancel.store(true, Ordering::Relaxed);
                },
            );
            assert!(!whole && seen < 1_000, "{seen}");
        }
    }
}
