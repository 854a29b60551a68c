//! In: opened sources, later. Out: the same sources as they are by then: grown, cut short, joined by others; `None` where nothing changed.

use super::admit::{Arrival, is_packed};
use super::content::Content;
use super::source::{Source, Sources};
use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Sources {
    /// Looks at the inputs again, at a cost of a few system calls for each: what grew is longer, what was cut short or
    /// written anew is another input under the same name, and a file that took the place of one that was renamed away
    /// stands beside it. `None` where all is as it was.
    ///
    /// What was unpacked stays as it was.
    pub fn again(&self) -> Option<Self> {
        let mut opened = self.opened.clone();
        let newcomers = opened.newcomers();
        let mut again = Self {
            refused: self.refused.clone(),
            opened,
            ..Self::default()
        };
        let mut changed = false;
        for source in &self.list {
            changed |= again.take_again(source);
        }
        // A file that is opened for each read is known by its path, whatever lies there now.
        let known: HashSet<&Path> = self.list.iter().filter_map(Source::closed_path).collect();
        for newcomer in newcomers.list {
            if newcomer
                .path
                .as_deref()
                .is_none_or(|path| !known.contains(path))
            {
                again.push(newcomer);
                changed = true;
            }
        }
        for refusal in newcomers.refused {
            let is_known = |known: &super::Refusal| known.name == refusal.name;
            if !again.refused.iter().any(is_known) {
                again.refused.push(refusal);
                changed = true;
            }
        }
        again.arrange();
        changed.then_some(again)
    }

    /// Whether these are the inputs of `before` in their old order, only longer or with others behind them: what was
    /// known by the id of a source or by a place is still so.
    pub fn go_on_from(&self, before: &Self) -> bool {
        self.list.len() >= before.list.len()
            && (before.list.iter().zip(&self.list)).all(|(old, new)| new.goes_on_from(old))
    }

    /// Adds a source as it is by now; whether that differs.
    fn take_again(&mut self, source: &Source) -> bool {
        let mut source = source.clone();
        let renamed = source.own_file().filter(|own| source.gave_way(own));
        if let Some(own) = &renamed {
            source.path = source.path_by_now(own);
            let name = source.path.as_deref().and_then(Path::file_name);
            source.name = match name {
                Some(name) => {
                    let old = Path::new(&source.name);
                    old.with_file_name(name).display().to_string()
                }
                None => format!("{} (renamed)", source.name),
            };
        }
        let changed = match source.change() {
            Change::None => {
                self.push(source);
                false
            }
            Change::Grown => {
                let content = source.content.clone();
                self.admit_again(source, content);
                true
            }
            Change::Replaced => {
                let anew = source.content.anew();
                self.admit_again(source, anew);
                true
            }
        };
        changed || renamed.is_some()
    }

    /// Looks into a source anew, as if it had just been opened.
    fn admit_again(&mut self, source: Source, content: Content) {
        if source.spool().is_some() && is_packed(&content) {
            // Nothing can be said of it before all of it is there.
            return self.push(Source {
                bytes: content.len().unwrap_or(source.bytes),
                ..source
            });
        }
        let (known, refused) = (self.list.len(), self.refused.len());
        self.admit(&Arrival::new(
            source.name.clone(),
            source.path.clone(),
            content,
        ));
        if self.list.len() == known {
            // What is no log any more, or cannot be read just now, stays what it was known as.
            self.refused.truncate(refused);
            self.push(source);
        }
    }
}

/// What became of the bytes of a source.
enum Change {
    None,
    Grown,
    Replaced,
}

impl Source {
    /// Whether more may come to it: what was unpacked, pasted or built in stays as it is.
    pub fn may_grow(&self) -> bool {
        let is_open = matches!(
            self.content,
            Content::File(_) | Content::Closed(_) | Content::Spool(_)
        );
        is_open && self.format == "plain"
    }

    /// Whether it is `before`, or that with more behind it.
    pub fn goes_on_from(&self, before: &Self) -> bool {
        self.content.is_same(&before.content) && self.bytes >= before.bytes
    }

    /// Whether it is `before` and nothing has come to it.
    pub fn is_same_as(&self, before: &Self) -> bool {
        self.goes_on_from(before) && self.bytes == before.bytes
    }

    fn change(&self) -> Change {
        if !self.may_grow() {
            return Change::None;
        }
        match self.content.len() {
            Ok(now) if now > self.bytes && self.ends_as_before() => Change::Grown,
            Ok(now) if now != self.bytes => Change::Replaced,
            _ => Change::None,
        }
    }

    /// Whether what was the end of it still stands there.
    fn ends_as_before(&self) -> bool {
        let mut end = vec![0; self.end.len()];
        let at = self.bytes.saturating_sub(end.len() as u64);
        self.fill_at(at, &mut end).is_ok() && *end == *self.end
    }

