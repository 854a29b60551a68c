//! The profiles that the run printed, the largest first: of each what is hot, by what the key has chosen, and the line of
//! the job's source where its file was opened.

use super::excerpt::file_named;
use crate::fact::{Measure, Owner, Profile, ProfileRow};
use crate::text::Place;
use crate::ui::context::Context;
use crate::ui::order::Order;
use crate::ui::theme::Role;
use crate::ui::widgets::{Row, Rows, one_line};
use ratatui::text::Line;

/// Rows of one profile that are shown where they are sorted: those behind them are cold.
const MOST: usize = 25;
/// From so many rows on, those below this share of all are left out.
const FEW: usize = 6;
const COLD: f64 = 0.001;
/// Rows of the user's own code that show the line of its file.
const WITH_SOURCE: usize = 3;
/// Columns before a line of a source file.
const INDENT: usize = 18;

#[derive(Debug, Clone, Copy)]
enum Item {
    Profile(usize),
    Row(usize, usize),
    /// A line of a file that was opened, and where it is.
    Source(Place),
    /// So many rows of a profile are not shown.
    Rest(usize, usize),
}

pub(super) struct Profiles<'a> {
    cx: Context<'a>,
    items: Vec<Item>,
}

impl<'a> Profiles<'a> {
    pub(super) fn new(cx: Context<'a>) -> Self {
        let mut items = Vec::new();
        for (p, profile) in cx.case.story.profiles.iter().enumerate() {
            items.push(Item::Profile(p));
            let order = cx.order.of(profile);
            let shown = shown(profile, &order, cx.order);
            let mut sources = 0;
            for r in &order[..shown] {
                items.push(Item::Row(p, *r));
                let row = &profile.rows[*r];
                if row.owner == Owner::User && sources < WITH_SOURCE {
                    let source = source(&cx, row);
                    sources += usize::from(source.is_some());
                    items.extend(source.map(Item::Source));
                }
            }
            let rest = order.len() - shown + profile.left_out;
            if rest > 0 {
                items.push(Item::Rest(p, rest));
            }
        }
        Self { cx, items }
    }

    fn head(&self, profile: &Profile) -> Row {
        let cx = &self.cx;
        let node = cx.case.story.node_of(profile);
        let mut spans = vec![cx.span(Role::Strong, format!(" {}", profile.whose()))];
        let name = cx.case.story.name_of(profile);
        if !name.is_empty() {
            spans.push(cx.span(Role::OwnCode, format!("  {}", one_line(name))));
        }
        spans.push(cx.span(Role::Text, format!("  {}", profile.amount(profile.total))));
        if let Some((sql, row, _)) = node {
            let operator = &row.operator;
            let number = operator
                .number
                .map_or_else(String::new, |number| format!(" ({number})"));
            spans.push(cx.span(
                Role::Dim,
                format!(" · {}{number} of SQL {}", one_line(&operator.name), sql.id),
            ));
        }
        if let Some(calls) = profile.calls {
            spans.push(cx.span(Role::Dim, format!(" · {calls} calls")));
        }
        Row {
            tag: Some(cx.span(Role::Dim, format!(" {}", cx.spot(&profile.place)))),
            ..Row::new(Line::from(spans))
        }
    }

