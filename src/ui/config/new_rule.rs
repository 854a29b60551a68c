//! In: an incident that no rule knows. Out: a file with a rule to start from in the folder of a person's own rules, and
//! the case judged by it.

use super::folder;
use crate::diagnosis::{Rulebook, starting_rule};
use crate::load::{Case, Options};
use anyhow::{Context as _, bail};
use std::io::{ErrorKind, Write as _};
use std::sync::Arc;

/// Reads a person's own rules again, where there are any: they may have been written in since.
///
/// # Errors
/// Where they cannot be used; the rules in use stay in use.
pub(in crate::ui) fn reread(options: &mut Options) -> anyhow::Result<()> {
    if let Some(folder) = folder::file("rules").filter(|folder| folder.is_dir()) {
        options.rules = Some(Arc::new(Rulebook::with_own(&folder)?));
    }
    Ok(())
}

/// Writes the rule and applies it; the case as it is judged now, and what is to be said.
///
/// # Errors
/// Where there is no folder to write to, or rules there cannot be used.
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
    let book = Rulebook::with_own(&folder)?;
    let case = Arc::new(case.judged_by(&book));
    options.rules = Some(Arc::new(book));
    Ok((
        case,
        format!("your rule is begun: write in it what to do: {path_told}"),
    ))
}
