//! In: sources, the reading of which may meet a fault of the program itself. Out: the [`Case`] of what can be read without
//! meeting it; what is missing is named among what was refused.
//!
//! What was understood before the fault is lost with it, so the same is read again, up to where it was met.

use super::case::Case;
use super::pipeline::Reader;
use crate::source::Sources;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Faults of one reading that are gone around; with more of them nothing is told.
const MOST_FAULTS: usize = 16;
/// Bytes of a block where it is looked for more closely how far can be read.
const CLOSELY: usize = 4 << 10;
/// Bytes that are left out where the end of what was read is at fault.
const END: u64 = 64 << 10;

/// What a reader does at all.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    /// Whether rules say something of what happened.
    pub(super) rules: bool,
    /// Whether event logs are read.
    pub(super) event_logs: bool,
    /// Bytes of a block, where they are other than asked for.
    pub(super) block: Option<usize>,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            rules: true,
            event_logs: true,
            block: None,
        }
    }
}

/// Where a fault met the reading: an input, by its index, and how much of it was read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub(super) source: usize,
    pub(super) bytes: u64,
}

/// Reads sources as far as no fault keeps it from that.
pub(super) fn read(reader: &mut Reader<'_>, sources: &Arc<Sources>) -> Case {
    let mut readable = Arc::clone(sources);
    for _ in 0..MOST_FAULTS {
        if let Ok(case) = catch_unwind(AssertUnwindSafe(|| reader.read(&readable))) {
            return case;
        }
        let plan = reader.plan();
        let closely = Plan {
            block: Some(CLOSELY),
            ..plan
        };
        match reader.begin_anew(closely) {
            // It was the first to meet one, a whole block at once.
            Some(_) if plan.block.is_none() => {}
            Some(spot) => shorten(Arc::make_mut(&mut readable), sources, spot),
            None => {
                let (less, what) = lesser(plan);
                reader.begin_anew(less);
                let name = sources.list.first().map_or("", |source| &source.name);
                let told = format!("a fault in causedby keeps {what} from being told");
                Arc::make_mut(&mut readable).blame(name, told);
                if plan.rules || plan.event_logs {
                    continue;
                }
                break;
            }
        }
    }
    let mut case = Case::empty(&readable);
    let told = "a fault in causedby keeps what happened from being told".to_owned();
    Arc::make_mut(&mut case.sources).blame("what was opened", told);
    case
}

/// What is left out next, in words, where all was read and could not be told.
fn lesser(plan: Plan) -> (Plan, &'static str) {
    if plan.rules {
        let rules = false;
        (Plan { rules, ..plan }, "what to do about it")
    } else {
        let event_logs = false;
        (Plan { event_logs, ..plan }, "what the event logs say")
    }
}

/// Leaves out what of a source is at fault; told once, as it is in the end.
fn shorten(readable: &mut Sources, whole: &Sources, spot: Spot) {
    let Some(source) = readable.list.get_mut(spot.source) else {
        return;
    };
    source.bytes = if spot.bytes < source.bytes {
        spot.bytes
    } else {
        source.bytes.saturating_sub(END)
    };
    let (name, left) = (source.name.clone(), source.bytes);
    let all = whole
        .list
        .get(spot.source)
        .map_or(left, |source| source.bytes);
    readable
        .refused
        .retain(|refusal| !(refusal.fault && refusal.name == name));
    let reason = format!(
        "a fault in causedby stopped the reading: what is told is of the first {left} of its {all} bytes"
    );
    readable.blame(&name, reason);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::hooks::{Hooks, Progress};
    use crate::load::options::Options;
    use std::sync::atomic::AtomicBool;

    /// What is told of two logs where `fault` panics as reading goes on.
    fn told(fault: impl Fn(Progress), first: &str) -> Case {
        let mut sources = Sources::default();
        sources.add_memory("a.log", first.as_bytes().to_vec());
        sources.add_memory("b.log", b"24/01/02 03:04:05 INFO X: y\n".to_vec());
        let never = AtomicBool::new(false);
        let hooks = Hooks {
            cancel: &never,
            progress: &fault,
            draft: &|_| {},
        };
        let options = Options::default();
        read(&mut Reader::once(&options, hooks), &Arc::new(sources))
    }

    #[test]
    fn what_was_read_before_a_fault_is_told_and_so_is_the_fault() {
        let fatal = "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    g()\nValueError: early\n";
        let log = format!("{fatal}{}", "24/01/02 03:04:05 INFO X: y\n".repeat(2_000));
        // Somewhere in its middle, whoever reads beyond 20 000 bytes meets it.
        let all = log.len() as u64;
        let case = told(
            |progress| assert!(progress.done <= 20_000 || progress.total < all, "met"),
            &log,
        );
        assert_eq!(case.story.incidents[0].title(), "ValueError: early");
        assert!(case.met_fault());
        let refusal = &case.sources.refused[0];
        assert_eq!(refusal.name, "a.log");
        assert!(
            refusal.reason.contains(&format!("of its {all} bytes")),
            "{}",
            refusal.reason
        );
        assert!(case.lines[0] > 600, "{:?}", case.lines);
        assert_eq!(case.lines[1], 1);
    }

    #[test]
    fn where_everything_is_at_fault_the_inputs_are_still_named() {
        let case = told(|_| panic!("always"), "ValueError: x\n");
        assert!(case.met_fault() && case.story.incidents.is_empty());
        assert_eq!(case.sources.list.len(), 2);
    }

    #[test]
    fn without_a_fault_nothing_is_blamed() {
        let case = told(|_| {}, "ValueError: x\n");
        assert!(!case.met_fault());
    }
}
