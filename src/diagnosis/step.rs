//! In: a step of a rule, or a text with its variants, as they stand in the file. Out: templates, checked; and a [`Step`]
//! with an incident's values filled in, where it can do anything in the version and on the platform that ran.

use super::fix::{Step, StepKind};
use super::language::Language;
use super::matcher;
use super::own_code::{self, Replaced};
use super::pattern::Patterns;
use super::rule::{Problem, RawWhen, When, problem};
use super::scene::Scene;
use super::settings;
use super::template::{Choice, Setting, Template, Values};
use super::version::Range;
use serde::Deserialize;

/// A text, or several for the same place: the first whose values are all known is shown.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum RawText {
    One(String),
    Several(Vec<String>),
}

/// A step as it stands in its file: a text and at most one piece of code, keyed by its language; one that has Python may have
/// SQL and Scala, too.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawStep {
    text: String,
    #[serde(default)]
    when: Vec<RawWhen>,
    #[serde(default)]
    needs: Vec<String>,
    #[serde(default)]
    lacks: Vec<String>,
    python: Option<String>,
    sql: Option<String>,
    scala: Option<String>,
    shell: Option<String>,
    conf: Option<String>,
    rewrite: Option<RawRewrite>,
    replaces: Option<Replaced>,
    spark_version: Option<String>,
    #[serde(default)]
    otherwise: bool,
}

/// A change of the person's own line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRewrite {
    find: String,
    put: String,
}

