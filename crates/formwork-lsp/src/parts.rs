//! Files that are a part of a template of several files (reference/configuration.md#template).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use formwork::{Options, VirtualPath};
use formwork_project::DeclaredTemplate;

use crate::configuration::{self, Reader};
use crate::parameter_files::is_parameter_file as is_match;
use crate::world::relative;

/// The other files of a template, from the directory of one of them.
pub(crate) struct Parts {
    before: Vec<VirtualPath>,
    behind: Vec<VirtualPath>,
}

/// Returns the other files of the template that a file is a part of; `None` if it is a template by itself. `files` returns
/// the known templates below a directory.
pub(crate) fn of(reader: &Reader<'_>, path: &Path, files: &dyn Fn(&Path) -> BTreeSet<PathBuf>) -> Option<Parts> {
    let folder = path.parent()?;
    let configuration = configuration::project_file(reader, folder)?;
    let directory = configuration.path.parent()?;
    if configuration.templates().is_empty() {
        return None;
    }
    let known = files(directory);
    let own = configuration.templates().iter().map(|template| files_of(template, directory, &known));
    let all = own.into_iter().find(|files| files.iter().any(|file| file == path))?;
    let at = all.iter().position(|file| file == path)?;
    let paths = |files: &[PathBuf]| files.iter().map(|file| relative(file, folder)).collect();
    Some(Parts { before: paths(all.get(..at)?), behind: paths(all.get(at + 1..)?) })
}

/// The files of a declared template, in their order, each once.
fn files_of(template: &DeclaredTemplate, directory: &Path, known: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    for (pattern, _) in &template.files {
        let pattern = [pattern.clone()];
        for file in known {
            let below = file.strip_prefix(directory).map(|path| path.to_string_lossy().replace('\\', "/"));
            if below.is_ok_and(|path| is_match(&pattern, &path)) && !files.contains(file) {
                files.push(file.clone());
            }
        }
    }
    files
}

impl Parts {
    pub(crate) fn applied_to(self, options: Options) -> Options {
        let files_before = self.before.len();
        let other_files = self.before.into_iter().chain(self.behind).collect();
        Options { other_files, files_before, ..options }
    }
}
