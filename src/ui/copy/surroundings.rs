//! In: the environment of the process. Out: [`Surroundings`]: what stands between the program and the
//! person's clipboard, and which [`Way`] a copy takes through it.

use std::env;

use super::How;

/// What the environment says of the terminal, as far as copying depends on it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Surroundings {
    /// Inside tmux: a pane's shell was the ancestor.
    pub tmux: bool,
    /// Inside GNU screen.
    pub screen: bool,
    /// Logged in over SSH: this machine's desktop is not the one the person sits at.
    pub ssh: bool,
    /// The desktop that could be asked for its clipboard, by the name to call it in a message.
    pub desktop: Option<&'static str>,
}

/// The way a copy takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// `tmux load-buffer -w`.
    Tmux,
    /// OSC 52 in pieces, for GNU screen.
    Screen,
    /// OSC 52 as it is.
    Osc52,
    /// The desktop's clipboard.
    Native,
    /// No clipboard.
    Nowhere,
}

impl Surroundings {
    /// Of this process.
    pub fn here() -> Self {
        Self::read(|name| env::var_os(name).is_some_and(|value| !value.is_empty()))
    }

    /// From a function that says whether a variable has a value.
    pub fn read(set: impl Fn(&str) -> bool) -> Self {
        let desktop = if cfg!(target_os = "macos") {
            Some("macOS")
        } else if set("WAYLAND_DISPLAY") {
            Some("Wayland")
        } else if set("DISPLAY") {
            Some("X11")
        } else {
            None
        };
        Self {
            tmux: set("TMUX"),
            screen: set("STY"),
            ssh: ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"]
                .iter()
                .any(|name| set(name)),
            desktop,
        }
    }

    /// The way of a copy. tmux comes first because it alone confirms, and because it reaches the real
    /// terminal whatever is nested inside of it; SSH comes before the desktop because a desktop
    /// clipboard on the far machine succeeds and helps nobody.
    pub fn way(&self, how: How) -> Way {
        match how {
            How::Tmux => Way::Tmux,
            How::Screen => Way::Screen,
            How::Osc52 => Way::Osc52,
            How::File | How::None => Way::Nowhere,
            How::Auto if self.tmux => Way::Tmux,
            How::Auto if self.screen => Way::Screen,
            How::Auto if self.ssh || self.desktop.is_none() => Way::Osc52,
            How::Native | How::Auto => Way::Native,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(set: &[&str]) -> Way {
        Surroundings::read(|name| set.contains(&name)).way(How::Auto)
    }

    #[test]
    #[cfg(not(target_os = "macos"))]
    fn the_nearest_that_can_reach_the_person_is_taken() {
        assert_eq!(way(&[]), Way::Osc52);
        assert_eq!(way(&["DISPLAY"]), Way::Native);
        assert_eq!(way(&["WAYLAND_DISPLAY"]), Way::Native);
        assert_eq!(way(&["DISPLAY", "SSH_TTY"]), Way::Osc52);
        assert_eq!(way(&["DISPLAY", "STY"]), Way::Screen);
        assert_eq!(way(&["SSH_CONNECTION", "STY", "TMUX"]), Way::Tmux);
    }

    #[test]
    fn a_wish_is_followed_anywhere() {
        let tmux = Surroundings::read(|name| name == "TMUX");
        assert_eq!(tmux.way(How::Osc52), Way::Osc52);
        assert_eq!(tmux.way(How::File), Way::Nowhere);
    }
}