/// A step before an incident's values are filled in.
#[derive(Debug)]
pub(super) struct StepTemplate {
    pub(super) kind: StepKind,
    pub(super) text: Template,
    pub(super) code: Option<(&'static str, Template)>,
    /// The same for jobs that are written in another language, by its key.
    pub(super) otherwise_written: Vec<(&'static str, Template)>,
    /// Where there are some, one of these has to hold.
    when: Vec<When>,
    /// Values without which the step is left out.
    pub(super) needs: Vec<String>,
    /// Values with which it is left out.
    lacks: Vec<String>,
    /// What of the person's own line is replaced, and by what.
    rewrite: Option<(Template, Template)>,
    /// The person's own line in whose place the code stands.
    replaces: Option<Replaced>,
    /// The versions in which it can be done. Where the version is unknown it is shown, and its text says since when.
    versions: Option<Range>,
    /// Whether it stands only where the one before it, or the one that this one stood for, could not be filled in.
    pub(super) otherwise: bool,
}

/// A step that offers another way stands first where the way before it is none here: there it offers the way.
pub(super) fn begin_plainly(steps: &mut [Step]) {
    let mut before = None;
    for step in steps {
        let goes_on = before.replace(step.kind) == Some(step.kind);
        let Some(rest) = step.text.strip_prefix("Or ").filter(|_| !goes_on) else {
            continue;
        };
        let mut chars = rest.chars();
        if let Some(first) = chars.next() {
            step.text = format!("{}{}", first.to_uppercase(), chars.as_str());
        }
    }
}

impl RawText {
    pub(super) fn build(
        self,
        field: &str,
        known: &[String],
        possible: &[String],
    ) -> Result<Choice, Problem> {
        let mut texts = match self {
            Self::One(text) => vec![text],
            Self::Several(texts) => texts,
        };
        let Some(last) = texts.pop() else {
            return problem(field, "is empty");
        };
        // What may be unknown is allowed in all but the last.
        let anything = [known, possible].concat();
        let mut choice = Vec::new();
        for text in texts {
            choice.push(template(field, &text, Setting::Prose, &anything, possible)?);
        }
        choice.push(template(field, &last, Setting::Prose, known, possible)?);
        Ok(Choice(choice))
    }
}

impl RawStep {
    pub(super) fn build(
        self,
        kind: StepKind,
        known: &[String],
        possible: &[String],
        patterns: &mut Patterns,
    ) -> Result<StepTemplate, Problem> {
        let field = kind.word();
        for (word, names) in [("needs", &self.needs), ("lacks", &self.lacks)] {
            if let Some(name) = names.iter().find(|name| !possible.contains(name)) {
                return Err((field.to_owned(), format!("{word}: `{name}` is never known")));
            }
        }
        let mut known = known.to_vec();
        known.extend(self.needs.iter().cloned());
        let mut code = None;
        let mut otherwise_written = Vec::new();
        for (lang, text) in [
            ("python", self.python),
            ("sql", self.sql),
            ("scala", self.scala),
            ("shell", self.shell),
            ("conf", self.conf),
        ] {
            let Some(text) = text else { continue };
            let setting = if lang == "shell" {
                Setting::Shell
            } else {
                Setting::Quoted
            };
            let text = template(field, text.trim(), setting, &known, possible)?;
            if matches!((lang, &code), ("sql" | "scala", Some(("python", _)))) {
                otherwise_written.push((lang, text));
            } else if code.is_some() || self.rewrite.is_some() {
                return problem(
                    field,
                    "a step has code in one language only, or in Python and in SQL or Scala",
                );
            } else {
                code = Some((lang, text));
            }
        }
        let rewrite = match self.rewrite {
            None => None,
            Some(raw) => Some((
                template(field, &raw.find, Setting::Pattern, &known, possible)?,
                template(field, &raw.put, Setting::Replacement, &known, possible)?,
            )),
        };
        let versions = self
            .spark_version
            .map(|text| Range::parse(&text).map_err(|e| (field.to_owned(), e)))
            .transpose()?;
        let when = self.when.into_iter();
        let when = when.map(|when| When::build(when, patterns).map(|(when, _)| when));
        Ok(StepTemplate {
            when: when.collect::<Result<_, _>>()?,
            versions,
            otherwise: self.otherwise,
            kind,
            text: template(field, &self.text, Setting::Prose, &known, possible)?,
            code,
            otherwise_written,
            needs: self.needs,
            lacks: self.lacks,
            rewrite,
            replaces: self.replaces,
        })
    }
}

impl StepTemplate {
    /// Its pieces of code, each with its language.
    pub(super) fn codes(&self) -> impl Iterator<Item = (&'static str, &Template)> {
        let code = self.code.iter().map(|(lang, code)| (*lang, code));
        let others = self.otherwise_written.iter();
        code.chain(others.map(|(lang, code)| (*lang, code)))
    }

    /// The step of an incident; `None` where none of its conditions holds, where a value it needs is unknown, where the
    /// person's line is not as it has to be, or where it can do nothing in that version or on that platform.
    pub(super) fn fill(&self, values: &Values, scene: &Scene<'_>) -> Option<Step> {
        let known = |name: &String| values.contains_key(name);
        if !self.needs.iter().all(known) || self.lacks.iter().any(known) {
            return None;
        }
        let holds = |when| matcher::matches(when, scene, scene.patterns).is_some();
        if !self.when.is_empty() && !self.when.iter().any(holds) {
            return None;
        }
        if let (Some(range), Some(version)) = (&self.versions, scene.version)
            && !range.holds(version)
        {
            return None;
        }
        let own = &scene.own_code;
        let replaces = match self.replaces {
            Some(which) => Some(own.line(which)?.at.clone()),
            None => None,
        };
        let mut step = Step {
            kind: self.kind,
            text: self.text.fill(values),
            lang: None,
            code: None,
            replaces,
        };
        if let Some((lang, code)) = self.code_for(scene.language) {
            let code = effective(lang, code.fill(values), scene)?;
            let translated = scene
                .language
                .filter(|_| lang == "python")
                .and_then(|theirs| Some((theirs.word(), theirs.translated(&code)?)));
            let (lang, code) = translated.unwrap_or((lang, code));
            step.lang = Some(lang.to_owned());
            step.code = Some(code);
        }
        if let Some((find, put)) = &self.rewrite {
            let line = own.line(Replaced::Frame)?;
            let change = own_code::rewrite(line, &find.fill(values), &put.fill(values))?;
            step.lang = Some(change.lang.to_owned());
            step.code = Some(change.code);
            step.replaces = change.whole_line.then(|| line.at.clone());
        }
        Some(step)
    }

    fn code_for(&self, language: Option<Language>) -> Option<(&'static str, &Template)> {
        let mut others = self.otherwise_written.iter();
        let in_theirs =
            others.find(|(lang, _)| language.is_some_and(|theirs| theirs.word() == *lang));
        let code = in_theirs.or(self.code.as_ref());
        code.map(|(lang, code)| (*lang, code))
    }
}

/// Whether a line of a configuration sets what is not set so by now.
fn changes(line: &str, scene: &Scene<'_>) -> bool {
    line.split_once('=').is_none_or(|(key, value)| {
        let now = scene.settings.get(key.trim());
        now.is_none_or(|now| !now.eq_ignore_ascii_case(value.trim()))
    })
}

/// The code without what does nothing in that version and on that platform, or is set already: of configurations and commands
/// such lines, other code as a whole.
fn effective(lang: &str, code: String, scene: &Scene<'_>) -> Option<String> {
    let exists = |text: &str| {
        scene.version.is_none_or(|version| {
            let mut named = settings::named_in(text).into_iter();
            named.all(|(_, setting)| setting.exists_in(version))
        })
    };
    let heeded = |line: &str| match scene.platform {
        None => true,
        Some(platform) if lang == "conf" => platform.heeds(line),
        Some(platform) => platform.runs(line),
    };
    let keeps: Box<dyn Fn(&str) -> bool> = match lang {
        "conf" => Box::new(|line| exists(line) && heeded(line) && changes(line, scene)),
        // What goes on in the next line stands or falls as a whole.
        "shell" if !code.contains("\\\n") && !code.contains("<<") => Box::new(heeded),
        _ => return exists(&code).then_some(code),
    };
    if lang == "shell" && !exists(&code) {
        return None;
    }
    let kept: Vec<&str> = code.lines().filter(|line| keeps(line)).collect();
    (!kept.is_empty()).then(|| kept.join("\n"))
}

/// A sentence whose values are all known or have fallbacks.
pub(super) fn prose(
    field: &str,
    text: &str,
    known: &[String],
    possible: &[String],
) -> Result<Template, Problem> {
    template(field, text, Setting::Prose, known, possible)
}

fn template(
    field: &str,
    text: &str,
    setting: Setting,
    known: &[String],
    possible: &[String],
) -> Result<Template, Problem> {
    if text.trim().is_empty() {
        return problem(field, "is empty");
    }
    let template = Template::parse(text, setting).map_err(|e| (field.to_owned(), e))?;
    for (name, has_fallback) in template.names() {
        if !known.iter().any(|k| k == name) && !possible.iter().any(|p| p == name) {
            return Err((field.to_owned(), format!("`{{{name}}}` is never known")));
        }
        if !has_fallback && !known.iter().any(|k| k == name) {
            return Err((
                field.to_owned(),
                format!("`{{{name}}}` may be unknown: write `{{{name}|…}}`"),
            ));
        }
    }
    Ok(template)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_way_is_told_as_one_only_behind_a_first() {
        let step = |kind, text: &str| Step {
            kind,
            text: text.to_owned(),
            lang: None,
            code: None,
            replaces: None,
        };
        let mut steps = [
            step(StepKind::Check, "Look."),
            step(StepKind::Fix, "Or have it turned off."),
            step(StepKind::Fix, "Or ask for more."),
        ];
        begin_plainly(&mut steps);
        let texts: Vec<&str> = steps.iter().map(|step| step.text.as_str()).collect();
        assert_eq!(texts, ["Look.", "Have it turned off.", "Or ask for more."]);
    }
}
