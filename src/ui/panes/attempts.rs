//! The attempts of the task that failed and what they say together; other tasks of its stage that failed; executors
//! that were lost.

use crate::diagnosis::Bucket;
use crate::incident::{Attempt, AttemptOutcome, Executor, Verdict};
use crate::text::{Bytes, Millis, Moment, Place};
use crate::ui::context::Context;
use crate::ui::selection::Target;
use crate::ui::theme::Role;
use crate::ui::widgets::{Row, Rows, one_line};
use ratatui::text::Line;

/// Narrower, hosts go without their domain, and the task id goes.
const NARROW: usize = 60;

/// From here on there is room to say of an attempt that it had another cause; its colour says it, too.
const WIDE: usize = 100;

pub(super) struct Attempts<'a>(pub(super) Context<'a>);

/// What a row of the pane is about.
enum Item<'a> {
    Attempt(&'a Attempt),
    Verdict,
    /// What stands above the attempts of other tasks.
    Heading,
    /// An attempt of another task of the same stage.
    Other(&'a Attempt),
    Executor(&'a Executor),
}

impl<'a> Attempts<'a> {
    fn attempts(&self) -> &'a [Attempt] {
        self.0.incident().map_or(&[], |i| &i.attempts)
    }

    fn others(&self) -> &'a [Attempt] {
        self.0.incident().map_or(&[], |i| &i.others)
    }

    /// Those that were lost: the others tell nothing of a failure.
    fn executors(&self) -> impl Iterator<Item = &'a Executor> {
        let executors = self.0.case.story.executors.iter();
        executors.filter(|executor| executor.was_lost())
    }

    fn item(&self, i: usize) -> Option<Item<'a>> {
        let own = self.attempts().len();
        if i < own {
            return Some(Item::Attempt(&self.attempts()[i]));
        }
        let incident = self.0.incident();
        let verdict = usize::from(incident.is_some_and(|i| i.verdict.is_some()));
        if i < own + verdict {
            return Some(Item::Verdict);
        }
        let rest = i - own - verdict;
        let others = self.others();
        match rest.checked_sub(1) {
            None if !others.is_empty() => Some(Item::Heading),
            Some(other) if other < others.len() => Some(Item::Other(&others[other])),
            _ => self
                .executors()
                .nth(rest - with_heading(others))
                .map(Item::Executor),
        }
    }

    fn attempt_row(&self, i: usize, attempt: &Attempt, width: usize) -> Row {
        let cx = &self.0;
        let (glyph, role) = match attempt.outcome {
            AttemptOutcome::Succeeded => ("✓", Role::Succeeded),
            AttemptOutcome::Failed => ("✗", Role::Failed),
            AttemptOutcome::Lost => ("†", Role::Failed),
            AttemptOutcome::Killed => ("⊘", Role::Warning),
            AttemptOutcome::Unknown => ("?", Role::Unknown),
        };
        let mut spans = vec![
            cx.span(Role::Strong, format!("{:>4} ", attempt.number())),
            cx.span(role, format!("{glyph} ")),
        ];
        let before = i.checked_sub(1).and_then(|i| self.attempts().get(i)?.ended);
        if let Some(time) = cx.times.shown(attempt.ended, cx.case.story.first, before) {
            spans.push(cx.span(Role::Dim, format!("{time} ")));
        }
        let narrow = width < NARROW;
        let executor = attempt.executor_told();
        if let Some(executor) = &executor {
            spans.push(cx.span(Role::Text, format!("{} ", one_line(executor))));
        }
        // Which executor says more than which host.
        let host = attempt.host.as_ref();
        if let Some(host) = host.filter(|_| !narrow || executor.is_none()) {
            spans.push(cx.span(Role::Dim, format!("{} ", short_host(host, narrow))));
        }
        if !narrow {
            let tid = attempt.tid_told();
            spans.extend(tid.map(|tid| cx.span(Role::Dim, format!("{tid} "))));
            let took = attempt
                .duration_ms()
                .map(|ms| Millis(f64_of(ms)).to_string());
            let peak = attempt
                .peak_memory
                .map(|bytes| format!("peak {}", Bytes(f64_of(bytes))));
            for told in took.into_iter().chain(peak) {
                spans.push(cx.span(Role::Dim, format!("{told} ")));
            }
        }
        // The class is in the root's line already where it is the same.
        let class = one_line(attempt.class.rsplit(['.', '$']).next().unwrap_or(""));
        let what = [class, one_line(&attempt.message)];
        let what: Vec<&str> = what
            .iter()
            .map(String::as_str)
            .filter(|w| !w.is_empty())
            .collect();
        let differs = attempt.same_cause == Some(false);
        let role = if differs { Role::Warning } else { Role::Dim };
        spans.push(cx.span(role, what.join(": ")));
        let retry = (attempt.number > 0).then(|| format!("retry {}", attempt.number));
        let other = (differs && width >= WIDE).then(|| "another cause".to_owned());
        let tag: Vec<String> = retry.into_iter().chain(other).collect();
        Row {
            // Of the message enough is left to tell it by.
            keeps_tag: true,
            tag: (!tag.is_empty()).then(|| cx.span(role, tag.join(", "))),
            ..Row::new(Line::from(spans)).keeping(2)
        }
    }

    /// `executor 3 † exit 137 host-a added 12:00:01 gone 12:04:40 Command exited with code 137`
    fn executor_row(&self, executor: &Executor, width: usize) -> Row {
        let cx = &self.0;
        let mut spans = vec![
            cx.span(
                Role::Strong,
                format!("executor {} ", one_line(&executor.id)),
            ),
            cx.span(Role::Failed, "† "),
        ];
        let narrow = width < NARROW;
        // What tells most stands where it is never cut off.
        if let Some(code) = executor.exit_code {
            spans.push(cx.span(Role::Text, format!("exit {code} ")));
        }
        if let Some(host) = executor.host.as_ref().filter(|_| !narrow) {
            spans.push(cx.span(Role::Dim, format!("{} ", short_host(host, narrow))));
        }
        let clock = |word: &str, moment: Option<Moment>| {
            let time = moment?.to_string().get(11..19)?.to_owned();
            Some(format!("{word} {time} "))
        };
        let added = clock("added", executor.added).filter(|_| !narrow);
        let gone = clock("gone", executor.removed);
        for told in [added, gone].into_iter().flatten() {
            spans.push(cx.span(Role::Text, told));
        }
        let reason = executor.reason.as_deref().unwrap_or("");
        spans.push(cx.span(Role::Dim, one_line(reason)));
        Row::new(Line::from(spans)).keeping(2)
    }
}

