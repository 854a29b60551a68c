//! In: what the mouse does. Out: what follows: rows are selected, lists scrolled, borders dragged, menus chosen from.

use super::app::App;
use super::event::Effect;
use super::key::Chord;
use super::layout::border;
use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

/// Rows of one turn of the wheel.
const TURN: isize = 3;

impl App {
    /// Takes what the mouse did: an overlay first, then the log, then the panes.
    pub(super) fn mouse(&mut self, mouse: MouseEvent) -> Vec<Effect> {
        self.keys.hop = None;
        let turned = match mouse.kind {
            MouseEventKind::ScrollDown => TURN,
            MouseEventKind::ScrollUp => -TURN,
            _ => 0,
        };
        let clicked = mouse.kind == MouseEventKind::Down(MouseButton::Left);
        if self.overlay.is_some() {
            return self.mouse_over_overlay(mouse, turned, clicked);
        }
        if self.raw.is_some() {
            self.mouse_over_log(mouse, turned, clicked);
        } else {
            self.mouse_over_panes(mouse, turned, clicked);
        }
        Vec::new()
    }

    /// A click selects a row; one more on a row of a menu does what Enter does.
    fn mouse_over_overlay(
        &mut self,
        mouse: MouseEvent,
        turned: isize,
        clicked: bool,
    ) -> Vec<Effect> {
        let (pane, area) = (self.pane(), self.view.overlay);
        let Some(overlay) = &mut self.overlay else {
            return Vec::new();
        };
        let len = overlay.rows(&self.keys.map, &self.theme, pane).len();
        let Some(scroll) = overlay.scroll() else {
            return Vec::new();
        };
        scroll.by(turned, len);
        let hit = clicked && area.contains((mouse.column, mouse.row).into());
        let line = usize::from(mouse.row.saturating_sub(area.y));
        let Some(row) = scroll.at_line(line).filter(|_| hit) else {
            return Vec::new();
        };
        if row != scroll.cursor {
            scroll.to(row, len);
        } else if overlay.is_menu() {
            let enter = Chord::new(KeyCode::Enter, KeyModifiers::NONE);
            let answer = overlay.press(enter, &self.keys.map, &self.theme, pane);
            return self.answer(&answer);
        }
        Vec::new()
    }

    fn mouse_over_log(&mut self, mouse: MouseEvent, turned: isize, clicked: bool) {
        let body = self.view.layout.body;
        let Some(raw) = &mut self.raw else {
            return;
        };
        if turned != 0 {
            raw.by(turned, self.finding.sifted(raw.source()).as_deref());
            return;
        }
        let hit = clicked && body.contains((mouse.column, mouse.row).into());
        let line = usize::from(mouse.row.saturating_sub(body.y + border(body)));
        if let Some(row) = raw.scroll.at_line(line).filter(|_| hit) {
            raw.go_to_row(row);
        }
    }

    fn mouse_over_panes(&mut self, mouse: MouseEvent, turned: isize, clicked: bool) {
        let (x, y) = (mouse.column, mouse.row);
        match (mouse.kind, self.view.dragged) {
            (MouseEventKind::Down(MouseButton::Left), _) => {
                self.view.dragged = self.view.layout.edge_at(x, y);
            }
            (MouseEventKind::Drag(MouseButton::Left), Some(edge)) => {
                return self.view.shape.drag(edge, &self.view.layout, x, y);
            }
            _ => self.view.dragged = None,
        }
        let Some((pane, area)) = self.view.layout.pane_at(x, y) else {
            return;
        };
        match mouse.kind {
            MouseEventKind::ScrollLeft | MouseEventKind::ScrollRight => {
                self.view.focus = pane;
                self.sideways(mouse.kind == MouseEventKind::ScrollRight);
            }
            _ if turned != 0 => {
                let len = self.len(pane);
                self.scroll(pane).wheel(turned, len);
            }
            _ if clicked => {
                self.view.focus = pane;
                let edge = border(area);
                let inside = y >= area.y + edge && y + edge < area.bottom();
                // Whoever takes hold of a border means no row.
                let inside = inside && self.view.dragged.is_none();
                let line = usize::from(y.saturating_sub(area.y + edge));
                let row = self.scroll(pane).at_line(line).filter(|_| inside);
                if let Some(row) = row {
                    self.move_to(pane, row);
                }
            }
            _ => {}
        }
    }
}
