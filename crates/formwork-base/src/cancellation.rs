//! Work that nobody waits for any more.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Signals a run that its result is not needed any more. All clones are one; any may cancel, from another thread
/// or from what a run calls: its host, its observer. Stages look at it in their loops and leave their work undone.
#[derive(Clone, Debug, Default)]
pub struct Cancellation {
    state: Option<Arc<State>>,
}

#[derive(Debug)]
struct State {
    /// How often it was looked at.
    looks: AtomicU64,
    /// From which look on it is cancelled.
    from: AtomicU64,
}

impl Cancellation {
    /// A run that can be cancelled.
    pub fn new() -> Cancellation {
        Cancellation::after(u64::MAX)
    }

    /// A run that is cancelled once it looked whether it is `looks` times: a deadline in work, not in time.
    pub fn after(looks: u64) -> Cancellation {
        let state = State { looks: AtomicU64::new(0), from: AtomicU64::new(looks) };
        Cancellation { state: Some(Arc::new(state)) }
    }

    /// A run that goes to its end.
    pub fn never() -> Cancellation {
        Cancellation::default()
    }

    /// Cancels the run. One that has come to its end stays as it is.
    pub fn cancel(&self) {
        if let Some(state) = &self.state {
            state.from.store(0, Ordering::Relaxed);
        }
    }

    /// Returns whether the run was cancelled.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.state.as_ref().is_some_and(|state| {
            let looks = state.looks.fetch_add(1, Ordering::Relaxed);
            looks >= state.from.load(Ordering::Relaxed)
        })
    }

    /// Returns how often a run looked whether it is cancelled: a measure of its work. Nobody counts for a run that
    /// cannot be cancelled.
    pub fn looks(&self) -> u64 {
        self.state.as_ref().map_or(0, |state| state.looks.load(Ordering::Relaxed))
    }

    /// Returns an error when the run was cancelled.
    ///
    /// # Errors
    /// [`Cancelled`], when it was.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

/// The run was cancelled and has no result.
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
