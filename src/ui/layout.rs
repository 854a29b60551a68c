//! In: the size of the screen, which pane has the focus, how much each has to show, what a person made of it. Out: where
//! everything stands, and the borders that can be moved.
//!
//! ```text
//! wide, from 165 columns              ordinary, from 100 × 26         narrow                  tiny
//! ┌ header, root, own line ────────┐  ┌ header, root, own line ┐      ┌ header, root, own ┐   ┌ outcome, root ┐
//! │ Incidents │ Trace     │ Fixes  │  │ Incidents │ Trace      │      │ the list with the │   │ the pane with │
//! │ Causes    │           │        │  │ Causes    │            │      │ focus, if any     │   │ the focus     │
//! │ Attempts  │           │        │  │ Attempts  │────────────│      │ Trace             │   │               │
//! │ Stages    │           │        │  │ Stages    │ Fixes      │      │ the others, a line│   │               │
//! └ keys ──────────────────────────┘  └ keys ──────────────────┘      └ keys ─────────────┘   └ keys ─────────┘
//! ```

use super::panes::{PANES, Pane};
use super::shape::Shape;
use ratatui::layout::Rect;

/// From so many lines on, the lists at the left are one more where there is a plan to show.
const HIGH: u16 = 40;
/// Below this nothing can be shown but that.
pub(super) const SMALLEST: (u16, u16) = (20, 5);

/// Rows and columns that a pane's border takes on each side: on the smallest screens every row is needed for text.
pub(super) fn border(area: Rect) -> u16 {
    u16::from(area.height > 2)
}

/// Which of the four arrangements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Size {
    #[default]
    TooSmall,
    Tiny,
    Narrow,
    Ordinary,
    Wide,
}

impl Size {
    fn of(area: Rect) -> Self {
        match (area.width, area.height) {
            (w, h) if w < SMALLEST.0 || h < SMALLEST.1 => Self::TooSmall,
            (w, h) if w < 60 || h < 16 => Self::Tiny,
            (w, h) if w < 100 || h < 26 => Self::Narrow,
            (w, _) if w < 165 => Self::Ordinary,
            _ => Self::Wide,
        }
    }
}

/// Where everything stands.
#[derive(Debug, Clone, Default)]
pub(super) struct Layout {
    /// The whole screen.
    pub(super) area: Rect,
    pub(super) size: Size,
    /// Outcome, root (two lines where it needs them and there is room), own line; two lines on a tiny screen.
    pub(super) header: Rect,
    /// The panes that are shown.
    pub(super) panes: Vec<(Pane, Rect)>,
    /// A line for the panes that are not.
    pub(super) summary: Option<Rect>,
    /// A line for the first fix.
    pub(super) teaser: Option<Rect>,
    pub(super) footer: Rect,
    /// Everything between header and footer.
    pub(super) body: Rect,
}

/// The border between two panes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) before: Pane,
    pub(super) after: Pane,
    /// Whether they stand side by side, else above one another.
    pub(super) upright: bool,
    /// 1 where the frame of the second was taken hold of, else 0.
    pub(super) grabbed: u16,
}

impl Layout {
    /// How many columns a pane will have for its rows, near enough to tell how many lines they take.
    pub(super) fn width_of(area: Rect, pane: Pane, shape: &Shape) -> usize {
        let all = area.width;
        let lists = list_width(all, shape);
        let fixes = |rest| fix_width(rest, shape);
        let outside = match (Size::of(area), pane) {
            (Size::Wide, Pane::Trace | Pane::Profiles | Pane::Sql) => lists + fixes(all - lists),
            (Size::Wide, Pane::Fixes) => all - fixes(all - lists),
            (Size::Ordinary, Pane::Trace | Pane::Profiles | Pane::Sql | Pane::Fixes) => lists,
            (Size::Wide | Size::Ordinary, _) => all - lists,
            _ => 0,
        };
        usize::from(all.saturating_sub(outside + 2))
    }

