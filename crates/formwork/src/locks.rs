//! Locks that do not panic.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a mutex holds. Nothing is left half done where somebody may panic.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
