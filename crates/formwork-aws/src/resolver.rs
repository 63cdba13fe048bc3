//! Resolves host names.

use std::net::{IpAddr, ToSocketAddrs};
use std::thread;

use aws_smithy_runtime_api::client::dns::{DnsFuture, ResolveDns, ResolveDnsError};
use tokio::sync::oneshot;

/// Resolves names by the system, on a thread of its own since it may take long; on this one when the system cannot
/// create threads. The runtime's own resolver would panic then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SystemResolver;

impl ResolveDns for SystemResolver {
    fn resolve_dns<'a>(&'a self, name: &'a str) -> DnsFuture<'a> {
        let name = name.to_owned();
        DnsFuture::new(async move {
            let (sender, receiver) = oneshot::channel();
            let asked = name.clone();
            let thread = thread::Builder::new().spawn(move || sender.send(addresses(&asked)));
            let found = if thread.is_ok() { receiver.await.ok() } else { None };
            found.unwrap_or_else(|| addresses(&name)).map_err(ResolveDnsError::new)
        })
    }
}

fn addresses(name: &str) -> std::io::Result<Vec<IpAddr>> {
    Ok((name, 0).to_socket_addrs()?.map(|address| address.ip()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_this_machine() {
        let runtime = crate::runtime().expect("a runtime");
        let found = runtime.block_on(SystemResolver.resolve_dns("localhost")).expect("it is known");
        assert!(found.iter().all(IpAddr::is_loopback) && !found.is_empty(), "{found:?}");
        assert!(runtime.block_on(SystemResolver.resolve_dns("no-such-name.invalid")).is_err());
    }
}
