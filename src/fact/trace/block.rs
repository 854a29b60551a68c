//! In: a line below the word `Traceback`. Out: what it is to the traceback: a frame, its code, the exception that it waits for.

use super::reader::Reader;
use super::words::{class_name_is, find_traceback, indent, python_exception, raised_by_python};
use crate::fact::frame::Owner;
use crate::fact::throwable::{FRAMES_CAP, LineKind};
use crate::fact::{jvm_frame, python_frame};
use crate::record::Line;

impl Reader {
    /// A line while a Python traceback waits for its exception. Returns whether the line was taken.
    pub(super) fn in_block(&mut self, line: &Line, text: &str, trimmed: &str) -> bool {
        let Some(open) = &mut self.open else {
            return false;
        };
        let Some(block) = &mut open.block else {
            return false;
        };
        let trimmed_group = trimmed.trim_start_matches(['|', '+', '-']).trim_start();
        if let Some(frame) = python_frame::parse(trimmed_group, line.place) {
            let owner = frame.owner;
            if indent(text) <= block.base && block.name.is_none() {
                block.base = usize::MAX - 1; // The shipper ate the indentation.
            }
            if block.frames.len() < FRAMES_CAP {
                block.frames.push(frame);
            }
            open.note(line.place, LineKind::Frame(owner));
            return true;
        }
        let owner = block.frames.last().map_or(Owner::Python, |f| f.owner);
        if trimmed.is_empty() {
            open.note(line.place, LineKind::Code(owner));
            return true;
        }
        if let Some((number, code)) = python_frame::arrow(text) {
            if let Some(frame) = block.frames.last_mut() {
                frame.line.get_or_insert(number);
                frame.code.get_or_insert_with(|| code.into());
            }
            open.note(line.place, LineKind::Code(owner));
            return true;
        }
        if python_frame::is_marks(trimmed_group)
            || trimmed.starts_with("[Previous line repeated")
            || trimmed.bytes().all(|b| b == b'.')
        {
            open.note(line.place, LineKind::Code(owner));
            return true;
        }
        // `AnalysisException: …: Traceback (most recent call last):` ends one traceback and begins a worker's.
        let ends_here = block.name.is_none() && indent(text) <= block.base;
        let glued = find_traceback(trimmed)
            .map(|at| trimmed[..at].trim_end())
            .filter(|before| ends_here && raised_by_python(before));
        if let Some(before) = glued {
            if open.python_exception(line, before) {
                open.begin_block(indent(text), None, true);
                return true;
            }
            return false;
        }
        if jvm_frame::parse(text, line.place).is_some() || find_traceback(trimmed).is_some() {
            open.finish_block_without_exception();
            return false;
        }
        let lost_indent = block.base == usize::MAX - 1;
        let is_exception = match &block.name {
            Some(name) => class_name_is(trimmed, name),
            // A call over several lines is printed with all of them: code is no name of a class.
            None if lost_indent => {
                python_exception(trimmed_group, true)
                    || block.frames.last().is_none_or(|f| f.code.is_some())
                        && python_exception(trimmed_group, false)
            }
            None => {
                indent(text) <= block.base && !trimmed.starts_with('|')
                    || trimmed.starts_with('|')
                        && indent(trimmed_group) == 0
                        && python_exception(trimmed_group, false)
                        && !block.frames.is_empty()
            }
        };
        if !is_exception {
            if block.name.is_none()
                && let Some(frame) = block.frames.last_mut()
            {
                frame.code.get_or_insert_with(|| {
                    trimmed_group.chars().take(400).collect::<String>().into()
                });
            }
            open.note(line.place, LineKind::Code(owner));
            return true;
        }
        if open.python_exception(line, trimmed_group) {
            return true;
        }
        open.finish_block_without_exception();
        false
    }
}
