//! In: a line with what a shipper put in front of it. Out: the line without, by the rules of
//! `assets/formats/shippers`, and whose output it is.

use super::dress::Dress;
use super::layout::{First, LAYOUTS};
use super::pattern::{Lazy, lazily};
use include_dir::{Dir, include_dir};
use serde::Deserialize;
use std::borrow::Cow;
use std::sync::{LazyLock, Mutex, PoisonError};

static FOLDER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/assets/formats/shippers");

/// A person's own rules, until the first line is read.
static OWN: Mutex<Vec<Shipper>> = Mutex::new(Vec::new());

/// So many rules fit into a [`Dress`].
const MOST: usize = u64::BITS as usize;

/// The rules that travel with the program, and a person's own before them.
pub(super) static SHIPPERS: LazyLock<Shippers> = LazyLock::new(|| {
    let mut shippers = std::mem::take(&mut *OWN.lock().unwrap_or_else(PoisonError::into_inner));
    let files = FOLDER.files().map(|file| {
        let text = file.contents_utf8().unwrap_or_default();
        Shipper::parse(text).unwrap_or_else(|error| panic!("{}: {error}", file.path().display()))
    });
    let mut built_in: Vec<_> = files.collect();
    built_in.retain(|built_in| shippers.iter().all(|own| own.name != built_in.name));
    // The plain time is the beginning of several others.
    built_in.sort_by_key(|s| s.when != When::Always);
    let has_own = !shippers.is_empty();
    shippers.extend(built_in);
    shippers.truncate(MOST);
    Shippers {
        all: shippers,
        has_own,
    }
});

/// Adds a rule of a person's own, the text of a file as those of `assets/formats/shippers`: it is tried before the
/// built-in ones, and takes the place of one of the same name. To be called before the first line is read.
///
/// # Errors
/// Its field and what is wrong with it, or the sample of which something else is left.
pub fn add_shipper(text: &str) -> Result<(), String> {
    let shipper = Shipper::parse(text)?;
    shipper.check()?;
    OWN.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(shipper);
    Ok(())
}

/// A shipper as its file says it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ShipperFile {
    name: String,
    #[expect(dead_code, reason = "for whoever reads the file")]
    about: String,
    /// What stands in front, with the groups `stream` (whose output), `output` (stdout or stderr),
    /// `partial` (the line goes on in the next), `stamp` (the time of a store that may tell the newest first) and `rest` (where something stands behind as well).
    prefix: String,
    when: When,
    /// A line that stands before those with the prefix, and says that they follow.
    #[serde(default)]
    announced: Option<String>,
    #[serde(default)]
    quotes: Option<Quotes>,
    sample: Vec<Sample>,
}

/// A line and what is left of it; the samples are the rule's test.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    line: String,
    rest: String,
    #[serde(default)]
    stream: Option<String>,
}

/// When a rule holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum When {
    /// Its shape is unmistakable.
    Always,
    /// Where no layout knows the whole line, or only its date.
    NoHead,
    /// Where a layout knows the rest.
    BeforeHead,
    /// In a source in which log lines were seen behind it.
    Seen,
    /// In a source most of whose lines have it.
    Mostly,
    /// The same, or in one in which all that speaks has it, or a line announces it, as in a letter.
    Spoken,
}

/// How quotes within the rest are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Quotes {
    /// As in CSV.
    Doubled,
}

/// One rule.
#[derive(Debug)]
struct Shipper {
    name: String,
    prefix: Lazy,
    when: When,
    announced: Option<Lazy>,
    doubled: bool,
    firsts: Vec<First>,
    samples: Vec<Sample>,
}

/// What is left of a line.
#[derive(Debug, PartialEq)]
pub(super) struct Stripped<'t> {
    pub(super) rest: Cow<'t, str>,
    pub(super) stream: Option<&'t str>,
    pub(super) output: Option<&'t str>,
    pub(super) stamp: Option<&'t str>,
    pub(super) partial: bool,
}

/// All rules, in the order in which they are tried.
#[derive(Debug)]
pub(super) struct Shippers {
    all: Vec<Shipper>,
    has_own: bool,
}

