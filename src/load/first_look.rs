//! In: [`Sources`]. Out: a first [`Case`], from the end of the most telling log alone: it is there within a blink.

use super::case::Case;
use super::digest::Digest;
use super::options::Options;
use super::scan::Scan;
use super::selector::{Limits, Selector};
use super::window::LEAD;
use crate::record::Dress;
use crate::source::{Kind, Source, Sources};
use memchr::memchr;
use std::sync::Arc;

/// A first answer. The lines of its places are numbered from where it began to read, unless that is the
/// source's beginning: nobody has counted the lines before. `lines` of the source is 0 then.
pub(super) fn first_look(sources: &Arc<Sources>, options: &Options) -> Case {
    let mut digest = Digest::default();
    let mut case = Case::empty(sources);
    if let Some(source) = most_telling(sources) {
        let arrived = source.arrived();
        let mut from = arrived.saturating_sub(options.first_look);
        let mut bytes = source.some(from, options.first_look);
        if from > 0 {
            // The first line has most likely lost its beginning.
            let lost = memchr(b'\n', &bytes).map_or(bytes.len(), |n| n + 1);
            bytes.drain(..lost);
            from += lost as u64;
        }
        let dress = Dress::of(&bytes);
        case.dresses[source.id.0 as usize] = dress;
        let mut sink = digest.source(source, sources, dress);
        let mut selector = Selector::new(Limits::default(), 0).from(from);
        let whole_from = arrived.saturating_sub(options.tail);
        selector.whole_from(whole_from);
        let also = whole_from.saturating_sub(from);
        let mut found = Scan::default();
        found.search(&bytes, bytes.len(), usize::try_from(also).ok());
        let mut block = [vec![0; LEAD], bytes].concat();
        sink.take_in(false, |sink| {
            selector.push(&mut block, &found.hits, found.line_ends, sink);
            selector.finish(sink);
        });
        digest = sink.finish();
    }
    case.provisional = true;
    case.told(digest.story(options.follow), options.rules())
}

/// The input whose end says most: the largest driver's log, else the largest log.
fn most_telling(sources: &Sources) -> Option<&Source> {
    // What arrives packed says nothing before all of it is there.
    let logs = sources
        .list
        .iter()
        .filter(|source| source.kind.is_log() && !source.is_packed());
    logs.max_by_key(|source| (source.kind == Kind::DriverLog, source.arrived()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::incident::Incident;

    #[test]
    fn the_end_of_the_largest_drivers_log_is_read() {
        let mut sources = Sources::default();
        let executor = "24/01/02 03:04:05 ERROR Executor: Exception in task 0.0 in stage 0.0\n";
        sources.add_memory("executors/1/stderr", executor.repeat(100).into_bytes());
        let chatter = "24/01/02 03:04:05 INFO DAGScheduler: looking\n";
        let fatal = "Traceback (most recent call last):\n  File \"job.py\", line 3, in <module>\nValueError: late\n";
        let early = fatal.replace("late", "early");
        let text = early + &chatter.repeat(50) + fatal;
        sources.add_memory("driver.log", text.into_bytes());
        let options = Options {
            first_look: 1_000,
            ..Options::default()
        };
        let case = first_look(&Arc::new(sources), &options);
        assert!(case.provisional);
        let titles: Vec<_> = case.story.incidents.iter().map(Incident::title).collect();
        assert_eq!(titles, ["ValueError: late"]);
        assert_eq!(case.lines, [0, 0]);
    }
}
