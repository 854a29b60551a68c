//! In: a time stamp and the order of its numbers (`y M d H m s`). Out: a [`Moment`].

use crate::text::Moment;

/// One number, name or mark of a time stamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    Year,
    Month,
    MonthName,
    Day,
    Hour,
    Minute,
    Second,
    HalfOfDay,
    /// Milliseconds since 1970, which are all of a stamp.
    Epoch,
}

/// The order in which a layout's time stamps name their parts. What stands between them does not matter,
/// a fraction may follow the second, and a zone is not read: logs of one run rarely differ in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Clock(Vec<Piece>);

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

impl Clock {
    /// From the letters of a layout: `y M d H m s`, `N` for a month's name, `p` for AM and PM, or `e` alone for milliseconds
    /// since 1970. `None` where a letter is unknown.
    pub(super) fn new(order: &str) -> Option<Self> {
        order
            .split_whitespace()
            .map(|letter| match letter {
                "y" => Some(Piece::Year),
                "M" => Some(Piece::Month),
                "N" => Some(Piece::MonthName),
                "d" => Some(Piece::Day),
                "H" => Some(Piece::Hour),
                "m" => Some(Piece::Minute),
                "s" => Some(Piece::Second),
                "p" => Some(Piece::HalfOfDay),
                "e" => Some(Piece::Epoch),
                _ => None,
            })
            .collect::<Option<Vec<_>>>()
            .map(Self)
    }

    /// Year, month and day, then the time of day: what nearly all layouts have.
    pub(super) fn iso() -> Self {
        use Piece::{Day, Hour, Minute, Month, Second, Year};
        Self(vec![Year, Month, Day, Hour, Minute, Second])
    }

    /// Reads a time stamp; `None` where it is none.
    pub(super) fn read(&self, stamp: &str) -> Option<Moment> {
        if self.0.as_slice() == [Piece::Epoch] {
            return stamp.parse().ok().map(Moment::from_millis);
        }
        let (mut year, mut month, mut day) = (1970, 1, 1);
        let (mut hour, mut minute, mut second, mut micros) = (0, 0, 0, 0);
        let mut rest = stamp;
        for piece in &self.0 {
            if matches!(piece, Piece::MonthName | Piece::HalfOfDay) {
                rest = rest.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
                let end = rest
                    .find(|c: char| !c.is_ascii_alphabetic())
                    .unwrap_or(rest.len());
                let word = rest[..end].to_ascii_lowercase();
                rest = &rest[end..];
                match piece {
                    Piece::HalfOfDay if word == "pm" => hour = hour % 12 + 12,
                    Piece::HalfOfDay => hour %= 12,
                    _ => {
                        let at = MONTHS.iter().position(|m| word.starts_with(m))?;
                        month = u32::try_from(at + 1).ok()?;
                    }
                }
                continue;
            }
            rest = rest.trim_start_matches(|c: char| !c.is_ascii_digit());
            let (value, digits) = number(rest)?;
            rest = &rest[digits..];
            match piece {
                Piece::Year if digits <= 2 => year = 2000 + i64::from(value),
                Piece::Year => year = i64::from(value),
                Piece::Month => month = value,
                Piece::Day => day = value,
                Piece::Hour => hour = value,
                Piece::Minute => minute = value,
                _ => {
                    second = value;
                    let mut after = rest.chars();
                    if matches!(after.next(), Some('.' | ',' | ':')) {
                        micros = fraction(after.as_str());
                    }
                }
            }
        }
        Moment::from_parts(year, month, day, hour, minute, second, micros)
    }
}

/// The number that `text` begins with, and its digits.
fn number(text: &str) -> Option<(u32, usize)> {
    let digits = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    text[..digits].parse().ok().map(|value| (value, digits))
}

/// Microseconds of the digits behind a second.
fn fraction(text: &str) -> u32 {
    let mut micros = 0;
    let mut unit = 100_000;
    for digit in text.bytes().take_while(u8::is_ascii_digit).take(6) {
        micros += u32::from(digit - b'0') * unit;
        unit /= 10;
    }
    micros
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iso(stamp: &str) -> Option<String> {
        Clock::iso().read(stamp).map(|m| m.to_string())
    }

    #[test]
    fn stamps_of_many_layouts() {
        let whole = Some("2024-01-02 03:04:05".to_owned());
        assert_eq!(iso("24/01/02 03:04:05"), whole);
        assert_eq!(iso("2024-01-02, 03:04:05 UTC"), whole);
        let millis = Some("2024-01-02 03:04:05.678".to_owned());
        assert_eq!(iso("2024-01-02T03:04:05,678"), millis);
        assert_eq!(iso("2024-01-02T03:04:05.678901234Z"), millis);
        assert_eq!(iso("2024-01-02T03:04:05.678+0900"), millis);
    }

    #[test]
    fn what_is_no_date_gives_none() {
        assert_eq!(iso("24/13/02 03:04:05"), None);
        assert_eq!(iso("later"), None);
        assert_eq!(iso("99999999999999-01-02 03:04:05"), None);
        assert_eq!(Clock::new("y q"), None);
    }
}
