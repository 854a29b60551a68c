//! In: the source of a regular expression. Out: its [`Shape`]: what every match must contain, and its named groups.
//!
//! One walk over the source tells both, at a hundredth of what parsing the pattern costs: the program starts with
//! hundreds of patterns of which a log needs a handful. A test holds it against the real parser.

use std::iter::Peekable;
use std::str::Chars;

/// More alternatives are as good as none.
const MOST_LITERALS: usize = 64;
/// Shorter literals are in nearly every text.
const SHORTEST_LITERAL: usize = 3;
/// Of longer ones the end is enough to tell.
const LONGEST_LITERAL: usize = 12;

/// What can be seen of a pattern without parsing it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Texts one of which stands in every match, in ASCII and whatever their case; empty where there are no such.
    pub(crate) literals: Vec<String>,
    /// The named groups.
    pub(crate) groups: Groups,
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
    fn demote(&mut self) {
        self.possible.append(&mut self.certain);
    }

    fn extend(&mut self, other: Self) {
        self.certain.extend(other.certain);
        self.possible.extend(other.possible);
    }
}

impl Shape {
    /// The shape of a pattern that the parser takes; of another one, anything.
    pub(crate) fn of(source: &str) -> Self {
        Walk(source.chars().peekable()).alternatives()
    }
}

/// What stands in a pattern between two quantifiers.
enum Atom {
    Literal(char),
    Group(Shape),
    /// A class, an anchor, a flag: nothing that is known.
    Other,
}

struct Walk<'s>(Peekable<Chars<'s>>);

