//! [`Server`]: asks a History Server, and says what went wrong in words that help. Only this file knows the HTTP client.

use super::address::{Address, RunId};
use super::error::HistoryError;
use super::paced::Paced;
use super::proxy::{host_of, proxy_for};
use super::redirect::{next, origin};
use base64::Engine as _;
use std::io::{self, Read};
use std::sync::Arc;
use std::time::Duration;
use ureq::http::Response;
use ureq::tls::{RootCerts, TlsConfig, TlsProvider};
use ureq::{Agent, Body, ResponseExt as _, Timeout};

/// Until a connection stands, its TLS among it.
const TO_CONNECT: Duration = Duration::from_secs(10);
/// Until an answer begins. A server that has just started reads its whole folder first.
pub(super) const TO_ANSWER: Duration = Duration::from_secs(60);
/// Between two pieces of an answer.
const BETWEEN_PIECES: Duration = Duration::from_secs(60);
/// Servers that send on to others are followed so often.
const MOST_REDIRECTS: u32 = 5;
/// Bytes of an archive that are fetched: 4 GiB. Event logs shrink to a fortieth when they are packed.
const LARGEST_ARCHIVE: u64 = 4 << 30;
/// Bytes of an error page that are looked at, and signs of it that are told.
const LARGEST_ERROR: u64 = 16 << 10;
const LONGEST_SAID: usize = 200;

/// Whose certificates are trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Those that this machine trusts.
    OfMachine,
    /// Anybody's.
    Any,
}

/// A History Server that can be asked.
#[derive(Debug)]
pub struct Server {
    address: Address,
    agent: Agent,
    /// How a failure names the proxy in between: empty where there is none.
    through: String,
}

