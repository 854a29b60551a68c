//! In: who was asked, and where the answer sends on to. Out: the address to ask next.

/// Scheme, host and port of an address, without user, password and what was asked.
pub(super) fn origin(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let host = authority.rsplit_once('@').map_or(authority, |(_, h)| h);
    format!("{scheme}://{host}").to_ascii_lowercase()
}

/// Where a `Location` of an answer to `asked` leads; `None` where that is no place for HTTP.
pub(super) fn next(asked: &str, location: &str) -> Option<String> {
    let location = location.trim();
    let scheme = asked.split_once("://").map_or("http", |(scheme, _)| scheme);
    if let Some(rest) = location.strip_prefix("//") {
        return Some(format!("{scheme}://{rest}"));
    }
    if let Some(path) = location.strip_prefix('/') {
        return Some(format!("{}/{path}", origin(asked)));
    }
    if let Some((scheme, _)) = location.split_once("://") {
        let known = ["http", "https"]
            .iter()
            .any(|s| scheme.eq_ignore_ascii_case(s));
        return known.then(|| location.to_owned());
    }
    // Beside what was asked for.
    let asked = asked.split(['?', '#']).next().unwrap_or(asked);
    let (folder, _) = asked.rsplit_once('/')?;
    Some(format!("{folder}/{location}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_is_read_from_where_it_was_told() {
        let asked = "http://u:p@a:18080/api/v1/applications?limit=1";
        for (location, leads_to) in [
            ("https://b/x", Some("https://b/x")),
            ("//b/x", Some("http://b/x")),
            ("/x?y=1", Some("http://a:18080/x?y=1")),
            ("x", Some("http://u:p@a:18080/api/v1/x")),
            ("file:///etc/passwd", None),
            ("gopher://b/", None),
        ] {
            assert_eq!(next(asked, location).as_deref(), leads_to, "{location}");
        }
        assert_eq!(origin(asked), "http://a:18080");
        assert_eq!(origin("HTTPS://B?x@y"), "https://b");
    }
}
