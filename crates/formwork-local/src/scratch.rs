//! Temporary directories of functions. The next process removes those that a killed process left.

use std::fs::{File, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::sync::Once;

use tempfile::TempDir;

const PREFIX: &str = "formwork-local-";

/// The file that the owner of a directory keeps locked; the system unlocks it when the process ends, in whatever way.
const LOCK: &str = "lock";

/// A directory that only this user can read, whatever the umask. Dropping it removes the directory.
#[derive(Debug)]
pub(crate) struct Scratch {
    directory: TempDir,
    _lock: File,
}

impl Scratch {
    /// Creates a directory for the temporary files of this user. The first call removes those whose process has ended.
    pub(crate) fn new() -> io::Result<Scratch> {
        static SWEPT: Once = Once::new();
        let base = std::env::temp_dir();
        SWEPT.call_once(|| sweep(&base));
        Scratch::new_in(&base)
    }

    fn new_in(base: &Path) -> io::Result<Scratch> {
        let directory =
            tempfile::Builder::new().prefix(PREFIX).permissions(Permissions::from_mode(0o700)).tempdir_in(base)?;
        // The directory gets its name once it is locked, so that no other process finds it in between.
        let unnamed = directory.path().join("new");
        let lock = File::create(&unnamed)?;
        // Some file systems have no locks: then no process removes the directory of another one.
        let _ = lock.try_lock();
        std::fs::rename(unnamed, directory.path().join(LOCK))?;
        Ok(Scratch { directory, _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }
}

/// Removes the directories in `base` whose process of this user has ended. A directory that cannot be removed stays.
fn sweep(base: &Path) {
    let user = rustix::process::geteuid().as_raw();
    for entry in std::fs::read_dir(base).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(PREFIX) {
            let _ = remove_abandoned(&entry.path(), user);
        }
    }
}

/// Removes a directory of a user, unless a process has its lock. One without a lock file is just being created.
fn remove_abandoned(path: &Path, user: u32) -> io::Result<()> {
    let metadata = path.symlink_metadata()?;
    if !metadata.is_dir() || metadata.uid() != user {
        return Ok(());
    }
    let lock = path.join(LOCK);
    if !lock.symlink_metadata()?.is_file() {
        return Ok(());
    }
    match File::open(lock)?.try_lock() {
        Ok(()) => std::fs::remove_dir_all(path),
        Err(TryLockError::WouldBlock) => Ok(()),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_left_is_removed_and_nothing_else() {
        let base = tempfile::tempdir().expect("a directory");
        let make = |name: &str, lock: bool| {
            let path = base.path().join(name);
            std::fs::create_dir_all(path.join("code")).expect("a directory");
            if lock {
                std::fs::write(path.join(LOCK), "").expect("a file");
            }
            path
        };
        let alive = Scratch::new_in(base.path()).expect("a directory");
        assert_eq!(std::fs::metadata(alive.path()).expect("it is there").mode() & 0o777, 0o700);
        let abandoned = make("formwork-local-abandoned", true);
        let (fresh, other) = (make("formwork-local-fresh", false), make("other", true));
        let link = base.path().join("formwork-local-link");
        std::os::unix::fs::symlink(&other, &link).expect("a link");
        let next = Scratch::new_in(base.path()).expect("a directory");
        sweep(base.path());
        let is_there = |path: &Path| path.symlink_metadata().is_ok();
        assert!(!is_there(&abandoned));
        assert!([alive.path(), next.path(), &fresh, &other, &other.join("code"), &link].into_iter().all(is_there));
        let path = alive.path().to_owned();
        drop(alive);
        assert!(!is_there(&path));
    }
}
