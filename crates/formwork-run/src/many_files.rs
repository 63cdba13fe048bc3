//! Templates of several files (reference/merge.md).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use formwork::disk::{Loader, read_file};
use formwork::{Change, Compilation, FileBytes, Limits, Options, Session, UnitedText, VirtualPath};
use formwork_project::{Failure, FileFailure};

use crate::folder::display_prefix;
use crate::relocation;

/// The files of one template, in their order.
#[derive(Debug)]
pub struct ManyFiles {
    /// The files, as typed or found.
    pub files: Vec<PathBuf>,
    /// The loader of files that were found, not typed.
    found_by: Option<Arc<Loader>>,
    /// The directory around all files, as typed.
    directory: PathBuf,
}

impl ManyFiles {
    /// Creates the value for files on the command line.
    pub fn named(files: Vec<PathBuf>) -> ManyFiles {
        ManyFiles { directory: common(&files), files, found_by: None }
    }

    /// Creates the value for files that were found by patterns.
    pub fn found(files: Vec<PathBuf>, loader: Arc<Loader>) -> ManyFiles {
        ManyFiles { found_by: Some(loader), ..ManyFiles::named(files) }
    }

    /// Returns the directory from which the paths of the files are relative in a session.
    pub fn directory(&self) -> &Path {
        if self.directory.as_os_str().is_empty() { Path::new(".") } else { &self.directory }
    }

    /// Returns the paths of the files in a session.
    pub fn paths(&self) -> Vec<VirtualPath> {
        let relative = |file: &PathBuf| {
            let path = file.strip_prefix(&self.directory).unwrap_or(file);
            VirtualPath::new(&path.to_string_lossy())
        };
        self.files.iter().map(relative).collect()
    }

    /// Returns the prefix with which the paths are shown.
    pub fn prefix(&self) -> String {
        display_prefix(&self.directory)
    }

    /// Reads the files.
    ///
    /// # Errors
    /// The first file that cannot be read.
    pub fn read(&self) -> Result<Vec<FileBytes>, Failure> {
        let read = |file: &PathBuf| {
            let read = match &self.found_by {
                Some(loader) => loader.read_found(file),
                None => read_file(file, Limits::default().file_bytes),
            };
            let read = read.map_err(|error| FileFailure::unread(file, &error).of_template())?;
            Ok(FileBytes::from(read.bytes))
        };
        self.files.iter().map(read).collect()
    }

    /// Reads the files and unites them.
    ///
    /// # Errors
    /// Those of [`ManyFiles::read`].
    pub fn unite(&self, is_strict: bool) -> Result<Arc<Compilation>, Failure> {
        let mut paths = self.paths();
        let session = Session::new(formwork::MemoryHost::new(), Options::default());
        session.apply(paths.iter().cloned().zip(self.read()?).map(|(path, bytes)| Change::Set(path, bytes)));
        let first = paths.remove(0);
        let options =
            Options { other_files: paths, display_prefix: self.prefix(), strict: is_strict, ..Options::default() };
        Ok(session.with_options(options).snapshot().unite(&first))
    }

    /// Writes united files as one text for a directory: relative paths lead to the same files from there.
    pub fn text(&self, united: &Compilation, directory: &Path) -> Option<UnitedText> {
        let own = relocation::real(self.directory());
        let directory = relocation::real(directory);
        united.united_text(&|file, path| {
            let file = own.join(file.as_str());
            let from = file.parent().unwrap_or(&own);
            if from == directory {
                return None;
            }
            Some(relocation::moved(&directory, from, path))
        })
    }
}

/// Returns the directory that all paths begin with.
fn common(files: &[PathBuf]) -> PathBuf {
    let mut directories = files.iter().map(|file| file.parent().unwrap_or(Path::new("")));
    let Some(first) = directories.next() else { return PathBuf::new() };
    let mut shared = first.to_owned();
    for directory in directories {
        while !directory.starts_with(&shared) && shared.pop() {}
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_below_the_common_directory() {
        let of = |files: &[&str]| {
            let many = ManyFiles::named(files.iter().map(PathBuf::from).collect());
            let paths: Vec<String> = many.paths().iter().map(ToString::to_string).collect();
            (many.prefix(), paths)
        };
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(of(&["a/b/x.yaml", "a/c/y.yaml"]), ("a/".to_owned(), names(&["b/x.yaml", "c/y.yaml"])));
        assert_eq!(of(&["x.yaml", "a/y.yaml"]), (String::new(), names(&["x.yaml", "a/y.yaml"])));
        assert_eq!(of(&["/r/x.yaml", "/s/y.yaml"]), ("/".to_owned(), names(&["r/x.yaml", "s/y.yaml"])));
    }
}
