//! In: the parts of an event log, in order. Out: the [`EventLog`] they make.

use super::event::{Event, JobStart, Line, Scope, StageInfo, TaskEnd, TaskInfo, TaskStart};
use super::event_log::{
    AppEnd, ENDINGS_CAP, Ending, EventLog, ExecutorRun, PartRead, StageRun, TEXT_CAP, TaskEnding,
};
use super::lines::{Lines, RawLine};
use super::measure::measures;
use super::said::said;
use super::skim::{Skim, Told};
use super::slim::without_accumulables;
use super::sql::Plans;
use crate::fact::exit_code;
use crate::text::{Moment, Place, SourceId, Symbol, beginning};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::{self, Read};
use std::sync::Arc;

/// Most bytes of different texts that are kept whole; further ones keep their first line.
const TEXTS_CAP: usize = 32 << 20;
/// Most bytes of a further text's first line.
pub(super) const FIRST_LINE_CAP: usize = 512;
/// Most attempts that can run at one time; more starts without ends are not followed.
const RUNNING_CAP: usize = 1 << 20;
/// Most names of operators of one stage.
const OPERATORS_OF_STAGE: usize = 64;
/// Most stage attempts, jobs, SQL executions and the like, each.
pub(super) const KEYS_CAP: usize = 50_000;
/// Most executors.
const EXECUTORS_CAP: usize = 20_000;

/// Bytes that are read at a time.
const BLOCK: usize = 256 << 10;

/// Reads the parts of an event log, in order. What broke a part off, where it did not end well, is returned
/// beside the log; what was read before it counts.
pub fn read<R: Read>(
    parts: impl IntoIterator<Item = (SourceId, R)>,
) -> (EventLog, Vec<(SourceId, io::Error)>) {
    let mut reading = Reading::default();
    let mut broken = Vec::new();
    let (mut block, mut skim) = (vec![0; BLOCK], Skim::default());
    for (source, mut input) in parts {
        reading.begin(source);
        loop {
            match input.read(&mut block) {
                Ok(0) => break,
                Ok(n) => {
                    skim.read(&block[..n]);
                    reading.block(&block[..n], &skim);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    broken.push((source, error));
                    break;
                }
            }
        }
        reading.end();
    }
    (reading.finish(), broken)
}

/// An event log while it is being read: its parts one after the other, each in blocks of any size.
#[derive(Debug, Default)]
pub struct Reading {
    pub(super) log: EventLog,
    /// The part that is being read, and its lines.
    part: PartRead,
    lines: Lines,
    running: HashMap<u64, TaskEnding>,
    executors: HashMap<Symbol, usize>,
    texts: HashSet<Arc<str>>,
    texts_bytes: usize,
    pub(super) plans: Plans,
    /// Ids of counters whose values are of use.
    pub(super) wanted: HashSet<u64>,
    /// Room for a line without what is not used of it.
    scratch: Vec<u8>,
    /// What is told of the end of a task that runs.
    nothing: Arc<str>,
}

impl Reading {
    /// The next part follows.
    pub fn begin(&mut self, source: SourceId) {
        self.part = PartRead {
            source,
            ..PartRead::default()
        };
        self.lines = Lines::default();
    }

    /// The next block of the part, and what was skimmed of it.
    pub fn block(&mut self, block: &[u8], skim: &Skim) {
        let mut lines = std::mem::take(&mut self.lines);
        lines.block(block, skim, |line, told| self.line(line, told, &skim.names));
        self.lines = lines;
    }

    /// The part has ended; what was read of it.
    pub fn end(&mut self) -> PartRead {
        let lines = std::mem::take(&mut self.lines);
        lines.finish(|line, told| self.line(line, told, ""));
        self.log.parts.push(self.part);
        self.part
    }

    /// The whole log.
    pub fn finish(mut self) -> EventLog {
        let mut never: Vec<_> = self.running.into_values().collect();
        never.sort_by_key(|task| task.tid);
        self.log.never_ended = never;
        self.log
    }

    fn line(&mut self, line: RawLine<'_>, told: &Told, names: &str) {
        self.part.lines += 1;
        let place = Place {
            source: self.part.source,
            start: line.start,
            bytes: u32::try_from(line.bytes.len()).unwrap_or(u32::MAX),
            line: line.number,
            part: 0,
        };
        match told {
            Told::Started(task) => self.task_start(&task.start(names), place),
            Told::Finished(task, metrics) => {
                self.task_end(&task.end(metrics, names), None, place);
            }
            Told::Unknown => {
                if !self.parse(line, place) {
                    self.part.unread += line.length;
                }
            }
        }
    }