    fn line(&self, profile: &Profile, row: &ProfileRow) -> Row {
        let cx = &self.cx;
        let order = cx.order;
        let share = order.share(profile, row);
        let heat = match share {
            share if share >= 0.5 => Role::Failed,
            share if share >= 0.1 => Role::Warning,
            _ => Role::Dim,
        };
        let share = if share.is_nan() {
            " ".repeat(6)
        } else {
            format!("{:>4.0} %", share * 100.0)
        };
        let figure = format!("{:>9}  ", profile.amount(order.figure(row)));
        let mut spans = vec![cx.span(heat, share), cx.span(Role::Text, figure)];
        spans.extend(match &row.code {
            Some(code) => vec![
                cx.span(Role::Dim, format!("{:>4} ", row.line.unwrap_or(0))),
                cx.span(own(row), one_line(code)),
            ],
            None => vec![
                cx.span(own(row), one_line(&row.function)),
                cx.span(Role::Dim, format!("  {}", one_line(&row.spot()))),
            ],
        });
        let mut told: Vec<String> = row
            .calls
            .map(|calls| format!("{calls}×"))
            .into_iter()
            .collect();
        told.push(match (profile.measure, order) {
            (Measure::Time, Order::Cumulative) => format!("{} itself", profile.amount(row.own)),
            (Measure::Time, _) => format!("{} in all", profile.amount(row.cumulative)),
            (Measure::Memory, Order::Cumulative) => format!("+{}", profile.amount(row.own)),
            (Measure::Memory, _) => format!("{} in use", profile.amount(row.cumulative)),
        });
        Row {
            tag: Some(cx.span(Role::Dim, format!(" {}", told.join("  ")))),
            ..Row::new(Line::from(spans))
        }
    }
}

impl Rows for Profiles<'_> {
    fn len(&self) -> usize {
        self.items.len()
    }

    fn row(&self, i: usize, _width: usize) -> Row {
        let cx = &self.cx;
        let profiles = &cx.case.story.profiles;
        match self.items[i] {
            Item::Profile(p) => self.head(&profiles[p]),
            Item::Row(p, r) => self.line(&profiles[p], &profiles[p].rows[r]),
            Item::Source(place) => {
                let lines = cx.texts.excerpt(cx.case, place.source, place.line, 0);
                let text = lines.first().map_or("", |(_, text)| text.trim());
                Row::new(Line::from(vec![
                    cx.span(Role::Dim, format!("{:>INDENT$} │ ", place.line)),
                    cx.span(Role::OwnSource, text.to_owned()),
                ]))
            }
            Item::Rest(_, rest) => {
                let rows = if rest == 1 { "row" } else { "rows" };
                Row::new(cx.span(Role::Dim, format!("{:>INDENT$} {rest} colder {rows}", "…")))
            }
        }
    }

    fn place(&self, i: usize) -> Option<Place> {
        let profiles = &self.cx.case.story.profiles;
        Some(match *self.items.get(i)? {
            Item::Profile(p) | Item::Rest(p, _) => profiles[p].place,
            Item::Row(p, r) => profiles[p].rows[r].place,
            Item::Source(place) => place,
        })
    }
}

/// How many of the sorted rows are shown.
fn shown(profile: &Profile, order: &[usize], by: Order) -> usize {
    if by == Order::Printed {
        return order.len();
    }
    let hot = order
        .iter()
        .take_while(|r| by.share(profile, &profile.rows[**r]) >= COLD);
    hot.count().clamp(FEW, MOST).min(order.len())
}

fn own(row: &ProfileRow) -> Role {
    if row.owner == Owner::User {
        Role::OwnCode
    } else {
        Role::Text
    }
}

/// The line of an opened file that a row is about, where the file says what the row says.
fn source(cx: &Context<'_>, row: &ProfileRow) -> Option<Place> {
    let line = u64::from(row.line?);
    let parts: Vec<&str> = row.file.split(['/', '\\']).collect();
    let (source, _) = file_named(&cx.case.sources, &parts)?;
    let lines = cx.texts.excerpt(cx.case, source.id, line, 0);
    let (_, text) = lines.first()?;
    let same = match &row.code {
        Some(code) => text.trim() == code.trim(),
        // A decorator's line counts as a function's first.
        None => match row.function.strip_prefix('<') {
            Some(made) if made.ends_with("comp>") || made.starts_with("genexpr") => {
                text.contains(" for ")
            }
            Some(made) => text.contains(made.trim_end_matches('>')),
            None => text.trim_start().starts_with('@') || text.contains(&*row.function),
        },
    };
    same.then(|| cx.case.sources.place_of_line(source.id, line))?
}
