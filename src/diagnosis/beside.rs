//! In: what the rules files hold beside rules, and an incident. Out: the evidence to look at before anything is changed,
//! ticked where it is at hand, and the recipes that show more where the trace does not tell enough.

use super::fix::{Fix, SideEvidence, Sign, StepKind};
use super::matcher;
use super::pattern::Patterns;
use super::rule::{Problem, RawWhen, When};
use super::scene::Scene;
use super::shown::Shown;
use super::step::{RawStep, RawText, StepTemplate};
use super::suspect::Question;
use super::template::{Choice, Values};
use super::values::{ALWAYS_KNOWN, KNOWN};
use serde::Deserialize;

/// Recipes that are offered for an incident.
const MOST_RECIPES: usize = 3;

/// Something of a rules file that an error can name.
pub(super) trait HasId {
    fn id(&self) -> &str;
}

/// Evidence as it stands in its file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawEvidence {
    id: String,
    families: Vec<String>,
    held: Option<Shown>,
    look: RawStep,
}

/// A recipe as it stands in its file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRecipe {
    id: String,
    title: RawText,
    why: RawText,
    when: Vec<RawWhen>,
    steps: Vec<RawStep>,
}

impl HasId for RawEvidence {
    fn id(&self) -> &str {
        &self.id
    }
}

impl HasId for RawRecipe {
    fn id(&self) -> &str {
        &self.id
    }
}

/// What stands beside the rules.
#[derive(Debug, Default)]
pub(super) struct Beside {
    pub(super) questions: Vec<Question>,
    pub(super) evidence: Vec<Evidence>,
    pub(super) recipes: Vec<Recipe>,
}

impl Beside {
    pub(super) fn is_empty(&self) -> bool {
        self.questions.is_empty() && self.evidence.is_empty() && self.recipes.is_empty()
    }

    pub(super) fn extend(&mut self, more: Self) {
        self.questions.extend(more.questions);
        self.evidence.extend(more.evidence);
        self.recipes.extend(more.recipes);
    }

    /// Every step with a name for it, for checks.
    pub(super) fn steps(&self) -> impl Iterator<Item = (String, &StepTemplate)> {
        let questions = self.questions.iter().flat_map(Question::steps);
        let evidence = self.evidence.iter().map(|evidence| &evidence.look);
        let recipes = self.recipes.iter().flat_map(|recipe| {
            let steps = recipe.steps.iter();
            steps.map(|step| (recipe.id.clone(), step))
        });
        questions
            .map(|step| ("suspect".to_owned(), step))
            .chain(evidence.map(|step| ("evidence".to_owned(), step)))
            .chain(recipes)
    }
}

/// Something to look at for some kinds of fix.
#[derive(Debug)]
pub(super) struct Evidence {
    families: Vec<String>,
    held: Option<Shown>,
    look: StepTemplate,
}

impl Evidence {
    pub(super) fn build(raw: RawEvidence, patterns: &mut Patterns) -> Result<Self, Problem> {
        // It is asked for beside a rule, whose values it may use.
        let of_rules = ["table", "path"].map(str::to_owned);
        let possible = [possible(), of_rules.to_vec()].concat();
        Ok(Self {
            families: raw.families,
            held: raw.held,
            look: raw
                .look
                .build(StepKind::Check, &always_known(), &possible, patterns)?,
        })
    }

    /// It, where it helps with a fix of that family.
    pub(super) fn of(
        &self,
        family: &str,
        scene: &Scene<'_>,
        values: &Values,
    ) -> Option<SideEvidence> {
        self.families.iter().any(|f| f == family).then_some(())?;
        let held = self.held.and_then(|shown| shown.told(scene));
        Some(SideEvidence {
            held: held.map(|(text, place)| Sign { text, place }),
            step: self.look.fill(values, scene)?,
        })
    }
}

/// A way to see more.
#[derive(Debug)]
pub(super) struct Recipe {
    id: String,
    title: Choice,
    why: Choice,
    when: Vec<When>,
    steps: Vec<StepTemplate>,
}

impl Recipe {
    pub(super) fn build(raw: RawRecipe, patterns: &mut Patterns) -> Result<Self, Problem> {
        let (known, possible) = (always_known(), possible());
        let when = raw.when.into_iter();
        let when = when.map(|when| When::build(when, patterns).map(|(when, _)| when));
        let when = when.collect::<Result<_, _>>()?;
        let steps = raw.steps.into_iter();
        let steps = steps.map(|step| step.build(StepKind::Check, &known, &possible, patterns));
        Ok(Self {
            title: raw.title.build("title", &known, &possible)?,
            why: raw.why.build("why", &known, &possible)?,
            when,
            steps: steps.collect::<Result<_, _>>()?,
            id: raw.id,
        })
    }

    fn offer(&self, scene: &Scene<'_>, patterns: &Patterns, values: &Values) -> Option<Fix> {
        let mut hits = self.when.iter();
        let hit = hits.find_map(|when| matcher::matches(when, scene, patterns))?;
        let mut values = values.clone();
        values.extend(hit.values);
        let steps = self.steps.iter();
        let steps = steps.filter_map(|step| step.fill(&values, scene));
        let steps: Vec<_> = steps.collect();
        (!steps.is_empty()).then(|| Fix {
            rule: self.id.clone(),
            family: String::new(),
            title: self.title.fill(&values),
            why: self.why.fill(&values),
            steps,
            evidence: hit.evidence,
        })
    }
}

/// The recipes that help with an incident, in the order of their files.
pub(super) fn offered(
    recipes: &[Recipe],
    scene: &Scene<'_>,
    patterns: &Patterns,
    values: &Values,
) -> Vec<Fix> {
    let offers = recipes.iter();
    let offers = offers.filter_map(|recipe| recipe.offer(scene, patterns, values));
    offers.take(MOST_RECIPES).collect()
}

/// Values that every text may use.
pub(super) fn always_known() -> Vec<String> {
    ALWAYS_KNOWN.iter().map(|&name| name.to_owned()).collect()
}

/// Values that may be known besides.
pub(super) fn possible() -> Vec<String> {
    KNOWN.iter().map(|&name| name.to_owned()).collect()
}
