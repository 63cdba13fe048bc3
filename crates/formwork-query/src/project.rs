//! A template and the modules that it imports.

use std::collections::BTreeMap;
use std::sync::Arc;

use formwork_base::{FileRange, VirtualPath};

use crate::expansion::Expansion;
use crate::index::FileIndex;
use crate::names::{Declaration, Target, Use, touches};
use crate::node::{NodeAt, node_at};
use crate::symbol::{Symbol, SymbolKind, SymbolUse};

/// A template and the modules that it imports: what answers questions. Offsets are those of bytes in the text of
/// the file, as [`FileIndex::lines`] computes them from lines and columns.
#[derive(Clone, Debug, Default)]
pub struct Project {
    files: BTreeMap<VirtualPath, Arc<FileIndex>>,
    expansion: Option<Arc<Expansion>>,
}

impl Project {
    /// Collects the template at `root` and, as far as `find` has them, the modules that it leads to. `find` is
    /// asked once for each file; who keeps what it returns need not index a file twice.
    pub fn new(root: &VirtualPath, mut find: impl FnMut(&VirtualPath) -> Option<Arc<FileIndex>>) -> Project {
        const MOST: usize = 10_000;
        let mut project = Project::default();
        let mut pending = vec![root.clone()];
        let mut asked = std::collections::BTreeSet::new();
        while let Some(path) = pending.pop() {
            if asked.len() >= MOST || !asked.insert(path.clone()) {
                continue;
            }
            if let Some(index) = find(&path) {
                pending.extend(index.sources_of_imports());
                project.files.insert(path, index);
            }
        }
        project
    }

    /// The same project with what an expansion of its template found out.
    #[must_use]
    pub fn with_expansion(mut self, expansion: impl Into<Arc<Expansion>>) -> Project {
        self.expansion = Some(expansion.into());
        self
    }

    /// Returns a file of the project.
    pub fn file(&self, path: &VirtualPath) -> Option<&FileIndex> {
        self.files.get(path).map(|index| &**index)
    }

    /// Returns the files of the project, by path.
    pub fn files(&self) -> impl Iterator<Item = &FileIndex> {
        self.files.values().map(|index| &**index)
    }

    pub(crate) fn expansion(&self) -> Option<&Expansion> {
        self.expansion.as_deref()
    }

    /// Returns the innermost node at a place.
    pub fn node_at(&self, file: &VirtualPath, offset: u32) -> Option<NodeAt> {
        let index = self.file(file)?;
        let file = &index.parsed;
        node_at(file.tree(), file.sources(), file.root()?, file.base() + offset)
    }

    /// Returns what the name at a place stands for, whether it is declared or used there.
    pub fn symbol_at(&self, file: &VirtualPath, offset: u32) -> Option<Symbol> {
        self.target_at(file, offset).map(|(target, _)| self.symbol(&target))
    }

    /// Returns the place of the name under the cursor, the part that a rename would replace.
    pub fn name_at(&self, file: &VirtualPath, offset: u32) -> Option<FileRange> {
        self.target_at(file, offset).map(|(_, range)| range)
    }

    /// Returns where the name at a place is declared: a key, an element of a loop, or the start of a module's file.
    pub fn definition(&self, file: &VirtualPath, offset: u32) -> Option<FileRange> {
        self.symbol_at(file, offset)?.declared
    }

    /// Returns every place that declares or uses the name at a place, in all files of the project, by file and
    /// position.
    pub fn references(&self, file: &VirtualPath, offset: u32) -> Vec<SymbolUse> {
        let Some((target, _)) = self.target_at(file, offset) else { return Vec::new() };
        let mut found: Vec<SymbolUse> = Vec::new();
        if let Some(range) = self.symbol(&target).declared.filter(|_| matches!(target, Target::Declared(..))) {
            found.push(SymbolUse { range, is_declaration: true });
        }
        for index in self.files() {
            let uses = index.names.uses.iter().filter(|used| self.resolve(index, used).as_ref() == Some(&target));
            let places = uses.map(|used| SymbolUse { range: index.file_range(&used.range), is_declaration: false });
            found.extend(places);
        }
        found.sort_by(|a, b| a.range.cmp(&b.range));
        found.dedup_by(|a, b| a.range == b.range);
        found
    }

    /// The use at a place: the shortest, since a placeholder may be in a name.
    pub(crate) fn use_at(index: &FileIndex, offset: u32) -> impl Iterator<Item = &Use> {
        let mut found: Vec<&Use> = index.names.uses.iter().filter(|used| touches(&used.range, offset)).collect();
        found.sort_by_key(|used| used.range.len());
        found.into_iter()
    }

    fn target_at(&self, file: &VirtualPath, offset: u32) -> Option<(Target, FileRange)> {
        let index = self.file(file)?;
        let used = Project::use_at(index, offset)
            .find_map(|used| Some((self.resolve(index, used)?, index.file_range(&used.range))));
        let declared = || {
            let here = |declaration: &Declaration| touches(&declaration.name_range, offset);
            let at = index.names.declarations.iter().position(here)?;
            let range = index.file_range(&index.names.declarations[at].name_range);
            Some((Target::Declared(file.clone(), at), range))
        };
        used.or_else(declared)
    }

    fn symbol(&self, target: &Target) -> Symbol {
        let nowhere =
            |kind, name: &str| Symbol { kind, name: name.to_owned(), detail: None, declared: None, declaration: None };
        match target {
            Target::Declared(file, at) => match self.files.get(file) {
                Some(index) => index.symbol(*at),
                None => nowhere(SymbolKind::File, file.as_str()),
            },
            Target::Pseudo(pseudo) => nowhere(SymbolKind::PseudoParameter, pseudo.name()),
            Target::File(file) => {
                let whole = self.file(file).map_or(0, |index| index.text().len() as u32);
                Symbol {
                    declared: Some(FileRange::new(file.clone(), 0, 0)),
                    declaration: Some(FileRange::new(file.clone(), 0, whole)),
                    ..nowhere(SymbolKind::File, file.as_str())
                }
            }
        }
    }
}

impl FileIndex {
    pub(crate) fn symbol(&self, at: usize) -> Symbol {
        let declaration = &self.names.declarations[at];
        Symbol {
            kind: declaration.kind,
            name: declaration.name.clone(),
            detail: declaration.detail.clone(),
            declared: Some(self.file_range(&declaration.name_range)),
            declaration: Some(self.file_range(&declaration.range)),
        }
    }
}
