//! Signals that end the program: no temporary file stays behind (reference/command-line.md#output).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use formwork::disk::temporaries::{self, Listener};

/// Lets SIGINT, SIGTERM and SIGHUP end the program when no temporary file exists, or as soon as the last one is
/// removed.
pub(crate) fn leave_nothing() {
    temporaries::end_with(Listener { listen, end });
}

#[cfg(unix)]
fn listen(may_end: &Arc<AtomicBool>, asked: &Arc<AtomicUsize>) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::flag;
    let ignored = temporaries::ignored_signals();
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        // A signal that the parent process ignores stays ignored.
        if ignored >> (signal - 1) & 1 == 1 {
            continue;
        }
        // If the handler cannot be installed, the signal has its default effect.
        let number = usize::try_from(signal).unwrap_or_default();
        let _ = flag::register_usize(signal, Arc::clone(asked), number)
            .and_then(|_| flag::register_conditional_default(signal, Arc::clone(may_end)));
    }
}

#[cfg(unix)]
fn end(signal: usize) {
    let _ = i32::try_from(signal).map(signal_hook::low_level::emulate_default_handler);
}

#[cfg(not(unix))]
fn listen(_: &Arc<AtomicBool>, _: &Arc<AtomicUsize>) {}

#[cfg(not(unix))]
fn end(_: usize) {}
