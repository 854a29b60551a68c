//! In: numbers of bytes and milliseconds. Out: the same as people read them; and sizes as settings and logs print them
//! (`8g`, `5.5 GB`, `1408Mi`) as numbers.

use std::fmt;

/// A number of bytes, in the units that Spark's own screens use: `4.1 GiB`, `317 B`.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Bytes(pub f64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut amount = self.0;
        for unit in ["B", "KiB", "MiB", "GiB", "TiB"] {
            if amount < 1024.0 {
                return write_amount(f, amount, unit);
            }
            amount /= 1024.0;
        }
        write_amount(f, amount, "PiB")
    }
}

/// A number of milliseconds: `38 ms`, `2.5 s`, `4.2 min`, `1.5 h`.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Millis(pub f64);

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (amount, unit) = match self.0 {
            ms if ms < 1_000.0 => (ms.round(), "ms"),
            ms if ms < 60_000.0 => (ms / 1_000.0, "s"),
            ms if ms < 3_600_000.0 => (ms / 60_000.0, "min"),
            ms => (ms / 3_600_000.0, "h"),
        };
        write_amount(f, amount, unit)
    }
}

/// `1 task`, `2 tasks`: a number of things whose name takes an s.
pub fn counted(n: u64, noun: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {noun}{s}")
}

/// Mebibytes of a printed size; a number without a unit counts as `unitless` times mebibytes.
pub fn mebibytes(text: &str, unitless: f64) -> Option<f64> {
    let text = text.trim();
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    let unit = text[end..].trim_start().bytes().next();
    Some(
        number
            * match unit.map(|b| b.to_ascii_lowercase()) {
                None => unitless,
                Some(b'b') => 1.0 / (1024.0 * 1024.0),
                Some(b'k') => 1.0 / 1024.0,
                Some(b'm') => 1.0,
                Some(b'g') => 1024.0,
                Some(b't') => 1024.0 * 1024.0,
                Some(_) => return None,
            },
    )
}

/// One digit after the point below ten, none above: more would only pretend.
fn write_amount(f: &mut fmt::Formatter<'_>, amount: f64, unit: &str) -> fmt::Result {
    let tenths = (amount * 10.0).round() / 10.0;
    if tenths < 10.0 && tenths.fract() != 0.0 {
        write!(f, "{tenths:.1} {unit}")
    } else {
        write!(f, "{amount:.0} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_sizes_are_read() {
        assert_eq!(mebibytes("8g", 1.0), Some(8192.0));
        assert_eq!(mebibytes("5.5 GB", 1.0), Some(5632.0));
        assert_eq!(mebibytes("1408Mi", 1.0), Some(1408.0));
        assert_eq!(mebibytes("x", 1.0), None);
    }

    #[test]
    fn amounts_read_as_people_write_them() {
        for (bytes, text) in [
            (0.0, "0 B"),
            (317.0, "317 B"),
            (1536.0, "1.5 KiB"),
            (75_561_555.0, "72 MiB"),
            (4_402_341_478.0, "4.1 GiB"),
        ] {
            assert_eq!(Bytes(bytes).to_string(), text);
        }
        for (millis, text) in [
            (54.5, "55 ms"),
            (2_538.0, "2.5 s"),
            (45_000.0, "45 s"),
            (90_000.0, "1.5 min"),
            (7_200_000.0, "2 h"),
        ] {
            assert_eq!(Millis(millis).to_string(), text);
        }
    }
}
