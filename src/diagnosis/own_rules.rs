//! In: files and folders of a person's own rules. Out: a [`Rulebook`] of the built-in rules and those, all or as many as can be
//! used, and the text of a rule.

use super::rule_error::{RuleError, rule_around};
use super::rulebook::{self, Rulebook};
use crate::source::own_text;
use std::path::{Path, PathBuf};

/// Files that are left out one by one; where there are more, none is used.
const MOST_LEFT_OUT: usize = 16;

impl Rulebook {
    /// The built-in rules and those of a file, or of every `*.toml` in a folder; a rule there takes the place of the
    /// built-in one of the same id.
    ///
    /// # Errors
    /// The first rule that cannot be used, with its file, id and field; or what cannot be read.
    pub fn with_own(path: &Path) -> Result<Self, RuleError> {
        let mut own = Vec::new();
        for path in files(path)? {
            own.push(text(&path)?);
        }
        Self::with_texts(own)
    }

    /// The same without the files in which something is wrong, and what is wrong with each; `None` where no file is left: the
    /// built-in rules are as good.
    pub fn with_usable(path: &Path) -> (Option<Self>, Vec<RuleError>) {
        let mut wrong = Vec::new();
        let mut own = Vec::new();
        match files(path) {
            Ok(paths) => {
                for path in paths {
                    match text(&path) {
                        Ok(file) => own.push(file),
                        Err(error) => wrong.push(error),
                    }
                }
            }
            Err(error) => wrong.push(error),
        }
        while !own.is_empty() {
            let error = match Self::with_texts(own.clone()) {
                Ok(book) => return (Some(book), wrong),
                Err(error) => error,
            };
            let before = own.len();
            own.retain(|(file, _)| *file != error.file);
            if own.len() == before || wrong.len() == MOST_LEFT_OUT {
                own.clear();
            }
            wrong.push(error);
        }
        (None, wrong)
    }

    fn with_texts(own: Vec<(String, String)>) -> Result<Self, RuleError> {
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

/// The name and the text of a file.
fn text(path: &Path) -> Result<(String, String), RuleError> {
    let text = own_text(path).map_err(|e| unreadable(path, &e))?;
    Ok((path.display().to_string(), text))
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
