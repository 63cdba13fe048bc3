//! HTTP agents, which both clients share.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use formwork_base::lock;
use ureq::config::{Config, ConfigBuilder};
use ureq::http::Uri;
use ureq::typestate::AgentScope;
use ureq::{Agent, Proxy};

use crate::via::{self, Proxies};
use crate::{RemoteError, trust};

/// Agents by proxy, which trust the authorities of the machine, or those of `AWS_CA_BUNDLE`.
#[derive(Debug, Default)]
pub(crate) struct Agents {
    proxies: OnceLock<Proxies>,
    /// Created on first use: reading the machine's certificates takes longer than most runs.
    made: Mutex<HashMap<Option<String>, Agent>>,
}

impl Agents {
    /// Returns the proxy of the environment for a target; `None` for a direct connection.
    ///
    /// # Errors
    /// When the kind of proxy is not supported.
    pub(crate) fn proxy(&self, target: &Uri) -> Result<Option<Proxy>, RemoteError> {
        self.proxies.get_or_init(Proxies::from_environment).on_the_way_to(target)
    }

    /// Returns the agent for a proxy or a direct connection, and the name of the proxy. `make` creates it on first use.
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

/// Returns the common configuration: every status is a response, and no redirect is followed.
pub(crate) fn configuration(proxy: Option<Proxy>) -> Result<ConfigBuilder<AgentScope>, RemoteError> {
    Ok(Config::builder()
        .max_redirects(0)
        .http_status_as_error(false)
        .user_agent(concat!("formwork/", env!("CARGO_PKG_VERSION")))
        .proxy(proxy)
        .tls_config(trust::tls()?))
}
