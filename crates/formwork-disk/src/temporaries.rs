//! Tracks temporary files on a disk (reference/command-line.md#output).
//!
//! A library does not handle signals. The program sets here how it listens for those that end it, and learns here when
//! it may end: while a [`Temporary`] exists, a file would be left on the disk.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, Once, OnceLock, PoisonError};

/// The signal handling of a program.
#[derive(Clone, Copy, Debug)]
pub struct Listener {
    /// Begins to listen: called once, before the first temporary file is created. A signal puts its number into the
    /// second value, and ends the program if the first one is true.
    pub listen: fn(&Arc<AtomicBool>, &Arc<AtomicUsize>),
    /// Ends the program like this signal.
    pub end: fn(usize),
}

static LISTENER: OnceLock<Listener> = OnceLock::new();
static LISTENS: Once = Once::new();
static SHARED: LazyLock<Shared> = LazyLock::new(|| Shared {
    count: Mutex::new(0),
    may_end: Arc::new(AtomicBool::new(true)),
    asked: Arc::new(AtomicUsize::new(0)),
    is_left: AtomicBool::new(false),
});

struct Shared {
    count: Mutex<usize>,
    may_end: Arc<AtomicBool>,
    asked: Arc<AtomicUsize>,
    /// Set if another part of the program handles signals.
    is_left: AtomicBool,
}

/// Lets signals end the program without leaving temporary files. Signals are not handled without this call.
pub fn end_with(listener: Listener) {
    let _ = LISTENER.set(listener);
}

/// Lets another part of the program handle signals, which listens from now on.
pub fn leave_signals() {
    let count = SHARED.count.lock().unwrap_or_else(PoisonError::into_inner);
    SHARED.is_left.store(true, Ordering::SeqCst);
    SHARED.may_end.store(false, Ordering::SeqCst);
    drop(count);
}

/// Returns the mask of signals that were ignored when the program started (`nohup`), as far as the system has it in a
/// file: to listen would undo that. It is read once, since a signal that is listened for is not ignored any more.
pub fn ignored_signals() -> u64 {
    static IGNORED: LazyLock<u64> =
        LazyLock::new(|| std::fs::read_to_string("/proc/self/status").map_or(0, |status| ignored(&status)));
    *IGNORED
}

/// Returns `true` if the program was started to outlive its terminal (`nohup`): it does not listen for SIGHUP then.
pub fn ignores_hangup() -> bool {
    // SIGHUP is the first signal.
    ignored_signals() & 1 == 1
}

/// Parses the mask of ignored signals in a status file.
fn ignored(status: &str) -> u64 {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Returns `true` if a signal asked the program to end while a temporary file existed. Long operations stop then.
pub fn is_asked_to_end() -> bool {
    SHARED.asked.load(Ordering::SeqCst) != 0 && !SHARED.is_left.load(Ordering::SeqCst)
}

/// Counts a temporary file or directory that exists, or is about to. Drop it when that is removed or renamed.
#[derive(Debug)]
pub struct Temporary(());

impl Temporary {
    /// Counts another temporary file.
    pub fn new() -> Temporary {
        let shared = &*SHARED;
        {
            let mut count = shared.count.lock().unwrap_or_else(PoisonError::into_inner);
            *count += 1;
            shared.may_end.store(false, Ordering::SeqCst);
        }
        if let Some(listener) = LISTENER.get() {
            LISTENS.call_once(|| (listener.listen)(&shared.may_end, &shared.asked));
        }
        Temporary(())
    }
}

impl Default for Temporary {
    fn default() -> Temporary {
        Temporary::new()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let shared = &*SHARED;
        let mut count = shared.count.lock().unwrap_or_else(PoisonError::into_inner);
        *count -= 1;
        if *count > 0 || shared.is_left.load(Ordering::SeqCst) {
            return;
        }
        shared.may_end.store(true, Ordering::SeqCst);
        drop(count);
        // A signal that came before this point did not end the program.
        let asked = shared.asked.load(Ordering::SeqCst);
        if let Some(listener) = LISTENER.get().filter(|_| asked != 0) {
            (listener.end)(asked);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_a_mask() {
        assert_eq!(ignored("Name:\tx\nSigIgn:\t0000000000001001\nSigCgt:\t0\n"), 0x1001);
        assert_eq!(ignored("SigBlk:\t1\nSigIgn:\t0000000000001000\n"), 0x1000);
        assert_eq!(ignored(""), 0);
    }
}
