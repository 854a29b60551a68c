//! In: a text and the way it shall take. Out: [`Copied`]: what was done with it, in words that are true.

use std::path::PathBuf;

use super::native::Desktop;
use super::surroundings::{Named, Surroundings, Way};
use super::tmux::Reached;
use super::{How, file, osc52, screen, tmux};
use crate::text::{self, counted};

/// Copies texts; lives as long as the screen, because a desktop asks for a text long after it was copied.
#[derive(Debug)]
pub struct Clipboard {
    how: How,
    surroundings: Surroundings,
    file: Option<PathBuf>,
    desktop: Desktop,
    tmux: String,
}

/// What became of a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copied {
    /// One sentence for the person: which way the text went, and what is doubtful.
    pub said: String,
    /// How much it was, and how much of it is masked; empty where nothing was copied.
    pub amount: String,
    /// Bytes to be written to the terminal as they are, between two frames.
    pub for_terminal: Option<Vec<u8>>,
    /// Whether the text may not have arrived anywhere: a way failed or is known to be narrow.
    pub doubtful: bool,
}

impl Clipboard {
    /// For this process: the surroundings and the file are taken from its environment.
    pub fn new(how: How) -> Self {
        Self {
            how,
            surroundings: Surroundings::here(),
            file: if how == How::None {
                None
            } else {
                file::place()
            },
            desktop: Desktop::default(),
            tmux: "tmux".into(),
        }
    }

    /// Which way a copy would take.
    pub fn way(&self) -> Way {
        self.surroundings.way(self.how)
    }

    /// The file that every copy is also written to.
    pub fn file(&self) -> Option<&std::path::Path> {
        self.file.as_deref()
    }

    /// Copies `text`, made safe first. Takes three seconds at most, where tmux or the desktop does not answer.
    pub fn copy(&mut self, text: &str) -> Copied {
        if self.how == How::None {
            return Copied::doubtful("copying is switched off".into());
        }
        if text.is_empty() {
            return Copied::doubtful("there is nothing to copy here".into());
        }
        self.put(&text::sanitise(text))
    }

    /// Copies `text` as it is, whatever a terminal would act on in it: on its way there it is wrapped, and so harms none.
    pub fn copy_raw(&mut self, text: &str) -> Copied {
        if self.how == How::None || text.is_empty() {
            return self.copy(text);
        }
        let copied = self.put(text);
        Copied {
            said: format!("raw: {}", copied.said),
            ..copied
        }
    }

    fn put(&mut self, text: &str) -> Copied {
        let amount = amount(text);
        let kept = match &self.file {
            Some(path) => file::write(path, text).map(|()| Some(file::name(path))),
            None => Ok(None),
        };
        let Some(mut copied) = self.send(text) else {
            let why = if self.how == How::Auto {
                "this terminal has no clipboard: "
            } else {
                ""
            };
            return match kept {
                Ok(Some(file)) => Copied {
                    doubtful: self.how == How::Auto,
                    amount,
                    ..Copied::sure(format!("{why}written to {file}"))
                },
                Ok(None) => Copied::doubtful("not copied: there is no file to write to".into()),
                Err(error) => Copied::doubtful(format!("not copied: {error}")),
            };
        };
        copied.amount = amount;
        // Worth the words only where the clipboard may be empty, or will be when the program ends.
        if let Ok(Some(file)) = kept
            && (copied.doubtful || copied.for_terminal.is_some())
        {
            copied.said = format!("{}; also in {file}", copied.said);
        }
        copied
    }

    /// By the way of the surroundings, or the next best one; nothing where no clipboard is wanted.
    fn send(&mut self, text: &str) -> Option<Copied> {
        Some(match self.way() {
            Way::Tmux => match tmux::load(&self.tmux, text) {
                Ok(Reached::Terminal) => Copied::sure(
                    "sent to the tmux buffer and through it to your terminal (OSC 52)".into(),
                ),
                Ok(Reached::Unknown) => Copied::doubtful(
                    "in the tmux buffer; tmux does not say whether a terminal gets it".into(),
                ),
                Ok(Reached::Beyond) => Copied::doubtful(
                    "in the tmux buffer; further only if the outer tmux has `set-clipboard on`"
                        .into(),
                ),
                Ok(Reached::Buffer(reason)) => Copied::doubtful(format!(
                    "in the tmux buffer only: {}",
                    text::sanitise_line(&reason)
                )),
                Err(reason) => self.without(&reason, text),
            },
            Way::Screen => Copied::sent(
                "sent through GNU screen to your terminal (OSC 52)",
                screen::wrap(&osc52::sequence(text)),
                text,
            ),
            Way::Osc52 if self.surroundings.terminal == Named::Multiplexer => Copied {
                doubtful: true,
                ..Copied::sent(
                    "sent (OSC 52) to the tmux or screen on your side, which may not pass it on",
                    osc52::sequence(text),
                    text,
                )
            },
            Way::Osc52 => Copied::sent(
                "sent to your terminal (OSC 52)",
                osc52::sequence(text),
                text,
            ),
            Way::Native => match self.desktop.copy(text) {
                Ok(()) => self.on_desktop(text),
                Err(reason) => self.without(&reason, text),
            },
            Way::Nowhere => return None,
        })
    }

