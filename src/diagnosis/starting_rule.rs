//! In: an incident that no rule knows. Out: a rule for it to start from, as it stands in a rules file; and, of a fix by a rule
//! that was begun, what a person has said in it so far: the sentences to be filled in are no advice.

use super::fix::{Bucket, Diagnosis, Fix, StepKind};
use crate::incident::{Incident, Side};
use crate::text::sanitise_line;
use regex::Regex;
use std::fmt::Write as _;
use std::sync::LazyLock;

/// What differs from one failure of a kind to the next: numbers, hashes, what stands in quotes, paths.
static VARIES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"'[^']*'|"[^"]*"|`[^`]*`|(?:[a-z][a-z0-9+.-]*:/)?/\S+|\b0x[0-9a-fA-F]+\b|\b[0-9a-f]{8,}\b|-?\d+(?:\.\d+)?"#)
        .expect("a constant pattern compiles")
});

/// What stands in a rule until a person says something there.
const TITLE: &str = "Say what to do about ";
const MEANS: &str = "Say in two sentences what this failure means.";
const CHECK: &str = "Say how one sees that it is this.";
const FIX: &str = "Say what to do.";
const GUARD: &str = "Say what keeps it from coming back.";

/// A pattern longer than this says no more.
const LONGEST: usize = 120;

/// A rule that holds for this failure and its like, with sentences to be filled in; its id, which is also a name for
/// its file, in front.
pub fn starting_rule(incident: &Incident, diagnosis: &Diagnosis) -> (String, String) {
    let root = incident.root();
    let class = sanitise_line(root.short_class()).into_owned();
    let headline = sanitise_line(root.headline()).into_owned();
    let id = id(if class.is_empty() { &headline } else { &class });
    let bucket = diagnosis.bucket.unwrap_or(match incident.side {
        Some(Side::PythonDriver | Side::PythonWorker) => Bucket::UserCode,
        _ => Bucket::Cluster,
    });
    let mut when = Vec::new();
    if !class.is_empty() {
        when.push(format!("class = [{}]", quoted(&class)));
    }
    if !headline.is_empty() {
        when.push(format!("message = '''{}'''", pattern(&headline)));
    }
    let mut text = String::new();
    let title = if class.is_empty() {
        "this failure"
    } else {
        &class
    };
    let _ = write!(
        text,
        "# Say below what it means and what to do. `causedby rules check` checks it, and `causedby rules show ID` shows\n\
         # what the rules that travel with the program say.\n\
         [[rule]]\nid = {}\nfamily = {}\nbucket = {}\ntitle = {}\n\
         means = \"{MEANS}\"\nwhy = \"{{what}}\"\n\
         when = [{{ of = \"root\", {} }}]\n\
         check = [{{ text = \"{CHECK}\" }}]\n\
         fix = [{{ text = \"{FIX}\" }}]\n\
         guard = [{{ text = \"{GUARD}\" }}]\n",
        quoted(&id),
        quoted(family(bucket)),
        quoted(bucket.word()),
        quoted(&format!("{TITLE}{title}").replace(['{', '}'], "")),
        when.join(", "),
    );
    (id, text)
}

/// Whether nobody has said anything there yet.
pub(super) fn is_unsaid(text: &str) -> bool {
    [MEANS, CHECK, FIX, GUARD].contains(&text) || text.starts_with(TITLE)
}

/// What a rule says so far. Where that is no fix yet, it says where to write one; its file is `file`.
pub(super) fn said_so_far(mut fix: Fix, file: &str) -> Fix {
    fix.steps.retain(|step| !is_unsaid(&step.text));
    let first = fix.steps.iter().find(|step| step.kind == StepKind::Fix);
    match first {
        Some(first) if is_unsaid(&fix.title) => fix.title.clone_from(&first.text),
        Some(_) => {}
        None => {
            fix.title = format!("Your rule {} waits for its fix", fix.rule);
            fix.why = format!("It holds for this failure. Write in it what to do: {file}");
        }
    }
    fix
}

/// `own-acme-error`
fn id(name: &str) -> String {
    let mut id = String::from("own");
    let mut before = ' ';
    for c in name.chars().take(60) {
        if c.is_ascii_alphanumeric() {
            if !before.is_ascii_alphanumeric()
                || (c.is_ascii_uppercase() && before.is_ascii_lowercase())
            {
                id.push('-');
            }
            id.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    id
}

/// What the message says, with what varies left open.
fn pattern(headline: &str) -> String {
    let mut out = String::new();
    let mut end = 0;
    let add = |plain: &str, out: &mut String| {
        out.push_str(&regex::escape(plain).replace('\'', "."));
    };
    for found in VARIES.find_iter(headline) {
        if out.len() > LONGEST {
            return out;
        }
        add(&headline[end..found.start()], &mut out);
        let number = found
            .as_str()
            .bytes()
            .all(|b| b.is_ascii_digit() || b == b'.' || b == b'-');
        out.push_str(if number { r"-?[\d.]+" } else { r".{1,300}?" });
        end = found.end();
    }
    let rest: String = headline[end..].chars().take(LONGEST).collect();
    add(&rest, &mut out);
    out
}

/// A string of TOML.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The family that says least about a fix of that kind.
fn family(bucket: Bucket) -> &'static str {
    match bucket {
        Bucket::Schema => "align-types",
        Bucket::Data => "fix-input-data",
        Bucket::Packaging => "add-missing-jar",
        Bucket::Resource => "find-executor-death",
        Bucket::Sql => "restructure-query",
        Bucket::UserCode => "fix-user-code",
        Bucket::Io => "fix-endpoint",
        Bucket::Py4j => "fix-jvm-call",
        Bucket::Config => "fix-config-value",
        Bucket::Cluster | Bucket::None => "read-other-log",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_varies_is_left_open() {
        let pattern = pattern("no rate for 'SEK' on day 12 in /data/rates (see {x})");
        let regex = Regex::new(&pattern).expect("a pattern");
        assert!(regex.is_match("no rate for 'NOK' on day 3 in /data/other (see {x})"));
        assert!(!regex.is_match("no rates for 'NOK'"));
    }

    #[test]
    fn ids_are_made_of_names() {
        assert_eq!(id("AcmeRateError"), "own-acme-rate-error");
        assert_eq!(id("No space!"), "own-no-space");
    }
}
