//! In: all opened [`Sources`]. Out: which of them are the parts of one event log, in order.
//!
//! Spark rolls a log into a folder of numbered parts, the oldest of which the History Server may have compacted;
//! Databricks rolls it into dated files beside the newest, `eventlog`.

use crate::source::{Kind, Source, Sources};
use std::collections::BTreeMap;

/// The parts of one event log, in the order in which they were written.
#[derive(Debug)]
pub struct EventLogParts<'s> {
    /// The parts, at least one.
    pub parts: Vec<&'s Source>,
    /// Whether the first is what the History Server left of older ones.
    pub compacted: bool,
}

/// The event logs among the sources, in the order of their first parts.
pub fn event_logs(sources: &Sources) -> Vec<EventLogParts<'_>> {
    let mut logs: BTreeMap<String, Vec<(Turn, &Source)>> = BTreeMap::new();
    for source in sources.list.iter().filter(|s| s.kind == Kind::EventLog) {
        let (log, turn) = belongs(&source.name);
        logs.entry(log).or_default().push((turn, source));
    }
    let mut logs: Vec<_> = logs
        .into_values()
        .map(|mut parts| {
            parts.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.id.cmp(&b.1.id)));
            EventLogParts {
                compacted: parts.iter().any(|(turn, _)| turn.compacted()),
                parts: parts.into_iter().map(|(_, source)| source).collect(),
            }
        })
        .collect();
    logs.sort_by_key(|log| log.parts.first().map(|part| part.id));
    logs
}

/// When it is a part's turn.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    Compacted,
    Number(u64),
    Date(String),
    Last,
}

impl Turn {
    fn compacted(&self) -> bool {
        *self == Self::Compacted
    }
}

/// The log that a file of that name belongs to, and its turn in it.
fn belongs(name: &str) -> (String, Turn) {
    let start = name.rfind(['/', '!']).map_or(0, |at| at + 1);
    let (folder, file) = name.split_at(start);
    if let Some((number, rest)) = file
        .strip_prefix("events_")
        .and_then(|rest| rest.split_once('_'))
        && let Ok(number) = number.parse()
    {
        let application = rest.split('.').next().unwrap_or(rest);
        let turn = if rest.split('.').any(|ending| ending == "compact") {
            Turn::Compacted
        } else {
            Turn::Number(number)
        };
        return (format!("{folder}events_{application}"), turn);
    }
    if let Some(date) = file.strip_prefix("eventlog-")
        && date.starts_with(|c: char| c.is_ascii_digit())
    {
        return (format!("{folder}eventlog"), Turn::Date(date.to_owned()));
    }
    (name.to_owned(), Turn::Last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_in_the_order_of_writing() {
        let mut sources = Sources::default();
        let names = [
            "v2/events_10_app-1",
            "v2/events_9_app-1.zstd",
            "v2/events_8_app-1.compact",
            "db/eventlog",
            "db/eventlog-2024-05-02--10-00.gz",
            "db/eventlog-2024-05-01--23-00.gz",
            "v2/events_1_app-2",
            "local-17",
        ];
        for name in names {
            sources.add_memory(name, b"{\"Event\":\"SparkListenerLogStart\"}\n".to_vec());
        }
        let logs = event_logs(&sources);
        let mut found: Vec<Vec<&str>> = logs
            .iter()
            .map(|log| log.parts.iter().map(|part| part.name.as_str()).collect())
            .collect();
        found.sort();
        assert_eq!(
            found,
            [
                vec![
                    "db/eventlog-2024-05-01--23-00.gz",
                    "db/eventlog-2024-05-02--10-00.gz",
                    "db/eventlog"
                ],
                vec!["local-17"],
                vec!["v2/events_1_app-2"],
                vec![
                    "v2/events_8_app-1.compact",
                    "v2/events_9_app-1.zstd",
                    "v2/events_10_app-1"
                ],
            ]
        );
        assert_eq!(logs.iter().filter(|log| log.compacted).count(), 1);
    }
}
