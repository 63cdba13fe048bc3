//! Reads whole files.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use formwork_base::{FileBytes, ReadError};

use crate::contents::{Content, Contents};
use crate::file_id::{FileId, file_id, id_of};
use crate::open::{open_regular_file, reason};

/// Reads the files of one project and records them, so that nothing is ever written over an input. Clones share the
/// record.
#[derive(Clone, Debug)]
pub struct Loader {
    root: PathBuf,
    limit: u64,
    read: Arc<Mutex<BTreeMap<PathBuf, Option<FileId>>>>,
    /// The cache for all loaders of the project.
    contents: Option<Arc<Contents>>,
}

/// A file that was read.
#[derive(Debug)]
pub struct ReadFile {
    /// The content of the file.
    pub bytes: Vec<u8>,
    /// The identity of the file.
    pub id: Option<FileId>,
}

impl Loader {
    /// Creates a loader for the project in `root`. `limit` is the size of the largest file that is read, in bytes.
    ///
    /// # Errors
    /// When the project root does not exist.
    pub fn new(root: &Path, limit: u64) -> std::io::Result<Loader> {
        let root = if root.as_os_str().is_empty() { Path::new(".") } else { root };
        Ok(Loader { root: root.canonicalize()?, limit, read: Arc::default(), contents: None })
    }

    /// Returns a loader for the same project with a record of its own, which begins with the files so far.
    #[must_use]
    pub fn apart(&self) -> Loader {
        let read = Arc::new(Mutex::new(self.memory().clone()));
        Loader { root: self.root.clone(), limit: self.limit, read, contents: self.contents.clone() }
    }

    /// Returns the same loader with a cache: it, its clones and those [`apart`](Loader::apart) read each file that
    /// templates refer to once, and see no change of it. For a run over many templates.
    #[must_use]
    pub fn reading_once(self) -> Loader {
        Loader { contents: Some(Arc::default()), ..self }
    }

    /// Returns the project root, without links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Reads a file that a template or a directory refers to: a regular file inside the project root.
    ///
    /// # Errors
    /// Returns why the file cannot be read.
    pub fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        let (real, read) = inside(&self.root, path, self.limit)?;
        self.memory().insert(real, read.id);
        Ok(read.bytes)
    }

    /// Like [`Loader::read`], with bytes that copies share. With [`Loader::reading_once`] they may come from the cache.
    ///
    /// # Errors
    /// The errors of [`Loader::read`].
    pub fn read_bytes(&self, path: &Path) -> Result<FileBytes, ReadError> {
        let Some(contents) = &self.contents else { return self.read(path).map(Into::into) };
        let read = || {
            let (real, read) = inside(&self.root, path, self.limit)?;
            Ok(Content { real, id: read.id, bytes: read.bytes.into() })
        };
        let Content { real, id, bytes } = contents.get(path, read)?;
        self.memory().insert(real, id);
        Ok(bytes)
    }

    /// Reads a file that is not on the command line, like [`Loader::read`], and returns its identity.
    ///
    /// # Errors
    /// Returns why the file cannot be read.
    pub fn read_found(&self, path: &Path) -> Result<ReadFile, ReadError> {
        inside(&self.root, path, self.limit).map(|(_, read)| read)
    }

    /// Reads a regular file that a walk found, whose path contains no link.
    ///
    /// # Errors
    /// Returns why the file cannot be read.
    pub fn read_regular(&self, path: &Path) -> Result<ReadFile, ReadError> {
        let (file, metadata) = open_regular_file(path)?;
        bounded(file, &metadata, self.limit)
    }

    /// Reads a file on the command line: anything that can be read, wherever it is.
    ///
    /// # Errors
    /// Returns why the file cannot be read.
    pub fn read_named(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        let read = read_file(path, self.limit)?;
        self.note_file(path, read.id);
        Ok(read.bytes)
    }

    /// Records a file that something else read, if it exists.
    pub fn note(&self, path: &Path) {
        // Links are followed when the record is searched.
        self.note_file(path, None);
    }

    /// Like [`Loader::note`], with the identity of the file if it is known.
    pub fn note_file(&self, path: &Path, id: Option<FileId>) {
        self.memory().insert(path.to_owned(), id);
    }

    /// Returns `true` if the file at `path`, or one of its other names, was read.
    pub fn has_read(&self, path: &Path) -> bool {
        match path.metadata() {
            // A missing file, as most outputs are, was not read.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => false,
            Ok(metadata) if id_of(&metadata).is_some() => self.has_read_file(&metadata),
            _ => self.memory().keys().any(|read| is_same_file(read, path)),
        }
    }

    /// Returns `true` if the file with this metadata was read under any of its names. Only for a file with an identity
    /// (see [`FileId`]).
    pub fn has_read_file(&self, file: &Metadata) -> bool {
        let Some(id) = id_of(file) else { return false };
        self.memory().iter().any(|(path, read)| read.or_else(|| file_id(path)) == Some(id))
    }

    /// Returns the real paths of the files that were read, in order.
    pub fn files(&self) -> Vec<PathBuf> {
        let real: BTreeSet<PathBuf> = self.memory().keys().filter_map(|path| path.canonicalize().ok()).collect();
        real.into_iter().collect()
    }

    /// Returns the files of the project that were read below a directory, which has no links.
    pub fn read_below(&self, directory: &Path) -> Vec<PathBuf> {
        self.memory().keys().filter(|path| path.starts_with(directory)).cloned().collect()
    }

    fn memory(&self) -> std::sync::MutexGuard<'_, BTreeMap<PathBuf, Option<FileId>>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads a regular file of at most `limit` bytes that lies inside `root` once links are followed.
