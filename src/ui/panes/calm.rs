//! In: a case in which nothing failed, or nothing is known to have. Out: what can be said of it all the same: how it ended, what
//! is remarkable about its stages, what was read.

use crate::fact::Profile;
use crate::incident::{Finding, Outcome, Stage};
use crate::text::{Place, counted};
use crate::ui::context::Context;
use crate::ui::theme::Role;
use crate::ui::widgets::one_line;

/// Remarks that are listed at most; the pane Stages has the others.
const MOST_FINDINGS: usize = 6;
/// Profiles of which what is hot is told; their pane has the others.
const MOST_PROFILES: usize = 3;

/// Something that is said: what it is about, and the line that shows it.
#[derive(Debug, Clone)]
pub(super) struct Note {
    pub(super) text: String,
    pub(super) role: Role,
    /// In `story.stages`.
    pub(super) stage: Option<usize>,
    pub(super) place: Option<Place>,
}

impl Default for Note {
    fn default() -> Self {
        Self::of("")
    }
}

impl Note {
    pub(super) fn of(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            role: Role::Text,
            stage: None,
            place: None,
        }
    }
}

/// What can be said where there is no incident to show.
pub(super) fn notes(cx: &Context<'_>) -> Vec<Note> {
    let story = &cx.case.story;
    let mut notes = vec![Note::of(ending(cx))];
    if let Some(place) = story.outcome_evidence.first() {
        notes.push(Note {
            place: Some(*place),
            ..Note::of(format!("{}  {}", cx.spot(place), cx.text(place)))
        });
    }
    let remarks = story.remarks();
    let profiles = story.profiles.iter().take(MOST_PROFILES);
    let hot: Vec<Note> = profiles.filter_map(|p| profile(cx, p)).collect();
    if !remarks.is_empty() || !hot.is_empty() {
        notes.extend([
            Note::default(),
            Note {
                role: Role::Strong,
                ..Note::of("What is remarkable:")
            },
        ]);
    }
    for (stage, finding) in remarks.iter().take(MOST_FINDINGS) {
        notes.push(remark(cx, *stage, finding));
    }
    notes.extend(hot);
    notes.push(Note::default());
    let listed = listed(cx);
    if !listed.is_empty() {
        notes.push(Note::of(listed));
    }
    if !cx.case.provisional {
        for source in &cx.case.sources.list {
            let what = if source.bytes == 0 {
                "empty".to_owned()
            } else {
                source.kind.word().replace('_', " ")
            };
            let name = one_line(&source.name);
            notes.push(Note::of(format!("read: {name} ({what})")));
        }
        if story.outcome != Outcome::Succeeded && !cx.goes_on() {
            notes.push(Note::of(
                "If the job failed, its driver's output and its executors' stderr hold the reason: open them together, as a folder or an archive.",
            ));
        }
    }
    let refused = cx.case.sources.refused.iter();
    notes.extend(refused.map(|refusal| {
        let (name, reason) = (one_line(&refusal.name), one_line(&refusal.reason));
        Note::of(format!("not read: {name}: {reason}"))
    }));
    notes
}

fn ending(cx: &Context<'_>) -> &'static str {
    if cx.goes_on() {
        return "The run goes on; nothing that failed has been found so far.";
    }
    if cx.case.provisional {
        return "Still reading; nothing that failed has been found so far.";
    }
    match cx.case.story.outcome {
        Outcome::Succeeded if cx.case.has_only_events() => {
            "Every job ended well; what the program met besides, its own output tells."
        }
        Outcome::Succeeded => "The run ended well: no failure is in what was opened.",
        Outcome::Recovered => "Errors were logged, and the run went on after them.",
        Outcome::Killed => {
            "The run was stopped from outside; no failure of its own is in what was opened."
        }
        Outcome::Stuck => "The run neither failed nor moved on; no failure is in what was opened.",
        Outcome::Failed => "The run failed; what was opened does not say why.",
        Outcome::Unknown => {
            "No failure is in what was opened, and nothing in it tells how the run ended."
        }
    }
}

fn remark(cx: &Context<'_>, stage: usize, finding: &Finding) -> Note {
    let stages = &cx.case.story.stages;
    let name = stages.get(stage).map_or_else(String::new, Stage::title);
    Note {
        role: Role::Warning,
        stage: Some(stage),
        place: finding.evidence.first().copied(),
        ..Note::of(format!("! {name}: {}", one_line(&finding.text)))
    }
}

/// What takes most in a profile.
fn profile(cx: &Context<'_>, profile: &Profile) -> Option<Note> {
    let row = *profile.hot().first()?;
    let name = cx.case.story.name_of(profile);
    let whose = format!("{} {name}", profile.whose());
    let told = format!("hot in {}: {}", whose.trim_end(), profile.told(row));
    Some(Note {
        role: Role::Warning,
        place: Some(row.place),
        ..Note::of(one_line(&told))
    })
}

/// Where there is more to see.
fn listed(cx: &Context<'_>) -> String {
    let stages = cx.case.story.stages.len();
    if stages == 0 {
        return String::new();
    }
    let advice = if cx.remedies().is_empty() {
        ""
    } else {
        ", Fixes what to do about them"
    };
    format!(
        "The pane Stages lists {}{advice}.",
        counted(stages as u64, "stage")
    )
}
