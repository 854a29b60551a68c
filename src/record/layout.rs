//! In: a line of text. Out: its [`Head`] by one of the layouts of `assets/formats`, and where its message begins.

use super::clock::Clock;
use super::pattern::{Lazy, lazily, spelt_out};
use super::record::{Head, Level};
use super::spans::{Name, Spans};
use crate::text::own_pattern;
use include_dir::{Dir, include_dir};
use serde::Deserialize;
use std::sync::{LazyLock, Mutex, PoisonError};

static FOLDER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/assets/formats");

/// A person's own layouts, until the first line is read.
static OWN: Mutex<Vec<Layout>> = Mutex::new(Vec::new());

/// The layouts that travel with the program, and a person's own before them.
pub(super) static LAYOUTS: LazyLock<Layouts> = LazyLock::new(|| {
    let own = std::mem::take(&mut *OWN.lock().unwrap_or_else(PoisonError::into_inner));
    let files = FOLDER
        .files()
        .filter(|file| file.path().extension().is_some_and(|e| e == "toml"));
    let built_in = files.map(|file| {
        let text = file.contents_utf8().unwrap_or_default();
        Layout::parse(text).unwrap_or_else(|error| panic!("{}: {error}", file.path().display()))
    });
    Layouts::new(own, built_in)
});

/// Adds a layout of a person's own, the text of a file as those of `assets/formats`: it is tried before the
/// built-in ones, and takes the place of one of the same name. To be called before the first line is read.
///
/// # Errors
/// Its field and what is wrong with it, or the sample that is read otherwise.
pub fn add_layout(text: &str) -> Result<(), String> {
    let file: LayoutFile = toml::from_str(text).map_err(|e| e.to_string())?;
    // What travels with the program was compiled by a test; this was not by anybody.
    own_pattern(&spelt_out(&file.head)).map_err(|e| format!("head: {e}"))?;
    let layout = Layout::of(file)?;
    layout.check()?;
    OWN.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(layout);
    Ok(())
}

/// A layout as its file says it. Where a line has no date, or no logger, the group is simply missing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LayoutFile {
    name: String,
    #[expect(dead_code, reason = "for whoever reads the file")]
    about: String,
    /// What stands before the message, with the groups time, level, thread and logger; words in braces
    /// stand for the pieces of [`PIECES`](super::pattern::PIECES).
    head: String,
    /// The order of the numbers of a time stamp, see [`Clock`].
    #[serde(default)]
    time: Option<String>,
    /// Whether it is tried only when no other fits.
    #[serde(default)]
    fallback: bool,
    sample: Vec<Sample>,
}

/// A line and what its head says; the samples are the layout's test, and a layout is tried only on lines
/// that begin as one of its samples does.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    line: String,
    #[serde(default)]
    time: Option<String>,
    #[serde(default)]
    level: Option<String>,
    #[serde(default)]
    thread: Option<String>,
    #[serde(default)]
    logger: Option<String>,
    message: String,
}

/// One layout.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) name: String,
    head: Lazy,
    pub(super) clock: Option<Clock>,
    fallback: bool,
    firsts: Vec<First>,
    samples: Vec<Sample>,
}

/// What a line may begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum First {
    Digit,
    Capital,
    Small,
    Byte(u8),
}

impl First {
    pub(super) fn of(line: &str) -> Option<Self> {
        match *line.as_bytes().first()? {
            b'0'..=b'9' => Some(Self::Digit),
            b'A'..=b'Z' => Some(Self::Capital),
            b'a'..=b'z' => Some(Self::Small),
            other => Some(Self::Byte(other)),
        }
    }

    /// What lines that look like one of the samples may begin with.
    pub(super) fn all<'s>(samples: impl Iterator<Item = &'s str>) -> Vec<Self> {
        let mut firsts: Vec<_> = samples.filter_map(Self::of).collect();
        firsts.dedup();
        firsts
    }
}

impl Layout {
    fn parse(text: &str) -> Result<Self, String> {
        Self::of(toml::from_str(text).map_err(|e| e.to_string())?)
    }

    fn of(file: LayoutFile) -> Result<Self, String> {
        let clock = match &file.time {
            Some(order) => {
                Some(Clock::new(order).ok_or_else(|| format!("time: no such order: {order}"))?)
            }
            None => None,
        };
        Ok(Self {
            name: file.name,
            head: lazily(file.head),
            clock,
            fallback: file.fallback,
            firsts: First::all(file.sample.iter().map(|s| s.line.as_str())),
            samples: file.sample,
        })
    }