impl Server {
    /// Prepares to ask the server of an address; nothing is sent yet. `variable` is the environment, which may name
    /// a proxy.
    ///
    /// # Errors
    /// Where the environment names a proxy that cannot be used.
    pub fn new(
        address: &Address,
        trust: Trust,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, HistoryError> {
        let proxy = proxy_for(&address.base, variable)?;
        let through = proxy
            .as_ref()
            .map_or_else(String::new, |(proxy, variable)| {
                format!(
                    "; it was asked through the proxy {} of {variable}: NO_PROXY={} goes without",
                    proxy.host(),
                    host_of(&address.base)
                )
            });
        let tls = TlsConfig::builder()
            .provider(TlsProvider::Rustls)
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .root_certs(RootCerts::PlatformVerifier)
            .disable_verification(trust == Trust::Any)
            .build();
        let agent = Agent::config_builder()
            .tls_config(tls)
            .proxy(proxy.map(|(proxy, _)| proxy))
            .http_status_as_error(false)
            // They are followed here, so that it can be told who answered.
            .max_redirects(0)
            .timeout_resolve(Some(TO_CONNECT))
            .timeout_connect(Some(TO_CONNECT))
            .timeout_per_read(Some(BETWEEN_PIECES))
            .user_agent(concat!("causedby/", env!("CARGO_PKG_VERSION")))
            .build()
            .new_agent();
        Ok(Self {
            address: address.clone(),
            agent,
            through,
        })
    }

    /// The server as messages name it.
    pub fn name(&self) -> String {
        self.address.to_string()
    }

    /// Begins to fetch the event logs of a run, of all its attempts where it names none: the archive that the
    /// server packs them into, while it arrives.
    ///
    /// # Errors
    /// Where the server cannot be asked, does not know the run, or answers with something else than an archive.
    pub fn logs(&self, run: &RunId) -> Result<Box<dyn Read + Send>, HistoryError> {
        const WANTED: &str = "an archive of event logs";
        let answer = self.get(&format!("{}/logs", run.path()), TO_ANSWER)?;
        match answer.status().as_u16() {
            200 => {}
            404 => {
                return Err(HistoryError::UnknownRun {
                    server: self.name_of(&answered_by(&answer)),
                    run: run.to_string(),
                    said: said(answer),
                });
            }
            _ => return Err(self.refused(answer)),
        }
        let from = answered_by(&answer);
        if answer
            .body()
            .content_length()
            .is_some_and(|n| n > LARGEST_ARCHIVE)
        {
            return Err(HistoryError::Unexpected {
                server: from,
                what: format!("more than {} GiB", LARGEST_ARCHIVE >> 30),
                wanted: WANTED,
                said: String::new(),
            });
        }
        let is_page = is_page(&answer);
        let mut body = answer
            .into_body()
            .into_with_config()
            // Told in better words below.
            .limit(u64::MAX)
            .reader();
        let mut head = Vec::new();
        let mark = (&mut body).take(4).read_to_end(&mut head);
        mark.map_err(|error| self.broke_off(ureq::Error::from(error), BETWEEN_PIECES, &from))?;
        // A zip begins with a file, or with its end where it holds none.
        if !matches!(&*head, b"PK\x03\x04" | b"PK\x05\x06") {
            return Err(HistoryError::Unexpected {
                server: from,
                what: what_else(is_page).to_owned(),
                wanted: WANTED,
                said: String::new(),
            });
        }
        let body = Paced::new(body, LARGEST_ARCHIVE);
        Ok(Box::new(io::Cursor::new(head).chain(body)))
    }

    /// Asks for a part of the server's interface; any status is an answer.
    pub(super) fn get(
        &self,
        path: &str,
        patience: Duration,
    ) -> Result<Response<Body>, HistoryError> {
        let home = origin(&self.address.base);
        let mut url = format!("{}{path}", self.address.base);
        for _ in 0..=MOST_REDIRECTS {
            let mut request = self
                .agent
                .get(&url)
                .config()
                .timeout_recv_response(Some(patience))
                .build();
            // Whoever it sends on to is not told the password.
            if let Some(login) = self.address.login.as_ref().filter(|_| origin(&url) == home) {
                let login = base64::engine::general_purpose::STANDARD.encode(login);
                request = request.header("Authorization", format!("Basic {login}"));
            }
            let answer = request
                .call()
                .map_err(|error| self.broke_off(error, patience, &url))?;
            if !answer.status().is_redirection() {
                return Ok(answer);
            }
            let location = answer.headers().get("location");
            let Some(location) = location.and_then(|value| value.to_str().ok()) else {
                return Ok(answer);
            };
            url = next(&url, location).ok_or_else(|| HistoryError::SentOn {
                server: self.name_of(&url),
                to: format!("what is no address of HTTP ({location})"),
            })?;
        }
        Err(HistoryError::SentOn {
            server: self.name(),
            to: format!(
                "another address more than {MOST_REDIRECTS} times, at last to {}",
                origin(&url)
            ),
        })
    }

    /// The server as messages name it, and where it sends on to, where that is another one.
    pub(super) fn name_of(&self, asked: &str) -> String {
        let (asked, name) = (origin(asked), self.name());
        if asked == origin(&self.address.base) {
            name
        } else {
            format!("{asked} (where {name} sends on to)")
        }
    }

    /// The JSON of an answer of at most that many bytes.
    pub(super) fn json<T: serde::de::DeserializeOwned>(
        &self,
        answer: Response<Body>,
        most: u64,
        wanted: &'static str,
    ) -> Result<T, HistoryError> {
        let (from, is_page) = (answered_by(&answer), is_page(&answer));
        let bytes = answer
            .into_body()
            .into_with_config()
            .limit(most)
            .read_to_vec();
        let bytes = bytes.map_err(|error| self.broke_off(error, BETWEEN_PIECES, &from))?;
        serde_json::from_slice(&bytes).map_err(|_| HistoryError::Unexpected {
            server: from,
            what: what_else(is_page).to_owned(),
            wanted,
            said: String::new(),
        })
    }

    /// What an answer that is no success means.
    pub(super) fn refused(&self, answer: Response<Body>) -> HistoryError {
        let from = answered_by(&answer);
        let is_elsewhere = origin(&from) != origin(&self.address.base);
        let (server, status) = (self.name_of(&from), answer.status().as_u16());
        let asks = |way: &str| {
            let ways = answer.headers().get_all("www-authenticate").iter();
            ways.filter_map(|v| v.to_str().ok())
                .any(|v| v.to_ascii_lowercase().starts_with(way))
        };
        match status {
            401 | 403 | 407 => {
                let hint = if asks("negotiate") {
                    format!(
                        " by Kerberos, which causedby does not speak: fetch the archive with \
                         `curl --negotiate -u : -fo logs.zip {from}/api/v1/applications/ID/logs` and open that"
                    )
                } else if is_elsewhere && self.address.login.is_some() {
                    format!(
                        ", and was not given the user and password of {}: open its own address",
                        self.name()
                    )
                } else if self.address.login.is_some() {
                    ", and does not accept that user and password".to_owned()
                } else {
                    ": put them in front of the address's host, as USER:PASSWORD@, or fetch the archive with a browser \
                     (Download in the list of applications) and open that"
                        .to_owned()
                };
                HistoryError::SignIn {
                    server,
                    status,
                    hint,
                }
            }
            _ => HistoryError::Failed {
                server,
                status,
                said: said(answer),
            },
        }
    }

    /// Why no answer came from `asked`, or not all of it.
    fn broke_off(&self, error: ureq::Error, patience: Duration, asked: &str) -> HistoryError {
        let (server, through) = (self.name_of(asked), self.through.clone());
        let unreachable = |reason: String| HistoryError::Unreachable {
            server: server.clone(),
            reason,
            through: through.clone(),
        };
        let reason = match error {
            ureq::Error::Timeout(timeout) => {
                let (patience, during) = match timeout {
                    Timeout::Resolve => (TO_CONNECT, " to be found by its name"),
                    Timeout::Connect => (TO_CONNECT, " to be reached"),
                    Timeout::RecvResponse => (patience, " to begin an answer"),
                    _ => (BETWEEN_PIECES, " to go on with an answer"),
                };
                return HistoryError::TimedOut {
                    server,
                    patience,
                    during,
                    through,
                };
            }
            ureq::Error::HostNotFound => {
                format!(
                    "no machine is known by the name {}",
                    host_of(&origin(asked))
                )
            }
            ureq::Error::ConnectProxyFailed(reason) => reason,
            ureq::Error::BodyExceedsLimit(most) => {
                format!("its answer is longer than {} MiB", most >> 20)
            }
            ureq::Error::Protocol(error) => format!("what it says is no HTTP: {error}"),
            ureq::Error::Rustls(error) => return self.tls(&error, asked),
            ureq::Error::Io(error) => {
                let inner = error.get_ref();
                if let Some(tls) = inner.and_then(|e| e.downcast_ref::<rustls::Error>()) {
                    return self.tls(tls, asked);
                }
                match error.kind() {
                    io::ErrorKind::ConnectionRefused => {
                        "nothing listens there (connection refused)".to_owned()
                    }
                    io::ErrorKind::UnexpectedEof => "it closed the connection".to_owned(),
                    _ => error.to_string(),
                }
            }
            other => other.to_string(),
        };
        unreachable(reason)
    }

    /// What a failure of TLS means.
    fn tls(&self, error: &rustls::Error, asked: &str) -> HistoryError {
        match error {
            rustls::Error::InvalidCertificate(why) => HistoryError::Untrusted {
                server: self.name_of(asked),
                reason: match why {
                    rustls::CertificateError::UnknownIssuer => {
                        "nobody whom this machine trusts signed it".to_owned()
                    }
                    other => other.to_string(),
                },
            },
            rustls::Error::InvalidMessage(_) => HistoryError::Unreachable {
                server: self.name_of(asked),
                reason: "what it says is no TLS; is it http:// in place of https://?".to_owned(),
                through: self.through.clone(),
            },
            other => HistoryError::Unreachable {
                server: self.name_of(asked),
                reason: format!("no secure connection: {other}"),
                through: self.through.clone(),
            },
        }
    }
}

/// What came where something else was wanted.
fn what_else(is_page: bool) -> &'static str {
    if is_page {
        "a web page (a sign-in, perhaps)"
    } else {
        "something else"
    }
}

