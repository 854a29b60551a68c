//! In: what scheduler backends and cluster managers say of executors and containers. Out: [`ExecutorLine`]s and exit codes.

use crate::text::{Symbol, pattern};
use regex::Regex;
use std::sync::LazyLock;

/// A line that tells of an executor's end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutorLine {
    /// Its id.
    pub id: Symbol,
    /// Its host, where told.
    pub host: Option<Symbol>,
    /// Why, as printed; first line.
    pub reason: String,
    /// Exit code or container status in the reason.
    pub exit_code: Option<i32>,
}

impl ExecutorLine {
    /// The lines that follow: where the reason begins on one of its own, as Kubernetes' does, it is taken from
    /// there. Returns how many lines further that is.
    pub(super) fn go_on<'l>(&mut self, lines: impl Iterator<Item = &'l str>) -> usize {
        let mut lines = (1..).zip(lines.map(str::trim));
        match lines.find(|(_, line)| !line.is_empty()) {
            Some((at, reason)) if self.reason.is_empty() => {
                reason.clone_into(&mut self.reason);
                self.exit_code = exit_code(reason);
                at
            }
            _ => 0,
        }
    }
}

static LOST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x) ^Lost \s executor \s (\S+?) \s on \s (\S+?): \s* (.*)
          | ^Executor \s (?:app-\S+/)?(\S+) \s (?:on \s \S+ \s)? (?:removed|lost|failed|exited): \s* (.*)
          | ^Executor \s updated: \s \S+/(\d+) \s is \s now \s (?:EXITED|FAILED|LOST|KILLED) \s* (.*)
          | ^Requesting \s driver \s to \s remove \s executor \s (\S+) \s for \s reason (?:\s+ (.*))? $
          | ^(?:Removing|Disabling) \s executor \s (\S+) \s with \s (no \s recent .*)",
    )
    .expect("a valid pattern")
});

/// What `message` says of an executor's end.
pub(super) fn lost(message: &str) -> Option<ExecutorLine> {
    if !message.contains("xecutor") {
        return None;
    }
    let found = LOST.captures(message)?;
    let at = |i: usize| found.get(i).map(|m| m.as_str());
    let (id, host, reason) = if let Some(id) = at(1) {
        (id, at(2), at(3))
    } else if let Some(id) = at(4) {
        (id, None, at(5))
    } else if let Some(id) = at(6) {
        (id, None, at(7))
    } else if let Some(id) = at(8) {
        (id, None, at(9))
    } else {
        (at(10)?, None, at(11))
    };
    let reason = reason
        .unwrap_or("")
        .trim_matches(['(', ')', ' '])
        .to_owned();
    Some(ExecutorLine {
        id: Symbol::new(id),
        host: host.map(Symbol::new),
        exit_code: exit_code(&reason),
        reason,
    })
}

static EXIT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)(?:exit(?:ed)? (?:status|code)(?: is)?|executor exit code|exited with(?: exit)? code|non-zero exit code|with code|exitCode)[:=]? ?\(?(-?\d{1,5})").expect("a valid pattern")
});

/// The exit code or container status that a text tells.
pub(crate) fn exit_code(text: &str) -> Option<i32> {
    EXIT.captures(text)?[1].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_in_every_wording() {
        let check = |text: &str, id: &str, code| {
            let line = lost(text).unwrap_or_else(|| panic!("no loss in {text}"));
            assert_eq!((&*line.id, line.exit_code), (id, code), "{text}");
            line
        };
        let line = check(
            "Lost executor 3 on host-a: Container marked as failed: container_1 on host: host-a. Exit status: 137. Diagnostics: x",
            "3",
            Some(137),
        );
        assert_eq!(line.host.as_deref(), Some("host-a"));
        check(
            "Executor updated: app-1/4 is now EXITED (Command exited with code 1)",
            "4",
            Some(1),
        );
        check(
            "Executor app-1/0 removed: Command exited with code 1",
            "0",
            Some(1),
        );
        check(
            "Removing executor 3 with no recent heartbeats: 143211 ms exceeds timeout 120000 ms",
            "3",
            None,
        );
        assert!(lost("Executor: Finished task").is_none());
    }

    #[test]
    fn exit_codes() {
        assert_eq!(
            exit_code("Unknown executor exit code (137) (died from signal 9?)"),
            Some(137)
        );
        assert_eq!(exit_code("exit status: -100"), Some(-100));
        assert_eq!(
            exit_code("The executor with id 4 exited with exit code 52(JVM OOM)."),
            Some(52)
        );
        assert_eq!(exit_code("no code here"), None);
    }
}
