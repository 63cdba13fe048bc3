//! Fetches over https: every hop is https, allowed, and public.

use std::io::Read;
use std::net::SocketAddr;

use ureq::http::{Uri, header};
use ureq::unversioned::resolver::{ArrayVec, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, config::Config};
use url::Url;

use crate::agents::{Agents, configuration};
use crate::guard::{LOCALHOST, address, not_public};
use crate::system_resolver::SystemResolver;
use crate::unreachable::TIMEOUT;
use crate::{AllowList, RemoteError, unreachable};

const REDIRECTS: usize = 5;

/// A response to a single request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// The content of the file.
    Body(Vec<u8>),
    /// A redirect: the value of `Location`.
    Moved(String),
}

/// A client that sends single requests, without following redirects.
pub(crate) trait Fetch: Send + Sync {
    /// Requests `url`; at most `limit` bytes of a response are read.
    ///
    /// # Errors
    /// Describes why there is no response.
    fn get(&self, url: &Url, limit: u64) -> Result<Step, RemoteError>;
}

/// Follows the redirects of `url`, and checks each hop.
pub(crate) fn follow(fetch: &dyn Fetch, url: &Url, allow: &AllowList, limit: u64) -> Result<Vec<u8>, RemoteError> {
    let mut url = url.clone();
    for _ in 0..=REDIRECTS {
        check(&url, allow)?;
        let location = match fetch.get(&url, limit)? {
            Step::Body(bytes) => return Ok(bytes),
            Step::Moved(location) => location,
        };
        let next = url.join(&location).map_err(|_| RemoteError::Redirect("it has no address".to_owned()))?;
        if next.scheme() != "https" {
            return Err(RemoteError::Redirect(format!("{}: is not https", next.scheme())));
        }
        if !allow.allows_host(next.host_str().unwrap_or_default(), next.port()) {
            return Err(RemoteError::Redirect(format!("{} is not allowed", next.host_str().unwrap_or_default())));
        }
        url = next;
    }
    Err(RemoteError::Redirect(format!("there are more than {REDIRECTS}")))
}

fn check(url: &Url, allow: &AllowList) -> Result<(), RemoteError> {
    let host = url.host_str().unwrap_or_default();
    if url.scheme() != "https" {
        return Err(RemoteError::Scheme);
    }
    if !allow.allows_host(host, url.port()) {
        return Err(RemoteError::NotAllowed(host.to_owned()));
    }
    Ok(())
}

/// A client for real requests.
#[derive(Debug)]
pub(crate) struct Https {
    allow: AllowList,
    agents: Agents,
}

impl Https {
    /// Creates a client that trusts the authorities of the machine, or those of `AWS_CA_BUNDLE`. Hosts of `allow` that
    /// are an IP address or `localhost` may be on this machine or its network; all others have to be public.
    ///
    /// The proxy of the environment is used. The target is checked, never the proxy, which the user chose. A proxy
    /// resolves names itself, so that behind one only literal IP addresses can be checked.
    pub(crate) fn new(allow: &AllowList) -> Https {
        Https { allow: allow.clone(), agents: Agents::default() }
    }

    /// Rejects a literal address of this machine or its network that is not allowed.
    fn judge(&self, url: &Url) -> Result<(), RemoteError> {
        let host = url.host_str().unwrap_or_default();
        let kind = match address(host) {
            Some(address) => not_public(address),
            None if host == LOCALHOST => Some("a loopback address"),
            None => None,
        };
        match kind {
            Some(kind) if !self.allow.allows_host(host, url.port()) => {
                Err(RemoteError::Private { host: host.to_owned(), kind })
            }
            _ => Ok(()),
        }
    }

    /// What asks for an address, and the name of the proxy on the way.
    fn agent(&self, url: &Url) -> Result<(Agent, Option<String>), RemoteError> {
        let uri: Uri = url.as_str().parse().map_err(|_| RemoteError::Other("it is not a valid address".to_owned()))?;
        self.agents.through(self.agents.proxy(&uri)?, |proxy| {
            let is_straight = proxy.is_none();
            let config = configuration(proxy)?.https_only(true).timeout_global(Some(TIMEOUT)).build();
            let (connector, resolver) = (DefaultConnector::default(), SystemResolver::default());
            Ok(if is_straight {
                Agent::with_parts(config, connector, Guarded { inner: resolver, allow: self.allow.clone() })
            } else {
                // The name of the proxy is all that is looked up here.
                Agent::with_parts(config, connector, resolver)
            })
        })
    }
}

