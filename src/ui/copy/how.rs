//! In: the value of `--clipboard` or `CAUSEDBY_CLIPBOARD`. Out: [`How`].

use std::env;
use std::fmt;
use std::str::FromStr;

/// How the user wants copies to travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum How {
    /// The best way there is, by where the program runs.
    #[default]
    Auto,
    /// An OSC 52 sequence to the terminal, not wrapped for anything in between.
    Osc52,
    /// tmux's buffer, and through tmux to the terminal.
    Tmux,
    /// An OSC 52 sequence in pieces that GNU screen passes on.
    Screen,
    /// The clipboard of the desktop the program runs on.
    Native,
    /// The file of the last copy only.
    File,
    /// Nothing is copied and nothing is written.
    None,
}

impl How {
    /// The environment variable that chooses where no flag does.
    pub const VARIABLE: &'static str = "CAUSEDBY_CLIPBOARD";

    /// What was asked for on the command line, or else in the environment, or else among the settings, or else
    /// [`How::Auto`].
    ///
    /// # Errors
    /// Where the environment names no way.
    pub fn chosen(flag: Option<Self>, setting: Option<Self>) -> Result<Self, String> {
        match (flag, env::var(Self::VARIABLE)) {
            (Some(how), _) => Ok(how),
            (None, Ok(name)) if !name.trim().is_empty() => name
                .parse()
                .map_err(|refusal| format!("{}: {refusal}", Self::VARIABLE)),
            (None, _) => Ok(setting.unwrap_or_default()),
        }
    }

    /// All ways, for help and completion.
    pub const ALL: [Self; 7] = [
        Self::Auto,
        Self::Osc52,
        Self::Tmux,
        Self::Screen,
        Self::Native,
        Self::File,
        Self::None,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Osc52 => "osc52",
            Self::Tmux => "tmux",
            Self::Screen => "screen",
            Self::Native => "native",
            Self::File => "file",
            Self::None => "none",
        }
    }
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for How {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|how| how.name().eq_ignore_ascii_case(name.trim()))
            .ok_or_else(|| {
                let names = Self::ALL.map(Self::name).join(", ");
                format!("`{name}` is no way to copy; there are {names}")
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back_and_others_are_refused() {
        for how in How::ALL {
            assert_eq!(how.to_string().parse(), Ok(how));
        }
        let refusal = "xclip".parse::<How>().expect_err("not a way");
        assert!(
            refusal.contains("xclip") && refusal.contains("osc52"),
            "{refusal}"
        );
    }
}
