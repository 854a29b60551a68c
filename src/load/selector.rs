//! In: the blocks of one source in order, with their hits. Out: the lines that are read: those that are hit,
//! the heads of their records behind them and what continues them ahead.
//!
//! Which lines these are depends on the lines alone, never on where blocks were cut.

use super::scan::Hit;
use super::window::{LEAD, Window};
use crate::record::{RawLine, Stretch};
use memchr::{memchr, memrchr};
use std::collections::VecDeque;

/// How far the selector looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Bytes of one line that are read; what follows in a longer line is passed over, hits included.
    line: usize,
    /// How far behind a hit its record's head is looked for.
    behind: Reach,
    /// How far ahead of the last hit a record is followed, where no other record begins.
    ahead: Reach,
}

#[derive(Debug, Clone, Copy)]
struct Reach {
    lines: u64,
    bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            line: 1 << 20,
            behind: Reach {
                lines: 200,
                bytes: 64 << 10,
            },
            ahead: Reach {
                lines: 400,
                bytes: 64 << 10,
            },
        }
    }
}

/// What the chosen lines go to.
pub(super) trait Sink {
    /// The next chosen line.
    fn line(&mut self, line: RawLine<'_>);
    /// The next chosen lines, as many of these whole ones as it takes: frames, each with a needle in it.
    fn frames(&mut self, lines: RawLine<'_>) -> Stretch;
    /// Lines were left out here.
    fn gap(&mut self);
    /// Whether a record begins with this line.
    fn is_head(&self, line: &[u8]) -> bool;
}

/// Chooses the lines of one source.
#[derive(Debug, Clone)]
pub(super) struct Selector {
    limits: Limits,
    /// Lines that begin before this offset are chosen in any case.
    whole_until: u64,
    /// And those that begin here or behind.
    whole_from: u64,
    window: Window,
    /// Where the last line that is not yet ended begins.
    open_line: u64,
    /// Where the last line ends that has come whole.
    whole_lines: u64,
    /// What is of interest and was not passed yet.
    hits: VecDeque<Wanted>,
    /// Everything before this offset was handed over or passed for good.
    done: u64,
    state: State,
    line_ends: u64,
}

/// A [`Hit`] by offsets of the source.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    at: u64,
    last: u64,
    /// The number of its first line.
    line: u64,
}

#[derive(Debug, Clone, Copy)]
enum State {
    /// Nothing is of interest until the next hit.
    Idle,
    /// The line at `done`, whose number this is, is looked at next. The rest counts from the last hit.
    Following { line: u64, lines: u64, from: u64 },
    /// As `Following`, but `done` lies in a line too long, whose rest is passed over.
    Passing { line: u64, lines: u64, from: u64 },
}

impl Selector {
    /// For a source of which the first `head` bytes are chosen in any case.
    pub(super) fn new(limits: Limits, head: u64) -> Self {
        Self {
            limits,
            whole_until: head,
            whole_from: u64::MAX,
            window: Window::default(),
            open_line: 0,
            whole_lines: 0,
            hits: VecDeque::new(),
            done: 0,
            state: State::Following {
                line: 1,
                lines: 0,
                from: 0,
            },
            line_ends: 0,
        }
    }

    /// Begins at `offset`, a line's start, instead of the source's; lines are numbered from there.
    pub(super) fn from(mut self, offset: u64) -> Self {
        self.window = Window::from(offset);
        self.open_line = offset;
        self.done = offset;
        if let State::Following { from, .. } = &mut self.state {
            *from = offset;
        }
        self
    }

    /// Lines that begin at `offset` or behind are chosen in any case: it must be handed over as a hit of its block.
    pub(super) fn whole_from(&mut self, offset: u64) {
        self.whole_from = offset;
    }

    /// The next block: its bytes behind [`LEAD`] others, what it holds and how many lines end in it. What `block` holds
    /// afterwards is of no use but as room for another.
    pub(super) fn push(
        &mut self,
        block: &mut Vec<u8>,
        hits: &[Hit],
        line_ends: u64,
        sink: &mut impl Sink,
    ) {
        let start = self.window.end();
        let before = self.line_ends;
        self.hits.extend(hits.iter().map(|hit| Wanted {
            at: start + hit.at as u64,
            last: start + hit.last as u64,
            line: before + hit.line_ends_before + 1,
        }));
        self.line_ends += line_ends;
        let line_end = memrchr(b'\n', &block[LEAD..]);
        let open_line = line_end.map_or(self.open_line, |n| start + n as u64 + 1);
        self.window.push(block);
        self.whole_lines = open_line;
        self.advance(false, sink);
        self.open_line = open_line;
        self.window.forget(self.needed());
    }

    /// The source has ended; returns how many lines it has.
    pub(super) fn finish(mut self, sink: &mut impl Sink) -> u64 {
        let end = self.window.end();
        self.advance(true, sink);
        self.line_ends + u64::from(self.open_line < end)
    }

