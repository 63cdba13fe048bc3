//! The directory of the results of many templates (reference/command-line.md#output).

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use formwork::disk::temporaries::Temporary;
use formwork::disk::{Loader, refuse_links, refuse_links_to};
use formwork_project::Failure;
use tempfile::TempDir;

use crate::folder::folder;
use crate::output::{Destination, failed};

/// A directory of results. A new one is created under a temporary name beside its path and renamed when all results are
/// in it, so that none of them needs a temporary name.
pub struct OutputDirectory<'a> {
    path: &'a Path,
    is_new: bool,
    real: Option<PathBuf>,
    /// The real paths of all results, computed only when a run reads something in the directory.
    results: OnceLock<HashSet<PathBuf>>,
    made: Mutex<Made>,
}

#[derive(Default)]
struct Made {
    /// The directory under its temporary name, which is removed on a signal.
    temporary: Option<(TempDir, Temporary)>,
    directories: BTreeSet<PathBuf>,
    /// Set when the path is known to contain no link.
    is_checked: bool,
}

/// The path of a result.
pub struct OutputPath<'p> {
    to: &'p Path,
    /// The path until the directory is renamed.
    temporary: Option<PathBuf>,
}

impl OutputPath<'_> {
    /// Returns the destination to write to.
    pub fn destination(&self) -> Destination<'_> {
        match &self.temporary {
            None => Destination::Usual(Some(self.to)),
            Some(at) => Destination::New { at, to: self.to },
        }
    }

    fn directory(&self) -> Option<&Path> {
        self.temporary.as_deref().unwrap_or(self.to).parent()
    }
}

impl<'a> OutputDirectory<'a> {
    /// Creates the value without creating the directory.
    pub fn new(path: &'a Path) -> OutputDirectory<'a> {
        let is_new = path.file_name().is_some() && fs::symlink_metadata(path).is_err();
        let real = if is_new { None } else { path.canonicalize().ok() };
        OutputDirectory { path, is_new, real, results: OnceLock::new(), made: Mutex::default() }
    }

    /// Rejects a run that would write a result over one of its templates. `results` are those of all templates.
    ///
    /// # Errors
    /// When a template would be overwritten; the error has its path.
    pub fn keep_templates<'p>(
        &self,
        results: impl Iterator<Item = &'p Path>,
        templates: impl Iterator<Item = &'p Path>,
    ) -> Result<(), Failure> {
        let Some(directory) = &self.real else { return Ok(()) };
        let mut parents: HashMap<&Path, Option<PathBuf>> = HashMap::new();
        let inner: Vec<&Path> = templates
            .filter(|template| {
                let parent = folder(template);
                let real = parents.entry(parent).or_insert_with(|| parent.canonicalize().ok());
                real.as_ref().is_some_and(|parent| parent.starts_with(directory))
            })
            .collect();
        self.keep(directory, results, &inner)
    }

    /// Rejects a result when its template has read a file at the path of a result.
    ///
    /// # Errors
    /// When a file would be overwritten; the error has its path.
    pub fn keep_read<'p>(&self, results: impl Iterator<Item = &'p Path>, loader: &Loader) -> Result<(), Failure> {
        let Some(directory) = &self.real else { return Ok(()) };
        let inner = loader.read_below(directory);
        let inner: Vec<&Path> = inner.iter().map(PathBuf::as_path).collect();
        self.keep(directory, results, &inner)
    }

    fn keep<'p>(
        &self,
        directory: &Path,
        results: impl Iterator<Item = &'p Path>,
        inputs: &[&Path],
    ) -> Result<(), Failure> {
        if inputs.is_empty() {
            return Ok(());
        }
        let in_directory = |result: &Path| Some(directory.join(result.strip_prefix(self.path).ok()?));
        let results = self.results.get_or_init(|| results.filter_map(in_directory).collect());
        let is_result = |input: &&&Path| input.canonicalize().is_ok_and(|input| results.contains(&input));
        match inputs.iter().find(is_result) {
            None => Ok(()),
            Some(input) => {
                let (directory, input) = (self.path.display(), input.display());
                Err(format!("-o {directory} would overwrite an input, {input}: name another directory").into())
            }
        }
    }

    /// Returns the place of the file `to`, which is below this directory. Its parent directory is created.
    ///
    /// # Errors
    /// When the directory cannot be created.
    pub fn path_of<'p>(&self, to: &'p Path) -> Result<OutputPath<'p>, Failure> {
        let refused = |error: std::io::Error| format!("{} cannot be written: {error}", to.display());
        refuse_links(self.path, to).map_err(refused)?;
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if !made.is_checked {
            refuse_links_to(self.path, None).map_err(|error| failed(self.path, &error))?;
            made.is_checked = true;
        }
        let temporary = match to.strip_prefix(self.path) {
            Ok(below) if self.is_new => {
                let temporary = match made.temporary.take() {
                    Some(temporary) => temporary,
                    None => temporary_beside(self.path)?,
                };
                Some(made.temporary.insert(temporary).0.path().join(below))
            }
            _ => None,
        };
        let path = OutputPath { to, temporary };
        if let Some(parent) = path.directory()
            && !made.directories.contains(parent)
        {
            let shown = to.parent().unwrap_or(to).display();
            fs::create_dir_all(parent).map_err(|error| format!("{shown} cannot be made: {error}"))?;
            made.directories.insert(parent.to_owned());
        }
        Ok(path)
    }

    /// Renames a new directory to its final name, if it is not empty.
    ///
    /// # Errors
    ///
    /// When the name is used by now.
    pub fn finish(self) -> Result<&'a Path, Failure> {
        let made = self.made.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some((temporary, _held)) = made.temporary {
            fs::rename(temporary.path(), self.path).map_err(|error| failed(self.path, &error))?;
            // The directory is not temporary any more.
            let _ = temporary.keep();
        }
        Ok(self.path)
    }
}

fn temporary_beside(path: &Path) -> Result<(TempDir, Temporary), String> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(|error| format!("{} cannot be made: {error}", parent.display()))?;
    let held = Temporary::new();
    let mut builder = tempfile::Builder::new();
    builder.prefix(".formwork-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The mode of any new directory; the umask of the process is applied to it.
        builder.permissions(fs::Permissions::from_mode(0o777));
    }
    // The error itself contains the temporary path, which is of no use to anyone.
    let made = builder.tempdir_in(parent).map_err(|error| failed(path, &error.kind().into()))?;
    Ok((made, held))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_directory_that_was_to_be() {
        let to = Path::new("/proc/out/template.yaml");
        let why = OutputDirectory::new(Path::new("/proc/out")).path_of(to).err().expect("nobody can make it");
        let why = String::from(why);
        assert!(why.starts_with("/proc/out cannot be written: "), "{why}");
        assert!(!why.contains(".tmp"), "{why}");
    }
}
