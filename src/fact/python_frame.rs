//! In: a line of a Python traceback. Out: its [`Frame`]: the interpreter's form, faulthandler's and IPython's.

use super::frame::Frame;
use super::owner;
use crate::text::{Place, Symbol};

/// The frame that `text` prints, where it prints one.
///
/// ```text
///   File "/jobs/orders.py", line 12, in parse         the interpreter
///   File "/jobs/orders.py", line 12 in parse          faulthandler
/// File /jobs/orders.py:12, in parse(row)              IPython 8
/// File <command-4471>, line 12                        IPython on Databricks
/// Cell In[7], line 4                                  a notebook's cell
/// /jobs/orders.py in parse(row)                       IPython 7, the line is in the arrow below
/// ```
pub(super) fn parse(text: &str, place: Place) -> Option<Frame> {
    let text = text.trim();
    let (file, line, function) = quoted(text)
        .or_else(|| ipython(text))
        .or_else(|| cell(text))
        .or_else(|| old_ipython(text))?;
    Some(Frame {
        class: Symbol::new(file),
        function: Symbol::new(function),
        file: Symbol::new(file),
        line,
        code: None,
        owner: owner::of_file(file),
        place,
    })
}

fn quoted(text: &str) -> Option<(&str, Option<u32>, &str)> {
    let rest = text.strip_prefix("File \"")?;
    let (file, rest) = rest.split_once("\", line ")?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let line = rest[..digits].parse().ok()?;
    let function = rest[digits..]
        .trim_start_matches([',', ' '])
        .strip_prefix("in ")
        .unwrap_or("");
    Some((file, Some(line), function.trim()))
}

fn ipython(text: &str) -> Option<(&str, Option<u32>, &str)> {
    let rest = text.strip_prefix("File ")?;
    let (place, function) = match rest.split_once(", in ") {
        Some((place, function)) => (place, function.split('(').next().unwrap_or("")),
        None => (rest, ""),
    };
    let (file, line) = place
        .rsplit_once(", line ")
        .or_else(|| place.rsplit_once(':'))?;
    // It names a method with its class, where Python itself does not: `in DataFrame.collect(self)`.
    let function = function.rsplit('.').next().unwrap_or(function);
    Some((file, Some(line.trim().parse().ok()?), function.trim()))
}

fn cell(text: &str) -> Option<(&str, Option<u32>, &str)> {
    let rest = text
        .strip_prefix("Cell In[")
        .or_else(|| text.strip_prefix("Input In ["))?;
    let (number, rest) = rest.split_once(']')?;
    number.trim().parse::<u32>().ok()?;
    let file = &text[..text.len() - rest.len()];
    let line = rest
        .strip_prefix(", line ")
        .and_then(|l| l.split(|c: char| !c.is_ascii_digit()).next())
        .and_then(|l| l.parse().ok());
    Some((file, line, ""))
}

fn old_ipython(text: &str) -> Option<(&str, Option<u32>, &str)> {
    if !text.starts_with(['<', '/', '~']) {
        return None;
    }
    let (file, function) = text.split_once(" in ")?;
    let is_file = file.starts_with("<ipython-input-") && file.ends_with('>')
        || file.starts_with("<command-") && file.ends_with('>')
        || file
            .strip_suffix("py")
            .is_some_and(|name| name.ends_with('.'))
            && file.starts_with(['/', '~']);
    (is_file && !file.contains(' ') && function.ends_with(')') | function.ends_with("<module>"))
        .then(|| (file, None, function.split('(').next().unwrap_or("")))
}

/// The line number and the code of an arrow line of IPython: `---> 17     total = df.count()`.
pub(super) fn arrow(text: &str) -> Option<(u32, &str)> {
    let rest = text.trim_start();
    let dashes = rest.bytes().take_while(|b| *b == b'-').count();
    let rest = rest.get(dashes..)?.strip_prefix("> ")?;
    if dashes == 0 {
        return None;
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    Some((rest[..digits].parse().ok()?, rest[digits..].trim()))
}

/// Whether `text` only marks a part of the line above: `    ~~~~~^^^^`.
pub(super) fn is_marks(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text.bytes().all(|b| matches!(b, b'^' | b'~' | b' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_in_all_their_forms() {
        let check = |text: &str, file: &str, line, function: &str| {
            let frame = parse(text, Place::NOWHERE).unwrap_or_else(|| panic!("no frame in {text}"));
            assert_eq!(
                (&*frame.file, frame.line, &*frame.function),
                (file, line, function)
            );
        };
        check(
            "  File \"/jobs/a.py\", line 12, in parse",
            "/jobs/a.py",
            Some(12),
            "parse",
        );
        check("  File \"a.py\", line 3", "a.py", Some(3), "");
        check(
            "  File \"x.py\", line 11 in native_hash",
            "x.py",
            Some(11),
            "native_hash",
        );
        check(
            "File /opt/a.py:1521, in RDD.count(self)",
            "/opt/a.py",
            Some(1521),
            "count",
        );
        check("File <command-12>:9, in f(x)", "<command-12>", Some(9), "f");
        check("File <command-12>, line 9", "<command-12>", Some(9), "");
        check("Cell In[7], line 4", "Cell In[7]", Some(4), "");
        check(
            "<ipython-input-8-11aa> in score(frame)",
            "<ipython-input-8-11aa>",
            None,
            "score",
        );
        assert!(parse("the value is in parse(x)", Place::NOWHERE).is_none());
    }

    #[test]
    fn arrows_and_marks() {
        assert_eq!(arrow("---> 17     total = 1"), Some((17, "total = 1")));
        assert_eq!(arrow("-> 1521     return 2"), Some((1521, "return 2")));
        assert_eq!(arrow("     18 x"), None);
        assert!(is_marks("     ~~~^^^") && !is_marks("a ^"));
    }
}
