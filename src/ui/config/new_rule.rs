//! In: a person's own rules. Out: they are read again; a file with a rule to start from is among them, and the case judged by it.

use super::folder;
use crate::diagnosis::{Rulebook, starting_rule};
use crate::load::{Case, Options};
use crate::source::is_there;
use anyhow::{Context as _, bail};
use std::io::{ErrorKind, Write as _};
use std::sync::Arc;

/// Reads a person's own rules again, where there are any: they may have been written in since. What is wrong with those that
/// cannot be used.
pub(in crate::ui) fn reread(options: &mut Options) -> Vec<String> {
    let Some(folder) = folder::file("rules").filter(|folder| is_there(folder)) else {
        return Vec::new();
    };
    let (book, wrong) = Rulebook::with_usable(&folder);
    options.rules = book.map(Arc::new);
    wrong.iter().map(ToString::to_string).collect()
}

/// What is wrong with one's own files in one line, where there is something.
pub(in crate::ui) fn in_short(wrong: &[String]) -> Option<String> {
    let first = wrong.first()?;
    Some(match wrong.len() - 1 {
        0 => format!("not used: {first}"),
        more => format!("not used, and {more} more (`causedby doctor`): {first}"),
    })
}

/// Writes the rule and applies it; the case as it is judged now, and what is to be said.
///
/// # Errors
/// Where there is no folder to write to.
pub(in crate::ui) fn begin(
    case: &Case,
    incident: usize,
    options: &mut Options,
) -> anyhow::Result<(Arc<Case>, String)> {
    let known = case
        .story
        .incidents
        .get(incident)
        .zip(case.diagnoses.get(incident));
    let (failure, diagnosis) = known.context("there is no incident to write a rule for")?;
    let (id, text) = starting_rule(failure, diagnosis);
    let folder = folder::file("rules").context("there is no home folder to keep rules in")?;
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let path = folder.join(format!("{id}.toml"));
    let path_told = path.display();
    match std::fs::File::create_new(&path) {
        Ok(mut file) => {
            let written = file.write_all(text.as_bytes());
            written.with_context(|| path_told.to_string())?;
        }
        // A rule that was begun before is the person's own by now.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("your rule is there already: write in it what to do: {path_told}")
        }
        Err(error) => {
            return Err(error).with_context(|| format!("no rule was written: {path_told}"));
        }
    }
    let wrong = reread(options);
    let book = options.rules.as_deref().unwrap_or(Rulebook::built_in());
    let case = Arc::new(case.judged_by(book));
    let said = format!("your rule is begun: write in it what to do: {path_told}");
    Ok((case, in_short(&wrong).unwrap_or(said)))
}
