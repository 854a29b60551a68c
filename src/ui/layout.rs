//! In: the size of the screen, which pane has the focus, how much each has to show. Out: where everything stands.
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

use super::panes::Pane;
use ratatui::layout::Rect;

/// Below this nothing can be shown but that.
pub(super) const SMALLEST: (u16, u16) = (20, 5);

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

impl Layout {
    /// How many columns a pane will have for its rows, near enough to tell how many lines they take.
    pub(super) fn width_of(area: Rect, pane: Pane) -> usize {
        let all = area.width;
        let lists = list_width(all);
        let outside = match (Size::of(area), pane) {
            (Size::Wide, Pane::Trace) => lists + fix_width(all - lists),
            (Size::Wide, Pane::Fixes) => all - fix_width(all - lists),
            (Size::Ordinary, Pane::Trace | Pane::Fixes) => lists,
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
        wants: [usize; 6],
        root: usize,
    ) -> Self {
        let size = Size::of(area);
        if size == Size::TooSmall {
            return Self {
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
        match size {
            Size::Narrow => layout.narrow(focus, wants),
            Size::Ordinary => layout.columns(focus, wants, false),
            _ => layout.columns(focus, wants, true),
        }
        layout
    }

    fn columns(&mut self, focus: Pane, wants: [usize; 6], wide: bool) {
        let body = self.body;
        let (lists, rest) = left(body, list_width(body.width));
        let column = [Pane::Incidents, Pane::Causes, Pane::Attempts, Pane::Stages];
        self.panes = stack(lists, &column, focus, wants);
        let (trace, fixes) = if wide {
            left(rest, rest.width - fix_width(rest.width))
        } else {
            let wanted = 2 + u16::try_from(wants[Pane::Fixes as usize])
                .unwrap_or(u16::MAX)
                .min(200);
            let most = if focus == Pane::Fixes {
                rest.height * 3 / 5
            } else {
                rest.height * 2 / 5
            };
            top(rest, rest.height - wanted.clamp(4, most.max(4)))
        };
        self.panes.push((Pane::Trace, trace));
        self.panes.push((Pane::Fixes, fixes));
    }

    fn narrow(&mut self, focus: Pane, wants: [usize; 6]) {
        let mut rest = self.body;
        if focus != Pane::Fixes {
            let (above, teaser) = top(rest, rest.height - 1);
            self.teaser = Some(teaser);
            rest = above;
        }
        let (rest, summary) = top(rest, rest.height - 1);
        self.summary = Some(summary);
        if focus == Pane::Trace {
            self.panes = vec![(Pane::Trace, rest)];
            return;
        }
        let wanted = 2 + u16::try_from(wants[focus as usize].max(1))
            .unwrap_or(u16::MAX)
            .min(200);
        let (list, trace) = top(rest, wanted.min(rest.height * 3 / 5));
        self.panes = vec![(focus, list), (Pane::Trace, trace)];
    }

    /// The pane a point of the screen lies in.
    pub(super) fn pane_at(&self, x: u16, y: u16) -> Option<(Pane, Rect)> {
        self.panes
            .iter()
            .copied()
            .find(|(_, area)| area.contains((x, y).into()))
    }
}

/// Columns of the lists at the left.
fn list_width(width: u16) -> u16 {
    (width * 3 / 10).clamp(36, 52).min(width)
}

/// Columns of the fixes where they stand beside the trace.
fn fix_width(rest: u16) -> u16 {
    (rest * 2 / 5).min(70)
}

/// Panes above one another: each gets what it has to show, the one with the focus first.
fn stack(area: Rect, panes: &[Pane], focus: Pane, wants: [usize; 6]) -> Vec<(Pane, Rect)> {
    let want = |pane: Pane| {
        2 + u16::try_from(wants[pane as usize].max(1))
            .unwrap_or(u16::MAX)
            .min(200)
    };
    let least = (area.height / u16::try_from(panes.len()).unwrap_or(1)).min(3);
    let mut heights: Vec<u16> = panes.iter().map(|_| least).collect();
    let mut left = area.height - heights.iter().sum::<u16>();
    while left > 0 {
        let before = left;
        for (height, pane) in heights.iter_mut().zip(panes) {
            let step = if *pane == focus { 3 } else { 1 };
            let more = want(*pane).saturating_sub(*height).min(step).min(left);
            *height += more;
            left -= more;
        }
        if left == before {
            // Nobody needs more: what is left goes to the last.
            if let Some(last) = heights.last_mut() {
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

    proptest! {
        #[test]
        fn everything_lies_within_the_screen_and_nothing_overlaps(
            width in 1..300u16,
            height in 1..120u16,
            focus in 0..6usize,
            zoomed: bool,
            wants in prop::array::uniform6(0..500usize),
            root in 0..400usize,
        ) {
            let area = Rect::new(0, 0, width, height);
            let layout = Layout::new(area, Pane::ALL[focus], zoomed, wants, root);
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
        }
    }
}
