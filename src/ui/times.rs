//! [`Times`]: whether and how the moments of attempts and of the log's lines are shown.

use super::app::App;
use crate::text::Moment;

/// How moments are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Times {
    /// Not at all.
    #[default]
    Hidden,
    /// The time of day, in the zone of whoever wrote the line.
    Clock,
    /// Since the first moment of the logs.
    SinceStart,
    /// Since the attempt, or the line, before.
    Between,
}

impl Times {
    fn next(self) -> Self {
        match self {
            Self::Hidden => Self::Clock,
            Self::Clock => Self::SinceStart,
            Self::SinceStart => Self::Between,
            Self::Between => Self::Hidden,
        }
    }

    /// Whether any are shown.
    pub(super) fn are_shown(self) -> bool {
        self != Self::Hidden
    }

    /// `02:11:07`, or `+1:02:07` since `first`, or `+340 ms` since the one `before`; `None` where nothing is to be shown.
    pub(super) fn shown(
        self,
        moment: Option<Moment>,
        first: Option<Moment>,
        before: Option<Moment>,
    ) -> Option<String> {
        let moment = moment?;
        match self {
            Self::Hidden => None,
            Self::Clock => moment.to_string().get(11..19).map(str::to_owned),
            Self::SinceStart => Some(format!(
                "+{}",
                clock(moment.since(first?).max(0) / 1_000_000)
            )),
            Self::Between => Some(match moment.since(before?) {
                // Threads write their lines as they come.
                ..0 => "earlier".to_owned(),
                0 => "+0".to_owned(),
                millis @ 1..1_000_000 => format!("+{} ms", millis / 1_000),
                whole @ 1_000_000..60_000_000 if whole % 1_000_000 == 0 => {
                    format!("+{} s", whole / 1_000_000)
                }
                seconds @ 1_000_000..60_000_000 => {
                    format!("+{}.{} s", seconds / 1_000_000, seconds / 100_000 % 10)
                }
                longer => format!("+{}", clock(longer / 1_000_000)),
            }),
        }
    }
}

/// `1:02:07`
fn clock(seconds: i64) -> String {
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    format!("{hours}:{minutes:02}:{seconds:02}")
}

impl App {
    /// The next way to show moments; says so, because the pane may show none.
    pub(super) fn next_times(&mut self) {
        self.view.times = self.view.times.next();
        self.say(match self.view.times {
            Times::Hidden => "no times beside attempts and the log's lines",
            Times::Clock => "attempts and the log's lines with their time of day",
            Times::SinceStart => "attempts and the log's lines with the time since the first line",
            Times::Between => "attempts and the log's lines with the time since the one before",
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_shown_by_the_clock_or_since_the_start() {
        let (first, moment) = (Moment::from_millis(1_000), Moment::from_millis(3_728_999));
        let before = Moment::from_millis(3_728_659);
        let shown = |times: Times| times.shown(Some(moment), Some(first), Some(before));
        assert_eq!(shown(Times::Hidden), None);
        assert_eq!(shown(Times::Clock).as_deref(), Some("01:02:08"));
        assert_eq!(shown(Times::SinceStart).as_deref(), Some("+1:02:07"));
        assert_eq!(shown(Times::Between).as_deref(), Some("+340 ms"));
        assert_eq!(Times::SinceStart.shown(Some(moment), None, None), None);
        assert_eq!(Times::Clock.shown(None, Some(first), None), None);
        let between =
            |from: i64| Times::Between.shown(Some(moment), None, Some(Moment::from_millis(from)));
        // Logs without milliseconds are told without.
        assert_eq!(between(3_725_999).as_deref(), Some("+3 s"));
        assert_eq!(between(3_726_499).as_deref(), Some("+2.5 s"));
        assert_eq!(between(999).as_deref(), Some("+1:02:08"));
        assert_eq!(between(4_000_000).as_deref(), Some("earlier"));
    }
}
