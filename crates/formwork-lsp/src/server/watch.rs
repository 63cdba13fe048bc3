//! Files that change on the disk: those that the client watches, and those that the server checks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant, SystemTime};

use formwork::{Compilation, FileText};
use formwork_ide::Ide;
use serde_json::{Value, json};

use super::Server;
use crate::document::name_of;
use crate::scan::is_candidate;
use crate::uri;
use crate::world::absolute;

/// Changes of files within this time are combined.
const TOGETHER: Duration = Duration::from_millis(20);

pub(super) const METHOD: &str = "workspace/didChangeWatchedFiles";

struct Depends {
    /// The compilation from which it was read, and the number of templates, including nested ones.
    of: (Weak<Compilation>, usize),
    files: BTreeSet<PathBuf>,
}

#[derive(Default)]
pub(super) struct Watched {
    dependencies: BTreeMap<PathBuf, Depends>,
    /// The registrations of the client's watchers, with their IDs: files of the workspace, and dependencies outside of
    /// it.
    workspace: Option<(String, Value)>,
    outside: Option<(String, Value)>,
    registrations: usize,
    /// Times of the dependencies that the client does not watch.
    times: BTreeMap<PathBuf, Option<(SystemTime, u64)>>,
    changed: Vec<PathBuf>,
    since: Option<Instant>,
}

impl Watched {
    /// The time at which the changes of files are processed.
    pub(super) fn due(&self) -> Option<Instant> {
        self.since.map(|since| since + TOGETHER)
    }

    fn has(&self, path: &Path) -> bool {
        self.dependencies.values().any(|depends| depends.files.contains(path))
    }

    fn below(&self, directory: &Path) -> impl Iterator<Item = &PathBuf> {
        self.dependencies.values().flat_map(|depends| &depends.files).filter(move |file| file.starts_with(directory))
    }
}

impl Server {
    fn can_watch(&self) -> bool {
        self.view.client.can("/workspace/didChangeWatchedFiles/dynamicRegistration")
    }

    /// Returns `true` if the client watches single files and directories outside of the workspace.
    fn can_watch_outside(&self) -> bool {
        self.can_watch() && self.view.client.can("/workspace/didChangeWatchedFiles/relativePatternSupport")
    }

    /// Returns `true` if the client watches a file. A directory that does not exist cannot be watched.
    fn is_watched(&self, file: &Path) -> bool {
        let is_inside = || self.view.roots.folder_of(file).is_some();
        self.can_watch() && is_inside() || self.can_watch_outside() && file.parent().is_some_and(Path::is_dir)
    }

    /// Lets the client watch the files of the workspace and the dependencies outside of it.
    pub(super) fn watch(&mut self) {
        if !self.can_watch() || self.is_shut_down {
            return;
        }
        let any = |folder: &PathBuf| json!({"globPattern": {"baseUri": uri::of_path(folder), "pattern": "**/*"}});
        let workspace: Vec<Value> = if self.can_watch_outside() {
            self.view.roots.folders.iter().map(any).collect()
        } else {
            vec![json!({"globPattern": "**/*"})]
        };
        let known = self.watched.workspace.take();
        self.watched.workspace = self.register(known, workspace);
        if !self.can_watch_outside() {
            return;
        }
        let outside = self.dependencies();
        let outside = outside.iter().filter(|file| self.view.roots.folder_of(file).is_none() && self.is_watched(file));
        let one = |file: &PathBuf| {
            let directory = file.parent().unwrap_or(Path::new("/"));
            json!({"globPattern": {"baseUri": uri::of_path(directory), "pattern": pattern(&name_of(file))}})
        };
        let outside: Vec<Value> = outside.map(one).collect();
        let known = self.watched.outside.take();
        self.watched.outside = self.register(known, outside);
    }

    /// Registers watchers instead of the known ones, unless they are the same.
    fn register(&mut self, known: Option<(String, Value)>, watchers: Vec<Value>) -> Option<(String, Value)> {
        let is_empty = watchers.is_empty();
        let watchers = Value::Array(watchers);
        if known.as_ref().map_or(is_empty, |(_, known)| *known == watchers) {
            return known;
        }
        let made = (!is_empty).then(|| {
            self.watched.registrations += 1;
            let id = format!("formwork-files-{}", self.watched.registrations);
            let options = json!({"watchers": watchers});
            let registration = json!({"id": id, "method": METHOD, "registerOptions": options});
            self.ask("client/registerCapability", json!({"registrations": [registration]}));
            (id, watchers)
        });
        if let Some((id, _)) = known {
            // The name has this spelling in the protocol.
            let gone = json!({"unregisterations": [{"id": id, "method": METHOD}]});
            self.ask("client/unregisterCapability", gone);
        }
        made
    }

    /// Updates the watchers after templates were compiled: most have the same dependencies.
    pub(super) fn watch_again(&mut self) {
        if self.learn_dependencies() {
            self.watch();
        }
    }

    /// The dependencies of known templates: files and configuration that were read or missing, as far as they may be
    /// read.
    fn dependencies(&mut self) -> BTreeSet<PathBuf> {
        self.learn_dependencies();
        let mut all = self.view.world.configuration_files();
        all.extend(self.watched.dependencies.values().flat_map(|depends| depends.files.iter().cloned()));
        all
    }

