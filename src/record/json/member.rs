//! In: a line that is one member of an object that was printed over several lines, `"message": "…",`, or one element of
//! such a list. Out: its name and its text.

use crate::record::quoted;

/// A member that is text, on a line of its own.
#[derive(Debug, PartialEq)]
pub(in crate::record) struct Member {
    /// Empty where it is an element of a list.
    pub(super) name: String,
    pub(super) text: String,
}

impl Member {
    /// `None` where the line is anything else.
    pub(in crate::record) fn of(line: &str) -> Option<Self> {
        let line = line.trim();
        let opened = line.trim_start_matches(['[', '(', '{']);
        if !opened.starts_with(['"', '\'', 'b', 'u']) {
            return None;
        }
        let (first, behind) = quoted::leading(opened)?;
        let behind = behind.trim_start();
        if let Some(value) = behind.strip_prefix(':') {
            let (text, behind) = quoted::leading(value.trim_start())?;
            return ends(behind).then_some(Self { name: first, text });
        }
        // What only quotes something goes on behind it, or stands alone.
        let listed = !behind.is_empty() || opened.len() < line.len();
        (listed && ends(behind)).then(|| Self::element(first))
    }

    /// The last element of a list, which stands on its line alone: the line shows no more than a quoted text.
    pub(in crate::record) fn last_of_list(line: &str) -> Option<Self> {
        let (text, behind) = quoted::leading(line.trim())?;
        behind.is_empty().then(|| Self::element(text))
    }

    fn element(text: String) -> Self {
        Self {
            name: String::new(),
            text,
        }
    }

    /// Whether it is an element of a list.
    pub(super) fn is_element(&self) -> bool {
        self.name.is_empty()
    }
}

/// Whether this only closes what the member is in, or says that another follows.
fn ends(behind: &str) -> bool {
    behind
        .bytes()
        .all(|b| matches!(b, b',' | b'}' | b']' | b')' | b' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_is_told_from_other_lines() {
        let of = |line| Member::of(line).map(|member| (member.name, member.text));
        let found = |name: &str, text: &str| Some((name.to_owned(), text.to_owned()));
        assert_eq!(
            of(r#"    "line": "a\tb \"c\"","#),
            found("line", "a\tb \"c\"")
        );
        assert_eq!(of(r#"  "log" : "{}" }"#), found("log", "{}"));
        assert_eq!(of(r#"  "log": "", "x": "y""#), None);
        assert_eq!(of(r#"  "at": 17,"#), None);
        assert_eq!(of(r#""24/01/02 INFO a: b""#), None);
        assert_eq!(of("{"), None);
        assert_eq!(of(r#"  "a \u00e9","#), found("", "a é"));
        assert_eq!(of(r#"  "a": "\ud83d\udea8","#), found("a", "🚨"));
        assert_eq!(of(r"[b'\tat x\n',"), found("", "\tat x\n"));
        let last = |line| Member::last_of_list(line).map(|member| member.text);
        assert_eq!(last(r#"   "a\tb""#), Some("a\tb".to_owned()));
        assert_eq!(last(r#""a" or b"#), None);
    }
}
