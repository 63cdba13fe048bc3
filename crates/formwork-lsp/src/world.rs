//! The sessions of a workspace: one for each directory with templates, as paths are relative to it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use formwork::disk::is_inside;
use formwork::{Change, FileText, Options, Session, Sources, VirtualPath};

use crate::configuration::{self, Reader};
use crate::document::{Document, name_of};
use crate::hosts::Hosts;
use crate::links::without_links;
use crate::roots::Roots;
use crate::schemas::Private;
use crate::value_sets::{self, DEFAULT};
use crate::what_if::WhatIf;

/// The sessions of a workspace with the options of their templates. All share parsed content.
#[derive(Default)]
pub(crate) struct World {
    sources: Arc<Sources>,
    hosts: Hosts,
    shared: Mutex<SharedData>,
}

/// The data that requests of all states share. Open documents are those of the last change: a directory that is first
/// used at an earlier state has the same content as one that was there.
#[derive(Default)]
struct SharedData {
    directories: BTreeMap<PathBuf, Directory>,
    private: Private,
    settled: u64,
    open: Arc<BTreeMap<PathBuf, Arc<Document>>>,
}

#[derive(Clone)]
struct Directory {
    session: Session<'static>,
    /// The root outside of which nothing is read, whatever is open.
    root: PathBuf,
    /// Options by the name of the template; those of the others have an empty one.
    options: BTreeMap<String, Configured>,
}

/// The options of a template, and every file that influences them.
#[derive(Clone)]
struct Configured {
    options: Arc<Options>,
    files: BTreeSet<PathBuf>,
}

pub(crate) struct Surroundings<'s> {
    pub(crate) roots: &'s Roots,
    pub(crate) values: &'s BTreeMap<PathBuf, WhatIf>,
    pub(crate) parameter_files: &'s [String],
    /// The set of values of templates without their own.
    pub(crate) first: &'s str,
    pub(crate) settled: u64,
}

impl Surroundings<'_> {
    /// The values of templates without their own. A set that does not exist is ignored.
    fn first_values(&self, reader: &Reader<'_>, folder: &Path) -> WhatIf {
        let is_there = || value_sets::has(reader, self.parameter_files, folder, self.first);
        let id = (self.first != DEFAULT && is_there()).then(|| self.first.to_owned());
        WhatIf { id, ..WhatIf::default() }
    }
}

impl World {
    pub(crate) fn new(hosts: Hosts) -> World {
        World { hosts, ..World::default() }
    }

    fn shared(&self) -> MutexGuard<'_, SharedData> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn session(&self, path: &Path, around: &Surroundings<'_>) -> (Session<'static>, VirtualPath) {
        let folder = path.parent().unwrap_or(Path::new("/"));
        let SharedData { directories, private, settled, open } = &mut *self.shared();
        let make = || Directory::new(&self.sources, &self.hosts, folder, (around, open));
        if *settled != around.settled {
            // The session of an outdated state with other settings is not kept for later states.
            return make().session(path, around, open, &mut Private::default());
        }
        directories.entry(folder.to_owned()).or_insert_with(make).session(path, around, open, private)
    }

    /// Applies changes: files changed, appeared or are gone; an open document has its text. `documents` are the open
    /// ones.
    pub(crate) fn apply(
        &self,
        changes: &[(PathBuf, Option<FileText>)],
        documents: &Arc<BTreeMap<PathBuf, Arc<Document>>>,
    ) {
        let SharedData { directories, private, open, .. } = &mut *self.shared();
        *open = Arc::clone(documents);
        let changes: Vec<_> = changes.iter().map(|(path, text)| (path, without_links(path), text)).collect();
        // For a directory, its content.
        let is_changed = |file: &Path| changes.iter().any(|(path, ..)| path.starts_with(file));
        private.forget(is_changed);
        for (folder, directory) in directories {
            let own = changes
                .iter()
                .filter_map(|(path, real, text)| directory.change(folder, (path, real.as_deref()), (*text).clone()));
            directory.session.apply(own.collect::<Vec<_>>());
            directory.options.retain(|_, configured| !configured.files.iter().any(|file| is_changed(file)));
        }
    }

    /// The files that influence options, whether or not they exist; for a directory, its content.
    pub(crate) fn configuration_files(&self) -> BTreeSet<PathBuf> {
        let shared = self.shared();
        let all = shared.directories.values().flat_map(|directory| directory.options.values());
        all.flat_map(|configured| configured.files.iter().cloned()).collect()
    }

    /// Drops the options of templates after a change of values or settings. Returns the number of such changes.
    pub(crate) fn forget_options(&self) -> u64 {
        let mut shared = self.shared();
        for directory in shared.directories.values_mut() {
            directory.options.clear();
        }
        shared.settled += 1;
        shared.settled
    }

    /// Drops everything but parsed content after a change of roots or trust. Returns the number of such changes.
    pub(crate) fn forget(&self) -> u64 {
        let mut shared = self.shared();
        shared.directories.clear();
        shared.private = Private::default();
        shared.settled += 1;
        shared.settled
    }

    /// The number of times that a file was parsed, and that a template was analyzed.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let shared = self.shared();
        let sessions = shared.directories.values().map(|directory| &directory.session);
        sessions.fold((0, 0), |(parses, compiles), session| (parses + session.parses(), compiles + session.analyses()))
    }
}

