//! [`At`]: a spot in words: `incident=2,pane=stages,stage=7`. In and out: the screen that stands there.

use crate::ui::app::App;
use crate::ui::panes::Pane;
use crate::ui::raw::RawLog;
use crate::ui::selection::{Selection, Target};
use crate::ui::trail::Spot;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// A spot: only what differs from where a first screen stands. Numbers count from 1, as on the screen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct At {
    incident: Option<usize>,
    cause: Option<usize>,
    /// 0 for none.
    attempt: Option<usize>,
    stage: Option<usize>,
    fix: Option<usize>,
    pane: Option<Pane>,
    /// A line of the printed trace.
    trace: Option<usize>,
    /// A log and a line of it.
    log: Option<(String, u64)>,
}

const WORDS: &str =
    "incident=N, cause=N, attempt=N, stage=N, fix=N, pane=NAME, trace=N and, last, log=FILE:N";

impl At {
    /// An incident, counted from 1.
    pub fn incident(n: usize) -> Self {
        Self {
            incident: Some(n.max(1)),
            ..Self::default()
        }
    }
}

impl FromStr for At {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut at = Self::default();
        let mut rest = text.trim();
        while !rest.is_empty() {
            // The name of a log may hold anything, so it comes last.
            let (part, more) = match rest.split_once(',') {
                Some(split) if !rest.starts_with("log=") => split,
                _ => (rest, ""),
            };
            rest = more;
            let unknown = || format!("`{part}` is no spot; there are {WORDS}");
            let (name, value) = part.split_once('=').ok_or_else(unknown)?;
            let number = || value.parse().ok().filter(|n| *n > 0).ok_or_else(unknown);
            match name {
                "incident" => at.incident = Some(number()?),
                "cause" => at.cause = Some(number()?),
                "attempt" => at.attempt = Some(value.parse().map_err(|_| unknown())?),
                "stage" => at.stage = Some(number()?),
                "fix" => at.fix = Some(number()?),
                "trace" => at.trace = Some(number()?),
                "pane" => {
                    let pane = Pane::ALL.iter().find(|pane| pane.action().name() == value);
                    at.pane = Some(*pane.ok_or_else(unknown)?);
                }
                "log" => {
                    let (file, line) = value.rsplit_once(':').ok_or_else(unknown)?;
                    let line = line.parse().ok().filter(|n| *n > 0).ok_or_else(unknown)?;
                    at.log = Some((file.to_owned(), line));
                }
                _ => return Err(unknown()),
            }
        }
        Ok(at)
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = [
            ("incident", self.incident),
            ("cause", self.cause),
            ("attempt", self.attempt),
            ("stage", self.stage),
            ("fix", self.fix),
            ("trace", self.trace),
        ];
        let mut parts: Vec<String> = numbers
            .into_iter()
            .filter_map(|(name, number)| Some(format!("{name}={}", number?)))
            .collect();
        parts.extend(
            self.pane
                .map(|pane| format!("pane={}", pane.action().name())),
        );
        parts.extend(
            self.log
                .as_ref()
                .map(|(file, line)| format!("log={file}:{line}")),
        );
        f.write_str(&parts.join(","))
    }
}

impl App {
    /// Where the screen stands.
    pub fn at(&self) -> At {
        let spot = self.spot();
        let rows = Pane::Trace.rows(self.context(), &self.view.folds);
        let usual = rows.selected() == Some(self.cursor(Pane::Trace));
        drop(rows);
        At {
            trace: spot.line.filter(|_| !usual).map(|line| line + 1),
            ..self.at_of(&spot)
        }
    }

    /// Stands on a spot, as far as there is such a one.
    pub fn open_at(&mut self, at: &At) {
        let spot = self.spot_of(at);
        self.go(spot);
        if at.attempt.is_some() && at.trace.is_none() {
            self.show_retold();
        }
    }

    /// The spots under letters, in words.
    pub(in crate::ui) fn marks(&self) -> BTreeMap<String, String> {
        let marks = self.trail.marks();
        marks
            .map(|(letter, spot)| (letter.to_string(), self.at_of(spot).to_string()))
            .collect()
    }

    /// Puts spots under letters again.
    pub(in crate::ui) fn set_marks(&mut self, marks: &BTreeMap<String, String>) {
        for (letter, at) in marks {
            if let (Some(letter), Ok(at)) = (letter.chars().next(), at.parse()) {
                let spot = self.spot_of(&at);
                self.trail.mark(letter, spot);
            }
        }
    }

