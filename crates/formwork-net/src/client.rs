//! Requests to hosts that the user named, of any method: registries of images.

use std::time::Duration;

use ureq::http::{Request, Response};
use ureq::unversioned::transport::DefaultConnector;
use ureq::{Agent, Body, Proxy, SendBody};
use url::Url;

use crate::agents::{Agents, configuration};
use crate::guard::is_loopback;
use crate::system_resolver::SystemResolver;
use crate::{RemoteError, unreachable};

/// Timeout for a connection, and for an idle peer.
const PATIENCE: Duration = Duration::from_mins(1);
/// Timeout for a response: a server may process everything that it received first.
const ANSWER: Duration = Duration::from_mins(10);

/// A client that follows no redirect and checks no host: that is up to the caller.
#[derive(Debug, Default)]
pub(crate) struct Client(Agents);

impl Client {
    /// Sends a request. Every status is a response, not an error. This machine is reached without a proxy.
    ///
    /// # Errors
    /// Describes why there is no response.
    pub(crate) fn send(&self, request: Request<SendBody<'_>>) -> Result<Response<Body>, RemoteError> {
        let other = || RemoteError::Other("it is not a valid address".to_owned());
        let url = Url::parse(&request.uri().to_string()).map_err(|_| other())?;
        let is_here = url.host_str().is_some_and(is_loopback);
        let proxy = if is_here { None } else { self.0.proxy(request.uri())? };
        let (agent, name) = self.0.through(proxy, agent)?;
        agent.run(request).map_err(|error| unreachable::words(&url, name.as_deref(), PATIENCE, error))
    }
}

fn agent(proxy: Option<Proxy>) -> Result<Agent, RemoteError> {
    let config = configuration(proxy)?
        .timeout_connect(Some(PATIENCE))
        .timeout_per_write(Some(PATIENCE))
        .timeout_per_read(Some(ANSWER))
        .build();
    Ok(Agent::with_parts(config, DefaultConnector::default(), SystemResolver::default()))
}
