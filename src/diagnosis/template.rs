//! In: a text with `{name}` and `{name|fallback}` in it. Out: the text with an incident's values filled in.
//!
//! A name without a value and without a fallback is an error when the rule is read, not a hole when
//! it is shown. `{{` and `}}` stand for the braces themselves.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// Values that are whole pieces of Python, made or looked at here.
const CODE: &[&str] = &[
    // Told in a comment.
    "code",
    "statement",
    "udf_statement",
    "value_literal",
    "reader_options",
    "udf_columns",
];

/// Values by name, as they are filled into templates.
pub(crate) type Values = BTreeMap<String, String>;

/// Where a text is shown: decides which characters a value may bring along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Setting {
    /// A sentence.
    Prose,
    /// Code in Python, SQL, Scala or a configuration file; values stand inside quotes.
    Quoted,
    /// A shell command; values may not need any quoting.
    Shell,
    /// A regular expression that finds the value as it stands.
    Pattern,
    /// What takes the place of a match: `$1` is a group, a value stands as it is.
    Replacement,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Value {
        name: String,
        fallback: Option<String>,
    },
}

/// A parsed template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template {
    pieces: Vec<Piece>,
    setting: Setting,
}

impl Template {
    /// Parses `text`; the error says what is wrong with it.
    pub(crate) fn parse(text: &str, setting: Setting) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            plain.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix(brace) {
                plain.push_str(brace);
                rest = after;
                continue;
            }
            if brace == "}" {
                return Err("a lone `}`; write `}}` for the sign itself".to_owned());
            }
            let end = rest
                .find('}')
                .ok_or("a `{` without its `}`; write `{{` for the sign itself")?;
            let (name, fallback) = match rest[..end].split_once('|') {
                Some((name, fallback)) => (name, Some(fallback.to_owned())),
                None => (&rest[..end], None),
            };
            if name.is_empty() || !name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_') {
                return Err(format!("`{{{name}}}` is no name of a value"));
            }
            if !plain.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut plain)));
            }
            pieces.push(Piece::Value {
                name: name.to_owned(),
                fallback,
            });
            rest = &rest[end + 1..];
        }
        plain.push_str(rest);
        if !plain.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Ok(Self { pieces, setting })
    }

    /// The names it asks for, each with whether it has a fallback.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&str, bool)> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Text(_) => None,
            Piece::Value { name, fallback } => Some((name.as_str(), fallback.is_some())),
        })
    }

    /// Fills in the values. A value that would break out of the code around it gives way to the
    /// fallback, or to its own name in angle brackets.
    pub(crate) fn fill(&self, values: &Values) -> String {
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Value { name, fallback } => {
                    let value = values
                        .get(name)
                        .filter(|v| self.setting.accepts(v) || self.setting.takes_code(name));
                    if let Some(value) = value {
                        out.push_str(&self.setting.written(value));
                    } else if let Some(fallback) = fallback {
                        out.push_str(fallback);
                    } else {
                        out.push('<');
                        out.push_str(&name.replace('_', " "));
                        out.push('>');
                    }
                }
            }
        }
        out
    }
}

/// Templates for the same text, the one that says most first; the last has no needs.
#[derive(Debug)]
pub(crate) struct Choice(pub(crate) Vec<Template>);

impl Choice {
    /// Fills in the first template whose values are all known.
    pub(crate) fn fill(&self, values: &Values) -> String {
        let fits = |t: &&Template| {
            t.names()
                .all(|(name, has_fallback)| has_fallback || values.contains_key(name))
        };
        self.0
            .iter()
            .find(fits)
            .or(self.0.last())
            .map(|t| t.fill(values))
            .unwrap_or_default()
    }
}

impl Setting {
    /// Whether a value from a log may stand in such a text as it is.
    fn accepts(self, value: &str) -> bool {
        match self {
            Self::Prose | Self::Pattern => true,
            Self::Quoted | Self::Replacement => !value
                .chars()
                .any(|c| matches!(c, '"' | '\'' | '`' | '\\' | '\n') || c.is_control()),
            Self::Shell => value
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"_./:@%+=,-".contains(&b)),
        }
    }

    /// Whether that value is code itself: it was looked at before it became a value, and stands outside of quotes.
    fn takes_code(self, name: &str) -> bool {
        self == Self::Quoted && CODE.contains(&name)
    }

    fn written(self, value: &str) -> Cow<'_, str> {
        match self {
            Self::Pattern => Cow::Owned(regex::escape(value)),
            Self::Replacement => Cow::Owned(value.replace('$', "$$")),
            Self::Prose | Self::Quoted | Self::Shell => Cow::Borrowed(value),
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn filled(text: &str, setting: Setting) -> String {
        let values: Values = [("column", "cust id"), ("path", "/a;rm -rf /")]
            .map(|(k, v)| (k.to_owned(), v.to_owned()))
            .into();
        Template::parse(text, setting).unwrap().fill(&values)
    }

    #[test]
    fn values_and_fallbacks_are_filled_in() {
        assert_eq!(
            filled(
                "use {column}, not {other|the other one}: {{x}}",
                Setting::Prose
            ),
            "use cust id, not the other one: {x}"
        );
    }

    #[test]
    fn a_value_cannot_break_out_of_code() {
        assert_eq!(
            filled("ls \"{path|<path>}\"", Setting::Shell),
            "ls \"<path>\""
        );
        assert_eq!(filled("ls {path}", Setting::Shell), "ls <path>");
        assert_eq!(filled("col('{column}')", Setting::Quoted), "col('cust id')");
    }

    #[test]
    fn malformed_templates_are_refused() {
        for bad in ["{", "a } b", "{Name}", "{a b}", "{}"] {
            assert!(Template::parse(bad, Setting::Prose).is_err(), "{bad}");
        }
    }
}
