//! In: lines without a head. Out: whether they are a program's own output, and whether that output is a complaint.

use super::said::{Said, Stand, Weight};
use super::trace;
use crate::record::Line;

/// Whether a line without a head is a program's own output: not the rest of somebody's message, not a
/// launcher's banner, not a wrapper's word about the end, not what somebody wrote around a quoted log.
pub(super) fn is_output(line: &Line) -> bool {
    const BANNERS: &[&str] = &[
        "WARNING:",
        "Using Spark's default log4j",
        "Setting default log level",
        "To adjust logging level",
        "SLF4J:",
        "Picked up ",
        "Ivy Default Cache",
        "The jars for the packages",
        ":: loading settings",
        "log4j:",
        "Warning: ",
        "Spark Command:",
        "====",
        "----",
        // How dbt sums up what it ran.
        "Done. PASS=",
    ];
    const ENDS: &[&str] = &[
        "exit code",
        "exited",
        "exit status",
        "return code",
        "job failed",
        "failed with",
        "killed",
        "terminated",
        "final status",
        "failing th",
        "build failure",
        "tests run:",
        "traceback",
        "exception",
        "##[",
        "*** [",
    ];
    let text = line.text.as_str();
    // pytest's summary of a test.
    if text.starts_with("FAILED ") && text.contains("::") {
        return false;
    }
    if is_statement_error(text) && !line.prose {
        return true;
    }
    // A copy that ends in the middle of a word.
    let cut = |of: &str| of.starts_with(text.trim());
    if cut("Caused by: ") || cut("Traceback (most recent call last)") {
        return false;
    }
    // A program asks nobody anything.
    if line.prose
        || text.trim_end().ends_with('?')
        || !text.contains(char::is_alphanumeric)
        || is_prompt(text)
        || [
            "Driver stacktrace",
            "End of LogType",
            "LogType",
            "Container: ",
            "scala>",
            "spark-sql>",
            "spark-sql (",
            "$ ",
            ">>> ",
            "In [",
        ]
        .iter()
        .any(|p| text.starts_with(p))
        || text.starts_with([
            ' ', '\t', ')', '\'', '+', '=', '|', '*', '.', '#', '@', '<', '>', ':', '`',
        ])
        || BANNERS.iter().any(|b| text.starts_with(b))
    {
        return false;
    }
    let lower = text
        .chars()
        .take(400)
        .collect::<String>()
        .to_ascii_lowercase();
    !trace::looks_dated(text)
        && !ENDS.iter().any(|end| lower.contains(end))
        && !lower.starts_with("at ")
}

/// Whether a line is a shell's prompt with a host's name, and the command behind it.
pub(super) fn is_prompt(text: &str) -> bool {
    let Some((user, rest)) = text.trim_start_matches('[').split_once('@') else {
        return false;
    };
    let Some(end) = rest.find(['$', '#']) else {
        return false;
    };
    let (host, command) = rest.split_at(end);
    let named = |name: &str| {
        !name.is_empty()
            && name.len() < 64
            && name
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
    };
    named(user)
        && host.split([':', ' ', ']']).next().is_some_and(named)
        && host.contains([':', ' ', ']'])
        && command[1..].starts_with(' ')
}

/// Whether a line is the first of an error of R: `Error in f(x) : `.
pub(super) fn names_a_call(text: &str) -> bool {
    text.trim_start().starts_with("Error in ") && text.trim_end().ends_with(':')
}

/// The line of `lines` that begins an error of R's after which its session was not asked for more: R prints warnings, hints
/// and where it was behind it.
pub(super) fn error_of_r(lines: &[Line]) -> Option<usize> {
    let at = lines
        .iter()
        .rposition(|line| names_a_call(&line.text) && !line.prose)?;
    let asked = lines[at..].iter().any(|line| line.text.starts_with("> "));
    (!asked).then_some(at)
}

/// Whether an R session of these lines was about to make a session of Spark's.
pub(super) fn connects(lines: &[Line]) -> bool {
    const CALLS: [&str; 3] = ["spark_connect(", "sparkR.session(", "sparkR.init("];
    lines
        .iter()
        .any(|line| CALLS.iter().any(|call| line.text.contains(call)))
}

/// The line of `lines` that speaks for the one at `at`: where that one is the rest of what a shell prints of a failed
/// statement (where to look, the query's text, its plan), the line that began it.
pub(super) fn spokesman(lines: &[Line], at: usize) -> usize {
    lines[..at]
        .iter()
        .rposition(|line| is_statement_error(&line.text) && !line.prose)
        .filter(|&error| at < end_of_statement(lines, error))
        .unwrap_or(at)
}

/// Behind the last line of the message that begins at `error`.
fn end_of_statement(lines: &[Line], error: usize) -> usize {
    /// Lines of a message before the one that tells the place in the query.
    const MOST: usize = 8;
    let text = |at: usize| lines.get(at).map_or("", |line| line.text.trim_end());
    // The place is the end of the words, and the plan stands below it.
    let placed = (error..error + MOST)
        .take_while(|&at| !text(at).is_empty())
        .find(|&at| text(at).ends_with(';'));
    if let Some(placed) = placed {
        let drawn = |at: &usize| text(*at).starts_with([' ', '+', ':', '\'']);
        return placed + 2 + (placed + 2..lines.len()).take_while(drawn).count();
    }
    let quoted = (error + 1..error + MOST).find(|&at| text(at).starts_with("== SQL"));
    let marked = quoted.and_then(|from| {
        (from..lines.len()).find(|&at| text(at).trim_start_matches('-').starts_with('^'))
    });
    marked.map_or(error + 1, |marked| marked + 1)
}