impl Fetch for Https {
    fn get(&self, url: &Url, limit: u64) -> Result<Step, RemoteError> {
        self.judge(url)?;
        let (agent, proxy) = self.agent(url)?;
        let failed = |error| unreachable::words(url, proxy.as_deref(), TIMEOUT, error);
        let response = agent.get(url.as_str()).call().map_err(failed)?;
        let status = response.status();
        if status.is_redirection() {
            let location = response.headers().get(header::LOCATION).and_then(|value| value.to_str().ok());
            return location
                .map(|location| Step::Moved(location.to_owned()))
                .ok_or(RemoteError::Status(status.as_u16()));
        }
        if !status.is_success() {
            return Err(RemoteError::Status(status.as_u16()));
        }
        // An announced length above the limit is rejected.
        if response.body().content_length().is_some_and(|length| length > limit) {
            return Err(RemoteError::TooLarge(limit));
        }
        let mut bytes = Vec::new();
        let mut reader = response.into_body().into_reader().take(limit + 1);
        reader.read_to_end(&mut bytes).map_err(|error| failed(error.into()))?;
        if bytes.len() as u64 > limit { Err(RemoteError::TooLarge(limit)) } else { Ok(Step::Body(bytes)) }
    }
}

/// Resolves names and rejects addresses that are not public. The connection uses the address that was checked, so that
/// a name which changes its address between two look-ups is not a way in.
#[derive(Debug)]
struct Guarded {
    inner: SystemResolver,
    allow: AllowList,
}

impl Resolver for Guarded {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.inner.resolve(uri, config, timeout)?;
        let host = uri.host().unwrap_or_default();
        let is_named = host == LOCALHOST || address(host).is_some();
        if is_named && self.allow.allows_host(host, uri.port_u16()) {
            return Ok(found);
        }
        let mut public: ResolvedSocketAddrs = ArrayVec::from_fn(|_| SocketAddr::from(([0, 0, 0, 0], 0)));
        for address in &found[..] {
            if let Some(kind) = not_public(address.ip()) {
                let refused = RemoteError::Private { host: host.to_owned(), kind };
                return Err(ureq::Error::Other(Box::new(refused)));
            }
            public.push(*address);
        }
        Ok(public)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    use super::*;

    /// A web of pages and redirects.
    #[derive(Default)]
    struct Web {
        steps: BTreeMap<&'static str, Step>,
        asked: Mutex<Vec<String>>,
    }

    impl Fetch for Web {
        fn get(&self, url: &Url, _: u64) -> Result<Step, RemoteError> {
            self.asked.lock().expect("a list").push(url.to_string());
            self.steps.get(url.as_str()).cloned().ok_or(RemoteError::Status(404))
        }
    }

    fn check(steps: &[(&'static str, &'static str)]) -> (Result<Vec<u8>, RemoteError>, usize) {
        let step = |text: &'static str| match text.strip_prefix("-> ") {
            Some(location) => Step::Moved(location.to_owned()),
            None => Step::Body(text.as_bytes().to_vec()),
        };
        let web = Web { steps: steps.iter().map(|(url, text)| (*url, step(text))).collect(), ..Web::default() };
        let url = Url::parse("https://a.example/m").expect("an address");
        let found = follow(&web, &url, &AllowList::new(["a.example", "b.example"]), 100);
        let asked = web.asked.lock().expect("a list").len();
        (found, asked)
    }

    #[test]
    fn redirects_are_followed_where_that_is_allowed() {
        assert_eq!(check(&[("https://a.example/m", "text")]), (Ok(b"text".to_vec()), 1));
        assert_eq!(
            check(&[("https://a.example/m", "-> /n"), ("https://a.example/n", "text")]),
            (Ok(b"text".to_vec()), 2)
        );
        let elsewhere = [("https://a.example/m", "-> https://b.example/m"), ("https://b.example/m", "text")];
        assert_eq!(check(&elsewhere).0, Ok(b"text".to_vec()));
        for location in [
            "-> http://a.example/n",
            "-> https://127.0.0.1/",
            "-> https://c.example/",
            "-> file:///etc/passwd",
            "-> https://localhost/",
        ] {
            let (found, asked) = check(&[("https://a.example/m", location)]);
            assert!(matches!(found, Err(RemoteError::Redirect(_))), "{location}: {found:?}");
            assert_eq!(asked, 1, "{location}");
        }
        let (found, asked) = check(&[("https://a.example/m", "-> /m")]);
        assert!(matches!(found, Err(RemoteError::Redirect(_))));
        assert_eq!(asked, REDIRECTS + 1);
    }

    #[test]
    fn private_addresses_are_refused_before_a_connection() {
        let allow = AllowList::new(["*.example"]);
        let url = Url::parse("https://localhost:1/m").expect("an address");
        let refused = RemoteError::Private { host: "localhost".to_owned(), kind: "a loopback address" };
        assert_eq!(Https::new(&allow).get(&url, 10), Err(refused));
        for (text, kind) in [
            ("https://127.0.0.1:1/m", "a loopback address"),
            ("https://2130706433:1/m", "a loopback address"),
            ("https://169.254.169.254/m", "a link-local address"),
            ("https://[fd00::1]/m", "a private address"),
        ] {
            let found = Https::new(&allow).get(&Url::parse(text).expect("an address"), 10);
            assert!(matches!(&found, Err(RemoteError::Private { kind: known, .. }) if *known == kind), "{found:?}");
        }
    }
}
