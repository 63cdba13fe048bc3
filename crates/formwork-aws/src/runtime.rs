//! The runtime that drives calls.

use tokio::runtime::{Builder, Runtime};

/// A runtime on this thread: what is waited for is the network.
///
/// # Errors
/// When the system has no means to wait.
pub fn runtime() -> std::io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}
