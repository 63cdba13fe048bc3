//! Processes that others began.

use std::thread;
use std::time::{Duration, Instant};

/// Waits until a process is gone: a signal that was sent has ended nothing yet. What has ended and was not waited for has no
/// command line.
pub(crate) fn await_end(process: &str, within: Duration) {
    let until = Instant::now() + within;
    while !std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default().is_empty() {
        assert!(Instant::now() < until, "{process} is still running");
        thread::sleep(Duration::from_millis(10));
    }
}
