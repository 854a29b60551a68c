//! In: the file of a theme, and the theme it builds upon. Out: [`WrittenTheme`]: colours by name, and what each role looks
//! like in words of them.

use super::depth::Depth;
use super::role::Role;
use crate::ui::config::{Mistake, Written};
use ratatui::style::{Color, Modifier, Style};
use std::borrow::Cow;
use std::collections::BTreeMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

type Name<'v> = Spanned<Cow<'v, str>>;
type Value<'v> = Spanned<DeValue<'v>>;

/// How a role looks, its colours as they are written.
#[derive(Debug, Clone, Default)]
struct Manner {
    fg: Option<String>,
    bg: Option<String>,
    modifiers: Modifier,
}

/// A theme whose colours are not those of a terminal yet.
#[derive(Debug, Clone, Default)]
pub(super) struct WrittenTheme {
    palette: BTreeMap<String, Color>,
    manners: BTreeMap<&'static str, Manner>,
}

const MODIFIERS: [(&str, Modifier); 5] = [
    ("bold", Modifier::BOLD),
    ("dim", Modifier::DIM),
    ("italic", Modifier::ITALIC),
    ("underline", Modifier::UNDERLINED),
    ("reverse", Modifier::REVERSED),
];

/// The name of the theme that a file builds upon, and where it says so.
pub(super) fn base_of(file: &Written) -> Result<Option<(String, usize)>, Mistake> {
    let table = file.table()?;
    let Some(base) = table.get("base") else {
        return Ok(None);
    };
    let name = file.string("base", base)?.to_owned();
    Ok(Some((name, base.span().start)))
}

impl WrittenTheme {
    /// The colours and roles of `file` over those of `base`.
    pub(super) fn over(base: Self, file: &Written) -> Result<Self, Mistake> {
        let mut theme = base;
        let table = file.table()?;
        for (name, value) in &table {
            let name = name.get_ref().as_ref();
            if !["base", "palette", "roles"].contains(&name) {
                let problem = format!("no `{name}` here; there are base, [palette] and [roles]");
                return Err(file.mistake(value.span().start, problem));
            }
        }
        // The roles are written in words of the palette, wherever that stands.
        for (name, value) in section(file, &table, "palette")? {
            let color = color(file, value, file.string(name.get_ref(), value)?)?;
            theme.palette.insert(name.get_ref().to_string(), color);
        }
        for (name, value) in section(file, &table, "roles")? {
            let name = name.get_ref().as_ref();
            let Some(role) = Role::ALL.iter().find(|role| role.name() == name) else {
                let problem = format!("no role `{name}`; themes/dark.toml has them all");
                return Err(file.mistake(value.span().start, problem));
            };
            let manner = theme.manner(file, value)?;
            theme.manners.insert(role.name(), manner);
        }
        Ok(theme)
    }

    fn manner(&self, file: &Written, value: &Value<'_>) -> Result<Manner, Mistake> {
        let paint = |name: &str, value: &Value<'_>| {
            let paint = file.string(name, value)?;
            if !self.palette.contains_key(paint) {
                color(file, value, paint)?;
            }
            Ok(Some(paint.to_owned()))
        };
        let mut manner = Manner::default();
        let DeValue::Table(parts) = value.get_ref() else {
            manner.fg = paint("a style", value)?;
            return Ok(manner);
        };
        for (name, value) in parts {
            let modifier = MODIFIERS.iter().find(|(known, _)| *known == name.get_ref());
            match (name.get_ref().as_ref(), modifier) {
                ("fg", _) => manner.fg = paint("fg", value)?,
                ("bg", _) => manner.bg = paint("bg", value)?,
                (name, Some((_, modifier))) => {
                    manner.modifiers.set(*modifier, file.switch(name, value)?);
                }
                (other, None) => {
                    let problem = format!(
                        "no `{other}` in a style; there are fg, bg, bold, dim, italic, underline and reverse"
                    );
                    return Err(file.mistake(value.span().start, problem));
                }
            }
        }
        Ok(manner)
    }

    /// A role that has no look.
    pub(super) fn missing(&self) -> Option<&'static str> {
        let mut names = Role::ALL.iter().map(|role| role.name());
        names.find(|name| !self.manners.contains_key(name))
    }

    /// The style of a role in the colours of `depth`.
    pub(super) fn style(&self, role: Role, depth: Depth) -> Style {
        let Some(manner) = self.manners.get(role.name()) else {
            return Style::default();
        };
        let color = |paint: &Option<String>| {
            let paint = paint.as_ref()?;
            let color = self.palette.get(paint).copied();
            depth.nearest(color.or_else(|| paint.parse().ok())?)
        };
        let style = Style {
            fg: color(&manner.fg),
            bg: color(&manner.bg),
            ..Style::default()
        };
        style.add_modifier(manner.modifiers)
    }
}

fn section<'t, 'v>(
    file: &Written,
    table: &'t DeTable<'v>,
    name: &str,
) -> Result<Vec<(&'t Name<'v>, &'t Value<'v>)>, Mistake> {
    match table.get(name).map(|value| (value.get_ref(), value.span())) {
        None => Ok(Vec::new()),
        Some((DeValue::Table(entries), _)) => {
            let mut entries: Vec<_> = entries.iter().collect();
            // In the order of the file, so that the first mistake is the one that is told.
            entries.sort_by_key(|(name, _)| name.span().start);
            Ok(entries)
        }
        Some((_, span)) => Err(file.mistake(span.start, format!("[{name}] is a section"))),
    }
}

fn color(file: &Written, value: &Value<'_>, written: &str) -> Result<Color, Mistake> {
    written.parse().map_err(|_| {
        let problem = format!("no colour `{written}`: #rrggbb, or a name of the palette");
        file.mistake(value.span().start, problem)
    })
}
