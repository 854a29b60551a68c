//! Steps from match to match of what is searched for: within the pane with the focus, else to a pane that has one; in the log
//! the loop is asked.

use super::action::Action;
use super::app::App;
use super::event::Effect;
use super::panes::Pane;
use super::query::Query;
use super::widgets::Rows as _;

/// A row that matches, and for the trace the line behind it, where it has one.
type Match = (usize, Option<usize>);

impl App {
    /// To the next match in the pane with the focus, around its end; else to a pane that has one.
    pub(super) fn next_match(&mut self, forward: bool) -> Vec<Effect> {
        let Some(query) = self.finding.search().cloned() else {
            self.say("nothing is searched for");
            return Vec::new();
        };
        if let Some(raw) = &self.raw {
            let (near, line) = (raw.anchor(), raw.line());
            let back = self.keys.map.key(Action::Back);
            self.say(format!("searching the log … {back} calls it off"));
            return self
                .finding
                .ask_log(near.source, |generation| Effect::FindInLog {
                    generation,
                    near,
                    line,
                    forward,
                    query,
                });
        }
        let focus = self.view.focus;
        let here = (self.cursor(focus), self.line_at_cursor(focus));
        let matches = self.matches(focus, &query);
        let ahead = |m: &&Match| if forward { **m > here } else { **m < here };
        let found = if forward {
            matches.iter().find(ahead).or(matches.first())
        } else {
            matches.iter().rev().find(ahead).or(matches.last())
        };
        let found = found.map(|found| (focus, *found)).or_else(|| {
            let others = (1..Pane::ALL.len()).map(|n| {
                let step = if forward { n } else { Pane::ALL.len() - n };
                Pane::ALL[(focus as usize + step) % Pane::ALL.len()]
            });
            let mut others = others;
            others.find_map(|pane| Some((pane, *self.matches(pane, &query).first()?)))
        });
        let Some((pane, found)) = found else {
            self.say(format!("no match for {}", query.typed()));
            return Vec::new();
        };
        self.leave_spot();
        self.show_match(pane, found);
        self.say_where(pane, found, &query);
        Vec::new()
    }

    /// Stays where it is if that matches, else goes to the next match.
    pub(super) fn first_match(&mut self) {
        let Some(query) = self.finding.search().cloned() else {
            return;
        };
        let focus = self.view.focus;
        let here = (self.cursor(focus), self.line_at_cursor(focus));
        if self.matches(focus, &query).contains(&here) {
            self.say_where(focus, here, &query);
        } else {
            self.next_match(true);
        }
    }

    fn line_at_cursor(&self, pane: Pane) -> Option<usize> {
        (pane == Pane::Trace)
            .then(|| self.trace().line_of_row(self.cursor(pane)))
            .flatten()
    }

    fn show_match(&mut self, pane: Pane, (row, line): Match) {
        self.view.focus = pane;
        if let Some(line) = line {
            self.show_trace_line(line);
            let row = self.cursor(pane);
            self.move_to(pane, row);
        } else {
            self.move_to(pane, row);
        }
    }

    /// `match 2 of 3 · also in Attempts, Fixes`
    fn say_where(&mut self, pane: Pane, found: Match, query: &Query) {
        let matches = self.matches(pane, query);
        let n = matches
            .iter()
            .position(|m| m.1.is_some() && m.1 == found.1 || *m == found);
        let also: Vec<&str> = Pane::ALL
            .into_iter()
            .filter(|other| *other != pane && !self.matches(*other, query).is_empty())
            .map(Pane::title)
            .collect();
        let mut text = format!("match {} of {}", n.map_or(1, |n| n + 1), matches.len());
        if !also.is_empty() {
            let (pane, next) = (
                self.keys.map.key(Action::NextPane),
                self.keys.map.key(Action::NextMatch),
            );
            text = format!("{text} · also in {}: {pane}, then {next}", also.join(", "));
        }
        self.say(text);
    }

    /// The matches in a pane: rows, and for the trace the lines behind them.
    fn matches(&self, pane: Pane, query: &Query) -> Vec<Match> {
        if pane == Pane::Trace {
            let trace = self.trace();
            let hits = self.finding.hits(self.selection.traced()).unwrap_or(&[]);
            let hits = hits
                .iter()
                .filter_map(|line| Some((trace.row_of_line(*line)?, Some(*line))));
            // Rows that are no line of the trace are few: what a message nests, what is told of another attempt.
            let others = (0..trace.len()).filter(|row| {
                trace.line_of_row(*row).is_none()
                    && query.matches(&trace.row(*row, usize::MAX).text())
            });
            let mut matches: Vec<_> = hits.chain(others.map(|row| (row, None))).collect();
            matches.sort_unstable();
            return matches;
        }
        let rows = pane.rows(self.context(), &self.view.folds);
        (0..rows.len())
            .filter(|i| query.matches(&rows.row(*i, usize::MAX).text()))
            .map(|i| (i, None))
            .collect()
    }
}
