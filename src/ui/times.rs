//! [`Times`]: whether and how the moments of attempts are shown.

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
}

impl Times {
    fn next(self) -> Self {
        match self {
            Self::Hidden => Self::Clock,
            Self::Clock => Self::SinceStart,
            Self::SinceStart => Self::Hidden,
        }
    }

    /// `02:11:07`, or `+1:02:07` since `first`; `None` where nothing is to be shown.
    pub(super) fn shown(self, moment: Option<Moment>, first: Option<Moment>) -> Option<String> {
        let moment = moment?;
        match self {
            Self::Hidden => None,
            Self::Clock => moment.to_string().get(11..19).map(str::to_owned),
            Self::SinceStart => {
                let seconds = moment.since(first?).max(0) / 1_000_000;
                let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
                Some(format!("+{hours}:{minutes:02}:{seconds:02}"))
            }
        }
    }
}

impl App {
    /// The next way to show moments; says so, because the pane may show none.
    pub(super) fn next_times(&mut self) {
        self.view.times = self.view.times.next();
        self.say(match self.view.times {
            Times::Hidden => "attempts without times",
            Times::Clock => "attempts with the time of day when they ended",
            Times::SinceStart => "attempts with the time since the first line of the logs",
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_shown_by_the_clock_or_since_the_start() {
        let (first, moment) = (Moment::from_millis(1_000), Moment::from_millis(3_728_999));
        let shown = |times: Times| times.shown(Some(moment), Some(first));
        assert_eq!(shown(Times::Hidden), None);
        assert_eq!(shown(Times::Clock).as_deref(), Some("01:02:08"));
        assert_eq!(shown(Times::SinceStart).as_deref(), Some("+1:02:07"));
        assert_eq!(Times::SinceStart.shown(Some(moment), None), None);
        assert_eq!(Times::Clock.shown(None, Some(first)), None);
    }
}
