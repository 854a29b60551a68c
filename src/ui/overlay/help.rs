//! Every action with its keys, in groups: those of the pane with the focus first, then what people come for.

use super::menu::COPIES;
use crate::ui::action::{Action, Group};
use crate::ui::keymap::Keymap;
use crate::ui::panes::Pane;
use crate::ui::theme::{Role, Theme};
use crate::ui::widgets::{Row, Rows};
use ratatui::text::{Line, Span};

/// What the signs of the panes mean.
const SIGNS: [(&str, &str); 15] = [
    ("▶", "the root cause"),
    ("✗", "it failed; of incidents, the one that ended the run"),
    ("×10", "the same failure was logged ten times"),
    ("↻", "the run went on after it"),
    ("·", "noise: an effect of another failure, or of the end"),
    ("└", "an effect of another incident"),
    (
        "✓",
        "it succeeded; in Fixes: this evidence is in what was opened",
    ),
    (
        "○",
        "in Fixes: look at this first, it is not in what was opened",
    ),
    (
        "▾",
        "more rows below, ▴ above; of a fix, its steps are shown",
    ),
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

/// What somebody who has never seen the program wants first.
const WANTED: [Action; 10] = [
    Action::Root,
    Action::NextFrame,
    Action::FocusAttempts,
    Action::NextAttempt,
    Action::FocusFixes,
    Action::NextFix,
    Action::CopyStep,
    Action::CopyRoot,
    Action::Follow,
    Action::Command,
];

/// What is done in a pane, `None` for the log itself, rather than anywhere.
fn of_pane(pane: Option<Pane>) -> &'static [Action] {
    match pane {
        None => &[
            Action::Back,
            Action::Search,
            Action::NextMatch,
            Action::Filter,
            Action::Times,
            Action::Wrap,
            Action::ScrollRight,
        ],
        Some(Pane::Incidents) => &[
            Action::NextIncident,
            Action::PreviousIncident,
            Action::Filter,
        ],
        Some(Pane::Causes) => &[
            Action::NextCause,
            Action::PreviousCause,
            Action::Explain,
            Action::CopyChain,
        ],
        Some(Pane::Trace) => &[
            Action::Root,
            Action::NextFrame,
            Action::PreviousFrame,
            Action::ToggleFold,
            Action::OpenFolds,
            Action::CloseFolds,
            Action::FlipOrder,
            Action::Wrap,
            Action::CopyTrace,
        ],
        Some(Pane::Attempts) => &[
            Action::NextAttempt,
            Action::PreviousAttempt,
            Action::Times,
            Action::Follow,
        ],
        Some(Pane::Stages) => &[Action::NextStage, Action::PreviousStage, Action::Follow],
        Some(Pane::Fixes) => &[
            Action::NextStep,
            Action::PreviousStep,
            Action::NextFix,
            Action::PreviousFix,
            Action::ZoomIn,
            Action::CopyRoot,
            Action::CopyStep,
            Action::CopyFix,
            Action::CopyTicket,
            Action::Follow,
        ],
        Some(Pane::Sql) => &[Action::Follow, Action::ScrollRight],
        Some(Pane::Profiles) => &[Action::ProfileOrder, Action::Follow, Action::ScrollRight],
    }
}

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
    pub(super) fn new(
        keymap: &'a Keymap,
        theme: &'a Theme,
        pane: Option<Pane>,
        filter: &str,
    ) -> Self {
        let mut help = Self {
            keymap,
            theme,
            items: Vec::new(),
        };
        let wanted = filter.to_lowercase();
        let passes = |action: &Action| {
            wanted.is_empty()
                || action.name().contains(&wanted)
                || action.help().to_lowercase().contains(&wanted)
                || keymap.keys(*action).iter().any(|k| k == filter)
        };
        let here = of_pane(pane);
        let place = pane.map_or("the log", Pane::title);
        let passing = |actions: &[Action]| -> Vec<Action> {
            actions.iter().copied().filter(passes).collect()
        };
        help.add(&format!("Here, in {place}"), passing(here));
        let mut rest = passing(Action::ALL);
        rest.retain(|action| !here.contains(action));
        if wanted.is_empty() {
            // Once more among the others: there they are looked for.
            let mut first = WANTED.to_vec();
            first.retain(|action| !here.contains(action));
            help.add("What people come for", first);
        }
        let mut groups: Vec<Group> = rest.iter().map(|a| a.group()).collect();
        groups.sort_unstable();
        groups.dedup();
        for group in groups {
            let of_group = rest.iter().copied().filter(|a| a.group() == group);
            help.add(group.title(), of_group.collect());
        }
        let signs: Vec<Item> = SIGNS
            .iter()
            .filter(|(sign, means)| wanted.is_empty() || *sign == filter || means.contains(&wanted))
            .map(|(sign, means)| Item::Sign(sign, means))
            .collect();
        help.group("Signs", signs);
        help
    }

    fn add(&mut self, title: &str, actions: Vec<Action>) {
        self.group(title, actions.into_iter().map(Item::Action).collect());
    }

    fn group(&mut self, title: &str, items: Vec<Item>) {
        if items.is_empty() {
            return;
        }
        if !self.items.is_empty() {
            self.items.push(Item::Gap);
        }
        self.items.push(Item::Group(title.to_owned()));
        self.items.extend(items);
    }

    /// What a row does.
    pub(super) fn action(&self, row: usize) -> Option<Action> {
        match self.items.get(row)? {
            Item::Action(action) => Some(*action),
            Item::Group(_) | Item::Sign(..) | Item::Gap => None,
        }
    }

    /// The keys that come to an action, also by way of the menu of copies or its name.
    fn keys(&self, action: Action) -> String {
        let keys = self.keymap.keys(action);
        if !keys.is_empty() {
            return keys.join(" or ");
        }
        match COPIES.iter().position(|copy| *copy == action) {
            Some(n) => format!("{} {}", self.keymap.key(Action::CopyMenu), n + 1),
            None => format!("{}{}", self.keymap.key(Action::Command), action.name()),
        }
    }
}

impl Rows for Help<'_> {
    fn len(&self) -> usize {
        self.items.len()
    }

    fn row(&self, i: usize, width: usize) -> Row {
        let style = |role| self.theme.style(role);
        match &self.items[i] {
            Item::Gap => Row::default(),
            Item::Group(title) => Row::new(Span::styled(format!(" {title}"), style(Role::Title))),
            Item::Sign(sign, means) => Row::new(Line::from(vec![
                Span::styled(format!(" {sign:>11}  "), style(Role::Key)),
                Span::styled(*means, style(Role::Text)),
            ])),
            Item::Action(action) => {
                let keys = Span::styled(format!(" {:>11}  ", self.keys(*action)), style(Role::Key));
                let line = Line::from(vec![keys, Span::styled(action.help(), style(Role::Text))]);
                if line.width() > width {
                    return Row::prose(14, line);
                }
                Row {
                    tag: Some(Span::styled(action.name(), style(Role::Dim))),
                    ..Row::new(line)
                }
            }
        }
    }
}
