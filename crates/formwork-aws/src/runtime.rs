//! The runtime that drives calls.

use std::sync::Mutex;
use std::thread;

use tokio::runtime::{Builder, Runtime};

/// Creates a runtime on this thread: its tasks only wait for the network.
///
/// # Errors
/// When the system has no means to wait.
pub fn runtime() -> std::io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// Creates a runtime with `threads` threads; without any when the system cannot create them. Then the callers that wait
/// drive it, one for all.
///
/// # Errors
/// When the system has no means to wait.
pub(crate) fn runtime_of(threads: usize) -> std::io::Result<Runtime> {
    // The runtime panics when a thread does not start.
    if !can_start(threads) {
        return runtime();
    }
    Builder::new_multi_thread().worker_threads(threads).enable_all().build()
}

/// `true` if the system can create that many additional threads.
fn can_start(threads: usize) -> bool {
    let gate = Mutex::new(());
    thread::scope(|scope| {
        // All threads exist at the same time: each waits until all were created.
        let closed = gate.lock();
        let can_start = (0..threads).all(|_| thread::Builder::new().spawn_scoped(scope, || drop(gate.lock())).is_ok());
        drop(closed);
        can_start
    })
}