///
/// # Errors
/// Returns why the file cannot be read.
pub fn read_inside(root: &Path, path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    // Most optional files with the usual name do not exist: links in their paths need not be followed.
    path.symlink_metadata().map_err(|error| reason(&error))?;
    let root = root.canonicalize().map_err(|error| reason(&error))?;
    inside(&root, path, limit).map(|(_, read)| read.bytes)
}

/// Reads a file on the command line: a file, a pipe or a device, at most `limit` bytes of it.
///
/// # Errors
/// Returns why the file cannot be read.
pub fn read_named(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    read_file(path, limit).map(|read| read.bytes)
}

/// Like [`read_named`], and returns the identity of the file.
///
/// # Errors
/// The errors of [`read_named`].
pub fn read_file(path: &Path, limit: u64) -> Result<ReadFile, ReadError> {
    let file = File::open(path).map_err(|error| reason(&error))?;
    let metadata = file.metadata().map_err(|error| reason(&error))?;
    if metadata.is_dir() {
        return Err(ReadError::IsDirectory);
    }
    bounded(file, &metadata, limit)
}

/// Reads a regular file whose path contains no link.
pub(crate) fn regular(real: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let (file, metadata) = open_regular_file(real)?;
    bounded(file, &metadata, limit).map(|read| read.bytes)
}

/// Returns the real path and the bytes of a file inside `root`, which has no links.
fn inside(root: &Path, path: &Path, limit: u64) -> Result<(PathBuf, ReadFile), ReadError> {
    let real = path.canonicalize().map_err(|error| reason(&error))?;
    if !is_inside(root, &real) {
        return Err(ReadError::OutsideRoot);
    }
    let (file, metadata) = open_regular_file(&real)?;
    bounded(file, &metadata, limit).map(|read| (real, read))
}

/// Returns `true` if a path is inside a root; neither has links. The Git directory of a repository is outside of every
/// root.
pub fn is_inside(root: &Path, real: &Path) -> bool {
    real.strip_prefix(root).is_ok_and(|below| !below.components().any(|part| is_git(part.as_os_str())))
}

/// Returns `true` for the name `.git` in any case: some file systems ignore case.
pub fn is_git(name: &OsStr) -> bool {
    name.eq_ignore_ascii_case(".git")
}

/// Reads all bytes of a file, unless it has more than `limit`. The size that the file claims is a hint only.
fn bounded(file: File, metadata: &Metadata, limit: u64) -> Result<ReadFile, ReadError> {
    let (size, id) = (metadata.len(), id_of(metadata));
    let too_large = ReadError::TooLarge { limit };
    if size > limit {
        return Err(too_large);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| reason(&error))?;
    if bytes.len() as u64 > limit { Err(too_large) } else { Ok(ReadFile { bytes, id }) }
}

