//! In: the event logs among the sources. Out: the story with what they tell.

use super::hooks::Hooks;
use crate::fact::event_log::{self, EventLog};
use crate::incident::{Story, join_event_log};
use crate::source::{Source, Sources};
use std::io::{self, Read};
use std::sync::Arc;

/// The event logs that were read, as long as they may be asked for again.
#[derive(Debug, Default)]
pub(super) struct EventLogs {
    /// The parts of each and what they tell; `None` where they are read once.
    kept: Option<Vec<(Vec<Source>, Arc<EventLog>)>>,
}

impl EventLogs {
    /// For joining them again and again: those that did not change are not read again.
    pub(super) fn kept() -> Self {
        Self {
            kept: Some(Vec::new()),
        }
    }

    /// Reads the event logs and joins the one of the story's own run to it. What holds no event in them counts as
    /// unread, by source.
    pub(super) fn join(
        &mut self,
        story: &mut Story,
        sources: &Sources,
        hooks: Hooks<'_>,
        unread: &mut [u64],
    ) {
        let mut of_this_run: Option<Arc<EventLog>> = None;
        let mut keep = Vec::new();
        for parts in event_log::event_logs(sources) {
            let log = self.known(&parts.parts).unwrap_or_else(|| {
                let readers = parts.parts.iter().map(|part| {
                    let reader = part.reader();
                    (part.id, WhileWanted { reader, hooks })
                });
                let (mut log, _) = event_log::read(readers);
                log.compacted = parts.compacted;
                Arc::new(log)
            });
            if self.kept.is_some() {
                let parts = parts.parts.iter().map(|part| (*part).clone());
                keep.push((parts.collect(), Arc::clone(&log)));
            }
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
        if let Some(kept) = &mut self.kept {
            *kept = keep;
        }
    }

    /// What the parts tell, where none of them has changed.
    fn known(&self, parts: &[&Source]) -> Option<Arc<EventLog>> {
        let same = |known: &[Source]| {
            known.len() == parts.len()
                && (known.iter().zip(parts))
                    .all(|(old, new)| old.id == new.id && new.is_same_as(old))
        };
        let found = self.kept.iter().flatten().find(|(known, _)| same(known));
        found.map(|(_, log)| Arc::clone(log))
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
