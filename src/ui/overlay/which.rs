//! What may follow the keys pressed so far.

use crate::ui::key::Chord;
use crate::ui::keymap::{Keymap, Section};

/// The rest of each sequence with what it does.
pub(in crate::ui) fn which_rows(
    keymap: &Keymap,
    sections: &[Section],
    pending: &[Chord],
) -> Vec<(String, &'static str)> {
    keymap
        .continuations(sections, pending)
        .into_iter()
        .map(|(keys, action)| (keys, action.help()))
        .collect()
}