    /// The desktop has the text. On X11 and Wayland it is gone with the program unless a clipboard manager
    /// took it; the terminal outlives the program, so it is told as well.
    fn on_desktop(&self, text: &str) -> Copied {
        let desktop = self.surroundings.desktop.unwrap_or("desktop");
        let said = format!("in the {desktop} clipboard");
        if desktop == "macOS" || self.how == How::Native {
            return Copied::sure(said);
        }
        Copied {
            for_terminal: Some(osc52::sequence(text)),
            ..Copied::sure(said)
        }
    }

    /// The way failed: where the choice was ours, the terminal is told directly.
    fn without(&self, reason: &str, text: &str) -> Copied {
        let reason = text::sanitise_line(reason);
        if self.how == How::Auto {
            let direct = Copied::sent(
                "sent to your terminal (OSC 52)",
                osc52::sequence(text),
                text,
            );
            return Copied {
                said: format!("{reason}: {}", direct.said),
                doubtful: true,
                ..direct
            };
        }
        Copied::doubtful(format!("not in the clipboard: {reason}"))
    }
}

impl Copied {
    /// All of it in one line: `the root cause, 1 line, 61 characters: sent to your terminal (OSC 52)`.
    pub fn told(&self, what: &str) -> String {
        if self.amount.is_empty() {
            return format!("{what}: {}", self.said);
        }
        format!("{what}, {}: {}", self.amount, self.said)
    }

    fn sure(said: String) -> Self {
        Self {
            said,
            amount: String::new(),
            for_terminal: None,
            doubtful: false,
        }
    }

    fn doubtful(said: String) -> Self {
        Self {
            doubtful: true,
            ..Self::sure(said)
        }
    }

    fn sent(said: &str, bytes: Vec<u8>, text: &str) -> Self {
        let long = osc52::may_be_refused(text);
        Self {
            said: if long {
                format!("{said}, though many terminals refuse this much")
            } else {
                said.into()
            },
            amount: String::new(),
            for_terminal: Some(bytes),
            doubtful: long,
        }
    }
}

/// How much of a text there is, and how much of it is masked: `12 lines, 1.2 KB, 1 secret masked`.
fn amount(text: &str) -> String {
    let lines = counted(text.lines().count() as u64, "line");
    let size = match text.chars().count() {
        many @ 1_000.. => size(many.max(text.len())),
        few => counted(few as u64, "character"),
    };
    match text.matches(text::MARK).count() {
        0 => format!("{lines}, {size}"),
        masked => format!(
            "{lines}, {size}, {} masked",
            counted(masked as u64, "secret")
        ),
    }
}

