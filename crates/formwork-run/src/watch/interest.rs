//! The paths that wake a watch.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::watch::names;

/// The paths that wake a watch. All paths are real paths: absolute, without links.
#[derive(Clone, Debug, Default)]
pub struct Interest {
    /// The watched files.
    pub files: BTreeSet<PathBuf>,
    /// Directories that are watched with everything below them.
    pub directories: Vec<Directory>,
    /// Files and directories that wake nothing: outputs of the program itself.
    pub written: Vec<PathBuf>,
}

/// A directory, and patterns of files in it that wake nothing.
#[derive(Clone, Debug)]
pub struct Directory {
    /// The path of the directory.
    pub path: PathBuf,
    patterns: Vec<String>,
    ignored: Gitignore,
}

/// An invalid pattern in the syntax of `.gitignore`: the pattern itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidPattern(pub String);

impl fmt::Display for InvalidPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidPattern {}

impl Directory {
    /// Creates a directory in which files that match patterns, in the syntax of `.gitignore`, wake nothing.
    ///
    /// # Errors
    /// The first invalid pattern.
    pub fn new(path: PathBuf, patterns: Vec<String>) -> Result<Directory, InvalidPattern> {
        let mut builder = GitignoreBuilder::new(&path);
        for pattern in &patterns {
            builder.add_line(None, pattern).map_err(|_| InvalidPattern(pattern.clone()))?;
        }
        let ignored = builder.build().unwrap_or_else(|_| Gitignore::empty());
        Ok(Directory { path, patterns, ignored })
    }

    fn wakes(&self, path: &Path) -> bool {
        let Ok(relative) = path.strip_prefix(&self.path) else { return false };
        !names::is_own(relative) && !self.ignored.matched_path_or_any_parents(relative, false).is_ignore()
    }
}

impl PartialEq for Directory {
    fn eq(&self, other: &Directory) -> bool {
        (&self.path, &self.patterns) == (&other.path, &other.patterns)
    }
}

impl Interest {
    /// Returns `true` if a change of a path wakes the watch.
    pub fn wakes(&self, path: &Path) -> bool {
        if self.written.iter().any(|written| path.starts_with(written)) || names::is_of_editor(path) {
            return false;
        }
        self.files.contains(path) || self.directories.iter().any(|directory| directory.wakes(path))
    }

    /// Returns `true` if something wakes `next` that does not wake this.
    pub(crate) fn misses(&self, next: &Interest) -> bool {
        let is_written = |written: &PathBuf| next.written.contains(written);
        (&self.files, &self.directories) != (&next.files, &next.directories) || !self.written.iter().all(is_written)
    }

    /// Returns the directories that the system has to watch; the flag is set to include everything below.
    pub(crate) fn watched(&self) -> Vec<(PathBuf, bool)> {
        let mut deep: Vec<&Path> = self.directories.iter().map(|directory| directory.path.as_path()).collect();
        deep.sort_unstable();
        let mut all: Vec<(PathBuf, bool)> = Vec::new();
        for path in deep {
            if !all.iter().any(|(known, _)| path.starts_with(known)) {
                all.push((path.to_owned(), true));
            }
        }
        // An editor may replace a file, so its directory is watched.
        let parents: BTreeSet<&Path> = self.files.iter().filter_map(|file| file.parent()).collect();
        let is_covered = |path: &Path| all.iter().any(|(known, _)| path.starts_with(known));
        let shallow: Vec<_> = parents.into_iter().filter(|path| !is_covered(path)).collect();
        all.extend(shallow.into_iter().map(|path| (path.to_owned(), false)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interest() -> Interest {
        Interest {
            files: [PathBuf::from("/p/template.yaml"), PathBuf::from("/m/vpc.yaml")].into(),
            directories: vec![
                Directory::new("/p/src".into(), vec!["*.log".into(), "/tmp/".into()]).expect("patterns"),
                Directory::new("/p/src/deep".into(), Vec::new()).expect("patterns"),
            ],
            written: vec!["/p/src/out".into()],
        }
    }

    #[test]
    fn sources_and_named_files_wake() {
        let interest = interest();
        for path in ["/p/template.yaml", "/m/vpc.yaml", "/p/src/a.py", "/p/src", "/p/src/x/tmp/a"] {
            assert!(interest.wakes(Path::new(path)), "{path}");
        }
        for path in [
            "/p/README.md",
            "/p/.template.yaml.swp",
            "/p/src/a.log",
            "/p/src/tmp/a",
            "/p/src/.git/index",
            "/p/src/out/a.py",
            "/p/src/a.py~",
            "/p/srcs/a.py",
        ] {
            assert!(!interest.wakes(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn what_wakes_less_misses_nothing() {
        let all = interest();
        let less = Interest { written: vec!["/p/src/out".into(), "/p/src/made".into()], ..interest() };
        assert!(!all.misses(&less) && less.misses(&all) && !all.misses(&all));
        assert!(all.misses(&Interest { directories: Vec::new(), ..interest() }));
    }

    #[test]
    fn each_directory_is_watched_once() {
        let watched = interest().watched();
        assert_eq!(watched, [("/p/src".into(), true), ("/m".into(), false), ("/p".into(), false)]);
    }

    #[test]
    fn what_is_not_a_pattern_is_named() {
        assert_eq!(Directory::new("/p".into(), vec!["a{".into()]).err(), Some(InvalidPattern("a{".to_owned())));
    }
}
