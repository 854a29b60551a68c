//! In: what is wanted of the rules. Out: a list, a rule, what is wrong with a person's own, which rules hold for a log.

use crate::cli::{Opened, Rules};
use crate::open::Named;
use crate::say::tell;
use crate::{Failure, complain_of, read};
use anyhow::Context as _;
use causedby::diagnosis::{RuleSummary, Rulebook};
use causedby::load;
use causedby::report::Safe;
use causedby::source::is_there;
use causedby::text::sanitise;
use etcetera::BaseStrategy as _;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Rules that a test names for an incident: the best one and those below it.
const MOST_NAMED: usize = 5;

pub(crate) fn run(wanted: Rules) -> Result<ExitCode, Failure> {
    match wanted {
        Rules::List => {
            let own = own_told();
            let book = own.as_deref().unwrap_or(Rulebook::built_in());
            tell(&book.rules().map(line).collect::<String>())?;
        }
        Rules::Show { id } => {
            let own = own_told();
            let book = own.as_deref().unwrap_or(Rulebook::built_in());
            let text = book.text_of(&id).with_context(|| {
                format!("there is no rule `{id}`; `causedby rules list` names them")
            })?;
            tell(&format!("{}\n", sanitise(&text)))?;
        }
        Rules::Check { path } => match path.or(folder()) {
            Some(path) => check(&path)?,
            None => tell("no rules of your own: the folder for them is not there\n")?,
        },
        Rules::Test { file, opened } => return test(&file, &opened),
    }
    Ok(ExitCode::SUCCESS)
}

fn check(path: &Path) -> Result<(), Failure> {
    let (book, wrong) = Rulebook::with_usable(path);
    if !wrong.is_empty() {
        let wrong: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        anyhow::bail!("{}", wrong.join("\n"));
    }
    let book = book.as_ref().unwrap_or(Rulebook::built_in());
    let mut text = String::new();
    for hint in book.without_effect() {
        let _ = writeln!(text, "hint: {}", Safe::line(&hint.to_string()));
    }
    let own = own_of(book);
    for rule in own.iter().filter(|rule| rule.is_begun) {
        let _ = writeln!(
            text,
            "hint: {}: some of its sentences are still to be written",
            Safe::line(rule.id)
        );
    }
    text.extend(own.iter().map(|rule| line(*rule)));
    let all = match own.len() {
        1 => "1 rule".to_owned(),
        n => format!("{n} rules"),
    };
    let _ = writeln!(text, "{all} can be used");
    tell(&text)
}

fn test(file: &Path, opened: &Opened) -> Result<ExitCode, Failure> {
    let book = Arc::new(Rulebook::with_own(file)?);
    let options = load::Options {
        rules: Some(Arc::clone(&book)),
        ..load::Options::default()
    };
    let case = read(&Named::of(opened)?, &options)?;
    let own: Vec<&str> = own_of(&book).iter().map(|rule| rule.id).collect();
    let mut text = String::new();
    let mut best = false;
    let holding = book.holding(&case.story);
    for (number, (incident, ids)) in case.story.incidents.iter().zip(&holding).enumerate() {
        best |= ids.first().is_some_and(|id| own.contains(id));
        let (role, title) = (incident.role.word(), incident.title());
        let _ = writeln!(text, "{}  {role}  {}", number + 1, Safe::line(&title));
        if ids.is_empty() {
            text.push_str("     no rule holds\n");
        }
        for (place, id) in ids.iter().take(MOST_NAMED).enumerate() {
            let from = if own.contains(id) {
                "yours"
            } else {
                "built in"
            };
            let order = if place == 0 { "best" } else { "below" };
            let _ = writeln!(text, "     {order:<6} {:<36} {from}", Safe::line(id));
        }
    }
    if holding.is_empty() {
        text.push_str("nothing failed in what was opened\n");
    }
    tell(&text)?;
    Ok(ExitCode::from(u8::from(!best)))
}

/// The rules that did not travel with the program.
fn own_of(book: &Rulebook) -> Vec<RuleSummary<'_>> {
    let built_in: Vec<&str> = Rulebook::built_in().rules().map(|rule| rule.file).collect();
    book.rules()
        .filter(|rule| !built_in.contains(&rule.file))
        .collect()
}

/// `unresolved-column   rename-column   schema   schema.toml`
fn line(rule: RuleSummary<'_>) -> String {
    let (family, bucket) = (rule.family, rule.bucket.word());
    format!(
        "{:<36} {family:<24} {bucket:<10} {}\n",
        Safe::line(rule.id),
        Safe::line(rule.file)
    )
}

/// The built-in rules with those of the configuration folder, where it has any that can be used, and what is to be said of
/// those that cannot.
pub(crate) fn own() -> (Option<Arc<Rulebook>>, Vec<String>) {
    let Some(folder) = folder() else {
        return (None, Vec::new());
    };
    let (book, wrong) = Rulebook::with_usable(&folder);
    let wrong = wrong.iter().map(ToString::to_string);
    (book.map(Arc::new), wrong.collect())
}

fn own_told() -> Option<Arc<Rulebook>> {
    let (book, wrong) = own();
    complain_of(&wrong);
    book
}

/// The folder of a person's own rules, where it is there.
fn folder() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    let folder = strategy.config_dir().join("causedby").join("rules");
    is_there(&folder).then_some(folder)
}
