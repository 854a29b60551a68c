//! In: `assets/keymap.toml` and a user's file over it. Out: [`Keymap`]: which keys ask for which [`Action`].
//!
//! Read strictly: an unknown section, action or key, and a key with two meanings, are errors with file and line.

use super::action::Action;
use super::config::{Mistake, Written};
use super::key::Chord;
use std::path::Path;
use toml::Spanned;
use toml::de::DeValue;

const BUILT_IN: &str = include_str!("../../assets/keymap.toml");
const BUILT_IN_NAME: &str = "assets/keymap.toml";

/// Where a binding holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Section {
    /// Only in the trace.
    Trace,
    /// Only in the fixes.
    Fixes,
    /// Only in the profiles.
    Profiles,
    /// In every list of rows.
    List,
    /// Everywhere but where text is typed.
    Global,
}

impl Section {
    /// Every section; where several hold, the earlier one wins.
    pub const ALL: [Self; 5] = [
        Self::Trace,
        Self::Fixes,
        Self::Profiles,
        Self::List,
        Self::Global,
    ];

    /// Its name in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Trace => "trace",
            Self::Fixes => "fixes",
            Self::Profiles => "profiles",
            Self::List => "list",
            Self::Global => "global",
        }
    }
}

/// The keys of one action in one section.
#[derive(Debug, Clone)]
struct Binding {
    section: Section,
    action: Action,
    /// Each a sequence of keys; empty where the action is marked as unbound.
    keys: Vec<Vec<Chord>>,
}

/// Which keys ask for which action.
#[derive(Debug, Clone)]
pub struct Keymap {
    bindings: Vec<Binding>,
}

/// What the keys pressed so far mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// An action.
    Action(Action),
    /// The beginning of longer sequences.
    Prefix,
    /// Nothing.
    Nothing,
}

impl Keymap {
    /// The keys the program comes with.
    ///
    /// # Panics
    /// Never: a test reads the same file.
    pub fn built_in() -> Self {
        let mut keymap = Self {
            bindings: Vec::new(),
        };
        keymap
            .patch(&Written::new(BUILT_IN_NAME, BUILT_IN))
            .expect("the keymap in the program is tested");
        keymap
    }

    /// The built-in keys with those of a user's file in their place.
    ///
    /// # Errors
    /// Where the file cannot be read, or says something that is not a keymap.
    pub fn with_file(path: &Path) -> anyhow::Result<Self> {
        let mut keymap = Self::built_in();
        keymap.patch(&Written::read(path)?)?;
        Ok(keymap)
    }

    /// What `keys` mean where `sections` hold, the first of them before the others.
    pub fn meaning(&self, sections: &[Section], keys: &[Chord]) -> Meaning {
        let mut prefix = false;
        for section in sections {
            for binding in self.bindings.iter().filter(|b| b.section == *section) {
                for bound in &binding.keys {
                    if bound.as_slice() == keys {
                        return Meaning::Action(binding.action);
                    }
                    prefix |= bound.starts_with(keys);
                }
            }
            if prefix {
                return Meaning::Prefix;
            }
        }
        Meaning::Nothing
    }

    /// The keys of an action as people write them, the first of them first: `za`, `Space`.
    pub fn keys(&self, action: Action) -> Vec<String> {
        self.bindings
            .iter()
            .filter(|b| b.action == action)
            .flat_map(|b| &b.keys)
            .map(|keys| written(keys))
            .collect()
    }

    /// The keys of an action as a keymap's file writes them: `z a`, `Space`.
    pub(super) fn sequences(&self, action: Action) -> Vec<String> {
        let bound = self.bindings.iter().filter(|b| b.action == action);
        bound
            .flat_map(|b| &b.keys)
            .map(|keys| spaced(keys))
            .collect()
    }

    /// The first key of an action, empty where it has none.
    pub fn key(&self, action: Action) -> String {
        self.keys(action).into_iter().next().unwrap_or_default()
    }

    /// What may follow the keys pressed so far: the rest of the sequence and its action.
    pub fn continuations(&self, sections: &[Section], keys: &[Chord]) -> Vec<(String, Action)> {
        let mut all = Vec::new();
        for binding in &self.bindings {
            if sections.contains(&binding.section) {
                for bound in &binding.keys {
                    if bound.len() > keys.len() && bound.starts_with(keys) {
                        all.push((written(&bound[keys.len()..]), binding.action));
                    }
                }
            }
        }
        all
    }

    /// The section an action is bound in.
    pub fn section(&self, action: Action) -> Option<Section> {
        self.bindings
            .iter()
            .find(|b| b.action == action)
            .map(|b| b.section)
    }

