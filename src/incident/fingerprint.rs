//! In: a root cause. Out: its [`Fingerprint`]: equal for the same failure, whatever its numbers and wherever it was logged.

use crate::fact::{Frame, Owner, Throwable};
use crate::text::hex_words;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Identity of a failure: its class, its message without numbers, the user's own line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Fingerprint(u64);

impl Fingerprint {
    /// Of a throwable.
    pub(super) fn of(root: &Throwable) -> Self {
        let said = headline(root.own_message());
        // What Spark names by a condition, each side throws as a class of its own.
        if said.starts_with('[') {
            Self::of_class("", said)
        } else {
            Self::of_class(plain_class(root.short_class()), said)
        }
    }

    /// Of a line that names no class.
    pub(super) fn of_words(text: &str) -> Self {
        Self::of_class("", text)
    }

    fn of_class(class: &str, message: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        (class, template(message)).hash(&mut hasher);
        Self(hasher.finish())
    }
}

/// A class by the name that PySpark raises it under: Spark's own `SparkIllegalArgumentException` of a task comes to the driver as
/// `IllegalArgumentException`. What is only a `SparkException` stays one.
fn plain_class(class: &str) -> &str {
    match class.strip_prefix("Spark") {
        Some(plain) if plain != "Exception" && plain.ends_with("Exception") => plain,
        _ => class,
    }
}

/// The user's innermost frame.
pub(super) fn own_frame(frames: &[Frame]) -> Option<&Frame> {
    frames.iter().find(|f| f.owner == Owner::User)
}

fn headline(message: &str) -> &str {
    message
        .lines()
        .map(str::trim)
        .find(|l| !l.is_empty())
        .unwrap_or("")
}

/// A message without what differs from one occurrence to the next: digits, hashes, quoted values, and the
/// closing parenthesis that a repeated task failure puts behind it.
fn template(message: &str) -> String {
    let mut template = String::with_capacity(message.len().min(400));
    let message = message.trim_end().trim_end_matches(')');
    let mut in_number = false;
    let mut quote = None;
    let mut before = ' ';
    let mut hashes = hex_words(message.as_bytes()).peekable();
    for (at, c) in message.char_indices().take(400) {
        while hashes.next_if(|hash| hash.end <= at).is_some() {}
        let in_hash = hashes.peek().is_some_and(|hash| hash.contains(&at));
        let last = std::mem::replace(&mut before, c);
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => continue,
            // An apostrophe stands behind a letter, a quoted value does not.
            None if matches!(c, '\'' | '"') && !last.is_alphanumeric() => quote = Some(c),
            None => {}
        }
        if c.is_ascii_digit() || in_hash {
            if !in_number {
                template.push('#');
            }
            in_number = true;
        } else {
            in_number = false;
            template.push(c);
        }
    }
    template
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparks_own_class_is_that_which_pyspark_raises() {
        assert_eq!(plain_class("SparkDateTimeException"), "DateTimeException");
        assert_eq!(plain_class("SparkException"), "SparkException");
        assert_eq!(plain_class("SparkSession"), "SparkSession");
    }

    #[test]
    fn numbers_do_not_matter_and_words_do() {
        assert_eq!(
            Fingerprint::of_words("retry after 60s"),
            Fingerprint::of_words("retry after 180s)")
        );
        assert_eq!(
            Fingerprint::of_words("block 5f2d9c1a0b is gone"),
            Fingerprint::of_words("block a02d9c1a0b is gone")
        );
        assert_ne!(
            Fingerprint::of_words("column a"),
            Fingerprint::of_words("column b")
        );
    }
}
