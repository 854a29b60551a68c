//! In: `themes/*.toml`, a person's own over them, and what the terminal can show. Out: [`Theme`]: the style of each
//! [`Role`].

use super::depth::Depth;
use super::role::Role;
use super::written::{WrittenTheme, base_of};
use crate::ui::config::{self, Mistake, Written};
use anyhow::bail;
use include_dir::{Dir, include_dir};
use ratatui::style::Style;
use std::path::Path;

static BUILT_IN: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/themes");

/// What themes build upon that name no other.
const DARK: &str = "dark";
/// For terminals with few colours, and with none.
const SIXTEEN: &str = "sixteen";
const MONO: &str = "mono";

/// The style of every role.
#[derive(Debug, Clone)]
pub struct Theme {
    styles: Vec<Style>,
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

    /// A theme of the configuration folder or a built-in one by its name, or any file by its path; in the colours of
    /// `depth`.
    ///
    /// # Errors
    /// Where there is no such theme, or its file says something that is not a theme.
    pub fn named(name: &str, depth: Depth) -> anyhow::Result<Self> {
        // What is told apart by shades needs other means where there are none.
        if depth == Depth::Mono {
            return Self::built_in(MONO, depth);
        }
        if let Some(path) = config::theme(name) {
            return Self::of_file(&path, depth);
        }
        if let Some(file) = built_in(name) {
            // The shades of a dark theme need other means where there are few colours.
            let is_dark = name == DARK || base_of(&file)?.is_some_and(|(base, _)| base == DARK);
            let fits = depth != Depth::Sixteen || !is_dark;
            return Self::built_in(if fits { name } else { SIXTEEN }, depth);
        }
        let path = Path::new(name);
        if !path.is_file() {
            bail!(
                "no theme `{name}`: there are {}, and any theme file by its path",
                Self::names().join(", ")
            );
        }
        Self::of_file(path, depth)
    }

    /// The style of a role.
    pub fn style(&self, role: Role) -> Style {
        self.styles[role as usize]
    }

    fn built_in(name: &str, depth: Depth) -> anyhow::Result<Self> {
        let Some(file) = built_in(name) else {
            bail!("no theme `{name}`");
        };
        Self::of(&file, depth)
    }

    fn of_file(path: &Path, depth: Depth) -> anyhow::Result<Self> {
        Self::of(&Written::read(path)?, depth)
    }

    fn of(file: &Written, depth: Depth) -> anyhow::Result<Self> {
        let theme = WrittenTheme::over(foundation(file)?, file)?;
        if let Some(role) = theme.missing() {
            bail!("role `{role}` is missing");
        }
        let styles = Role::ALL.iter().map(|role| theme.style(*role, depth));
        Ok(Self {
            styles: styles.collect(),
        })
    }
}

/// What a file builds upon: a built-in theme that it names, else the dark one.
fn foundation(file: &Written) -> Result<WrittenTheme, Mistake> {
    let (name, at) = base_of(file)?.unwrap_or((DARK.to_owned(), 0));
    let Some(base) = built_in(&name) else {
        let known = Theme::names().join(", ");
        let problem = format!("no theme `{name}` to build upon; there are {known}");
        return Err(file.mistake(at, problem));
    };
    // A built-in theme that is built upon stands by itself.
    WrittenTheme::over(WrittenTheme::default(), &base)
}

