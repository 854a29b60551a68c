//! [`Case`]: the whole answer, immutable.

use super::long_line::LongLine;
use super::open_log::Count;
use super::work::Work;
use crate::diagnosis::{Advice, Diagnosis, Fix, Opened, Rulebook};
use crate::fact::event_log;
use crate::incident::{Role, Story};
use crate::record::{self, Dress};
use crate::source::{Kind, Source, Sources};
use crate::text::Place;
use std::sync::Arc;

/// Everything that is known of what was opened.
#[derive(Debug, Clone)]
pub struct Case {
    /// What was opened.
    pub sources: Arc<Sources>,
    /// What happened.
    pub story: Story,
    /// What the rules say: one for each of `story.incidents`, in the same order; none where
    /// [`Options::diagnose`](super::Options::diagnose) is off.
    pub diagnoses: Vec<Diagnosis>,
    /// What can be done about remarkable stages, in the order of `story.stages`.
    pub advice: Vec<Advice>,
    /// What each source is wrapped in, in the order of `sources.list`.
    pub dresses: Vec<Dress>,
    /// Lines of each source, in the order of `sources.list`; 0 while not counted. While it is 0, the `line` of
    /// a place in that source tells lines apart but is not their number in the file.
    pub lines: Vec<u64>,
    /// Bytes of each source that were not understood as text.
    pub unread: Vec<u64>,
    /// What reading took.
    pub work: Work,
    /// Whether more is still being read: a later case may say otherwise.
    pub provisional: bool,
    /// The long line that was asked for last.
    pub long_line: LongLine,
}

impl Case {
    /// Nothing is known yet of `sources`.
    pub(super) fn empty(sources: &Arc<Sources>) -> Self {
        let n = sources.list.len();
        Self {
            sources: Arc::clone(sources),
            story: Story::default(),
            diagnoses: Vec::new(),
            advice: Vec::new(),
            dresses: vec![Dress::default(); n],
            lines: vec![0; n],
            unread: vec![0; n],
            work: Work::default(),
            provisional: false,
            long_line: LongLine::default(),
        }
    }

    /// Takes what was counted of each source.
    pub(super) fn count(&mut self, counts: &[Count]) {
        for (i, counted) in counts.iter().enumerate() {
            self.lines[i] = counted.lines;
            self.unread[i] = counted.unread;
            self.dresses[i] = counted.dress;
        }
    }

    /// What is known while the inputs are still being opened: nothing.
    pub fn unopened() -> Self {
        Self {
            provisional: true,
            ..Self::empty(&Arc::default())
        }
    }

    /// Whether no log but an event log was opened: what the program itself printed is not known.
    pub fn has_only_events(&self) -> bool {
        !self.sources.list.iter().any(|source| source.kind.is_log())
    }

    /// Whether a fault of the program itself kept it from reading something, or from telling what it read.
    pub fn met_fault(&self) -> bool {
        self.sources.refused.iter().any(|refusal| refusal.fault)
    }

    /// With what happened, and what the rules say of it, where they are asked.
    pub(super) fn told(mut self, story: Story, rules: Option<&Rulebook>) -> Self {
        if let Some(rules) = rules {
            let opened = self.opened();
            self.diagnoses = rules.diagnose(&story, &opened);
            self.advice = rules.advise(&story, &opened);
        } else {
            (self.diagnoses, self.advice) = (Vec::new(), Vec::new());
        }
        self.story = story;
        self
    }

    /// The inputs as evidence.
    fn opened(&self) -> Vec<Opened> {
        let sources = self.sources.list.iter();
        let opened = sources.map(|source| Opened {
            kind: source.kind,
            name: source.name.clone(),
            executor: source.labels.executor.as_ref().map(ToString::to_string),
            path: path_for_a_shell(source),
        });
        opened.collect()
    }

    /// All that can be done about an incident: its fixes, then, where nothing ended the run, advice for its stages, then
    /// ways to see more.
    pub fn remedies(&self, incident: Option<usize>) -> Vec<&Fix> {
        let diagnosis = incident.and_then(|at| self.diagnoses.get(at));
        let mut remedies: Vec<&Fix> = diagnosis.iter().flat_map(|d| &d.fixes).collect();
        let fatal = self.story.incidents.iter().any(|i| i.role == Role::Fatal);
        if !fatal && !self.provisional {
            for Advice { fix, .. } in &self.advice {
                if !remedies.iter().any(|known| known.title == fix.title) {
                    remedies.push(fix);
                }
            }
        }
        remedies.extend(diagnosis.iter().flat_map(|d| &d.recipes));
        remedies
    }

    /// The same, by other rules.
    #[must_use]
    pub fn judged_by(&self, rules: &Rulebook) -> Self {
        self.clone().told(self.story.clone(), Some(rules))
    }

    /// The text of a place, read again from its source; not sanitised.
    pub fn text(&self, place: &Place) -> String {
        let source = self.sources.get(place.source);
        let is_event = source.is_some_and(|source| source.kind == Kind::EventLog);
        let dress = self.dresses.get(place.source.0 as usize).copied();
        let dress = dress.unwrap_or_default();
        let known = self.long_line.text(place, || {
            let bytes = self.sources.bytes(place);
            if is_event {
                event_log::logical_texts(&bytes)
            } else {
                record::logical_texts(&bytes, dress)
            }
        });
        known.unwrap_or_else(|| {
            let bytes = self.sources.bytes(place);
            if is_event {
                return event_log::logical_text(&bytes, place.part);
            }
            let text = record::logical_text(&bytes, place.part, dress);
            if !text.is_empty() || place.part > 0 {
                return text;
            }
            // Nothing is left of a line that only draws a progress bar.
            record::drawn(&String::from_utf8_lossy(&bytes)).unwrap_or_default()
        })
    }
}

/// Where what was opened lies as it is read.
fn path_for_a_shell(source: &Source) -> Option<String> {
    let path = source.path.as_ref()?;
    (source.format == "plain").then(|| path.display().to_string())
}
