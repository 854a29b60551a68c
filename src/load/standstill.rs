//! In: the logs of a run of which nothing tells how it ended, and its [`Story`]. Out: the story of a stuck run, where the end of a
//! log shows a progress bar that no longer moves: a [`Standstill`].
//!
//! A bar's line holds no needle, so that no pass has seen it: the end of each log is read again, and only of such a run.

use super::case::Case;
use crate::incident::{Standstill, Story};
use crate::record::{Bar, Dress, last_bars, time_of};
use crate::source::{Kind, Source};
use crate::text::{Moment, Place};
use memchr::memmem;

/// Bytes of a log's end that are looked at: a bar that stands still is drawn once a minute.
const END: u64 = 1 << 20;

/// Tells the story of a run that is stuck, where one of the case's logs shows that. One that is followed is told
/// so until it moves.
pub(super) fn look_for_standstill(case: &Case, story: &mut Story) {
    if case.provisional || !story.may_stand_still() {
        return;
    }
    let sources = case.sources.list.iter();
    let mut logs =
        sources.filter(|source| source.kind.is_log() && source.kind != Kind::ExecutorLog);
    if let Some(found) = logs.find_map(|source| of(case, source)) {
        story.stood_still(&found);
    }
}

/// The bar that stood still until its log's end.
fn of(case: &Case, source: &Source) -> Option<Standstill> {
    let from = source.bytes.saturating_sub(END);
    let bytes = source.some(from, END);
    memmem::find(&bytes, b"[Stage ")?;
    let dress = *case.dresses.get(source.id.0 as usize)?;
    let last = last_bar(&bytes, dress)?;
    let start = from + last.at as u64;
    Some(Standstill {
        bar: last.bar,
        place: Place {
            source: source.id,
            start,
            bytes: last.bytes,
            line: case.sources.line_of_offset(source.id, start)?,
            part: 0,
        },
        from: last.from,
        until: last.until,
    })
}

/// A bar, where it was first drawn so, and when.
struct Last {
    bar: Bar,
    at: usize,
    bytes: u32,
    from: Moment,
    until: Moment,
}

fn last_bar(bytes: &[u8], dress: Dress) -> Option<Last> {
    let mut now = None;
    let mut shown: Vec<Bar> = Vec::new();
    // Its line, and the last moment before it: where it is the first line, none is known.
    let mut first: Option<(usize, u32, Option<Moment>)> = None;
    let mut at = 0;
    for line in bytes.split(|byte| *byte == b'\n') {
        let bars = last_bars(&String::from_utf8_lossy(line));
        let moves = !bars.is_empty() && bars != shown;
        // At its usual level the scheduler tells of each task, too.
        if moves || first.is_some() && memmem::find(line, b"Finished task ").is_some() {
            let bytes = u32::try_from(line.len()).unwrap_or(u32::MAX);
            first = Some((at, bytes, now));
        }
        if moves {
            shown = bars;
        }
        if let Some(time) = time_of(line, dress) {
            now = Some(time);
            // The first moment behind it is late enough.
            if let Some((_, _, from @ None)) = &mut first {
                *from = now;
            }
        }
        at += line.len() + 1;
    }
    let (at, bytes, from) = first?;
    Some(Last {
        bar: shown.into_iter().find(|bar| bar.running > 0)?,
        at,
        bytes,
        from: from?,
        until: now?,
    })
}
