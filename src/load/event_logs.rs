//! In: the event logs among the sources. Out: the story with what they tell.

use super::open_log::{Count, Pass, read_events};
use crate::fact::event_log::{self, EventLog, Reading};
use crate::incident::{Story, join_event_log};
use crate::source::{Source, Sources};
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

    /// Reads the event logs and joins the one of the story's own run to it. What is counted of them goes to `counts`, by
    /// source, where it is not there from the last time.
    pub(super) fn join(
        &mut self,
        story: &mut Story,
        sources: &Sources,
        pass: &mut Pass<'_>,
        counts: &mut [Count],
    ) {
        let mut of_this_run: Option<Arc<EventLog>> = None;
        let mut keep = Vec::new();
        for parts in event_log::event_logs(sources) {
            let log = self.known(&parts.parts).unwrap_or_else(|| {
                let mut reading = Reading::default();
                for part in &parts.parts {
                    let counted = read_events(part, &mut reading, pass);
                    if let Some(count) = counts.get_mut(part.id.0 as usize) {
                        *count = counted;
                    }
                }
                let mut log = reading.finish();
                log.compacted = parts.compacted;
                Arc::new(log)
            });
            if self.kept.is_some() {
                let parts = parts.parts.iter().map(|part| (*part).clone());
                keep.push((parts.collect(), Arc::clone(&log)));
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

    /// What the parts tell, where none of them has changed since they were read and counted.
    fn known(&self, parts: &[&Source]) -> Option<Arc<EventLog>> {
        if parts.iter().any(|part| part.line_index().is_none()) {
            return None;
        }
        let same = |known: &[Source]| {
            known.len() == parts.len()
                && (known.iter().zip(parts))
                    .all(|(old, new)| old.id == new.id && new.is_same_as(old))
        };
        let found = self.kept.iter().flatten().find(|(known, _)| same(known));
        found.map(|(_, log)| Arc::clone(log))
    }
}
