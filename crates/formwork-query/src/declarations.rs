//! Declarations of names in a file, and the files of its imports.

use formwork_base::VirtualPath;

use crate::index::FileIndex;
use crate::names::{Declaration, TextRange};
use crate::symbol::{Symbol, SymbolKind};

impl FileIndex {
    /// Returns the declaration of a name, of the first of `kinds` that has one. `place` is the range of the use, for
    /// names with a limited scope.
    pub(crate) fn declared(&self, name: &str, kinds: &[SymbolKind], place: Option<&TextRange>) -> Option<usize> {
        let is_visible = |declaration: &Declaration| match (&declaration.scopes, place) {
            (Some(scopes), Some(place)) => scopes.iter().any(|scope| contains(scope, place)),
            (Some(_), None) => false,
            (None, _) => true,
        };
        let of = |kind: SymbolKind| {
            let mut known = self.names.named(name);
            known.find(|(_, declaration)| declaration.kind == kind && is_visible(declaration)).map(|(at, _)| at)
        };
        kinds.iter().find_map(|&kind| of(kind))
    }

    /// Returns the variable of the innermost loop around a range that declares it.
    pub(crate) fn variable(&self, name: &str, place: &TextRange) -> Option<usize> {
        let scope = |declaration: &Declaration| {
            let scopes = declaration.scopes.iter().flatten().filter(|scope| contains(scope, place));
            scopes.map(ExactSizeIterator::len).min()
        };
        let variables = self.names.named(name).filter(|(_, known)| known.kind == SymbolKind::LoopVariable);
        variables.filter_map(|(at, known)| Some((scope(known)?, at))).min().map(|(_, at)| at)
    }

    /// Returns the loop with this name that generates imports.
    pub(crate) fn loop_of_imports(&self, name: &str) -> Option<usize> {
        let makes_imports = |at: usize| {
            self.names.imports.iter().any(|import| self.names.declarations[import.declaration].parent == Some(at))
        };
        let mut loops = self.names.named(name).filter(|(_, known)| known.kind == SymbolKind::Loop);
        loops.find(|&(at, _)| makes_imports(at)).map(|(at, _)| at)
    }

    pub(crate) fn sources_of_imports(&self) -> Vec<VirtualPath> {
        (0..self.names.imports.len()).filter_map(|import| self.source_of(import)).collect()
    }

    /// Returns the local file of an import (reference/modules/sources.md#local). Files in archives and remote files are
    /// not read.
    pub(crate) fn source_of(&self, import: usize) -> Option<VirtualPath> {
        let source = self.names.imports.get(import)?.source.as_deref()?;
        let is_local = |text: &str| !text.contains("://") && !text.contains(".zip") && !text.contains("${");
        let Some(aliased) = source.strip_prefix('$') else {
            return is_local(source).then(|| self.path().sibling(source));
        };
        let (alias, inner) = aliased.split_once('/')?;
        let package = self.declared(alias, &[SymbolKind::Package], None)?;
        let directory = self.names.declarations[package].detail.as_deref().filter(|directory| is_local(directory))?;
        Some(self.path().sibling(&format!("{directory}/{inner}")))
    }

    pub(crate) fn names_of(&self, kind: SymbolKind) -> Vec<String> {
        let declarations = self.names.declarations.iter().filter(|declaration| declaration.kind == kind);
        declarations.map(|declaration| declaration.name.clone()).collect()
    }

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

fn contains(outer: &TextRange, inner: &TextRange) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
