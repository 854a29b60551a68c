//! In: a few letters. Out: the actions whose names hold them in that order, or whose help holds the word, best first.

use crate::ui::action::Action;
use crate::ui::keymap::Keymap;
use crate::ui::theme::{Role, Theme};
use crate::ui::widgets::{Row, Rows};
use ratatui::text::{Line, Span};

pub(super) struct Commands<'a> {
    keymap: &'a Keymap,
    theme: &'a Theme,
    actions: Vec<Action>,
}

impl<'a> Commands<'a> {
    pub(super) fn new(keymap: &'a Keymap, theme: &'a Theme, typed: &str) -> Self {
        Self {
            keymap,
            theme,
            actions: ranked(typed),
        }
    }
}

impl Rows for Commands<'_> {
    fn len(&self) -> usize {
        self.actions.len().max(1)
    }

    fn row(&self, i: usize, width: usize) -> Row {
        let Some(action) = self.actions.get(i) else {
            let none = " no action is called so, or speaks of it";
            return Row::new(Span::styled(none, self.theme.style(Role::Dim)));
        };
        let action = *action;
        let style = |role| self.theme.style(role);
        let line = Line::from(vec![
            Span::styled(format!(" {:<18}", action.name()), style(Role::Strong)),
            Span::styled(action.help(), style(Role::Dim)),
        ]);
        let keys = self.keymap.keys(action).join(" or ");
        Row {
            keeps_tag: true,
            hang: (keys.is_empty() && line.width() > width).then_some(19),
            tag: (!keys.is_empty()).then(|| Span::styled(keys, style(Role::Key))),
            ..Row::new(line)
        }
    }
}

/// All actions where nothing is typed.
pub(super) fn ranked(typed: &str) -> Vec<Action> {
    let typed = typed.trim().to_lowercase().replace(' ', "-");
    let mut ranked: Vec<(usize, Action)> = Action::ALL
        .iter()
        .filter_map(|action| {
            let by_name = looseness(&typed, action.name());
            // Letters strewn over a whole sentence are no sign that it is meant.
            let help = action.help().to_lowercase().replace(' ', "-");
            let score = by_name.or_else(|| help.find(&typed).map(|at| at + 1_000))?;
            Some((score, *action))
        })
        .collect();
    ranked.sort_by_key(|(score, _)| *score);
    ranked.into_iter().map(|(_, action)| action).collect()
}

/// How loosely the letters lie in a name, in order: 0 for the name itself; `None` where they do not.
fn looseness(letters: &str, name: &str) -> Option<usize> {
    if letters == name {
        return Some(0);
    }
    if let Some(at) = name.find(letters) {
        return Some(1 + at);
    }
    let mut rest = name.char_indices();
    let mut gaps = 0;
    let mut last: Option<usize> = None;
    for letter in letters.chars() {
        let (at, _) = rest.find(|(_, c)| *c == letter)?;
        gaps += at - last.map_or(0, |l| l + 1);
        last = Some(at);
    }
    Some(100 + gaps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_itself_comes_first_and_letters_in_order_are_found() {
        assert_eq!(ranked("filter")[0], Action::Filter);
        assert_eq!(ranked("copy root")[0], Action::CopyRoot);
        assert_eq!(ranked("cpch")[0], Action::CopyChain);
        assert!(ranked("markdown").contains(&Action::CopyTicket));
        assert!(ranked("zzzz").is_empty());
        assert_eq!(ranked("").len(), Action::ALL.len());
    }
}
