//! In: the regular expressions of all rules. Out: [`Patterns`], which says which of them can match a text
//! at all after one pass over it, and compiles only those.

use super::shape::{Groups, Shape};
use crate::text::{own_pattern, pattern};
use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind, MatchKind};
use regex::Regex;
use std::collections::HashMap;
use std::sync::OnceLock;

/// A pattern's number in [`Patterns`].
pub(crate) type PatternId = usize;

#[derive(Debug)]
struct Lazy {
    source: String,
    shape: Shape,
    compiled: OnceLock<Option<Regex>>,
}

/// All patterns of a rulebook.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    list: Vec<Lazy>,
    known: HashMap<String, PatternId>,
    index: OnceLock<Index>,
    /// Whether patterns that are added are parsed first. Those that travel with the program were, by a test.
    pub(crate) strict: bool,
}

#[derive(Debug)]
struct Index {
    literals: AhoCorasick,
    /// The patterns that need a literal, in the order of literals.
    owners: Vec<Vec<PatternId>>,
    /// The patterns that may match any text.
    always: Vec<PatternId>,
}

impl Patterns {
    /// Adds a pattern and returns its number and its named groups; the error is the parser's own.
    pub(crate) fn add(&mut self, source: &str) -> Result<(PatternId, Groups), String> {
        if let Some(&id) = self.known.get(source) {
            return Ok((id, self.list[id].shape.groups.clone()));
        }
        if self.strict {
            regex_syntax::parse(source).map_err(|e| e.to_string())?;
            own_pattern(source).map_err(|e| e.to_string())?;
        }
        let id = self.list.len();
        let shape = Shape::of(source);
        let groups = shape.groups.clone();
        self.list.push(Lazy {
            source: source.to_owned(),
            shape,
            compiled: OnceLock::new(),
        });
        self.known.insert(source.to_owned(), id);
        self.index = OnceLock::new();
        Ok((id, groups))
    }

    /// The sources of all patterns.
    #[cfg(test)]
    pub(crate) fn sources(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|lazy| lazy.source.as_str())
    }

    /// The compiled pattern; `None` where it is too large to compile.
    pub(crate) fn regex(&self, id: PatternId) -> Option<&Regex> {
        let lazy = &self.list[id];
        lazy.compiled
            .get_or_init(|| pattern(&lazy.source).ok())
            .as_ref()
    }

    /// Compiles every pattern; the error names the first that cannot be.
    pub(crate) fn compile_all(&self) -> Result<(), String> {
        for id in 0..self.list.len() {
            if self.regex(id).is_none() {
                return Err(self.list[id].source.clone());
            }
        }
        Ok(())
    }

    /// Prepares what tells which of them can match.
    pub(crate) fn make_ready(&self) {
        self.index();
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| self.build_index())
    }

    /// For each pattern, whether it can match `text`.
    pub(crate) fn candidates(&self, text: &str) -> Vec<bool> {
        let index = self.index();
        let mut can = vec![false; self.list.len()];
        for &id in &index.always {
            can[id] = true;
        }
        for hit in index.literals.find_overlapping_iter(text) {
            for &id in &index.owners[hit.pattern().as_usize()] {
                can[id] = true;
            }
        }
        can
    }

    fn build_index(&self) -> Index {
        let mut literals: Vec<&str> = Vec::new();
        let mut number: HashMap<&str, usize> = HashMap::new();
        let mut owners: Vec<Vec<PatternId>> = Vec::new();
        let mut always = Vec::new();
        for (id, lazy) in self.list.iter().enumerate() {
            if lazy.shape.literals.is_empty() {
                always.push(id);
            }
            for literal in &lazy.shape.literals {
                let at = *number.entry(literal).or_insert_with(|| {
                    literals.push(literal);
                    owners.push(Vec::new());
                    owners.len() - 1
                });
                if owners[at].last() != Some(&id) {
                    owners[at].push(id);
                }
            }
        }
        // Overlapping search needs the standard kind. The smallest automaton is the soonest built, and the texts it
        // walks over are short. A few hundred short literals cannot reach its size limit; an empty one finds nothing.
        let literals = AhoCorasickBuilder::new()
            .match_kind(MatchKind::Standard)
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::NoncontiguousNFA))
            .build(&literals)
            .expect("a few hundred literals fit into an automaton");
        Index {
            literals,
            owners,
            always,
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn only_patterns_whose_literals_occur_are_candidates() {
        let mut patterns = Patterns::default();
        let (disk, _) = patterns.add("No space left|Disk quota").unwrap();
        let (any, _) = patterns.add(r"\d+: \d+").unwrap();
        let (heap, _) = patterns.add("(?i)java heap").unwrap();
        let can = patterns.candidates("x: No space left on device");
        assert!(can[disk] && can[any] && !can[heap]);
        assert!(patterns.candidates("JAVA HEAP space")[heap]);
    }
}
