//! Panes: each turns the case and the selection into rows. What they have in common — cursor, scrolling, drawing —
//! is done by the list that shows the rows.

mod attempts;
mod calm;
mod causes;
mod excerpt;
mod fix_rows;
mod fixes;
mod incidents;
mod message;
mod pane;
mod printed;
mod profiles;
mod retold;
mod sql;
mod stages;
mod structure;
mod trace;

pub(super) use attempts::verdict_line;
pub(super) use fixes::safe_code;
pub(super) use pane::PANES;
pub use pane::Pane;
pub(super) use retold::Retold;
pub(super) use trace::{Folds, Trace};