    fn advance(&mut self, ended: bool, sink: &mut impl Sink) {
        loop {
            let moved = match self.state {
                State::Idle => self.wake(ended, sink),
                State::Following { line, lines, from } => {
                    self.follow(line, lines, from, ended, sink)
                }
                State::Passing { line, lines, from } => self.pass(line, lines, from),
            };
            if !moved {
                break;
            }
        }
    }

    /// Goes to the next hit, and hands over what stands behind it in its record.
    fn wake(&mut self, ended: bool, sink: &mut impl Sink) -> bool {
        let Some(hit) = self.hits.pop_front() else {
            return false;
        };
        let number = hit.line;
        let first = self.window.start_of_line(hit.at).unwrap_or(self.open_line);
        if hit.at - first >= self.limits.line as u64 || first < self.done {
            return true;
        }
        let length = self.line(first).len();
        let ends = first + (length as u64) < self.window.end();
        let whole = ends || length == self.limits.line;
        if !whole && !ended {
            self.hits.push_front(hit);
            return false;
        }
        let mut start = first;
        let mut line = number;
        if !self.begins_record(first, sink) {
            while start > self.done && number - line < self.limits.behind.lines {
                let Some(above) = self.start_of_line_above(start) else {
                    break;
                };
                if first - above > self.limits.behind.bytes || above < self.done {
                    break;
                }
                start = above;
                line -= 1;
                if self.begins_record(start, sink) {
                    break;
                }
            }
        }
        if start > self.done {
            sink.gap();
        }
        while start < first {
            let bytes = self.line(start);
            sink.line(RawLine { start, line, bytes });
            start += bytes.len() as u64 + 1;
            line += 1;
        }
        self.hits.push_front(hit);
        self.done = first;
        self.state = State::Following {
            line,
            lines: 0,
            from: first,
        };
        true
    }

    /// Hands over the line at `done`, if it is hit or continues a record.
    fn follow(
        &mut self,
        line: u64,
        lines: u64,
        from: u64,
        ended: bool,
        sink: &mut impl Sink,
    ) -> bool {
        let start = self.done;
        let rest = self.window.behind(start);
        let unended = self.window.behind(self.whole_lines.max(start));
        let bytes = &rest[..rest.len() - unended.len()];
        let taken = sink.frames(RawLine { start, line, bytes });
        if taken.lines > 0 {
            let (line, from) = (line + taken.lines, start + taken.last as u64);
            pass_hits(&mut self.hits, start + taken.bytes as u64);
            self.done = start + taken.bytes as u64;
            self.state = State::Following {
                line,
                lines: 0,
                from,
            };
            return true;
        }
        let window = &rest[..rest.len().min(self.limits.line)];
        let (length, next) = match memchr(b'\n', window) {
            Some(end) => (end, Some(end + 1)),
            None if window.len() == self.limits.line => (self.limits.line, None),
            None if ended && !window.is_empty() => (window.len(), Some(window.len())),
            None => return false,
        };
        let last = start + next.unwrap_or(length) as u64;
        let chosen = start < self.whole_until || start >= self.whole_from;
        let hit = pass_hits(&mut self.hits, last) || chosen;
        let (lines, from) = if hit { (0, start) } else { (lines + 1, from) };
        if !hit {
            let over = lines > self.limits.ahead.lines || start - from > self.limits.ahead.bytes;
            if over || sink.is_head(&rest[..length]) {
                self.state = State::Idle;
                return true;
            }
        }
        let bytes = &rest[..length];
        sink.line(RawLine { start, line, bytes });
        self.done = last;
        self.state = match next {
            Some(_) => State::Following {
                line: line + 1,
                lines,
                from,
            },
            None => State::Passing { line, lines, from },
        };
        true
    }

    /// Passes over the rest of a line that is too long.
    fn pass(&mut self, line: u64, lines: u64, from: u64) -> bool {
        let rest = self.window.behind(self.done);
        let end = memchr(b'\n', rest);
        self.done += end.map_or(rest.len(), |n| n + 1) as u64;
        pass_hits(&mut self.hits, self.done);
        if end.is_some() {
            self.state = State::Following {
                line: line + 1,
                lines,
                from,
            };
        }
        end.is_some()
    }

    fn begins_record(&self, start: u64, sink: &impl Sink) -> bool {
        sink.is_head(self.line(start))
    }

    /// The line that begins at `start`, as far as it is there and is read.
    fn line(&self, start: u64) -> &[u8] {
        self.window.line(start, self.limits.line)
    }

    /// Where the line begins above the one that begins at `start`; `None` where its beginning is gone.
    fn start_of_line_above(&self, start: u64) -> Option<u64> {
        let base = self.window.base();
        let first = || (base == 0 || base == self.done).then_some(base);
        self.window.start_of_line(start - 1).or_else(first)
    }

