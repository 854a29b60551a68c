//! What is looked for and what is filtered by; which lines of the selected trace match is asked from the loop,
//! because telling it means reading them all.

use super::event::Effect;
use super::query::Query;

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
        self.search = Asked {
            query,
            ..Asked::default()
        };
    }

    pub(super) fn set_filter(&mut self, query: Option<Query>) {
        self.filter = Asked {
            query,
            ..Asked::default()
        };
    }

    /// Answers about another case are worth nothing.
    pub(super) fn forget_answers(&mut self) {
        self.search.incident = None;
        self.filter.incident = None;
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

    /// Whether it is the name of the latest question.
    pub(super) fn is_latest(&self, generation: u64) -> bool {
        self.generation == generation
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
