//! Locks that do not panic.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex whose content is consistent at every point where its holder may panic.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
