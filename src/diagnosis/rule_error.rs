//! In: what is wrong with a rules file, and its text. Out: a [`RuleError`] that names file, line, column, rule and field.

/// Why a rule cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}{}: rule `{rule}`: {field}: {problem}", self.spot())]
pub struct RuleError {
    /// The rules file.
    pub file: String,
    /// The 1-based line and column at fault; `None` where it is the file as a whole.
    pub at: Option<(usize, usize)>,
    /// The rule's id, or `?` where it has none.
    pub rule: String,
    /// The field at fault, or the part of the file.
    pub field: String,
    /// What is wrong and what would be right.
    pub problem: String,
}

impl RuleError {
    /// `:12:8`
    fn spot(&self) -> String {
        self.at
            .map(|(line, column)| format!(":{line}:{column}"))
            .unwrap_or_default()
    }
}

/// Line and column of a byte of a text, both from 1.
pub(super) fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    )
}

/// The part of a rules file that holds the rule at `byte`, and where it begins.
pub(super) fn rule_around(text: &str, byte: usize) -> (usize, &str) {
    let head = "[[rule]]";
    let end_of_head = text.len().min(byte + head.len());
    let upto = text.get(..end_of_head).unwrap_or(text);
    let start = upto.rfind(head).unwrap_or(0);
    let rest = &text[start..];
    let end = rest
        .get(head.len()..)
        .and_then(|rest| rest.find(head))
        .map_or(rest.len(), |at| at + head.len());
    (start, &rest[..end])
}

/// Where a field stands in a rule's text: `when.message` is the first `message =` behind `when =`; where the problem
/// quotes a part of the text, that part.
pub(super) fn find_field(rule: &str, field: &str, problem: &str) -> Option<usize> {
    let quoted = problem
        .split('`')
        .skip(1)
        .step_by(2)
        .find_map(|part| rule.find(part));
    let mut at = 0;
    let mut found = None;
    for name in field.split('.') {
        let next = key(&rule[at..], name)?;
        at += next;
        found = Some(at);
    }
    // A part that is quoted stands behind its field, or the quote is of something else.
    quoted
        .filter(|at| found.is_none_or(|field| *at >= field))
        .or(found)
}

/// Where `name =` begins, as a word of its own.
fn key(text: &str, name: &str) -> Option<usize> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.match_indices(name).map(|(at, _)| at).find(|&at| {
        let rest = text[at + name.len()..].trim_start_matches([' ', '\t']);
        rest.starts_with('=') && !text[..at].ends_with(is_name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# own\n[[rule]]\nid = \"one\"\n\n[[rule]]\nid = \"two\"\nwhen = [\n  { message = 'a(' },\n]\n";

    #[test]
    fn a_field_is_found_in_its_rule() {
        let byte = TEXT.find("\"two\"").expect("it is there");
        let (start, rule) = rule_around(TEXT, byte);
        assert!(rule.starts_with("[[rule]]\nid = \"two\""));
        let at = find_field(rule, "when.message", "unclosed group").expect("it is there");
        assert_eq!(line_and_column(TEXT, start + at), (8, 5));
        assert_eq!(rule_around(TEXT, 10).1, "[[rule]]\nid = \"one\"\n\n");
    }
}
