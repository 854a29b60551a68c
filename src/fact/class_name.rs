//! In: text. Out: where it names an exception class, and what follows it.

use super::task;
use aho_corasick::AhoCorasick;
use std::sync::LazyLock;

/// How the names of nearly all throwables end.
static SUFFIXES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::new(["Exception", "Error", "Failure", "OOM"]).expect("a few short words")
});

/// What stands before a cause that is told within a message.
const IN_BRACKETS: &str = "[Caused by ";

/// A class named in a text, as `class: message` or alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Named<'t> {
    /// The class as printed.
    pub(super) class: &'t str,
    /// What follows its colon, trimmed at the left; empty where nothing does.
    pub(super) message: &'t str,
}

/// The class at the very start of `text`, where one is: a dotted name of any kind when `dotted_is_enough`,
/// else a name that ends as exceptions do.
pub(super) fn at_start(text: &str, dotted_is_enough: bool) -> Option<Named<'_>> {
    let len = token(text);
    let class = text.get(..len)?;
    let (last, dotted) = last_segment(class);
    // `Warning: …` is how launchers begin a remark, and no class.
    if last.is_empty()
        || class == "Warning"
        || !class.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        || class.ends_with('.')
    {
        return None;
    }
    let known = says_exception(last);
    let qualified = dotted && last.starts_with(|c: char| c.is_ascii_uppercase());
    let rest = &text[len..];
    if !(known || qualified && (dotted_is_enough || says_condition(rest))) {
        return None;
    }
    // `RemoteException(org.x.Inner): message` names the inner class, which is the one that says something.
    if let Some(inner) = rest.strip_prefix('(')
        && let (inside, after) = inner.split_at(token(inner))
        && let Some(after) = after.strip_prefix(')')
        && known
        && last_segment(inside).1
    {
        return Some(Named {
            class: inside,
            message: after.strip_prefix(':').unwrap_or(after).trim_start(),
        });
    }
    // Thrift prints `MetaException(message:…)`.
    if known && let Some(inner) = rest.strip_prefix("(message:") {
        return Some(Named {
            class,
            message: inner.strip_suffix(')').unwrap_or(inner).trim_start(),
        });
    }
    // Python shows an exception in a list or a log as `KeyError('age')`.
    if known && let Some(message) = shown(rest) {
        return Some(Named { class, message });
    }
    match rest.chars().next() {
        None => Some(Named { class, message: "" }),
        Some(':') if !rest.starts_with("::") => Some(Named {
            class,
            message: rest[1..].trim_start(),
        }),
        Some(' ') if rest.trim().is_empty() => Some(Named { class, message: "" }),
        // Hadoop's shell prints `ExitCodeException exitCode=1: `.
        Some(' ') if rest.trim_start().starts_with("exitCode=") => Some(Named {
            class,
            message: rest.trim_start(),
        }),
        _ => None,
    }
}

/// The exception of the triple that Python holds while it handles one, printed as it is:
/// `(<class 'a.BError'>, BError('message'), <traceback object at 0x7f>)`.
pub(super) fn of_triple(text: &str) -> Option<Named<'_>> {
    let (class, rest) = text.strip_prefix("(<class '")?.split_once("'>, ")?;
    let (value, _) = rest.rsplit_once(", <traceback object at ")?;
    let message = shown(&value[token(value)..])?;
    (token(class) == class.len()).then_some(Named { class, message })
}

/// The first argument of a call with a text, to which nothing is added.
fn shown(rest: &str) -> Option<&str> {
    let inner = rest.trim_end().strip_prefix('(')?.strip_suffix(')')?;
    let inner = inner.strip_prefix('u').unwrap_or(inner);
    let quote = inner.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let message = &inner[1..];
    let end = message.find(quote)?;
    let behind = &message[end + 1..];
    (behind.is_empty() || behind.starts_with(',')).then(|| &message[..end])
}

/// The first qualified exception class inside `text` that stands where a cause is named: at its start
/// or behind a seam such as `: ` or `nested exception is `. Returns its offset.
pub(super) fn inside(text: &str) -> Option<(usize, Named<'_>)> {
    let by_name = named_inside(text);
    // Hadoop's security prints its causes in brackets, of classes that need not say that they are exceptions.
    let in_brackets = text.find(IN_BRACKETS).and_then(|at| {
        let at = at + IN_BRACKETS.len();
        Some((at, at_start(&text[at..], true)?))
    });
    let told = [by_name, in_brackets, behind_attempt(text)];
    told.into_iter().flatten().min_by_key(|(at, _)| *at)
}

/// What the scheduler says that an attempt was lost by is a class, whatever it is called.
fn behind_attempt(text: &str) -> Option<(usize, Named<'_>)> {
    let reason = task::attempt(&text[text.find("Lost task ")?..])?.reason;
    let at = text.len() - reason.len();
    let named = at_start(&text[at..], true)?;
    named.class.contains('.').then_some((at, named))
}

fn named_inside(text: &str) -> Option<(usize, Named<'_>)> {
    let mut from = 0;
    for found in SUFFIXES.find_iter(text) {
        let start = token_start(text, from, found.start());
        from = found.end();
        if let Some(start) = start
            && stands_at_seam(&text[..start])
            && let Some(named) = at_start(&text[start..], false)
            && named.class.contains('.')
        {
            return Some((start, named));
        }
    }
    None
}

