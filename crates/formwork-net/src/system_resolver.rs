//! Resolves names of hosts.

use std::thread;

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;
use ureq::unversioned::transport::time::Duration;

/// Asks the system like the default resolver: on a thread of its own, which is abandoned after the timeout. If no
/// thread can be started, the default resolver panics; this one asks on the calling thread.
#[derive(Debug, Default)]
pub(crate) struct SystemResolver(DefaultResolver);

impl Resolver for SystemResolver {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let can_start = thread::Builder::new().spawn(|| {}).is_ok_and(|made| made.join().is_ok());
        let after = if can_start { timeout.after } else { Duration::NotHappening };
        self.0.resolve(uri, config, NextTimeout { after, ..timeout })
    }
}
