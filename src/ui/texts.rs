//! In: places of the log. Out: their text, safe to show, and the records that begin there, read once while they are on the
//! screen.

use crate::incident::TraceLine;
use crate::load::Case;
use crate::text::{Masking, Place, SourceId, beginning, expand_tabs, masking, sanitise_line};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// Texts that are kept; more than any screen shows at once.
const MOST_KEPT: usize = 2_048;
/// Records that are kept: attempts are looked at one after the other.
const MOST_RECORDS: usize = 64;
/// Bytes of one line that are shown at most.
pub(super) const LONGEST: u32 = 16 << 10;

/// Lines with their numbers.
type Lines = Rc<[(u64, String)]>;

/// The texts that were shown lately.
#[derive(Debug, Default)]
pub(super) struct Texts {
    kept: RefCell<HashMap<Place, Rc<str>>>,
    /// Lines of source files around one of them.
    excerpts: RefCell<HashMap<(SourceId, u64), Lines>>,
    /// The lines of records.
    records: RefCell<HashMap<Place, Rc<[TraceLine]>>>,
    /// Whether nothing is masked.
    secrets: Cell<bool>,
}

impl Texts {
    /// The text of one line: without tabs, controls and whatever else could hurt a terminal.
    pub(super) fn get(&self, case: &Case, place: &Place) -> Rc<str> {
        if let Some(text) = self.kept.borrow().get(place) {
            return text.clone();
        }
        let text: Rc<str> = if self.secrets.get() {
            masking(Masking::NONE, || safe_text(case, place)).0.into()
        } else {
            safe_text(case, place).into()
        };
        let mut kept = self.kept.borrow_mut();
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(*place, text.clone());
        text
    }

    /// Line `line` of a file with up to `around` lines on either side; empty where it has no such line.
    pub(super) fn excerpt(&self, case: &Case, source: SourceId, line: u64, around: usize) -> Lines {
        if let Some(lines) = self.excerpts.borrow().get(&(source, line)) {
            return lines.clone();
        }
        let read = || {
            let place = case.sources.place_of_line(source, line);
            let lines = place.map(|place| case.sources.lines_around(&place, around, around));
            let safe = |(n, bytes): (u64, Vec<u8>)| {
                let text = String::from_utf8_lossy(&bytes);
                let shown = expand_tabs(&sanitise_line(text.trim_end())).into_owned();
                (n, shown)
            };
            lines.into_iter().flatten().map(safe).collect()
        };
        let lines: Lines = if self.secrets.get() {
            masking(Masking::NONE, read).0
        } else {
            read()
        };
        let mut kept = self.excerpts.borrow_mut();
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert((source, line), lines.clone());
        lines
    }

    /// The lines of the record that begins at a place.
    pub(super) fn record(&self, case: &Case, place: &Place) -> Rc<[TraceLine]> {
        if let Some(lines) = self.records.borrow().get(place) {
            return lines.clone();
        }
        let lines: Rc<[TraceLine]> = case.record_at(place).into();
        let mut kept = self.records.borrow_mut();
        if kept.len() >= MOST_RECORDS {
            kept.clear();
        }
        kept.insert(*place, lines.clone());
        lines
    }

    /// Whether a key asked for the secrets.
    pub(super) fn shows_secrets(&self) -> bool {
        self.secrets.get()
    }

    /// Shows secrets from now on, or masks them.
    pub(super) fn show_secrets(&self, shown: bool) {
        self.secrets.set(shown);
        self.forget();
    }

    /// Forgets everything: the places are those of another case.
    pub(super) fn forget(&self) {
        self.kept.borrow_mut().clear();
        self.excerpts.borrow_mut().clear();
        self.records.borrow_mut().clear();
    }
}

/// As [`Texts::get`], without keeping it.
pub(super) fn safe_text(case: &Case, place: &Place) -> String {
    // Only a whole line of the file can be cut short before it is read: a part of one is found by its end.
    let shown = Place {
        bytes: if place.part == 0 {
            place.bytes.min(16 * LONGEST)
        } else {
            place.bytes
        },
        ..*place
    };
    let mut text = case.text(&shown);
    text.truncate(beginning(&text, LONGEST as usize).len());
    expand_tabs(&sanitise_line(text.trim_end())).into_owned()
}
