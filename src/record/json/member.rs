//! In: a line that is one member of an object that was printed over several lines: `"message": "…",`. Out: its name
//! and its text.

/// A member that is text, on a line of its own.
#[derive(Debug, PartialEq)]
pub(in crate::record) struct Member<'l> {
    pub(super) name: &'l str,
    pub(super) text: String,
}

impl<'l> Member<'l> {
    /// `None` where the line is anything else.
    pub(in crate::record) fn of(line: &'l str) -> Option<Self> {
        let (name, value) = line.trim().strip_prefix('"')?.split_once('"')?;
        let value = value.trim_start().strip_prefix(':')?;
        let value = value.trim().trim_end_matches([',', '}', ']', ' ']);
        // A brace within the text is none that closes the object.
        let value = if value.len() > 1 && value.ends_with('"') {
            value
        } else {
            return None;
        };
        let text = serde_json::from_str(value).ok()?;
        Some(Self { name, text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_is_told_from_other_lines() {
        let of = |line| Member::of(line).map(|member| (member.name, member.text));
        let found = |name, text: &str| Some((name, text.to_owned()));
        assert_eq!(of(r#"    "line": "a\tb \"c\"","#), found("line", "a\tb \"c\""));
        assert_eq!(of(r#"  "log" : "{}" }"#), found("log", "{}"));
        assert_eq!(of(r#"  "log": "", "x": "y""#), None);
        assert_eq!(of(r#"  "at": 17,"#), None);
        assert_eq!(of(r#""24/01/02 INFO a: b""#), None);
        assert_eq!(of("{"), None);
    }
}
