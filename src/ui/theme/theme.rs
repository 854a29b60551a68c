//! In: `themes/*.toml` and what the terminal can show. Out: [`Theme`]: the style of each [`Role`].

use super::depth::Depth;
use super::role::Role;
use anyhow::{Context as _, anyhow, bail};
use include_dir::{Dir, include_dir};
use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

static BUILT_IN: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/themes");

/// The theme whose styles fill the gaps of a user's.
const FALLBACK: &str = "dark";

/// The style of every role.
#[derive(Debug, Clone)]
pub struct Theme {
    styles: Vec<Style>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTheme {
    /// Colours by name, for the roles below.
    #[serde(default)]
    palette: BTreeMap<String, String>,
    roles: BTreeMap<String, RawStyle>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RawStyle {
    Foreground(String),
    Full(FullStyle),
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a line a theme may write"
)]
struct FullStyle {
    fg: Option<String>,
    bg: Option<String>,
    bold: bool,
    dim: bool,
    italic: bool,
    underline: bool,
    reverse: bool,
}

impl Theme {
    /// The names of the themes the program comes with, in order.
    pub fn names() -> Vec<&'static str> {
        let mut names: Vec<&str> = BUILT_IN
            .files()
            .filter_map(|f| f.path().to_str()?.strip_suffix(".toml"))
            .collect();
        names.sort_unstable();
        names
    }

    /// A built-in theme by its name, or a file by its path; in the colours of `depth`.
    ///
    /// # Errors
    /// Where there is no such theme, or its file says something that is not a theme.
    pub fn named(name: &str, depth: Depth) -> anyhow::Result<Self> {
        // What is told apart by shades needs other means where there are too few.
        let name = match (depth, name) {
            (Depth::Mono, _) => "mono",
            (Depth::Sixteen, FALLBACK) => "sixteen",
            _ => name,
        };
        if let Some(text) = built_in(name) {
            return Self::parse(text, depth, None).with_context(|| format!("themes/{name}.toml"));
        }
        let path = Path::new(name);
        if !path.is_file() {
            bail!(
                "no theme `{name}`: there are {}, and any theme file by its path",
                Self::names().join(", ")
            );
        }
        let text = std::fs::read_to_string(path).with_context(|| name.to_owned())?;
        let fallback = Self::named(FALLBACK, depth)?;
        Self::parse(&text, depth, Some(&fallback)).with_context(|| name.to_owned())
    }

    /// The style of a role.
    pub fn style(&self, role: Role) -> Style {
        self.styles[role as usize]
    }

    fn parse(text: &str, depth: Depth, fallback: Option<&Self>) -> anyhow::Result<Self> {
        let raw: RawTheme = toml::from_str(text)?;
        if let Some(unknown) = raw
            .roles
            .keys()
            .find(|name| !Role::ALL.iter().any(|r| r.name() == *name))
        {
            bail!("no role `{unknown}`");
        }
        let mut styles = Vec::with_capacity(Role::ALL.len());
        for role in Role::ALL {
            let style = match (raw.roles.get(role.name()), fallback) {
                (Some(style), _) => style
                    .resolve(&raw.palette, depth)
                    .with_context(|| format!("role `{}`", role.name()))?,
                (None, Some(fallback)) => fallback.style(*role),
                (None, None) => bail!("role `{}` is missing", role.name()),
            };
            styles.push(style);
        }
        Ok(Self { styles })
    }
}

fn built_in(name: &str) -> Option<&'static str> {
    BUILT_IN.get_file(format!("{name}.toml"))?.contents_utf8()
}

impl RawStyle {
    fn resolve(&self, palette: &BTreeMap<String, String>, depth: Depth) -> anyhow::Result<Style> {
        let bare;
        let full = match self {
            Self::Foreground(fg) => {
                bare = FullStyle {
                    fg: Some(fg.clone()),
                    ..FullStyle::default()
                };
                &bare
            }
            Self::Full(full) => full,
        };
        let color = |name: &Option<String>| -> anyhow::Result<Option<Color>> {
            let Some(name) = name else { return Ok(None) };
            let value = palette.get(name).unwrap_or(name);
            let color: Color = value
                .parse()
                .map_err(|_| anyhow!("no colour `{value}`: #rrggbb, or a name of the palette"))?;
            Ok(depth.nearest(color))
        };
        let mut style = Style {
            fg: color(&full.fg)?,
            bg: color(&full.bg)?,
            ..Style::default()
        };
        for (on, modifier) in [
            (full.bold, Modifier::BOLD),
            (full.dim, Modifier::DIM),
            (full.italic, Modifier::ITALIC),
            (full.underline, Modifier::UNDERLINED),
            (full.reverse, Modifier::REVERSED),
        ] {
            if on {
                style = style.add_modifier(modifier);
            }
        }
        Ok(style)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn every_theme_has_every_role() {
        assert!(Theme::names().len() >= 3);
        for name in Theme::names() {
            for depth in [Depth::True, Depth::Indexed, Depth::Sixteen] {
                Theme::named(name, depth).unwrap();
            }
        }
    }

    #[test]
    fn without_colours_modifiers_still_tell_things_apart() {
        let theme = Theme::named("dark", Depth::Mono).unwrap();
        for role in Role::ALL {
            let style = theme.style(*role);
            assert_eq!((style.fg, style.bg), (None, None), "{}", role.name());
        }
        for (a, b) in [
            (Role::Cursor, Role::Text),
            (Role::Root, Role::Message),
            (Role::Root, Role::Cursor),
            (Role::RootCursor, Role::Root),
            (Role::OwnCode, Role::Boilerplate),
            (Role::TitleFocused, Role::Title),
            (Role::Match, Role::Text),
        ] {
            assert_ne!(theme.style(a), theme.style(b), "{} {}", a.name(), b.name());
        }
    }

    #[test]
    fn with_sixteen_colours_no_text_has_its_background() {
        let theme = Theme::named("dark", Depth::Sixteen).unwrap();
        for over in [Role::Cursor, Role::Root, Role::RootCursor, Role::Match] {
            let over = theme.style(over);
            for role in Role::ALL {
                let both = theme.style(*role).patch(over);
                assert!(both.fg.is_some() && both.fg != both.bg, "{}", role.name());
            }
        }
    }

    #[test]
    fn mistakes_are_named() {
        let fallback = Theme::named("dark", Depth::True).unwrap();
        let mistake = |text| {
            let error = Theme::parse(text, Depth::True, Some(&fallback)).unwrap_err();
            format!("{error:#}")
        };
        assert_eq!(mistake("[roles]\nroott = \"#fff\""), "no role `roott`");
        assert!(
            mistake("[roles]\nroot = \"reddish\"").starts_with("role `root`: no colour `reddish`")
        );
        let mine =
            Theme::parse("[roles]\nroot = \"#010203\"", Depth::True, Some(&fallback)).unwrap();
        assert_eq!(mine.style(Role::Root).fg, Some(Color::Rgb(1, 2, 3)));
        assert_eq!(mine.style(Role::Text), fallback.style(Role::Text));
    }
}
