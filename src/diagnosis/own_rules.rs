//! In: files and folders of a person's own rules. Out: a [`Rulebook`] of the built-in rules and those, and the text of a rule.

use super::rule_error::{RuleError, rule_around};
use super::rulebook::{self, Rulebook};
use crate::source::own_text;
use std::path::{Path, PathBuf};

impl Rulebook {
    /// The built-in rules and those of a file, or of every `*.toml` in a folder; a rule there takes the place of the
    /// built-in one of the same id.
    ///
    /// # Errors
    /// The first rule that cannot be used, with its file, id and field; or what cannot be read.
    pub fn with_own(path: &Path) -> Result<Self, RuleError> {
        let mut own = Vec::new();
        for path in files(path)? {
            let text = own_text(&path).map_err(|e| unreadable(&path, &e))?;
            own.push((path.display().to_string(), text));
        }
        let book = Self::read(rulebook::built_in_files(), own)?;
        // A person's own pattern should fail here, with its text, and not silently when it is needed.
        book.compile()?;
        Ok(book)
    }

    /// A rule as it stands in its file; `None` where there is none of that id, or its file went away.
    pub fn text_of(&self, id: &str) -> Option<String> {
        let file = self.rules().find(|rule| rule.id == id)?.file;
        let text = rulebook::built_in_files()
            .into_iter()
            .find(|(name, _)| name == file)
            .map(|(_, text)| text)
            .or_else(|| own_text(Path::new(file)).ok())?;
        let at = ['"', '\'']
            .iter()
            .find_map(|quote| text.find(&format!("id = {quote}{id}{quote}")))?;
        Some(rule_around(&text, at).1.trim_end().to_owned())
    }
}

/// The rules files that a path names.
fn files(path: &Path) -> Result<Vec<PathBuf>, RuleError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(path).map_err(|e| unreadable(path, &e))? {
        let path = entry.map_err(|e| unreadable(path, &e))?.path();
        if path.extension().is_some_and(|e| e == "toml") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn unreadable(path: &Path, error: &std::io::Error) -> RuleError {
    RuleError {
        file: path.display().to_string(),
        at: None,
        rule: "?".to_owned(),
        field: "file".to_owned(),
        problem: error.to_string(),
    }
}