    /// `wants`: how many lines each pane has, in the order of [`Pane::ALL`]; `root`: how many columns the root takes.
    pub(super) fn new(
        area: Rect,
        focus: Pane,
        zoomed: bool,
        wants: [usize; PANES],
        root: usize,
        shape: &Shape,
    ) -> Self {
        let size = Size::of(area);
        if size == Size::TooSmall {
            return Self {
                area,
                body: area,
                ..Self::default()
            };
        }
        let header_height = match size {
            Size::Tiny => 2,
            Size::Ordinary | Size::Wide if root > usize::from(area.width) => 4,
            _ => 3,
        };
        let (header, rest) = top(area, header_height);
        let (body, footer) = top(rest, rest.height - 1);
        let mut layout = Self {
            area,
            size,
            header,
            footer,
            body,
            ..Self::default()
        };
        if zoomed || size == Size::Tiny {
            layout.panes = vec![(focus, body)];
            return layout;
        }
        let plan = Plan {
            focus,
            wants,
            shape,
        };
        match size {
            Size::Narrow => layout.narrow(&plan),
            Size::Ordinary => layout.columns(&plan, false),
            _ => layout.columns(&plan, true),
        }
        layout
    }

    fn columns(&mut self, plan: &Plan<'_>, wide: bool) {
        let mut body = self.body;
        if plan.shape.hides_any() {
            let (above, summary) = top(body, body.height - 1);
            self.summary = Some(summary);
            body = above;
        }
        let mut column = vec![Pane::Incidents, Pane::Causes, Pane::Attempts, Pane::Stages];
        let fits = plan.wants[Pane::Sql as usize] > 0 && body.height >= HIGH;
        if fits && plan.focus != Pane::Sql {
            column.push(Pane::Sql);
        }
        column.retain(|pane| plan.shows(*pane));
        let main = plan.main();
        let beside = plan.shows(main) || plan.shows(Pane::Fixes);
        let width = match (column.is_empty(), beside) {
            (true, _) => 0,
            (false, true) => list_width(body.width, plan.shape),
            (false, false) => body.width,
        };
        let (lists, rest) = left(body, width);
        self.panes = plan.stack(lists, &column);
        let (trace, fixes) = match (plan.shows(main), plan.shows(Pane::Fixes)) {
            (true, true) if wide => left(rest, rest.width - fix_width(rest.width, plan.shape)),
            (true, true) => top(rest, rest.height - plan.fix_height(rest.height)),
            (true, false) => (rest, Rect::default()),
            _ => (Rect::default(), rest),
        };
        for (pane, area) in [(main, trace), (Pane::Fixes, fixes)] {
            if plan.shows(pane) {
                self.panes.push((pane, area));
            }
        }
    }

    fn narrow(&mut self, plan: &Plan<'_>) {
        let focus = plan.focus;
        let mut rest = self.body;
        if focus != Pane::Fixes && plan.shows(Pane::Fixes) {
            let (above, teaser) = top(rest, rest.height - 1);
            self.teaser = Some(teaser);
            rest = above;
        }
        let (rest, summary) = top(rest, rest.height - 1);
        self.summary = Some(summary);
        let alone = [Pane::Trace, Pane::Profiles, Pane::Sql].contains(&focus);
        if alone || !plan.shows(Pane::Trace) {
            self.panes = vec![(focus, rest)];
            return;
        }
        let most = rest.height.saturating_sub(LEAST.1);
        let wanted = match plan.shape.lines[focus as usize] {
            Some(lines) => lines.max(LEAST.1).min(most),
            // The header names the root: the code of a fix needs the room more.
            None if focus == Pane::Fixes => plan.want(focus).min(rest.height.saturating_sub(5)),
            None => plan.want(focus).min(rest.height * 3 / 5),
        };
        let (list, trace) = top(rest, wanted);
        self.panes = vec![(focus, list), (Pane::Trace, trace)];
    }

    /// Where a pane stands, if it is shown.
    pub(super) fn area(&self, pane: Pane) -> Option<Rect> {
        let shown = self.panes.iter().find(|(shown, _)| *shown == pane);
        shown.map(|(_, area)| *area)
    }

