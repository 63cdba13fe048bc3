//! The connection to a host: direct, or through the proxy of the environment.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use ureq::http::Uri;
use ureq::{Proxy, ProxyProtocol};

use crate::RemoteError;

/// The proxies of the environment, by the same rules as calls to AWS: `HTTPS_PROXY`, else `ALL_PROXY`, and `NO_PROXY`
/// for hosts that are reached directly.
#[derive(Debug)]
pub(crate) struct Proxies(Matcher);

impl Proxies {
    pub(crate) fn from_environment() -> Proxies {
        Proxies(Matcher::from_env())
    }

    /// Returns the proxy for an address; `None` for a direct connection.
    ///
    /// # Errors
    /// When the proxy is of a kind that is not supported.
    pub(crate) fn on_the_way_to(&self, target: &Uri) -> Result<Option<Proxy>, RemoteError> {
        self.0.intercept(target).map(|found| proxy(&found)).transpose()
    }
}

fn proxy(found: &Intercept) -> Result<Proxy, RemoteError> {
    let unusable = |why: &str| RemoteError::Unreachable {
        why: format!("the proxy {} cannot be used: {why}", name(found.uri())),
        help: "name a proxy as `HTTPS_PROXY=http://HOST:PORT`, or the host in NO_PROXY".to_owned(),
    };
    let protocol = match found.uri().scheme_str() {
        Some("http") => ProxyProtocol::Http,
        Some("https") => ProxyProtocol::Https,
        _ => return Err(unusable("it is not an HTTP proxy")),
    };
    // The proxy resolves the name of the target.
    let mut builder = Proxy::builder(protocol).host(found.uri().host().unwrap_or_default()).resolve_target(false);
    if let Some(port) = found.uri().port_u16() {
        builder = builder.port(port);
    }
    if let Some((user, password)) = credentials(found) {
        builder = builder.username(&user).password(&password);
    }
    builder.build().map_err(|_| unusable("its address is not valid"))
}

/// Returns host and port of a proxy, without user and password.
pub(crate) fn name(proxy: &Uri) -> String {
    let host = proxy.host().unwrap_or_default();
    proxy.port_u16().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// Returns user and password from `Basic ...`.
fn credentials(found: &Intercept) -> Option<(String, String)> {
    let header = found.basic_auth()?.to_str().ok()?.strip_prefix("Basic ")?;
    let text = String::from_utf8(BASE64_STANDARD.decode(header).ok()?).ok()?;
    let (user, password) = text.split_once(':')?;
    Some((user.to_owned(), password.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn through(proxy: &str, no_proxy: &str, target: &str) -> Result<Option<Proxy>, RemoteError> {
        let proxies = Proxies(Matcher::builder().https(proxy).no(no_proxy).build());
        proxies.on_the_way_to(&target.parse().expect("an address"))
    }

    #[test]
    fn credentials_reach_the_proxy_and_its_name_has_none() {
        let found = through("http://ann:s%20t@proxy.example:3128", "", "https://a.example/m").expect("a proxy");
        let found = found.expect("not straight");
        assert_eq!((found.username(), found.password()), (Some("ann"), Some("s t")));
        assert_eq!((found.host(), found.port(), found.resolve_target()), ("proxy.example", 3128, false));
        assert_eq!(name(found.uri()), "proxy.example:3128");
    }

    #[test]
    fn hosts_of_no_proxy_are_reached_straight() {
        let no_proxy = "internal.example, .corp.example, 10.0.0.0/8";
        for target in ["https://internal.example/m", "https://a.corp.example/m", "https://10.1.2.3/m"] {
            assert_eq!(through("http://p.example", no_proxy, target), Ok(None), "{target}");
        }
        for target in ["https://a.example/m", "https://11.1.2.3/m"] {
            assert!(matches!(through("http://p.example", no_proxy, target), Ok(Some(_))), "{target}");
        }
    }

    #[test]
    fn other_kinds_of_proxies_are_refused() {
        let refused = through("socks5://ann:secret@p.example:1080", "", "https://a.example/m");
        let Err(RemoteError::Unreachable { why, .. }) = refused else { panic!("{refused:?}") };
        assert!(why.contains("p.example:1080") && !why.contains("secret"), "{why}");
    }
}
