//! [`Settings`]: `config.toml` in the configuration folder. What an option of the command line says goes before it.

use super::written::{Mistake, Written};
use crate::source::is_there;
use crate::ui::copy::How;

/// What a person wants each time; `None` where nothing is said of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// A theme's name or file.
    pub theme: Option<String>,
    /// Whether to listen to the mouse.
    pub mouse: Option<bool>,
    /// Whether long lines are wrapped at first.
    pub wrap: Option<bool>,
    /// Whether to come back to where one was.
    pub sessions: Option<bool>,
    /// How copies travel.
    pub clipboard: Option<How>,
}

impl Settings {
    /// Those of `config.toml`, where there is one.
    ///
    /// # Errors
    /// Where the file cannot be read, or says something that is not a setting.
    pub fn load() -> anyhow::Result<Self> {
        match super::file("config.toml").filter(|path| is_there(path)) {
            Some(path) => Ok(Self::of(&Written::read(&path)?)?),
            None => Ok(Self::default()),
        }
    }

    fn of(written: &Written) -> Result<Self, Mistake> {
        let mut settings = Self::default();
        for (name, value) in written.table()? {
            match name.get_ref().as_ref() {
                "theme" => settings.theme = Some(written.string("theme", &value)?.to_owned()),
                "mouse" => settings.mouse = Some(written.switch("mouse", &value)?),
                "wrap" => settings.wrap = Some(written.switch("wrap", &value)?),
                "sessions" => settings.sessions = Some(written.switch("sessions", &value)?),
                "clipboard" => {
                    let how = written.string("clipboard", &value)?.parse::<How>();
                    let wrong = |problem| written.mistake(value.span().start, problem);
                    settings.clipboard = Some(how.map_err(wrong)?);
                }
                other => {
                    let problem = format!(
                        "no setting `{other}`; there are theme, mouse, wrap, sessions and clipboard"
                    );
                    return Err(written.mistake(name.span().start, problem));
                }
            }
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Settings, String> {
        Settings::of(&Written::new("config.toml", text)).map_err(|mistake| mistake.to_string())
    }

    #[test]
    fn settings_are_read_and_mistakes_named_with_their_line() {
        let settings = of("theme = \"gruvbox\"\nmouse = false\nclipboard = \"tmux\"\n");
        let expected = Settings {
            theme: Some("gruvbox".into()),
            mouse: Some(false),
            clipboard: Some(How::Tmux),
            ..Settings::default()
        };
        assert_eq!(settings, Ok(expected));
        let mistake = |text| of(text).expect_err("a mistake");
        assert_eq!(
            mistake("\nmouse = 1\n"),
            "config.toml:2: `mouse` is true or false"
        );
        assert!(
            mistake("wrap = true\ncolour = 1\n")
                .starts_with("config.toml:2: no setting `colour`; ")
        );
        assert!(mistake("clipboard = \"pigeon\"").contains("pigeon"));
    }
}
