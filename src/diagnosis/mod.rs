//! Diagnosis: rules applied to incidents: bucket, fixes, evidence.
//!
//! In: a [`Story`](crate::incident::Story) and a [`Rulebook`]. Out: a [`Diagnosis`] for each incident.
//!
//! Rules are data in `assets/rules`; the README there says what a rule is and how the best one is found.
//! A `rulebook` reads `rule`s and `diagnose` applies them; `scene` prepares an incident for them, `matcher` (with `pattern` and
//! `shape`) says which holds, and `template` fills its texts with `values`: versions, sizes, coordinates, names of conditions,
//! also where older versions only say them (`wording`).
//! What stands beside the rules (`beside`, `suspect`) is asked once the best one is known; `shown` says what the evidence at
//! hand shows; `advise` speaks of stages that need not have failed; `undo` names a setting that is in the way; `given` says of
//! each setting what Spark takes without it; `platform` and `language` say which advice can do anything where the job ran, and
//! in which words.

mod advise;
mod beside;
mod condition;
mod diagnose;
mod explain;
mod family;
mod fix;
mod given;
mod kind;
mod language;
mod lint;
mod matcher;
mod own_code;
mod own_rules;
mod pattern;
mod platform;
mod profiled;
mod rule;
mod rule_error;
mod rulebook;
mod rules_file;
mod scene;
mod settings;
mod shape;
mod shown;
mod starting_rule;
mod statement;
mod step;
mod suspect;
mod template;
mod undo;
mod values;
mod version;
mod wording;

pub use explain::{explain, explain_names, like};
pub use family::{FAMILIES, Family, NOTHING};
pub use fix::{
    About, Advice, Bucket, Diagnosis, Fix, LineOfCode, Opened, Question, SideEvidence, Sign, Step,
    StepKind, Suspect,
};
pub use given::{GivenSetting, given_settings};
pub use rule_error::RuleError;
pub use rulebook::{RuleSummary, Rulebook};
pub use settings::Scope;
pub use starting_rule::starting_rule;
