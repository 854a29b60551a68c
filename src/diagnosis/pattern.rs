//! In: the regular expressions of all rules. Out: [`Patterns`], which says which of them can match a text
//! at all after one pass over it, and compiles only those.

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};
use regex::Regex;
use regex_syntax::hir::literal::{ExtractKind, Extractor};
use std::collections::HashMap;
use std::sync::OnceLock;

/// A pattern's number in [`Patterns`].
pub(crate) type PatternId = usize;

/// Literals beyond this many make a pattern a candidate for every text.
const MOST_LITERALS: usize = 64;
/// Shorter literals are in nearly every text.
const SHORTEST_LITERAL: usize = 3;

#[derive(Debug)]
struct Lazy {
    source: String,
    compiled: OnceLock<Option<Regex>>,
}

/// All patterns of a rulebook.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    list: Vec<Lazy>,
    known: HashMap<String, PatternId>,
    index: OnceLock<Index>,
}

#[derive(Debug)]
struct Index {
    literals: AhoCorasick,
    /// The patterns that begin with a literal, in the order of literals.
    owners: Vec<Vec<PatternId>>,
    always: Vec<PatternId>,
}

impl Patterns {
    /// Adds a pattern and returns its number and its named groups; the error is the parser's own.
    pub(crate) fn add(&mut self, source: &str) -> Result<(PatternId, Groups), String> {
        let hir = regex_syntax::parse(source).map_err(|e| e.to_string())?;
        let groups = Groups::of(&hir);
        if let Some(&id) = self.known.get(source) {
            return Ok((id, groups));
        }
        let id = self.list.len();
        self.list.push(Lazy {
            source: source.to_owned(),
            compiled: OnceLock::new(),
        });
        self.known.insert(source.to_owned(), id);
        self.index = OnceLock::new();
        Ok((id, groups))
    }

    /// The compiled pattern; `None` where it is too large to compile.
    pub(crate) fn regex(&self, id: PatternId) -> Option<&Regex> {
        let lazy = &self.list[id];
        lazy.compiled
            .get_or_init(|| Regex::new(&lazy.source).ok())
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

    /// For each pattern, whether it can match `text`.
    pub(crate) fn candidates(&self, text: &str) -> Vec<bool> {
        let index = self.index.get_or_init(|| self.build_index());
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
        let mut literals: Vec<Vec<u8>> = Vec::new();
        let mut number: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut owners: Vec<Vec<PatternId>> = Vec::new();
        let mut always = Vec::new();
        for (id, lazy) in self.list.iter().enumerate() {
            let Some(found) = first_literals(&lazy.source) else {
                always.push(id);
                continue;
            };
            for literal in found {
                let at = *number.entry(literal.clone()).or_insert_with(|| {
                    literals.push(literal);
                    owners.push(Vec::new());
                    owners.len() - 1
                });
                if owners[at].last() != Some(&id) {
                    owners[at].push(id);
                }
            }
        }
        // Overlapping search needs the standard kind. The automaton over a few hundred short literals
        // cannot reach its size limit, and an empty one finds nothing.
        let literals = AhoCorasickBuilder::new()
            .match_kind(MatchKind::Standard)
            .build(&literals)
            .expect("a few hundred literals fit into an automaton");
        Index {
            literals,
            owners,
            always,
        }
    }
}

/// The literals one of which every match begins with; `None` where there is no short list of them.
fn first_literals(source: &str) -> Option<Vec<Vec<u8>>> {
    let hir = regex_syntax::parse(source).ok()?;
    let mut sequence = Extractor::new().kind(ExtractKind::Prefix).extract(&hir);
    if sequence.len().is_some_and(|n| n > MOST_LITERALS) {
        // Mostly a pattern without regard to case, whose literals double with each letter.
        sequence.keep_first_bytes(SHORTEST_LITERAL + 1);
        sequence.dedup();
    }
    let literals = sequence.literals()?;
    if literals.is_empty() || literals.len() > MOST_LITERALS {
        return None;
    }
    literals
        .iter()
        .map(|l| (l.len() >= SHORTEST_LITERAL).then(|| l.as_bytes().to_vec()))
        .collect()
}

/// The named groups of a pattern.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Groups {
    /// Set by every match.
    pub(crate) certain: Vec<String>,
    /// Set by some matches.
    pub(crate) possible: Vec<String>,
}

impl Groups {
    fn of(hir: &regex_syntax::hir::Hir) -> Self {
        let mut groups = Self::default();
        groups.walk(hir, true);
        groups
    }

    fn walk(&mut self, hir: &regex_syntax::hir::Hir, certain: bool) {
        use regex_syntax::hir::HirKind;
        match hir.kind() {
            HirKind::Capture(capture) => {
                if let Some(name) = &capture.name {
                    let list = if certain {
                        &mut self.certain
                    } else {
                        &mut self.possible
                    };
                    list.push(name.to_string());
                }
                self.walk(&capture.sub, certain);
            }
            HirKind::Repetition(repetition) => {
                self.walk(&repetition.sub, certain && repetition.min > 0);
            }
            HirKind::Concat(parts) => parts.iter().for_each(|p| self.walk(p, certain)),
            HirKind::Alternation(parts) => parts.iter().for_each(|p| self.walk(p, false)),
            HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => {}
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
        let (any, _) = patterns.add(r"\d+ of \d+").unwrap();
        let (heap, _) = patterns.add("(?i)java heap").unwrap();
        let can = patterns.candidates("x: No space left on device");
        assert!(can[disk] && can[any] && !can[heap]);
        assert!(patterns.candidates("JAVA HEAP space")[heap]);
    }

    #[test]
    fn groups_that_every_match_sets_are_told_from_others() {
        let (_, groups) = Patterns::default()
            .add("(?<a>x)(?:(?<b>y)|z)(?<c>w)?")
            .unwrap();
        assert_eq!(groups.certain, ["a"]);
        assert_eq!(groups.possible, ["b", "c"]);
    }
}