fn built_in(name: &str) -> Option<Written> {
    let file = format!("{name}.toml");
    let text = BUILT_IN.get_file(&file)?.contents_utf8()?;
    Some(Written::new(format!("themes/{file}"), text))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use ratatui::style::Color;

    #[test]
    fn every_theme_has_every_role() {
        assert!(Theme::names().len() >= 9);
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
        for name in Theme::names() {
            let theme = Theme::named(name, Depth::Sixteen).unwrap();
            for over in [Role::Cursor, Role::Root, Role::RootCursor, Role::Match] {
                let over = theme.style(over);
                for role in Role::ALL {
                    let both = theme.style(*role).patch(over);
                    let lies_over = theme.style(*role).bg.is_some_and(|bg| bg != Color::Reset);
                    let told = lies_over || both.fg.is_none() || both.fg != both.bg;
                    assert!(told, "{name} {}", role.name());
                }
            }
        }
    }

    /// Its colours are the terminal's own, not those of the theme that others build upon.
    #[test]
    fn the_theme_of_sixteen_colours_has_no_others() {
        let theme = Theme::named(SIXTEEN, Depth::True).unwrap();
        for role in Role::ALL {
            let style = theme.style(*role);
            for color in [style.fg, style.bg].into_iter().flatten() {
                assert!(!matches!(color, Color::Rgb(..)), "{}: {color}", role.name());
            }
        }
    }

    /// How well one colour is read on another: 1 for not at all, 21 for black on white.
    fn contrast(a: Color, b: Color) -> f64 {
        let luminance = |color: Color| {
            let (r, g, b) = match color {
                Color::Rgb(r, g, b) => (r, g, b),
                Color::Indexed(i @ 16..=231) => {
                    let step = |n: u8| [0, 95, 135, 175, 215, 255][usize::from(n % 6)];
                    let i = i - 16;
                    (step(i / 36), step(i / 6), step(i))
                }
                Color::Indexed(i @ 232..) => {
                    let level = 8 + 10 * (i - 232);
                    (level, level, level)
                }
                other => panic!("{other}"),
            };
            let linear = |part: u8| {
                let part = f64::from(part) / 255.0;
                if part <= 0.04045 {
                    part / 12.92
                } else {
                    ((part + 0.055) / 1.055).powf(2.4)
                }
            };
            0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
        };
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// The themes whose colours are known: those of `sixteen` are the terminal's own.
    fn coloured() -> impl Iterator<Item = (&'static str, Depth, Theme)> {
        let names = Theme::names().into_iter();
        let coloured = names.filter(|name| ![SIXTEEN, MONO].contains(name));
        coloured.flat_map(|name| {
            [Depth::True, Depth::Indexed].map(|d| (name, d, Theme::named(name, d).unwrap()))
        })
    }

    /// By the measure of the WCAG: 4.5 for a text, 3 for what only stands around it; on the theme's own ground, else on
    /// those that terminals have.
    #[test]
    fn every_text_can_be_read_on_its_background() {
        let mut poor = Vec::new();
        for (name, depth, theme) in coloured() {
            let seen = |color: Option<Color>| color.filter(|color| *color != Color::Reset);
            let usual: &[[u8; 3]] = match name {
                "light" => &[[0xff; 3], [0xf5; 3]],
                _ => &[[0; 3], [0x1e; 3], [0x28, 0x2c, 0x34]],
            };
            let usual = usual.iter().map(|[r, g, b]| Color::Rgb(*r, *g, *b));
            let own = seen(theme.style(Role::Text).bg);
            let grounds: Vec<Color> = own.map_or_else(|| usual.collect(), |own| vec![own]);
            for role in Role::ALL {
                let own = theme.style(*role);
                let (least, over_root) = match role {
                    Role::Border | Role::Dim | Role::Boilerplate | Role::Connector => (3.0, 1.0),
                    _ => (4.5, 3.0),
                };
                let mut check = |style: Style, least: f64, over: &str| {
                    let on = seen(style.bg).map_or(grounds.clone(), |on| vec![on]);
                    for on in on {
                        let found = style.fg.map_or(21.0, |text| contrast(text, on));
                        if found < least {
                            let role = role.name();
                            poor.push(format!(
                                "{name} {depth:?}: {role} {over} {found:.1} < {least}"
                            ));
                        }
                    }
                };
                check(own, least, "by itself");
                // What brings its own background lies over the others, never under them; borders lie beside rows.
                if seen(own.bg).is_some() || *role == Role::Border {
                    continue;
                }
                for (over, least) in [
                    (Role::Cursor, least),
                    (Role::Selected, least),
                    (Role::Root, over_root),
                    (Role::RootCursor, over_root),
                ] {
                    check(own.patch(theme.style(over)), least, over.name());
                }
            }
        }
        assert!(poor.is_empty(), "{poor:#?}");
    }

    #[test]
    fn what_matters_most_differs_from_everything_around_it() {
        let alike = [
            Role::Text,
            Role::Selected,
            Role::Cursor,
            Role::Match,
            Role::Root,
            Role::RootCursor,
            Role::OwnCode,
            Role::Library,
            Role::Boilerplate,
            Role::Fold,
        ];
        let mono = Theme::named(MONO, Depth::Mono).unwrap();
        let few = Theme::named(SIXTEEN, Depth::Sixteen).unwrap();
        let themes = coloured().chain([(MONO, Depth::Mono, mono), (SIXTEEN, Depth::Sixteen, few)]);
        for (name, depth, theme) in themes {
            for (i, a) in alike.iter().enumerate() {
                for b in &alike[i + 1..] {
                    // Without colours a frame of a library looks like text: its tag says whose it is.
                    let plain = depth == Depth::Mono && (*a, *b) == (Role::Text, Role::Library);
                    let told = plain || theme.style(*a) != theme.style(*b);
                    assert!(told, "{name} {depth:?}: {} {}", a.name(), b.name());
                }
            }
        }
    }

    #[test]
    fn mistakes_are_named_with_file_and_line() {
        let read = |text: &str| Theme::of(&Written::new("mine.toml", text), Depth::True);
        let mistake = |text| format!("{:#}", read(text).unwrap_err());
        assert_eq!(
            mistake("[roles]\n\nroott = \"#fff\""),
            "mine.toml:3: no role `roott`; themes/dark.toml has them all"
        );
        assert!(
            mistake("[roles]\nroot = \"reddish\"").starts_with("mine.toml:2: no colour `reddish`")
        );
        assert!(
            mistake("[palette]\n\nred = \"reddish\"")
                .starts_with("mine.toml:3: no colour `reddish`")
        );
        assert!(
            mistake("[roles]\nroot = { fg = \"#fff\", bald = true }")
                .starts_with("mine.toml:2: no `bald`")
        );
        assert!(mistake("\nbase = \"drak\"").starts_with("mine.toml:2: no theme `drak`"));
        assert!(mistake("[rolls]\n").starts_with("mine.toml:1: no `rolls` here"));
        assert!(mistake("[roles\n").starts_with("mine.toml:1: "));
        let dark = Theme::named("dark", Depth::True).unwrap();
        let mine = read("[roles]\nroot = \"#010203\"").unwrap();
        assert_eq!(mine.style(Role::Root).fg, Some(Color::Rgb(1, 2, 3)));
        assert_eq!(mine.style(Role::Text), dark.style(Role::Text));
        let painted = read("base = \"light\"\n[palette]\nred = \"#040506\"").unwrap();
        assert_eq!(painted.style(Role::Failed).fg, Some(Color::Rgb(4, 5, 6)));
    }
}
