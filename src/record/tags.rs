//! In: a line of a web page's source. Out: the lines of text in it: without tags, and cut at its line breaks.

use super::pattern::compile;
use regex::Regex;
use std::sync::LazyLock;

/// Lines of a sample that are looked at.
const MOST_LINES: usize = 600;

/// The tags that editors and web pages put around the lines of a text. A log's own brackets are entities in a page.
static TAG: LazyLock<Regex> = LazyLock::new(|| {
    compile(r#"(?i)</?(?:p|div|span|pre|code|font|b|i|li|ul|ol|tr|td|tbody|table|html|body)(?:\s+[\w-]+="[^"<>]*")*\s*>"#)
        .expect("a valid pattern")
});

/// Where a line of the text ends within one of the page.
static BREAK: LazyLock<Regex> =
    LazyLock::new(|| compile(r"(?i)<br\s*/?>").expect("a valid pattern"));

/// Whether the lines are those of a page: some of them `speak` once their tags are off, and hardly any does before.
pub(super) fn are_in<'l>(
    lines: impl IntoIterator<Item = &'l str>,
    speaks: impl Fn(&str) -> bool,
) -> bool {
    let (mut plain, mut tagged, mut bare) = (0, 0, 0);
    for line in lines.into_iter().take(MOST_LINES) {
        if !line.contains('<') {
            plain += usize::from(speaks(line));
            bare += 1;
        } else if !speaks(line) {
            tagged += lines_of(line).iter().filter(|text| speaks(text)).count();
        } else if BREAK.is_match(line) {
            tagged += 1;
        } else {
            plain += 1;
        }
    }
    // One is enough where nothing is without tags.
    (tagged >= 2 || bare == 0) && tagged > plain * 4
}

/// The lines of text in a line of a page, at least one.
pub(super) fn lines_of(line: &str) -> Vec<String> {
    let texts = BREAK.split(line);
    texts
        .map(|text| TAG.replace_all(text, "").into_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn are(lines: &[&str]) -> bool {
        are_in(lines.iter().copied(), |text| text.starts_with("INFO "))
    }

    #[test]
    fn a_page_is_told_by_what_is_behind_its_tags() {
        assert!(are(&["<p>INFO a</p>", "<p>\tat x</p>", "<p>INFO b</p>"]));
        assert!(are(&["<div class=\"log\">INFO a<br>x<br/>INFO b</div>"]));
        assert!(!are(&[
            "INFO a",
            "INFO b <p>c</p>",
            "<b>INFO d</b>",
            "<b>INFO e</b>"
        ]));
        assert!(!are(&["<p>one</p>", "<p>two</p>"]));
    }

    #[test]
    fn tags_are_taken_off_and_names_in_brackets_are_not() {
        assert_eq!(
            lines_of(
                "<td><span class=\"a\">at a.B.&lt;init&gt;</span><br />File <stdin>, line 1</td>"
            ),
            ["at a.B.&lt;init&gt;", "File <stdin>, line 1"]
        );
    }
}
