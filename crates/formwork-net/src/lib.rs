//! Clients of the network. [`registry`] has registries of container images; the rest is remote modules.
//!
//! Remote modules (reference/modules/sources.md#remote): `https://` and `s3://` sources are fetched only from allowed
//! hosts and buckets, pinned by `formwork.lock`, and kept in a cache, so that a second run needs no network.
//!
//! [`Remote::read`] is all that a host needs: it reads the lock and the cache and then uses the network, if that is
//! allowed. A source that is fetched for the first time is added to the lock; [`Remote::write_lock`] writes it once the
//! run has succeeded. The templates of a run share one [`ProjectLock`], also across threads: each source is requested
//! once, and the lock is written with the sources of a template when that one has succeeded.
//!
//! Addresses are checked before a request and after each redirect (`guard`), and the address that a name resolves to
//! before a connection. Behind a proxy (`via`), the proxy resolves names: the target is checked by its name and by a
//! literal address, the proxy never. `Client` sends requests to hosts on the command line, such as registries of
//! images. Both clients share their configuration and proxies (`agents`).
#![allow(clippy::disallowed_methods, reason = "network, disk, environment and programs enter here")]

mod address;
mod agents;
mod allow;
mod cache;
mod client;
mod digest;
mod error;
mod guard;
mod https;
mod lock;
mod project_lock;
pub mod registry;
mod remote;
mod system_resolver;
mod trust;
mod unreachable;
mod via;

pub use allow::AllowList;
pub use cache::user_cache_folder;
pub use digest::sha256;
pub use error::RemoteError;
pub use lock::LOCK_FILE;
pub use project_lock::{LockError, ProjectLock};
pub use remote::{Fetched, ObjectStore, Policy, Remote};
