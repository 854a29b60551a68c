//! In: records that were read. Out: [`Room`]: what they took of memory, for others.
//!
//! Records are made on one thread and read on another. To give the room of each line back to the system, and to ask for it
//! again, costs the two about as much as the line itself.

use super::record::{Line, Record};
use super::stack::FrameText;

/// Bytes that are kept in all; and the most of one text and of one stack, of which longer ones are rare.
const MOST: usize = 4 << 20;
const MOST_OF_TEXT: usize = 1 << 10;
/// Bytes in which room for a text grows: lines are of any length, and to grow by a few each time costs as much as new room.
const USUAL_TEXT: usize = 128;
const MOST_OF_STACK: usize = 4 << 10;

/// Room for the lines of records.
#[derive(Debug, Default)]
pub struct Room {
    texts: Vec<String>,
    stacks: Vec<Vec<FrameText>>,
    lines: Vec<Vec<Line>>,
    bytes: usize,
}

impl Room {
    /// That of records that were read.
    pub fn of(records: Vec<Record>) -> Self {
        let mut room = Self::default();
        for Record { mut lines, .. } in records {
            for line in lines.drain(..) {
                let mut stack = line.below.into_frames();
                if room.keeps(line.text.capacity(), MOST_OF_TEXT) {
                    room.texts.push(line.text);
                }
                if room.keeps(size_of_all(&stack), MOST_OF_STACK) {
                    stack.clear();
                    room.stacks.push(stack);
                }
            }
            if room.keeps(size_of_all(&lines), MOST) {
                room.lines.push(lines);
            }
        }
        room
    }

    /// Whether there is a use for so many bytes, which are counted then.
    fn keeps(&mut self, bytes: usize, most: usize) -> bool {
        let keeps = (1..=most).contains(&bytes) && self.bytes + bytes <= MOST;
        if keeps {
            self.bytes += bytes;
        }
        keeps
    }

    /// Adds other room, as far as there is a use for it.
    pub(super) fn add(&mut self, mut other: Self) {
        if self.bytes + other.bytes <= MOST {
            self.bytes += other.bytes;
            self.texts.append(&mut other.texts);
            self.stacks.append(&mut other.stacks);
            self.lines.append(&mut other.lines);
        }
    }

    /// A text of a line's own.
    pub(super) fn text(&mut self, text: &str) -> String {
        let Some(mut own) = self.texts.pop() else {
            return text.to_owned();
        };
        self.bytes -= own.capacity();
        own.clear();
        own.reserve(text.len().next_multiple_of(USUAL_TEXT));
        own.push_str(text);
        own
    }

    /// Room for the frames below a line.
    pub(super) fn stack(&mut self) -> Vec<FrameText> {
        let stack = self.stacks.pop().unwrap_or_default();
        self.bytes -= size_of_all(&stack);
        stack
    }

    /// Room for the lines of a record.
    pub(super) fn lines(&mut self) -> Vec<Line> {
        let lines = self.lines.pop().unwrap_or_default();
        self.bytes -= size_of_all(&lines);
        lines
    }
}

/// What a list takes beside what its elements own.
fn size_of_all<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}

/// Room is nothing that a copy needs.
impl Clone for Room {
    fn clone(&self) -> Self {
        Self::default()
    }
}
