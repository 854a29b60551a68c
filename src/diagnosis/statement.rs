//! In: a line of Python as a traceback prints it. Out: whether it is a whole statement, so that it can stand in a snippet.
//!
//! A traceback prints one line of a statement that may span several, so a line is taken for whole only where its
//! brackets and quotes close and nothing about it says that more belongs to it.

/// Words that begin a line which cannot stand by itself, or whose meaning changes inside of a `try`.
const NOT_ALONE: &[&str] = &[
    "if", "elif", "else", "for", "while", "try", "except", "finally", "with", "def", "class",
    "async", "match", "case", "lambda", "and", "or", "in", "is", "not", "yield", "break",
    "continue", "pass", "raise", "global", "nonlocal", "import", "from", "del", "await", "assert",
    "@",
];

/// The line without its indent and comment where it is a whole simple statement; `None` elsewhere.
pub(super) fn whole(line: &str) -> Option<&str> {
    let line = line.trim();
    let end = closed(line)?;
    let line = line[..end].trim_end();
    let first = line
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
        .unwrap_or_default();
    let begins = line.chars().next()?;
    if NOT_ALONE.contains(&first) || !(begins.is_alphabetic() || "_[({\"'".contains(begins)) {
        return None;
    }
    // What ends in one of these goes on in the next line; a keyword argument alone is part of a call.
    if line.ends_with([
        ',', '\\', ':', '=', '+', '-', '*', '/', '%', '|', '&', '<', '>', '.', '@', '~', '^', ';',
    ]) || ["and", "or", "not", "in", "is", "if", "else", "lambda"]
        .iter()
        .any(|word| {
            line.strip_suffix(word)
                .is_some_and(|rest| rest.ends_with(' '))
        })
        || is_keyword_argument(line)
    {
        return None;
    }
    Some(line)
}

/// `name=value` without blanks around the sign, as arguments are written and assignments mostly are not.
fn is_keyword_argument(line: &str) -> bool {
    line.split_once('=').is_some_and(|(name, value)| {
        !name.is_empty()
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
            && !value.starts_with([' ', '='])
    })
}

/// Where the code of a line ends, before a comment; `None` where a bracket or a quote stays open.
fn closed(line: &str) -> Option<usize> {
    let mut open = Vec::new();
    let mut quote: Option<char> = None;
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        if let Some(sign) = quote {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if c == sign => quote = None,
                _ => {}
            }
            continue;
        }
        match c {
            '"' | '\'' => {
                // The three signs of a long string close and open again here, which is right only where it ends in the line.
                if line[at..].starts_with(&c.to_string().repeat(3)) {
                    return None;
                }
                quote = Some(c);
            }
            '#' if open.is_empty() => return Some(at),
            '#' => return None,
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ')' | ']' | '}' if open.pop() != Some(c) => return None,
            _ => {}
        }
    }
    (open.is_empty() && quote.is_none()).then_some(line.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_statements_are_told_from_parts() {
        for line in [
            "return int(text.strip())",
            "result = orders.groupBy(\"custmer_id\").count()",
            "main()",
            "return REGIONS[code]",
            "total = a / b",
            "df.select('a').write.parquet(path)",
            "rate, unit = split(text)",
        ] {
            assert_eq!(whole(&format!("    {line}")), Some(line));
        }
        assert_eq!(whole("x = f(1)  # as always"), Some("x = f(1)"));
        for line in [
            ".groupBy(\"custmer_id\")",
            "df.join(",
            "report = spark.sql(\"\"\"",
            "if int(text) > 3:",
            "yield int(row)",
            "F.col(\"a\"),",
            "on=\"id\")",
            "mode=\"append\"",
            "lambda r: int(r)",
            "x = a +",
            "x = 'it",
            "return a or",
            "raise ValueError(x)",
            "",
            "^^^^",
        ] {
            assert_eq!(whole(line), None, "{line}");
        }
    }
}
