//! The runtime that drives calls.

use std::sync::Mutex;
use std::thread;

use tokio::runtime::{Builder, Runtime};

/// A runtime on this thread: what is waited for is the network.
///
/// # Errors
/// When the system has no means to wait.
pub fn runtime() -> std::io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// A runtime with so many threads of its own; without any where the system does not make them. Then those who wait for
/// a call drive it, one for all.
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

/// Whether the system makes so many threads beside this one.
fn can_start(threads: usize) -> bool {
    let gate = Mutex::new(());
    thread::scope(|scope| {
        // They are there at the same time: each waits until all were made.
        let closed = gate.lock();
        let can_start = (0..threads).all(|_| thread::Builder::new().spawn_scoped(scope, || drop(gate.lock())).is_ok());
        drop(closed);
        can_start
    })
}
