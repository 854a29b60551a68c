//! In: a text. Out: the string literals in it, of JSON or as Python prints them, with their escapes resolved.

/// The string literal around `at`: what stands before its quote, in it, and after it. All of `text` where
/// there is none.
pub(super) fn around(text: &str, at: usize) -> (&str, &str, &str) {
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(open) = (from..at).find(|&i| opens(bytes, i)) {
        let close = close_of(bytes, open);
        if close > at {
            let close = close.min(bytes.len());
            let before = text[..open].strip_suffix(['b', 'u', 'r']);
            let before = before.filter(|b| !b.ends_with(|c: char| c.is_alphanumeric()));
            let after = text.get(close + 1..).unwrap_or_default();
            return (
                before.unwrap_or(&text[..open]),
                &text[open + 1..close],
                after,
            );
        }
        from = close + 1;
    }
    ("", text, "")
}

/// Whether a string literal may begin at `at`: with a quote that no word and no backslash precedes.
fn opens(bytes: &[u8], at: usize) -> bool {
    let before = match at.checked_sub(1).map(|i| bytes[i]) {
        Some(b'b' | b'u' | b'r') => at.checked_sub(2).map(|i| bytes[i]),
        before => before,
    };
    matches!(bytes[at], b'"' | b'\'')
        && !before.is_some_and(|b| b.is_ascii_alphanumeric() || b == b'\\' || b == b')')
}

/// Where the literal ends that is opened at `open`: behind the end of `bytes` where it does not.
fn close_of(bytes: &[u8], open: usize) -> usize {
    let mut close = open + 1;
    while close < bytes.len() && bytes[close] != bytes[open] {
        close += if bytes[close] == b'\\' { 2 } else { 1 };
    }
    close
}

/// The literal that `text` begins with: what is in it, as written, and what stands behind it.
fn first(text: &str) -> Option<(&str, &str)> {
    let bare = text.strip_prefix(['b', 'u', 'r']).unwrap_or(text);
    if !bare.starts_with(['"', '\'']) {
        return None;
    }
    let close = close_of(bare.as_bytes(), 0);
    Some((bare.get(1..close)?, bare.get(close + 1..)?))
}

/// The text of the literal that `text` begins with, and what stands behind it. JSON writes a rare character as two escapes.
pub(super) fn leading(text: &str) -> Option<(String, &str)> {
    let (inner, behind) = first(text)?;
    let whole = &text[..text.len() - behind.len()];
    let text = serde_json::from_str(whole).unwrap_or_else(|_| plain(inner));
    Some((text, behind))
}

/// The text of the bytes that `text` is, as Python prints them: `b'…'`.
pub(super) fn bytes_of(text: &str) -> Option<String> {
    let (inner, behind) = first(text.strip_prefix('b').map(|_| text)?)?;
    behind.trim_start().is_empty().then(|| plain(inner))
}

/// Whether `text` is such bytes, or ends with them behind a blank.
pub(super) fn has_bytes(text: &str) -> bool {
    let mut begins = text.match_indices([' ', '\t']).map(|(at, _)| at + 1);
    bytes_of(text).is_some()
        || begins.any(|at| text[at..].starts_with('b') && bytes_of(&text[at..]).is_some())
}

/// The texts of the list, or tuple, that `text` is, or ends with behind a name: at least three.
pub(super) fn list_of(text: &str) -> Option<(&str, Vec<String>)> {
    /// A list that begins further behind stands within something.
    const NEAR: usize = 200;
    // Behind a name, a bracket calls something or looks something up.
    let is_called = |at: usize| text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let mut opened = text.char_indices().take(NEAR).filter(|&(at, c)| {
        let begins = || {
            text[at + 1..]
                .trim_start_matches(['b', 'u', 'r'])
                .starts_with(['"', '\''])
        };
        matches!(c, '[' | '(') && begins() && !is_called(at)
    });
    let (at, _) = opened.next()?;
    let texts = elements(&text[at + 1..])?;
    (texts.len() >= 3).then_some((&text[..at], texts))
}

/// The literals up to the end of their list; `None` where anything else is in it, or much behind it.
fn elements(text: &str) -> Option<Vec<String>> {
    /// Brackets that close what the list is in, and what a person put behind it.
    const BEHIND: usize = 80;
    let mut texts = Vec::new();
    let mut rest = text;
    loop {
        let (inner, behind) = first(rest.trim_start())?;
        texts.push(plain(inner));
        let behind = behind.trim_start();
        if behind.starts_with([']', ')']) {
            return (behind.len() <= BEHIND).then_some(texts);
        }
        rest = behind.strip_prefix(',')?;
    }
}

/// Resolves one level of backslashes.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        let mut after = rest[at + 1..].chars();
        match after.next() {
            Some('n') => plain.push('\n'),
            Some('t') => plain.push('\t'),
            Some('r') => plain.push('\r'),
            Some(c @ ('"' | '\'' | '\\' | '/')) => plain.push(c),
            Some('u') => {
                let code = after.as_str().get(..4);
                let code = code.and_then(|hex| u32::from_str_radix(hex, 16).ok());
                if let Some(c) = code.and_then(char::from_u32) {
                    plain.push(c);
                    after = after.as_str()[4..].chars();
                } else {
                    plain.push_str("\\u");
                }
            }
            Some(other) => {
                plain.push('\\');
                plain.push(other);
            }
            None => plain.push('\\'),
        }
        rest = after.as_str();
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_told_by_their_literal() {
        let of = |text| bytes_of(text);
        assert_eq!(
            of(r"b'\tat a.B.c(B.java:1)\n'"),
            Some("\tat a.B.c(B.java:1)\n".into())
        );
        assert_eq!(of(r#"b"it's""#), Some("it's".into()));
        assert!(has_bytes(r"INFO - b'\ta'") && !has_bytes("it's b'a' and more"));
        for text in ["b'a' and b'b'", "'a'", "b", "b'a", "bc'd'", ""] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn lists_are_told_by_their_literals() {
        let of = |text| list_of(text).map(|(before, texts)| (before.to_owned(), texts.join("|")));
        let found = |before: &str, texts: &str| Some((before.to_owned(), texts.to_owned()));
        assert_eq!(of(r#"['a', "it's", 'c\'d']"#), found("", "a|it's|c'd"));
        assert_eq!(of("lines: (b'a',b'b' , b'c')."), found("lines: ", "a|b|c"));
        assert_eq!(
            of(r#"{"id":0,"log":["x","y","z"]}"#),
            found(r#"{"id":0,"log":"#, "x|y|z")
        );
        for text in [
            "['a', 'b']",
            "[1, 'b', 'c']",
            "['a', 'b', 'c'",
            "['a' 'b' 'c']",
            "[]",
            "f('a', x['b', 'c', 'd'])",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
