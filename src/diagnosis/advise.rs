//! In: a diagnosis with its best rule, a stage's finding, or a profile. Out: what stands beside the fixes: suspects, evidence, recipes,
//! notices; and advice for what is remarkable though it need not have failed.

use super::beside::offered;
use super::fix::{About, Advice, Diagnosis, Opened, Sign};
use super::profiled::remarkable;
use super::rule::Rule;
use super::rulebook::Rulebook;
use super::scene::{Run, Scene};
use super::shown::Shown;
use super::template::Values;
use crate::fact::{Relation, TaskId};
use crate::incident::{Cause, Evidence, Finding, Incident, Role, Stage, Story};
use crate::text::{Place, Symbol};

/// So much advice is given.
const MOST_ADVICE: usize = 20;
/// What is noticed about how a trace was printed.
const NOTICES: [Shown; 2] = [Shown::ShortTraceback, Shown::HiddenJvm];

impl Rulebook {
    /// Adds what stands beside the fixes of the best rule.
    pub(super) fn add_beside(
        &self,
        diagnosis: &mut Diagnosis,
        best: &Rule,
        scene: &Scene<'_>,
        values: &Values,
    ) {
        let mut questions = self.beside.questions.iter();
        diagnosis.question =
            questions.find_map(|asked| asked.ask(&best.id, scene, &self.patterns, values));
        let evidence = self.beside.evidence.iter();
        diagnosis.evidence = evidence
            .filter_map(|evidence| evidence.of(best.family, scene, values))
            .collect();
        diagnosis.recipes = offered(&self.beside.recipes, scene, &self.patterns, values);
        let notices = NOTICES.iter().filter_map(|shown| shown.told(scene));
        diagnosis.notices = notices.map(|(text, place)| Sign { text, place }).collect();
    }

    /// What can be done about what profiles show and about the findings of stages: one fix each, each rule once a profile or
    /// a stage.
    pub fn advise(&self, story: &Story, opened: &[Opened]) -> Vec<Advice> {
        let run = Run::of(story);
        let of_profiles = story
            .profiles
            .iter()
            .enumerate()
            .filter_map(|(at, profile)| {
                let (finding, frame) = remarkable(story, profile)?;
                let incident = Incident {
                    user_frame: Some(frame),
                    ..remark(None, &finding)?
                };
                Some((About::Profile(at), finding.kind, incident))
            });
        let of_stages = story.stages.iter().enumerate().flat_map(|(at, stage)| {
            let remarks = stage.findings.iter();
            remarks.filter_map(move |finding| {
                let incident = remark(Some(stage), finding)?;
                Some((About::Stage(at), finding.kind, incident))
            })
        });
        let mut advice: Vec<Advice> = Vec::new();
        for (about, finding, incident) in of_profiles.chain(of_stages) {
            let mut scene = Scene::about(story, &run, &incident, &self.patterns, opened);
            scene.finding = Some(finding);
            let hits = self.hits(&scene);
            let Some((rule, hit)) = hits.first() else {
                continue;
            };
            let known = |a: &Advice| a.about == about && a.fix.rule == rule.id;
            let fix = self.fix(rule, hit, &scene);
            if fix.mends() && !advice.iter().any(known) {
                advice.push(Advice {
                    about,
                    finding,
                    fix,
                });
            }
            if advice.len() == MOST_ADVICE {
                break;
            }
        }
        advice
    }
}

/// A finding in the terms of an incident, so that the same rules can speak of it; `None` where no line shows it.
fn remark(stage: Option<&Stage>, finding: &Finding) -> Option<Incident> {
    let of_stage = stage.and_then(|stage| stage.place);
    let place: Place = finding.evidence.first().copied().or(of_stage)?;
    let cause = Cause {
        relation: Relation::Top,
        side: None,
        class: Symbol::new(""),
        message: finding.text.as_str().into(),
        condition: None,
        sqlstate: None,
        place,
        text: finding.text.as_str().into(),
        frames: Vec::new(),
    };
    Some(Incident {
        role: Role::Noise,
        chain: vec![cause],
        root: 0,
        evidence: Evidence::Root,
        next: Vec::new(),
        side: None,
        phase: None,
        user_frame: None,
        action_frame: None,
        task: stage.map(|stage| TaskId {
            stage: stage.id,
            stage_attempt: stage.attempt,
            partition: finding.task.unwrap_or(0),
        }),
        attempts: Vec::new(),
        others: Vec::new(),
        verdict: None,
        trace: Vec::new(),
        occurrences: Vec::new(),
        count: 1,
        first: None,
        last: None,
        effect_of: None,
    })
}
