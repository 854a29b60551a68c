//! `causedby` opens a Spark or PySpark failure and puts its root cause first. This page is the map of its code.
//!
//! # Floors
//!
//! Each folder of `src` is a floor named after what it produces. A floor uses floors below it and never
//! one above; `report` and `ui` are neighbours and never meet. `tests/it/floors.rs` keeps the walls.
//!
//! ```text
//!             main ─ cli
//!       report        ui            tell it / let it be explored
//!             load                  run the floors below over the input: threads, progress, cancel → Case
//!           diagnosis               rules applied to incidents → bucket, fixes, evidence
//!           incident                facts linked: chains, attempts, stages, executors; what is root and what is effect
//!             fact                  what a record says: threw, task lost, stage failed, executor lost, container killed …
//!            record                 bytes cut into log records by a detected layout, shippers' prefixes taken off
//!           source                  where bytes come from: file, folder, stdin, archive, codec; what each file is
//!             text                  places, symbols, moments, sanitising — knows nothing of Spark
//! ```

pub mod diagnosis;
pub mod fact;
pub mod incident;
pub mod load;
pub mod record;
pub mod report;
pub mod source;
pub mod text;
pub mod ui;
