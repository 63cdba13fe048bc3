//! The state on which requests are answered.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use formwork::{Cancellation, Cancelled, ColumnUnit, VirtualPath};
use formwork_ide::Ide;
use formwork_ide::kind::DocumentKind;

use crate::client::Client;
use crate::configuration::Reader;
use crate::document::Document;
use crate::parts;
use crate::response::Failure;
use crate::roots::Roots;
use crate::scan::Scanned;
use crate::settings::Settings;
use crate::uri;
use crate::what_if::WhatIf;
use crate::world::{Surroundings, World};

/// The largest number of templates that are not open and stay compiled.
const MOST_CLOSED: usize = 200;

/// A template at this state, compiled on first use.
#[derive(Default)]
pub(crate) struct CachedIde {
    now: OnceLock<Result<Arc<Ide<'static>>, Cancelled>>,
    /// The earlier compilation, until the new one is ready: two compilations of one template are held no longer than
    /// that.
    before: Mutex<Option<Arc<Ide<'static>>>>,
}

impl CachedIde {
    fn next(&self) -> CachedIde {
        CachedIde { now: OnceLock::new(), before: Mutex::new(self.latest()) }
    }

    fn latest(&self) -> Option<Arc<Ide<'static>>> {
        self.now.get().and_then(|now| now.clone().ok()).or_else(|| self.before().clone())
    }

    fn before(&self) -> MutexGuard<'_, Option<Arc<Ide<'static>>>> {
        self.before.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The state after a message. A clone is cheap, and immutable except for what is computed on demand.
#[derive(Clone)]
pub(crate) struct View {
    /// Grows by one with each change.
    pub(crate) revision: u64,
    pub(crate) client: Arc<Client>,
    /// The settings of files outside of all workspace directories.
    pub(crate) settings: Arc<Settings>,
    pub(crate) folder_settings: Arc<BTreeMap<PathBuf, Settings>>,
    pub(crate) roots: Arc<Roots>,
    pub(crate) values: Arc<BTreeMap<PathBuf, WhatIf>>,
    /// The context that was selected for a module: the file that imports it, and the name of the import.
    pub(crate) contexts: Arc<BTreeMap<PathBuf, (PathBuf, String)>>,
    /// The last iterations and imports around the cursor, in the view of a template.
    pub(crate) chosen: Arc<Mutex<BTreeMap<PathBuf, Vec<String>>>>,
    pub(crate) documents: Arc<BTreeMap<PathBuf, Arc<Document>>>,
    /// Documents that templates import, whatever they look like.
    pub(crate) imported: Arc<BTreeSet<PathBuf>>,
    pub(crate) unsaved: Arc<BTreeSet<PathBuf>>,
    pub(crate) scanned: Arc<Scanned>,
    pub(crate) world: Arc<World>,
    pub(crate) slots: Arc<Mutex<BTreeMap<PathBuf, Arc<CachedIde>>>>,
    /// The number of earlier changes of roots, settings or values.
    pub(crate) settled: u64,
    pub(crate) cancellation: Cancellation,
}

impl View {
    pub(crate) fn until(&self, cancellation: &Cancellation) -> View {
        View { cancellation: cancellation.clone(), ..self.clone() }
    }

    pub(crate) fn unit(&self) -> ColumnUnit {
        self.client.unit
    }

    pub(crate) fn settings_of(&self, path: &Path) -> &Settings {
        let folder = self.roots.folder_of(path);
        folder.and_then(|folder| self.folder_settings.get(folder)).unwrap_or(&self.settings)
    }

    pub(crate) fn settings_of_uri(&self, uri: &str) -> &Settings {
        // Most have one workspace directory, or all the same settings.
        if self.folder_settings.is_empty() { &self.settings } else { self.settings_of(&uri::to_path(uri)) }
    }

    pub(crate) fn reader(&self) -> Reader<'_> {
        Reader::new(&self.roots, &self.documents)
    }

    pub(crate) fn document(&self, path: &Path) -> Option<&Arc<Document>> {
        self.documents.get(path)
    }

    /// The URI of a file, as the client writes it if the file is open.
    pub(crate) fn uri_of(&self, path: &Path) -> String {
        self.document(path).map_or_else(|| uri::of_path(path), |document| document.uri.clone())
    }

    /// Returns `true` if a file that is not open may be read: it is in a directory of the workspace.
    pub(crate) fn may_look_at(&self, path: &Path) -> bool {
        self.document(path).is_some() || self.roots.folder_of(path).is_some()
    }

    pub(crate) fn kind(&self, path: &Path) -> Option<DocumentKind> {
        if let Some(document) = self.document(path) {
            return if self.imported.contains(path) { Some(DocumentKind::Template) } else { document.kind };
        }
        if !self.may_look_at(path) {
            return None;
        }
        let root = self.roots.project_root(path.parent()?);
        let bytes = formwork::disk::read_inside(&root, path, formwork::Limits::default().file_bytes).ok()?;
        formwork_ide::kind::kind(&crate::document::name_of(path), &String::from_utf8_lossy(&bytes))
    }

    /// Returns `true` for a template or module, open or found by the scan.
    pub(crate) fn is_template(&self, path: &Path) -> bool {
        match self.document(path) {
            Some(document) => document.is_template() || self.imported.contains(path),
            None => self.scanned.has(path),
        }
    }

    /// Returns a template or module, compiled; `None` when the file is neither.
    ///
    /// # Errors
    /// When the state is outdated.
    pub(crate) fn ide(&self, path: &Path) -> Result<Option<Arc<Ide<'static>>>, Failure> {
        if self.is_template(path) { self.compiled(path).map(Some) } else { Ok(None) }
    }

    /// Compiles a file, whatever its kind is.
    ///
    /// # Errors
    /// When the state is outdated.
    pub(crate) fn compiled(&self, path: &Path) -> Result<Arc<Ide<'static>>, Failure> {
        let slot = {
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            let is_full = slots.len() >= self.documents.len() + MOST_CLOSED;
            if is_full && !self.documents.contains_key(path) && !slots.contains_key(path) {
                Arc::default()
            } else {
                Arc::clone(slots.entry(path.to_owned()).or_default())
            }
        };
        let made = slot.now.get_or_init(|| {
            let (session, root) = self.session(path);
            let before = slot.before().clone();
            let made = Ide::new(&session, &root, before.as_deref()).map(Arc::new);
            if made.is_ok() {
                slot.before().take();
            }
            made
        });
        made.clone().map_err(Failure::from)
    }

    pub(crate) fn chosen(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Vec<String>>> {
        self.chosen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn session(&self, path: &Path) -> (formwork::Session<'static>, VirtualPath) {
        let Settings { parameter_files, values: first, .. } = self.settings_of(path);
        let (roots, values) = (&self.roots, &self.values);
        let around = Surroundings { roots, values, parameter_files, first, settled: self.settled };
        let (session, root) = self.world.session(path, &around);
        let Some(parts) = parts::of(&self.reader(), path, &self.known_files(path)) else { return (session, root) };
        let options = parts.applied_to(session.options().clone());
        (session.with_options(options), root)
    }

    /// The templates around a file that are open or were found by the scan.
    fn known_files(&self, path: &Path) -> impl Fn(&Path) -> BTreeSet<PathBuf> + '_ {
        let own = path.to_owned();
        move |directory| {
            let open = self.documents.keys().filter(|path| path.starts_with(directory));
            let found = self.scanned.below(directory).map(Path::to_owned);
            found.chain(open.cloned()).chain([own.clone()]).collect()
        }
    }

    /// The slots of the next state: those of open documents keep the earlier compilation.
    pub(crate) fn next_slots(&self) -> Arc<Mutex<BTreeMap<PathBuf, Arc<CachedIde>>>> {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let open = slots.iter().filter(|(path, _)| self.documents.contains_key(*path));
        let next = open.map(|(path, slot)| (path.clone(), Arc::new(slot.next()))).collect();
        Arc::new(Mutex::new(next))
    }

    pub(crate) fn known(&self) -> Vec<(PathBuf, Arc<Ide<'static>>)> {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let made = |(path, slot): (&PathBuf, &Arc<CachedIde>)| slot.latest().map(|ide| (path.clone(), ide));
        slots.iter().filter_map(made).collect()
    }
}