/// Rows that the attempts of other tasks take.
fn with_heading(others: &[Attempt]) -> usize {
    others.len() + usize::from(!others.is_empty())
}

/// The host without its domain where there is little room. An address stays whole: its first number says nothing.
fn short_host(host: &str, narrow: bool) -> String {
    let mut names = host.split('.');
    let short = names
        .next()
        .filter(|h| narrow && h.contains(char::is_alphabetic));
    one_line(short.unwrap_or(host))
}

#[expect(clippy::cast_precision_loss, reason = "shown with two digits")]
fn f64_of(n: u64) -> f64 {
    n as f64
}

impl Rows for Attempts<'_> {
    fn len(&self) -> usize {
        let incident = self.0.incident();
        let verdict = usize::from(incident.is_some_and(|i| i.verdict.is_some()));
        let others = with_heading(self.others());
        self.attempts().len() + verdict + others + self.executors().count()
    }

    fn row(&self, i: usize, width: usize) -> Row {
        match self.item(i) {
            Some(Item::Attempt(attempt) | Item::Other(attempt)) => {
                self.attempt_row(i, attempt, width)
            }
            Some(Item::Verdict) => self.verdict(),
            Some(Item::Heading) => Row::new(self.0.span(Role::Dim, "  other tasks that failed")),
            Some(Item::Executor(executor)) => self.executor_row(executor, width),
            None => Row::default(),
        }
    }

    fn target(&self, i: usize) -> Option<Target> {
        (i < self.attempts().len()).then_some(Target::Attempt(i))
    }

    fn place(&self, i: usize) -> Option<Place> {
        match self.item(i)? {
            // What the executor itself wrote tells most.
            Item::Attempt(attempt) | Item::Other(attempt) => attempt.own_log.or(attempt.place),
            Item::Executor(executor) => executor.place,
            Item::Verdict | Item::Heading => None,
        }
    }

    fn selected(&self) -> Option<usize> {
        self.0.selection.attempt
    }
}

impl Attempts<'_> {
    fn verdict(&self) -> Row {
        let cx = &self.0;
        let text = verdict_line(cx).unwrap_or_default();
        Row::new(cx.span(Role::Strong, format!("  {text}")))
    }
}

/// `same cause, 4 of 4: data or code`
pub(in crate::ui) fn verdict_line(cx: &Context<'_>) -> Option<String> {
    let incident = cx.incident()?;
    let bucket = cx.diagnosis().and_then(|told| told.bucket);
    let speaks_of = if bucket.is_none_or(Bucket::is_of_the_job) {
        "data or code"
    } else {
        "no retry helps"
    };
    let all = incident.attempts.len();
    let same = incident
        .attempts
        .iter()
        .filter(|a| a.same_cause == Some(true))
        .count();
    Some(match incident.verdict? {
        Verdict::Deterministic if all > 1 => {
            format!("same cause, {same} of {all}: {speaks_of}")
        }
        Verdict::Deterministic => format!("same cause each time: {speaks_of}"),
        Verdict::Flaky => format!("this cause in {same} of {all} only"),
        Verdict::Infrastructure => "executors or nodes went away".to_owned(),
    })
}
