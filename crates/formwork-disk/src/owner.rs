//! Owners of files: other users of the machine must not influence a run.

use std::path::Path;

/// The owner of a file. Only Unix has owners that are compared; elsewhere all are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owner(u32);

impl Owner {
    /// Returns the effective user of this process.
    pub(crate) fn of_process() -> Owner {
        #[cfg(unix)]
        return Owner(rustix::process::geteuid().as_raw());
        #[cfg(not(unix))]
        Owner(0)
    }

    /// Returns the owner of a path, of a link itself. `None` if the path does not exist.
    pub(crate) fn of(path: &Path) -> Option<Owner> {
        let metadata = path.symlink_metadata().ok()?;
        #[cfg(unix)]
        return Some(Owner(std::os::unix::fs::MetadataExt::uid(&metadata)));
        #[cfg(not(unix))]
        {
            let _ = metadata;
            Some(Owner(0))
        }
    }
}

/// Returns `true` if a file, or the link that leads to it, is owned by another user than that of this process.
pub fn is_foreign(path: &Path) -> bool {
    let own = Owner::of_process();
    let real = path.canonicalize().ok();
    [Some(path), real.as_deref()].into_iter().flatten().any(|path| Owner::of(path).is_some_and(|owner| owner != own))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_this_process_is_not_foreign() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("own");
        assert!(!is_foreign(&file), "nothing is there");
        std::fs::write(&file, "").expect("written");
        assert!(!is_foreign(&file));
    }

    #[test]
    fn a_file_of_another_user_is_foreign_also_behind_a_link() {
        let directory = tempfile::tempdir().expect("a directory");
        let (file, link) = (directory.path().join("other"), directory.path().join("link"));
        std::fs::write(&file, "").expect("written");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        // Only root may change owners; for everybody else those of root are foreign.
        if std::os::unix::fs::chown(&file, Some(65_534), None).is_ok() {
            assert!(is_foreign(&file) && is_foreign(&link));
        } else {
            assert!(is_foreign(Path::new("/etc/passwd")));
        }
    }
}