impl Shippers {
    /// Takes one prefix off; `None` where there is none.
    pub(super) fn strip<'t>(&self, text: &'t str, dress: Dress) -> Option<Stripped<'t>> {
        let first = First::of(text)?;
        let mut candidates = (0..)
            .zip(&self.all)
            .filter(|(_, s)| s.firsts.contains(&first));
        candidates.find_map(|(bit, shipper)| match shipper.when {
            When::Seen | When::Mostly | When::Spoken if !dress.wears(bit) => None,
            When::NoHead => shipper.strip(text).filter(|_| !LAYOUTS.fits_closely(text)),
            When::BeforeHead => shipper.strip(text).filter(|s| LAYOUTS.fits(&s.rest)),
            _ => shipper.strip(text),
        })
    }

    /// The lines of all samples.
    #[cfg(test)]
    pub(super) fn samples(&self) -> impl Iterator<Item = &str> {
        let samples = self.all.iter().flat_map(|shipper| &shipper.samples);
        samples.map(|sample| sample.line.as_str())
    }

    /// Whether a person's own are among them: their patterns may tell one digit from another.
    pub(super) fn has_own(&self) -> bool {
        self.has_own
    }

    /// The rules that depend on the whole source: their numbers and when they hold.
    pub(super) fn of_sources(&self) -> impl Iterator<Item = (u32, When)> {
        let rules = (0..).zip(self.all.iter().map(|s| s.when));
        rules.filter(|(_, when)| matches!(when, When::Seen | When::Mostly | When::Spoken))
    }

    /// Takes the prefix of one rule off, whatever the source wears.
    pub(super) fn strip_by<'t>(&self, rule: u32, text: &'t str) -> Option<Stripped<'t>> {
        let shipper = self.all.get(rule as usize)?;
        let first = First::of(text)?;
        // A pattern that is never asked is never compiled.
        let may = shipper.firsts.contains(&first);
        may.then(|| shipper.strip(text)).flatten()
    }

    /// Whether a line says that others follow with the prefix of a rule.
    pub(super) fn announces(&self, rule: u32, line: &str) -> bool {
        let announced = self
            .all
            .get(rule as usize)
            .and_then(|s| s.announced.as_ref());
        announced.is_some_and(|announced| announced.is_match(line))
    }

    /// The number of a rule.
    pub(super) fn number(&self, name: &str) -> Option<u32> {
        (0..)
            .zip(&self.all)
            .find(|(_, s)| s.name == name)
            .map(|(number, _)| number)
    }
}

impl Shipper {
    fn parse(text: &str) -> Result<Self, String> {
        let file: ShipperFile = toml::from_str(text).map_err(|e| e.to_string())?;
        Ok(Self {
            name: file.name,
            prefix: lazily(file.prefix),
            when: file.when,
            announced: file.announced.map(lazily),
            doubled: file.quotes == Some(Quotes::Doubled),
            firsts: First::all(file.sample.iter().map(|s| s.line.as_str())),
            samples: file.sample,
        })
    }

    /// Whether its samples are stripped as they say.
    fn check(&self) -> Result<(), String> {
        if self.samples.is_empty() {
            return Err(format!("{}: it has no sample", self.name));
        }
        for sample in &self.samples {
            let Some(stripped) = self.strip(&sample.line) else {
                return Err(format!(
                    "{}: nothing is taken off `{}`",
                    self.name, sample.line
                ));
            };
            if stripped.rest != sample.rest || stripped.stream != sample.stream.as_deref() {
                let (stream, rest) = (stripped.stream.unwrap_or_default(), stripped.rest);
                return Err(format!(
                    "{}: of `{}` is left `{rest}`, of stream `{stream}`",
                    self.name, sample.line
                ));
            }
        }
        Ok(())
    }

    fn strip<'t>(&self, text: &'t str) -> Option<Stripped<'t>> {
        // Most lines have no prefix, and groups cost more than to see that.
        if !self.prefix.is_match(text) {
            return None;
        }
        let found = self.prefix.captures(text)?;
        let group = |name| found.name(name).map(|m| m.as_str());
        let end = found.get(0).map_or(0, |m| m.end());
        let rest = group("rest").unwrap_or(&text[end..]);
        let rest = if self.doubled && rest.contains("\"\"") {
            Cow::Owned(rest.replace("\"\"", "\""))
        } else {
            Cow::Borrowed(rest)
        };
        // A rule that took nothing would be tried for ever.
        (rest.len() < text.len()).then_some(Stripped {
            rest,
            stream: group("stream"),
            output: group("output"),
            stamp: group("stamp"),
            partial: group("partial").is_some(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_stripped_as_they_say() {
        for (bit, shipper) in (0..).zip(&SHIPPERS.all) {
            let dress = Dress::default().with(bit);
            assert!(!shipper.samples.is_empty(), "{}", shipper.name);
            for sample in &shipper.samples {
                let place = format!("{}: {}", shipper.name, sample.line);
                let stripped = SHIPPERS.strip(&sample.line, dress).expect(&place);
                assert_eq!(stripped.rest, sample.rest, "{place}");
                assert_eq!(stripped.stream, sample.stream.as_deref(), "{place}");
            }
        }
    }

    #[test]
    fn lines_of_logs_keep_their_heads() {
        for line in [
            "24/01/02 03:04:05 INFO Tides: ebb",
            "2024-01-02T03:04:05.678Z INFO  [main] org.acme.Tides - ebb",
            "[2024-01-02, 03:04:05 UTC] {taskinstance.py:1937} ERROR - Task failed",
            "11:48:40  WARN  org.acme.Tides  - ebb",
            "[2024-01-02 03:04:05.678]Container exited with a non-zero exit code 137.",
            "status | count",
            "> df.show()",
            "Exception in thread \"main\" java.lang.Error: x",
        ] {
            assert_eq!(SHIPPERS.strip(line, Dress::default()), None, "{line}");
        }
    }
}
