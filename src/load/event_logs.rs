//! In: the event logs among the sources. Out: the story with what they tell.

use super::open_log::{Count, Pass, read_events};
use crate::fact::event_log::{self, EventLog, Reading};
use crate::incident::{Story, join_event_log};
use crate::source::{Refusal, Source, Sources};
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

    /// Reads the event logs that are not set `aside` and joins the one of the story's own run to it; the others are returned.
    /// What is counted of them goes to `counts`, by source, where it is not there from the last time.
    ///
    /// Where the logs do not say which application they are of, the event log that begins nearest to them is theirs; where
    /// there are no logs, one that failed is told before others, and then the latest. Of the attempts of one application the
    /// last tells how it went.
    pub(super) fn join(
        &mut self,
        story: &mut Story,
        sources: &Sources,
        aside: &[bool],
        pass: &mut Pass<'_>,
        counts: &mut [Count],
    ) -> Vec<Refusal> {
        let mut own: Option<(Arc<EventLog>, String)> = None;
        // Only the names of the others: a folder may hold hundreds.
        let mut others = Vec::new();
        let mut keep = Vec::new();
        let set_aside = |source: &Source| aside.get(source.id.0 as usize) == Some(&true);
        for parts in event_log::event_logs(sources) {
            if parts.parts.iter().any(|part| set_aside(part)) {
                continue;
            }
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
            let name = parts.parts[0].name.clone();
            if is_before(story, &log, own.as_ref().map(|(log, _)| log)) {
                let before = own.replace((log, name));
                others.extend(before.map(|(log, name)| (name, log.app_id.clone())));
            } else {
                others.push((name, log.app_id.clone()));
            }
        }
        if let Some((log, _)) = &own {
            join_event_log(story, log);
        }
        if let Some(kept) = &mut self.kept {
            *kept = keep;
        }
        let own = own
            .and_then(|(log, _)| log.app_id.clone())
            .or(story.spark.app_id.clone());
        let others = others.into_iter();
        others
            .map(|(name, id)| set_aside_as(name, id, own.as_deref()))
            .collect()
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

/// Whether a log is rather that of the story's run than the one that is `known`.
fn is_before(story: &Story, log: &EventLog, known: Option<&Arc<EventLog>>) -> bool {
    let other_run =
        story.spark.app_id.is_some() && log.app_id.is_some() && story.spark.app_id != log.app_id;
    let Some(known) = known else {
        return !other_run;
    };
    if other_run {
        return false;
    }
    if log.app_id == known.app_id {
        return log.started > known.started;
    }
    let far = |log: &EventLog| Some(log.started?.since(story.first?).unsigned_abs());
    if let (Some(log), Some(known)) = (far(log), far(known)) {
        return log < known;
    }
    let rank = |log: &EventLog| (log.last_failure().is_some(), log.started);
    rank(log) > rank(known)
}

fn set_aside_as(name: String, id: Option<String>, own: Option<&str>) -> Refusal {
    let own = own.unwrap_or("the other one");
    let reason = match id {
        Some(id) if id == own => {
            format!("it is the event log of another attempt of {id}; this is about the last one")
        }
        Some(id) => format!(
            "it is the event log of another run, {id}, and is set aside: this is about {own}; open it by itself"
        ),
        None => format!(
            "it does not say of which run it is the event log, and is set aside: this is about {own}"
        ),
    };
    Refusal {
        name,
        reason,
        fault: false,
    }
}
