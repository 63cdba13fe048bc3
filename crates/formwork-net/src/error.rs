//! Why a remote source has no bytes.

use thiserror::Error;

/// Why a remote source could not be read. The words name the address where they can.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RemoteError {
    /// Another scheme than https and s3, or no address at all.
    #[error("only https and s3 remote sources are supported")]
    Scheme,
    /// The host or bucket was not named with `--allow-remote`.
    #[error("{0} is not allowed: allow it with `--allow-remote {0}`")]
    NotAllowed(String),
    /// The name stands for an address that is not public.
    #[error("{host} is {kind}, which is refused")]
    Private {
        /// The host.
        host: String,
        /// What kind of address it has.
        kind: &'static str,
    },
    /// A redirect leads where nothing may be fetched, or there are too many.
    #[error("a redirect is refused: {0}")]
    Redirect(String),
    /// The network does not answer, or what answers is not trusted.
    #[error("{why}")]
    Unreachable {
        /// What went wrong.
        why: String,
        /// What to do.
        help: String,
    },
    /// No network may be used and nothing is stored.
    #[error("it is not in the cache, and `--offline` forbids network access")]
    Offline,
    /// It is larger than a limit, in bytes.
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
    /// Anything else.
    #[error("{0}")]
    Other(String),
}
