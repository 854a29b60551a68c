//! In: where in a line the parts of its head are. Out: the [`Head`] of that line, or of one that differs in its digits only.

use super::layout::Layout;
use super::record::{Head, Level};
use crate::text::Symbol;
use regex::Match;
use std::ops::Range;

/// Where in a line the parts of its head are.
#[derive(Debug)]
pub(super) struct Spans<'l> {
    pub(super) layout: &'l Layout,
    pub(super) time: Option<Range<usize>>,
    pub(super) level: Option<Level>,
    pub(super) thread: Option<Name>,
    pub(super) logger: Option<Name>,
    pub(super) message_at: usize,
}

impl Spans<'static> {
    /// The head of `line`, which differs from the line that was read in its digits only, and where its message begins.
    pub(super) fn whole_head(&self, line: &str) -> (Head, usize) {
        let (head, at) = self.head(line);
        let layout = self.layout.name.as_str();
        (Head { layout, ..head }, at)
    }
}

impl Spans<'_> {
    /// The head of `line`, which differs from the line that was read in its digits only, without the layout's name.
    pub(super) fn head(&self, line: &str) -> (Head, usize) {
        let stamp = self.time.clone().and_then(|span| line.get(span));
        let head = Head {
            time: self
                .layout
                .clock
                .as_ref()
                .zip(stamp)
                .and_then(|(clock, stamp)| clock.read(stamp)),
            level: self.level,
            thread: self.thread.as_ref().map(|name| name.in_line(line)),
            logger: self.logger.as_ref().map(|name| name.in_line(line)),
            layout: "",
        };
        (head, self.message_at)
    }
}

/// A name in a head.
#[derive(Debug)]
pub(super) struct Name {
    span: Range<usize>,
    /// What it is, where there is no digit in it.
    always: Option<Symbol>,
}

impl Name {
    pub(super) fn of(found: Match<'_>) -> Self {
        let text = found.as_str().trim();
        let always = !text.bytes().any(|b| b.is_ascii_digit());
        Self {
            span: found.range(),
            always: always.then(|| Symbol::new(text)),
        }
    }

    fn in_line(&self, line: &str) -> Symbol {
        let text = || line.get(self.span.clone()).unwrap_or_default();
        self.always
            .clone()
            .unwrap_or_else(|| Symbol::new(text().trim()))
    }
}
