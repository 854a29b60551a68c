//! The needles: the short texts of which a log line must hold one to be read at all. In: bytes. Out: where a needle is.
//!
//! A needle must be frequent in lines that tell what went wrong and rare in the chatter of a healthy run
//! (`Starting task`, `Finished task`, `Added broadcast_…`), which is most of a large log. Each has at least
//! four bytes, and there are at most 64. A sieve (`sieve`) tells them by a sign of three bytes; a machine that cannot
//! sift searches for their first four bytes, so these must be rare, too: hence `ry limit` and not `memory limit`.

use aho_corasick::packed::{Config, MatchKind, Searcher};
use memchr::memchr;
use std::sync::LazyLock;

/// Needles that belong together, and why lines with them are read.
struct Group {
    #[cfg_attr(
        not(test),
        expect(
            dead_code,
            reason = "the reason is for who changes the list, and a test"
        )
    )]
    reason: &'static str,
    needles: &'static [Needle],
}

/// A needle, and how it is told in a sieve. Sign and sieve were chosen together, so that as little as can be of what
/// chatters passes: signs in one sieve share halves of their bytes.
#[derive(Debug)]
pub(super) struct Needle {
    pub(super) text: &'static str,
    /// Where in it its sign is.
    pub(super) sign: usize,
    /// Which of the eight sieves it belongs to.
    pub(super) sieve: usize,
}

const fn needle(text: &'static str, sign: usize, sieve: usize) -> Needle {
    Needle { text, sign, sieve }
}

const GROUPS: &[Group] = &[
    Group {
        reason: "Something was thrown, in Java, Scala or Python, whatever the layout around it.",
        needles: &[
            needle("xception", 1, 4),
            needle("Error", 2, 2),
            needle("error", 2, 2),
            needle("Caused by", 0, 5),
            needle("Traceback", 3, 1),
        ],
    },
    Group {
        reason: "Frames: a trace goes on, though nothing in its message is a needle.",
        needles: &[
            needle("\tat ", 1, 3),
            needle("  at ", 2, 3),
            needle("  File \"", 4, 6),
            needle("---> ", 1, 0),
        ],
    },
    Group {
        reason: "A record that is loud, in whatever layout.",
        needles: &[
            needle("WARN", 1, 5),
            needle("ERROR", 2, 2),
            needle("FATAL", 1, 3),
            needle("CRITICAL", 0, 5),
            needle("SEVERE", 3, 5),
        ],
    },
    Group {
        reason: "Words of failure without an exception: launchers, shells, services.",
        needles: &[
            needle("fail", 1, 0),
            needle("Fail", 1, 0),
            needle("FAIL", 1, 3),
            needle("annot ", 3, 3),
            needle("ould not", 1, 1),
            needle("nable to", 3, 6),
            needle("not found", 1, 3),
            needle("No such", 4, 7),
            needle("denied", 3, 1),
            needle("refused", 4, 1),
            needle("timed out", 2, 6),
            needle("nvalid", 3, 6),
            needle("nrecognized", 6, 5),
            needle("nsufficient", 3, 7),
            needle("UNRESOLVED", 1, 5),
            needle("unresolved", 7, 1),
            needle("bort", 0, 2),
            needle("ut of memory", 4, 7),
            needle("usage: ", 0, 4),
        ],
    },
    Group {
        reason: "Containers, pods and processes that were killed, lost or taken away: often at INFO.",
        needles: &[
            needle("illed", 2, 6),
            needle("ILLED", 2, 6),
            needle("Lost ", 0, 2),
            needle(" lost", 1, 2),
            needle("Exit", 0, 7),
            needle("exit", 0, 7),
            needle("SIGNAL", 0, 3),
            needle("ry limit", 3, 7),
            needle("preempt", 2, 1),
            needle("ecommission", 7, 1),
            needle("unresponsive", 8, 4),
            needle("not accepted", 6, 4),
            needle("ImagePull", 4, 5),
            needle("to remove executor", 5, 5),
            needle("moving executor", 0, 5),
            needle("low on resource", 0, 2),
        ],
    },
    Group {
        reason: "Jobs, stages and executors as the scheduler announces them at INFO: once each, not once a task.",
        needles: &[
            needle("Job ", 0, 7),
            needle("Got job", 4, 7),
            needle("Stage ", 0, 3),
            needle("ding task set", 0, 0),
            needle("egistered executor", 0, 7),
        ],
    },
    Group {
        reason: "How the application ended and which one it was, where several share a file.",
        needles: &[
            needle("Spark version", 9, 1),
            needle("ubmitted app", 9, 4),
            needle("final stat", 3, 6),
            needle("Final app", 3, 6),
            needle("stopped SparkContext", 4, 1),
            needle("hutdown hook", 3, 5),
        ],
    },
    Group {
        reason: "The headings of tables that profilers print, of cProfile and of memory_profiler: whose rows follow.",
        needles: &[needle("ncalls  tottime", 3, 2), needle("Mem usage", 5, 4)],
    },
    Group {
        reason: "The sections of aggregated YARN logs: whose lines follow.",
        needles: &[needle(": container_", 6, 0), needle("Type:", 0, 3)],
    },
];

static SEARCHER: LazyLock<Searcher> = LazyLock::new(|| {
    Config::new()
        .match_kind(MatchKind::LeftmostFirst)
        .builder()
        .extend(needles().map(|needle| needle.text))
        .build()
        .expect("a few short, non-empty needles")
});

/// All of them.
pub(super) fn needles() -> impl Iterator<Item = &'static Needle> {
    GROUPS.iter().flat_map(|group| group.needles)
}

/// The longest needle, in bytes: a needle may reach this far, less one, into the next block.
pub(super) const LONGEST: usize = 32;

