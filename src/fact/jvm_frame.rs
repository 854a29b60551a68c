//! In: a line of a JVM's stack trace. Out: its [`Frame`].

use super::frame::Frame;
use super::owner;
use crate::text::{Place, Symbol};
use std::cell::RefCell;
use std::collections::HashMap;

/// Frames that are kept by their text: however long a log of failures is, it names few places.
const MOST_KNOWN: usize = 4_096;
/// Longer lines are not kept.
const LONGEST_KNOWN: usize = 256;

thread_local! {
    static KNOWN: RefCell<HashMap<Box<str>, Frame>> = RefCell::default();
}

/// The frame of a text that was [`parse`]d lately and is a frame's beyond doubt.
pub(super) fn recall(text: &str, place: Place) -> Option<Frame> {
    if !text.starts_with("\tat ") {
        return None;
    }
    KNOWN.with_borrow(|known| {
        let frame = known.get(text)?.clone();
        Some(Frame { place, ..frame })
    })
}

/// Keeps the frame of a text.
pub(super) fn keep(text: &str, frame: &Frame) {
    if text.len() > LONGEST_KNOWN || !text.starts_with("\tat ") {
        return;
    }
    KNOWN.with_borrow_mut(|known| {
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert(text.into(), frame.clone());
    });
}

/// The frame that `text` prints, where it prints one: `at [module/]class.method(File.scala:12)`, in
/// any indentation, with or without the jar's name behind it.
pub(super) fn parse(text: &str, place: Place) -> Option<Frame> {
    let rest = text.trim_start().strip_prefix("at ")?;
    let rest = rest
        .strip_prefix("java.base/")
        .or_else(|| rest.strip_prefix("app//"))
        .unwrap_or(rest);
    let open = rest.find('(')?;
    let (name, inside) = (&rest[..open], &rest[open + 1..]);
    if name.is_empty() || name.contains(' ') {
        return None;
    }
    let name = name
        .rsplit_once('/')
        .filter(|(module, _)| !module.contains("$$Lambda"))
        .map_or(name, |(_, name)| name);
    let (class, function) = name.rsplit_once('.')?;
    let (inside, behind) = inside.split_once(')').unwrap_or((inside, ""));
    let (file, line) = match inside.rsplit_once(':') {
        // .NET: `at App.Program.Main(String[] args) in C:\src\Program.cs:line 30`.
        _ if let Some((path, line)) = of_dotnet(behind) => (path, line.parse().ok()),
        Some((file, line)) => (file, line.parse().ok()),
        None if inside.contains('.') => (inside, None),
        None => ("", None),
    };
    Some(Frame {
        class: Symbol::new(class),
        function: Symbol::new(function),
        file: Symbol::new(file),
        line,
        code: None,
        owner: owner::of_class(class),
        place,
    })
}

/// The file's name and the line that .NET prints behind a frame.
fn of_dotnet(behind: &str) -> Option<(&str, &str)> {
    let (path, line) = behind.strip_prefix(" in ")?.rsplit_once(":line ")?;
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    Some((name, line.trim_end()))
}

/// Whether `text` stands for frames that are not printed: `... 12 more`, `... 49 elided`.
pub(super) fn is_elided(text: &str) -> bool {
    text.trim_start().strip_prefix("... ").is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_ascii_digit())
            && (rest.ends_with("more")
                || rest.contains("elided")
                || rest.contains("omitted")
                || rest.ends_with("frames"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::Owner;
    use crate::text::SourceId;

    const HERE: Place = Place {
        source: SourceId(0),
        start: 0,
        bytes: 0,
        line: 1,
        part: 0,
    };

    #[test]
    fn frames_in_all_their_forms() {
        let frame = |text| {
            parse(text, HERE).map(|f| {
                (
                    f.class.to_string(),
                    f.function.to_string(),
                    f.file.to_string(),
                    f.line,
                )
            })
        };
        assert_eq!(
            frame("\tat java.base/java.lang.Thread.run(Thread.java:840)"),
            Some((
                "java.lang.Thread".into(),
                "run".into(),
                "Thread.java".into(),
                Some(840)
            ))
        );
        assert_eq!(
            frame("    at a.B$.c(B.scala:1) ~[b.jar:1.2]"),
            Some(("a.B$".into(), "c".into(), "B.scala".into(), Some(1)))
        );
        assert_eq!(
            frame("at a.B.c(Native Method)"),
            Some(("a.B".into(), "c".into(), String::new(), None))
        );
        assert_eq!(
            frame(r"   at shop.Program.Main(String[] args) in C:\src\shop\Program.cs:line 30"),
            Some((
                "shop.Program".into(),
                "Main".into(),
                "Program.cs".into(),
                Some(30)
            ))
        );
        assert_eq!(frame("at the end (of it)"), None);
        assert_eq!(
            parse("at org.acme.Job.main(Job.scala:3)", HERE).map(|f| f.owner),
            Some(Owner::User)
        );
    }

    #[test]
    fn elisions() {
        assert!(
            is_elided("\t... 29 more")
                && is_elided("  ... 49 elided")
                && is_elided("... 8 common frames omitted")
        );
        assert!(!is_elided("... and 3 more columns") && !is_elided("..."));
    }
}
