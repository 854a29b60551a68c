//! Diagnosis: rules applied to incidents: bucket, fixes, evidence.
//!
//! In: a [`Story`](crate::incident::Story) and a rulebook. Out: a [`Diagnosis`] for each incident.

mod fix;

pub use fix::{Bucket, Diagnosis, Fix, Step, StepKind};
