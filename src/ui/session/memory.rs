//! [`Memory`]: when a spot is remembered: now and then while one moves about, for a line may go dead at any time, and at
//! the end.

use super::kept::Kept;
use super::wished::Wished;
use crate::ui::app::App;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How often at most a screen that is still used is remembered.
const PAUSE: Duration = Duration::from_secs(3);

/// The file of what is explored, and what it holds.
#[derive(Debug)]
pub(in crate::ui) struct Memory {
    file: PathBuf,
    kept: Option<Kept>,
    written: Instant,
    /// Something else is shown than what the file is about.
    pub(in crate::ui) elsewhere: bool,
}

impl Memory {
    /// `None` for somebody without a home, and for the built-in incident.
    pub(in crate::ui) fn of(words: &[String]) -> Option<Self> {
        let file = Kept::file(words)?;
        Some(Self {
            kept: Kept::load(&file),
            file,
            written: Instant::now(),
            elsewhere: false,
        })
    }

    /// Where one was the last time.
    pub(in crate::ui) fn left(&self) -> Option<Wished> {
        self.kept.clone().map(Wished::Left)
    }

    /// Remembers where the screen stands, unless that was done just now.
    pub(in crate::ui) fn note(&mut self, app: &App) {
        if self.written.elapsed() >= PAUSE {
            self.write(app);
        }
    }

    /// Remembers where the screen stands.
    pub(in crate::ui) fn write(&mut self, app: &App) {
        // While logs are read it is not known yet which incident is which.
        if self.elsewhere || app.case().provisional {
            return;
        }
        let kept = Kept::of(app);
        if self.kept.as_ref() != Some(&kept) {
            // A state folder that cannot be written to is no reason to disturb anybody.
            let _ = kept.save(&self.file);
            self.kept = Some(kept);
        }
        self.written = Instant::now();
    }
}