/// What the output of a program is worth as the reason of its end: `sys.exit("…")` and its like print a sentence
/// and nothing else. Few words say of themselves that the program gives up; others may as well be a finding of
/// one that goes on.
pub(super) fn complaint(text: &str) -> Option<Said> {
    const GIVES_UP: &[&str] = &[
        "aborting",
        "aborted",
        "exiting",
        "giving up",
        "refusing",
        "cannot continue",
        "cannot proceed",
        "not continuing",
        "stopping here",
        "fatal",
    ];
    const WORRIES: &[&str] = &[
        "error",
        "fail",
        "expect",
        "invalid",
        "missing",
        "mismatch",
        "violat",
        "cannot",
        "can't",
        "could not",
        "unable",
        "must ",
        "should ",
        "not found",
        "not enough",
        "no such",
        "no rows",
        "no data",
        "too few",
        "too many",
        "empty",
        "wrong",
        "usage:",
        "denied",
    ];
    if is_statement_error(text) {
        return Some(Said {
            weight: Weight::Cause,
            stand: Stand::Statement,
            class: "",
        });
    }
    let lower: String = text.chars().take(400).collect();
    let lower = lower.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let other = has(&["expected "]) && has(&[" found ", " got ", " but ", " was "]);
    // A word or two is a heading that somebody wrote.
    let error = lower.starts_with("error")
        && (lower.contains(':') || lower.split_whitespace().nth(2).is_some());
    // Who tells how to call it was called otherwise.
    let usage = lower.starts_with("usage: ");
    let weight = if error || usage || has(GIVES_UP) || other {
        Weight::Cause
    } else if has(WORRIES) {
        Weight::Symptom
    } else {
        return None;
    };
    Some(Said {
        weight,
        stand: Stand::Program,
        class: "",
    })
}

/// Whether a line is what a shell prints of a statement that failed. The SQL shell: `Error in query: …` until Spark 3.3,
/// then the error condition in brackets; the Scala shell: what its compiler says.
fn is_statement_error(text: &str) -> bool {
    let condition = text
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("] "));
    text.starts_with("Error in query: ")
        || text.starts_with("<console>:") && text.contains(": error: ")
        || text.starts_with("error: not found: ")
        || condition.is_some_and(|(name, message)| {
            name.contains('_')
                && name.bytes().all(|b| {
                    b.is_ascii_uppercase() || b.is_ascii_digit() || matches!(b, b'_' | b'.')
                })
                && !message.is_empty()
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Place, SourceId};

    #[test]
    fn prompts_are_told_from_output() {
        assert!(is_prompt("[kim@edge01 ~]$ kubectl get pods"));
        assert!(is_prompt("kim@edge01:~/jobs$ ls"));
        assert!(!is_prompt("mail to kim@acme.test for $ 5"));
        assert!(!is_prompt("rows written: 5"));
        assert!(names_a_call("Error in force(code) : "));
    }

    #[test]
    fn a_program_that_gives_up_says_so() {
        let weight = |text| complaint(text).map(|said| said.weight);
        assert_eq!(
            weight("Aborting: no partition for today"),
            Some(Weight::Cause)
        );
        assert_eq!(weight("expected 10 rows, found 5"), Some(Weight::Cause));
        assert_eq!(weight("usage: load <in> <out>"), Some(Weight::Cause));
        assert_eq!(weight("memory usage: 3 g"), Some(Weight::Symptom));
        assert_eq!(weight("3 files are missing"), Some(Weight::Symptom));
        assert_eq!(weight("rows written: 5"), None);
        let stand = |text| complaint(text).map(|said| said.stand);
        let missing = "[TABLE_OR_VIEW_NOT_FOUND] The table `a` cannot be found.";
        assert_eq!(stand(missing), Some(Stand::Statement));
        let unknown = "<console>:22: error: not found: value tides";
        assert_eq!(stand(unknown), Some(Stand::Statement));
        assert_eq!(stand("[GC] 3 tables not found"), Some(Stand::Program));
    }

    #[test]
    fn the_rest_of_a_statements_message_is_not_output_of_its_own() {
        let place = Place {
            source: SourceId(0),
            start: 0,
            bytes: 0,
            line: 1,
            part: 0,
        };
        let lines = |text: &str| -> Vec<Line> {
            text.lines().map(|line| Line::bare(place, line)).collect()
        };
        let placed = lines(
            "[MISSING_GROUP_BY] Add it.\nSee there.; line 1 pos 0;\nAggregate [id#8]\n+- OneRowRelation\nrows 5",
        );
        assert_eq!(spokesman(&placed, 2), 0);
        assert_eq!(spokesman(&placed, 4), 4);
        let quoted = lines(
            "[PARSE_SYNTAX_ERROR] Near 'form'.\n\n== SQL ==\nselect 1 form t\n---------^^^\nrows 5",
        );
        assert_eq!(spokesman(&quoted, 3), 0);
        assert_eq!(spokesman(&quoted, 5), 5);
        let bare = lines("[DIVIDE_BY_ZERO] No.\nrows 5");
        assert_eq!(spokesman(&bare, 1), 1);
    }
}
