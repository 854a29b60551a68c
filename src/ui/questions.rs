//! In: questions whose answers take reading. Out: the answers, as events, from threads of their own.

use super::code::Wish;
use super::event::{Effect, Event};
use super::find::{find, hits};
use super::sift::sift;
use crate::load::Case;
use crate::text::{held, masking};
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Threads that answer at one time: every letter of a search is a question, and a pasted one asks hundreds at once.
const MOST_AT_ONCE: usize = 8;

/// What colours code is loaded whatever else is asked.
const SYNTAXES: &str = "syntaxes";

/// Finds an answer, and may tell something on the way.
type Search = Box<dyn FnOnce(&dyn Fn(Event)) -> Event + Send>;

/// What was asked and is not answered yet.
pub(super) struct Questions {
    answers: (Sender<Answer>, Receiver<Answer>),
    open: usize,
    /// What waits until one of those is answered.
    waiting: VecDeque<(&'static str, Search)>,
    /// The latest questions about a log, for the next match and for all; threads that look for older ones give up.
    next: Arc<AtomicU64>,
    all: Arc<AtomicU64>,
    /// The latest question about the records of a log.
    sifting: Arc<AtomicU64>,
    /// The latest questions about a trace: for the search, and for the filter.
    scans: [Arc<AtomicU64>; 2],
}

enum Answer {
    OnTheWay(Event),
    Last(Event),
}

impl Questions {
    pub(super) fn new() -> Self {
        Self {
            answers: unbounded(),
            open: 0,
            waiting: VecDeque::new(),
            next: Arc::default(),
            all: Arc::default(),
            sifting: Arc::default(),
            scans: Default::default(),
        }
    }

    pub(super) fn are_open(&self) -> bool {
        self.open > 0 || !self.waiting.is_empty()
    }

    /// What was answered since last asked.
    pub(super) fn answered(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        while let Ok(answer) = self.answers.1.try_recv() {
            events.push(match answer {
                Answer::OnTheWay(event) => event,
                Answer::Last(event) => {
                    self.open = self.open.saturating_sub(1);
                    event
                }
            });
        }
        while self.open < MOST_AT_ONCE
            && let Some((name, search)) = self.waiting.pop_front()
        {
            if let Err(error) = self.spawn(name, search) {
                events.push(Event::Said(no_thread(&error)));
            }
        }
        events
    }

