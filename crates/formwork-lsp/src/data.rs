//! Files that pass values to templates, and the templates to which they belong.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use formwork::disk::{is_inside, read_inside, without_dots};
use formwork::{FileText, Limits, LineIndex};
use formwork_ide::data_files::{DataFile, DataKind, ParameterUse, data_kind};
use formwork_ide::kind::kind;

use crate::document::name_of;
use crate::lines::Lines;
use crate::params::{Location, Position, Range};
use crate::uri;
use crate::view::View;

pub(crate) struct Data<'v> {
    pub(crate) view: &'v View,
    pub(crate) path: PathBuf,
    pub(crate) text: FileText,
    index: LineIndex,
    pub(crate) file: DataFile,
}

pub(crate) struct Named {
    pub(crate) path: PathBuf,
    pub(crate) location: Location,
    pub(crate) range: std::ops::Range<u32>,
    pub(crate) other: Option<PathBuf>,
}

impl<'v> Data<'v> {
    /// The data file at a path, open or found by the scan; `None` for other files.
    pub(crate) fn of(view: &'v View, path: &Path) -> Option<Data<'v>> {
        let name = name_of(path);
        let (text, document) = if let Some(document) = view.document(path) {
            (document.text.clone(), document.kind?)
        } else {
            view.scanned.data().binary_search_by(|known| known.as_path().cmp(path)).ok()?;
            let root = view.roots.project_root(path.parent()?);
            let bytes = read_inside(&root, path, Limits::default().file_bytes).ok()?;
            let text = String::from_utf8(bytes).ok()?;
            let document = kind(&name, &text)?;
            (text.into(), document)
        };
        let file = DataFile::of_kind(data_kind(&name, document)?, &text);
        Some(Data { view, path: path.to_owned(), index: LineIndex::new(&text), text, file })
    }

    pub(crate) fn of_uri(view: &'v View, uri: &str) -> Option<Data<'v>> {
        let path = uri::to_path(uri);
        // Most requests are about templates.
        if view.document(&path).is_none() || view.is_template(&path) {
            return None;
        }
        Data::of(view, &path)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("/"))
    }

    pub(crate) fn lines(&self) -> Lines<'_> {
        Lines { text: &self.text, index: &self.index, unit: self.view.unit(), mark: 0 }
    }

    pub(crate) fn offset(&self, position: Position) -> u32 {
        self.lines().offset(position)
    }

    pub(crate) fn range(&self, range: &std::ops::Range<u32>) -> Range {
        self.lines().range(range.start, range.end)
    }

    /// The URI of the file, as the client writes it if the file is open.
    pub(crate) fn uri(&self) -> String {
        self.view.document(&self.path).map_or_else(|| uri::of_path(&self.path), |document| document.uri.clone())
    }

    pub(crate) fn location(&self, range: &std::ops::Range<u32>) -> Location {
        Location { uri: self.uri(), range: self.range(range) }
    }

    pub(crate) fn named_file(&self, path: &str) -> Option<PathBuf> {
        let target = without_dots(&self.folder().join(path));
        let root = self.view.roots.project_root(self.folder()).canonicalize().ok()?;
        let real = target.canonicalize().ok()?;
        (is_inside(&root, &real) && real.is_file()).then_some(target)
    }

    /// The templates to which the file belongs: the one that it refers to, else those beside it, else those of the
    /// workspace directory. For a name, only those that declare it.
    pub(crate) fn templates(&self, used: Option<&ParameterUse>) -> Vec<PathBuf> {
        let named = match used {
            Some(used) => used.template.iter().cloned().collect(),
            None => self.file.templates.clone(),
        };
        if !named.is_empty() {
            let paths = named.iter().map(|path| without_dots(&self.folder().join(path)));
            return paths.filter(|path| self.view.is_template(path)).collect();
        }
        let beside = |path: &&Path| path.parent() == Some(self.folder());
        let workspace = self.view.roots.folder_of(&self.path).unwrap_or(self.folder());
        let all = || self.known_templates(workspace);
        let paths: Vec<PathBuf> = match self.file.kind {
            DataKind::SamConfig => {
                let defaults = ["template.yaml", "template.yml", "template.json"].map(|name| self.folder().join(name));
                defaults.into_iter().find(|path| self.view.is_template(path)).into_iter().collect()
            }
            DataKind::Project => all(),
            DataKind::Parameters => {
                let own: Vec<PathBuf> = all().iter().map(PathBuf::as_path).filter(beside).map(Path::to_owned).collect();
                let is_for = |path: &PathBuf| used.is_none_or(|used| self.declares(path, &used.name));
                if own.iter().any(is_for) { own } else { all() }
            }
        };
        match used {
            Some(used) => paths.into_iter().filter(|path| self.declares(path, &used.name)).collect(),
            None => paths,
        }
    }

    fn known_templates(&self, folder: &Path) -> Vec<PathBuf> {
        let open =
            self.view.documents.iter().filter(|(_, document)| document.is_template()).map(|(path, _)| path.as_path());
        let open = open.filter(|path| path.starts_with(folder));
        let mut all: Vec<PathBuf> = self.view.scanned.below(folder).chain(open).map(Path::to_owned).collect();
        all.sort();
        all.dedup();
        all
    }

    fn declares(&self, template: &Path, name: &str) -> bool {
        let (session, root) = self.view.session(template);
        session
            .snapshot()
            .index(&root)
            .is_some_and(|index| formwork_ide::data_files::declaration(&index, name).is_some())
    }
}

/// Every use of a template's parameter in data files of the workspace directory.
pub(crate) fn uses_of(view: &View, template: &Path, name: &str) -> Vec<Named> {
    let Some(folder) = view.roots.folder_of(template) else { return Vec::new() };
    let mut found = Vec::new();
    // Open or found by the scan, each once.
    let open = view.documents.iter().filter(|(_, document)| !document.is_template()).map(|(path, _)| path);
    let paths: BTreeSet<&PathBuf> =
        view.scanned.data().iter().chain(open).filter(|path| path.starts_with(folder)).collect();
    for data in paths.into_iter().filter_map(|path| Data::of(view, path)) {
        for used in data.file.uses.iter().filter(|used| used.name == name) {
            let templates = data.templates(Some(used));
            if templates.iter().any(|path| path == template) {
                found.push(Named {
                    path: data.path.clone(),
                    location: data.location(&used.range),
                    range: used.range.clone(),
                    other: templates.into_iter().find(|path| path != template),
                });
            }
        }
    }
    found
}