    fn patch(&mut self, file: &Written) -> Result<(), Mistake> {
        let fail = |at: usize, problem: String| file.mistake(at, problem);
        for (name, value) in &file.table()? {
            let section = Section::ALL
                .into_iter()
                .find(|s| s.name() == name.get_ref())
                .ok_or_else(|| {
                    fail(
                        name.span().start,
                        format!(
                            "no section [{}]; there are [global], [list] and [trace]",
                            name.get_ref()
                        ),
                    )
                })?;
            let DeValue::Table(actions) = value.get_ref() else {
                return Err(fail(
                    value.span().start,
                    format!(
                        "[{}] must be a section with one line an action",
                        name.get_ref()
                    ),
                ));
            };
            // In the order of the file, so that of two bindings the later one is the one at fault.
            let mut actions: Vec<_> = actions.iter().collect();
            actions.sort_by_key(|(name, _)| name.span().start);
            for (name, keys) in actions {
                let action = Action::named(name.get_ref()).ok_or_else(|| {
                    fail(
                        name.span().start,
                        format!(
                            "no action `{}`; `:` in the program lists them",
                            name.get_ref()
                        ),
                    )
                })?;
                let keys = read_keys(keys).map_err(|(at, problem)| fail(at, problem))?;
                self.bind(section, action, keys)
                    .map_err(|problem| fail(name.span().start, problem))?;
            }
        }
        Ok(())
    }

    fn bind(
        &mut self,
        section: Section,
        action: Action,
        keys: Vec<Vec<Chord>>,
    ) -> Result<(), String> {
        self.bindings
            .retain(|b| !(b.section == section && b.action == action));
        for binding in self.bindings.iter().filter(|b| b.section == section) {
            for (bound, new) in binding
                .keys
                .iter()
                .flat_map(|b| keys.iter().map(move |n| (b, n)))
            {
                if bound.starts_with(new) || new.starts_with(bound) {
                    return Err(format!(
                        "key `{}` of `{}` is in the way of `{}` of `{}` in the same section",
                        written(new),
                        action.name(),
                        written(bound),
                        binding.action.name()
                    ));
                }
            }
        }
        self.bindings.push(Binding {
            section,
            action,
            keys,
        });
        Ok(())
    }
}

/// A sequence as a file writes it: with spaces between all keys.
fn spaced(keys: &[Chord]) -> String {
    let keys: Vec<String> = keys.iter().map(Chord::to_string).collect();
    keys.join(" ")
}

/// A sequence as people write it: single characters without spaces between them.
pub(super) fn written(keys: &[Chord]) -> String {
    let keys: Vec<String> = keys.iter().map(Chord::to_string).collect();
    let short = keys.iter().all(|k| k.chars().count() == 1);
    keys.join(if short { "" } else { " " })
}

fn read_keys(value: &Spanned<DeValue<'_>>) -> Result<Vec<Vec<Chord>>, (usize, String)> {
    let wrong = || {
        (
            value.span().start,
            "keys are a list of strings: [\"j\", \"Down\"]".to_owned(),
        )
    };
    let list = value.get_ref().as_array().ok_or_else(wrong)?;
    list.iter()
        .map(|item| {
            let sequence = item.get_ref().as_str().ok_or_else(wrong)?;
            let keys: Option<Vec<Chord>> = sequence.split(' ').map(Chord::parse).collect();
            keys.filter(|k| !k.is_empty())
                .ok_or_else(|| (item.span().start, format!("no key `{sequence}`")))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;

    fn patched(text: &str) -> Result<Keymap, String> {
        let mut keymap = Keymap::built_in();
        let written = Written::new("keys.toml", text);
        keymap.patch(&written).map_err(|e| e.to_string())?;
        Ok(keymap)
    }

    #[test]
    fn every_action_is_bound_or_marked_as_unbound() {
        let keymap = Keymap::built_in();
        for action in Action::ALL {
            assert!(keymap.section(*action).is_some(), "{}", action.name());
            assert!(!action.help().is_empty(), "{}", action.name());
            assert_eq!(Action::named(action.name()), Some(*action));
        }
    }

    #[test]
    fn a_file_changes_only_what_it_names() {
        let keymap = patched("[list]\ndown = [\"e\", \"z z\"]\n").unwrap();
        assert_eq!(keymap.keys(Action::Down), ["e", "zz"]);
        assert_eq!(keymap.key(Action::Up), "k");
        let keys: Vec<Chord> = ["z", "z"].iter().filter_map(|k| Chord::parse(k)).collect();
        assert_eq!(
            keymap.meaning(&[Section::List], &keys[..1]),
            Meaning::Prefix
        );
        assert_eq!(
            keymap.meaning(&[Section::List], &keys),
            Meaning::Action(Action::Down)
        );
    }

    #[test]
    fn mistakes_are_named_with_file_and_line() {
        let mistake = |text| patched(text).unwrap_err();
        assert_eq!(
            mistake("[global]\nquit = [\"r\"]\n"),
            "keys.toml:2: key `r` of `quit` is in the way of `r` of `root` in the same section"
        );
        assert_eq!(
            mistake("[global]\n\nquti = [\"Q\"]\n"),
            "keys.toml:3: no action `quti`; `:` in the program lists them"
        );
        assert_eq!(
            mistake("[global]\nquit = [\"qq\"]\n"),
            "keys.toml:2: no key `qq`"
        );
        assert_eq!(
            mistake("[pane]\nquit = [\"q\"]\n"),
            "keys.toml:1: no section [pane]; there are [global], [list] and [trace]"
        );
        assert_eq!(
            mistake("[trace]\nopen-fold = [\"z\"]\n"),
            "keys.toml:2: key `z` of `open-fold` is in the way of `za` of `toggle-fold` in the same section"
        );
        assert!(mistake("[global\n").starts_with("keys.toml:1: "));
    }
}
