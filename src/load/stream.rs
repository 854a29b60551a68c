//! In: sources, some of which are streams that still arrive. Out: the same sources once all of it is there.

use crate::source::{Source, Sources, Spool};
use std::sync::Arc;
use std::time::Duration;

/// How long nothing may arrive before it is looked again whether the load is still wanted.
const PATIENCE: Duration = Duration::from_millis(200);

/// The streams that have not ended.
pub(super) fn arriving(sources: &Sources) -> Vec<Arc<Spool>> {
    let spools = sources.list.iter().filter_map(Source::spool);
    spools.filter(|spool| !spool.ended()).cloned().collect()
}

/// Reads the streams to their end, on this thread, and looks into what they brought.
pub(super) fn read_to_end(sources: Sources) -> Sources {
    let streams = arriving(&sources);
    if streams.is_empty() {
        return sources;
    }
    for spool in streams {
        if spool.claim() {
            spool.fill();
        }
        while !spool.ended() {
            spool.wait_for_more(u64::MAX, PATIENCE);
        }
    }
    sources.settled()
}

/// Starts to read the streams, each on a thread of its own that ends with its stream: nothing can call
/// off a read that waits for another process.
pub(super) fn start(streams: &[Arc<Spool>]) {
    for spool in streams {
        if spool.claim() {
            let spool = Arc::clone(spool);
            std::thread::spawn(move || spool.fill());
        }
    }
}

/// Gives the streams `pause` to bring more; false once all have ended.
pub(super) fn wait(streams: &[Arc<Spool>], pause: Duration) -> bool {
    let Some(open) = streams.iter().find(|spool| !spool.ended()) else {
        return false;
    };
    open.wait_for_more(u64::MAX, pause);
    true
}