/// The first needle that begins in `bytes[from..before]`; it may end behind `before`.
pub(super) fn find(bytes: &[u8], from: usize, before: usize) -> Option<usize> {
    let end = bytes.len().min(before.saturating_add(LONGEST - 1));
    let found = SEARCHER.find_in(bytes.get(..end)?, (from.min(end)..end).into())?;
    (found.start() < before).then_some(found.start())
}

/// Where the line that holds `at` ends: the offset of its `\n`, or `before`.
pub(super) fn line_end(bytes: &[u8], at: usize, before: usize) -> usize {
    memchr(b'\n', &bytes[at..before]).map_or(before, |n| at + n)
}

#[cfg(test)]
mod tests {
    use super::super::sieve::sift;
    use super::*;

    const CHATTER: &[&str] = &[
        "24/01/02 03:04:05 INFO TaskSetManager: Starting task 12.0 in stage 3.0 (TID 12) (dn7, executor 5, partition 12, PROCESS_LOCAL, 9113 bytes) ",
        "24/01/02 03:04:05 INFO TaskSetManager: Finished task 0.0 in stage 0.0 (TID 0) in 997 ms on dn7 (executor 1) (1/2)",
        "24/01/02 03:04:05 INFO BlockManagerInfo: Added broadcast_3_piece0 in memory on dn7:4040 (size: 4.1 KiB, free: 2.1 GiB)",
        "24/01/02 03:04:05 INFO BlockManagerInfo: Removed broadcast_3_piece0 on dn7:4040 in memory (size: 4.1 KiB, free: 2.1 GiB)",
        "24/01/02 03:04:05 INFO MemoryStore: Block broadcast_3 stored as values in memory (estimated size 8.1 KiB, free 2.1 GiB)",
        "24/01/02 03:04:05 INFO ContextCleaner: Cleaned accumulator 4711",
        "24/01/02 03:04:05 INFO CodeGenerator: Code generated in 12.3 ms",
        "24/01/02 03:04:05 INFO Executor: Running task 3.0 in stage 3.0 (TID 6)",
    ];

    fn all() -> Vec<&'static str> {
        needles().map(|needle| needle.text).collect()
    }

    #[test]
    fn needles_suit_the_search() {
        let needles = all();
        assert!(needles.len() <= 64, "{}", needles.len());
        for needle in &needles {
            assert!((4..=LONGEST).contains(&needle.len()), "{needle}");
            assert!(needle.is_ascii() && !needle.contains('\n'), "{needle}");
        }
        for needle in super::needles() {
            assert!(needle.sign + 3 <= needle.text.len() && needle.sieve < 8);
        }
        for group in GROUPS {
            assert!(group.reason.ends_with('.'));
        }
        for (i, needle) in needles.iter().enumerate() {
            let covered = needles
                .iter()
                .enumerate()
                .find(|(j, other)| *j != i && needle.contains(*other));
            assert!(covered.is_none(), "{needle} is covered by {covered:?}");
        }
    }

    #[test]
    fn chatter_is_passed_over() {
        for line in CHATTER {
            assert_eq!(find(line.as_bytes(), 0, line.len()), None, "{line}");
        }
    }

    #[test]
    fn the_search_is_not_lured_by_chatter() {
        for line in CHATTER {
            for needle in all() {
                assert!(!line.contains(&needle[..4]), "{needle}: {line}");
            }
        }
    }

    #[test]
    fn chatter_does_not_pass_the_sieves() {
        let mut passed = Vec::new();
        let text = CHATTER.join("\n");
        if sift(text.as_bytes(), text.len(), &mut passed).is_some() {
            assert!(passed.len() * 200 < text.len(), "{passed:?}");
        }
    }

    #[test]
    fn what_tells_is_found() {
        for line in [
            "24/01/02 03:04:05 INFO TaskSetManager: Lost task 0.1 in stage 1.0 (TID 2) on dn7, executor 0: a.B (m) [duplicate 1]",
            "24/01/02 03:04:05 INFO StandaloneAppClient$ClientEndpoint: Executor updated: app-1/4 is now EXITED (Command exited with code 1)",
            "24/01/02 03:04:05 INFO ApplicationMaster: Final app status: FAILED, exitCode: 11",
            "24/01/02 03:04:05 INFO YarnAllocator: Completed container container_1_2_01_000003 on host: h (state: COMPLETE, exit status: 143)",
            "24/01/02 03:04:05 INFO DAGScheduler: ResultStage 8 (collect at x.py:12) failed in 1.2 s due to m",
            "24/01/02 03:04:05 INFO DAGScheduler: Job 2 finished: collect at x.py:12, took 2.8 s",
            "24/01/02 03:04:05 INFO TaskSchedulerImpl: Adding task set 0.0 with 2 tasks resource profile 0",
            "Container [pid=7] is running beyond physical memory limits. Killing container.",
            "  termination reason: OOMKilled",
            "Killed",
            "exec: java: not found",
            "Container: container_1_2_01_000003 on dn7_45454",
            "[0;31mValueError[0m",
            "24/01/02 03:04:05 INFO SparkContext: Running Spark version 3.5.1",
            "Container released on a *lost* node: preempted",
            "24/01/02 03:04:05 INFO BlockManagerDecommissioner: x",
        ] {
            assert!(find(line.as_bytes(), 0, line.len()).is_some(), "{line}");
        }
    }

    #[test]
    fn a_needle_may_reach_into_the_next_block() {
        let bytes = b"....Traceback....";
        assert_eq!(find(bytes, 0, 6), Some(4));
        assert_eq!(find(bytes, 0, 4), None);
        assert_eq!(find(bytes, 5, 17), None);
    }
}
