//! The lines below the panes. In: the [`App`]. Out: the panes that are not shown, the first fix where there is no room for
//! more, and what is typed, what was said, or the keys most likely wanted.

use super::action::Action;
use super::app::App;
use super::draw::put;
use super::layout::Layout;
use super::overlay::Overlay;
use super::panes::Pane;
use super::theme::Role;
use super::widgets::{clip, columns, one_line, wrap};
use crate::incident::Evidence;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget as _};

/// Below so many columns keys that belong together stand together, and what is learnt first is told last.
const NARROW: usize = 100;
/// Narrower, only what is wanted most is said.
const TINY: usize = 60;
/// Lines of the panes that a long message takes at most.
const MOST_ABOVE: u16 = 3;

impl App {
    /// A line for the panes that are not on the screen.
    pub(super) fn summary(&self, layout: &Layout) -> Line<'static> {
        let cx = self.context();
        let mut spans = Vec::new();
        for pane in Pane::ALL {
            let n = self.len(pane);
            if layout.area(pane).is_some() || self.is_absent(pane) {
                continue;
            }
            spans.push(cx.span(Role::Key, format!(" {}", self.keys.map.key(pane.action()))));
            spans.push(cx.span(Role::Hint, format!(" {}", pane.title())));
            let place = match pane {
                Pane::Incidents => count(cx.selection.incident, cx.case.story.incidents.len()),
                Pane::Causes => count(cx.selection.cause, n),
                Pane::Attempts => count(
                    cx.selection.attempt,
                    cx.incident().map_or(0, |i| i.attempts.len()),
                ),
                Pane::Stages => count(cx.selection.stage, cx.case.story.stages.len()),
                Pane::Fixes => count(cx.selection.fix, cx.remedies().len()),
                Pane::Profiles => cx.case.story.profiles.len().to_string(),
                Pane::Trace | Pane::Sql => String::new(),
            };
            if !place.is_empty() {
                spans.push(cx.span(Role::Text, format!(" {place}")));
            }
            spans.push(Span::raw(" "));
        }
        // The last one may need the room.
        spans.pop();
        Line::from(spans)
    }

    /// The panes beside the one that has the whole screen, in the order in which one goes through them, as many as have room.
    pub(super) fn others(&self, room: usize) -> Line<'static> {
        let cx = self.context();
        let mut spans = Vec::new();
        let mut used = 0;
        for pane in self
            .view
            .focus
            .others()
            .filter(|pane| !self.is_absent(*pane))
        {
            let name = [
                cx.span(Role::Key, format!(" {}", self.keys.map.key(pane.action()))),
                cx.span(Role::Hint, format!(" {} ", pane.title())),
            ];
            used += name
                .iter()
                .map(|span| columns(&span.content))
                .sum::<usize>();
            if used > room {
                break;
            }
            spans.extend(name);
        }
        Line::from(spans)
    }

    /// A line for the selected fix on a narrow screen.
    pub(super) fn teaser(&self) -> Line<'static> {
        let cx = self.context();
        let incident = cx.incident();
        let symptom = incident.is_some_and(|i| i.evidence == Evidence::SymptomOnly);
        let next = incident.and_then(|i| i.next.first());
        let fix = cx
            .selection
            .fix
            .and_then(|f| cx.remedies().get(f).copied())
            .filter(|_| !symptom || next.is_none());
        let Some(fix) = fix else {
            return next.map_or_else(Line::default, |next| {
                Line::from(vec![
                    cx.span(Role::Key, " look next "),
                    cx.span(Role::Text, one_line(next)),
                ])
            });
        };
        Line::from(vec![
            cx.span(Role::Fix, " fix "),
            cx.span(Role::Strong, one_line(&fix.title)),
            cx.span(Role::Dim, format!("  {}", one_line(&fix.why))),
        ])
    }

    pub(super) fn draw_footer(&self, area: Rect, buffer: &mut Buffer) {
        let cx = self.context();
        if let Some((sign, input)) = self.overlay.as_ref().and_then(|o| o.input()) {
            let (before, after) = input.halves();
            let mut rest = after.chars();
            let under = rest.next().unwrap_or(' ');
            let line = Line::from(vec![
                cx.span(Role::Prompt, format!(" {sign}")),
                cx.span(Role::Text, before),
                Span::styled(under.to_string(), cx.style(Role::Text).reversed()),
                cx.span(Role::Text, rest.as_str()),
            ]);
            let wide: usize = line.spans.iter().map(|s| columns(&s.content)).sum();
            let from = wide.saturating_sub(usize::from(area.width));
            buffer.set_line(
                area.x,
                area.y,
                &clip(&line, from, area.width.into()),
                area.width,
            );
            return;
        }
        if let Some(status) = &self.told.status {
            let said = Line::from(cx.span(Role::Status, format!(" {}", one_line(status))));
            self.draw_status(&said, area, buffer);
        } else {
            let hints = self.hints(usize::from(area.width), self.masked_hint(buffer));
            put(&hints, area, buffer);
        }
    }

    /// What was said, whole: where it is longer than the line, it takes lines of the panes until the next key.
    fn draw_status(&self, said: &Line<'_>, area: Rect, buffer: &mut Buffer) {
        let lines = wrap(said, area.width.into(), 1);
        let more = u16::try_from(lines.len().saturating_sub(1)).unwrap_or(u16::MAX);
        let above = more.min(MOST_ABOVE).min(area.y);
        let shown = Rect {
            y: area.y - above,
            height: above + 1,
            ..area
        };
        Clear.render(shown.intersection(buffer.area), buffer);
        buffer.set_style(shown, self.theme.style(Role::Text));
        for (y, line) in (shown.y..shown.bottom()).zip(&lines) {
            put(
                line,
                Rect {
                    y,
                    height: 1,
                    ..area
                },
                buffer,
            );
        }
    }

    /// The keys most likely wanted here, as many as fit.
    fn hints(&self, width: usize, masked: Option<String>) -> Line<'static> {
        let cx = self.context();
        let hint = |actions: &[Action], word: &'static str| {
            let keys: Vec<String> = actions.iter().map(|a| self.keys.map.key(*a)).collect();
            (keys.join("/"), word.to_owned())
        };
        if self.keys.hop.is_some() {
            let back = self.keys.map.key(Action::Back);
            return Line::from(vec![
                cx.span(Role::Key, " a…z"),
                cx.span(Role::Hint, " the row with these letters "),
                cx.span(Role::Key, format!(" {back}")),
                cx.span(Role::Hint, " stay here"),
            ]);
        }
        let narrow = width < NARROW;
        let help = matches!(self.overlay, Some(Overlay::Help { .. }));
        let tiny = width < TINY;
        let moves = if tiny && help {
            // A list of many pages there.
            hint(&[Action::Down, Action::PageDown], "move")
        } else {
            hint(&[Action::Down, Action::Up], "move")
        };
        let mut hints = Vec::new();
        if !narrow || self.overlay.is_some() || self.raw.is_some() {
            hints.push(moves.clone());
        }
        hints.extend(masked.map(|told| (self.keys.map.key(Action::Secrets), told)));
        if let Some(overlay) = &self.overlay {
            match overlay {
                Overlay::Help { .. } => {
                    hints.push(hint(&[Action::Search], "find"));
                    hints.extend((!tiny).then(|| hint(&[Action::Follow], "do it")));
                }
                Overlay::Files { .. } | Overlay::Settings { .. } => {
                    hints.push(hint(&[Action::Follow], "open"));
                }
                Overlay::Menu { .. } => hints.push(hint(&[Action::Follow], "copy")),
                _ => hints.clear(),
            }
            hints.push(hint(&[Action::Back], "close"));
        } else if self.raw.is_some() {
            hints.push(hint(&[Action::Back], "back"));
            hints.push(hint(&[Action::Search], "search"));
            hints.push(hint(&[Action::Wrap], "wrap"));
        } else {
            hints.extend(self.hints_of_pane(width, hint));
            hints.extend(narrow.then_some(moves));
        }
        let last = match self.overlay {
            Some(_) => Vec::new(),
            None => vec![hint(&[Action::Help], "help"), hint(&[Action::Quit], "quit")],
        };
        let wide = |(key, word): &(String, String)| columns(key) + columns(word) + 3;
        let mut room = width.saturating_sub(last.iter().map(wide).sum::<usize>());
        let mut spans = Vec::new();
        let mut fits: Vec<_> = hints
            .into_iter()
            .filter(|hint| {
                let wide = wide(hint);
                let fits = wide <= room;
                room -= if fits { wide } else { 0 };
                fits
            })
            .collect();
        fits.extend(last);
        for (key, word) in fits {
            spans.push(cx.span(Role::Key, format!(" {key}")));
            spans.push(cx.span(Role::Hint, format!(" {word} ")));
        }
        Line::from(spans)
    }
}

