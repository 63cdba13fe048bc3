//! Parses `WWW-Authenticate`, the authentication that a registry requests.

/// The authentication that a registry requests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Challenge {
    Basic,
    /// A token of another service.
    /// A token of another service.
    Bearer {
        realm: String,
        service: Option<String>,
    },
}

impl Challenge {
    /// Returns the challenge of some headers that can be answered; a token is preferred.
    pub(crate) fn of<'h>(headers: impl IntoIterator<Item = &'h str>) -> Option<Challenge> {
        let mut basic = None;
        for header in headers {
            let (scheme, rest) = header.trim().split_once(' ').unwrap_or((header.trim(), ""));
            if scheme.eq_ignore_ascii_case("bearer") {
                let parameters = parameters(rest);
                let get = |name: &str| parameters.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
                if let Some((_, realm)) = get("realm") {
                    let service = get("service").map(|(_, service)| service.clone());
                    return Some(Challenge::Bearer { realm: realm.clone(), service });
                }
            } else if scheme.eq_ignore_ascii_case("basic") {
                basic = Some(Challenge::Basic);
            }
        }
        basic
    }
}

/// Parses `NAME="VALUE"`, separated by commas; a quoted value may have commas.
fn parameters(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((name, value)) = rest.split_once('=') {
        let name = name.trim_matches([' ', ',', '\t']).to_owned();
        let (value, after) = match value.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => value.split_once(',').unwrap_or((value, "")),
        };
        found.push((name, value.trim().to_owned()));
        rest = after;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers() {
        let bearer = |realm: &str, service: Option<&str>| {
            Some(Challenge::Bearer { realm: realm.to_owned(), service: service.map(str::to_owned) })
        };
        let text =
            r#"Bearer realm="https://auth.example/token?a=b",service="r.example",scope="repository:a:pull,push""#;
        assert_eq!(Challenge::of([text]), bearer("https://auth.example/token?a=b", Some("r.example")));
        assert_eq!(Challenge::of(["bearer realm=https://a"]), bearer("https://a", None));
        assert_eq!(Challenge::of([r#"Basic realm="x, y""#]), Some(Challenge::Basic));
        assert_eq!(Challenge::of(["Basic realm=x", r#"Bearer realm="https://a""#]), bearer("https://a", None));
        assert_eq!(Challenge::of(["Negotiate", "Bearer service=\"x\""]), None);
    }
}
