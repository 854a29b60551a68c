//! The SQL execution of the selected stage, or else of the incident: the query, and its plan with the operators that
//! the stage ran.

use crate::incident::{PlanRow, Sql as Execution};
use crate::text::Place;
use crate::ui::context::Context;
use crate::ui::theme::Role;
use crate::ui::widgets::{Row, Rows, one_line};
use ratatui::text::Line;

/// Blanks that an operator stands in for each operator above it, and how many operators count.
const STEP: &str = " ";
const DEEPEST: usize = 30;

pub(super) struct Sql<'a> {
    cx: Context<'a>,
    execution: Option<&'a Execution>,
    query: Vec<Line<'static>>,
}

impl<'a> Sql<'a> {
    pub(super) fn new(cx: Context<'a>) -> Self {
        let story = &cx.case.story;
        let of_stage = || {
            let id = story.stages.get(cx.selection.stage?)?.sql?;
            story.sql.iter().find(|sql| sql.id == id)
        };
        let execution = of_stage().or_else(|| story.sql_of(cx.incident()?));
        let query = execution
            .filter(|sql| sql.is_query())
            .map_or_else(Vec::new, |sql| {
                let text = crate::text::sanitise(&sql.description);
                let painted = cx.painter.paint("sql", &text);
                let lines = painted.iter().map(|pieces| {
                    let spans = pieces
                        .iter()
                        .map(|(role, piece)| cx.span(*role, one_line(piece)));
                    std::iter::once(cx.span(Role::Text, " "))
                        .chain(spans)
                        .collect::<Line<'static>>()
                });
                lines.collect()
            });
        Self {
            cx,
            execution,
            query,
        }
    }

    fn head(&self, sql: &Execution) -> Row {
        let cx = &self.cx;
        let (glyph, role) = match sql.succeeded {
            Some(true) => ("✓", Role::Succeeded),
            Some(false) => ("✗", Role::Failed),
            None => ("…", Role::Warning),
        };
        let mut spans = vec![
            cx.span(Role::Strong, format!("{:>4} ", sql.id)),
            cx.span(role, format!("{glyph} ")),
        ];
        if self.query.is_empty() {
            spans.push(cx.span(Role::Text, one_line(&sql.description)));
        }
        Row::new(Line::from(spans))
    }

    fn operator(&self, row: &PlanRow) -> Row {
        let cx = &self.cx;
        let operator = &row.operator;
        let (mark, mark_role, role) = match (row.failed, row.in_stage) {
            (true, _) => ("▶", Role::Root, Role::Strong),
            (false, true) => ("│", Role::Warning, Role::Text),
            (false, false) => (" ", Role::Dim, Role::Dim),
        };
        let number = operator
            .number
            .map_or_else(String::new, |number| format!(" ({number})"));
        let mut spans = vec![
            cx.span(mark_role, mark),
            cx.span(Role::Dim, STEP.repeat(operator.depth.min(DEEPEST) + 1)),
            cx.span(role, one_line(&operator.name)),
            cx.span(Role::Dim, number),
        ];
        if !operator.detail.is_empty() {
            let role = if operator.is_python() {
                Role::OwnCode
            } else {
                Role::Dim
            };
            spans.push(cx.span(role, format!("  {}", one_line(&operator.detail))));
        }
        Row::new(Line::from(spans))
    }
}

impl Rows for Sql<'_> {
    fn len(&self) -> usize {
        self.execution
            .map_or(0, |sql| 1 + self.query.len() + sql.plan.len())
    }

    fn row(&self, i: usize, _width: usize) -> Row {
        let Some(sql) = self.execution else {
            return Row::default();
        };
        let Some(i) = i.checked_sub(1) else {
            return self.head(sql);
        };
        match self.query.get(i) {
            Some(line) => Row::prose(3, line.clone()),
            None => sql
                .plan
                .get(i - self.query.len())
                .map_or_else(Row::default, |row| self.operator(row)),
        }
    }

    fn place(&self, _i: usize) -> Option<Place> {
        self.execution?.place
    }

    fn selected(&self) -> Option<usize> {
        let plan = &self.execution?.plan;
        let row = plan
            .iter()
            .position(|row| row.failed)
            .or_else(|| plan.iter().position(|row| row.in_stage));
        Some(row.map_or(0, |row| 1 + self.query.len() + row))
    }
}