    /// Collects the dependencies of templates that were compiled since. Returns `true` if any changed.
    fn learn_dependencies(&mut self) -> bool {
        let known = self.view.known();
        let dependencies = &mut self.watched.dependencies;
        let count = dependencies.len();
        dependencies.retain(|path, _| known.binary_search_by(|(own, _)| own.cmp(path)).is_ok());
        let mut is_other = dependencies.len() != count;
        for (path, ide) in &known {
            let of = (Arc::downgrade(ide.compilation()), ide.dependencies().len());
            let known = dependencies.get(path);
            if known.is_none_or(|known| !known.of.0.ptr_eq(&of.0) || known.of.1 != of.1) {
                let files = dependencies_of(path, ide);
                let root = self.view.roots.project_root(path.parent().unwrap_or(path));
                let own = files.into_iter().filter(|file| self.view.roots.is_trusted || file.starts_with(&root));
                let own: BTreeSet<PathBuf> = own.collect();
                is_other |= known.is_none_or(|known| known.files != own);
                dependencies.insert(path.clone(), Depends { of, files: own });
            }
        }
        is_other
    }

    pub(super) fn files_changed(&mut self, params: &Value) {
        let changes = params.get("changes").and_then(Value::as_array);
        let uris = changes.into_iter().flatten().filter_map(|change| change.get("uri").and_then(Value::as_str));
        self.watched.changed.extend(uris.map(uri::to_path));
        self.watched.since.get_or_insert_with(Instant::now);
    }

    pub(super) fn take_changed_files(&mut self) {
        if self.watched.since.take().is_some() {
            let changed = std::mem::take(&mut self.watched.changed);
            self.reload(changed);
        }
    }

    pub(super) fn look_at_files(&mut self) {
        if !self.is_initialized || self.is_shut_down {
            return;
        }
        let all = self.dependencies();
        let own = all.into_iter().filter(|file| !self.is_watched(file));
        let time = |file: &PathBuf| {
            let metadata = std::fs::metadata(file).ok()?;
            Some((metadata.modified().ok()?, metadata.len()))
        };
        let times: BTreeMap<_, _> = own.map(|file| (file.clone(), time(&file))).collect();
        let known = std::mem::replace(&mut self.watched.times, times);
        let is_changed = |(path, time): &(&PathBuf, &Option<(SystemTime, u64)>)| {
            known.get(*path).is_some_and(|known| known != *time)
        };
        let mut changed: Vec<PathBuf> =
            self.watched.times.iter().filter(is_changed).map(|(path, _)| path.clone()).collect();
        // Its directory appeared: from now on the client watches it.
        let is_new = |(path, time): &(&PathBuf, &Option<(SystemTime, u64)>)| {
            time.is_none() && !self.watched.times.contains_key(*path) && path.is_file()
        };
        changed.extend(known.iter().filter(is_new).map(|(path, _)| path.clone()));
        self.reload(changed);
        self.watch();
    }

    fn reload(&mut self, paths: Vec<PathBuf>) {
        if paths.is_empty() {
            return;
        }
        let dependencies = self.dependencies();
        let configuration = self.view.world.configuration_files();
        let mut changed = BTreeSet::new();
        for path in paths {
            if may_matter(&path) || dependencies.contains(&path) {
                changed.insert(path);
                continue;
            }
            // For a directory that is moved or deleted, clients may report nothing else.
            changed.extend(self.watched.below(&path).cloned());
            changed.extend(configuration.iter().filter(|file| file.starts_with(&path)).cloned());
            changed.extend(self.view.scanned.files_below(&path));
        }
        // For an open document, the text in the editor is used.
        let closed = changed.into_iter().filter(|path| self.view.document(path).is_none());
        let changes: Vec<(PathBuf, Option<FileText>)> = closed.map(|path| (path, None)).collect();
        if changes.is_empty() {
            return;
        }
        let is_created = |(path, _): &(PathBuf, Option<FileText>)| {
            is_candidate(path) && path.is_file() != self.view.scanned.knows(path)
        };
        let scans = changes.iter().any(is_created);
        let decides = |path: &Path| configuration.iter().any(|file| path.starts_with(file));
        let is_read = changes.iter().any(|(path, _)| self.watched.has(path) || decides(path));
        self.apply(&changes);
        if is_read {
            self.refresh_all();
        }
        if scans {
            self.scan();
        }
    }
}

/// The files from which a template was compiled, and those that were missing, including those of its nested templates.
fn dependencies_of(path: &Path, ide: &Ide<'static>) -> BTreeSet<PathBuf> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let all = ide.dependencies();
    let files = all.iter().flat_map(|one| one.found.iter().chain(&one.missing));
    files.map(|file| absolute(file, folder)).collect()
}

/// Returns `true` if a file may be a template, a module, values, a configuration or an archive of modules. Others are
/// only read if a template depends on them.
fn may_matter(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_ascii_lowercase();
    is_candidate(path) || ["lock", "zip"].contains(&extension.as_str())
}

/// A glob that matches a file name: special characters of globs match any character.
fn pattern(name: &str) -> String {
    name.chars().map(|c| if "*?[]{}!\\,".contains(c) { '?' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_globs() {
        assert_eq!(pattern("net.yaml"), "net.yaml");
        assert_eq!(pattern("a[1]{b}*.yaml"), "a?1??b??.yaml");
    }
}