/// Whether `: [CONDITION]` follows a name: only what Spark throws is told so, whatever its class is called.
fn says_condition(rest: &str) -> bool {
    rest.strip_prefix(": [")
        .and_then(|rest| rest.split_once(']'))
        .is_some_and(|(name, _)| {
            name.contains('_')
                && name.bytes().all(|b| {
                    b.is_ascii_uppercase() || b.is_ascii_digit() || matches!(b, b'_' | b'.')
                })
        })
}

/// Whether the last segment of a class name ends as the names of throwables do.
pub(super) fn says_exception(last: &str) -> bool {
    const ENDS: &[&str] = &[
        "Exception",
        "Error",
        "Throwable",
        "Failure",
        "Fault",
        "Interrupt",
        "Exit",
        "Warning",
        "Violation",
        "Abort",
        "Timeout",
        "Iteration",
        "OOM",
        "Rendezvous",
        "NotCompatible",
    ];
    let last = last.trim_start_matches('_');
    last.starts_with(|c: char| c.is_ascii_uppercase()) && ENDS.iter().any(|end| last.ends_with(end))
        || last.contains("Exception") && last.starts_with(|c: char| c.is_ascii_uppercase())
}

/// The last segment of a class name, and whether there are others before it.
pub(super) fn last_segment(class: &str) -> (&str, bool) {
    match class.trim_end_matches('$').rfind(['.', '$']) {
        Some(at) => (class[at + 1..].trim_end_matches('$'), class.contains('.')),
        None => (class, false),
    }
}

/// Length of the name at the start of `text`.
fn token(text: &str) -> usize {
    text.bytes()
        .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'$')))
        .unwrap_or(text.len())
}

/// Where the name that goes on at `at` begins; `None` where it begins before `from`, so that a line which is
/// one endless name is not walked through from its start for each of its parts.
fn token_start(text: &str, from: usize, at: usize) -> Option<usize> {
    let of_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'$');
    let before = &text.as_bytes()[..at];
    match before[from..].iter().rposition(|b| !of_name(*b)) {
        Some(last) => Some(from + last + 1),
        None if from == 0 || !of_name(before[from - 1]) => Some(from),
        None => None,
    }
}

/// Bytes before a name in which a backtick is looked for.
const TICKED_WITHIN: usize = 2_048;

/// Whether a cause may be named behind `before`.
fn stands_at_seam(before: &str) -> bool {
    let all = before.as_bytes();
    // Who pasted it may have made the class stand out, as Markdown does.
    let before = before.trim_end_matches('*').trim_end_matches(' ');
    let seam = before.is_empty()
        || before.ends_with([':', ';', '[', ']', '(', '"', '\n'])
        || before.ends_with("Exception,")
        || [
            " is",
            " by",
            "exception",
            "thread",
            "failure",
            "error",
            "due to",
            "reason",
            "code",
            "Caused by",
        ]
        .iter()
        .any(|w| before.ends_with(w));
    // Between backticks a text speaks of a class, and nothing threw it. As many names may stand before as there is room for,
    // so not all of that is looked at for each.
    let near = &all[all.len().saturating_sub(TICKED_WITHIN)..];
    seam && memchr::memchr_iter(b'`', near).count().is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_found_where_causes_are_named() {
        let check = |text, class, message| {
            assert_eq!(
                at_start(text, false),
                Some(Named { class, message }),
                "{text}"
            );
        };
        check("java.io.EOFException", "java.io.EOFException", "");
        check("a.b.CException: m: n", "a.b.CException", "m: n");
        check("ValueError: x", "ValueError", "x");
        check("KeyError('age')", "KeyError", "age");
        check("a.b.CError(\"it's\", None)", "a.b.CError", "it's");
        assert_eq!(at_start("ValueError('x') from e", false), None);
        let grpc = "grpc._channel._MultiThreadedRendezvous";
        check(
            "grpc._channel._MultiThreadedRendezvous: <of RPC",
            grpc,
            "<of RPC",
        );
        let brackets = "IO error [Caused by a.b.SecretManager$InvalidToken: token]";
        assert_eq!(
            inside(brackets).map(|(at, named)| (at, named.class)),
            Some((20, "a.b.SecretManager$InvalidToken"))
        );
        assert_eq!(
            inside("When you see `Caused by: java.io.IOException: ebb` in it"),
            None
        );
        check(
            "MetaException(message:Got exception: a.B m)",
            "MetaException",
            "Got exception: a.B m",
        );
        check(
            "o.a.RemoteException(o.a.InvalidTokenException): token",
            "o.a.InvalidTokenException",
            "token",
        );
        assert_eq!(at_start("Error while reading", false), None);
        assert_eq!(at_start("total: 12", false), None);
    }

    #[test]
    fn classes_inside_messages_need_a_seam() {
        let (at, named) =
            inside("Lost task 0.3 (host executor 5): java.io.IOException: No space left")
                .expect("a class");
        assert_eq!(
            (at, named.class, named.message),
            (33, "java.io.IOException", "No space left")
        );
        assert_eq!(
            inside("Lost task 0.3 in stage 1.0 (TID 3) (w2 executor 1): a.state.SchemaNotCompatible: full")
                .map(|(_, n)| n.class),
            Some("a.state.SchemaNotCompatible")
        );
        assert_eq!(
            inside("executor 0): com.nvidia.spark.rapids.jni.GpuRetryOOM: full")
                .map(|f| f.1.message),
            Some("full")
        );
        assert_eq!(inside("137 (possible container OOM)"), None);
        assert_eq!(inside("ignoring java.io.IOException while closing"), None);
        assert_eq!(
            inside("nested exception is java.sql.SQLException: m").map(|f| f.1.class),
            Some("java.sql.SQLException")
        );
    }
}
