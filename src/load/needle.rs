//! The needles: the short texts of which a log line must hold one to be read at all. In: bytes. Out: where a needle is.
//!
//! A needle must be frequent in lines that tell what went wrong and rare in the chatter of a healthy run
//! (`Starting task`, `Finished task`, `Added broadcast_…`), which is most of a large log. Each has at least
//! four bytes, and there are at most 64: what the SIMD search takes in one pass. That search looks at a needle's
//! first four bytes, so these must be rare, too: hence `ry limit` and not `memory limit`.

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
    needles: &'static [&'static str],
}

const GROUPS: &[Group] = &[
    Group {
        reason: "Something was thrown, in Java, Scala or Python, whatever the layout around it.",
        needles: &[
            "Exception",
            "exception",
            "Error",
            "error",
            "Caused by",
            "Traceback",
        ],
    },
    Group {
        reason: "Frames: a trace goes on, though nothing in its message is a needle.",
        needles: &["\tat ", "  at ", "  File \"", "---> "],
    },
    Group {
        reason: "A record that is loud, in whatever layout.",
        needles: &["WARN", "ERROR", "FATAL", "CRITICAL", "SEVERE"],
    },
    Group {
        reason: "Words of failure without an exception: launchers, shells, services.",
        needles: &[
            "fail",
            "Fail",
            "FAIL",
            "annot ",
            "ould not",
            "nable to",
            "not found",
            "No such",
            "denied",
            "refused",
            "timed out",
            "nvalid",
            "nrecognized",
            "nsufficient",
            "UNRESOLVED",
            "unresolved",
            "bort",
            "ut of memory",
        ],
    },
    Group {
        reason: "Containers, pods and processes that were killed, lost or taken away: often at INFO.",
        needles: &[
            "illed",
            "ILLED",
            "Lost ",
            " lost",
            "Exit",
            "exit",
            "SIGNAL",
            "SIGSEGV",
            "ry limit",
            "preempt",
            "ecommission",
            "unresponsive",
            "not accepted",
            "ImagePull",
            "to remove executor",
            "moving executor",
            "low on resource",
        ],
    },
    Group {
        reason: "Jobs, stages and executors as the scheduler announces them at INFO: once each, not once a task.",
        needles: &[
            "Job ",
            "Got job",
            "Stage ",
            "ding task set",
            "egistered executor",
        ],
    },
    Group {
        reason: "How the application ended and which one it was, where several share a file.",
        needles: &[
            "Spark version",
            "ubmitted app",
            "final stat",
            "Final app",
            "stopped SparkContext",
            "hutdown hook",
        ],
    },
    Group {
        reason: "The sections of aggregated YARN logs: whose lines follow.",
        needles: &[": container_", "LogType", "Log Type"],
    },
];

static SEARCHER: LazyLock<Searcher> = LazyLock::new(|| {
    Config::new()
        .match_kind(MatchKind::LeftmostFirst)
        .builder()
        .extend(GROUPS.iter().flat_map(|group| group.needles))
        .build()
        .expect("a few short, non-empty needles")
});

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
        GROUPS
            .iter()
            .flat_map(|group| group.needles)
            .copied()
            .collect()
    }

    #[test]
    fn needles_suit_the_search() {
        let needles = all();
        assert!(needles.len() <= 64, "{}", needles.len());
        for needle in &needles {
            assert!((4..=LONGEST).contains(&needle.len()), "{needle}");
            assert!(!needle.contains('\n'), "{needle}");
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
