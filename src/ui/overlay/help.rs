//! Every action with its keys, in groups; those that only hold in the pane with the focus come first.

use crate::ui::action::{Action, Group};
use crate::ui::keymap::{Keymap, Section};
use crate::ui::panes::Pane;
use crate::ui::theme::{Role, Theme};
use crate::ui::widgets::{Row, Rows};
use ratatui::text::{Line, Span};

/// What the signs of the panes mean.
const SIGNS: [(&str, &str); 12] = [
    ("▶", "the root cause"),
    ("✗", "it failed; of incidents, the one that ended the run"),
    ("↻", "the run went on after it"),
    ("·", "noise: an effect of another failure, or of the end"),
    ("└", "an effect of another incident"),
    ("✓", "it succeeded"),
    ("†", "lost with its executor"),
    ("⊘", "killed on purpose"),
    ("-", "skipped: its result was there already"),
    ("?", "what was opened does not tell"),
    ("4✗/12", "four failed attempts in a stage of twelve tasks"),
    (
        "!",
        "something is remarkable about the stage; select it to read what",
    ),
];

enum Item {
    Group(String),
    Action(Action),
    Sign(&'static str, &'static str),
    Gap,
}

pub(super) struct Help<'a> {
    keymap: &'a Keymap,
    theme: &'a Theme,
    items: Vec<Item>,
}

impl<'a> Help<'a> {
    pub(super) fn new(keymap: &'a Keymap, theme: &'a Theme, pane: Pane, filter: &str) -> Self {
        let wanted = filter.to_lowercase();
        let passes = |action: &Action| {
            wanted.is_empty()
                || action.name().contains(&wanted)
                || action.help().to_lowercase().contains(&wanted)
                || keymap.keys(*action).iter().any(|k| k == filter)
        };
        let of_pane = |action: &Action| {
            pane == Pane::Trace && keymap.section(*action) == Some(Section::Trace)
        };
        let mut items = Vec::new();
        let mut add = |title: String, actions: Vec<Action>| {
            if !actions.is_empty() {
                if !items.is_empty() {
                    items.push(Item::Gap);
                }
                items.push(Item::Group(title));
                items.extend(actions.into_iter().map(Item::Action));
            }
        };
        let passing: Vec<Action> = Action::ALL.iter().copied().filter(passes).collect();
        let (here, rest): (Vec<_>, Vec<_>) = passing.into_iter().partition(of_pane);
        add(format!("Here, in {}", pane.title()), here);
        let mut groups: Vec<Group> = rest.iter().map(|a| a.group()).collect();
        groups.sort_unstable();
        groups.dedup();
        for group in groups {
            let of_group = rest.iter().copied().filter(|a| a.group() == group);
            add(group.title().to_owned(), of_group.collect());
        }
        let mut signs = SIGNS
            .iter()
            .filter(|(sign, means)| wanted.is_empty() || *sign == filter || means.contains(&wanted))
            .map(|(sign, means)| Item::Sign(sign, means))
            .peekable();
        if signs.peek().is_some() {
            if !items.is_empty() {
                items.push(Item::Gap);
            }
            items.push(Item::Group("Signs".to_owned()));
            items.extend(signs);
        }
        Self {
            keymap,
            theme,
            items,
        }
    }
}

impl Rows for Help<'_> {
    fn len(&self) -> usize {
        self.items.len()
    }

    fn row(&self, i: usize, _width: usize) -> Row {
        let style = |role| self.theme.style(role);
        match &self.items[i] {
            Item::Gap => Row::default(),
            Item::Group(title) => Row::new(Span::styled(format!(" {title}"), style(Role::Title))),
            Item::Sign(sign, means) => Row::new(Line::from(vec![
                Span::styled(format!(" {sign:>11}  "), style(Role::Key)),
                Span::styled(*means, style(Role::Text)),
            ])),
            Item::Action(action) => {
                let keys = self.keymap.keys(*action).join(" ");
                Row {
                    tag: Some(Span::styled(action.name(), style(Role::Dim))),
                    ..Row::new(Line::from(vec![
                        Span::styled(format!(" {keys:>11}  "), style(Role::Key)),
                        Span::styled(action.help(), style(Role::Text)),
                    ]))
                }
            }
        }
    }
}
