//! [`Kept`]: what is remembered of a screen. In and out: a file of the state folder that only its owner can read. It names
//! spots by numbers and holds no text of a log.

use super::at::At;
use crate::source::own_text;
use crate::ui::app::App;
use crate::ui::panes::Pane;
use crate::ui::shape::Shape;
use etcetera::BaseStrategy as _;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use twox_hash::XxHash64;

/// Files that are kept; the oldest give way.
const MOST: usize = 200;
/// A longer file was not written by this program.
const LARGEST: u64 = 64 << 10;

/// What is remembered of a screen.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(in crate::ui) struct Kept {
    /// Where the root of the most important incident lay: elsewhere, it is another run.
    root: String,
    at: String,
    root_first: bool,
    /// Whether the trace was unfolded, and the first lines of the folds that were not as the others.
    unfolded: bool,
    turned: Vec<usize>,
    hidden: Vec<String>,
    lists: Option<u16>,
    fixes: Option<u16>,
    lines: BTreeMap<String, u16>,
    marks: BTreeMap<String, String>,
}

impl Kept {
    /// What is to be remembered of a screen.
    pub(in crate::ui) fn of(app: &App) -> Self {
        let shape = &app.view.shape;
        let name = |pane: Pane| pane.action().name().to_owned();
        let lines = Pane::ALL.map(|pane| Some((name(pane), shape.lines[pane as usize]?)));
        let hidden = Pane::ALL.into_iter().filter(|pane| !shape.shows(*pane));
        let (unfolded, turned) = app.view.folds.kept();
        Self {
            root: root(app),
            at: app.at().to_string(),
            root_first: app.view.folds.root_first,
            unfolded,
            turned,
            hidden: hidden.map(name).collect(),
            lists: shape.lists,
            fixes: shape.fixes,
            lines: lines.into_iter().flatten().collect(),
            marks: app.marks(),
        }
    }

    /// Stands where the screen stood; whether that is elsewhere than a first screen stands. What was remembered of
    /// another run in the same place is left alone but for the size of the panes.
    pub(in crate::ui) fn open(&self, app: &mut App) -> bool {
        let mut shape = Shape::default();
        (shape.lists, shape.fixes) = (self.lists, self.fixes);
        for pane in Pane::ALL {
            let name = pane.action().name();
            shape.lines[pane as usize] = self.lines.get(name).copied();
            if self.hidden.iter().any(|hidden| hidden == name) {
                shape.hide(pane);
            }
        }
        app.view.shape = shape;
        app.view.folds.root_first = self.root_first;
        let Ok(at) = self.at.parse::<At>() else {
            return false;
        };
        if self.root != root(app) {
            return false;
        }
        app.set_marks(&self.marks);
        app.open_at(&at);
        let turned = self.turned.iter().copied();
        app.keep_line(|app| app.view.folds.turn(self.unfolded, turned));
        at != At::default()
    }

    /// What was remembered of what is named like that.
    pub(in crate::ui) fn load(file: &Path) -> Option<Self> {
        if fs::metadata(file).ok()?.len() > LARGEST {
            return None;
        }
        // A file that cannot be understood is as good as none.
        toml::from_str(&own_text(file).ok()?).ok()
    }

    /// Remembers it.
    pub(in crate::ui) fn save(&self, file: &Path) -> io::Result<()> {
        let text = toml::to_string(self).map_err(io::Error::other)?;
        let folder = file.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        forget_the_oldest(folder);
        crate::ui::copy::write_private(file, &text)
    }

    /// The file for what is opened by these words, in any order.
    pub(in crate::ui) fn file(words: &[String]) -> Option<PathBuf> {
        if words == ["--demo"] {
            return None;
        }
        let mut words = words.to_vec();
        words.sort_unstable();
        let bytes = words.join("\0");
        let folders = etcetera::choose_base_strategy().ok()?;
        let state = folders.state_dir().unwrap_or_else(|| folders.cache_dir());
        let name = format!("{:016x}.toml", XxHash64::oneshot(0, bytes.as_bytes()));
        Some(state.join("causedby").join("sessions").join(name))
    }
}

/// `driver.log:670`
fn root(app: &App) -> String {
    let incident = app.case().story.incidents.first();
    incident.map_or_else(String::new, |incident| {
        let place = incident.root().place;
        let name = app.case().sources.get(place.source).map_or("", |s| &s.name);
        format!("{name}:{}", place.line)
    })
}

fn forget_the_oldest(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut files: Vec<(SystemTime, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    files.sort_unstable();
    for (_, path) in files.iter().take(files.len().saturating_sub(MOST - 1)) {
        // Another program that ends at the same time may have been faster.
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use crate::ui::keymap::Keymap;
    use crate::ui::sample;
    use crate::ui::selection::Target;
    use crate::ui::theme::{Depth, Theme};
    use std::sync::Arc;

    fn app() -> App {
        let theme = Theme::named("dark", Depth::True).unwrap();
        App::new(Arc::new(sample::udf()), Keymap::built_in(), theme)
    }

    #[test]
    fn what_is_remembered_is_a_small_private_file_without_text_of_the_log() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a/b.toml");
        let mut app = app();
        app.propose(Target::Cause(1), None);
        app.view.shape.hide(Pane::Stages);
        app.view.shape.lists = Some(44);
        app.trail.mark('a', app.spot());
        app.view.folds.turn(true, [4]);
        let kept = Kept::of(&app);
        kept.save(&file).unwrap();
        assert_eq!(Kept::load(&file), Some(kept.clone()));
        let text = fs::read_to_string(&file).unwrap();
        assert!(
            text.len() < 1_000 && !text.contains("Error") && !text.contains("unknown"),
            "{text}"
        );
        let mut again = self::app();
        assert!(kept.open(&mut again));
        assert_eq!(Kept::of(&again), kept);
    }

    #[test]
    fn another_run_in_the_same_file_begins_at_its_root() {
        let mut app = app();
        app.propose(Target::Cause(1), None);
        let mut kept = Kept::of(&app);
        kept.root = "driver.log:1".into();
        let mut again = self::app();
        assert!(!kept.open(&mut again));
        assert_eq!(again.at(), At::default());
    }

    #[test]
    fn only_so_many_are_remembered_and_nonsense_is_not() {
        let folder = tempfile::tempdir().unwrap();
        for i in 0..MOST + 5 {
            fs::write(folder.path().join(format!("{i}.toml")), "x").unwrap();
        }
        let file = folder.path().join("new.toml");
        Kept::default().save(&file).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), MOST);
        fs::write(&file, "at = 3\n").unwrap();
        assert_eq!(Kept::load(&file), None);
    }

    #[test]
    fn the_order_of_what_is_named_does_not_matter() {
        let file = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            Kept::file(&words)
        };
        assert_eq!(file(&["/a.log", "/b.log"]), file(&["/b.log", "/a.log"]));
        assert_ne!(file(&["/a.log"]), file(&["/b.log"]));
        assert_eq!(file(&["--demo"]), None);
    }
}
