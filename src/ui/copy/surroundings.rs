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
    /// What its TERM says of the terminal.
    pub terminal: Named,
    /// The desktop that could be asked for its clipboard, by the name to call it in a message.
    pub desktop: Option<&'static str>,
}

/// What the names of terminals begin with that show a request, or swallow it, rather than answer.
const MUTE: [&str; 7] = ["linux", "dumb", "unknown", "ansi", "cons25", "eterm", "vt"];

/// What the name of a terminal tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Named {
    /// Nothing that stands in the way.
    #[default]
    Usual,
    /// It understands no request: a console, a terminal of the old days, or nothing that is known.
    Mute,
    /// A multiplexer of another machine, or one that hides itself: nothing but the name tells of it.
    Multiplexer,
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
        let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        Self::read(set, &env::var("TERM").unwrap_or_default())
    }

    /// From a function that says whether a variable has a value, and the value of TERM.
    pub fn read(set: impl Fn(&str) -> bool, term: &str) -> Self {
        let desktop = if cfg!(target_os = "macos") {
            Some("macOS")
        } else if set("WAYLAND_DISPLAY") {
            Some("Wayland")
        } else if set("DISPLAY") {
            Some("X11")
        } else {
            None
        };
        let (tmux, screen) = (set("TMUX"), set("STY"));
        let begins = |names: &[&str]| names.iter().any(|name| term.starts_with(name));
        let terminal = if term.is_empty() || begins(&MUTE) {
            Named::Mute
        } else if begins(&["screen", "tmux"]) && !tmux && !screen {
            Named::Multiplexer
        } else {
            Named::Usual
        };
        Self {
            tmux,
            screen,
            terminal,
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
            How::Auto if self.ssh || self.desktop.is_none() => match self.terminal {
                Named::Mute => Way::Nowhere,
                Named::Usual | Named::Multiplexer => Way::Osc52,
            },
            How::Native | How::Auto => Way::Native,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(set: &[&str]) -> Way {
        on("xterm-256color", set)
    }

    fn on(term: &str, set: &[&str]) -> Way {
        Surroundings::read(|name| set.contains(&name), term).way(How::Auto)
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
    fn a_console_has_no_clipboard_but_what_stands_around_it_may() {
        assert_eq!(on("linux", &[]), Way::Nowhere);
        assert_eq!(on("linux", &["SSH_TTY", "DISPLAY"]), Way::Nowhere);
        assert_eq!(on("linux", &["TMUX"]), Way::Tmux);
        assert_eq!(on("vt220", &["STY"]), Way::Screen);
        let told = Surroundings::read(|name| name == "SSH_TTY", "screen-256color");
        assert_eq!(told.terminal, Named::Multiplexer);
        assert_eq!(told.way(How::Auto), Way::Osc52);
        let inside = Surroundings::read(|name| name == "TMUX", "screen");
        assert_eq!(inside.terminal, Named::Usual);
    }

    #[test]
    fn a_wish_is_followed_anywhere() {
        let tmux = Surroundings::read(|name| name == "TMUX", "linux");
        assert_eq!(tmux.way(How::Osc52), Way::Osc52);
        assert_eq!(tmux.way(How::File), Way::Nowhere);
    }
}
