//! In: the text of a file that a person wrote. Out: its table, and mistakes by file and line.

use crate::source::own_text;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What is wrong in a file of keys, colours or settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {problem}")]
pub struct Mistake {
    /// The file as given.
    pub file: String,
    /// 1-based line in it.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub problem: String,
}

/// A file and its text.
#[derive(Debug, Clone)]
pub(in crate::ui) struct Written {
    file: String,
    text: String,
}

impl Written {
    pub(in crate::ui) fn new(file: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            text: text.into(),
        }
    }

    /// # Errors
    /// Where the file cannot be read, with its name.
    pub(in crate::ui) fn read(path: &Path) -> anyhow::Result<Self> {
        let text =
            own_text(path).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
        Ok(Self::new(path.display().to_string(), text))
    }

    /// Its table, as it is written.
    pub(in crate::ui) fn table(&self) -> Result<DeTable<'_>, Mistake> {
        match DeTable::parse(&self.text) {
            Ok(table) => Ok(table.into_inner()),
            Err(error) => {
                let at = error.span().map_or(0, |span| span.start);
                Err(self.mistake(at, error.message()))
            }
        }
    }

    /// A mistake at an offset of the text.
    pub(in crate::ui) fn mistake(&self, at: usize, problem: impl Into<String>) -> Mistake {
        Mistake {
            file: self.file.clone(),
            line: 1 + self.text[..at.min(self.text.len())].matches('\n').count(),
            problem: problem.into(),
        }
    }

    /// The text that a value has to be.
    pub(in crate::ui) fn string<'v>(
        &self,
        name: &str,
        value: &'v Spanned<DeValue<'_>>,
    ) -> Result<&'v str, Mistake> {
        value.get_ref().as_str().ok_or_else(|| {
            self.mistake(
                value.span().start,
                format!("`{name}` is a text: {name} = \"…\""),
            )
        })
    }

    /// The yes or no that a value has to be.
    pub(in crate::ui) fn switch(
        &self,
        name: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<bool, Mistake> {
        value
            .get_ref()
            .as_bool()
            .ok_or_else(|| self.mistake(value.span().start, format!("`{name}` is true or false")))
    }
}
