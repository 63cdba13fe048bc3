//! Rejects links that a write would follow (reference/command-line.md#trust).

use std::collections::HashSet;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::loader::regular;
use crate::without_dots::without_dots;

/// Checks that an output directory is not a link and is not behind one. For a directory below the working directory or
/// the project root `root`, all parts from there on are checked: a link there may come with the tree. For any other
/// directory, the user chose the path.
///
/// # Errors
/// When a part of the path is a link; the error contains it.
pub fn refuse_links_to(directory: &Path, root: Option<&Path>) -> io::Result<()> {
    let here = std::env::current_dir()?;
    let full = without_dots(&here.join(directory));
    let bases = [Some(here.as_path()), root];
    // From the outermost directory on: the other one may be behind a link.
    let base =
        bases.into_iter().flatten().filter(|base| full.starts_with(base)).min_by_key(|base| base.as_os_str().len());
    let base = base.or(full.parent()).unwrap_or(&full);
    refuse_links(base, &full).map_err(|error| named(&error, &full, directory))
}

/// Like [`Unlinked::refuse`], for one path.
///
/// # Errors
/// When a part of the path is a link; the error contains it.
pub fn refuse_links(directory: &Path, path: &Path) -> io::Result<()> {
    Unlinked::new(directory).refuse(path)
}

/// A directory below which many paths are checked: common parts are checked a single time.
#[derive(Debug)]
pub struct Unlinked<'d> {
    directory: &'d Path,
    /// Directories that are not links.
    known: HashSet<PathBuf>,
}

impl<'d> Unlinked<'d> {
    /// Creates the value without known directories.
    pub fn new(directory: &'d Path) -> Unlinked<'d> {
        Unlinked { directory, known: HashSet::new() }
    }

    /// Checks that no part of `path` below the directory is a link. A missing part is not a link.
    ///
    /// # Errors
    /// When a part of the path is a link; the error contains it.
    pub fn refuse(&mut self, path: &Path) -> io::Result<()> {
        let outside = || io::Error::other("it is outside the directory");
        let below = path.strip_prefix(self.directory).map_err(|_| outside())?;
        if !below.components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(outside());
        }
        if below.as_os_str().is_empty() {
            return Ok(());
        }
        let is_open = |at: &&Path| *at != self.directory && !self.known.contains(*at);
        let mut open: Vec<&Path> = path.ancestors().skip(1).take_while(is_open).collect();
        while let Some(at) = open.pop() {
            match at.symlink_metadata() {
                Ok(found) if found.is_symlink() => return Err(is_link(at)),
                Ok(_) => drop(self.known.insert(at.to_owned())),
                // Nothing exists below a missing directory.
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        match path.symlink_metadata() {
            Ok(found) if found.is_symlink() => Err(is_link(path)),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Reads a regular file of at most `limit` bytes, whose path contains no link.
    ///
    /// # Errors
    /// When the file cannot be read or is not such a file.
    pub fn read(&mut self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        self.refuse(path)?;
        regular(path, limit).map_err(|error| io::Error::other(error.to_string()))
    }
}

/// Creates a directory, and those between it and `base`, none of which may be a link.
///
/// # Errors
/// When a directory cannot be created, or a link is in the path.
pub fn make_below(base: &Path, directory: &Path) -> io::Result<()> {
    refuse_links(base, directory)?;
    std::fs::create_dir_all(directory)
}

/// Removes a file or a directory with everything in it, if it exists; links in it are removed, not followed. It must be
/// below `base`, and its path must not contain a link.
///
/// # Errors
/// When it cannot be removed, or a link is in the path.
pub fn remove_below(base: &Path, path: &Path) -> io::Result<()> {
    refuse_links(base, path.parent().filter(|parent| parent.starts_with(base)).ok_or(io::ErrorKind::InvalidInput)?)?;
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(found) if found.is_dir() => std::fs::remove_dir_all(path),
        Ok(_) => std::fs::remove_file(path),
    }
}

fn is_link(at: &Path) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidInput,
        format!("{} is a symbolic link, and nothing is written through one", at.display()),
    )
}

/// Returns the error with the path as typed, if the path has the link.
fn named(error: &io::Error, full: &Path, typed: &Path) -> io::Error {
    let text = error.to_string();
    let short = text.strip_prefix(&*full.to_string_lossy()).map(|rest| format!("{}{rest}", typed.display()));
    io::Error::new(error.kind(), short.unwrap_or(text))
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    fn tree() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let directory = tempfile::tempdir().expect("a directory");
        let base = directory.path().canonicalize().expect("it exists");
        let (root, outside) = (base.join("root"), base.join("outside"));
        fs::create_dir_all(root.join("a/b")).expect("directories");
        fs::create_dir_all(outside.join("b")).expect("directories");
        fs::write(outside.join("file"), "theirs").expect("written");
        symlink(&outside, root.join("link")).expect("a link");
        symlink("../..", root.join("a/up")).expect("a link");
        symlink(outside.join("file"), root.join("a/file")).expect("a link");
        (directory, root, outside)
    }

    #[test]
    fn a_link_at_any_level_is_refused() {
        let (_directory, root, _) = tree();
        let mut known = Unlinked::new(&root);
        for clean in ["a", "a/b", "a/b/c/d", "new", "a/./b"] {
            assert!(refuse_links(&root, &root.join(clean)).is_ok(), "{clean}");
            assert!(known.refuse(&root.join(clean)).is_ok(), "{clean}");
            assert!(refuse_links_to(&root.join(clean), Some(&root)).is_ok(), "{clean}");
        }
        for linked in ["link", "link/b", "link/new/deep", "a/up", "a/up/a", "a/file"] {
            assert!(refuse_links(&root, &root.join(linked)).is_err(), "{linked}");
            assert!(known.refuse(&root.join(linked)).is_err(), "{linked}");
            assert!(refuse_links_to(&root.join(linked), Some(&root)).is_err(), "{linked}");
            assert!(make_below(&root, &root.join(linked)).is_err(), "{linked}");
        }
        assert!(refuse_links(&root, &root.join("a/../link")).is_err());
        assert!(known.refuse(&root.join("a/../link")).is_err());
        assert!(known.refuse(Path::new("/elsewhere")).is_err());
        assert!(refuse_links(&root, Path::new("/elsewhere")).is_err());
    }

    #[test]
    fn a_directory_elsewhere_is_refused_when_it_is_a_link_itself() {
        let (_directory, root, outside) = tree();
        let elsewhere = root.parent().expect("a parent").join("alias");
        symlink(&outside, &elsewhere).expect("a link");
        assert!(refuse_links_to(&elsewhere, Some(&root)).is_err());
        // Whoever typed this knows the way.
        assert!(refuse_links_to(&elsewhere.join("b"), Some(&root)).is_ok());
    }

    #[test]
    fn links_are_removed_and_never_followed() {
        let (_directory, root, outside) = tree();
        assert!(remove_below(&root, &root.join("link/file")).is_err());
        assert!(remove_below(&root, &root).is_err());
        remove_below(&root, &root.join("link")).expect("removed");
        remove_below(&root, &root.join("a")).expect("removed");
        remove_below(&root, &root.join("missing")).expect("nothing to do");
        assert_eq!(fs::read_dir(&root).expect("a directory").count(), 0);
        assert_eq!(fs::read_to_string(outside.join("file")).expect("it stays"), "theirs");
    }
}
