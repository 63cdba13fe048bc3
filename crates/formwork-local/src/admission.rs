//! Decides which requests a local server answers (reference/local.md#visitors).
//!
//! Every web page that a browser shows can send requests to loopback, and a name that a page's author controls can
//! resolve to it. So a server accepts only hosts and pages that are local or listed on the command line.

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use hyper::http::uri::{Authority, Uri};
use hyper::{HeaderMap, Request};

/// Maximum number of refused hosts and pages that are reported: a page can invent names.
const MOST_REPORTED: usize = 32;

#[derive(Debug, Default)]
pub(crate) struct Admission {
    /// Names and addresses of the command line, in lower case and without brackets.
    hosts: Vec<String>,
    reported: Mutex<HashSet<String>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Refusal {
    /// The foreign host or page, such as `Host evil.example`.
    what: String,
    /// The value of `--allowed-host` that would admit the request; `None` when no value does.
    host: Option<String>,
}

impl Refusal {
    fn sentence(&self) -> String {
        let Refusal { what, host } = self;
        match host {
            Some(host) => format!("the request is refused: {what} is foreign; `--allowed-host {host}` admits it"),
            None => format!("the request is refused: {what} is foreign"),
        }
    }
}

impl Admission {
    /// Admits loopback, `localhost` and these hosts: names or addresses without port.
    pub(crate) fn new(hosts: &[String]) -> Admission {
        let hosts = hosts.iter().map(|host| bare(host).to_ascii_lowercase()).collect();
        Admission { hosts, reported: Mutex::default() }
    }

    /// Returns the sentence with which a request is refused; `report` receives it the first time for each host and
    /// page. `origins` are the pages that the API itself admits by their full origin.
    pub(crate) fn refused<B>(
        &self,
        request: &Request<B>,
        origins: &[String],
        report: impl FnOnce(&str),
    ) -> Option<String> {
        let refusal = self.refusal(request.headers(), request.uri(), origins)?;
        let sentence = refusal.sentence();
        if self.is_reported(&refusal) {
            report(&sentence);
        }
        Some(sentence)
    }

    fn refusal(&self, headers: &HeaderMap, uri: &Uri, origins: &[String]) -> Option<Refusal> {
        self.foreign_host(headers, uri).or_else(|| self.foreign_page(headers, origins))
    }

    /// Returns `true` the first time for each refusal, up to [`MOST_REPORTED`].
    fn is_reported(&self, refusal: &Refusal) -> bool {
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        reported.len() < MOST_REPORTED && reported.insert(refusal.what.clone())
    }

    /// Returns the refusal of a foreign host. A request of HTTP/1.0 may have no host: no browser sends it.
    fn foreign_host(&self, headers: &HeaderMap, uri: &Uri) -> Option<Refusal> {
        let of_headers = headers.get_all("host").iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
        let of_uri = uri.authority().map(|authority| authority.as_str().into());
        of_headers.chain(of_uri).find_map(|text| {
            let host = host_of(&text);
            let is_admitted = host.as_deref().is_some_and(|host| is_local(host) || self.names(host));
            (!is_admitted).then(|| Refusal { what: format!("Host {}", text.escape_debug()), host })
        })
    }

    fn foreign_page(&self, headers: &HeaderMap, origins: &[String]) -> Option<Refusal> {
        // A page in these headers is always of another site.
        let (mut is_named, mut page) = (false, None);
        for value in headers.get_all("origin") {
            let text = String::from_utf8_lossy(value.as_bytes());
            // Every page in a sandbox, and every file, has the origin `null`: no option admits all of them.
            let uri = text.parse::<Uri>().ok().filter(|_| text != "null");
            let host = uri.and_then(|uri| host_of(uri.authority()?.as_str()));
            let names = |host: &str| self.names(host);
            is_named =
                origins.iter().any(|origin| *origin == text && text != "*") || host.as_deref().is_some_and(names);
            if !is_named && !host.as_deref().is_some_and(is_local) {
                return Some(Refusal { what: format!("Origin {}", text.escape_debug()), host });
            }
            page = host;
        }
        let is_cross_site =
            headers.get_all("sec-fetch-site").iter().any(|value| value.as_bytes().eq_ignore_ascii_case(b"cross-site"));
        let what = || "a page of another site (Sec-Fetch-Site: cross-site)".to_owned();
        (is_cross_site && !is_named).then(|| Refusal { what: what(), host: page })
    }

    fn names(&self, host: &str) -> bool {
        self.hosts.iter().any(|known| known == host)
    }
}

/// `true` for a request of a browser. The Runtime API has no pages: its callers are local processes.
pub(crate) fn is_of_browser(headers: &HeaderMap) -> bool {
    let is_foreign = |value: &hyper::header::HeaderValue| {
        let host = host_of(&String::from_utf8_lossy(value.as_bytes()));
        !host.is_some_and(|host| is_local(&host))
    };
    headers.contains_key("origin")
        || headers.contains_key("sec-fetch-site")
        || headers.get_all("host").iter().any(is_foreign)
}

/// Returns the host of `HOST` or `HOST:PORT`, in lower case and without brackets.
fn host_of(text: &str) -> Option<String> {
    let authority = text.parse::<Authority>().ok().filter(|_| !text.contains('@'))?;
    let host = bare(authority.host()).to_ascii_lowercase();
    (!host.is_empty()).then_some(host)
}

fn bare(host: &str) -> &str {
    host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host)
}

