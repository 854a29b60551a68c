//! In: the lines of a text, told one by one. Out: [`Lines`]: each safe, also where a secret has more than one of them.

use super::masking::{held, note};
use super::sanitise::sanitise_line;
use super::secrets::MARK;
use std::borrow::Cow;

/// Lines that follow one another.
#[derive(Debug, Default)]
pub struct Lines {
    /// Whether a private key has begun and not ended.
    in_key: bool,
}

impl Lines {
    /// The next line, safe as by [`sanitise_line`]; of a private key nothing is left.
    pub fn safe<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let within = self.in_key && !text.contains("-----END");
        let begun = text.rsplit_once("-----BEGIN ");
        self.in_key = within
            || begun
                .is_some_and(|(_, key)| key.contains("PRIVATE KEY") && !key.contains("-----END"));
        if within && held().secrets {
            note("private key", text);
            return Cow::Borrowed(MARK);
        }
        sanitise_line(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Masking, masking};

    #[test]
    fn of_a_private_key_no_line_is_told_and_all_others_are() {
        let log = [
            "key: -----BEGIN RSA PRIVATE KEY-----",
            "MIIEpAIBAAKCAQEA",
            "x0Vt",
            "-----END RSA PRIVATE KEY-----",
            "after",
            "-----BEGIN CERTIFICATE-----",
            "MIIDdzCC",
        ];
        let tell = || {
            let mut lines = Lines::default();
            log.map(|line| lines.safe(line).into_owned())
        };
        let (told, masked) = masking(Masking::default(), tell);
        let hidden = [log[0], MARK, MARK, log[3], log[4], log[5], log[6]];
        assert_eq!((told, masked.total()), (hidden.map(str::to_owned), 2));
        assert_eq!(masking(Masking::NONE, tell).0, log.map(str::to_owned));
    }
}
