//! In: the lines of a source's sample. Out: the member of its JSON objects in which a shipper carries the lines of a
//! log, whatever it is called there, also where each object was printed over several lines.

use super::event::{ENVELOPES, MESSAGES, Object, TRACES, object_of};
use super::member::Member as Printed;
use serde_json::Value;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Members of members are looked at to this depth.
const DEEPEST: usize = 4;
/// So many lines of a sample are looked at: each object is read whole.
const MOST_LINES: usize = 600;

/// The beginning of the paths of members with a line of their own: what object they are in is not known there.
const OWN_LINE: u64 = 1;

/// Of the lines of an export, one in so many carries a line of the log.
const SPARSEST: usize = 40;

/// A member, by the hash of the names that lead to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::record) struct Carrier {
    path: u64,
    /// Whether it has a line of its own.
    own_line: bool,
}

impl Carrier {
    /// The member whose texts `speak` most often: three of them and one in ten, or one where every line is such an
    /// object. None where the member is a known one, or where the objects tell of exceptions in members of their own:
    /// those are a logger's events.
    pub(in crate::record) fn of<'l>(
        lines: impl Iterator<Item = &'l str> + Clone,
        speaks: impl Fn(&str) -> bool,
    ) -> Option<Self> {
        let mut members: BTreeMap<u64, Member> = BTreeMap::new();
        let (mut objects, mut others, mut plain) = (0, 0, 0);
        let mut in_list = false;
        for line in lines.clone().take(MOST_LINES) {
            let last = || in_list.then(|| Printed::last_of_list(line))?;
            let printed = Printed::of(line).or_else(last);
            in_list =
                line.trim_end().ends_with('[') || printed.as_ref().is_some_and(Printed::is_element);
            if let Some(printed) = printed {
                let member = members.entry(below(OWN_LINE, &printed.name)).or_default();
                member.own_lines += 1;
                let shipped = ENVELOPES.iter().chain(&MESSAGES);
                member.shipped +=
                    usize::from(shipped.into_iter().any(|name| **name == *printed.name));
                let lines = printed.text.lines();
                member.speaking += lines.filter(|line| speaks(line.trim_end())).count();
                continue;
            }
            let Some(object) = object_of(line) else {
                others += 1;
                plain += usize::from(speaks(line));
                continue;
            };
            if TRACES
                .iter()
                .any(|name| object.get(*name).is_some_and(|v| !v.is_null()))
            {
                return None;
            }
            objects += 1;
            each_text(&object, 0, 0, &mut |path, name, text| {
                let member = members.entry(path).or_default();
                member.known = ENVELOPES.contains(&name);
                member.speaking += usize::from(speaks(text.trim_end()));
            });
        }
        // Where none speaks, a name that shippers use is what is left to go by.
        let (path, member) = members
            .iter()
            .max_by_key(|(_, member)| (member.speaking, member.shipped))?;
        if member.own_lines > 0 {
            // What a log prints in between is no export, and neither is one object: its names tell its members apart.
            let opens = lines.clone().next()?.trim_start().starts_with(['[', '{']);
            let looked_at = lines.clone().take(MOST_LINES).count();
            if !opens || member.own_lines < 3 || member.own_lines * SPARSEST < looked_at {
                return None;
            }
            let behind = lines.skip(MOST_LINES);
            let plain = plain
                + behind
                    .filter(|l| Printed::of(l).is_none() && speaks(l))
                    .count();
            let often = member.speaking * 10 >= member.own_lines && member.speaking > plain * 4;
            let named = plain == 0 && (member.speaking > 0 || member.shipped >= 3);
            return (often && member.speaking >= 3 || named).then_some(Self {
                path: *path,
                own_line: true,
            });
        }
        let often = member.speaking >= 3 && member.speaking * 10 >= objects;
        let always = member.speaking >= 1 && objects >= 3 && others == 0;
        ((often || always) && !member.known).then_some(Self {
            path: *path,
            own_line: false,
        })
    }

    /// Whether the source's objects were printed over several lines, of which only this member's tell of the log.
    pub(in crate::record) fn has_own_line(self) -> bool {
        self.own_line
    }

    /// The member that a line is, where each has a line of its own: the last of a list shows only beside others.
    pub(in crate::record) fn member_in(carrier: Option<Self>, line: &str) -> Option<Printed> {
        let of_lists = Some(Self {
            path: below(OWN_LINE, ""),
            own_line: true,
        });
        let last = || (carrier == of_lists).then(|| Printed::last_of_list(line))?;
        Printed::of(line).or_else(last)
    }

    /// Whether it is the member that has a line of its own.
    pub(in crate::record) fn is(self, printed: &Printed) -> bool {
        self.own_line && below(OWN_LINE, &printed.name) == self.path
    }

    /// The text of the member in one of the source's objects.
    pub(super) fn text_in(self, object: &Object) -> Option<&str> {
        let mut found = None;
        each_text(object, 0, 0, &mut |path, _, text| {
            if path == self.path {
                found = Some(text);
            }
        });
        found
    }
}

