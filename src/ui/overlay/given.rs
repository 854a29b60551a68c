//! The settings that the run was given, one row each: those that are something else than Spark's own first, with what Spark
//! takes without them.

use crate::diagnosis::GivenSetting;
use crate::ui::theme::{Role, Theme};
use crate::ui::widgets::{Row, Rows, one_line};
use ratatui::text::{Line, Span};

pub(super) struct Given<'a> {
    pub(super) settings: Vec<GivenSetting>,
    pub(super) theme: &'a Theme,
}

impl Rows for Given<'_> {
    fn len(&self) -> usize {
        self.settings.len()
    }

    fn row(&self, i: usize, _width: usize) -> Row {
        let setting = &self.settings[i];
        let role = if setting.is_chosen() {
            Role::Text
        } else {
            Role::Dim
        };
        let about = match (&setting.own, setting.overrides) {
            (Some(_), Some(false)) => "  as Spark's own".to_owned(),
            (Some(own), _) => format!("  Spark's own: {}", one_line(own)),
            (None, _) => String::new(),
        };
        // Together, because the key may be what tells that the value is a secret.
        let given = one_line(&format!("{}={}", setting.key, setting.value));
        Row {
            hang: Some(4),
            ..Row::new(Line::from(vec![
                Span::styled(format!(" {given}"), self.theme.style(role)),
                Span::styled(about, self.theme.style(Role::Dim)),
            ]))
        }
    }
}
