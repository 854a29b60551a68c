//! In: a trace whose last line was read. Out: the [`Trace`] that it is: its chain in order, without what is only quoted in it.

use super::connector;
use super::open::Open;
use super::quoted;
use crate::fact::throwable::{Throwable, Trace};

impl Open {
    /// The trace, with its chain in order.
    pub(super) fn finish(self) -> Option<Trace> {
        let mut order: Vec<u32> = Vec::new();
        let mut chain: Vec<Throwable> = Vec::new();
        for link in self.chain.into_iter().filter(|link| !link.suppressed) {
            order.push(link.id);
            chain.push(link.throwable);
        }
        let drops = self.headless && chain.len() > 1;
        let keep = quoted::stay(&mut chain, drops);
        for trailing in &mut chain {
            let end = trailing.message.trim_end().len();
            trailing.message.truncate(end);
            trailing.own = trailing.own.min(end);
        }
        connector::claim(&mut chain);
        let mut index: Vec<(u32, u32)> = Vec::new();
        let mut kept = Vec::new();
        for ((throwable, id), keep) in chain.into_iter().zip(order).zip(keep) {
            if keep {
                index.push((id, u32::try_from(kept.len()).unwrap_or(u32::MAX)));
                kept.push(throwable);
            }
        }
        if kept.is_empty() {
            return self.cut.and_then(|cut| cut.trace(self.lines));
        }
        let mut lines = self.lines;
        for line in &mut lines {
            line.cause = line
                .cause
                .and_then(|id| index.iter().find(|(known, _)| *known == id))
                .map(|(_, at)| *at);
        }
        let first = lines.iter().position(|l| !drops || l.cause.is_some());
        lines.drain(..first.unwrap_or(0));
        Some(Trace {
            chain: kept,
            lines,
            thread: self.thread,
            bare: self.bare,
            ignored: self.ignored,
            python: self.python,
            cut: self.headless && !drops,
        })
    }
}
