//! What reaches the screen from outside, and what it asks of the loop that runs it.

use super::find::Hits;
use super::query::Query;
use super::session::At;
use super::sift::Sifted;
use super::theme::Theme;
use crate::load::Case;
use crate::text::{Place, SourceId};
use std::sync::Arc;

/// What reaches the screen.
#[derive(Debug, Clone)]
pub enum Event {
    /// A key, the mouse, a paste, a new size.
    Input(crossterm::event::Event),
    /// A newer answer; provisional ones come while reading goes on.
    Case(Arc<Case>),
    /// How far the reading is, in words; `None` where it has ended.
    Reading(Option<String>),
    /// Whether what grows is followed from now on.
    Follows(bool),
    /// The lines of a trace that match, as asked for by [`Effect::Scan`].
    Scanned {
        /// As in the effect.
        generation: u64,
        /// Whether this is the filter's answer, else the search's.
        filter: bool,
        /// Indexes into the incident's `trace`.
        lines: Vec<usize>,
    },
    /// The next match in a log, as asked for by [`Effect::FindInLog`].
    FoundInLog {
        /// As in the effect.
        generation: u64,
        /// Where it is; `None` where there is none.
        place: Option<Place>,
    },
    /// The records of a log that pass the filter, as asked for by [`Effect::SiftLog`]; `None` where nobody wants to
    /// know any more.
    Sifted {
        /// As in the effect.
        generation: u64,
        /// Their lines.
        sifted: Option<Arc<Sifted>>,
    },
    /// The lines of a log that match, as far as it was searched, as asked for by [`Effect::CountInLog`].
    HitsInLog {
        /// As in the effect.
        generation: u64,
        /// The lines.
        hits: Arc<Hits>,
    },
    /// What became of something that was asked for.
    Said(String),
    /// A text that is shown whole, with what became of its copy.
    Shown(String, String),
    /// How everything looks from now on.
    Themed(Theme),
    /// Code can be coloured from now on.
    SyntaxesLoaded,
}

/// What the screen asks for; the loop answers with an [`Event`].
#[derive(Debug, Clone)]
pub enum Effect {
    /// The end.
    Quit,
    /// Text for the clipboard.
    Copy {
        /// What it is, for a person: `the root cause`.
        what: &'static str,
        /// Where it is.
        wanted: Wanted,
    },
    /// The command line that opens a spot, shown and copied.
    Share(At),
    /// Which lines of an incident's trace match.
    Scan {
        /// Names the question; answers to older ones are ignored.
        generation: u64,
        /// Whether it is for the filter, else for the search.
        filter: bool,
        /// The incident.
        incident: usize,
        /// What to look for.
        query: Query,
    },
    /// The next match in the log, from a line on.
    FindInLog {
        /// Names the question; answers to older ones are ignored.
        generation: u64,
        /// A line near by.
        near: Place,
        /// The number of the line to start behind, or before, as `near` counts.
        line: u64,
        /// Towards the end of the log, else towards its beginning.
        forward: bool,
        /// What to look for.
        query: Query,
    },
    /// The records of a log that pass the filter.
    SiftLog {
        /// Names the question; answers to older ones are ignored.
        generation: u64,
        /// The log.
        source: SourceId,
        /// What its records are filtered by.
        query: Query,
    },
    /// All matches in a log, told bit by bit.
    CountInLog {
        /// Names the question; answers to older ones are ignored.
        generation: u64,
        /// The log.
        source: SourceId,
        /// What to look for.
        query: Query,
    },
    /// Nothing that is looked for in a log is wanted any more.
    CallOff,
    /// Back to the shell until continued.
    Suspend,
    /// Whether to listen to the mouse.
    Mouse(bool),
    /// Whether to go on with what grows.
    FollowLogs(bool),
    /// Read everything again.
    Reload,
    /// A rule to start from for this incident, which no rule knows.
    BeginRule(usize),
    /// Read this text, which was pasted, in place of what is open.
    Read(String),
}

/// What is to be copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// This text.
    Text(String),
    /// The printed trace of an incident, which has to be read.
    Trace(usize),
    /// The same as it stands in the file, with whatever a terminal would act on; only its secrets are masked.
    Raw(usize),
    /// An incident as Markdown.
    Ticket(usize),
}
