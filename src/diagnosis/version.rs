//! In: `3.5.1-amzn-0`, `>=3.1, <4.0`. Out: a [`Version`] and a [`Range`] of versions.

/// The numbers at the head of a version: major, minor, patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version([u32; 3]);

impl Version {
    /// Reads the numbers at the head of `text`; what a vendor added behind them is left out.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let head: &str = text
            .trim()
            .split(|c: char| !c.is_ascii_digit() && c != '.')
            .next()?;
        let mut parts = head.split('.').map(str::parse::<u32>);
        let major = parts.next()?.ok()?;
        let mut next = || parts.next().and_then(Result::ok);
        Some(Self([major, next().unwrap_or(0), next().unwrap_or(0)]))
    }

    /// `3.5`
    pub(crate) fn line(self) -> String {
        format!("{}.{}", self.0[0], self.0[1])
    }

    /// `3`
    pub(crate) fn major(self) -> u32 {
        self.0[0]
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.0[0], self.0[1], self.0[2])
    }
}

/// Bounds that must all hold: `>=3.1, <4.0`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Range(Vec<(Bound, Version)>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    AtLeast,
    Above,
    AtMost,
    Below,
}

impl Range {
    /// Parses bounds separated by commas.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        text.split(',')
            .map(|part| {
                let part = part.trim();
                let (bound, number) = [
                    (">=", Bound::AtLeast),
                    ("<=", Bound::AtMost),
                    (">", Bound::Above),
                    ("<", Bound::Below),
                ]
                .into_iter()
                .find_map(|(sign, bound)| part.strip_prefix(sign).map(|rest| (bound, rest)))
                .ok_or_else(|| format!("`{part}` needs one of >=, <=, >, <"))?;
                let version =
                    Version::parse(number).ok_or_else(|| format!("`{number}` is no version"))?;
                Ok((bound, version))
            })
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Whether all bounds hold.
    pub(crate) fn holds(&self, version: Version) -> bool {
        self.0.iter().all(|(bound, limit)| match bound {
            Bound::AtLeast => version >= *limit,
            Bound::Above => version > *limit,
            Bound::AtMost => version <= *limit,
            Bound::Below => version < *limit,
        })
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn ranges_hold_their_bounds() {
        let range = Range::parse(">=3.1, <4.0").unwrap();
        let holds = |v| range.holds(Version::parse(v).unwrap());
        assert!(holds("3.1") && holds("3.5.1-amzn-0") && holds("3.10.2"));
        assert!(!holds("3.0.3") && !holds("4.0.0"));
        assert!(Range::parse("3.1").is_err() && Range::parse(">=x").is_err());
    }
}