    /// The pane a point of the screen lies in.
    pub(super) fn pane_at(&self, x: u16, y: u16) -> Option<(Pane, Rect)> {
        self.panes
            .iter()
            .copied()
            .find(|(_, area)| area.contains((x, y).into()))
    }

    /// The borders between panes.
    pub(super) fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        let pairs = self
            .panes
            .iter()
            .flat_map(|before| self.panes.iter().map(move |after| (before, after)));
        pairs.filter_map(|((before, a), (after, b))| {
            let upright = a.right() == b.x && a.y < b.bottom() && b.y < a.bottom();
            let flat = a.bottom() == b.y && a.x == b.x;
            (upright || flat).then_some(Edge {
                before: *before,
                after: *after,
                upright,
                grabbed: 0,
            })
        })
    }

    /// The border at a point of the screen.
    pub(super) fn edge_at(&self, x: u16, y: u16) -> Option<Edge> {
        self.edges().find_map(|edge| {
            let (a, b) = (self.area(edge.before)?, self.area(edge.after)?);
            let along = |from: Rect| {
                if edge.upright {
                    (from.y..from.bottom()).contains(&y)
                } else {
                    (from.x..from.right()).contains(&x)
                }
            };
            let (at, last, first) = if edge.upright {
                (x, a.right() - 1, b.x)
            } else {
                (y, a.bottom() - 1, b.y)
            };
            let grabbed = u16::from(at == first);
            let held = (at == last && along(a)) || (at == first && along(b));
            held.then_some(Edge { grabbed, ..edge })
        })
    }
}

/// Columns and lines that a pane keeps whatever is done to its neighbours.
const LEAST: (u16, u16) = (16, 3);

/// What decides how the panes share the screen.
struct Plan<'a> {
    focus: Pane,
    wants: [usize; PANES],
    shape: &'a Shape,
}

impl Plan<'_> {
    fn shows(&self, pane: Pane) -> bool {
        pane == self.focus || self.shape.shows(pane)
    }

    /// What stands in the middle: the trace, or a plan or profiles while somebody looks at them.
    fn main(&self) -> Pane {
        match self.focus {
            Pane::Profiles | Pane::Sql => self.focus,
            _ => Pane::Trace,
        }
    }

    /// Lines that a pane would like to have, its frame included.
    fn want(&self, pane: Pane) -> u16 {
        let lines = u16::try_from(self.wants[pane as usize].max(1)).unwrap_or(u16::MAX);
        2 + lines.min(200)
    }

    /// Lines of the fixes where they stand below the trace.
    fn fix_height(&self, all: u16) -> u16 {
        if let Some(lines) = self.shape.lines[Pane::Fixes as usize] {
            return lines.max(LEAST.1).min(all.saturating_sub(LEAST.1));
        }
        let most = if self.focus == Pane::Fixes {
            all * 3 / 5
        } else {
            all * 2 / 5
        };
        self.want(Pane::Fixes).clamp(4, most.max(4))
    }

    /// Panes above one another: each gets the lines it was given, else what it has to show, the one with the focus first.
    fn stack(&self, area: Rect, panes: &[Pane]) -> Vec<(Pane, Rect)> {
        let given = |pane: Pane| self.shape.lines[pane as usize];
        let n = u16::try_from(panes.len()).unwrap_or(1).max(1);
        let least = (area.height / n).min(LEAST.1);
        let mut heights: Vec<u16> = panes.iter().map(|_| least).collect();
        let mut left = area.height - heights.iter().sum::<u16>();
        for (height, pane) in heights.iter_mut().zip(panes) {
            let more = given(*pane).map_or(0, |lines| lines.saturating_sub(*height).min(left));
            *height += more;
            left -= more;
        }
        while left > 0 {
            let before = left;
            for (height, pane) in heights.iter_mut().zip(panes) {
                if given(*pane).is_none() {
                    let step = if *pane == self.focus { 3 } else { 1 };
                    let more = self.want(*pane).saturating_sub(*height).min(step).min(left);
                    *height += more;
                    left -= more;
                }
            }
            if left == before {
                // Nobody needs more: what is left goes to the last that may have it.
                let free = panes.iter().rposition(|pane| given(*pane).is_none());
                if let Some(last) = heights.get_mut(free.unwrap_or(panes.len().saturating_sub(1))) {
                    *last += left;
                }
                break;
            }
        }
        let mut y = area.y;
        panes
            .iter()
            .zip(heights)
            .map(|(pane, height)| {
                let rect = Rect::new(area.x, y, area.width, height);
                y += height;
                (*pane, rect)
            })
            .collect()
    }
}