    /// Whether the line was understood.
    fn parse(&mut self, line: RawLine<'_>, place: Place) -> bool {
        if line.bytes.iter().all(u8::is_ascii_whitespace) && line.length < 64 {
            return true;
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        let parsed = match without_accumulables(line.bytes, &mut scratch).map(Line::parse) {
            None | Some(Line::NotUnderstood) => Line::parse(line.bytes),
            Some(parsed) => parsed,
        };
        let understood = !matches!(parsed, Line::NotUnderstood);
        if let Line::Event(event) = parsed {
            self.event(event, line.bytes, place);
        }
        self.scratch = scratch;
        understood
    }

    fn event(&mut self, event: Event<'_>, line: &[u8], place: Place) {
        let text = said(&event).map(|text| self.text(&text));
        match event {
            Event::LogStart(start) => self.log.spark = owned(start.version),
            Event::ApplicationStart(start) => {
                self.log.app_id = owned(start.id);
                self.log.app_name = owned(start.name);
                self.log.started = self.moment(start.time);
            }
            Event::ApplicationEnd(end) => {
                self.log.end = Some(AppEnd {
                    time: self.moment(end.time),
                    exit_code: end.exit_code,
                    place,
                });
            }
            Event::Environment(environment) => {
                let jvm = |key: &str| {
                    let value = environment.jvm.get(key)?.as_str()?;
                    Some(value.trim_start_matches("version ").to_owned())
                };
                self.log.environment = Some(place);
                self.log.scala = jvm("Scala Version");
                self.log.java = jvm("Java Version");
                let settings = environment.settings.into_iter().take(KEYS_CAP);
                self.log.settings.extend(settings.map(|(key, value)| {
                    let value = match value {
                        serde_json::Value::String(text) => text,
                        other => other.to_string(),
                    };
                    (key, value)
                }));
            }
            Event::ExecutorAdded(added) => {
                let time = self.moment(added.time);
                if let Some(executor) = self.executor(&added.id, place) {
                    executor.host = added.info.host.map(|host| Symbol::new(&host));
                    executor.cores = added.info.cores;
                    executor.added = time;
                }
            }
            Event::ExecutorRemoved(removed) => {
                let time = self.moment(removed.time);
                if let Some(executor) = self.executor(&removed.id, place) {
                    executor.removed = time;
                    executor.exit_code = text.as_deref().and_then(exit_code);
                    executor.reason = text;
                    executor.place = place;
                }
            }
            Event::JobStart(start) => self.job_start(&start, place),
            Event::JobEnd(end) => {
                let completed = self.moment(end.time);
                let job = self.log.jobs.entry(end.id).or_default();
                job.completed = completed;
                let succeeded = end.result.result == "JobSucceeded";
                job.succeeded = Some(succeeded);
                self.plans.failed.extend(job.sql.filter(|_| !succeeded));
                job.failure = text;
                job.place = Some(place);
            }
            Event::StageSubmitted(submitted) => {
                self.stage(&submitted.stage, Some(place));
            }
            Event::StageCompleted(completed) => {
                for counter in &completed.stage.counters {
                    self.counted(counter.id, counter.value);
                }
                if let Some(stage) = self.stage(&completed.stage, Some(place)) {
                    stage.failure = text;
                }
            }
            Event::TaskStart(start) => self.task_start(&start, place),
            Event::TaskEnd(end) => self.task_end(&end, text, place),
            Event::SpeculativeTaskSubmitted(task) => {
                let key = (task.stage_id, task.stage_attempt_id);
                if let Some(stage) = self.log.stages.get_mut(&key) {
                    stage.speculated += 1;
                }
            }
            Event::SqlStart(start) => self.sql_start(start, measures(line), place),
            Event::SqlUpdate(update) => self.sql_update(&update, measures(line)),
            Event::DriverCounters(told) => {
                for (id, value) in told.values {
                    self.counted(id, Some(value));
                }
            }
            Event::SqlEnd(end) => self.sql_end(&end, text, place),
            Event::QueryTerminated(_) => {
                if let Some(text) = text
                    && self.log.broken_queries.len() < KEYS_CAP
                {
                    self.log.broken_queries.push((text, place));
                }
            }
        }
    }

    fn job_start(&mut self, start: &JobStart<'_>, place: Place) {
        let submitted = self.moment(start.time);
        if self.log.jobs.len() >= KEYS_CAP {
            self.log.left_out.note("jobs", KEYS_CAP);
            return;
        }
        let properties = &start.properties;
        let job = self.log.jobs.entry(start.id).or_default();
        let name = [&properties.description, &properties.call_site];
        let name = name.into_iter().flatten().find(|name| !name.is_empty());
        job.name = name
            .map_or("", |name| beginning(name, FIRST_LINE_CAP))
            .into();
        job.submitted = submitted;
        job.sql = properties.sql.as_deref().and_then(|id| id.parse().ok());
        job.streaming = properties.streaming_query.is_some();
        job.stages = start.stages.iter().map(|stage| stage.id).collect();
        job.place = Some(place);
        for info in &start.stages {
            let id = start.id;
            if let Some(stage) = self.stage(info, None)
                && !stage.jobs.contains(&id)
            {
                stage.jobs.push(id);
            }
        }
    }

    fn task_start(&mut self, start: &TaskStart<'_>, place: Place) {
        self.moment(Some(start.task.launched));
        if self.running.len() < RUNNING_CAP {
            let started = ending(
                (start.stage, start.stage_attempt),
                &start.task,
                Ending::Never,
                Arc::clone(&self.nothing),
                place,
            );
            self.running.insert(start.task.tid, started);
        }
    }

    fn task_end(&mut self, end: &TaskEnd<'_>, text: Option<Arc<str>>, place: Place) {
        self.running.remove(&end.task.tid);
        self.moment(Some(end.task.launched));
        self.moment(Some(end.task.finished));
        let key = (end.stage, end.stage_attempt);
        if !self.has_room(key) {
            return;
        }
        let stage = self.log.stages.entry(key).or_default();
        let tasks = &mut stage.tasks;
        tasks.speculative += u64::from(end.task.speculative);
        let reason = &end.reason;
        let how = match &*reason.reason {
            "Success" => None,
            "ExceptionFailure" => Some(Ending::Threw {
                class: Symbol::new(reason.class.as_deref().unwrap_or("")),
            }),
            "FetchFailed" => Some(Ending::FetchFailed {
                from: reason
                    .block_manager
                    .as_ref()
                    .and_then(|from| from.executor.as_deref().map(Symbol::new)),
            }),
            "ExecutorLostFailure" => Some(Ending::ExecutorLost {
                caused_by_app: reason.caused_by_app.unwrap_or(true),
            }),
            "TaskKilled" => Some(Ending::Killed),
            "Resubmitted" => Some(Ending::Resubmitted),
            _ => Some(Ending::Other),
        };
        match how {
            None => tasks.succeeded += 1,
            Some(Ending::Killed) => tasks.killed += 1,
            // It had been counted as finished, and it is no failure of the task.
            Some(Ending::Resubmitted) => {}
            Some(_) => tasks.failed += 1,
        }
        if let Some(metrics) = &end.metrics {
            tasks.push(end, metrics, place);
        }
        if how.is_some() && self.log.endings.len() >= ENDINGS_CAP {
            let left_out = &mut self.log.left_out;
            left_out.note("unfinished attempts of an event log", ENDINGS_CAP);
        } else if let Some(how) = how {
            let mut ending = ending(key, &end.task, how, text.unwrap_or_default(), place);
            ending.peak_memory = end
                .metrics
                .as_ref()
                .and_then(|m| u64::try_from(m.peak_memory).ok())
                .filter(|bytes| *bytes > 0);
            self.log.endings.push(ending);
        }
    }

    /// Whether a stage attempt is kept; one too many is noted.
    fn has_room(&mut self, stage: (u32, u32)) -> bool {
        let kept = self.log.stages.len() < KEYS_CAP || self.log.stages.contains_key(&stage);
        if !kept {
            self.log.left_out.note("stage attempts", KEYS_CAP);
        }
        kept
    }

    /// The stage attempt of `info`, with what `info` tells of it; `None` where there are too many.
    fn stage(&mut self, info: &StageInfo<'_>, place: Option<Place>) -> Option<&mut StageRun> {
        let (submitted, completed) = (self.moment(info.submitted), self.moment(info.completed));
        let key = (info.id, info.attempt);
        if !self.has_room(key) {
            return None;
        }
        let jobs = match info.attempt {
            0 => Vec::new(),
            // A later attempt is not listed by any job; it belongs to those of the first.
            _ => self
                .log
                .stages
                .get(&(info.id, 0))
                .map_or_else(Vec::new, |first| first.jobs.clone()),
        };
        let stage = self.log.stages.entry(key).or_insert_with(|| StageRun {
            jobs,
            ..StageRun::default()
        });
        if let Some(name) = &info.name {
            stage.name = beginning(name, FIRST_LINE_CAP).into();
        }
        stage.total = info.tasks.or(stage.total);
        if stage.operators.is_empty() {
            stage.operators = operators_of(info);
        }
        // A job lists stages as they are planned; only the stage's own events tell that it ran.
        if place.is_some() {
            stage.submitted = submitted.or(stage.submitted);
            stage.completed = completed.or(stage.completed);
            stage.place = place;
        }
        Some(stage)
    }

    fn executor(&mut self, id: &str, place: Place) -> Option<&mut ExecutorRun> {
        let index = match self.executors.get(id) {
            Some(index) => *index,
            None if self.log.executors.len() >= EXECUTORS_CAP => {
                self.log.left_out.note("executors", EXECUTORS_CAP);
                return None;
            }
            None => {
                let id = Symbol::new(id);
                self.log.executors.push(ExecutorRun {
                    id: id.clone(),
                    host: None,
                    cores: None,
                    added: None,
                    removed: None,
                    reason: None,
                    exit_code: None,
                    place,
                });
                let index = self.log.executors.len() - 1;
                self.executors.insert(id, index);
                index
            }
        };
        self.log.executors.get_mut(index)
    }

    /// The moment of that many milliseconds, which also widens the time of the log; 0 and less tell nothing.
    pub(super) fn moment(&mut self, millis: Option<i64>) -> Option<Moment> {
        let moment = Moment::from_millis(millis.filter(|millis| *millis > 0)?);
        let log = &mut self.log;
        log.first = Some(log.first.map_or(moment, |first| first.min(moment)));
        log.last = Some(log.last.map_or(moment, |last| last.max(moment)));
        Some(moment)
    }

    /// The text, shared with all that say the same.
    fn text(&mut self, text: &str) -> Arc<str> {
        let whole = beginning(text, TEXT_CAP);
        if let Some(known) = self.texts.get(whole) {
            return Arc::clone(known);
        }
        let kept = if self.texts_bytes + whole.len() <= TEXTS_CAP {
            whole
        } else {
            beginning(whole.lines().next().unwrap_or(""), FIRST_LINE_CAP)
        };
        let shared: Arc<str> = Arc::from(kept);
        if kept.len() == whole.len() {
            self.texts_bytes += kept.len();
            self.texts.insert(Arc::clone(&shared));
        }
        shared
    }
}

fn ending(
    (stage, stage_attempt): (u32, u32),
    task: &TaskInfo<'_>,
    ending: Ending,
    text: Arc<str>,
    place: Place,
) -> TaskEnding {
    let moment = |millis: i64| (millis > 0).then(|| Moment::from_millis(millis));
    TaskEnding {
        stage,
        stage_attempt,
        index: task.index,
        attempt: task.attempt,
        tid: task.tid,
        executor: Symbol::new(&task.executor),
        host: Symbol::new(&task.host),
        launched: moment(task.launched),
        ended: moment(task.finished),
        speculative: task.speculative,
        peak_memory: None,
        ending,
        text,
        place,
    }
}

/// The operators that made the data of a stage, each once.
fn operators_of(info: &StageInfo<'_>) -> Vec<Symbol> {
    let mut names: Vec<Symbol> = Vec::new();
    for rdd in &info.rdds {
        let scope = rdd.scope.as_deref().unwrap_or("");
        if let Ok(scope) = serde_json::from_str::<Scope<'_>>(scope) {
            let name = beginning(scope.name.trim(), FIRST_LINE_CAP);
            if names.len() < OPERATORS_OF_STAGE && names.iter().all(|known| &**known != name) {
                names.push(Symbol::new(name));
            }
        }
    }
    names
}

fn owned(text: Option<Cow<'_, str>>) -> Option<String> {
    text.map(|text| beginning(&text, FIRST_LINE_CAP).to_owned())
        .filter(|text| !text.is_empty())
}
