//! In: a scene about a stage. Out: the sizes by which adaptive execution splits the stage's largest partition: limits above what
//! it holds would have no effect.

use crate::diagnosis::scene::Scene;

/// Parts of the largest partition that are the limit and a piece.
const LIMIT: f64 = 4.0;
const PIECE: f64 = 8.0;
const MIB: f64 = 1024.0 * 1024.0;

/// The limit and the size of a piece, as settings take them; `None` where nothing tells how much the stage read.
pub(super) fn sizes(scene: &Scene<'_>) -> Option<[String; 2]> {
    let task = scene.incident.task?;
    let of_task = |stage: &&crate::incident::Stage| {
        (stage.id, stage.attempt) == (task.stage, task.stage_attempt)
    };
    let stage = scene.story.stages.iter().find(of_task)?;
    let largest = stage.figures.as_ref()?.shuffle_read_bytes.max;
    (largest >= 1024.0 * PIECE).then(|| [size(largest / LIMIT), size(largest / PIECE)])
}

/// `64MB`, `78KB`: whole, and never nothing.
fn size(bytes: f64) -> String {
    if bytes >= MIB {
        format!("{:.0}MB", (bytes / MIB).floor())
    } else {
        format!("{:.0}KB", (bytes / 1024.0).floor().max(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_whole_and_below_what_they_were_made_of() {
        assert_eq!(size(300.5 * MIB), "300MB");
        assert_eq!(size(309.0 * 1024.0 / 4.0), "77KB");
        assert_eq!(size(3.0), "1KB");
    }
}
