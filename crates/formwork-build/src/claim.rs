//! Locks a build directory for one run, and removes the files of a killed one (reference/build.md#whole).

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use formwork_disk::{refuse_links, remove_below};

/// The prefix of the name of the temporary directory of a run.
pub(crate) const RUN: &str = "run-";
const LOCK: &str = "lock";
const PAUSE: Duration = Duration::from_millis(50);

/// An exclusive lock of a build directory, released when this is dropped or the program ends in any way.
#[derive(Debug)]
pub(crate) struct Claim {
    _lock: File,
}

impl Claim {
    /// Waits for the lock of a build directory, whose own directory is `own`; `None` when the wait is interrupted.
    /// Calls `waits` before it waits.
    ///
    /// # Errors
    /// When the directory cannot be written.
    pub(crate) fn new(own: &Path, interrupt: &AtomicBool, waits: &dyn Fn()) -> io::Result<Option<Claim>> {
        fs::create_dir_all(own)?;
        let path = own.join(LOCK);
        refuse_links(own, &path)?;
        if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
            return Err(io::Error::other(format!("{} is not a regular file", path.display())));
        }
        let lock = OpenOptions::new().create(true).append(true).open(path)?;
        let mut has_waited = false;
        // Some file systems do not support locks: runs there are not separated.
        while let Err(TryLockError::WouldBlock) = lock.try_lock() {
            if interrupt.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if !has_waited {
                waits();
                has_waited = true;
            }
            std::thread::sleep(PAUSE);
        }
        for entry in fs::read_dir(own)?.flatten() {
            if entry.file_name().to_string_lossy().starts_with(RUN) {
                remove_below(own, &entry.path())?;
            }
        }
        Ok(Some(Claim { _lock: lock }))
    }
}
