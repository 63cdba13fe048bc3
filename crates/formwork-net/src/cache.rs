//! Sources on disk, by their digest.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use formwork_base::FileBytes;
use formwork_disk::{make_below, read_inside, refuse_links, replace};

use crate::digest::sha256;

/// The directories of stored sources: that of the project, which may be committed, and that of the user.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    project: PathBuf,
    vendored: PathBuf,
    user: Option<PathBuf>,
    limit: u64,
}

/// Returns the user's directory for sources: `FORMWORK_CACHE_DIR`, else below the system's cache directory.
pub fn user_cache_folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    variable("FORMWORK_CACHE_DIR")
        .or_else(|| variable("XDG_CACHE_HOME").filter(|path| path.is_absolute()).map(|path| path.join("formwork")))
        .or_else(|| variable("HOME").map(|path| path.join(".cache/formwork")))
        .or_else(|| variable("LOCALAPPDATA").map(|path| path.join("formwork/cache")))
}

impl Cache {
    /// Creates a cache with the directories of a project and of a user. `limit` is the maximum size of a source, in
    /// bytes.
    pub(crate) fn new(project: &Path, user: Option<PathBuf>, limit: u64) -> Cache {
        let user = user.map(|path| path.join("sources"));
        Cache { project: project.to_owned(), vendored: project.join("formwork_modules"), user, limit }
    }

    /// Returns the source with this digest, if it is stored. A file whose content has another digest by now is ignored.
    pub(crate) fn get(&self, digest: &str) -> Option<FileBytes> {
        let folders = std::iter::once((&self.vendored, &self.project)).chain(self.user.iter().map(|user| (user, user)));
        let mut found = folders.filter_map(|(folder, root)| read_inside(root, &folder.join(digest), self.limit).ok());
        found.find(|bytes| sha256(bytes) == digest).map(Into::into)
    }

    /// Stores bytes in the user's directory, which no other user of the machine may read. A cache that cannot be
    /// written is not an error.
    pub(crate) fn put(&self, digest: &str, bytes: &[u8]) {
        if let Some(folder) = &self.user {
            let base = folder.parent().unwrap_or(folder);
            let _ = refuse_links(base, folder).and_then(|()| make_private(folder)).and_then(|()| {
                replace(&folder.join(digest), |file| {
                    // The file has no content so far.
                    hide(file)?;
                    file.write_all(bytes)
                })
            });
        }
    }

    /// Stores bytes in the directory `formwork_modules` of the project.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn vendor(&self, digest: &str, bytes: &[u8]) -> std::io::Result<()> {
        make_below(&self.project, &self.vendored)?;
        replace(&self.vendored.join(digest), |file| file.write_all(bytes))
    }

    /// Returns the files stored with the project that have none of these digests.
    ///
    /// # Errors
    /// When the directory is a link, or cannot be read, or when an entry is not a stored source.
    pub(crate) fn surplus(&self, digests: &[String]) -> std::io::Result<Vec<PathBuf>> {
        refuse_links(&self.project, &self.vendored)?;
        let entries = match fs::read_dir(&self.vendored) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut found = Vec::new();
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            let is_digest = name.len() == 64 && name.to_string_lossy().bytes().all(|byte| byte.is_ascii_hexdigit());
            if is_digest && !digests.iter().any(|digest| *digest == name.to_string_lossy()) {
                if entry.file_type()?.is_dir() {
                    return Err(std::io::Error::other(format!("{} is a directory", entry.path().display())));
                }
                found.push(entry.path());
            }
        }
        Ok(found)
    }
}

pub(crate) fn remove(sources: &[PathBuf]) -> std::io::Result<()> {
    sources.iter().try_for_each(fs::remove_file)
}

/// Creates a directory and its missing parents, for the user alone.
#[cfg(unix)]
fn make_private(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn make_private(folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)
}

#[cfg(unix)]
fn hide(file: &fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn hide(_: &fs::File) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn no_other_user_reads_the_cache() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a directory");
        let user = folder.path().join("home/formwork");
        let cache = Cache::new(&folder.path().join("project"), Some(user.clone()), 100);
        let digest = sha256(b"text");
        cache.put(&digest, b"text");
        let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
        assert_eq!(mode(&user.join("sources").join(&digest)), 0o600);
        for made in [folder.path().join("home"), user.clone(), user.join("sources")] {
            assert_eq!(mode(&made), 0o700, "{}", made.display());
        }
    }

    #[test]
    fn stored_sources_are_checked_when_they_are_read() {
        let folder = tempfile::tempdir().expect("a directory");
        let cache = Cache::new(&folder.path().join("project"), Some(folder.path().join("user")), 100);
        let digest = sha256(b"text");
        assert_eq!(cache.get(&digest), None);
        cache.put(&digest, b"text");
        assert_eq!(cache.get(&digest).as_deref(), Some(&b"text"[..]));
        fs::write(folder.path().join("user/sources").join(&digest), b"other").expect("written");
        assert_eq!(cache.get(&digest), None);
        cache.vendor(&digest, b"text").expect("stored");
        assert!(cache.get(&digest).is_some());
        remove(&cache.surplus(&[]).expect("sources")).expect("removed");
        assert_eq!(cache.get(&digest), None);
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_stored_or_removed_behind_a_link() {
        let folder = tempfile::tempdir().expect("a directory");
        let (project, other) = (folder.path().join("project"), folder.path().join("other"));
        for directory in [&project, &other, &folder.path().join("user")] {
            fs::create_dir(directory).expect("a directory");
        }
        let digest = sha256(b"text");
        fs::write(other.join(&digest), b"text").expect("written");
        std::os::unix::fs::symlink(&other, project.join("formwork_modules")).expect("a link");
        std::os::unix::fs::symlink(&other, folder.path().join("user/sources")).expect("a link");
        let cache = Cache::new(&project, Some(folder.path().join("user")), 100);
        let new = sha256(b"new");
        assert!(cache.vendor(&new, b"new").is_err());
        assert!(cache.surplus(&[]).is_err());
        cache.put(&new, b"new");
        assert_eq!(fs::read_dir(&other).expect("a directory").count(), 1);
    }
}
