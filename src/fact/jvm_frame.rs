//! In: a line of a JVM's stack trace. Out: its [`Frame`].

use super::frame::{Frame, Owner};
use super::owner;
use crate::record::{FrameText, Stack};
use crate::text::{Place, Symbol};
use std::cell::RefCell;

thread_local! {
    /// What is known of the frames whose text is kept once, by their number.
    static KNOWN: RefCell<Vec<Option<Known>>> = RefCell::default();
}

#[derive(Debug, Clone)]
struct Known {
    /// `None` where it is none after all.
    frame: Option<Frame>,
    marks: u32,
}

/// What the frames below a line tell of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Signs {
    /// The first of the user's, by the number of its text from 1; 0 where there is none.
    pub(super) own: u32,
    /// Whether there is any; and whether one is called in tasks only, by a streaming query or by the shell of SQL.
    pub(super) marks: u32,
}

impl Signs {
    /// There are no frames.
    pub(super) const NONE: Self = Self { own: 0, marks: 0 };
}

/// What the Scala shell calls its input.
const SHELL: &str = "<console>";

const ANY: u32 = 1;
const IN_TASK: u32 = 2;
const OF_STREAM: u32 = 4;
const OF_SQL_SHELL: u32 = 8;

/// The frame that is printed at `place`, as [`parse`] reads it.
pub(super) fn read(text: &FrameText, place: Place) -> Option<Frame> {
    let FrameText::Known(known) = text else {
        return parse(text.text(), place);
    };
    KNOWN.with_borrow_mut(|all| {
        let frame = remembered(all, known.number(), text).frame.clone()?;
        Some(Frame { place, ..frame })
    })
}

/// Whether [`read`] finds a frame.
pub(super) fn is_one(text: &FrameText) -> bool {
    let FrameText::Known(known) = text else {
        return parse(text.text(), Place::NOWHERE).is_some();
    };
    KNOWN.with_borrow_mut(|all| remembered(all, known.number(), text).frame.is_some())
}

/// What the frames below a line tell; `None` where that would take to read them.
pub(super) fn signs(stack: &Stack) -> Option<Signs> {
    let mut signs = Signs::NONE;
    KNOWN.with_borrow_mut(|all| {
        for text in stack.texts() {
            let FrameText::Known(known) = text else {
                return None;
            };
            let number = known.number();
            let known = remembered(all, number, text);
            let owner = known.frame.as_ref()?.owner;
            signs.marks |= known.marks;
            if owner == Owner::User && signs.own == 0 {
                signs.own = u32::try_from(number + 1).ok()?;
            }
        }
        Some(signs)
    })
}

fn remembered<'k>(all: &'k mut Vec<Option<Known>>, number: usize, text: &FrameText) -> &'k Known {
    if all.len() <= number {
        all.resize(number + 1, None);
    }
    all[number].get_or_insert_with(|| {
        let frame = parse(text.text(), Place::NOWHERE);
        let mark = |is: fn(&Frame) -> bool, mark| {
            if frame.as_ref().is_some_and(is) {
                mark
            } else {
                0
            }
        };
        let marks = ANY
            | mark(Frame::runs_in_task, IN_TASK)
            | mark(Frame::is_of_stream, OF_STREAM)
            | mark(Frame::is_of_sql_shell, OF_SQL_SHELL);
        Known { frame, marks }
    })
}

/// The frame that `trimmed` prints, where it prints one without the word in front and nothing else, as some services do:
/// `org.acme.Tides.read(Tides.scala:12)`.
pub(super) fn parse_bare(trimmed: &str, place: Place) -> Option<Frame> {
    let (name, inside) = trimmed.strip_suffix(')')?.split_once('(')?;
    let of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '<' | '>' | '/');
    let is_line = |file: &str, line: &str| {
        [".java", ".scala", ".kt"]
            .iter()
            .any(|kind| file.ends_with(kind))
            && line.bytes().all(|b| b.is_ascii_digit())
    };
    let is_place = inside == "Native Method"
        || inside == "Unknown Source"
        || inside
            .rsplit_once(':')
            .is_some_and(|(file, line)| is_line(file, line));
    let is_method = name.matches('.').count() > 1 && name.chars().all(of_name);
    (is_place && is_method)
        .then(|| parse(&format!("at {trimmed}"), place))
        .flatten()
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
    if let Some((class, function)) = name.rsplit_once("::") {
        // Native code of an engine below Spark prints its own names.
        return Some(Frame {
            class: Symbol::new(class),
            function: Symbol::new(function),
            file: Symbol::new(""),
            line: None,
            code: None,
            owner: Owner::Library,
            place,
        });
    }
    if name.is_empty() || name.contains(' ') {
        return None;
    }
    let name = name
        .rsplit_once('/')
        .filter(|(module, _)| !module.contains("$$Lambda"))
        .map_or(name, |(_, name)| name);
    // The Scala shell hides the class that it put a line of input into.
    let of_shell = || inside.starts_with(SHELL).then_some((SHELL, name));
    let (class, function) = name.rsplit_once('.').or_else(of_shell)?;
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

    #[test]
    fn frames_in_all_their_forms() {
        let frame = |text| {
            parse(text, Place::NOWHERE).map(|f| {
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
        assert_eq!(
            frame("        at core::panicking::panic_fmt(__internal__:0)"),
            Some((
                "core::panicking".into(),
                "panic_fmt".into(),
                String::new(),
                None
            ))
        );
        assert_eq!(frame("at the end (of it)"), None);
        assert_eq!(
            parse("at org.acme.Job.main(Job.scala:3)", Place::NOWHERE).map(|f| f.owner),
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
