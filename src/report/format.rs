//! In: a case, a [`Format`] and a [`Manner`]. Out: the report as one string.

use super::{json, markdown, text};
use crate::load::Case;
use crate::text::{expand_tabs, held, masking};

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// For a terminal and a mail.
    #[default]
    Text,
    /// For scripts: the contract in the README.
    Json,
    /// For a ticket.
    Markdown,
}

/// What a reader asked for besides the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Manner {
    /// Tell everything, however long.
    pub all: bool,
    /// Colours, for a terminal.
    pub colour: bool,
    /// Tell of this incident, counted from 1 in order of importance, instead of the first.
    pub incident: Option<usize>,
}

/// The report, ending in a line end. Without `incident` it is about the first; JSON tells of all.
pub fn render(case: &Case, format: Format, manner: Manner) -> String {
    let about = manner.incident.unwrap_or(1).saturating_sub(1);
    // A scope of its own, so that the report counts what was masked in it and nothing else.
    let (report, _) = masking(held(), || match format {
        Format::Json => json::render(case),
        Format::Text => text::render(case, about, manner),
        Format::Markdown => expand_tabs(&markdown::render(case, about, manner)).into_owned(),
    });
    report
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use crate::report::sample;

    const FORMATS: [Format; 3] = [Format::Text, Format::Json, Format::Markdown];

    #[test]
    fn no_format_lets_a_control_character_of_the_log_through() {
        for format in FORMATS {
            let report = render(&sample::failed(), format, Manner::default());
            assert!(report.contains("un␛[31mknown"), "{format:?}: {report}");
            let bare = report.chars().all(|c| c == '\n' || !c.is_control());
            assert!(bare, "{format:?}: {report}");
        }
    }

    #[test]
    fn text_tells_the_root_and_the_own_line_first_and_fits_a_screen_or_two() {
        let text = render(&sample::failed(), Format::Text, Manner::default());
        let head: Vec<&str> = text.lines().take(7).collect();
        let head = head.join("\n");
        for told in [
            "FAILED",
            "driver.log:11",
            "ValueError",
            "enrich_orders.py:88",
        ] {
            assert!(head.contains(told), "{told} is missing in {head}");
        }
        assert!(text.lines().count() <= 60, "{text}");
        assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
    }

    #[test]
    fn the_other_incident_can_be_told() {
        let manner = Manner {
            incident: Some(2),
            ..Manner::default()
        };
        for format in [Format::Text, Format::Markdown] {
            let report = render(&sample::failed(), format, manner);
            let words: Vec<&str> = report.split_whitespace().collect();
            assert!(
                words
                    .join(" ")
                    .contains("An earlier attempt of the task ended with it"),
                "{report}"
            );
        }
    }

    #[test]
    fn all_tells_the_folded_trace() {
        let manner = Manner {
            all: true,
            ..Manner::default()
        };
        let report = render(&sample::failed(), Format::Text, manner);
        assert!(report.contains("⋯ 2 Spark frames"), "{report}");
    }

    #[test]
    fn nothing_found_is_said_and_nothing_guessed() {
        for format in FORMATS {
            let report = render(&sample::empty(), format, Manner::default());
            assert!(report.to_lowercase().contains("unknown"), "{report}");
            assert!(!report.contains("ValueError"), "{report}");
        }
    }

    #[test]
    fn json_keeps_the_contract() {
        let report = render(&sample::failed(), Format::Json, Manner::default());
        let value: serde_json::Value = serde_json::from_str(&report).unwrap();
        assert_eq!(value["schema"], 1);
        assert_eq!(value["outcome"], "failed");
        assert_eq!(value["spark"]["version"], "3.5.1");
        assert!(value["spark"]["scala"].is_null());
        let first = &value["incidents"][0];
        assert_eq!(first["root"]["input"], "driver.log");
        assert_eq!(first["root"]["line"], 11);
        assert_eq!(first["root"]["class"], "ValueError");
        assert_eq!(first["user_frame"]["line"], 88);
        assert_eq!(first["user_frame"]["log_line"], 9);
        assert_eq!(first["attempts"][3]["number"], 3);
        assert_eq!(first["retry_verdict"], "deterministic");
        assert_eq!(first["chain"][3]["relation"], "worker");
        assert_eq!(first["fixes"][0]["steps"][0]["kind"], "check");
        assert_eq!(first["occurrences"], 9);
        assert_eq!(value["stages"][0]["findings"][0]["kind"], "skew");
        assert!(value["stages"][0]["task_ms"].is_null());
        let second = &value["incidents"][1];
        assert!(second["bucket"].is_null() && second["confidence"].is_null());
    }
}
