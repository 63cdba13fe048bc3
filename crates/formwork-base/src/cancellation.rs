//! Work that nobody waits for any more.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells a run that its result is not needed any more. All clones are one; any of them may cancel, from another thread
/// or from what a run calls: its host, its observer. Stages look at it in their loops and leave their work undone.
#[derive(Clone, Debug, Default)]
pub struct Cancellation {
    is_cancelled: Option<Arc<AtomicBool>>,
}

impl Cancellation {
    /// A run that can be cancelled.
    pub fn new() -> Cancellation {
        Cancellation { is_cancelled: Some(Arc::default()) }
    }

    /// A run that goes to its end.
    pub fn never() -> Cancellation {
        Cancellation::default()
    }

    /// Cancels the run. One that has come to its end stays as it is.
    pub fn cancel(&self) {
        if let Some(flag) = &self.is_cancelled {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Returns whether the run was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
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
}
