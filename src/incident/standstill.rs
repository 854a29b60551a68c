//! In: a progress bar that showed the same until its log ended. Out: the story of a run that is stuck.

use super::findings::finding;
use super::stage::{FindingKind, Stage};
use super::story::{Outcome, Story};
use crate::record::Bar;
use crate::text::{Millis, Moment, Place};

/// Nobody waits this long for a task without wondering, in milliseconds.
const LONG_MS: i64 = 3_600_000;

/// A bar that stood still.
#[derive(Debug, Clone, Copy)]
pub struct Standstill {
    /// What it shows.
    pub bar: Bar,
    /// The first line that shows it so.
    pub place: Place,
    /// When that was, at the latest, and the last moment of the log.
    pub from: Moment,
    /// The last moment of the log.
    pub until: Moment,
}

impl Standstill {
    /// How long it stood still, in milliseconds.
    fn ms(&self) -> i64 {
        self.until.since(self.from) / 1_000
    }
}

impl Story {
    /// Whether nothing tells how the run ended, so that a bar that stood still would.
    pub fn may_stand_still(&self) -> bool {
        self.outcome == Outcome::Unknown && !self.ended
    }

    /// A bar stood still: where that was for long, the run is stuck, and the stage says so.
    #[expect(clippy::cast_precision_loss, reason = "a time of hours")]
    pub fn stood_still(&mut self, standstill: &Standstill) {
        let ms = standstill.ms();
        if ms < LONG_MS || standstill.bar.running == 0 {
            return;
        }
        let Bar {
            stage,
            done,
            running,
            total,
        } = standstill.bar;
        let tasks = if running == 1 { "task" } else { "tasks" };
        let text = format!(
            "{running} {tasks} of {total} did not end in {}: the progress bar shows {done} done and the same to the log's last line",
            Millis(ms as f64)
        );
        let mut remark = finding(FindingKind::NeverEnded, text);
        remark.evidence = vec![standstill.place];
        self.outcome = Outcome::Stuck;
        self.outcome_evidence = vec![standstill.place];
        let known = self.stages.iter_mut().rfind(|known| known.id == stage);
        if let Some(known) = known {
            known.findings.push(remark);
            return;
        }
        let at = self.stages.partition_point(|known| known.id < stage);
        let mut unknown = Stage::running(stage, 0);
        unknown.tasks.total = Some(total.into());
        unknown.place = Some(standstill.place);
        unknown.findings.push(remark);
        self.stages.insert(at, unknown);
    }
}
