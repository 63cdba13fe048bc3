//! Requests with any method to hosts on the command line: registries of images.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use ureq::http::{Request, Response};
use ureq::unversioned::transport::DefaultConnector;
use ureq::{Agent, Body, SendBody};
use url::{Host, Url};

use crate::system_resolver::SystemResolver;
use crate::via::{self, Proxies};
use crate::{RemoteError, trust, unreachable};

/// Timeout for a connection, and for an idle peer.
const PATIENCE: Duration = Duration::from_mins(1);
/// Timeout for a response: a server may process everything that it received first.
const ANSWER: Duration = Duration::from_mins(10);

/// A client that trusts the authorities of the machine, or those of `AWS_CA_BUNDLE`, and uses the proxy of the
/// environment. It follows no redirect and checks no host: that is up to the caller.
#[derive(Debug, Default)]
pub struct Client {
    proxies: OnceLock<Proxies>,
    /// Agents by proxy: reading the machine's certificates takes longer than most runs.
    agents: Mutex<HashMap<Option<String>, Agent>>,
}

impl Client {
    /// Creates a client without connections.
    pub fn new() -> Client {
        Client::default()
    }

    /// Sends a request. Every status is a response, not an error.
    ///
    /// # Errors
    /// Describes why there is no response.
    pub fn send(&self, request: Request<SendBody<'_>>) -> Result<Response<Body>, RemoteError> {
        let other = || RemoteError::Other("it is not a valid address".to_owned());
        let url = Url::parse(&request.uri().to_string()).map_err(|_| other())?;
        let proxies = self.proxies.get_or_init(Proxies::from_environment);
        let proxy = if is_here(&url) { None } else { proxies.on_the_way_to(request.uri())? };
        let name = proxy.as_ref().map(|proxy| via::name(proxy.uri()));
        let agent = {
            let mut agents = self.agents.lock().unwrap_or_else(PoisonError::into_inner);
            match agents.get(&name) {
                Some(agent) => agent.clone(),
                None => agents.entry(name.clone()).or_insert(agent(proxy)?).clone(),
            }
        };
        agent.run(request).map_err(|error| unreachable::words(&url, name.as_deref(), PATIENCE, error))
    }
}

/// Returns `true` for an address of this machine, which is reached without a proxy.
fn is_here(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

fn agent(proxy: Option<ureq::Proxy>) -> Result<Agent, RemoteError> {
    let config = Agent::config_builder()
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .timeout_connect(Some(PATIENCE))
        .timeout_per_write(Some(PATIENCE))
        .timeout_per_read(Some(ANSWER))
        .user_agent(concat!("formwork/", env!("CARGO_PKG_VERSION")))
        .proxy(proxy)
        .tls_config(trust::tls()?)
        .build();
    Ok(Agent::with_parts(config, DefaultConnector::default(), SystemResolver::default()))
}
