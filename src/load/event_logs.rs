//! In: the event logs among the sources. Out: the story with what they tell.

use super::hooks::Hooks;
use crate::fact::event_log::{self, EventLog};
use crate::incident::{Story, join_event_log};
use crate::source::Sources;
use std::io::{self, Read};

/// Reads the event logs and joins the one of the story's own run to it. What holds no event in them counts as
/// unread, by source.
pub(super) fn join(story: &mut Story, sources: &Sources, hooks: Hooks<'_>, unread: &mut [u64]) {
    let mut of_this_run: Option<EventLog> = None;
    for parts in event_log::event_logs(sources) {
        let readers = parts.parts.iter().map(|part| {
            let reader = part.reader();
            (part.id, WhileWanted { reader, hooks })
        });
        let (mut log, _) = event_log::read(readers);
        log.compacted = parts.compacted;
        for part in &log.parts {
            if let Some(unread) = unread.get_mut(part.source.0 as usize) {
                *unread = part.unread.max(*unread);
            }
        }
        let other_run = story.spark.app_id.is_some()
            && log.app_id.is_some()
            && story.spark.app_id != log.app_id;
        // Of several attempts of one application the last tells how it went.
        let is_later = of_this_run
            .as_ref()
            .is_none_or(|known| log.started > known.started);
        if !other_run && is_later {
            of_this_run = Some(log);
        }
    }
    if let Some(log) = of_this_run {
        join_event_log(story, &log);
    }
}

/// Ends early where the load is called off.
struct WhileWanted<'h, R> {
    reader: R,
    hooks: Hooks<'h>,
}

impl<R: Read> Read for WhileWanted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.hooks.cancelled() {
            return Ok(0);
        }
        self.reader.read(buffer)
    }
}
