//! In: code of a fix, SQL of a message. Out: its pieces, each with the [`Role`] that colours it.
//!
//! The syntaxes cost time to load, and a language when it is first coloured, so both are done once, on a thread of the loop,
//! when code is first shown; until then code is plain.

use super::theme::Role;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxSet};

/// Bytes of code that are coloured at most; longer code is plain.
const LONGEST: usize = 16 << 10;
/// Painted texts that are kept.
const MOST_KEPT: usize = 256;

/// Painted texts by language and text.
type Kept = HashMap<(String, String), Rc<Vec<Painted>>>;

/// One line of code in pieces.
pub(super) type Painted = Vec<(Role, String)>;

/// The syntaxes, once they are loaded.
type Syntaxes = Arc<OnceLock<SyntaxSet>>;

/// Colours code.
#[derive(Default)]
pub(super) struct Painter {
    syntaxes: Syntaxes,
    /// What was shown plain, in its language, while there were no syntaxes.
    plain: RefCell<Vec<(String, String)>>,
    /// Whether somebody loads the syntaxes.
    wished: Cell<bool>,
    painted: RefCell<Kept>,
}

/// Syntaxes that are to be loaded, and what was first shown plain for want of them.
pub(super) struct Wish {
    syntaxes: Syntaxes,
    codes: Vec<(String, String)>,
}

impl Wish {
    /// Loads the syntaxes and makes them ready for what is on the screen; takes some tens of milliseconds.
    pub(super) fn grant(self) {
        let loaded = SyntaxSet::load_defaults_newlines();
        for (lang, code) in &self.codes {
            // Each expression of a syntax is compiled where it is first of use, and kept.
            let _ = coloured(&loaded, lang, code);
        }
        // Somebody else may have been sooner.
        let _ = self.syntaxes.set(loaded);
    }
}

impl Painter {
    /// Code in lines of pieces; plain where the language is unknown or the syntaxes are not loaded yet.
    pub(super) fn paint(&self, lang: &str, code: &str) -> Rc<Vec<Painted>> {
        let Some(syntaxes) = self.syntaxes.get() else {
            if !self.wished.get() {
                let mut plain = self.plain.borrow_mut();
                plain.push((lang.to_owned(), code.to_owned()));
            }
            return Rc::new(plain(code));
        };
        let key = (lang.to_owned(), code.to_owned());
        if let Some(known) = self.painted.borrow().get(&key) {
            return known.clone();
        }
        let painted = Rc::new(coloured(syntaxes, lang, code).unwrap_or_else(|| plain(code)));
        let mut kept = self.painted.borrow_mut();
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(key, painted.clone());
        painted
    }

    /// What is to be loaded, once after code was first asked for.
    pub(super) fn take_wish(&self) -> Option<Wish> {
        let codes = self.plain.take();
        (!codes.is_empty() && self.syntaxes.get().is_none() && !self.wished.replace(true)).then(
            || Wish {
                syntaxes: self.syntaxes.clone(),
                codes,
            },
        )
    }
}

fn plain(code: &str) -> Vec<Painted> {
    code.lines()
        .map(|line| vec![(Role::Code, line.to_owned())])
        .collect()
}

fn coloured(syntaxes: &SyntaxSet, lang: &str, code: &str) -> Option<Vec<Painted>> {
    let token = match lang {
        "shell" => "sh",
        "conf" => "properties",
        other => other,
    };
    let syntax = syntaxes.find_syntax_by_token(token)?;
    if code.len() > LONGEST {
        return None;
    }
    let mut state = ParseState::new(syntax);
    let mut stack = ScopeStack::new();
    let mut lines = Vec::new();
    for line in code.lines() {
        let ended = format!("{line}\n");
        let changes = state.parse_line(&ended, syntaxes).ok()?;
        let mut pieces: Painted = Vec::new();
        let mut from = 0;
        let mut push = |until: usize, from: &mut usize, stack: &ScopeStack| {
            let until = until.min(line.len());
            if let Some(text) = line.get(*from..until).filter(|t| !t.is_empty()) {
                let role = role_of(&stack.scopes);
                match pieces.last_mut() {
                    Some((last, piece)) if *last == role => piece.push_str(text),
                    _ => pieces.push((role, text.to_owned())),
                }
                *from = until;
            }
        };
        for (at, change) in changes {
            push(at, &mut from, &stack);
            stack.apply(&change).ok()?;
        }
        push(line.len(), &mut from, &stack);
        lines.push(pieces);
    }
    Some(lines)
}

/// The innermost scope that means something to a theme.
fn role_of(scopes: &[Scope]) -> Role {
    const ROLES: [(&str, Role); 13] = [
        ("comment", Role::CodeComment),
        ("string", Role::CodeString),
        ("constant.numeric", Role::CodeNumber),
        ("constant.language", Role::CodeKeyword),
        ("constant.character", Role::CodeString),
        ("keyword.operator", Role::CodeOperator),
        ("keyword", Role::CodeKeyword),
        ("storage", Role::CodeKeyword),
        ("entity.name.function", Role::CodeFunction),
        ("support.function", Role::CodeFunction),
        ("variable.function", Role::CodeFunction),
        ("entity.name", Role::CodeType),
        ("support.type", Role::CodeType),
    ];
    for scope in scopes.iter().rev() {
        let name = scope.build_string();
        if let Some((_, role)) = ROLES.iter().find(|(prefix, _)| name.starts_with(prefix)) {
            return *role;
        }
    }
    Role::Code
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn code_is_plain_first_and_coloured_later_with_the_same_text() {
        let painter = Painter::default();
        let text = |lines: &[Painted]| {
            lines
                .iter()
                .map(|l| l.iter().map(|(_, t)| t.as_str()).collect::<String>())
                .collect::<Vec<_>>()
        };
        let code = "def f(x):\n    # why\n    return \"数\" if x == 1 else None";
        let first = painter.paint("python", code);
        assert!(first.iter().flatten().all(|(role, _)| *role == Role::Code));
        painter.take_wish().unwrap().grant();
        assert!(painter.take_wish().is_none());
        let then = painter.paint("python", code);
        assert_eq!(text(&first), text(&then));
        let has = |role, text: &str| {
            then.iter()
                .flatten()
                .any(|(r, t)| *r == role && t.contains(text))
        };
        assert!(has(Role::CodeComment, "why"));
        assert!(has(Role::CodeString, "数"));
        assert!(has(Role::CodeKeyword, "return"));
        assert!(has(Role::CodeNumber, "1"));
        let sql = painter.paint("sql", "SELECT a FROM t WHERE b = 'x'");
        assert!(
            sql[0]
                .iter()
                .any(|(r, t)| *r == Role::CodeKeyword && t.contains("SELECT"))
        );
        assert_eq!(
            text(&painter.paint("cobol", "MOVE A TO B.")),
            ["MOVE A TO B."]
        );
    }
}