#[derive(Debug, Default)]
struct Member {
    known: bool,
    speaking: usize,
    /// How often it had a line of its own, and how often under a name that shippers give it.
    own_lines: usize,
    shipped: usize,
}

/// The longest text of several lines in a member, or of an object in JSON that has one. Spark's own events hold stack
/// traces, and are none.
pub(super) fn whole_log(object: &Object) -> Option<&str> {
    if object.contains_key("Event") {
        return None;
    }
    let mut longest: Option<&str> = None;
    each_text(object, 0, 0, &mut |_, _, text| {
        let carries = || {
            let inner = text
                .trim_start()
                .starts_with('{')
                .then(|| object_of(text))??;
            whole_log(&inner).map(|_| ())
        };
        if longest.is_none_or(|l| l.len() < text.len()) && (is_long(text) || carries().is_some()) {
            longest = Some(text);
        }
    });
    longest
}

fn is_long(text: &str) -> bool {
    text.bytes().filter(|&b| b == b'\n').take(2).count() == 2
}

/// Calls `visit` with the path, the name and the text of each member that is text.
fn each_text<'o>(
    object: &'o Object,
    path: u64,
    depth: usize,
    visit: &mut impl FnMut(u64, &'o str, &'o str),
) {
    for (name, value) in object {
        let path = below(path, name);
        match value {
            Value::String(text) => visit(path, name, text),
            Value::Object(inner) if depth < DEEPEST => each_text(inner, path, depth + 1, visit),
            _ => {}
        }
    }
}

fn below(path: u64, name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (path, name).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::super::event::{Event, read};
    use super::*;

    fn carrier(lines: &[&str]) -> Option<Carrier> {
        Carrier::of(lines.iter().copied(), |text| text.starts_with("INFO "))
    }

    #[test]
    fn lines_are_found_under_any_name() {
        let lines = [
            r#"{"at": 1, "data": {"row": {"words": "INFO a"}}}"#,
            r#"{"at": 2, "data": {"row": {"words": "INFO b"}}}"#,
            r#"{"at": 3, "data": {"row": {"words": "INFO c"}}}"#,
            r#"{"at": 4, "data": {"row": {"words": "\tat x"}}}"#,
        ];
        let found = carrier(&lines);
        let Some(Event::Shipped { text, .. }) = read(lines[3], found) else {
            panic!("no line of a log");
        };
        assert_eq!(text, "\tat x");
        assert_eq!(carrier(&lines[..2]), None);
    }

    #[test]
    fn an_object_that_a_log_prints_carries_nothing() {
        let record = ["{", "  \"said\": \"INFO a\",", "  \"at\": 7", "},"];
        let export: Vec<&str> = record.repeat(3);
        assert!(carrier(&export).is_some_and(Carrier::has_own_line));
        assert_eq!(carrier(&record), None);
        let printed: Vec<&str> = [&["rows:"], export.as_slice()].concat();
        assert_eq!(carrier(&printed), None);
        let printed: Vec<&str> = [export.as_slice(), &["INFO b"]].concat();
        assert_eq!(carrier(&printed), None);
        let long = [export.as_slice(), &["  \"x\": \"y\","; 700]].concat();
        assert_eq!(carrier(&long), None);
    }

    #[test]
    fn events_with_exceptions_are_no_envelopes() {
        let event = r#"{"level": "INFO", "msg": "INFO a"}"#;
        let failed = r#"{"level": "ERROR", "msg": "INFO b", "exception": {"class": "a.B"}}"#;
        assert!(carrier(&[event, event, event]).is_some());
        assert_eq!(carrier(&[event, event, event, failed]), None);
    }
}
