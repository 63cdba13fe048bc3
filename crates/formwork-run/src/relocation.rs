//! Rewrites relative paths that would refer to other files in the directory of the output
//! (reference/command-line.md#relocated).

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use formwork::disk::without_dots;
use formwork::package::{ArtifactRef, Treatment};
use formwork::{Compilation, File, Relocation, Report};

use crate::{inputs, output};

/// The output files of a run.
#[derive(Default)]
pub struct Written<'p> {
    pairs: Vec<(&'p Path, &'p Path)>,
    /// The real paths of `pairs`, computed when a template refers to another one: most do not.
    real: OnceLock<HashMap<PathBuf, PathBuf>>,
    directories: Mutex<HashMap<OsString, PathBuf>>,
}

impl<'p> Written<'p> {
    /// Collects templates and their output files.
    pub fn new(pairs: impl IntoIterator<Item = (&'p Path, &'p Path)>) -> Written<'p> {
        Written { pairs: pairs.into_iter().collect(), ..Written::default() }
    }

    fn get(&self, template: &Path) -> Option<&PathBuf> {
        let pairs = || self.pairs.iter().map(|(from, to)| (real(from), real(to))).collect();
        self.real.get_or_init(pairs).get(template)
    }

    fn directory(&self, path: &Path) -> PathBuf {
        let mut directories = self.directories.lock().unwrap_or_else(PoisonError::into_inner);
        directories.entry(path.as_os_str().to_owned()).or_insert_with(|| real(path)).clone()
    }
}

/// Rewrites the paths of a template and its modules for the directory of the output, and reports those that cannot be
/// rewritten. For standard output, the paths are those from the directory of the template. `None` when every path stays
/// valid: there are errors, or all files are in the directory of the output.
pub fn relocate(template: &Path, to: Option<&Path>, report: &mut Report, written: &Written<'_>) -> Option<Relocation> {
    if report.has_errors() || !report.compilation().names_files() {
        return None;
    }
    let beside = inputs::folder(template);
    let parent = match to.filter(|to| output::is_file_to_be(to)) {
        Some(to) => to.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new(".")),
        None => beside,
    };
    // Most templates have no file elsewhere.
    if parent == beside && !has_files_elsewhere(report.compilation()) {
        return None;
    }
    let (directory, own_directory) = (written.directory(parent), written.directory(beside));
    if directory == own_directory && !has_files_elsewhere(report.compilation()) {
        return None;
    }
    // `None` for a file that is not on this disk.
    let path_of = |file: Option<File<'_>>| match file {
        Some(File::Elsewhere(_)) => None,
        Some(File::OnDisk(path)) => Some(own_directory.join(path.as_str())),
        None => Some(real(template)),
    };
    let is_in_directory = |file: &Path| file.parent().is_some_and(|parent| written.directory(parent) == directory);
    let path = |need: &ArtifactRef, file: Option<File<'_>>| {
        let file = path_of(file)?;
        if Path::new(&need.path).is_absolute() || need.path.contains("://") || is_in_directory(&file) {
            return None;
        }
        let full = without_dots(&file.parent()?.join(&need.path));
        match need.treatment {
            // Any other value is the name of an image.
            Treatment::Image if !full.exists() => None,
            Treatment::Template if let Some(output) = written.get(&real(&full)) => {
                Some(relative(&directory, output, ""))
            }
            _ => Some(relative(&directory, &full, &need.path)),
        }
    };
    let is_there = |file: Option<File<'_>>| path_of(file).is_none_or(|file| is_in_directory(&file));
    let mut relocation = Relocation::new(report.compilation(), &parent.display().to_string(), &path, &is_there);
    report.add(std::mem::take(&mut relocation.diagnostics));
    Some(relocation)
}

fn has_files_elsewhere(compilation: &Compilation) -> bool {
    let sources = compilation.sources();
    sources.files().any(|file| sources.path(file).as_str().contains('/'))
}

/// Returns a path that is relative to `from` for `directory`. Both are absolute.
pub(crate) fn moved(directory: &Path, from: &Path, path: &str) -> String {
    relative(directory, &without_dots(&from.join(path)), path)
}

/// Returns the path of `path` from `directory`, in the style of the path that it replaces. Both are absolute. A path on
/// another drive stays absolute.
fn relative(directory: &Path, path: &Path, style: &str) -> String {
    let shared = directory.components().zip(path.components()).take_while(|(a, b)| a == b).count();
    let ups = directory.components().skip(shared);
    if ups.clone().any(|part| !matches!(part, Component::Normal(_))) {
        return path.to_string_lossy().into_owned();
    }
    let downs = path.components().skip(shared).map(|part| part.as_os_str().to_string_lossy().into_owned());
    let mut parts: Vec<String> = ups.map(|_| "..".to_owned()).chain(downs).collect();
    if parts.first().is_none_or(|first| first != "..") && (style.starts_with("./") || parts.is_empty()) {
        parts.insert(0, ".".to_owned());
    }
    if style.ends_with('/') {
        parts.push(String::new());
    }
    parts.join("/")
}

pub(crate) fn real(path: &Path) -> PathBuf {
    let full = without_dots(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
    match (full.canonicalize(), full.parent(), full.file_name()) {
        (Ok(real), _, _) => real,
        (Err(_), Some(parent), Some(name)) => real(parent).join(name),
        _ => full,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_keep_their_style() {
        let from = |directory: &str, path: &str, style: &str| relative(Path::new(directory), Path::new(path), style);
        assert_eq!(from("/p/build", "/p/src", "./src"), "../src");
        assert_eq!(from("/p/build/a", "/p/src", "src/"), "../../src/");
        assert_eq!(from("/p/build", "/p/build/src", "./build/src"), "./src");
        assert_eq!(from("/p/build", "/p/build/src", "build/src"), "src");
        assert_eq!(from("/p/src", "/p/src", "src"), ".");
        assert_eq!(from("/p/src", "/p", "."), "..");
    }
}