/// Columns of the lists at the left.
fn list_width(width: u16, shape: &Shape) -> u16 {
    match shape.lists {
        Some(columns) => columns.max(LEAST.0).min(width.saturating_sub(2 * LEAST.0)),
        None => (width * 3 / 10).clamp(36, 52),
    }
    .min(width)
}

/// Columns of the fixes where they stand beside the trace.
fn fix_width(rest: u16, shape: &Shape) -> u16 {
    match shape.fixes {
        Some(columns) => columns.max(LEAST.0).min(rest.saturating_sub(LEAST.0)),
        None => (rest * 9 / 20).min(76),
    }
}

fn top(area: Rect, height: u16) -> (Rect, Rect) {
    let height = height.min(area.height);
    (
        Rect { height, ..area },
        Rect {
            y: area.y + height,
            height: area.height - height,
            ..area
        },
    )
}

fn left(area: Rect, width: u16) -> (Rect, Rect) {
    let width = width.min(area.width);
    (
        Rect { width, ..area },
        Rect {
            x: area.x + width,
            width: area.width - width,
            ..area
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shape() -> impl Strategy<Value = Shape> {
        let size = || prop::option::of(0..300u16);
        let hidden = prop::collection::vec(0..PANES, 0..6);
        (size(), size(), prop::array::uniform8(size()), hidden).prop_map(
            |(lists, fixes, lines, hidden)| {
                let mut shape = Shape::default();
                (shape.lists, shape.fixes, shape.lines) = (lists, fixes, lines);
                for pane in hidden {
                    shape.hide(Pane::ALL[pane]);
                }
                shape
            },
        )
    }

    proptest! {
        #[test]
        fn everything_lies_within_the_screen_and_nothing_overlaps(
            width in 1..300u16,
            height in 1..120u16,
            focus in 0..PANES,
            zoomed: bool,
            wants in prop::array::uniform8(0..500usize),
            root in 0..400usize,
            shape in shape(),
            (x, y) in (0..300u16, 0..120u16),
        ) {
            let area = Rect::new(0, 0, width, height);
            let layout = Layout::new(area, Pane::ALL[focus], zoomed, wants, root, &shape);
            if layout.size == Size::TooSmall {
                return Ok(());
            }
            let mut covered = vec![layout.header, layout.footer];
            covered.extend(layout.panes.iter().map(|(_, r)| *r));
            covered.extend(layout.summary.into_iter().chain(layout.teaser));
            let mut cells = 0;
            for (i, a) in covered.iter().enumerate() {
                prop_assert_eq!(a.intersection(area), *a);
                cells += u32::from(a.width) * u32::from(a.height);
                for b in &covered[i + 1..] {
                    prop_assert!(a.intersection(*b).is_empty() || a.is_empty() || b.is_empty(), "{a:?} {b:?}");
                }
            }
            prop_assert_eq!(cells, u32::from(width) * u32::from(height));
            prop_assert!(layout.panes.iter().any(|(p, _)| *p == Pane::ALL[focus]));
            // No pane is too small to show a row.
            let roomy = layout.size != Size::Tiny;
            prop_assert!(!roomy || layout.panes.iter().all(|(_, r)| r.height >= 3 && r.width >= 3));
            if let Some(edge) = layout.edge_at(x, y) {
                let mut moved = shape.clone();
                moved.drag(edge, &layout, y, x);
            }
        }
    }
}
