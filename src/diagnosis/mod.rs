//! Diagnosis: rules applied to incidents: bucket, fixes, evidence.
//!
//! In: a [`Story`](crate::incident::Story) and a [`Rulebook`]. Out: a [`Diagnosis`] for each incident.
//!
//! Rules are data in `assets/rules`; the README there says what a rule is and how the best one is found.
//! A `rulebook` reads `rule`s; `scene` prepares an incident for them, `matcher` (with `pattern` and
//! `shape`) says which holds, and `template` fills its texts with `values`: versions, sizes (`memory`), coordinates
//! (`package`), names of conditions.

mod condition;
mod explain;
mod family;
mod fix;
mod matcher;
mod memory;
mod package;
mod pattern;
mod rule;
mod rulebook;
mod scene;
mod shape;
mod template;
mod values;
mod version;

pub use explain::explain;
pub use family::{FAMILIES, Family, NOTHING};
pub use fix::{Bucket, Diagnosis, Fix, Step, StepKind};
pub use rule::RuleError;
pub use rulebook::{RuleSummary, Rulebook};
