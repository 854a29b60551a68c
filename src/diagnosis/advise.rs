//! In: a diagnosis with its best rule, or a stage's finding. Out: what stands beside the fixes: suspects, evidence, recipes,
//! notices; and advice for stages that are remarkable though they need not have failed.

use super::beside::offered;
use super::fix::{Advice, Diagnosis, Opened, Sign};
use super::rule::Rule;
use super::rulebook::Rulebook;
use super::scene::{Run, Scene};
use super::shown::Shown;
use super::template::Values;
use crate::fact::{Relation, TaskId};
use crate::incident::{Cause, Evidence, Finding, Incident, Role, Stage, Story};
use crate::text::{Place, Symbol};

/// Stages that advice is given for.
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

    /// What can be done about the findings of a run's stages: one fix a finding, each rule once a stage.
    pub fn advise(&self, story: &Story, opened: &[Opened]) -> Vec<Advice> {
        let run = Run::of(story);
        let mut advice: Vec<Advice> = Vec::new();
        for (at, stage) in story.stages.iter().enumerate() {
            for (number, finding) in stage.findings.iter().enumerate() {
                let Some(incident) = remark(stage, finding) else {
                    continue;
                };
                let mut scene = Scene::about(story, &run, &incident, &self.patterns, opened);
                scene.finding = Some(finding.kind);
                let hits = self.hits(&scene);
                let Some((rule, hit)) = hits.first() else {
                    continue;
                };
                let known = |a: &Advice| a.stage == at && a.fix.rule == rule.id;
                if !advice.iter().any(known) {
                    advice.push(Advice {
                        stage: at,
                        finding: number,
                        fix: self.fix(rule, hit, &scene),
                    });
                }
                if advice.len() == MOST_ADVICE {
                    return advice;
                }
            }
        }
        advice
    }
}

/// A finding in the terms of an incident, so that the same rules can speak of it; `None` where no line shows it.
fn remark(stage: &Stage, finding: &Finding) -> Option<Incident> {
    let place: Place = finding.evidence.first().copied().or(stage.place)?;
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
        task: Some(TaskId {
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
