//! Agents: one for each way to a host.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use formwork_base::lock;
use ureq::config::{Config, ConfigBuilder};
use ureq::http::Uri;
use ureq::typestate::AgentScope;
use ureq::{Agent, Proxy};

use crate::via::{self, Proxies};
use crate::{RemoteError, trust};

/// Agents that trust what the machine trusts, or the authorities of `AWS_CA_BUNDLE`, behind the proxies of the environment.
#[derive(Debug, Default)]
pub(crate) struct Agents {
    proxies: OnceLock<Proxies>,
    /// By the names of proxies: reading the machine's certificates takes longer than most runs.
    made: Mutex<HashMap<Option<String>, Agent>>,
}

impl Agents {
    /// The proxy on the way to an address; `None` where the way is straight.
    ///
    /// # Errors
    /// When the proxy is of a kind that is not supported.
    pub(crate) fn proxy(&self, target: &Uri) -> Result<Option<Proxy>, RemoteError> {
        self.proxies.get_or_init(Proxies::from_environment).on_the_way_to(target)
    }

    /// The agent for a way, and the name of its proxy. `make` makes it when it is first needed.
    ///
    /// # Errors
    /// Those of `make`.
    pub(crate) fn through(
        &self,
        proxy: Option<Proxy>,
        make: impl FnOnce(Option<Proxy>) -> Result<Agent, RemoteError>,
    ) -> Result<(Agent, Option<String>), RemoteError> {
        let name = proxy.as_ref().map(|proxy| via::name(proxy.uri()));
        let mut made = lock(&self.made);
        let agent = match made.get(&name) {
            Some(agent) => agent.clone(),
            None => made.entry(name.clone()).or_insert(make(proxy)?).clone(),
        };
        Ok((agent, name))
    }
}

/// What all agents have in common: every status is an answer, and no redirect is followed.
pub(crate) fn configuration(proxy: Option<Proxy>) -> Result<ConfigBuilder<AgentScope>, RemoteError> {
    Ok(Config::builder()
        .max_redirects(0)
        .http_status_as_error(false)
        .user_agent(concat!("formwork/", env!("CARGO_PKG_VERSION")))
        .proxy(proxy)
        .tls_config(trust::tls()?))
}
