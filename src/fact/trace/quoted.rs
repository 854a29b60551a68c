//! In: the chain of a trace as it was printed. Out: which of its links stay: a message that quotes its causes is followed by
//! those causes, and the quoted ones give way. Kryo's own words go on behind a cause that it quotes.

use super::open::Open;
use super::words::same_failure;
use crate::fact::throwable::Throwable;
use crate::record::Line;

/// For each link whether it stays; where `drops` is set, the first is words alone and gives way to any exception below it.
/// The frames of one that goes are left to another.
pub(super) fn stay(chain: &mut [Throwable], drops: bool) -> Vec<bool> {
    let mut keep: Vec<bool> = (0..chain.len()).map(|i| i > 0 || !drops).collect();
    for later in 1..chain.len() {
        for earlier in 0..later {
            if keep[earlier] && earlier > 0 && same_failure(&chain[earlier], &chain[later]) {
                keep[earlier] = false;
                let frames = std::mem::take(&mut chain[earlier].frames);
                // Behind a quoted cause stand the frames of the throwable that quotes it.
                let heir = if chain[later].frames.is_empty() {
                    later
                } else {
                    (0..earlier).rfind(|&i| keep[i]).unwrap_or(0)
                };
                if chain[heir].frames.is_empty() {
                    chain[heir].frames = frames;
                }
            }
        }
    }
    keep
}

impl Open {
    /// Below the cause that its message quotes, Kryo's message goes on: by way of which fields it came to the object.
    pub(super) fn back_to_kryo(&mut self, line: &Line) {
        if line.text.trim() != "Serialization trace:" {
            return;
        }
        let of_kryo = |link: &&super::open::Link| link.throwable.short_class() == "KryoException";
        let kryo = self.chain.iter().rfind(of_kryo).map(|link| link.id);
        self.current = kryo.or(self.current);
    }
}
