//! In: the address of a History Server, often copied from a browser, and the name of a run. Out: [`Address`] and [`RunId`].

use super::error::HistoryError;
use std::fmt;

/// The run of an application: the id, and which attempt where one of several is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunId {
    /// `application_1741564800123_0042`
    pub application: String,
    /// As the cluster counts: `1`.
    pub attempt: Option<String>,
}

impl RunId {
    /// Reads `application_1741564800123_0042`, `application_1741564800123_0042/2` and YARN's
    /// `appattempt_1741564800123_0042_000002`; `None` where it is none of these.
    pub fn parse(text: &str) -> Option<Self> {
        let (application, attempt) = match text.split_once('/') {
            Some((application, attempt)) => (application, Some(attempt)),
            None => (text, None),
        };
        let plain = |part: &str| {
            let mut signs = part.chars();
            signs.all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
                && part.contains(|c: char| c.is_ascii_alphanumeric())
        };
        if !plain(application) || attempt.is_some_and(|a| a.parse::<u32>().is_err()) {
            return None;
        }
        if let Some(of_yarn) = application.strip_prefix("appattempt_")
            && let Some((application, attempt)) = of_yarn.rsplit_once('_')
            && let Ok(attempt) = attempt.parse::<u32>()
        {
            return Some(Self {
                application: format!("application_{application}"),
                attempt: Some(attempt.to_string()),
            });
        }
        Some(Self {
            application: application.to_owned(),
            attempt: attempt.map(str::to_owned),
        })
    }

    /// Where the server's interface keeps what belongs to it.
    pub(super) fn path(&self) -> String {
        format!("/api/v1/applications/{self}")
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.application)?;
        match &self.attempt {
            Some(attempt) => write!(f, "/{attempt}"),
            None => Ok(()),
        }
    }
}

/// Where a server is, and which run was meant.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    /// Scheme, host, port and what a gateway puts in front, without a slash at the end.
    pub(super) base: String,
    /// `user:password`, where the address holds them.
    pub(super) login: Option<String>,
    /// The run that the address leads to.
    pub run: Option<RunId>,
}

impl Address {
    /// Whether that is an address and not a path.
    pub fn is_one(text: &str) -> bool {
        rest_of(text).is_some()
    }

    /// Reads the address of a server, of a page of it, or of its interface.
    ///
    /// # Errors
    /// Where it names no host.
    pub fn parse(text: &str) -> Result<Self, HistoryError> {
        let wrong = || HistoryError::NoAddress(text.to_owned());
        let rest = rest_of(text).ok_or_else(wrong)?;
        let scheme = &text[..text.len() - rest.len()];
        let rest = rest.split(['?', '#']).next().unwrap_or_default();
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let (login, host) = match authority.rsplit_once('@') {
            Some((login, host)) => (Some(login.to_owned()), host),
            None => (None, authority),
        };
        if host.is_empty() || host.starts_with(':') {
            return Err(wrong());
        }
        let mut before = path.trim_end_matches('/');
        let mut run = None;
        for mark in ["/api/v1", "/history/"] {
            if let Some(at) = path.find(mark) {
                let behind = path[at + mark.len()..].trim_start_matches('/');
                let behind = behind.strip_prefix("applications").unwrap_or(behind);
                run = run_of(behind);
                before = &path[..at];
                break;
            }
        }
        Ok(Self {
            base: format!("{}{host}{before}", scheme.to_ascii_lowercase()),
            login,
            run,
        })
    }
}

/// Without user and password.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.base)
    }
}

/// The same: a password is in no message, whoever writes it.
impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self}, {:?})", self.run)
    }
}

/// What follows the scheme.
fn rest_of(text: &str) -> Option<&str> {
    ["http://", "https://"].iter().find_map(|scheme| {
        let head = text.get(..scheme.len())?;
        let rest = &text[scheme.len()..];
        head.eq_ignore_ascii_case(scheme).then_some(rest)
    })
}

/// The run that a path leads to: `/application_1_2/1/jobs/job`.
fn run_of(path: &str) -> Option<RunId> {
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    let application = parts.next()?;
    let attempt = parts.next().filter(|part| part.parse::<u32>().is_ok());
    match attempt {
        Some(attempt) => RunId::parse(&format!("{application}/{attempt}")),
        None => RunId::parse(application),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn run(text: &str) -> Option<String> {
        RunId::parse(text).map(|run| run.to_string())
    }

    #[test]
    fn runs_are_named_in_the_ways_of_clusters() {
        let id = "application_1741564800123_0042";
        assert_eq!(run(id).as_deref(), Some(id));
        assert_eq!(run("spark-4f1c/2").as_deref(), Some("spark-4f1c/2"));
        assert_eq!(
            run("appattempt_1741564800123_0042_000002"),
            Some(format!("{id}/2"))
        );
        for none in ["", "..", "a/b", "a b", "a/1/2", "a?x=1", "ä"] {
            assert_eq!(run(none), None, "{none}");
        }
    }

    #[test]
    fn an_address_is_that_of_a_server_or_of_any_page_of_it() {
        for (text, base, run) in [
            ("http://history:18080", "http://history:18080", None),
            ("HTTP://history:18080/", "http://history:18080", None),
            ("http://[::1]:18080/?page=2", "http://[::1]:18080", None),
            (
                "https://knox:8443/gateway/default/sparkhistory/history/application_1_2/1/jobs/",
                "https://knox:8443/gateway/default/sparkhistory",
                Some("application_1_2/1"),
            ),
            (
                "http://h:18080/history/local-17/SQL/execution/?id=3",
                "http://h:18080",
                Some("local-17"),
            ),
            (
                "http://h:18080/api/v1/applications/app-20260101010203-0001/logs",
                "http://h:18080",
                Some("app-20260101010203-0001"),
            ),
            (
                "http://h/api/v1/applications?status=running",
                "http://h",
                None,
            ),
        ] {
            let address = Address::parse(text).unwrap();
            assert_eq!(address.base, base);
            assert_eq!(address.run.map(|r| r.to_string()).as_deref(), run, "{text}");
        }
        assert!(!Address::is_one("httpd.log") && !Address::is_one("ftp://h/x"));
        assert!(Address::parse("http://").is_err() && Address::parse("http://:80/").is_err());
    }

    #[test]
    fn a_password_is_used_and_never_told() {
        let address = Address::parse("https://ann:s3cr@t@h:18480/x").unwrap();
        assert_eq!(address.login.as_deref(), Some("ann:s3cr@t"));
        let told = format!("{address} {address:?}");
        assert!(
            !told.contains("s3cr") && told.contains("https://h:18480/x"),
            "{told}"
        );
        let wrong = Address::parse("https://ann:s3cret@")
            .unwrap_err()
            .to_string();
        assert!(!wrong.contains("s3cret"), "{wrong}");
    }
}
