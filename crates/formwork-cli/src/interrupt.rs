//! Ctrl-C while tools run: they have their own process groups, which the program ends.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Listens for signals that end the program. The first one sets the flag, the second one ends the program immediately.
///
/// # Errors
/// When the handlers cannot be installed.
pub(crate) fn listen() -> Result<Arc<AtomicBool>, String> {
    let flag = Arc::new(AtomicBool::new(false));
    register(&flag).map_err(|error| format!("the program cannot listen for signals: {error}"))?;
    Ok(flag)
}

#[cfg(unix)]
fn register(flag: &Arc<AtomicBool>) -> std::io::Result<()> {
    use formwork::disk::temporaries;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let ignores_hangup = temporaries::ignores_hangup();
    temporaries::leave_signals();
    let hangup = (!ignores_hangup).then_some(SIGHUP);
    for signal in [SIGINT, SIGTERM].into_iter().chain(hangup) {
        signal_hook::flag::register(signal, Arc::clone(flag))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn register(_: &Arc<AtomicBool>) -> std::io::Result<()> {
    Ok(())
}