    /// Whether its samples are read as they say.
    fn check(&self) -> Result<(), String> {
        for sample in &self.samples {
            let wrong = |field: &str| format!("sample: {field} is read otherwise: {}", sample.line);
            let (head, at) = self.head_of(&sample.line).ok_or_else(|| wrong("head"))?;
            let level = sample.level.as_deref().map(level_of);
            let fields = [
                ("time", head.time.map(|t| t.to_string()) == sample.time),
                (
                    "level",
                    level.is_none_or(|l| l.is_some() && l == head.level),
                ),
                ("thread", head.thread.as_deref() == sample.thread.as_deref()),
                ("logger", head.logger.as_deref() == sample.logger.as_deref()),
                ("message", sample.line[at..] == sample.message),
            ];
            if let Some((field, _)) = fields.into_iter().find(|(_, right)| !right) {
                return Err(wrong(field));
            }
        }
        if self.samples.is_empty() {
            return Err("sample: a layout needs one".to_owned());
        }
        Ok(())
    }
}

/// All layouts, in the order in which they are tried.
#[derive(Debug)]
pub(super) struct Layouts {
    all: Vec<Layout>,
    has_own: bool,
}

impl Layouts {
    fn new(own: Vec<Layout>, built_in: impl Iterator<Item = Layout>) -> Self {
        let mut layouts: Vec<_> = built_in
            .filter(|layout| own.iter().all(|own| own.name != layout.name))
            .collect();
        // Spark's own pattern is by far the most frequent; a date and a level say the least.
        layouts.sort_by_key(|l| (l.fallback, l.name == "dated", l.name != "spark"));
        Self {
            has_own: !own.is_empty(),
            all: own.into_iter().chain(layouts).collect(),
        }
    }

    /// The head of `line` and where its message begins. The first layout that fits is taken, whatever the
    /// lines before were: the answer depends on nothing but the line.
    pub(super) fn find(&'static self, line: &str) -> Option<(Head, usize)> {
        Some(self.spans(line)?.whole_head(line))
    }

    /// The parts of the head of `line`.
    pub(super) fn spans(&'static self, line: &str) -> Option<Spans<'static>> {
        let first = First::of(line)?;
        let mut layouts = self.all.iter().filter(|l| l.firsts.contains(&first));
        layouts.find_map(|layout| layout.spans(line))
    }

    /// The lines of all samples.
    #[cfg(test)]
    pub(super) fn samples(&self) -> impl Iterator<Item = &str> {
        let samples = self.all.iter().flat_map(|layout| &layout.samples);
        samples.map(|sample| sample.line.as_str())
    }

    /// Whether a person's own are among them: their patterns may tell one digit from another.
    pub(super) fn has_own(&self) -> bool {
        self.has_own
    }

    /// Whether `line` begins with a head.
    pub(super) fn fits(&self, line: &str) -> bool {
        First::of(line).is_some_and(|first| {
            let mut layouts = self.all.iter().filter(|l| l.firsts.contains(&first));
            layouts.any(|layout| layout.head.is_match(line))
        })
    }

    /// Whether `line` begins with more of a head than a date and a level.
    pub(super) fn fits_closely(&self, line: &str) -> bool {
        First::of(line).is_some_and(|first| {
            let mut layouts = self
                .all
                .iter()
                .filter(|l| !l.fallback && l.firsts.contains(&first));
            layouts.any(|layout| layout.head.is_match(line))
        })
    }
}

impl Layout {
    /// The head of a line, without the layout's name.
    fn head_of(&self, line: &str) -> Option<(Head, usize)> {
        Some(self.spans(line)?.head(line))
    }

    fn spans(&self, line: &str) -> Option<Spans<'_>> {
        // Most lines fit no layout, and groups cost more than to see that.
        if !self.head.is_match(line) {
            return None;
        }
        let found = self.head.captures(line)?;
        let at = found.get(0).map_or(0, |m| m.end());
        Some(Spans {
            layout: self,
            time: found.name("time").map(|m| m.range()),
            level: found.name("level").and_then(|m| level_of(m.as_str())),
            thread: found.name("thread").map(Name::of),
            logger: found.name("logger").map(Name::of),
            message_at: at + tag(&line[at..]),
        })
    }
}

