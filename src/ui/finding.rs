//! What is looked for and what is filtered by; which lines of the selected trace match is asked from the loop,
//! because telling it means reading them all.

use super::event::Effect;
use super::find::Hits;
use super::query::Query;
use super::sift::Sifted;
use crate::text::{Place, SourceId};
use std::sync::Arc;

/// A question about the lines of one trace, and its answer once it is there.
#[derive(Debug, Default)]
struct Asked {
    query: Option<Query>,
    /// The incident the question was asked for.
    incident: Option<usize>,
    generation: u64,
    lines: Option<Vec<usize>>,
}

/// The search and the filter.
#[derive(Debug, Default)]
pub(super) struct Finding {
    search: Asked,
    filter: Asked,
    /// Whether to go to a match once the search's answer is there.
    pub(super) wish: bool,
    generation: u64,
    log: InLog,
    sifting: Sifting,
}

/// The records of a log that pass the filter.
#[derive(Debug, Default)]
struct Sifting {
    /// The question, and the log it is about.
    generation: u64,
    source: Option<SourceId>,
    sifted: Option<Arc<Sifted>>,
}

/// What is known of the matches in a log.
#[derive(Debug, Default)]
struct InLog {
    /// The question for all matches, and for the next one while it is open.
    counting: u64,
    asking: Option<u64>,
    hits: Arc<Hits>,
    /// Where the match begins that one stands on.
    at: Option<u64>,
}

impl Finding {
    pub(super) fn search(&self) -> Option<&Query> {
        self.search.query.as_ref()
    }

    pub(super) fn filter(&self) -> Option<&Query> {
        self.filter.query.as_ref()
    }

    /// The lines of the trace that match the search, once they are known.
    pub(super) fn hits(&self, incident: Option<usize>) -> Option<&[usize]> {
        self.search.answer(incident)
    }

    /// The lines of the trace that pass the filter, once they are known.
    pub(super) fn passing(&self, incident: Option<usize>) -> Option<&[usize]> {
        self.filter.answer(incident)
    }

    pub(super) fn set_search(&mut self, query: Option<Query>) {
        self.forget_log();
        self.search = Asked {
            query,
            ..Asked::default()
        };
    }

    pub(super) fn set_filter(&mut self, query: Option<Query>) {
        self.sifting = Sifting::default();
        self.filter = Asked {
            query,
            ..Asked::default()
        };
    }

    /// Answers about another case are worth nothing.
    pub(super) fn forget_answers(&mut self) {
        self.search.incident = None;
        self.filter.incident = None;
        self.sifting = Sifting::default();
    }

    /// The question which records of the log in view pass the filter, where it was not asked yet.
    pub(super) fn sift(&mut self, source: SourceId) -> Option<Effect> {
        let query = self.filter.query.clone()?;
        if self.sifting.source == Some(source) {
            return None;
        }
        let generation = self.next_generation();
        self.sifting = Sifting {
            generation,
            source: Some(source),
            sifted: None,
        };
        Some(Effect::SiftLog {
            generation,
            source,
            query,
        })
    }

    /// Takes the records that pass.
    pub(super) fn take_sifted(&mut self, generation: u64, sifted: Option<Arc<Sifted>>) {
        if self.sifting.generation == generation && sifted.is_some() {
            self.sifting.sifted = sifted;
        }
    }

    /// The records of a log that pass, once they are known; `None` where all are shown.
    pub(super) fn sifted(&self, source: SourceId) -> Option<Arc<Sifted>> {
        let sifted = self.sifting.sifted.as_ref()?;
        (self.sifting.source == Some(source)).then(|| Arc::clone(sifted))
    }

    /// The questions that are open for this incident and not asked yet.
    pub(super) fn questions(&mut self, incident: Option<usize>) -> Vec<Effect> {
        let mut effects = Vec::new();
        for (filter, asked) in [(false, &mut self.search), (true, &mut self.filter)] {
            let (Some(query), Some(incident)) = (&asked.query, incident) else {
                continue;
            };
            if asked.incident == Some(incident) {
                continue;
            }
            self.generation += 1;
            effects.push(Effect::Scan {
                generation: self.generation,
                filter,
                incident,
                query: query.clone(),
            });
            asked.generation = self.generation;
            asked.incident = Some(incident);
            asked.lines = None;
        }
        effects
    }

    /// A name for a question about a log.
    pub(super) fn next_generation(&mut self) -> u64 {
        self.generation += 1;
        self.generation
    }

    /// Asks for the next match in a log, and for all of them where that was not asked yet.
    pub(super) fn ask_log(
        &mut self,
        source: SourceId,
        next: impl FnOnce(u64) -> Effect,
    ) -> Vec<Effect> {
        let Some(query) = self.search.query.clone() else {
            return Vec::new();
        };
        let mut effects = Vec::new();
        if self.log.counting == 0 {
            self.log.counting = self.next_generation();
            effects.push(Effect::CountInLog {
                generation: self.log.counting,
                source,
                query,
            });
        }
        let generation = self.next_generation();
        self.log.asking = Some(generation);
        effects.push(next(generation));
        effects
    }

    /// Whether the next match in a log is still being looked for.
    pub(super) fn is_asking_log(&self) -> bool {
        self.log.asking.is_some()
    }

    /// Nothing of a log is asked any more.
    pub(super) fn forget_log(&mut self) {
        self.log = InLog::default();
    }

    /// Takes the next match in a log; whether it was still waited for.
    pub(super) fn found_in_log(&mut self, generation: u64, place: Option<&Place>) -> bool {
        let awaited = self
            .log
            .asking
            .take_if(|asking| *asking == generation)
            .is_some();
        if awaited {
            self.log.at = place.map(|place| place.start);
        }
        awaited
    }

    /// Takes what of a log matches so far; whether it was still waited for.
    pub(super) fn hits_in_log(&mut self, generation: u64, hits: Arc<Hits>) -> bool {
        let awaited = self.log.counting == generation;
        if awaited {
            self.log.hits = hits;
        }
        awaited
    }

    /// `match 3 of 12`, `match 3 of 1204 so far`; `None` where one stands on no match.
    pub(super) fn where_in_log(&self) -> Option<String> {
        let (hits, at) = (&self.log.hits, self.log.at?);
        let before = hits.starts.partition_point(|start| *start <= at);
        let is_known = before.checked_sub(1).and_then(|i| hits.starts.get(i)) == Some(&at);
        let total = match (hits.total, hits.complete) {
            (0, _) => return None,
            (n, true) => n.to_string(),
            (n, false) => format!("{n} so far"),
        };
        Some(if is_known {
            format!("match {before} of {total}")
        } else {
            format!("{total} matches in this log")
        })
    }

    /// Takes an answer; whether it was still waited for.
    pub(super) fn answered(&mut self, generation: u64, filter: bool, lines: Vec<usize>) -> bool {
        let asked = if filter {
            &mut self.filter
        } else {
            &mut self.search
        };
        let awaited = asked.generation == generation && asked.incident.is_some();
        if awaited {
            asked.lines = Some(lines);
        }
        awaited
    }
}

impl Asked {
    fn answer(&self, incident: Option<usize>) -> Option<&[usize]> {
        self.lines
            .as_deref()
            .filter(|_| self.incident.is_some() && self.incident == incident)
    }
}