fn is_local(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(all: &[(&'static str, &'static str)]) -> HeaderMap {
        all.iter().map(|(name, value)| (name.parse().expect("a name"), value.parse().expect("a value"))).collect()
    }

    fn refusal(hosts: &[&str], all: &[(&'static str, &'static str)]) -> Option<String> {
        let hosts: Vec<String> = hosts.iter().map(|host| (*host).to_owned()).collect();
        let origins = ["https://app.test".to_owned(), "*".to_owned()];
        let refusal = Admission::new(&hosts).refusal(&headers(all), &Uri::from_static("/"), &origins)?;
        Some(format!("{} {}", refusal.what, refusal.host.unwrap_or_default()))
    }

    #[test]
    fn hosts_that_are_not_local_are_refused() {
        for host in ["localhost", "LOCALHOST:3000", "127.0.0.1:1", "127.9.9.9", "[::1]:3000", "[::ffff:127.0.0.1]"] {
            assert_eq!(refusal(&[], &[("host", host)]), None, "{host}");
        }
        for host in [
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "localhost.",
            "evil-localhost",
            "127.0.0.1@evil.example",
            "localhost@evil.example:1",
            "0.0.0.0:3000",
            "[::]",
            "192.168.1.5",
            "",
        ] {
            assert!(refusal(&[], &[("host", host)]).is_some(), "{host}");
        }
        assert!(refusal(&[], &[("host", "localhost"), ("host", "evil.example")]).is_some());
        for (named, host) in
            [("Dev.Test", "dev.test:3000"), ("0.0.0.0", "0.0.0.0"), ("::", "[::]:1"), ("[fe80::1]", "[fe80::1]")]
        {
            assert_eq!(refusal(&[named], &[("host", host)]), None, "{host}");
        }
        assert!(refusal(&["dev.test"], &[("host", "x.dev.test")]).is_some());
        let absolute = Uri::from_static("http://evil.example/");
        assert!(Admission::default().refusal(&headers(&[("host", "localhost")]), &absolute, &[]).is_some());
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        let page =
            |origin, site| refusal(&[], &[("host", "localhost:3000"), ("origin", origin), ("sec-fetch-site", site)]);
        assert_eq!(page("http://localhost:5173", "same-site"), None);
        assert_eq!(page("http://127.0.0.1:3000", "same-origin"), None);
        assert_eq!(page("https://app.test", "cross-site"), None, "the API names this origin");
        let foreign = [
            "https://evil.example",
            "null",
            "",
            "https://app.test.evil.example",
            "https://app.test:444",
            "http://app.test",
            "*",
            "http://localhost.evil.example:3000",
            "http://localhost@evil.example",
        ];
        for origin in foreign {
            assert!(page(origin, "same-origin").is_some(), "{origin}");
        }
        let cross = "a page of another site (Sec-Fetch-Site: cross-site) localhost";
        assert_eq!(page("http://localhost:5173", "cross-site").as_deref(), Some(cross));
        assert!(refusal(&[], &[("host", "localhost"), ("sec-fetch-site", "Cross-Site")]).is_some());
        for site in ["none", "same-origin", "same-site"] {
            assert_eq!(refusal(&[], &[("host", "localhost"), ("sec-fetch-site", site)]), None);
        }
        let named = [("host", "localhost"), ("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")];
        assert_eq!(refusal(&["evil.example"], &named), None);
        let nobody = [("host", "localhost"), ("origin", "null")];
        assert_eq!(refusal(&["null"], &nobody).as_deref(), Some("Origin null "), "no option admits it");
    }

    #[test]
    fn a_page_is_reported_once_and_names_are_counted() {
        let admission = Admission::default();
        let refusal = |name: usize| Refusal { what: format!("Host {name}"), host: None };
        assert!(admission.is_reported(&refusal(1)) && !admission.is_reported(&refusal(1)));
        assert_eq!((0..1_000).filter(|name| admission.is_reported(&refusal(*name))).count(), MOST_REPORTED - 1);
    }

    #[test]
    fn browsers_are_not_callers_of_the_runtime_api() {
        assert!(
            !is_of_browser(&headers(&[("host", "127.0.0.1:9001"), ("sec-fetch-mode", "cors")])),
            "fetch of Node.js"
        );
        for header in [("origin", "http://localhost"), ("sec-fetch-site", "none"), ("host", "evil.example")] {
            assert!(is_of_browser(&headers(&[header])), "{header:?}");
        }
    }
}