/// The length of a tag that a platform writes between head and message: Databricks' `[ReplId-1a2b] `.
fn tag(message: &str) -> usize {
    message
        .strip_prefix("[ReplId-")
        .and_then(|rest| rest.find("] "))
        .filter(|&end| end < 64)
        .map_or(0, |end| "[ReplId-".len() + end + "] ".len())
}

/// A level by its name or its letter, in capitals or not.
pub(super) fn level_of(name: &str) -> Option<Level> {
    const NAMES: [(&str, Level); 17] = [
        ("INFO", Level::Info),
        ("WARN", Level::Warn),
        ("WARNING", Level::Warn),
        ("ERROR", Level::Error),
        ("DEBUG", Level::Debug),
        ("TRACE", Level::Debug),
        ("FATAL", Level::Fatal),
        ("CRITICAL", Level::Fatal),
        ("SEVERE", Level::Error),
        ("NOTICE", Level::Info),
        ("I", Level::Info),
        ("W", Level::Warn),
        ("E", Level::Error),
        ("F", Level::Fatal),
        ("ERR", Level::Error),
        ("EMERGENCY", Level::Fatal),
        ("ALERT", Level::Fatal),
    ];
    NAMES
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(name))
        .map(|(_, level)| *level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_read_as_they_say() {
        for layout in &LAYOUTS.all {
            assert!(!layout.samples.is_empty(), "{}", layout.name);
            for sample in &layout.samples {
                let place = format!("{}: {}", layout.name, sample.line);
                let (head, at) = LAYOUTS.find(&sample.line).expect(&place);
                assert_eq!(head.layout, layout.name, "{place}");
                assert_eq!(head.time.map(|t| t.to_string()), sample.time, "{place}");
                let level = sample.level.as_deref().map(|l| level_of(l).expect(&place));
                assert_eq!(head.level, level, "{place}");
                assert_eq!(head.thread.as_deref(), sample.thread.as_deref(), "{place}");
                assert_eq!(head.logger.as_deref(), sample.logger.as_deref(), "{place}");
                assert_eq!(&sample.line[at..], sample.message, "{place}");
            }
        }
    }

    #[test]
    fn layouts_of_ones_own_are_checked_by_their_samples() {
        let layout = |sample: &str| {
            format!(
                "name = \"tides\"\nabout = \"x\"\nhead = '^<{{level}}> '\n\n[[sample]]\nline = '<WARN> ebb'\n{sample}"
            )
        };
        let parsed = |text: &str| Layout::parse(text).and_then(|layout| layout.check());
        assert_eq!(parsed(&layout("level = 'WARN'\nmessage = 'ebb'")), Ok(()));
        let wrong = parsed(&layout("level = 'INFO'\nmessage = 'ebb'")).expect_err("another level");
        assert!(
            wrong.starts_with("sample: level is read otherwise"),
            "{wrong}"
        );
        let broken = layout("message = 'ebb'").replace("'^<", "'^(<");
        let wrong = add_layout(&broken).expect_err("no pattern");
        assert!(wrong.starts_with("head: "), "{wrong}");
        let wrong = parsed(&layout("colour = 'red'")).expect_err("an unknown field");
        assert!(wrong.contains("colour"), "{wrong}");
    }

    #[test]
    fn a_sample_fits_no_other_layout() {
        for layout in LAYOUTS.all.iter().filter(|l| !l.fallback) {
            for other in &LAYOUTS.all {
                for sample in other.samples.iter().filter(|_| other.name != layout.name) {
                    let line = &sample.line;
                    assert!(!layout.head.is_match(line), "{}: {line}", layout.name);
                }
            }
        }
    }

    #[test]
    fn text_of_traces_is_no_head() {
        for line in [
            "\tat org.acme.Tides.read(Tides.java:7)",
            "Caused by: ERROR XSDB6: Another instance of Derby",
            "ERROR XSDB6: Another instance of Derby",
            "WARNING: Using incubator modules: jdk.incubator.vector",
            "Traceback (most recent call last):",
            "[2024-01-02 03:04:05.678]Container exited with a non-zero exit code 137.",
            "org.apache.spark.SparkException: Job aborted.",
            "[UNRESOLVED_COLUMN] A column",
            "== SQL ==",
            "",
        ] {
            assert!(!LAYOUTS.fits(line), "{line}");
        }
    }
}
