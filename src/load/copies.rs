//! In: opened sources. Out: which of them say byte by byte what another one says: a log beside its packed copy, a driver's log
//! beside the aggregated text that holds it. What happened is counted once, however often it was collected.

use crate::source::{Kind, Refusal, Source, Sources};
use std::collections::BTreeMap;

/// Line ends at the end of a log that collecting it may have added or taken.
const LINE_ENDS: u64 = 2;
/// Sources of nearly the same size that one is compared with.
const COMPARED: usize = 16;
/// Bytes that are compared at a time.
const BLOCK: u64 = 256 << 10;

/// For each source the one before it in the list that says the same. Those that may still `grow` are left alone.
pub(super) fn copies(sources: &Sources, grow: bool) -> Vec<Option<usize>> {
    let list = &sources.list;
    let mut of = vec![None; list.len()];
    let fits = |i: &usize| {
        let source = &list[*i];
        let still = source.spool().is_none() && !(grow && source.may_grow());
        let log = source.kind.is_log() || source.kind == Kind::EventLog;
        log && source.bytes > 0 && still
    };
    let mut read: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for i in (0..list.len()).filter(fits) {
        let bytes = list[i].bytes;
        let near = read.range(bytes.saturating_sub(LINE_ENDS)..=bytes + LINE_ENDS);
        let mut near = near.flat_map(|(_, near)| near).take(COMPARED);
        of[i] = near
            .find(|other| says_the_same(&list[i], &list[**other]))
            .copied();
        if of[i].is_none() {
            read.entry(bytes).or_default().push(i);
        }
    }
    of
}

/// The copies as what was not read, each with what was read in its place.
pub(super) fn refusals(sources: &Sources, copies: &[Option<usize>]) -> Vec<Refusal> {
    let copies = sources.list.iter().zip(copies);
    let told = copies.filter_map(|(source, of)| {
        let read = sources.list.get((*of)?)?;
        Some(Refusal {
            name: source.name.clone(),
            reason: format!("it says the same as {}, and is counted once", read.name),
            fault: false,
        })
    });
    told.collect()
}

/// Whether both are one log. Two processes may print the same few words: only what tells the time is one process's alone.
fn says_the_same(a: &Source, b: &Source) -> bool {
    let contradict = |a: &Option<_>, b: &Option<_>| matches!((a, b), (Some(a), Some(b)) if a != b);
    let (of_a, of_b) = (&a.labels, &b.labels);
    if contradict(&of_a.executor, &of_b.executor) || contradict(&of_a.container, &of_b.container) {
        return false;
    }
    let common = a.bytes.min(b.bytes);
    let mut from = 0;
    while from < common {
        let most = BLOCK.min(common - from);
        let (block, other) = (a.some(from, most), b.some(from, most));
        if block != other || block.is_empty() || from == 0 && !tells_the_time(&block) {
            return false;
        }
        from += block.len() as u64;
    }
    let rest = |source: &Source| source.some(common, LINE_ENDS);
    [rest(a), rest(b)]
        .concat()
        .iter()
        .all(u8::is_ascii_whitespace)
}

/// Whether a clock's time or an event's stands in a text.
fn tells_the_time(text: &[u8]) -> bool {
    let clock = |w: &[u8]| {
        w[2] == b':' && w[5] == b':' && [0, 1, 3, 4, 6, 7].iter().all(|i| w[*i].is_ascii_digit())
    };
    text.windows(8).any(clock) || memchr::memmem::find(text, b"\"Timestamp\":").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "24/01/02 03:04:05 ERROR Executor: Exception in task 0.0 in stage 0.0 (TID 0)\njava.lang.RuntimeException: once\n";

    fn told(logs: &[(&str, &str)]) -> Vec<Option<usize>> {
        let mut sources = Sources::default();
        for (name, text) in logs {
            sources.add_memory(name, text.as_bytes().to_vec());
        }
        copies(&sources, false)
    }

    #[test]
    fn a_log_is_the_copy_of_the_first_that_says_the_same() {
        let cut = format!("{LOG}\n");
        let other = LOG.replace("once", "oncf");
        assert_eq!(
            told(&[
                ("a.log", LOG),
                ("b.log", &cut),
                ("c.log", &other),
                ("d.log", LOG)
            ]),
            [None, Some(0), None, Some(0)]
        );
    }

    #[test]
    fn what_two_processes_say_in_the_same_words_is_no_copy() {
        let words = "java.lang.OutOfMemoryError: Java heap space\n";
        assert_eq!(
            told(&[("a/stderr", words), ("b/stderr", words)]),
            [None, None]
        );
        let containers = [
            ("container_1700000000000_0001_01_000002/stderr", LOG),
            ("container_1700000000000_0001_01_000003/stderr", LOG),
        ];
        assert_eq!(told(&containers), [None, None]);
    }
}