    fn at_of(&self, spot: &Spot) -> At {
        let (case, there) = (&self.case, spot.selection);
        let first = Selection::first(case);
        let usual = there
            .incident
            .map_or(first, |i| first.follow(Target::Incident(i), case));
        let shown = there.attempt.filter(|_| there.other.is_some());
        let usual_cause = shown.map_or(usual, |a| usual.follow(Target::Attempt(a), case));
        let differs = |here: Option<usize>, usual: Option<usize>| {
            here.filter(|_| here != usual).map(|i| i + 1)
        };
        let name = |log: &RawLog| Some(case.sources.get(log.source())?.name.clone());
        At {
            incident: differs(there.incident, first.incident),
            cause: differs(there.cause, usual_cause.cause),
            attempt: (there.attempt != usual.attempt).then(|| there.attempt.map_or(0, |i| i + 1)),
            stage: differs(there.stage, usual.stage),
            fix: differs(there.fix, usual.fix),
            pane: Some(spot.focus).filter(|pane| *pane != Pane::Trace),
            trace: spot.line.map(|line| line + 1),
            log: spot
                .raw
                .as_ref()
                .and_then(|log| Some((name(log)?, log.line()))),
        }
    }

    fn spot_of(&self, at: &At) -> Spot {
        let case = &self.case;
        let first = Selection::first(case);
        let incident = at
            .incident
            .map_or(first, |i| first.follow(Target::Incident(i - 1), case));
        let known =
            |n: Option<usize>, len: usize| n.and_then(|n| n.checked_sub(1)).filter(|i| *i < len);
        let attempts = incident.incident(case).map_or(0, |i| i.attempts.len());
        let mut there = match known(at.attempt, attempts) {
            Some(attempt) => incident.follow(Target::Attempt(attempt), case),
            None => incident,
        };
        if at.attempt == Some(0) {
            there.attempt = None;
        }
        if let Some(cause) = at.cause {
            there = there.follow(Target::Cause(cause - 1), case);
        }
        let remedies = case.remedies(there.incident).len();
        if at.stage.is_none() {
            there.stage = incident.stage;
        }
        there.stage = known(at.stage, case.story.stages.len()).or(there.stage);
        there.fix = known(at.fix, remedies).or(there.fix);
        let raw = at.log.as_ref().and_then(|(name, line)| {
            let source = case
                .sources
                .list
                .iter()
                .find(|source| source.name == *name)?;
            Some(RawLog::at_line(source.id, *line, case))
        });
        Spot {
            selection: there,
            focus: at.pane.unwrap_or(Pane::Trace),
            line: at.trace.map(|line| line - 1),
            raw,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::keymap::Keymap;
    use crate::ui::sample;
    use crate::ui::theme::{Depth, Theme};
    use std::sync::Arc;

    fn app() -> App {
        let theme = Theme::named("dark", Depth::True).expect("a theme");
        App::new(Arc::new(sample::udf()), Keymap::built_in(), theme)
    }

    #[test]
    fn what_is_written_is_read_back_and_other_words_are_refused() {
        let spots = [
            "",
            "incident=2,cause=1",
            "stage=7,trace=3,pane=stages",
            "log=a, b:c.log:12",
        ];
        for text in spots {
            assert_eq!(
                text.parse::<At>().map(|at| at.to_string()),
                Ok(text.to_owned())
            );
        }
        for text in [
            "incident",
            "incident=0",
            "pane=cellar",
            "log=x",
            "log=x:0",
            "x=1",
            ",",
            "trace=-1",
        ] {
            assert!(text.parse::<At>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_spot_leads_back_to_where_it_was_taken() {
        let mut app = app();
        assert_eq!(app.at(), At::default(), "a first screen needs no words");
        app.propose(Target::Cause(1), None);
        app.propose(Target::Stage(0), None);
        app.propose(Target::Fix(1), None);
        app.show_trace_line(2);
        app.focus(Pane::Stages);
        let at = app.at();
        assert_eq!(
            at.to_string(),
            "cause=2,attempt=0,stage=1,fix=2,trace=3,pane=stages"
        );
        let mut other = self::app();
        other.open_at(&at);
        assert_eq!((other.at(), other.selection()), (at, app.selection()));
        app.focus(Pane::Trace);
        app.follow();
        assert!(app.at().to_string().contains(",log="));
        other.open_at(&app.at());
        assert_eq!(other.at(), app.at());
    }

    #[test]
    fn a_spot_of_another_case_changes_nothing_that_is_not_there() {
        let mut app = app();
        let at = "incident=90,cause=90,attempt=90,stage=90,fix=90,trace=9999,log=nowhere:3";
        app.open_at(&at.parse().expect("a spot"));
        assert_eq!(app.at(), At::default());
    }
}
