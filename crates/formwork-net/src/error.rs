//! Errors of remote sources.

use thiserror::Error;

/// The reason why a remote source could not be read. Messages contain the address where they can.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RemoteError {
    /// A scheme other than https and s3, or not an address at all.
    #[error("only https and s3 remote sources are supported")]
    Scheme,
    /// The host or bucket is not in `--allow-remote`.
    #[error("{0} is not allowed: allow it with `--allow-remote {0}`")]
    NotAllowed(String),
    /// The host has an address that is not public.
    #[error("{host} is {kind}, which is refused")]
    Private {
        /// The name of the host.
        host: String,
        /// The kind of its address.
        kind: &'static str,
    },
    /// A redirect leads to an address that is not allowed, or there are too many.
    #[error("a redirect is refused: {0}")]
    Redirect(String),
    /// The network does not respond, or the server is not trusted.
    #[error("{why}")]
    Unreachable {
        /// The error.
        why: String,
        /// The advice.
        help: String,
    },
    /// The network may not be used and the source is not stored.
    #[error("it is not in the cache, and `--offline` forbids network access")]
    Offline,
    /// The source is larger than a limit, in bytes.
    #[error("it is larger than the limit of {0} bytes")]
    TooLarge(u64),
    /// The server responds with an error.
    #[error("the server responded with {0}")]
    Status(u16),
    /// The lock file has another digest.
    #[error("hash mismatch: {lock} pins sha256:{wanted}, but the content has sha256:{found}", lock = crate::LOCK_FILE)]
    Changed {
        /// The digest in the lock file.
        wanted: String,
        /// The digest of what was fetched.
        found: String,
    },
    /// Any other error.
    #[error("{0}")]
    Other(String),
}
