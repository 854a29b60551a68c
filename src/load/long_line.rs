//! [`LongLine`]: the long line that was taken apart last. In: a place in it. Out: its text, without taking the line apart anew
//! for each of the thousands of lines of a trace that may stand in one line of a file.

use crate::text::{Place, SourceId};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes from which on a line is worth being kept.
const LONG: u32 = 4 << 10;
/// Bytes of its texts that are kept, at most.
const MOST_KEPT: usize = 16 << 20;

/// The texts of the long line that was asked for last.
#[derive(Debug, Default)]
pub struct LongLine(Mutex<Option<(Key, Arc<[String]>)>>);

type Key = (SourceId, u64, u32);

impl Clone for LongLine {
    /// Nothing yet: what it would hold may be read otherwise there.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl LongLine {
    /// The text of a place; `None` where its line is not long, or has no such part. `texts` takes the line apart.
    pub(super) fn text(
        &self,
        place: &Place,
        texts: impl FnOnce() -> Vec<String>,
    ) -> Option<String> {
        if place.bytes < LONG {
            return None;
        }
        let key = (place.source, place.start, place.bytes);
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = last.as_ref().filter(|(known, _)| *known == key);
        let texts = if let Some((_, texts)) = known {
            Arc::clone(texts)
        } else {
            let texts: Arc<[String]> = texts().into();
            let kept = texts.iter().map(String::len).sum::<usize>() <= MOST_KEPT;
            *last = kept.then(|| (key, Arc::clone(&texts)));
            texts
        };
        texts.get(place.part as usize).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_long_line_is_taken_apart_once_for_all_of_its_parts() {
        let (line, taken) = (LongLine::default(), Cell::new(0));
        let ask = |start, bytes, part| {
            let place = Place {
                source: SourceId(0),
                start,
                bytes,
                line: 1,
                part,
            };
            line.text(&place, || {
                taken.set(taken.get() + 1);
                vec![format!("{start}a"), format!("{start}b")]
            })
        };
        assert_eq!(ask(0, 9_000, 0).as_deref(), Some("0a"));
        assert_eq!(ask(0, 9_000, 1).as_deref(), Some("0b"));
        assert_eq!(ask(0, 9_000, 2), None);
        assert_eq!(taken.get(), 1);
        assert_eq!(ask(7, 9_000, 1).as_deref(), Some("7b"));
        assert_eq!(ask(7, 9, 1), None);
        assert_eq!(taken.get(), 2);
    }
}
