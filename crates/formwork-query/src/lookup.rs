//! The symbol at a position, its declaration and its uses.

use formwork_base::{FileRange, VirtualPath};

use crate::index::FileIndex;
use crate::names::{Declaration, Target, Use, touches};
use crate::project::Project;
use crate::symbol::{Symbol, SymbolKind, SymbolUse};

impl Project {
    /// Returns the symbol that is declared or used at a position.
    pub fn symbol_at(&self, file: &VirtualPath, offset: u32) -> Option<Symbol> {
        self.target_at(file, offset).map(|(target, _)| self.symbol(&target))
    }

    /// Returns the range of the name under the cursor, the part that a rename would replace.
    pub fn name_at(&self, file: &VirtualPath, offset: u32) -> Option<FileRange> {
        self.target_at(file, offset).map(|(_, range)| range)
    }

    /// Returns the declaration of the name at a position: a key, an element of a loop, or the start of a module's file.
    pub fn definition(&self, file: &VirtualPath, offset: u32) -> Option<FileRange> {
        self.symbol_at(file, offset)?.declared
    }

    /// Returns every range that declares or uses the name at a position, in all files of the project, by file and
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

    /// Returns the uses at a position, the shortest first, since a placeholder may be in a name.
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
            Target::Declared(file, at) => match self.file(file) {
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