impl Directory {
    fn session(
        &mut self,
        path: &Path,
        around: &Surroundings<'_>,
        open: &BTreeMap<PathBuf, Arc<Document>>,
        private: &mut Private,
    ) -> (Session<'static>, VirtualPath) {
        let folder = path.parent().unwrap_or(Path::new("/"));
        let name = name_of(path);
        let key = if around.values.contains_key(path) { name.clone() } else { String::new() };
        let configured = self.options.entry(key).or_insert_with(|| {
            let reader = Reader::new(around.roots, open);
            let values = around.values.get(path).cloned().unwrap_or_else(|| around.first_values(&reader, folder));
            let choice = (&values, around.parameter_files);
            let file = configuration::project_file(&reader, folder);
            let schemas = private.schemas(&reader, folder, file.as_ref());
            let options = Arc::new(configuration::options(&reader, folder, choice, schemas));
            Configured { options, files: reader.into_asked() }
        });
        (self.session.with_options(Arc::clone(&configured.options)), VirtualPath::new(&name))
    }

    fn new(
        sources: &Arc<Sources>,
        hosts: &Hosts,
        folder: &Path,
        (around, open): (&Surroundings<'_>, &BTreeMap<PathBuf, Arc<Document>>),
    ) -> Directory {
        let root = around.roots.project_root(folder);
        let real = root.canonicalize().unwrap_or_else(|_| root.clone());
        let host = hosts.host(folder, &root);
        let session = Session::sharing(Arc::clone(sources), host, Options::default());
        let directory = Directory { session, root: real, options: BTreeMap::new() };
        let changes = open.iter().filter_map(|(path, document)| {
            directory.change(folder, (path, without_links(path).as_deref()), Some(document.text.clone()))
        });
        directory.session.apply(changes.collect::<Vec<_>>());
        directory
    }

    /// The change of a file for this directory's session.
    fn change(&self, folder: &Path, (path, real): (&Path, Option<&Path>), text: Option<FileText>) -> Option<Change> {
        let virtual_path = relative(path, folder);
        match text {
            Some(text) => self.may_read(folder, (path, real)).then(|| Change::Set(virtual_path, text.into())),
            None => Some(Change::Reload(virtual_path)),
        }
    }

    /// Returns `true` if templates in this directory may read a file: an open document must be in the project root,
    /// too.
    fn may_read(&self, folder: &Path, (path, real): (&Path, Option<&Path>)) -> bool {
        path.parent() == Some(folder) || real.is_some_and(|real| is_inside(&self.root, real))
    }
}

pub(crate) fn relative(path: &Path, folder: &Path) -> VirtualPath {
    let parts = |path: &Path| -> Vec<String> {
        path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
    };
    let (path, folder) = (parts(path), parts(folder));
    let shared = path.iter().zip(&folder).take_while(|(a, b)| a == b).count();
    let up = folder.iter().skip(shared).map(|_| "..");
    let whole = up.chain(path.iter().skip(shared).map(String::as_str)).collect::<Vec<_>>().join("/");
    VirtualPath::new(&whole)
}

pub(crate) fn absolute(path: &VirtualPath, folder: &Path) -> PathBuf {
    formwork::disk::without_dots(&folder.join(path.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_directory_of_the_template() {
        let folder = Path::new("/w/a/b");
        for (path, want) in [("/w/a/b/t.yaml", "t.yaml"), ("/w/a/m.yaml", "../m.yaml"), ("/x.yaml", "../../../x.yaml")]
        {
            let relative = relative(Path::new(path), folder);
            assert_eq!(relative.as_str(), want);
            assert_eq!(absolute(&relative, folder), Path::new(path));
        }
    }
}
