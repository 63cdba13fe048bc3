//! Hosts and buckets from which sources may be fetched.

use std::net::IpAddr;

/// Names that were allowed. Without any nothing may be fetched.
#[derive(Clone, Debug, Default)]
pub struct AllowList {
    names: Vec<String>,
}

impl AllowList {
    /// These names: hosts such as `modules.example.com`, also with a port; `*.example.com` for all hosts
    /// below one; buckets, also as `s3://bucket`.
    pub fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> AllowList {
        let name = |name: &str| {
            let name = name.strip_prefix("https://").or_else(|| name.strip_prefix("s3://")).unwrap_or(name);
            name.trim_end_matches('/').to_ascii_lowercase()
        };
        AllowList { names: names.into_iter().map(name).collect() }
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Whether a host or bucket was named. `port` is that of the address, if it contains one.
    pub fn allows(&self, authority: &str, port: Option<u16>) -> bool {
        let authority = authority.to_ascii_lowercase();
        self.names.iter().any(|name| {
            if let Some(below) = name.strip_prefix("*.") {
                // An address has no hosts below it: `*.0.0.1` does not allow 127.0.0.1.
                let rest = authority.strip_suffix(below).filter(|_| !is_address(&authority));
                return rest.is_some_and(|rest| rest.ends_with('.') && rest.len() > 1);
            }
            match port {
                Some(port) => *name == authority || *name == format!("{authority}:{port}"),
                None => *name == authority,
            }
        })
    }
}

/// Whether a host is written as an IP address.
pub(crate) fn is_address(host: &str) -> bool {
    host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_whole() {
        let list = AllowList::new(["Example.com", "*.parts.example", "s3://bucket", "localhost:8443", "*.0.0.1"]);
        for (authority, port) in [
            ("example.com", None),
            ("EXAMPLE.COM", None),
            ("a.parts.example", None),
            ("bucket", None),
            ("localhost", Some(8443)),
        ] {
            assert!(list.allows(authority, port), "{authority}");
        }
        for (authority, port) in [
            ("a.example.com", None),
            ("example.com.evil", None),
            ("parts.example", None),
            ("evilparts.example", None),
            ("localhost", Some(80)),
            ("localhost", None),
            ("127.0.0.1", None),
        ] {
            assert!(!list.allows(authority, port), "{authority}");
        }
        assert!(!AllowList::default().allows("example.com", None));
    }
}
