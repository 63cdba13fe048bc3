//! Cancellation of runs whose result is not needed any more.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Signals a run that its result is not needed any more. Clones share one state: any of them may cancel, from another
/// thread or from code that a run calls (its host, its observer). Stages check it in their loops and leave their work
/// unfinished.
#[derive(Clone, Debug, Default)]
pub struct Cancellation {
    state: Option<Arc<State>>,
}

#[derive(Debug)]
struct State {
    looks: AtomicU64,
    /// The number of checks after which the run is cancelled.
    from: AtomicU64,
}

impl Cancellation {
    /// Returns a handle for a run that can be cancelled.
    pub fn new() -> Cancellation {
        Cancellation::after(u64::MAX)
    }

    /// Returns a handle that is cancelled after `looks` checks: a deadline in work, not in time.
    pub fn after(looks: u64) -> Cancellation {
        let state = State { looks: AtomicU64::new(0), from: AtomicU64::new(looks) };
        Cancellation { state: Some(Arc::new(state)) }
    }

    /// Returns a handle for a run that is never cancelled.
    pub fn never() -> Cancellation {
        Cancellation::default()
    }

    /// Cancels the run. A run that has already ended is not affected.
    pub fn cancel(&self) {
        if let Some(state) = &self.state {
            state.from.store(0, Ordering::Relaxed);
        }
    }

    /// Returns `true` when the run was cancelled, and counts the check.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.state.as_ref().is_some_and(|state| {
            let looks = state.looks.fetch_add(1, Ordering::Relaxed);
            looks >= state.from.load(Ordering::Relaxed)
        })
    }

    /// Returns the number of checks so far, a measure of the work of a run; 0 for a run that cannot be cancelled.
    pub fn looks(&self) -> u64 {
        self.state.as_ref().map_or(0, |state| state.looks.load(Ordering::Relaxed))
    }

    /// Checks for cancellation.
    ///
    /// # Errors
    /// [`Cancelled`] when the run was cancelled.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

/// The error of a run that was cancelled and has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cancelled;

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the run was cancelled")
    }
}

impl std::error::Error for Cancelled {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_are_cancelled_together() {
        let (one, never) = (Cancellation::new(), Cancellation::never());
        let other = one.clone();
        assert_eq!(one.check(), Ok(()));
        other.cancel();
        never.cancel();
        assert_eq!((one.check(), never.check()), (Err(Cancelled), Ok(())));
    }

    #[test]
    fn a_number_of_looks_is_a_deadline() {
        let run = Cancellation::after(2);
        assert_eq!(
            [run.is_cancelled(), run.is_cancelled(), run.is_cancelled(), run.is_cancelled()],
            [false, false, true, true]
        );
        assert_eq!((run.looks(), Cancellation::never().looks()), (4, 0));
    }
}
