//! In: any text from a log, a file name, a rule. Out: the same text, safe for a terminal, a clipboard
//! and a report: no control character, no direction override, nothing hidden without a sign, and no secret.

use super::masking::held;
use super::secrets::{MARK, mask};
use std::borrow::Cow;

/// Makes a block of text safe; line ends and tabs stay.
pub fn sanitise(text: &str) -> Cow<'_, str> {
    masked(clean(text, |c| c == '\n' || c == '\t'))
}

/// Makes one line safe; tabs stay, line ends become visible.
pub fn sanitise_line(text: &str) -> Cow<'_, str> {
    masked(visible_line(text))
}

/// As [`sanitise_line`], but with its secrets: for text that is kept and sanitised when it is told.
pub fn visible_line(text: &str) -> Cow<'_, str> {
    clean(text, |c| c == '\t')
}

/// The text as it is, but for its secrets: for whoever asked for what really stands there, and shows it to no terminal. `None`
/// where it holds a secret that is known only once what is hidden in it was made visible.
pub fn raw(text: &str) -> Option<Cow<'_, str>> {
    let marks = |text: &str| text.matches(MARK).count();
    let raw = mask(text, held());
    (marks(&raw) >= marks(&sanitise(text))).then_some(raw)
}

/// Masked behind the cleaning, so that no hidden character keeps a secret from being known.
fn masked(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => mask(text, held()),
        Cow::Owned(text) => Cow::Owned(mask(&text, held()).into_owned()),
    }
}

fn clean(text: &str, keep: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.bytes().all(|b| (0x20..0x7f).contains(&b))
        || !text.chars().any(|c| is_unsafe(c) && !keep(c))
    {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if keep(c) || !is_unsafe(c) => safe.push(c),
            // The Unicode pictures of the ASCII controls, so that what was there can be seen.
            '\0'..='\x1f' => safe.push(char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}')),
            '\x7f' => safe.push('\u{2421}'),
            c => {
                use std::fmt::Write as _;
                let _ = write!(safe, "<U+{:04X}>", c as u32);
            }
        }
    }
    Cow::Owned(safe)
}

/// Controls (C0, DEL, C1), direction marks and overrides, invisible separators, the byte order mark
/// and characters outside of text.
fn is_unsafe(c: char) -> bool {
    matches!(c,
        '\0'..='\x1f' | '\x7f'..='\u{9f}'
        | '\u{ad}' | '\u{61c}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_become_visible() {
        assert_eq!(sanitise_line("\x1b]52;c;AAAA\x07"), "␛]52;c;AAAA␇");
        assert_eq!(
            sanitise_line("a\u{202e}b\u{9b}31m"),
            "a<U+202E>b<U+009B>31m"
        );
    }

    #[test]
    fn raw_text_stays_as_it_is_but_for_its_secrets() {
        assert_eq!(raw("a\x1b[2Jb").as_deref(), Some("a\x1b[2Jb"));
        let told = raw("\x1b[1mpassword=hunter22 x").expect("a known secret");
        assert!(told.starts_with("\x1b[1m") && !told.contains("hunter22"));
        // Here the name of the secret only stands whole once the hidden character between is seen.
        let hidden = "https://u:\u{1}hunter22@h/";
        assert!(raw(hidden).is_none_or(|text| !text.contains("hunter22")));
    }

    #[test]
    fn ordinary_text_is_not_copied() {
        assert!(matches!(sanitise("naïve\n\tat x"), Cow::Borrowed(_)));
    }
}