    /// Looks up what an effect asks for; other effects ask for nothing.
    pub(super) fn ask(&mut self, case: &Arc<Case>, effect: Effect) -> io::Result<()> {
        let case = Arc::clone(case);
        match effect {
            Effect::Scan {
                generation,
                filter,
                incident,
                query,
            } => {
                let wanted = latest(&self.scans[usize::from(filter)], generation);
                let name = if filter { "scan to filter" } else { "scan" };
                self.start(name, move |_| Event::Scanned {
                    generation,
                    filter,
                    // Who asked on does not want to know any more.
                    lines: if wanted() {
                        query.answer(&case, incident, filter)
                    } else {
                        Vec::new()
                    },
                })
            }
            Effect::FindInLog {
                generation,
                near,
                line,
                forward,
                query,
            } => {
                let wanted = latest(&self.next, generation);
                self.start("find", move |_| {
                    let here = (line != near.line)
                        .then(|| case.sources.place_of_line(near.source, line))
                        .flatten();
                    let lines = case.lines.get(near.source.0 as usize).copied();
                    let from = here.unwrap_or(near);
                    let place = find(
                        &case.sources,
                        &from,
                        lines.unwrap_or(0),
                        forward,
                        &query,
                        wanted,
                    );
                    Event::FoundInLog { generation, place }
                })
            }
            Effect::CountInLog {
                generation,
                source,
                query,
            } => {
                let wanted = latest(&self.all, generation);
                self.start("count", move |on_the_way| {
                    let mut last = Arc::default();
                    if let Some(source) = case.sources.get(source) {
                        hits(source, &query, wanted, |hits| {
                            last = Arc::new(hits.clone());
                            on_the_way(Event::HitsInLog {
                                generation,
                                hits: Arc::clone(&last),
                            });
                        });
                    }
                    Event::HitsInLog {
                        generation,
                        hits: last,
                    }
                })
            }
            Effect::SiftLog {
                generation,
                source,
                query,
            } => {
                let wanted = latest(&self.sifting, generation);
                self.start("sift", move |_| {
                    let dress = case.dresses.get(source.0 as usize).copied();
                    let sifted = case
                        .sources
                        .get(source)
                        .and_then(|source| sift(source, dress.unwrap_or_default(), &query, wanted));
                    Event::Sifted {
                        generation,
                        sifted: sifted.map(Arc::new),
                    }
                })
            }
            Effect::CallOff => {
                self.next.store(u64::MAX, Ordering::Relaxed);
                self.all.store(u64::MAX, Ordering::Relaxed);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Loads what colours code.
    pub(super) fn load(&mut self, syntaxes: Wish) -> io::Result<()> {
        self.start(SYNTAXES, move |_| {
            syntaxes.grant();
            Event::SyntaxesLoaded
        })
    }

    /// Answers on a thread of its own, which may tell something on the way.
    fn start(
        &mut self,
        name: &'static str,
        answer: impl FnOnce(&dyn Fn(Event)) -> Event + Send + 'static,
    ) -> io::Result<()> {
        if self.open >= MOST_AT_ONCE {
            // Of what waits the latest of its kind is wanted alone; each holds a pattern, and a pasted line asks by letters.
            if name != SYNTAXES {
                self.waiting.retain(|(waits, _)| *waits != name);
            }
            self.waiting.push_back((name, Box::new(answer)));
            return Ok(());
        }
        self.spawn(name, Box::new(answer))
    }

    fn spawn(&mut self, name: &str, answer: Search) -> io::Result<()> {
        let sender = self.answers.0.clone();
        let masked = held();
        thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                // Nobody listens any more where the screen is gone.
                let on_the_way = |event| {
                    let _ = sender.send(Answer::OnTheWay(event));
                };
                let last = masking(masked, || answer(&on_the_way)).0;
                let _ = sender.send(Answer::Last(last));
            })?;
        self.open += 1;
        Ok(())
    }
}

/// What is said where a question cannot be answered.
pub(super) fn no_thread(error: &io::Error) -> String {
    format!("that cannot be looked up now, because no thread can be started: {error}")
}

/// Makes a question the latest; whether it still is.
fn latest(which: &Arc<AtomicU64>, generation: u64) -> impl Fn() -> bool + Send + 'static {
    which.store(generation, Ordering::Relaxed);
    let which = Arc::clone(which);
    move || which.load(Ordering::Relaxed) == generation
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crossbeam_channel::bounded;
    use std::time::{Duration, Instant};

    #[test]
    fn however_much_is_asked_at_once_few_threads_answer_all_of_it() {
        asked_a_hundred_times(SYNTAXES, 92, 100);
    }

    #[test]
    fn of_what_waits_the_latest_of_its_kind_is_answered() {
        asked_a_hundred_times("scan", 1, 9);
    }

    fn asked_a_hundred_times(name: &'static str, waiting: usize, answered: usize) {
        let mut questions = Questions::new();
        let (open_gate, gate) = bounded::<()>(0);
        for n in 0..100 {
            let gate = gate.clone();
            let answer = move |_: &dyn Fn(Event)| {
                let _ = gate.recv();
                Event::Said(n.to_string())
            };
            questions.start(name, answer).unwrap();
        }
        assert_eq!((questions.open, questions.waiting.len()), (8, waiting));
        drop(open_gate);
        let (mut said, since) = (0, Instant::now());
        while questions.are_open() && since.elapsed() < Duration::from_secs(60) {
            said += questions.answered().len();
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(said, answered);
    }
}
