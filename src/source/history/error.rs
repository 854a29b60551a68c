//! In: what went wrong between here and a History Server. Out: [`HistoryError`]: what, and what to do about it.

use std::time::Duration;

/// Why nothing came of an address. Every message says what to do, and none holds a password.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The text is no address.
    #[error("`{}` is no address of a server; one looks like http://history.example:18080", without_login(.0))]
    NoAddress(String),
    /// The settings of proxies cannot be used.
    #[error("{variable} names no proxy that can be used; one looks like http://proxy.example:3128")]
    Proxy {
        /// The environment's variable.
        variable: String,
    },
    /// Nothing answers there.
    #[error("{server} does not answer: {reason}{through}")]
    Unreachable {
        /// The server.
        server: String,
        /// What failed, in words.
        reason: String,
        /// By which proxy, and how to go without; or nothing.
        through: String,
    },
    /// It sends on, and that leads nowhere.
    #[error("{server} sends on to {to}; is that the address of the History Server itself?")]
    SentOn {
        /// The server.
        server: String,
        /// Where to.
        to: String,
    },
    /// It took too long.
    #[error("{server} took longer than {} s{during}{through}", .patience.as_secs())]
    TimedOut {
        /// The server.
        server: String,
        /// How long was waited.
        patience: Duration,
        /// What it was busy with.
        during: &'static str,
        /// As above.
        through: String,
    },
    /// Its certificate is not one that this machine trusts.
    #[error(
        "the certificate of {server} is not trusted: {reason}; where it is your company's own, \
         SSL_CERT_FILE=ca.pem names who signed it, and --insecure accepts any"
    )]
    Untrusted {
        /// The server.
        server: String,
        /// What is wrong with the certificate.
        reason: String,
    },
    /// It wants to know who asks.
    #[error("{server} wants a sign-in ({status}){hint}")]
    SignIn {
        /// The server.
        server: String,
        /// 401, 403 or 407.
        status: u16,
        /// In which way it can be had.
        hint: String,
    },
    /// There is a server, but no History Server under that address.
    #[error(
        "there is no History Server at {server} ({status} for its list of applications{said}); \
         check host, port and path: Spark's own listens on port 18080"
    )]
    NoHistoryServer {
        /// The server.
        server: String,
        /// What it answered.
        status: u16,
        /// What it said, or nothing.
        said: String,
    },
    /// It does not know that application.
    #[error(
        "{server} knows no application {run}{said}; `causedby {server}` lists those it knows. A run is there where it had \
         spark.eventLog.enabled, wrote into the folder that the server reads, and was not cleaned up"
    )]
    UnknownRun {
        /// The server.
        server: String,
        /// The application as asked for.
        run: String,
        /// What it said, or nothing.
        said: String,
    },
    /// It failed.
    #[error("{server} answered {status}{said}; its own log tells why")]
    Failed {
        /// The server.
        server: String,
        /// The status.
        status: u16,
        /// What it said, or nothing.
        said: String,
    },
    /// It answered, but with something else.
    #[error("{server} answered with {what} in place of {wanted}{said}")]
    Unexpected {
        /// The server, or where it led to.
        server: String,
        /// What came.
        what: String,
        /// What was asked for.
        wanted: &'static str,
        /// What it said, or a hint; or nothing.
        said: String,
    },
}

/// An address as it may be shown.
fn without_login(text: &str) -> String {
    match (text.split_once("://"), text.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        _ => text.to_owned(),
    }
}
