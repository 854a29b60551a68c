//! In: a pattern as a file of `assets/formats` or `assets/shippers` writes it. Out: the regular expression that it stands
//! for, compiled when a line first asks for it.

use regex::Regex;
use std::sync::LazyLock;

/// What the words in braces of a layout's `head` stand for.
pub(super) const PIECES: [(&str, &str); 7] = [
    (
        "{level}",
        "(?<level>TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL|SEVERE)",
    ),
    // Dates with slashes, with dashes, and both.
    (
        "{slashed}",
        r"(?<time>(?:\d\d)?\d\d/\d\d/\d\d \d\d:\d\d:\d\d(?:[.,]\d{1,9})?)",
    ),
    (
        "{dashed}",
        r"(?<time>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,:]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d| UTC)?)",
    ),
    (
        "{date}",
        r"(?<time>(?:\d{4}-\d\d-\d\d|(?:\d\d)?\d\d/\d\d/\d\d)[T ,]{1,2}\d\d:\d\d:\d\d(?:[.,:]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d| UTC| [A-Z]{2,4}T)?)",
    ),
    ("{thread}", r"\[(?<thread>(?:[^\[\]]|\[[^\[\]]*\])*)\]"),
    ("{logger}", r"(?<logger>[A-Za-z_][^\s:()\[\]{}]*)"),
    (
        "{end}",
        r"(?: \([^()\s:]+:[^()\s]+\(\d+\)\))?(?::\d+)?(?: *:| +-)(?: |$)",
    ),
];

/// Compiles a pattern in which the words of [`PIECES`] may stand. Its classes are those of ASCII: what
/// matters about a head is, and the tables of Unicode would make the program start slowly.
pub(super) fn compile(pattern: &str) -> Result<Regex, regex::Error> {
    Regex::new(&spelt_out(pattern))
}

pub(super) fn spelt_out(pattern: &str) -> String {
    let mut pattern = pattern.to_owned();
    for (word, piece) in PIECES {
        pattern = pattern.replace(word, piece);
    }
    for (class, ascii) in [
        (r"\d", "[0-9]"),
        (r"\w", "[0-9A-Za-z_]"),
        (r"\s", r"[ \t]"),
        (r"\S", r"[^ \t]"),
    ] {
        pattern = pattern.replace(class, ascii);
    }
    pattern
}

/// A pattern that is compiled when a line first asks for it: of all layouts and shippers, a log needs a few.
pub(super) type Lazy = LazyLock<Regex, Box<dyn FnOnce() -> Regex + Send + Sync>>;

/// The pattern of a file that travels with the program; a test compiles all of them.
pub(super) fn lazily(pattern: String) -> Lazy {
    LazyLock::new(Box::new(move || {
        compile(&pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"))
    }))
}
