//! In: the environment and the terminal. Out: a page that says what a screen and a copy would find there,
//! printed before any screen is opened.

use std::env;
use std::fmt;
use std::fs::OpenOptions;
use std::io::{self, IsTerminal as _, Write as _};

use super::copy::{Clipboard, Copied, How, Named, Surroundings, TmuxClient, Way};
use super::terminal::{Background, may_be_asked};
use super::theme::Depth;
use crate::text::sanitise_line;

/// What is copied by `doctor --copy`.
const TRIAL: &str = "This text was copied by `causedby doctor`.";

/// What was found, one subject a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doctor {
    findings: Vec<(&'static str, String)>,
}

impl Doctor {
    /// Looks around; `how` is the way to copy that the user chose.
    pub fn examine(how: How) -> Self {
        let clipboard = Clipboard::new(how);
        let surroundings = Surroundings::here();
        let client = surroundings.tmux.then(TmuxClient::here);
        let mut findings = vec![
            ("TERM", variable("TERM")),
            ("COLORTERM", variable("COLORTERM")),
            ("NO_COLOR", variable("NO_COLOR")),
            (
                "colours",
                Depth::detect(|name| env::var(name).ok()).word().into(),
            ),
            ("background", background(&surroundings)),
            ("size", size()),
            ("input", tty(io::stdin().is_terminal())),
            ("output", tty(io::stdout().is_terminal())),
        ];
        match &client {
            None => findings.push(("tmux", "not inside".into())),
            Some(None) => findings.push((
                "tmux",
                "TMUX is set, but tmux tells of no terminal it is shown on".into(),
            )),
            Some(Some(client)) => findings.extend(of_tmux(client)),
        }
        findings.extend([
            ("GNU screen", variable("STY")),
            ("SSH", variable("SSH_CONNECTION")),
            ("DISPLAY", variable("DISPLAY")),
            ("WAYLAND_DISPLAY", variable("WAYLAND_DISPLAY")),
            (
                "copies",
                format!(
                    "{how}: {}",
                    route(
                        how,
                        clipboard.way(),
                        &surroundings,
                        client.flatten().as_ref()
                    )
                ),
            ),
            (
                "last copy",
                clipboard.file().map_or_else(
                    || "not kept".into(),
                    |path| format!("kept in {}", path.display()),
                ),
            ),
        ]);
        Self { findings }
    }

    /// Makes a copy for trial and says what became of it. A desktop asks for a text when somebody pastes, so
    /// this waits for Enter where there is somebody to press it.
    pub fn try_copy(how: How) -> Copied {
        let mut clipboard = Clipboard::new(how);
        let mut copied = clipboard.copy(TRIAL);
        if let Some(bytes) = &copied.for_terminal {
            let written = OpenOptions::new()
                .write(true)
                .open("/dev/tty")
                .and_then(|mut terminal| terminal.write_all(bytes));
            if let Err(error) = written {
                copied.said = format!("not sent, there is no terminal to send it to: {error}");
                copied.doubtful = true;
            }
        }
        if clipboard.way() == Way::Native && io::stdin().is_terminal() {
            eprintln!("{}; paste it, then press Enter", copied.said);
            let _ = io::stdin().read_line(&mut String::new());
        }
        copied
    }
}

impl fmt::Display for Doctor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (subject, finding) in &self.findings {
            writeln!(f, "{subject:<16} {}", sanitise_line(finding))?;
        }
        Ok(())
    }
}

fn variable(name: &str) -> String {
    env::var_os(name)
        .filter(|value| !value.is_empty())
        .map_or_else(
            || "not set".into(),
            |value| value.to_string_lossy().into_owned(),
        )
}

