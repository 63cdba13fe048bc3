//! Hosts and buckets from which sources may be fetched.

use crate::address::Address;
use crate::guard::address;

/// The allowed hosts and buckets. An empty list allows nothing.
#[derive(Clone, Debug, Default)]
pub struct AllowList {
    names: Vec<Name>,
}

/// An allowed name, in lowercase.
#[derive(Clone, Debug)]
struct Name {
    text: String,
    /// Set for a host. A name without a scheme may be a host and a bucket.
    is_host: bool,
    is_bucket: bool,
}

impl AllowList {
    /// Parses names: hosts such as `modules.example.com`, also with a port; `*.example.com` for all hosts below one;
    /// buckets. The prefixes `https://` and `s3://` select one kind.
    pub fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> AllowList {
        let name = |name: &str| {
            let (https, s3) = (name.strip_prefix("https://"), name.strip_prefix("s3://"));
            let text = https.or(s3).unwrap_or(name).trim_end_matches('/').to_ascii_lowercase();
            Name { text, is_host: s3.is_none(), is_bucket: https.is_none() }
        };
        AllowList { names: names.into_iter().map(name).collect() }
    }

    /// Returns `true` if nothing is allowed.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns `true` if the host or bucket of an address is allowed.
    pub(crate) fn allows(&self, address: &Address) -> bool {
        match address {
            Address::Https(url) => self.allows_host(url.host_str().unwrap_or_default(), url.port()),
            Address::S3 { bucket, .. } => {
                self.names.iter().any(|name| name.is_bucket && name.text.eq_ignore_ascii_case(bucket))
            }
        }
    }

    /// Returns `true` if a host is allowed. `port` is that of the address, if it contains one.
    pub(crate) fn allows_host(&self, host: &str, port: Option<u16>) -> bool {
        let host = host.to_ascii_lowercase();
        self.names.iter().filter(|name| name.is_host).any(|Name { text, .. }| {
            if let Some(below) = text.strip_prefix("*.") {
                // An address has no hosts below it: `*.0.0.1` does not allow 127.0.0.1.
                let rest = host.strip_suffix(below).filter(|_| !below.is_empty() && address(&host).is_none());
                return rest.is_some_and(|rest| rest.ends_with('.') && rest.len() > 1);
            }
            match port {
                Some(port) => *text == host || *text == format!("{host}:{port}"),
                None => *text == host,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_whole() {
        let list = AllowList::new(["Example.com", "*.parts.example", "localhost:8443", "*.0.0.1", "*."]);
        for (host, port) in
            [("example.com", None), ("EXAMPLE.COM", None), ("a.parts.example", None), ("localhost", Some(8443))]
        {
            assert!(list.allows_host(host, port), "{host}");
        }
        for (host, port) in [
            ("a.example.com", None),
            ("example.com.evil", None),
            ("example.com.", None),
            ("parts.example", None),
            ("evilparts.example", None),
            ("a.parts.example.evil", None),
            ("localhost", Some(80)),
            ("localhost", None),
            ("127.0.0.1", None),
        ] {
            assert!(!list.allows_host(host, port), "{host}");
        }
        assert!(!AllowList::default().allows_host("example.com", None));
    }

    #[test]
    fn a_scheme_says_whether_it_is_a_host_or_a_bucket() {
        let list = AllowList::new(["s3://bucket.example", "https://host.example/", "either.example"]);
        for (address, is_allowed) in [
            ("s3://bucket.example/k", true),
            ("https://bucket.example/k", false),
            ("https://host.example/k", true),
            ("s3://host.example/k", false),
            ("s3://either.example/k", true),
            ("https://either.example/k", true),
            ("s3://host.example.bucket.example/k", false),
        ] {
            assert_eq!(list.allows(&Address::parse(address).expect(address)), is_allowed, "{address}");
        }
    }
}