    /// The first offset whose bytes a line may still need.
    fn needed(&self) -> u64 {
        let end = self.window.end();
        match self.state {
            State::Following { .. } | State::Passing { .. } => self.done,
            // The open line may be hit later, and then what stands behind it is wanted.
            State::Idle if end - self.open_line <= self.limits.line as u64 => self
                .done
                .max(self.open_line.saturating_sub(self.limits.behind.bytes + 1)),
            State::Idle => end,
        }
    }
}

/// Drops what is of interest before `end` only; whether anything before it is.
fn pass_hits(hits: &mut VecDeque<Wanted>, end: u64) -> bool {
    let mut any = false;
    while let Some(hit) = hits.front().filter(|hit| hit.at < end) {
        any = true;
        if hit.last >= end {
            break;
        }
        hits.pop_front();
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::scan::{OVERHANG, Scan};
    use proptest::prelude::*;

    /// Notes the lines; `H` begins a record.
    #[derive(Debug, Default, PartialEq)]
    struct Notes(Vec<(u64, u64, Vec<u8>)>, u64);

    impl Sink for Notes {
        fn line(&mut self, line: RawLine<'_>) {
            self.0.push((line.line, line.start, line.bytes.to_vec()));
        }
        fn frames(&mut self, _: RawLine<'_>) -> Stretch {
            Stretch::default()
        }
        fn gap(&mut self) {
            self.0.push((0, 0, Vec::new()));
        }
        fn is_head(&self, line: &[u8]) -> bool {
            line.starts_with(b"H")
        }
    }

    const SMALL: Limits = Limits {
        line: 24,
        behind: Reach {
            lines: 3,
            bytes: 20,
        },
        ahead: Reach {
            lines: 3,
            bytes: 30,
        },
    };

    fn select(limits: Limits, bytes: &[u8], block: usize, head: u64, tail: u64) -> Notes {
        let mut notes = Notes::default();
        let mut selector = Selector::new(limits, head);
        let whole_from = (bytes.len() as u64).saturating_sub(tail);
        selector.whole_from(whole_from);
        for start in (0..bytes.len()).step_by(block) {
            let length = block.min(bytes.len() - start);
            let also = usize::try_from(whole_from)
                .ok()
                .and_then(|at| at.checked_sub(start));
            let end = bytes.len().min(start + length + OVERHANG);
            let mut found = Scan::default();
            found.search(&bytes[start..end], length, also);
            selector.push(
                &mut [&vec![0; LEAD], &bytes[start..start + length]].concat(),
                &found.hits,
                found.line_ends,
                &mut notes,
            );
        }
        notes.1 = selector.finish(&mut notes);
        notes
    }

    fn chosen(text: &str, limits: Limits) -> Vec<u64> {
        let notes = select(limits, text.as_bytes(), 7, 0, 0);
        notes.0.iter().map(|(line, ..)| *line).collect()
    }

    #[test]
    fn a_hit_brings_its_record() {
        let text = "H a\nH b\nb\nError\nb\nb\nH c\nH d\nH e WARN\ne\n";
        assert_eq!(
            chosen(text, Limits::default()),
            [0, 2, 3, 4, 5, 6, 0, 9, 10]
        );
    }

    #[test]
    fn without_heads_the_context_is_generous_and_bounded() {
        let text = "H\n".to_owned() + &"a\n".repeat(9) + "Error\n" + &"b\n".repeat(9);
        assert_eq!(chosen(&text, SMALL), [0, 8, 9, 10, 11, 12, 13, 14]);
    }

    #[test]
    fn head_and_tail_are_chosen_in_any_case() {
        let text = "H\n".repeat(10);
        let notes = select(SMALL, text.as_bytes(), 4, 3, 4);
        let lines: Vec<u64> = notes.0.iter().map(|(line, ..)| *line).collect();
        assert_eq!(lines, [1, 2, 0, 9, 10]);
        assert_eq!(notes.1, 10);
    }

    #[test]
    fn what_is_behind_the_limit_of_a_line_is_passed_over() {
        let text =
            "H a\n".to_owned() + &"x".repeat(30) + "Error\nH b\n" + &"Error ".repeat(9) + "\nH c\n";
        let notes = select(SMALL, text.as_bytes(), 5, 0, 0);
        assert_eq!(notes.0.len(), 3, "{notes:?}");
        assert_eq!(notes.0[2], (4, 44, b"Error Error Error Error ".to_vec()));
    }

    proptest! {
        #[test]
        fn blocks_do_not_change_what_is_chosen(
            lines in prop::collection::vec(prop_oneof![
                3 => Just("H x".to_owned()), 3 => Just("y".to_owned()), 1 => Just(String::new()),
                2 => Just("H WARN".to_owned()), 2 => Just("  Error".to_owned()),
                1 => (0_usize..60).prop_map(|n| "z".repeat(n)),
                1 => (0_usize..40).prop_map(|n| "z".repeat(n) + "Error" + &"z".repeat(n)),
            ], 0..40),
            end in prop_oneof![Just(""), Just("\n")],
            block in 1_usize..70,
            head in 0_u64..20,
            tail in 0_u64..20,
        ) {
            let text = lines.join("\n") + end;
            let whole = select(SMALL, text.as_bytes(), text.len().max(1), head, tail);
            let cut = select(SMALL, text.as_bytes(), block, head, tail);
            prop_assert_eq!(&whole, &cut);
            let all = text.split_terminator('\n').count() as u64;
            prop_assert_eq!(whole.1, all);
        }
    }
}
