//! In: a line. Out: whether it is a heading between logs that were put one after the other: `yarn logs`, or
//! the fence of a code block.

/// A heading.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Heading<'t> {
    /// `Container: container_… on …`: the logs of a container follow.
    Container(&'t str),
    /// `LogType:stderr`: a log of it follows.
    Log(&'t str),
    /// `End of LogType:stderr`, or a fence.
    End,
}

/// Reads a heading; `None` for all other lines.
pub(super) fn heading(text: &str) -> Option<Heading<'_>> {
    let word = |rest: &'static str| text.strip_prefix(rest).map(str::trim);
    match text.as_bytes().first()? {
        b'C' => word("Container: ")
            .filter(|rest| rest.starts_with("container_"))
            .and_then(|rest| rest.split_whitespace().next())
            .map(Heading::Container),
        b'L' => word("LogType:")
            .or_else(|| word("Log Type:"))
            .filter(|name| !name.is_empty() && !name.contains(' '))
            .map(Heading::Log),
        b'E' => word("End of LogType:").map(|_| Heading::End),
        b'`' => word("```")
            .filter(|rest| rest.bytes().all(|b| b.is_ascii_alphanumeric()))
            .map(|_| Heading::End),
        _ => None,
    }
}

/// Whether a line below a heading belongs to it.
pub(super) fn goes_on(text: &str) -> bool {
    const FIELDS: [&str; 7] = [
        "LogLength:",
        "LogLastModifiedTime:",
        "LogAggregationType:",
        "LogContents:",
        "Log Length:",
        "Log Upload Time:",
        "Log Contents:",
    ];
    match text.as_bytes().first() {
        Some(b'=' | b'*') => text.len() >= 20 && text.bytes().all(|b| matches!(b, b'=' | b'*')),
        Some(b'L') => FIELDS.iter().any(|field| text.starts_with(field)),
        _ => false,
    }
}

/// The fences of blocks of code that were seen in a source.
#[derive(Debug, Clone, Default)]
pub(super) struct Fences {
    seen: usize,
    /// Whether the source's log stands in such blocks alone.
    alone: bool,
}

impl Fences {
    /// For a source whose log stands in blocks of code alone, or maybe elsewhere, too.
    pub(super) fn new(alone: bool) -> Self {
        Self { seen: 0, alone }
    }

    /// Whether the next line stands behind a block of code, and before another; or before the first one, where the log
    /// stands in such blocks alone.
    pub(super) fn between(&mut self, text: &str) -> bool {
        self.seen += usize::from(text.starts_with("```"));
        self.seen.is_multiple_of(2) && (self.seen > 0 || self.alone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_aggregated_logs() {
        let id = "container_1700000000000_0042_01_000003";
        let line = format!("Container: {id} on dn7.lab.test_45454");
        assert_eq!(heading(&line), Some(Heading::Container(id)));
        assert_eq!(heading("LogType:stderr"), Some(Heading::Log("stderr")));
        assert_eq!(heading("Log Type: stdout"), Some(Heading::Log("stdout")));
        assert_eq!(heading("End of LogType:stderr"), Some(Heading::End));
        assert_eq!(heading("Container: registry/tides:1"), None);
        assert_eq!(heading("```python"), Some(Heading::End));
        assert!(goes_on("LogLength:812") && goes_on(&"*".repeat(70)));
        assert!(!goes_on("== SQL ==") && !goes_on(""));
    }
}
