//! In: the environment and an address. Out: the proxy that stands between, by the conventions of curl.

use super::error::HistoryError;
use ureq::Proxy;

/// The proxy for `base`, with the variable that names it; `None` where it is reached directly.
///
/// # Errors
/// Where a variable holds no proxy that can be used: going around it could be against the person's will.
pub(super) fn proxy_for(
    base: &str,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<(Proxy, String)>, HistoryError> {
    let of_scheme = if base.starts_with("https:") {
        ["https_proxy", "HTTPS_PROXY"]
    } else {
        ["http_proxy", "HTTP_PROXY"]
    };
    let set = |name: &&str| variable(name).filter(|value| !value.trim().is_empty());
    let named = (of_scheme.iter().chain(&["all_proxy", "ALL_PROXY"]))
        .find_map(|name| Some((*name, set(name)?)));
    let Some((name, value)) = named else {
        return Ok(None);
    };
    let excepted = ["no_proxy", "NO_PROXY"].iter().find_map(set);
    if excepted.is_some_and(|list| is_excepted(host_of(base), &list)) {
        return Ok(None);
    }
    let proxy = Proxy::new(value.trim()).map_err(|_| HistoryError::Proxy {
        variable: name.to_owned(),
    })?;
    Ok(Some((proxy, name.to_owned())))
}

/// The host of an address that has passed [`Address::parse`](super::Address::parse).
pub(super) fn host_of(base: &str) -> &str {
    let rest = base.split_once("://").map_or(base, |(_, rest)| rest);
    let authority = rest.split('/').next().unwrap_or(rest);
    match authority.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or(v6),
        None => authority.split(':').next().unwrap_or(authority),
    }
}

/// Whether the host is on a list such as `localhost,.example.com,10.1.2.3`. A name stands for the hosts below it, too.
fn is_excepted(host: &str, list: &str) -> bool {
    let host = host.to_ascii_lowercase();
    list.split([',', ' ']).any(|entry| {
        let entry = entry.trim().to_ascii_lowercase();
        let name = entry.trim_start_matches('*').trim_start_matches('.');
        match (entry.as_str(), name) {
            ("*", _) => true,
            (_, "") => false,
            (_, name) => host
                .strip_suffix(name)
                .is_some_and(|below| below.is_empty() || below.ends_with('.')),
        }
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn of(base: &str, variables: &[(&str, &str)]) -> Option<String> {
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        proxy_for(base, variable)
            .unwrap()
            .map(|(proxy, name)| format!("{name} {}", proxy.host()))
    }

    #[test]
    fn a_proxy_is_chosen_by_scheme_and_left_out_by_host() {
        let all = [
            ("HTTP_PROXY", "http://plain:3128"),
            ("https_proxy", "http://secure:3128"),
            ("NO_PROXY", "localhost, .corp.example,10.0.0.7"),
        ];
        assert_eq!(of("http://h.org:18080", &all).unwrap(), "HTTP_PROXY plain");
        assert_eq!(of("https://h.org/x", &all).unwrap(), "https_proxy secure");
        for direct in [
            "http://a.corp.example:80",
            "https://10.0.0.7",
            "http://LOCALHOST:1",
        ] {
            assert_eq!(of(direct, &all), None, "{direct}");
        }
        assert!(of("http://mycorp.example", &all).is_some());
        assert_eq!(of("http://h", &[("HTTP_PROXY", "")]), None);
        assert_eq!(
            of("http://h", &[("ALL_PROXY", "http://p"), ("no_proxy", "*")]),
            None
        );
        assert_eq!(
            of(
                "http://[::1]:80",
                &[("ALL_PROXY", "http://p"), ("no_proxy", "::1")]
            ),
            None
        );
    }

    #[test]
    fn a_proxy_that_is_none_is_an_error_and_not_passed_by() {
        let error = proxy_for("http://h", |_| Some("ftp://x:y".to_owned())).unwrap_err();
        assert!(error.to_string().contains("http_proxy"), "{error}");
    }
}