/// How the theme for a light or a dark background is found.
fn background(around: &Surroundings) -> String {
    let told = env::var("COLORFGBG").ok();
    match told.as_deref().and_then(Background::of_colorfgbg) {
        Some(Background::Light) => "light (COLORFGBG)".into(),
        Some(Background::Dark) => "dark (COLORFGBG)".into(),
        None if may_be_asked(around) => {
            "asked for when a screen opens (OSC 11); dark without an answer".into()
        }
        None => {
            "taken for dark: this terminal cannot be asked; --theme light says otherwise".into()
        }
    }
}

fn size() -> String {
    match crossterm::terminal::size() {
        Ok((columns, rows)) => format!("{columns} columns, {rows} rows"),
        Err(_) => "unknown".into(),
    }
}

fn tty(is: bool) -> String {
    if is { "a terminal" } else { "not a terminal" }.into()
}

fn of_tmux(client: &TmuxClient) -> [(&'static str, String); 3] {
    [
        (
            "tmux",
            format!("{}, set-clipboard {}", client.version, client.set_clipboard),
        ),
        ("  shown on", client.term.clone()),
        ("  which can do", client.features.clone()),
    ]
}

/// The way of a copy in words, and what stands against it.
fn route(how: How, way: Way, around: &Surroundings, tmux: Option<&TmuxClient>) -> String {
    match (way, tmux) {
        (Way::Tmux, Some(client)) if client.is_nested() && client.takes_copies != Some(false) => {
            "into the tmux buffer and to the tmux around it, which passes copies on to your terminal with: \
             set -g set-clipboard on"
                .into()
        }
        (Way::Tmux, Some(client)) if client.takes_copies == Some(false) => format!(
            "into the tmux buffer only; if {0} takes OSC 52, tell tmux so: \
             set -as terminal-features ',{0}:clipboard'",
            client.term
        ),
        (Way::Tmux, Some(_)) => "into the tmux buffer and through it to your terminal".into(),
        (Way::Tmux, None) => {
            "into the tmux buffer; whether a terminal gets it is not known".into()
        }
        (Way::Screen, _) => "through GNU screen to your terminal (OSC 52)".into(),
        (Way::Osc52, _) if around.terminal == Named::Multiplexer => {
            "to the tmux or screen on your side (OSC 52), which a stock one does not pass on; in tmux: \
             set -g set-clipboard on"
                .into()
        }
        (Way::Osc52, _) => {
            "to your terminal (OSC 52), which does not say whether it takes them; try --copy".into()
        }
        (Way::Native, _) => "into the desktop's clipboard".into(),
        (Way::Nowhere, _) if around.terminal == Named::Mute && how == How::Auto => {
            "into no clipboard: this terminal has none; --clipboard osc52 tries all the same".into()
        }
        (Way::Nowhere, _) => "into no clipboard".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_safe_and_names_its_subject() {
        let doctor = Doctor {
            findings: vec![("TERM", "\x1b[2Jxterm".into())],
        };
        assert_eq!(doctor.to_string(), "TERM             ␛[2Jxterm\n");
        let page = Doctor::examine(How::None).to_string();
        for subject in [
            "TERM",
            "tmux",
            "SSH",
            "copies           none: into no clipboard",
            "not kept",
        ] {
            assert!(page.contains(subject), "{subject} is missing:\n{page}");
        }
    }

    #[test]
    fn a_tmux_that_does_not_know_its_terminal_is_told_how_to() {
        let client = TmuxClient {
            term: "vt220".into(),
            takes_copies: Some(false),
            ..TmuxClient::default()
        };
        let around = Surroundings::default();
        assert!(route(How::Auto, Way::Tmux, &around, None).contains("is not known"));
        let route = |client: &TmuxClient| route(How::Auto, Way::Tmux, &around, Some(client));
        assert!(route(&client).contains("',vt220:clipboard'"));
        assert!(route(&TmuxClient::default()).contains("to your terminal"));
        let nested = TmuxClient {
            term: "tmux-256color".into(),
            ..TmuxClient::default()
        };
        assert!(route(&nested).contains("set-clipboard on"));
    }
}
