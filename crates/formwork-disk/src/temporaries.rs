//! Temporary files that are on a disk at the moment (reference/command-line.md#output).
//!
//! A library does not decide what signals do. The program sets here how it listens for those that end it, and learns here
//! when it may end: while a [`Temporary`] exists, a file would stay behind.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, Once, OnceLock, PoisonError};

/// What a program does about signals that end it.
#[derive(Clone, Copy, Debug)]
pub struct Listener {
    /// Begins to listen: called once, before the first temporary file is made. A signal puts its number into the second
    /// value, and ends the program where the first one is true.
    pub listen: fn(&Arc<AtomicBool>, &Arc<AtomicUsize>),
    /// Ends the program as this signal does.
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
    /// How many temporary files there are.
    count: Mutex<usize>,
    may_end: Arc<AtomicBool>,
    asked: Arc<AtomicUsize>,
    /// Whether another part of the program decides what signals do.
    is_left: AtomicBool,
}

/// Lets signals end the program without leaving temporary files. A library that does not call this leaves signals alone.
pub fn end_with(listener: Listener) {
    let _ = LISTENER.set(listener);
}

/// Leaves signals to another part of the program, which listens from now on.
pub fn leave_signals() {
    let count = SHARED.count.lock().unwrap_or_else(PoisonError::into_inner);
    SHARED.is_left.store(true, Ordering::SeqCst);
    SHARED.may_end.store(false, Ordering::SeqCst);
    drop(count);
}

/// The mask of the signals that whoever started the program ignores (`nohup`), as far as the system has it in a file: to
/// listen would undo that. It is found out once: whoever listens is not ignoring any more.
pub fn ignored_signals() -> u64 {
    static IGNORED: LazyLock<u64> =
        LazyLock::new(|| std::fs::read_to_string("/proc/self/status").map_or(0, |status| ignored(&status)));
    *IGNORED
}

/// Whether whoever started the program wants it to outlive its terminal (`nohup`): it does not listen for SIGHUP then.
pub fn ignores_hangup() -> bool {
    // SIGHUP is the first signal.
    ignored_signals() & 1 == 1
}

/// The mask of ignored signals in a status file.
fn ignored(status: &str) -> u64 {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Whether a signal asked the program to end while there was a temporary file. Work that takes long stops then.
pub fn is_asked_to_end() -> bool {
    SHARED.asked.load(Ordering::SeqCst) != 0 && !SHARED.is_left.load(Ordering::SeqCst)
}

/// A temporary file or directory is there, or about to be. To be dropped when it is gone, or has its name.
#[derive(Debug)]
pub struct Temporary(());

impl Temporary {
    /// One more.
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
        // One that came before this place did not end the program.
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
