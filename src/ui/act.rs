//! What each [`Action`] does to the [`App`].

use super::action::Action;
use super::app::App;
use super::event::Effect;
use super::overlay::Overlay;
use super::panes::Pane;
use super::shape::{Change, Shape, is_alone};

/// Columns of one sideways step.
const SIDEWAYS: usize = 16;

impl App {
    /// Does what was asked for.
    #[allow(
        clippy::too_many_lines,
        reason = "one line for each action: a table that is read as one"
    )]
    pub(super) fn act(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Down
            | Action::Up
            | Action::HalfPageDown
            | Action::HalfPageUp
            | Action::PageDown
            | Action::PageUp
            | Action::Top
            | Action::Bottom => self.move_cursor(action),
            Action::Left => self.left(),
            Action::Right => self.right(),
            Action::ScrollLeft => self.sideways(false),
            Action::ScrollRight => self.sideways(true),

            Action::Root => self.go_to_root(),
            Action::NextCause => self.step_cause(true),
            Action::PreviousCause => self.step_cause(false),
            Action::NextFrame => self.step_frame(true),
            Action::PreviousFrame => self.step_frame(false),
            Action::NextAttempt => self.step_attempt(true),
            Action::PreviousAttempt => self.step_attempt(false),
            Action::NextStage => self.step_stage(true),
            Action::PreviousStage => self.step_stage(false),
            Action::NextFix => self.step_fix(true),
            Action::PreviousFix => self.step_fix(false),
            Action::NextStep => self.step_part(true),
            Action::PreviousStep => self.step_part(false),
            Action::NextIncident => self.step_incident(true),
            Action::PreviousIncident => self.step_incident(false),
            Action::Follow => self.follow(),
            Action::Hop => self.begin_hop(),
            Action::Files => self.list_files(),
            Action::Settings => self.list_settings(),
            Action::Explain => self.explain(),
            Action::Back => return self.back(),
            Action::JumpBack => self.jump(false),
            Action::JumpForward => self.jump(true),
            Action::Mark | Action::GoToMark => self.keys.letter = Some(action),

            Action::FocusIncidents => self.focus(Pane::Incidents),
            Action::FocusCauses => self.focus(Pane::Causes),
            Action::FocusTrace => self.focus(Pane::Trace),
            Action::FocusAttempts => self.focus(Pane::Attempts),
            Action::FocusStages => self.focus(Pane::Stages),
            Action::FocusFixes => self.focus(Pane::Fixes),
            Action::FocusSql => self.focus_if_any(Pane::Sql),
            Action::FocusProfiles => self.focus_if_any(Pane::Profiles),
            Action::NextPane => self.next_pane(true),
            Action::PreviousPane => self.next_pane(false),
            Action::ZoomIn => self.zoom_in(),
            Action::ZoomOut => self.view.zoomed = false,
            Action::Wider => self.resize(Change::Wider),
            Action::Narrower => self.resize(Change::Narrower),
            Action::Taller => self.resize(Change::Taller),
            Action::Shorter => self.resize(Change::Shorter),
            Action::HidePane => self.hide_pane(),
            Action::ResetPanes => {
                self.view.zoomed = false;
                self.view.shape = Shape::default();
            }

            Action::ToggleFold => self.fold_or_say(None),
            Action::OpenFold => self.fold_or_say(Some(true)),
            Action::CloseFold => self.fold_or_say(Some(false)),
            Action::OpenFolds => self.fold_all(true),
            Action::CloseFolds => self.fold_all(false),

            Action::Search => self.overlay = Some(Overlay::prompt(false)),
            Action::Filter => self.overlay = Some(Overlay::prompt(true)),
            Action::NextMatch => return self.next_match(true),
            // Where nothing is searched for, the key has no other use.
            Action::PreviousMatch if self.finding.search().is_none() => return self.begin_rule(),
            Action::PreviousMatch => return self.next_match(false),
            Action::BeginRule => return self.begin_rule(),

            Action::CopyRoot
            | Action::CopyChain
            | Action::CopyFrame
            | Action::CopyTrace
            | Action::CopyStep
            | Action::CopyFix
            | Action::CopyRaw
            | Action::CopyTicket => {
                let wanted = self.wanted(action);
                return self.copy(self.copied(action), wanted);
            }
            Action::Share => return vec![Effect::Share(self.at())],
            Action::CopyMenu => self.overlay = Some(Overlay::menu()),

            Action::RawView => self.toggle_raw(),
            Action::Wrap => self.view.wrap = !self.view.wrap,
            Action::FlipOrder => self.flip_order(),
            Action::ProfileOrder => self.next_order(),
            Action::Times => self.next_times(),
            Action::Secrets => self.toggle_secrets(),
            Action::Mouse => {
                self.view.mouse = !self.view.mouse;
                self.say(if self.view.mouse {
                    "the mouse selects rows; hold Shift to select text"
                } else {
                    "the mouse is the terminal's"
                });
                return vec![Effect::Mouse(self.view.mouse)];
            }

            Action::Help => self.overlay = Some(Overlay::help()),
            Action::Command => self.overlay = Some(Overlay::command()),
            Action::Paste => self.overlay = Some(Overlay::paste_box()),
            Action::FollowLogs => return vec![Effect::FollowLogs(!self.told.follows)],
            Action::Reload => return vec![Effect::Reload],
            Action::Suspend => return vec![Effect::Suspend],
            Action::Quit => return vec![Effect::Quit],
        }
        Vec::new()
    }

    fn move_cursor(&mut self, action: Action) {
        let pane = self.view.focus;
        let page = match &self.raw {
            Some(raw) => raw.scroll.page(),
            None => self.scroll(pane).page(),
        };
        let by = match action {
            Action::Down => 1,
            Action::Up => -1,
            Action::HalfPageDown => page.max(2) / 2,
            Action::HalfPageUp => -(page.max(2) / 2),
            Action::PageDown => page,
            Action::PageUp => -page,
            Action::Top => isize::MIN,
            _ => isize::MAX,
        };
        if let Some(raw) = &mut self.raw {
            match action {
                Action::Top => raw.go_to_first(),
                Action::Bottom => {
                    if !raw.go_to_last(&self.case) {
                        self.say("the lines are still being counted");
                    }
                }
                _ => raw.by(by, self.finding.sifted(raw.source()).as_deref()),
            }
            return;
        }
        if matches!(action, Action::PageDown | Action::PageUp) {
            let len = self.len(pane);
            self.scroll(pane).turn(action == Action::PageDown, len);
            let row = self.cursor(pane);
            return self.move_to(pane, row);
        }
        let row = self.cursor(pane).saturating_add_signed(by);
        self.move_to(pane, row);
    }

    fn resize(&mut self, change: Change) {
        // Not the layout that was drawn last: several keys may come between two frames.
        let layout = self.lay_out(self.view.layout.area);
        if is_alone(&layout) || self.raw.is_some() {
            self.say("one pane has the whole screen");
        } else if !self.view.shape.change(self.view.focus, change, &layout) {
            self.say("there is no other pane on that side");
        }
    }

    fn zoom_in(&mut self) {
        let layout = self.lay_out(self.view.layout.area);
        // A narrow screen names the other panes beside the only one; there is room to gain.
        if !self.view.zoomed && is_alone(&layout) && layout.summary.is_none() {
            return self.say("the pane has the whole screen");
        }
        self.view.zoomed = true;
    }

    /// The keys go to the next one.
    fn hide_pane(&mut self) {
        let pane = self.view.focus;
        if !self.view.shape.hide(pane) {
            return self.say("the last pane stays");
        }
        self.view.zoomed = false;
        self.next_pane(true);
        let (key, title) = (self.keys.map.key(pane.action()), pane.title());
        self.say(format!("{key} shows {title} again"));
    }

    fn fold_or_say(&mut self, open: Option<bool>) {
        if !self.fold(open) {
            let keys = self.keys.map.key(Action::OpenFolds);
            self.say(format!(
                "no fold in this row of the trace; {keys} unfolds all"
            ));
        }
    }

    fn left(&mut self) {
        let in_trace = self.raw.is_none() && self.view.focus == Pane::Trace;
        if in_trace && self.fold(Some(false)) {
            return;
        }
        if in_trace || (self.raw.is_none() && self.view.focus == Pane::Causes) {
            self.go_along_causes(false);
        } else {
            self.sideways(false);
        }
    }

    fn right(&mut self) {
        let in_trace = self.raw.is_none() && self.view.focus == Pane::Trace;
        if in_trace && self.fold(Some(true)) {
            return;
        }
        if in_trace || (self.raw.is_none() && self.view.focus == Pane::Causes) {
            self.go_along_causes(true);
        } else {
            self.sideways(true);
        }
    }

    pub(super) fn sideways(&mut self, right: bool) {
        let pane = self.view.focus;
        let scroll = match &mut self.raw {
            Some(raw) => &mut raw.scroll,
            None => self.scroll(pane),
        };
        scroll.sideways = if right {
            (scroll.sideways + SIDEWAYS).min(super::texts::LONGEST as usize)
        } else {
            scroll.sideways.saturating_sub(SIDEWAYS)
        };
    }
}
