//! The files of a commit as a host of the library.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use formwork::disk::in_project;
use formwork::{FileBytes, Host, ReadError, VirtualPath};

use super::error::GitError;
use super::objects::Unread;
use super::tree::{End, Tree};
use crate::folder::folder;
use crate::host::ProjectHost;

/// A file of the command line, looked up in a commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Named {
    /// The content of the file.
    File(FileBytes),
    /// The commit does not have the file: each tree on the path was read.
    Absent,
    /// The file is in no directory of the repository, and has no revisions.
    Outside,
}

/// Reads the files of a commit.
pub struct GitHost {
    tree: Mutex<Tree>,
    commit: String,
    top: PathBuf,
    /// The directory that paths are relative to, from the top of the repository.
    folder: String,
    /// The first error that leaves open whether the commit has a file.
    unread: Mutex<Option<GitError>>,
    remote: Arc<ProjectHost>,
}

impl GitHost {
    pub(super) fn new(tree: Tree, commit: &str, (top, folder): (&Path, String), remote: Arc<ProjectHost>) -> GitHost {
        GitHost {
            tree: Mutex::new(tree),
            commit: commit.to_owned(),
            top: top.to_owned(),
            folder,
            unread: Mutex::default(),
            remote,
        }
    }

    /// Looks up a file of the working tree in the commit.
    ///
    /// # Errors
    /// When an object on the path cannot be read.
    pub fn named(&self, path: &Path) -> Result<Named, GitError> {
        let Some(name) = path.file_name() else { return Ok(Named::Outside) };
        let place = in_project(folder(path)).ok();
        let place = place.and_then(|place| {
            let inner = place.root.strip_prefix(&self.top).ok()?;
            Some((!inner.as_os_str().is_empty(), inner.join(&place.below).join(name)))
        });
        let Some((is_of_inner, below)) = place else { return Ok(Named::Outside) };
        let below = slashed(&below)?;
        match self.file(&below) {
            Ok(bytes) => Ok(Named::File(bytes)),
            // A file of a repository inside of this one.
            Err(End::Nothing) if is_of_inner => Ok(Named::Outside),
            Err(End::Nothing) => Ok(Named::Absent),
            Err(end) => Err(self.error(&below, &end)),
        }
    }

    /// Checks that for every requested file it is known whether the commit has it.
    ///
    /// # Errors
    /// The first error that left this open.
    pub fn proved(&self) -> Result<(), GitError> {
        let unread = self.unread.lock().unwrap_or_else(PoisonError::into_inner);
        unread.clone().map_or(Ok(()), Err)
    }

    fn file(&self, path: &str) -> Result<FileBytes, End> {
        let mut tree = self.tree.lock().unwrap_or_else(PoisonError::into_inner);
        tree.file(path).map(FileBytes::from)
    }

    fn error(&self, path: &str, end: &End) -> GitError {
        let commit = self.commit.get(..12).unwrap_or(&self.commit);
        let why = format!("{commit}:{path} cannot be read: {end}");
        match end {
            End::Unread(Unread::Missing(_) | Unread::Corrupt(_)) => GitError::incomplete(why),
            End::Submodule(_) => GitError::new(why, "run the command in the submodule, or pass two templates"),
            _ => GitError::new(why, "pass two templates instead of a revision"),
        }
    }
}

/// Returns a path with `/` between its parts.
///
/// # Errors
/// When the path is not UTF-8.
pub(super) fn slashed(path: &Path) -> Result<String, GitError> {
    let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
    let why = || format!("`{}` is not UTF-8, and cannot be looked for in Git", path.display());
    parts.map(|parts| parts.join("/")).ok_or_else(|| GitError::new(why(), "rename it, or pass two templates"))
}

impl Host for GitHost {
    fn read(&self, path: &VirtualPath) -> Result<FileBytes, ReadError> {
        if path.as_str().starts_with('/') {
            return Err(ReadError::OutsideRoot);
        }
        let below = format!("{}/{path}", self.folder);
        self.file(&below).map_err(|end| match end {
            End::Nothing | End::LinkToNothing | End::Round => ReadError::NotFound,
            End::Outside | End::LinkOutside => ReadError::OutsideRoot,
            End::Directory => ReadError::IsDirectory,
            End::Unread(Unread::TooLarge(limit)) => ReadError::TooLarge { limit },
            End::Submodule(_) | End::Unread(_) => {
                let error = self.error(path.as_str(), &end);
                let mut unread = self.unread.lock().unwrap_or_else(PoisonError::into_inner);
                unread.get_or_insert(error);
                ReadError::Other(end.to_string())
            }
        })
    }

    fn read_remote(&self, address: &str) -> Result<FileBytes, ReadError> {
        self.remote.read_remote(address)
    }

    fn full_path(&self, path: &VirtualPath) -> String {
        let path = VirtualPath::new(&format!("{}/{path}", self.folder));
        format!("{}:{}", self.commit.get(..12).unwrap_or(&self.commit), path.as_str().trim_start_matches('/'))
    }

    fn is_pinned(&self, address: &str) -> bool {
        self.remote.is_pinned(address)
    }
}