/// A count of bytes for people: `812 bytes`, `1.2 KB`, `3.4 MB`.
fn size(bytes: usize) -> String {
    let tenths = |unit: usize| {
        let tenths = (bytes * 10 + unit / 2) / unit;
        format!("{}.{}", tenths / 10, tenths % 10)
    };
    match bytes {
        1 => "1 byte".into(),
        0..1_000 => format!("{bytes} bytes"),
        1_000..999_950 => format!("{} KB", tenths(1_000)),
        _ => format!("{} MB", tenths(1_000_000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn clipboard(how: How, set: &[&str]) -> Clipboard {
        Clipboard {
            surroundings: Surroundings::read(|name| set.contains(&name), "xterm"),
            file: None,
            ..Clipboard::new(how)
        }
    }

    #[test]
    fn over_ssh_the_bytes_are_left_to_the_loop() {
        let copied = clipboard(How::Auto, &["SSH_TTY", "DISPLAY"]).copy("a\nü");
        assert_eq!(
            copied.told("it"),
            "it, 2 lines, 3 characters: sent to your terminal (OSC 52)"
        );
        assert_eq!(
            copied.for_terminal.as_deref(),
            Some(b"\x1b]52;c;YQrDvA==\x07".as_slice())
        );
        assert!(!copied.doubtful);
    }

    #[test]
    fn inside_screen_the_bytes_are_wrapped() {
        let copied = clipboard(How::Auto, &["STY"]).copy("a");
        assert_eq!(
            copied.for_terminal.as_deref(),
            Some(b"\x1bP\x1b]52;c;YQ==\x07\x1b\\".as_slice())
        );
    }

    #[test]
    fn tmux_is_trusted_only_when_it_answers() {
        let mut inside = clipboard(How::Auto, &["TMUX"]);
        inside.tmux = "true".into();
        let copied = inside.copy("x".repeat(1_234).as_str());
        assert_eq!(copied.amount, "1 line, 1.2 KB");
        assert_eq!(
            copied.said,
            "in the tmux buffer; tmux does not say whether a terminal gets it"
        );
        assert!(copied.doubtful && copied.for_terminal.is_none());
        inside.tmux = "false".into();
        let copied = inside.copy("x");
        assert_eq!(
            copied.said,
            "tmux refused it: sent to your terminal (OSC 52)"
        );
        assert!(copied.doubtful && copied.for_terminal.is_some());
        let mut asked = clipboard(How::Tmux, &[]);
        asked.tmux = "false".into();
        let copied = asked.copy("x");
        assert!(
            copied.said.starts_with("not in the clipboard"),
            "{}",
            copied.said
        );
        assert_eq!(copied.for_terminal, None);
    }

    #[test]
    fn too_much_is_sent_whole_and_warned_about() {
        let text = "x".repeat(60_000);
        let copied = clipboard(How::Osc52, &[]).copy(&text);
        assert!(copied.doubtful);
        assert_eq!(
            copied.said,
            "sent to your terminal (OSC 52), though many terminals refuse this much"
        );
        assert_eq!(copied.for_terminal.map(|bytes| bytes.len()), Some(80_008));
    }

    #[test]
    fn what_a_log_hides_is_copied_visibly() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("last-copy.txt");
        let mut kept = clipboard(How::File, &[]);
        kept.file = Some(path.clone());
        let copied = kept.copy("\x1b]52;c;AAAA\x07\n");
        assert_eq!(copied.said, format!("written to {}", path.display()));
        kept.how = How::Osc52;
        assert_eq!(
            kept.copy("a").said,
            format!("sent to your terminal (OSC 52); also in {}", path.display())
        );
        kept.how = How::File;
        kept.copy("\x1b]52;c;AAAA\x07\n");
        assert_eq!(
            fs::read_to_string(&path).expect("written"),
            "␛]52;c;AAAA␇\n"
        );
    }

    #[test]
    fn what_may_not_arrive_is_not_said_to() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut console = clipboard(How::Auto, &[]);
        console.surroundings = Surroundings::read(|_| false, "linux");
        console.file = Some(folder.path().join("copy"));
        let copied = console.copy("x");
        assert!(copied.doubtful && copied.for_terminal.is_none());
        assert!(
            copied
                .said
                .starts_with("this terminal has no clipboard: written to "),
            "{}",
            copied.said
        );
        let mut beyond = clipboard(How::Auto, &["SSH_TTY"]);
        beyond.surroundings = Surroundings::read(|name| name == "SSH_TTY", "tmux-256color");
        let copied = beyond.copy("x");
        assert!(copied.doubtful && copied.for_terminal.is_some());
        assert!(
            copied.said.contains("may not pass it on"),
            "{}",
            copied.said
        );
    }

    #[test]
    fn failures_are_said() {
        let mut nowhere = clipboard(How::File, &[]);
        assert!(nowhere.copy("x").said.starts_with("not copied"));
        nowhere.file = Some("/dev/null/x".into());
        assert!(nowhere.copy("x").said.starts_with("not copied"));
        assert!(clipboard(How::None, &[]).copy("x").doubtful);
        assert!(clipboard(How::Auto, &[]).copy("").doubtful);
    }

    #[test]
    fn what_was_masked_is_counted() {
        let copied = clipboard(How::Osc52, &[]).copy("password=hunter22 x\npassword=hunter23 y\n");
        assert!(
            copied.amount.ends_with("characters, 2 secrets masked"),
            "{}",
            copied.amount
        );
    }

    #[test]
    fn sizes_are_rounded_for_people() {
        let sizes = [0, 1, 999, 1_000, 1_249, 999_949, 999_950, 3_400_000].map(size);
        let said = [
            "0 bytes",
            "1 byte",
            "999 bytes",
            "1.0 KB",
            "1.2 KB",
            "999.9 KB",
            "1.0 MB",
            "3.4 MB",
        ];
        assert_eq!(sizes, said);
    }
}
