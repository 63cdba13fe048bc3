//! One run at a time in a build directory, and the end of what a killed run left there (reference/build.md#whole).

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The prefix of the name of the temporary directory of a run.
pub(crate) const RUN: &str = "run-";
const LOCK: &str = "lock";
/// The interval at which a waiting run tries again.
const PAUSE: Duration = Duration::from_millis(50);

/// The right to write a build directory: no other run has it until this is dropped, or the program ends in any way.
#[derive(Debug)]
pub(crate) struct Claim {
    _lock: File,
}

impl Claim {
    /// Waits until no other run is in a build directory, whose own directory is `own`; `None` when the wait is
    /// interrupted. Calls `waits` before it waits.
    ///
    /// # Errors
    /// When the directory cannot be written.
    pub(crate) fn new(own: &Path, interrupt: &AtomicBool, waits: &dyn Fn()) -> io::Result<Option<Claim>> {
        fs::create_dir_all(own)?;
        let lock = OpenOptions::new().create(true).append(true).open(own.join(LOCK))?;
        let mut told = false;
        // Some file systems do not support locks: runs there are not separated.
        while let Err(TryLockError::WouldBlock) = lock.try_lock() {
            if interrupt.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if !told {
                waits();
                told = true;
            }
            std::thread::sleep(PAUSE);
        }
        for entry in fs::read_dir(own)?.flatten() {
            if entry.file_name().to_string_lossy().starts_with(RUN) {
                crate::place::remove(&entry.path())?;
            }
        }
        Ok(Some(Claim { _lock: lock }))
    }
}