/// Scheme, host and port of who answered in the end, without user, password and what was asked.
pub(super) fn answered_by(answer: &Response<Body>) -> String {
    let uri = answer.get_uri();
    let host = uri.authority().map_or("", |a| a.as_str());
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    format!("{}://{host}", uri.scheme_str().unwrap_or("http"))
}

fn is_page(answer: &Response<Body>) -> bool {
    answer
        .body()
        .mime_type()
        .is_some_and(|mime| mime.contains("html"))
}

/// What an error page says in one line, for a message: `: no such app`; empty where it says nothing.
pub(super) fn said(answer: Response<Body>) -> String {
    let mut bytes = Vec::new();
    // What cannot be read says nothing.
    let _ = answer
        .into_body()
        .into_with_config()
        .limit(u64::MAX)
        .reader()
        .take(LARGEST_ERROR)
        .read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    let title = text
        .split_once("<title>")
        .and_then(|(_, rest)| rest.split_once("</title>"))
        .map(|(title, _)| title);
    let line = title.or_else(|| {
        let mut lines = text.lines().map(str::trim);
        lines.find(|line| !line.is_empty() && !line.starts_with('<'))
    });
    let line = line.unwrap_or_default().trim();
    let cut: String = line.chars().take(LONGEST_SAID).collect();
    let dots = if cut.len() < line.len() { "…" } else { "" };
    if cut.is_empty() {
        String::new()
    } else {
        format!(": {cut}{dots}")
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use std::net::TcpListener;

    fn server(address: &str) -> Server {
        let address = Address::parse(address).unwrap();
        Server::new(&address, Trust::OfMachine, |_| None).unwrap()
    }

    #[test]
    fn a_server_that_says_nothing_is_waited_for_no_longer_than_it_may_take() {
        // The kernel accepts for it; nobody ever answers.
        let silent = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://127.0.0.1:{}", silent.local_addr().unwrap().port());
        let error = server(&address)
            .get("/", Duration::from_secs(1))
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("{address} took longer than 1 s to begin an answer")
        );
    }

    #[test]
    fn the_names_of_machines_that_are_not_there_are_told() {
        let error = server("http://no-such-host.invalid")
            .get("/", TO_ANSWER)
            .unwrap_err();
        let told = error.to_string();
        assert!(
            told.starts_with("http://no-such-host.invalid does not answer: "),
            "{told}"
        );
    }
}
