//! [`Wished`]: the spot to stand on once everything is read, for only then it is known which incident is which.

use super::at::At;
use super::kept::Kept;
use crate::ui::app::App;

/// Where the screen is to go.
#[derive(Debug)]
pub(in crate::ui) enum Wished {
    /// What the command line asks for.
    Asked(At),
    /// Where one was the last time.
    Left(Kept),
}

impl Wished {
    /// Goes there; what is to be said of it.
    pub(in crate::ui) fn grant(self, app: &mut App) -> Option<String> {
        match self {
            Self::Asked(at) => {
                app.open_at(&at);
                None
            }
            Self::Left(kept) => kept.open(app).then(|| {
                let root = app.keys.map.key(crate::ui::action::Action::Root);
                let (incident, all) = (app.selection.incident, app.case().story.incidents.len());
                match incident {
                    Some(i) if i > 0 => format!(
                        "back where you were, at incident {} of {all}; {root} goes to its root cause, {root}{root} to that of the run",
                        i + 1
                    ),
                    _ => format!("back where you were; {root} goes to the root cause"),
                }
            }),
        }
    }
}