impl Walk<'_> {
    /// Up to the end of the group or of the pattern.
    fn alternatives(&mut self) -> Shape {
        let mut branches = vec![Branch::default()];
        while let Some(character) = self.0.next() {
            let atom = match character {
                ')' => break,
                '|' => {
                    branches.push(Branch::default());
                    continue;
                }
                '(' => self.group(),
                '[' => {
                    self.class();
                    Atom::Other
                }
                '\\' => self.escaped(),
                '.' | '^' | '$' => Atom::Other,
                other if other.is_ascii() => Atom::Literal(other),
                _ => Atom::Other,
            };
            let quantifier = self.quantifier();
            if let Some(branch) = branches.last_mut() {
                branch.add(atom, quantifier);
            }
        }
        let mut whole = Shape::default();
        let several = branches.len() > 1;
        let mut known = true;
        for mut branch in branches {
            branch.end_run();
            known &= !branch.best.is_empty();
            whole.literals.append(&mut branch.best);
            if several {
                branch.groups.demote();
            }
            whole.groups.extend(branch.groups);
        }
        if !known || whole.literals.len() > MOST_LITERALS {
            whole.literals.clear();
        }
        whole
    }

    /// Behind `(`.
    fn group(&mut self) -> Atom {
        let mut name = None;
        if self.0.next_if_eq(&'?').is_some() {
            let mut head = String::new();
            while let Some(character) = self.0.next() {
                match character {
                    ':' => break,
                    // Flags alone hold for what follows and match nothing.
                    ')' => return Atom::Other,
                    '<' => {
                        name = Some(self.until('>'));
                        break;
                    }
                    other => head.push(other),
                }
            }
        }
        let mut inner = self.alternatives();
        inner.groups.certain.splice(0..0, name);
        Atom::Group(inner)
    }

    /// Behind `[`, past its `]`.
    fn class(&mut self) {
        let _ = self.0.next_if_eq(&'^');
        // The first one stands for itself.
        let _ = self.0.next_if_eq(&']');
        while let Some(character) = self.0.next() {
            match character {
                ']' => return,
                '[' => self.class(),
                '\\' => {
                    self.0.next();
                }
                _ => {}
            }
        }
    }

    /// Behind `\`.
    fn escaped(&mut self) -> Atom {
        match self.0.next() {
            Some('x' | 'u' | 'U' | 'p' | 'P' | 'b') if self.0.next_if_eq(&'{').is_some() => {
                self.until('}');
            }
            Some('x') => {
                self.0.nth(1);
            }
            Some('u') => {
                self.0.nth(3);
            }
            Some('U') => {
                self.0.nth(7);
            }
            Some('p' | 'P') => {
                self.0.next();
            }
            Some(other) if other.is_ascii_punctuation() || other == ' ' => {
                return Atom::Literal(other);
            }
            _ => {}
        }
        Atom::Other
    }

    fn until(&mut self, end: char) -> String {
        self.0.by_ref().take_while(|&c| c != end).collect()
    }

    fn quantifier(&mut self) -> Quantifier {
        let quantifier = match self.0.peek() {
            Some('*' | '?') => Quantifier::Optional,
            Some('+') => Quantifier::Repeated,
            Some('{') => {
                self.0.next();
                let counts = self.until('}');
                let _ = self.0.next_if_eq(&'?');
                return if counts.starts_with('0') {
                    Quantifier::Optional
                } else {
                    Quantifier::Repeated
                };
            }
            _ => return Quantifier::Once,
        };
        self.0.next();
        let _ = self.0.next_if_eq(&'?');
        quantifier
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Quantifier {
    Once,
    /// At least once.
    Repeated,
    Optional,
}

/// One alternative, while it is walked over.
#[derive(Default)]
struct Branch {
    /// The literal that ends here.
    run: String,
    /// The best literals so far.
    best: Vec<String>,
    groups: Groups,
}

impl Branch {
    fn add(&mut self, atom: Atom, quantifier: Quantifier) {
        match atom {
            Atom::Literal(character) if quantifier == Quantifier::Once => self.run.push(character),
            Atom::Literal(character) => {
                if quantifier == Quantifier::Repeated {
                    self.run.push(character);
                }
                self.end_run();
            }
            Atom::Group(mut inner) => {
                self.end_run();
                if quantifier == Quantifier::Optional {
                    inner.groups.demote();
                } else {
                    self.offer(inner.literals);
                }
                self.groups.extend(inner.groups);
            }
            Atom::Other => self.end_run(),
        }
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        if run.len() >= SHORTEST_LITERAL {
            self.offer(vec![
                run[run.len().saturating_sub(LONGEST_LITERAL)..].to_owned(),
            ]);
        }
    }

    /// Keeps the literals that are longer; of those as long, the fewer.
    fn offer(&mut self, literals: Vec<String>) {
        let worth = |list: &[String]| {
            let shortest = list.iter().map(String::len).min().unwrap_or(0);
            (shortest, std::cmp::Reverse(list.len()))
        };
        if worth(&literals) > worth(&self.best) {
            self.best = literals;
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use proptest::strategy::{Strategy, ValueTree};
    use proptest::test_runner::TestRunner;
    use regex_syntax::hir::{Hir, HirKind};

    fn literals(source: &str) -> Vec<String> {
        Shape::of(source).literals
    }

    #[test]
    fn what_must_be_there_is_found() {
        assert_eq!(
            literals(r"No space left|Disk quota \d+"),
            ["o space left", "Disk quota "]
        );
        assert_eq!(literals(r"(?i)java (?:heap|stack) space"), [" space"]);
        assert_eq!(literals(r"^(?:abcd|efgh)x?$"), ["abcd", "efgh"]);
        assert_eq!(literals(r"abc+d\.e\("), ["d.e("]);
        assert_eq!(literals(r"[\]abc]def[^]x]"), ["def"]);
        for nothing in [
            r"\d+: \d+",
            "abc|d",
            "(?:abc)?",
            "a{0,2}bc",
            r"\x1babc?",
            ".*",
        ] {
            assert!(literals(nothing).is_empty(), "{nothing}");
        }
    }

    #[test]
    fn groups_that_every_match_sets_are_told_from_others() {
        let groups = Shape::of("(?<a>x)(?:(?<b>y)|z)(?<c>w)?").groups;
        assert_eq!(groups.certain, ["a"]);
        assert_eq!(groups.possible, ["b", "c"]);
    }

    /// The named groups as the parser knows them, sorted.
    fn parsed_groups(hir: &Hir, certain: bool, out: &mut Groups) {
        match hir.kind() {
            HirKind::Capture(capture) => {
                if let Some(name) = &capture.name {
                    let list = if certain {
                        &mut out.certain
                    } else {
                        &mut out.possible
                    };
                    list.push(name.to_string());
                }
                parsed_groups(&capture.sub, certain, out);
            }
            HirKind::Repetition(r) => parsed_groups(&r.sub, certain && r.min > 0, out),
            HirKind::Concat(parts) => parts.iter().for_each(|p| parsed_groups(p, certain, out)),
            HirKind::Alternation(parts) => parts.iter().for_each(|p| parsed_groups(p, false, out)),
            HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => {}
        }
    }

    fn without_anchors(hir: &Hir) -> Hir {
        match hir.kind().clone() {
            HirKind::Look(_) => Hir::empty(),
            HirKind::Capture(capture) => without_anchors(&capture.sub),
            HirKind::Repetition(mut repetition) => {
                repetition.sub = Box::new(without_anchors(&repetition.sub));
                Hir::repetition(repetition)
            }
            HirKind::Concat(parts) => Hir::concat(parts.iter().map(without_anchors).collect()),
            HirKind::Alternation(parts) => {
                Hir::alternation(parts.iter().map(without_anchors).collect())
            }
            _ => hir.clone(),
        }
    }

    #[test]
    fn the_parser_agrees_on_every_built_in_pattern() {
        let mut runner = TestRunner::deterministic();
        for source in crate::diagnosis::Rulebook::built_in().patterns() {
            let hir = regex_syntax::parse(source).unwrap();
            let mut parsed = Groups::default();
            parsed_groups(&hir, true, &mut parsed);
            let Shape {
                literals,
                mut groups,
            } = Shape::of(source);
            for list in [
                &mut parsed.certain,
                &mut parsed.possible,
                &mut groups.certain,
                &mut groups.possible,
            ] {
                list.sort();
            }
            assert_eq!(groups, parsed, "{source}");
            let matching = proptest::string::string_regex_parsed(&without_anchors(&hir)).unwrap();
            for _ in 0..20 {
                let text = matching.new_tree(&mut runner).unwrap().current();
                // Beside the two of ASCII's letters that have a third form beyond it.
                let text = text
                    .replace('ſ', "s")
                    .replace('\u{212a}', "k")
                    .to_ascii_lowercase();
                assert!(
                    literals.is_empty()
                        || literals
                            .iter()
                            .any(|l| text.contains(&l.to_ascii_lowercase())),
                    "{source}: {text:?} has none of {literals:?}"
                );
            }
        }
    }
}
