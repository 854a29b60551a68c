//! Secrets on the screen: masked until a key asks for them, and how many of them are masked.
//!
//! What the key shows stays on the screen: copies and tickets are masked as the program was told to mask.

use super::app::App;
use crate::text::{MARK, Masking, held};
use ratatui::buffer::Buffer;

impl App {
    /// What is masked on the screen.
    pub(super) fn masking(&self) -> Masking {
        if self.texts.shows_secrets() {
            Masking::NONE
        } else {
            held()
        }
    }

    pub(super) fn toggle_secrets(&mut self) {
        if held() == Masking::NONE {
            self.say("nothing is masked: the program was told so when it was started");
            return;
        }
        let shown = !self.texts.shows_secrets();
        self.texts.show_secrets(shown);
        self.say(if shown {
            "secrets are shown; what is copied has them masked"
        } else {
            "secrets are masked"
        });
    }

    /// The hint that something on this screen is masked, or that nothing is.
    pub(super) fn masked_hint(&self, screen: &Buffer) -> Option<String> {
        if self.texts.shows_secrets() {
            return Some("mask secrets".to_owned());
        }
        let masked = masked_on(screen);
        (masked > 0).then(|| format!("{masked} masked"))
    }
}

/// How many marks of masked secrets are on a screen; one that is broken over two rows counts where it begins.
fn masked_on(screen: &Buffer) -> usize {
    let start: Vec<String> = MARK.chars().take(4).map(String::from).collect();
    screen
        .content()
        .windows(start.len())
        .filter(|cells| {
            cells
                .iter()
                .zip(&start)
                .all(|(cell, mark)| cell.symbol() == mark)
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_counted_wherever_they_stand() {
        let screen = Buffer::with_lines(["a ‹masked› b ‹masked›", "‹mas…               "]);
        assert_eq!(masked_on(&screen), 3);
        assert_eq!(masked_on(&Buffer::with_lines(["‹m› masked"])), 0);
    }
}
