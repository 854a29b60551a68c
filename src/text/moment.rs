//! In: the time stamps of log lines in their many layouts. Out: a [`Moment`].

use std::fmt;

/// A moment in microseconds since 1970-01-01T00:00:00, on the clock of whoever wrote the line: logs
/// rarely name their zone, so moments of different files may be hours apart for the same instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Moment(pub i64);

impl Moment {
    /// From a calendar date and a time of day; `None` where there is no such date.
    pub fn from_parts(
        year: i64,
        month: u32,
        day: u32,
        hour: u32,
        minute: u32,
        second: u32,
        micros: u32,
    ) -> Option<Self> {
        if !(1..=12).contains(&month)
            || !(1..=31).contains(&day)
            || hour > 23
            || minute > 59
            || second > 60
        {
            return None;
        }
        let days = days_from_civil(year, month, day);
        let seconds =
            days * 86_400 + i64::from(hour) * 3_600 + i64::from(minute) * 60 + i64::from(second);
        Some(Self(seconds * 1_000_000 + i64::from(micros)))
    }

    /// From milliseconds since 1970, as event logs carry them.
    pub fn from_millis(millis: i64) -> Self {
        Self(millis.saturating_mul(1_000))
    }

    /// Microseconds from `earlier` to here; negative where `earlier` is later.
    pub fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl fmt::Display for Moment {
    /// `2026-11-30 05:08:38.494`; without a fraction where there is none, because most logs write none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, micros) = (
            self.0.div_euclid(86_400_000_000),
            self.0.rem_euclid(86_400_000_000),
        );
        let (year, month, day) = civil_from_days(days);
        let (seconds, millis) = (micros / 1_000_000, micros / 1_000 % 1_000);
        let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
        write!(
            f,
            "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}"
        )?;
        match millis {
            0 => Ok(()),
            millis => write!(f, ".{millis:03}"),
        }
    }
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar.
fn days_from_civil(year: i64, month: u32, day: u32) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((i64::from(month) + 9) % 12) + 2) / 5 + i64::from(day) - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The date of a day counted from 1970-01-01: year, month, day.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_print_agree() {
        let moment = Moment::from_parts(2026, 11, 30, 5, 8, 38, 494_000).expect("a date");
        assert_eq!(moment.to_string(), "2026-11-30 05:08:38.494");
        assert_eq!(moment, Moment::from_millis(1_796_015_318_494));
        assert_eq!(Moment::from_parts(2026, 13, 1, 0, 0, 0, 0), None);
        assert_eq!(Moment(-1).to_string(), "1969-12-31 23:59:59.999");
    }
}