/// Returns `true` if two paths lead to the same file, by links or other names of it. `false` if one of them does not
/// exist.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    // A file without a path may still be open, such as standard input.
    if let Some((first, second)) = file_id(a).zip(file_id(b)) {
        return first == second;
    }
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(first), Ok(second)) => first == second,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const LIMIT: u64 = 1000;

    fn directory() -> (tempfile::TempDir, Loader) {
        let directory = tempfile::tempdir().expect("a directory");
        let project = directory.path().join("project");
        fs::create_dir(&project).expect("a directory");
        let loader = Loader::new(&project, LIMIT).expect("it exists");
        (directory, loader)
    }

    #[test]
    fn files_of_the_project_are_read_and_remembered() {
        let (directory, loader) = directory();
        let file = directory.path().join("project/a.yaml");
        fs::write(&file, "a").expect("written");
        assert!(!loader.has_read(&file));
        assert_eq!(loader.read(&file), Ok(b"a".to_vec()));
        assert!(loader.has_read(&directory.path().join("project/../project/a.yaml")));
        assert!(loader.clone().has_read(&file));
        assert_eq!(loader.read(&directory.path().join("project/b.yaml")), Err(ReadError::NotFound));
        assert_eq!(loader.read(&directory.path().join("project")), Err(ReadError::IsDirectory));
    }

    #[test]
    fn sizes_are_counted_while_reading() {
        let (directory, loader) = directory();
        let file = directory.path().join("project/a");
        fs::write(&file, vec![b' '; LIMIT as usize]).expect("written");
        assert_eq!(loader.read(&file).map(|bytes| bytes.len()), Ok(LIMIT as usize));
        fs::write(&file, vec![b' '; LIMIT as usize + 1]).expect("written");
        assert_eq!(loader.read(&file), Err(ReadError::TooLarge { limit: LIMIT }));
        assert_eq!(loader.read_named(&file), Err(ReadError::TooLarge { limit: LIMIT }));
    }

    #[cfg(unix)]
    #[test]
    fn links_that_leave_the_project_are_refused() {
        let (directory, loader) = directory();
        let outside = directory.path().join("secret");
        fs::write(&outside, "secret").expect("written");
        let link = directory.path().join("project/link");
        std::os::unix::fs::symlink(&outside, &link).expect("a link");
        assert_eq!(loader.read(&link), Err(ReadError::OutsideRoot));
        assert_eq!(loader.read_named(&link), Ok(b"secret".to_vec()));
        let inside = directory.path().join("project/inside");
        fs::write(directory.path().join("project/a"), "a").expect("written");
        std::os::unix::fs::symlink("a", &inside).expect("a link");
        assert_eq!(loader.read(&inside), Ok(b"a".to_vec()));
        assert!(open_regular_file(&inside).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn what_git_keeps_is_outside() {
        let (directory, loader) = directory();
        let project = directory.path().join("project");
        for git in [".git", "deep/.Git"] {
            fs::create_dir_all(project.join(git)).expect("directories");
            fs::write(project.join(git).join("config"), "token").expect("written");
            assert_eq!(loader.read(&project.join(git).join("config")), Err(ReadError::OutsideRoot), "{git}");
        }
        std::os::unix::fs::symlink(".git/config", project.join("a.yaml")).expect("a link");
        assert_eq!(loader.read(&project.join("a.yaml")), Err(ReadError::OutsideRoot));
        assert_eq!(read_inside(&project, &project.join("a.yaml"), LIMIT), Err(ReadError::OutsideRoot));
        fs::write(project.join(".gitignore"), "x").expect("written");
        assert_eq!(loader.read(&project.join(".gitignore")), Ok(b"x".to_vec()));
    }

    #[cfg(unix)]
    #[test]
    fn pipes_sockets_and_devices_are_refused_at_once() {
        let (directory, loader) = directory();
        let pipe = directory.path().join("project/pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
        assert!(made.success());
        assert_eq!(loader.read(&pipe), Err(ReadError::NotRegular("a named pipe")));
        let socket = directory.path().join("project/socket");
        let _listening = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
        assert_eq!(loader.read(&socket), Err(ReadError::NotRegular("a socket")));
        let devices = Loader::new(Path::new("/dev"), LIMIT).expect("it exists");
        assert_eq!(devices.read(Path::new("/dev/zero")), Err(ReadError::NotRegular("a device")));
        assert_eq!(loader.read_named(Path::new("/dev/zero")), Err(ReadError::TooLarge { limit: LIMIT }));
    }
}