    /// The file that is held open, where it was named by a path.
    fn own_file(&self) -> Option<fs::Metadata> {
        match (&self.content, &self.path) {
            (Content::File(file), Some(_)) => file.metadata().ok(),
            _ => None,
        }
    }

    /// Whether another file is at its path by now. Nothing there is no news: it is being renamed, or was removed, and can
    /// still be read.
    fn gave_way(&self, own: &fs::Metadata) -> bool {
        let there = self.path.as_ref().and_then(|path| fs::metadata(path).ok());
        there.is_some_and(|there| !is_same_file(&there, own))
    }

    /// Where it lies now, if it is still in its folder.
    fn path_by_now(&self, own: &fs::Metadata) -> Option<PathBuf> {
        let mut beside = fs::read_dir(self.path.as_ref()?.parent()?).ok()?.flatten();
        let found = beside.find(|entry| {
            entry
                .metadata()
                .is_ok_and(|there| is_same_file(&there, own))
        });
        found.map(|entry| entry.path())
    }

    fn closed_path(&self) -> Option<&Path> {
        match &self.content {
            Content::Closed(path) => Some(path),
            _ => None,
        }
    }
}

fn is_same_file(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

impl Content {
    /// The same bytes under another identity: nothing that was known of them holds any more.
    fn anew(&self) -> Self {
        match self {
            Self::File(file) => match file.try_clone() {
                Ok(clone) => Self::File(Arc::new(clone)),
                Err(_) => self.clone(),
            },
            Self::Closed(path) => Self::Closed(Arc::from(&**path)),
            _ => self.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use std::fs::OpenOptions;
    use std::io::Write as _;

    fn append(path: &Path, text: &str) {
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }

    fn told(sources: &Sources) -> Vec<(&str, u64)> {
        sources
            .list
            .iter()
            .map(|s| (s.name.as_str(), s.bytes))
            .collect()
    }

    const LINE: &str = "24/01/02 03:04:05 INFO DAGScheduler: looking\n";

    #[test]
    fn what_grew_is_longer_and_what_did_not_is_no_news() {
        let dir = tempfile::tempdir().unwrap();
        let log = dir.path().join("driver.log");
        append(&log, "");
        let first = Sources::open(std::slice::from_ref(&log));
        assert!(first.again().is_none());
        append(&log, LINE);
        let second = first.again().unwrap();
        assert_eq!(told(&second), [("driver.log", 45)]);
        assert!(second.go_on_from(&first));
        assert!(second.again().is_none());
    }

    #[test]
    fn what_was_cut_short_or_written_anew_is_another() {
        let dir = tempfile::tempdir().unwrap();
        let log = dir.path().join("driver.log");
        append(&log, &LINE.repeat(3));
        let first = Sources::open(std::slice::from_ref(&log));
        fs::write(&log, LINE).unwrap();
        let second = first.again().unwrap();
        assert_eq!(told(&second), [("driver.log", 45)]);
        assert!(!second.go_on_from(&first));
        // It grew past its old end between two looks, but its bytes are others.
        fs::write(&log, LINE.repeat(9).replace("INFO", "WARN")).unwrap();
        let third = second.again().unwrap();
        assert_eq!(told(&third), [("driver.log", 405)]);
        assert!(!third.go_on_from(&second));
    }

    #[test]
    fn a_rotated_log_stays_and_the_new_one_joins_it() {
        let dir = tempfile::tempdir().unwrap();
        let log = dir.path().join("driver.log");
        append(&log, LINE);
        let first = Sources::open(std::slice::from_ref(&log));
        fs::rename(&log, dir.path().join("driver.log.1")).unwrap();
        // Whoever writes it still has it open.
        append(&dir.path().join("driver.log.1"), LINE);
        let between = first.again().unwrap();
        assert_eq!(told(&between), [("driver.log", 90)]);
        append(&log, LINE);
        let second = between.again().unwrap();
        assert_eq!(told(&second), [("driver.log.1", 90), ("driver.log", 45)]);
        assert!(second.go_on_from(&between) && second.go_on_from(&first));
        assert!(second.again().is_none());
    }

    #[test]
    fn a_folder_takes_in_what_comes_to_it() {
        let dir = tempfile::tempdir().unwrap();
        append(&dir.path().join("driver.log"), LINE);
        let first = Sources::open(&[dir.path().to_owned()]);
        append(&dir.path().join("image"), "\x7fELF\0");
        let second = first.again().unwrap();
        assert_eq!((second.list.len(), second.refused.len()), (1, 1));
        fs::create_dir(dir.path().join("executor-1")).unwrap();
        append(
            &dir.path().join("executor-1/stderr"),
            "24/01/02 03:04:05 INFO X: y\n",
        );
        let third = second.again().unwrap();
        assert_eq!(told(&third)[1].0, "executor-1/stderr");
        assert!(third.again().is_none());
    }
}
