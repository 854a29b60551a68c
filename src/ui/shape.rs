//! [`Shape`]: what a person made of the layout, by keys or by dragging a border: which panes are hidden, how large the
//! others are. What was left alone is decided by what there is to show.

use super::layout::{Edge, Layout, Size};
use super::panes::{PANES, Pane};

/// Columns and lines of one step by a key.
const STEP: (u16, u16) = (4, 2);

/// What the layout is to follow, as far as the screen has room for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Shape {
    hidden: [bool; PANES],
    /// Columns of the lists at the left.
    pub(super) lists: Option<u16>,
    /// Columns of the fixes where they stand beside the trace.
    pub(super) fixes: Option<u16>,
    /// Lines of a pane that stands above or below another, its frame included; in the order of [`Pane::ALL`].
    pub(super) lines: [Option<u16>; PANES],
}

/// A way to change the size of a pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Wider,
    Narrower,
    Taller,
    Shorter,
}

impl Shape {
    pub(super) fn shows(&self, pane: Pane) -> bool {
        !self.hidden[pane as usize]
    }

    pub(super) fn show(&mut self, pane: Pane) {
        self.hidden[pane as usize] = false;
    }

    /// Hides a pane; whether there was another one left to be seen.
    pub(super) fn hide(&mut self, pane: Pane) -> bool {
        let others = Pane::ALL.iter().any(|p| *p != pane && self.shows(*p));
        self.hidden[pane as usize] |= others;
        others
    }

    pub(super) fn hides_any(&self) -> bool {
        self.hidden.contains(&true)
    }

    /// Lets the border that was taken hold of follow the mouse.
    pub(super) fn drag(&mut self, edge: Edge, layout: &Layout, x: u16, y: u16) {
        let body = layout.body;
        let end = |at: u16| at.saturating_add(1).saturating_sub(edge.grabbed);
        if edge.upright {
            if edge.after == Pane::Fixes
                && matches!(edge.before, Pane::Trace | Pane::Profiles | Pane::Sql)
            {
                self.fixes = Some(body.right().saturating_sub(end(x)));
            } else {
                self.lists = Some(end(x).saturating_sub(body.x));
            }
            return;
        }
        let (Some(before), Some(after)) = (layout.area(edge.before), layout.area(edge.after))
        else {
            return;
        };
        if edge.after == Pane::Fixes {
            self.lines[Pane::Fixes as usize] = Some(after.bottom().saturating_sub(end(y)));
            return;
        }
        // Those above keep their size, else the border would not stay under the mouse.
        for (pane, area) in &layout.panes {
            if area.x == before.x && area.y < before.y {
                self.lines[*pane as usize] = Some(area.height);
            }
        }
        self.lines[edge.before as usize] = Some(end(y).saturating_sub(before.y));
    }

    /// Changes the size of a pane; whether it has neighbours to give or take the room.
    pub(super) fn change(&mut self, pane: Pane, change: Change, layout: &Layout) -> bool {
        let Some(area) = layout.area(pane) else {
            return false;
        };
        let edges = || {
            layout
                .edges()
                .filter(|e| e.before == pane || e.after == pane)
        };
        let upright = matches!(change, Change::Wider | Change::Narrower);
        // A border behind it is moved rather than one in front of it.
        let Some(edge) = edges()
            .filter(|e| e.upright == upright)
            .max_by_key(|e| e.before == pane)
        else {
            return false;
        };
        let step = if upright { STEP.0 } else { STEP.1 };
        let outwards = matches!(change, Change::Wider | Change::Taller) == (edge.before == pane);
        let at = match (upright, edge.before == pane) {
            (true, true) => area.right() - 1,
            (true, false) => area.x.saturating_sub(1),
            (false, true) => area.bottom() - 1,
            (false, false) => area.y.saturating_sub(1),
        };
        let to = if outwards {
            at.saturating_add(step)
        } else {
            at.saturating_sub(step)
        };
        self.drag(edge, layout, to, to);
        true
    }
}

/// Why nothing changes where one pane has the screen to itself.
pub(super) fn is_alone(layout: &Layout) -> bool {
    layout.panes.len() < 2 || matches!(layout.size, Size::Tiny | Size::TooSmall)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;

    fn layout(width: u16, height: u16, focus: Pane, shape: &Shape) -> Layout {
        Layout::new(
            Rect::new(0, 0, width, height),
            focus,
            false,
            [40; PANES],
            0,
            shape,
        )
    }

    #[test]
    fn a_border_stays_under_the_mouse() {
        for (width, height) in [(200, 50), (120, 36), (80, 24)] {
            let first = layout(width, height, Pane::Attempts, &Shape::default());
            for edge in first.edges() {
                let area = first.area(edge.before).expect("drawn");
                for by in [-2, 2] {
                    let mut shape = Shape::default();
                    let x = (area.right() - 1).saturating_add_signed(by);
                    let y = (area.bottom() - 1).saturating_add_signed(by);
                    shape.drag(edge, &first, x, y);
                    let moved = layout(width, height, Pane::Attempts, &shape);
                    let area = moved.area(edge.before).expect("drawn");
                    let (at, wanted) = if edge.upright {
                        (area.right() - 1, x)
                    } else {
                        (area.bottom() - 1, y)
                    };
                    assert_eq!(at, wanted, "{width}×{height} {edge:?} {by}");
                }
            }
        }
    }

    #[test]
    fn keys_make_any_pane_larger_and_smaller_again() {
        for pane in Pane::ALL {
            let before = layout(200, 50, pane, &Shape::default());
            let size = |layout: &Layout| layout.area(pane).expect("drawn").width;
            let mut shape = Shape::default();
            assert!(shape.change(pane, Change::Wider, &before), "{pane:?}");
            let wider = layout(200, 50, pane, &shape);
            assert_eq!(size(&wider), size(&before) + STEP.0, "{pane:?}");
            shape.change(pane, Change::Narrower, &wider);
            assert_eq!(size(&layout(200, 50, pane, &shape)), size(&before));
        }
    }

    #[test]
    fn the_last_pane_stays() {
        let mut shape = Shape::default();
        for pane in &Pane::ALL[1..] {
            assert!(shape.hide(*pane));
        }
        assert!(!shape.hide(Pane::Incidents));
        assert!(shape.shows(Pane::Incidents) && shape.hides_any());
        let alone = layout(120, 36, Pane::Incidents, &shape);
        assert_eq!(alone.panes.len(), 1);
        assert!(is_alone(&alone));
    }
}
