//! Ctrl-C while tools run: they are in process groups of their own, and are ended by us.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Listens for what asks the program to end. The flag is set then; a second time the program ends at once.
///
/// # Errors
/// When the system does not let it.
pub(in crate::commands) fn listen() -> Result<Arc<AtomicBool>, String> {
    let flag = Arc::new(AtomicBool::new(false));
    register(&flag).map_err(|error| format!("the program cannot listen for signals: {error}"))?;
    Ok(flag)
}

#[cfg(unix)]
fn register(flag: &Arc<AtomicBool>) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(flag))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn register(_: &Arc<AtomicBool>) -> std::io::Result<()> {
    Ok(())
}