impl App {
    /// The keys most likely wanted in the pane with the focus, in this order.
    fn hints_of_pane(
        &self,
        width: usize,
        hint: impl Fn(&[Action], &'static str) -> (String, String),
    ) -> Vec<(String, String)> {
        let panes = if self.view.zoomed {
            hint(&[Action::ZoomOut], "all panes")
        } else {
            hint(&[Action::NextPane], "pane")
        };
        if self.view.focus == Pane::Profiles {
            return vec![
                panes,
                hint(&[Action::ProfileOrder], "sort"),
                hint(&[Action::Follow], "log"),
                hint(&[Action::Search], "search"),
            ];
        }
        let Some(incident) = self.context().incident() else {
            return vec![
                panes,
                hint(&[Action::RawView], "log"),
                hint(&[Action::Search], "search"),
            ];
        };
        let log = hint(&[Action::Follow], "log");
        let root = hint(&[Action::Root], "root");
        let copies = if self.code_at_cursor().is_some() {
            "copy code"
        } else {
            "copy root"
        };
        let (narrow, tiny) = (width < NARROW, width < TINY);
        let copy = if tiny {
            hint(&[Action::CopyRoot, Action::CopyMenu], "copy")
        } else {
            hint(&[Action::CopyRoot], copies)
        };
        let menu = (!narrow).then(|| hint(&[Action::CopyMenu], "copy …"));
        let search = hint(&[Action::Search], "search");
        let steps: &[Action] = if narrow {
            &[Action::NextAttempt]
        } else {
            &[Action::PreviousAttempt, Action::NextAttempt]
        };
        let attempts = (incident.attempts.len() > 1).then(|| hint(steps, "attempt"));
        let chain = self.context().traced().map_or(0, |i| i.chain.len());
        let causes = (chain > 1).then(|| hint(&[Action::NextCause], "cause"));
        let mut hints = Vec::new();
        if self.may_begin_rule() && self.finding.search().is_none() {
            hints.push(hint(&[Action::PreviousMatch], "begin a rule"));
        }
        match self.view.focus {
            Pane::Fixes => {
                hints.push(copy);
                let fixes = self.context().remedies().len();
                hints.extend(
                    (fixes > 0).then(|| hint(&[Action::PreviousStep, Action::NextStep], "step")),
                );
                hints.extend(
                    (fixes > 1).then(|| hint(&[Action::PreviousFix, Action::NextFix], "fix")),
                );
                if !self.view.zoomed {
                    hints.push(hint(&[Action::ZoomIn], "zoom"));
                }
                hints.extend([panes, search, log, root]);
                hints.extend(menu);
            }
            Pane::Attempts => {
                hints.push(panes);
                hints.extend(attempts);
                hints.extend([log, copy, search, root]);
                hints.extend(menu);
                hints.extend(causes);
            }
            pane => {
                hints.extend([panes, copy]);
                hints.extend(attempts);
                hints.extend([search, root, log]);
                hints.extend(menu);
                hints.extend((pane == Pane::Trace).then(|| hint(&[Action::ToggleFold], "fold")));
                hints.extend(causes);
            }
        }
        hints
    }
}

fn count(selected: Option<usize>, n: usize) -> String {
    match selected {
        Some(i) if n > 0 => format!("{}/{n}", i + 1),
        _ => n.to_string(),
    }
}
